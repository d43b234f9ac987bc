//! Separation by an axis-aligned slab that moves at constant velocity.

use crate::continuous::MovingPoint;

/// Whether, along an axis, all of `a` is before all of `b` at the start and at the end of the step, or after: then it is
/// so in between, as each difference of coordinates is linear in time. Exact.
///
/// Unlike the boxes of the whole motions, this sees features apart that move together.
#[inline]
pub(super) fn separated(a: &[&MovingPoint], b: &[&MovingPoint]) -> bool {
    (0..3).any(|k| {
        let [a0, a1] = [range(a, |p| p.start[k]), range(a, |p| p.end[k])];
        let [b0, b1] = [range(b, |p| p.start[k]), range(b, |p| p.end[k])];
        (a0[1] < b0[0] && a1[1] < b1[0]) || (a0[0] > b0[1] && a1[0] > b1[1])
    })
}

#[inline]
fn range(points: &[&MovingPoint], coordinate: impl Fn(&MovingPoint) -> f64) -> [f64; 2] {
    points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], point| {
        let x = coordinate(point);
        [if x < low { x } else { low }, if x > high { x } else { high }]
    })
}

/// Whether the slab between the two is wider than `separation`, too. Exact: rounding a difference does not move it
/// across a number that an `f64` can have.
#[inline]
pub(super) fn separated_by(separation: f64, a: &[&MovingPoint], b: &[&MovingPoint]) -> bool {
    (0..3).any(|k| {
        let [a0, a1] = [range(a, |p| p.start[k]), range(a, |p| p.end[k])];
        let [b0, b1] = [range(b, |p| p.start[k]), range(b, |p| p.end[k])];
        (b0[0] - a0[1] > separation && b1[0] - a1[1] > separation)
            || (a0[0] - b0[1] > separation && a1[0] - b1[1] > separation)
    })
}
