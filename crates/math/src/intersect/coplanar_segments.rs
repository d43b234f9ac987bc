//! First intersection of two coplanar segments.

use crate::Point;
use crate::orient::{orient2d_along, widest_view};

/// Returns the first intersection of the segment `p q`, going from `p`, with the segment `a b`, as weights of `q` and
/// of `b`; exact decisions, closed sets. The four points must be exactly coplanar (`orient3d` is zero).
pub(crate) fn coplanar_segments(p: &Point, q: &Point, a: &Point, b: &Point) -> Option<(f64, f64)> {
    // A projection in which any three of the points are not collinear shows the plane without degenerating it.
    let view =
        [[p, q, a], [p, q, b], [a, b, p], [a, b, q]].into_iter().find_map(|[x, y, z]| widest_view(x, y, z));
    let Some(axis) = view else {
        return collinear_segments(p, q, a, b);
    };
    let (p_side, q_side) = (orient2d_along(axis, a, b, p), orient2d_along(axis, a, b, q));
    let (a_side, b_side) = (orient2d_along(axis, p, q, a), orient2d_along(axis, p, q, b));
    let apart = |one: f64, other: f64| (one > 0.0 && other > 0.0) || (one < 0.0 && other < 0.0);
    if apart(p_side, q_side) || apart(a_side, b_side) {
        return None;
    }
    // Two sides cannot both be zero: all four points would be collinear, or the other two sides equal and apart.
    Some((p_side / (p_side - q_side), a_side / (a_side - b_side)))
}

/// Does the same for collinear segments, either of which may be a single point.
fn collinear_segments(p: &Point, q: &Point, a: &Point, b: &Point) -> Option<(f64, f64)> {
    let order = |x: &Point, y: &Point| [x.x, x.y, x.z].partial_cmp(&[y.x, y.y, y.z]);
    let at_or_before = |x: &Point, y: &Point| order(x, y).is_some_and(|ordering| ordering.is_le());
    // Points along a line follow the lexicographic order of their coordinates.
    let within = |x: &Point, from: &Point, to: &Point| {
        (at_or_before(from, x) && at_or_before(x, to)) || (at_or_before(to, x) && at_or_before(x, from))
    };
    if within(p, a, b) {
        return Some((0.0, parameter(p, a, b)));
    }
    let (at_a, at_b) = (parameter(a, p, q), parameter(b, p, q));
    match (within(a, p, q), within(b, p, q)) {
        (false, false) => None,
        (true, false) => Some((at_a, 0.0)),
        (false, true) => Some((at_b, 1.0)),
        (true, true) if at_a <= at_b => Some((at_a, 0.0)),
        (true, true) => Some((at_b, 1.0)),
    }
}

