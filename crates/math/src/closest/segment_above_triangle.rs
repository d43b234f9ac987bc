//! The part of a segment that lies straight above or below a triangle, when the two are parallel.

use crate::triangle::{area_vector, is_flat, longest_edge_squared};
use crate::{Point, Vector, rounding};

/// What ends the part of a segment that lies above a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AboveEnd {
    /// The segment itself: its first point (0) or its second (1).
    Segment(usize),
    /// A side of the triangle, over which the segment leaves: side `k` joins corners `k` and `(k + 1) % 3`.
    Side(usize),
}

/// How a segment that is parallel to a triangle runs above it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AboveTriangle {
    /// Above the face, between these two places, the nearer to the segment's first point first.
    Face([AboveEnd; 2]),
    /// Straight above this side, as far as rounding can tell; the two need not overlap.
    Side(usize),
}

/// The parameters between which a segment lies above a triangle, and what ends it there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) enter: f64,
    pub(super) leave: f64,
    ends: [AboveEnd; 2],
}

/// How the segment from `p` to `q` runs above the triangle `a b c`; `None` where it is not parallel to the face to the
/// [rounding](rounding::length) of the coordinates, lies above no more than a point's worth of it, or the triangle is flat.
pub fn segment_above_triangle(
    p: &Point,
    q: &Point,
    a: &Point,
    b: &Point,
    c: &Point,
) -> Option<AboveTriangle> {
    let normal = parallel_normal(p, q, a, b, c)?;
    let undecided = rounding::length(rounding::largest_coordinate([p, q, a, b, c]));
    let longest = longest_edge_squared(a, b, c).sqrt();
    let length = (q - p).norm();
    // A face tilted by rounding moves the foot of what lies above it by as much as that is away.
    let reach = length + longest + (p - a).norm();
    let sideways = undecided * (normal.norm() + reach * longest);
    let sides = [(a, b), (b, c), (c, a)];
    let over = sides.iter().position(|&(from, to)| {
        let depths = depths(&normal, from, to, [p, q]);
        depths[0].abs().max(depths[1].abs()) <= sideways * (to - from).norm()
    });
    if let Some(side) = over {
        return Some(AboveTriangle::Side(side));
    }
    if length <= undecided {
        return None;
    }
    part_above(&normal, [p, q], [a, b, c]).map(|part| AboveTriangle::Face(part.ends))
}

/// The triangle's area vector, if the segment may be parallel to its face as far as rounding can tell.
pub(super) fn parallel_normal(p: &Point, q: &Point, a: &Point, b: &Point, c: &Point) -> Option<Vector> {
    let along = q - p;
    let normal = area_vector(a, b, c);
    let longest = longest_edge_squared(a, b, c).sqrt();
    let undecided = rounding::length(rounding::largest_coordinate([p, q, a, b, c]));
    // Rounding lifts an end of the segment, and tilts the face by its size over the height of the triangle.
    let parallel = along.dot(&normal).abs() <= undecided * (normal.norm() + along.norm() * longest);
    (parallel && !is_flat(a, b, c)).then_some(normal)
}

/// The part of the segment between the three planes that stand on the triangle's sides; `None` where that is no more than a
/// point's worth of a longer segment.
pub(super) fn part_above(normal: &Vector, [p, q]: [&Point; 2], [a, b, c]: [&Point; 3]) -> Option<Part> {
    let ends = [AboveEnd::Segment(0), AboveEnd::Segment(1)];
    let mut part = Part { enter: 0.0, leave: 1.0, ends };
    for (side, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
        let [p_depth, q_depth] = depths(normal, from, to, [p, q]);
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
    let length = (q - p).norm();
    let undecided = rounding::length(rounding::largest_coordinate([p, q, a, b, c]));
    let a_point = length > undecided && (part.leave - part.enter) * length <= undecided;
    (part.enter <= part.leave && !a_point).then_some(part)
}

/// How far two points lie on the inner side of the plane that stands on a side, times the lengths of the side and of `normal`.
fn depths(normal: &Vector, from: &Point, to: &Point, points: [&Point; 2]) -> [f64; 2] {
    let inward = normal.cross(&(to - from));
    points.map(|point| inward.dot(&(point - from)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use AboveEnd::{Segment, Side};

    fn above(p: [f64; 3], q: [f64; 3]) -> Option<AboveTriangle> {
        let (p, q) = (Point::from(p), Point::from(q));
        let [a, b, c] = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0]].map(Point::from);
        let found = segment_above_triangle(&p, &q, &a, &b, &c);
        for factor in [2.0_f64.powi(-30), 2.0_f64.powi(30)] {
            let [p, q, a, b, c] = [p, q, a, b, c].map(|point| point * factor);
            assert_eq!(segment_above_triangle(&p, &q, &a, &b, &c), found, "times {factor}");
        }
        found
    }

    #[test]
    fn what_ends_the_part_above_the_face() {
        let face = |ends| Some(AboveTriangle::Face(ends));
        assert_eq!(above([1.0, 2.0, 3.0], [5.0, 2.0, 3.0]), face([Segment(0), Segment(1)]));
        assert_eq!(above([-1.0, 2.0, 3.0], [5.0, 2.0, 3.0]), face([Side(2), Segment(1)]));
        assert_eq!(above([-1.0, 2.0, -3.0], [9.0, 2.0, -3.0]), face([Side(2), Side(1)]));
        assert_eq!(above([9.0, 2.0, 0.0], [-1.0, 2.0, 0.0]), face([Side(1), Side(2)]));
        assert_eq!(above([2.0, 2.0, 3.0], [2.0, -2.0, 3.0]), face([Segment(0), Side(0)]));
    }

    #[test]
    fn straight_above_a_side() {
        assert_eq!(above([1.0, 0.0, 3.0], [5.0, 0.0, 3.0]), Some(AboveTriangle::Side(0)));
        assert_eq!(above([1.0, 7.0, 3.0], [7.0, 1.0, 3.0]), Some(AboveTriangle::Side(1)));
        let least = 1e-16;
        assert_eq!(above([1.0, -least, 3.0], [5.0, least, 3.0]), Some(AboveTriangle::Side(0)));
    }

    #[test]
    fn none_where_it_is_tilted_or_beside_the_triangle_or_over_a_corner() {
        assert_eq!(above([1.0, 2.0, 3.0], [5.0, 2.0, 3.00001]), None);
        assert_eq!(above([1.0, -2.0, 3.0], [5.0, -2.0, 3.0]), None);
        assert_eq!(above([-1.0, 1.0, 3.0], [1.0, -1.0, 3.0]), None);
        assert_eq!(above([2.0, 2.0, 3.0], [2.0, 2.0, 3.0]), None);
        let [a, b] = [[0.0; 3], [8.0, 0.0, 0.0]].map(Point::from);
        assert_eq!(segment_above_triangle(&a, &b, &a, &b, &b), None);
    }
}
