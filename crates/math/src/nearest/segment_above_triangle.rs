//! Part of a segment directly above or below a triangle.

use crate::triangle::{area_vector, is_flat, longest_edge_squared};
use crate::{Point, Vector, rounding};

/// A boundary of the part of a segment above a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AboveEnd {
    /// The segment's own first (0) or second (1) point.
    Segment(usize),
    /// A side of the triangle, over which the segment leaves: side `k` joins corners `k` and `(k + 1) % 3`.
    Side(usize),
}

/// The part of a segment above a triangle: between the three planes perpendicular to it through its sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AboveTriangle {
    /// The weight of the segment's second point at the start of the part.
    pub enter: f64,
    /// The same at the end; not less than `enter`.
    pub leave: f64,
    /// The boundaries at its start and end.
    pub ends: [AboveEnd; 2],
}

/// Returns the part of the segment from `p` to `q` directly above or below the triangle `a b c`, or off it by at most
/// `slack` (a length); `None` if it is empty. `normal` is the triangle's area vector, of any non-zero length.
pub fn segment_above_triangle(
    normal: &Vector,
    [p, q]: [&Point; 2],
    [a, b, c]: [&Point; 3],
    slack: f64,
) -> Option<AboveTriangle> {
    let slack = slack * normal.norm();
    let ends = [AboveEnd::Segment(0), AboveEnd::Segment(1)];
    let mut part = AboveTriangle { enter: 0.0, leave: 1.0, ends };
    for (side, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
        let aside = slack * (to - from).norm();
        let [p_depth, q_depth] = depths(normal, from, to, [p, q]).map(|depth| depth + aside);
        if p_depth < 0.0 && q_depth < 0.0 {
            return None;
        }
        let crossing = p_depth / (p_depth - q_depth);
        if p_depth < 0.0 && crossing > part.enter {
            (part.enter, part.ends[0]) = (crossing, AboveEnd::Side(side));
        } else if q_depth < 0.0 && crossing < part.leave {
            (part.leave, part.ends[1]) = (crossing, AboveEnd::Side(side));
        }
    }
    (part.enter <= part.leave).then_some(part)
}

/// Returns the triangle's area vector, if the segment is parallel to its face up to rounding error.
pub(crate) fn parallel_normal(p: &Point, q: &Point, a: &Point, b: &Point, c: &Point) -> Option<Vector> {
    let along = q - p;
    let normal = area_vector(a, b, c);
    let longest = longest_edge_squared(a, b, c).sqrt();
    let undecided = rounding::length(rounding::largest_coordinate([p, q, a, b, c]));
    // Rounding error displaces an end of the segment, and tilts the face by its size over the height of the triangle.
    let parallel = along.dot(&normal).abs() <= undecided * (normal.norm() + along.norm() * longest);
    (parallel && !is_flat(a, b, c)).then_some(normal)
}

/// Returns the part of the segment above the triangle; `None` if that is no more than a point of a longer segment.
pub(crate) fn part_above(
    normal: &Vector,
    [p, q]: [&Point; 2],
    corners: [&Point; 3],
) -> Option<AboveTriangle> {
    let part = segment_above_triangle(normal, [p, q], corners, 0.0)?;
    let length = (q - p).norm();
    let undecided = rounding::length(rounding::largest_coordinate([p, q].into_iter().chain(corners)));
    let a_point = length > undecided && (part.leave - part.enter) * length <= undecided;
    (!a_point).then_some(part)
}

/// Returns the inward distances of two points from the perpendicular plane through a side, times the lengths of the
/// side and of `normal`.
fn depths(normal: &Vector, from: &Point, to: &Point, points: [&Point; 2]) -> [f64; 2] {
    let inward = normal.cross(&(to - from));
    points.map(|point| inward.dot(&(point - from)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use AboveEnd::{Segment, Side};

    fn above(p: [f64; 3], q: [f64; 3], slack: f64) -> Option<AboveTriangle> {
        let (p, q) = (Point::from(p), Point::from(q));
        let [a, b, c] = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0]].map(Point::from);
        let normal = area_vector(&a, &b, &c);
        let found = segment_above_triangle(&normal, [&p, &q], [&a, &b, &c], slack);
        for factor in [2.0_f64.powi(-30), 2.0_f64.powi(30)] {
            let [p, q, a, b, c] = [p, q, a, b, c].map(|point| point * factor);
            let normal = area_vector(&a, &b, &c);
            let scaled = segment_above_triangle(&normal, [&p, &q], [&a, &b, &c], slack * factor);
            assert_eq!(scaled, found, "times {factor}");
        }
        found
    }

    #[test]
    fn what_ends_the_part_above_the_face() {
        let ends = |p, q| above(p, q, 0.0).map(|part| part.ends);
        assert_eq!(ends([1.0, 2.0, 3.0], [5.0, 2.0, 3.0]), Some([Segment(0), Segment(1)]));
        assert_eq!(ends([-1.0, 2.0, 3.0], [5.0, 2.0, 1.0]), Some([Side(2), Segment(1)]));
        assert_eq!(ends([-1.0, 2.0, -3.0], [9.0, 2.0, -3.0]), Some([Side(2), Side(1)]));
        assert_eq!(ends([9.0, 2.0, 0.0], [-1.0, 2.0, 0.0]), Some([Side(1), Side(2)]));
        let part = above([2.0, 2.0, 3.0], [2.0, -2.0, 5.0], 0.0).unwrap();
        assert_eq!(part, AboveTriangle { enter: 0.0, leave: 0.5, ends: [Segment(0), Side(0)] });
    }

    #[test]
    fn none_beside_the_triangle_but_within_the_slack() {
        let beside = ([1.0, -0.25, 3.0], [5.0, -0.25, 3.0]);
        assert_eq!(above(beside.0, beside.1, 0.0), None);
        assert_eq!(above(beside.0, beside.1, 0.125), None);
        assert_eq!(above(beside.0, beside.1, 0.25).map(|part| part.ends), Some([Segment(0), Segment(1)]));
    }
}