/// Returns the weight of `to` at `x`, a point between the two on their line; zero if they coincide.
fn parameter(x: &Point, from: &Point, to: &Point) -> f64 {
    let along = to - from;
    let axis = along.iamax();
    let (part, whole) = (x[axis] - from[axis], along[axis]);
    if whole == 0.0 { 0.0 } else { (part / whole).clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;

    /// In the plane x + y + z = 1, oblique to every axis.
    fn at(u: f64, v: f64) -> Point {
        Point::new(u, v, 1.0 - u - v)
    }

    #[test]
    fn crossing_touching_and_apart() {
        let (p, q) = (at(0.0, 0.0), at(4.0, 0.0));
        assert_eq!(coplanar_segments(&p, &q, &at(1.0, -1.0), &at(1.0, 3.0)), Some((0.25, 0.25)));
        assert_eq!(coplanar_segments(&p, &q, &at(4.0, 0.0), &at(4.0, 3.0)), Some((1.0, 0.0)));
        assert_eq!(coplanar_segments(&p, &q, &at(2.0, 3.0), &at(2.0, 0.0)), Some((0.5, 1.0)));
        assert_eq!(coplanar_segments(&p, &q, &at(2.0, 3.0), &at(2.0, 1.0)), None);
        assert_eq!(coplanar_segments(&p, &q, &at(5.0, -1.0), &at(5.0, 1.0)), None);
    }

    #[test]
    fn on_one_line() {
        let (p, q) = (at(0.0, 0.0), at(4.0, 0.0));
        assert_eq!(coplanar_segments(&p, &q, &at(1.0, 0.0), &at(3.0, 0.0)), Some((0.25, 0.0)));
        assert_eq!(coplanar_segments(&p, &q, &at(3.0, 0.0), &at(1.0, 0.0)), Some((0.25, 1.0)));
        assert_eq!(coplanar_segments(&p, &q, &at(2.0, 0.0), &at(9.0, 0.0)), Some((0.5, 0.0)));
        assert_eq!(coplanar_segments(&p, &q, &at(9.0, 0.0), &at(4.0, 0.0)), Some((1.0, 1.0)));
        assert_eq!(coplanar_segments(&p, &q, &at(-2.0, 0.0), &at(6.0, 0.0)), Some((0.0, 0.25)));
        assert_eq!(coplanar_segments(&p, &q, &at(5.0, 0.0), &at(9.0, 0.0)), None);
    }

    #[test]
    fn single_points() {
        let (p, q) = (at(0.0, 0.0), at(4.0, 0.0));
        assert_eq!(coplanar_segments(&at(1.0, 0.0), &at(1.0, 0.0), &p, &q), Some((0.0, 0.25)));
        assert_eq!(coplanar_segments(&p, &q, &at(1.0, 0.0), &at(1.0, 0.0)), Some((0.25, 0.0)));
        assert_eq!(coplanar_segments(&p, &q, &at(1.0, 1.0), &at(1.0, 1.0)), None);
        assert_eq!(coplanar_segments(&at(5.0, 0.0), &at(5.0, 0.0), &p, &q), None);
        assert_eq!(coplanar_segments(&p, &p, &p, &p), Some((0.0, 0.0)));
        assert_eq!(coplanar_segments(&p, &p, &q, &q), None);
    }

    /// Compares segments between the points of a small grid with integer arithmetic.
    #[test]
    fn whole_numbers_agree() {
        let mut sample = Sample::new(11);
        let (mut meeting, mut on_one_line) = (0, 0);
        for _ in 0..5000 {
            let mut corner = || (sample.integer(5), sample.integer(5));
            let (p, q, a, b) = (corner(), corner(), corner(), corner());
            let place = |(u, v): (i32, i32)| at(f64::from(u), f64::from(v));
            let side = |x: (i32, i32), y: (i32, i32), z: (i32, i32)| {
                ((y.0 - x.0) * (z.1 - x.1) - (y.1 - x.1) * (z.0 - x.0)).signum()
            };
            // Four sides, then the overlap of the projections on both axes: the textbook test.
            let beside = side(a, b, p) * side(a, b, q) <= 0 && side(p, q, a) * side(p, q, b) <= 0;
            let shadows = |p: i32, q: i32, a: i32, b: i32| p.min(q) <= a.max(b) && a.min(b) <= p.max(q);
            let expected = beside && shadows(p.0, q.0, a.0, b.0) && shadows(p.1, q.1, a.1, b.1);
            let found = coplanar_segments(&place(p), &place(q), &place(a), &place(b));
            assert_eq!(found.is_some(), expected, "{p:?} {q:?} against {a:?} {b:?}");
            if let Some((t, u)) = found {
                let on_first = place(p) + (place(q) - place(p)) * t;
                let on_second = place(a) + (place(b) - place(a)) * u;
                assert!((on_first - on_second).norm() <= 1e-14);
                meeting += 1;
                on_one_line += i32::from(side(p, q, a) == 0 && side(p, q, b) == 0);
            }
        }
        assert!(meeting > 1000 && on_one_line > 100, "{meeting} meet, {on_one_line} of them on one line");
    }
}
