//! Separation by an axis-aligned slab that moves at constant velocity.

use crate::continuous::MovingPoint;

/// Whether, along an axis, the first `of_first` vertices are before the others by more than `separation` at the start and
/// at the end of the step, or after: then it is so in between, as each difference of coordinates is linear in time.
///
/// Unlike the boxes of the whole motions, this sees features apart that move together. Exact: rounding a difference does not
/// move it across `separation`.
#[inline]
pub(super) fn separated<const N: usize>(
    points: &[&MovingPoint; N],
    of_first: usize,
    separation: f64,
) -> bool {
    for k in 0..3 {
        let mut ahead = true;
        let mut behind = true;
        for a in &points[..of_first] {
            for b in &points[of_first..] {
                let (start, end) = (b.start[k] - a.start[k], b.end[k] - a.end[k]);
                ahead &= start > separation && end > separation;
                behind &= -start > separation && -end > separation;
            }
        }
        if ahead | behind {
            return true;
        }
    }
    false
}
