//! Intersection of two triangles.
//!
//! Sources: the rejection by the sides of the two planes is that of P. Guigue and O. Devillers, "Fast and Robust
//! Triangle-Triangle Overlap Test Using Orientation Predicates", Journal of Graphics Tools 8 (2003), section 2. The
//! rest follows the definition: two closed triangles intersect exactly when an edge of one intersects the other, which
//! [`segment_triangle`] decides exactly; coplanar and degenerate triangles need no special case.

use crate::intersect::segment_triangle;
use crate::orient::orient3d;
use crate::{Point, Vector};

/// The result of [`triangle_triangle`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleTriangleMeeting {
    /// The two ends of the intersection segment, equal if the triangles touch in a point. For coplanar triangles, whose
    /// intersection is a polygon: its two corners farthest apart. Ties go to the first, in the order of the edges of
    /// the first triangle, then of the second.
    pub ends: [Point; 2],
    /// Whether all six corners are exactly coplanar.
    pub coplanar: bool,
}

impl TriangleTriangleMeeting {
    /// Returns the midpoint of the segment.
    #[inline]
    pub fn middle(&self) -> Point {
        nalgebra::center(&self.ends[0], &self.ends[1])
    }

    /// Returns the vector from the first end to the second.
    #[inline]
    pub fn along(&self) -> Vector {
        self.ends[1] - self.ends[0]
    }
}

/// Computes the intersection of the triangles `a` and `b`; `None` if there is none.
///
/// Both sets are closed, and *whether* they intersect is decided exactly, for every degenerate case: coplanar
/// triangles, touching triangles, triangles that are a segment or a point. This does not depend on the order of the
/// triangles or of their corners. The ends are intersections of an edge of one with the other, accurate up to rounding
/// error; if such an end is exactly a corner of either triangle, it is returned unrounded.
pub fn triangle_triangle(a: [&Point; 3], b: [&Point; 3]) -> Option<TriangleTriangleMeeting> {
    let b_sides = sides(a, b);
    if apart(b_sides) {
        return None;
    }
    let a_sides = sides(b, a);
    if apart(a_sides) {
        return None;
    }
    let mut found = Meetings { points: [Point::origin(); 12], count: 0 };
    found.add_edges(a, a_sides, b);
    found.add_edges(b, b_sides, a);
    let coplanar = a_sides.iter().chain(&b_sides).all(|&side| side == 0.0);
    found.farthest_pair().map(|ends| TriangleTriangleMeeting { ends, coplanar })
}

/// Whether the triangles `a` and `b` intersect: the decision of [`triangle_triangle`], without the ends.
pub fn triangles_meet(a: [&Point; 3], b: [&Point; 3]) -> bool {
    let b_sides = sides(a, b);
    if apart(b_sides) {
        return false;
    }
    let a_sides = sides(b, a);
    !apart(a_sides) && (0..3).any(|edge| edge_meets(a, a_sides, edge, b) || edge_meets(b, b_sides, edge, a))
}

/// Returns the sides of the plane of `triangle` on which `points` lie.
fn sides([a, b, c]: [&Point; 3], points: [&Point; 3]) -> [f64; 3] {
    points.map(|point| orient3d(a, b, c, point))
}

/// Whether all three lie strictly on one side.
fn apart(sides: [f64; 3]) -> bool {
    sides.iter().all(|&side| side > 0.0) || sides.iter().all(|&side| side < 0.0)
}

/// Whether edge `edge` of `of` intersects the triangle `other`, with the corners of `of` on `sides` of it.
fn edge_meets(of: [&Point; 3], sides: [f64; 3], edge: usize, [a, b, c]: [&Point; 3]) -> bool {
    let next = (edge + 1) % 3;
    crosses(sides[edge], sides[next]) && segment_triangle(of[edge], of[next], a, b, c).is_some()
}

/// Whether ends on these sides of a plane are not strictly on one side of it.
fn crosses(start: f64, end: f64) -> bool {
    !((start > 0.0 && end > 0.0) || (start < 0.0 && end < 0.0))
}

/// The first and the last intersection of each edge of one triangle with the other.
struct Meetings {
    points: [Point; 12],
    count: usize,
}

impl Meetings {
    fn add_edges(&mut self, of: [&Point; 3], sides: [f64; 3], [a, b, c]: [&Point; 3]) {
        for edge in 0..3 {
            let next = (edge + 1) % 3;
            if !crosses(sides[edge], sides[next]) {
                continue;
            }
            let (start, end) = (of[edge], of[next]);
            let Some(first) = segment_triangle(start, end, a, b, c) else { continue };
            self.add(at(start, end, first.t, first.weights, [a, b, c]));
            if sides[edge] != 0.0 || sides[next] != 0.0 {
                continue;
            }
            // In the plane of the other triangle: the intersection is a segment, and this is its other end.
            if let Some(last) = segment_triangle(end, start, a, b, c) {
                self.add(at(end, start, last.t, last.weights, [a, b, c]));
            }
        }
    }

    fn add(&mut self, point: Point) {
        self.points[self.count] = point;
        self.count += 1;
    }

    fn farthest_pair(&self) -> Option<[Point; 2]> {
        let points = &self.points[..self.count];
        let mut farthest = [*points.first()?; 2];
        let mut distance_squared = 0.0;
        for (index, first) in points.iter().enumerate() {
            for second in &points[index + 1..] {
                let length_squared = (second - first).norm_squared();
                if length_squared > distance_squared {
                    (farthest, distance_squared) = ([*first, *second], length_squared);
                }
            }
        }
        Some(farthest)
    }
}

/// Returns the point at `t` from `start` to `end`: corners of either triangle exactly, anything else interpolated.
fn at(start: &Point, end: &Point, t: f64, weights: [f64; 3], corners: [&Point; 3]) -> Point {
    if let Some(corner) = weights.iter().position(|&weight| weight == 1.0) {
        return *corners[corner];
    }
    match t {
        0.0 => *start,
        1.0 => *end,
        _ => start + (end - start) * t,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nearest::point_triangle;
    use crate::sample::{Sample, scaled};

    const A: [Point; 3] = [Point::new(0.0, 0.0, 0.0), Point::new(4.0, 0.0, 0.0), Point::new(0.0, 4.0, 0.0)];

    fn meet(b: [[f64; 3]; 3]) -> Option<([[f64; 3]; 2], bool)> {
        let b = b.map(Point::from);
        let found = triangle_triangle(A.each_ref(), b.each_ref());
        assert_eq!(triangles_meet(A.each_ref(), b.each_ref()), found.is_some());
        let sorted = |found: TriangleTriangleMeeting| {
            let mut ends = found.ends.map(|end| [end.x, end.y, end.z]);
            ends.sort_by(|x, y| x.partial_cmp(y).unwrap());
            (ends, found.coplanar)
        };
        assert_eq!(triangle_triangle(b.each_ref(), A.each_ref()).map(sorted), found.map(sorted));
        found.map(sorted)
    }

    #[test]
    fn across_the_inside_over_an_edge_and_apart() {
        // A perpendicular triangle through y = 1, from x = -1 to 1 and to 9: cut at x = 0 and at its own or the other's
        // edge.
        let standing = |end: f64| [[-1.0, 1.0, -1.0], [end, 1.0, -1.0], [-1.0, 1.0, 1.0]];
        assert_eq!(meet(standing(3.0)), Some(([[0.0, 1.0, 0.0], [1.0, 1.0, 0.0]], false)));
        assert_eq!(meet(standing(19.0)), Some(([[0.0, 1.0, 0.0], [3.0, 1.0, 0.0]], false)));
        assert_eq!(meet(standing(0.5)), None);
        assert_eq!(meet([[0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 2.0]]), None);
    }

    #[test]
    fn touching_in_a_point_and_in_a_segment() {
        let point = [1.0, 1.0, 0.0];
        assert_eq!(meet([point, [0.0, 0.0, 1.0], [0.0, 1.0, 1.0]]), Some(([point, point], false)));
        assert_eq!(meet([[1.0, 1.0, f64::MIN_POSITIVE], [0.0, 0.0, 1.0], [0.0, 1.0, 1.0]]), None);
        let (one, other) = ([1.0, 1.0, 0.0], [2.0, 1.0, 0.0]);
        assert_eq!(meet([one, other, [0.0, 0.0, 3.0]]), Some(([one, other], false)));
        // Two edges that cross, and two coincident corners.
        assert_eq!(
            meet([[2.0, -1.0, -1.0], [2.0, 1.0, 1.0], [2.0, -5.0, 5.0]]),
            Some(([[2.0, 0.0, 0.0]; 2], false))
        );
        assert_eq!(
            meet([[4.0, 0.0, 0.0], [5.0, 0.0, 1.0], [5.0, 1.0, 1.0]]),
            Some(([[4.0, 0.0, 0.0]; 2], false))
        );
    }

    #[test]
    fn coplanar_ones_give_the_longest_diagonal_of_the_overlap() {
        let inside = [[1.0, 1.0, 0.0], [2.0, 1.0, 0.0], [1.0, 1.5, 0.0]];
        assert_eq!(meet(inside), Some(([[1.0, 1.5, 0.0], [2.0, 1.0, 0.0]], true)));
        let over_an_edge = [[1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [0.5, -1.0, 0.0]];
        assert_eq!(meet(over_an_edge), Some(([[0.75, 0.0, 0.0], [1.0, 1.0, 0.0]], true)));
        let beside = [[5.0, 0.0, 0.0], [6.0, 0.0, 0.0], [5.0, 1.0, 0.0]];
        assert_eq!(meet(beside), None);
        assert_eq!(meet(A.map(|p| [p.x, p.y, p.z])), Some(([[0.0, 4.0, 0.0], [4.0, 0.0, 0.0]], true)));
    }

    #[test]
    fn flat_triangles_are_segments_and_points() {
        assert_eq!(
            meet([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.5]]),
            Some(([[1.0, 1.0, 0.0]; 2], false))
        );
        assert_eq!(meet([[1.0, 1.0, 0.0]; 3]), Some(([[1.0, 1.0, 0.0]; 2], true)));
        assert_eq!(meet([[3.0, 3.0, 0.0]; 3]), None);
        assert_eq!(meet([[3.0, 3.0, 0.0], [5.0, 5.0, 0.0], [6.0, 6.0, 0.0]]), None);
    }

    type Triple = [i64; 3];

    fn minus(p: Triple, q: Triple) -> Triple {
        std::array::from_fn(|k| p[k] - q[k])
    }

    fn cross(p: Triple, q: Triple) -> Triple {
        [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    }

    fn dot(p: Triple, q: Triple) -> i64 {
        p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
    }

    /// The separating axis theorem in integers: exact, and complete for non-degenerate triangles.
    fn separated(a: [Triple; 3], b: [Triple; 3]) -> bool {
        let edges = |t: [Triple; 3]| [minus(t[1], t[0]), minus(t[2], t[1]), minus(t[0], t[2])];
        let (a_edges, b_edges) = (edges(a), edges(b));
        let (a_normal, b_normal) = (cross(a_edges[0], a_edges[1]), cross(b_edges[0], b_edges[1]));
        let mut axes = vec![a_normal, b_normal];
        for edge in a_edges {
            axes.push(cross(a_normal, edge));
            axes.extend(b_edges.map(|other| cross(edge, other)));
        }
        axes.extend(b_edges.map(|edge| cross(b_normal, edge)));
        axes.iter().any(|&axis| {
            let shadow = |t: [Triple; 3]| t.map(|point| dot(axis, point));
            let (a, b) = (shadow(a), shadow(b));
            a.iter().max() < b.iter().min() || b.iter().max() < a.iter().min()
        })
    }

    /// Returns the two ends by clipping: the line of `a` in the plane of `b`, clipped by the three sides of `b`. `None`
    /// for parallel planes.
    fn clipped(a: [Point; 3], b: [Point; 3]) -> Option<[Point; 2]> {
        let normal = (b[1] - b[0]).cross(&(b[2] - b[0]));
        let along = (a[1] - a[0]).cross(&(a[2] - a[0])).cross(&normal);
        if along.norm() == 0.0 {
            return None;
        }
        let height = |p: &Point| (p - b[0]).dot(&normal);
        let mut cut = Vec::new();
        for edge in 0..3 {
            let (p, q) = (a[edge], a[(edge + 1) % 3]);
            let (from, to) = (height(&p), height(&q));
            if from == 0.0 {
                cut.push(p);
            }
            if from * to < 0.0 {
                cut.push(p + (q - p) * (from / (from - to)));
            }
        }
        cut.sort_by(|p, q| p.coords.dot(&along).total_cmp(&q.coords.dot(&along)));
        let (mut first, mut last) = (*cut.first()?, *cut.last()?);
        for edge in 0..3 {
            let (p, q) = (b[edge], b[(edge + 1) % 3]);
            let inward = normal.cross(&(q - p));
            // For integers of this size a non-zero product is far above the rounding error of a crossing.
            let side =
                |place: Point| Some((place - p).dot(&inward)).filter(|x| x.abs() > 1e-11).unwrap_or(0.0);
            let (from, to) = (side(first), side(last));
            let crossing = first + (last - first) * (from / (from - to));
            if from < 0.0 && to > 0.0 {
                first = crossing;
            } else if from > 0.0 && to < 0.0 {
                last = crossing;
            } else if from < 0.0 || to < 0.0 {
                // Touching at most: there is a single end.
                if from >= 0.0 { last = first } else { first = last }
            }
        }
        Some([first, last])
    }

    /// Corners on a small grid, where coplanar, touching and shared ones are common.
    #[test]
    fn whole_numbers_agree_on_the_decision_and_clipping_on_the_ends() {
        let mut sample = Sample::new(21);
        let (mut meeting, mut coplanar, mut points, mut compared) = (0, 0, 0, 0);
        for round in 0..30000 {
            let [mut a, mut b]: [[Triple; 3]; 2] = std::array::from_fn(|_| {
                std::array::from_fn(|_| std::array::from_fn(|_| i64::from(sample.integer(5))))
            });
            if round % 8 == 0 {
                // In a plane oblique to every axis.
                a.iter_mut().chain(&mut b).for_each(|corner| corner[2] = 2 * corner[0] - corner[1]);
            }
            let normal = |t: [Triple; 3]| cross(minus(t[1], t[0]), minus(t[2], t[0]));
            if normal(a) == [0; 3] || normal(b) == [0; 3] {
                continue;
            }
            let place = |t: [Triple; 3]| t.map(|p| Point::from(p.map(|x| x as f64)));
            let (p, q) = (place(a), place(b));
            let found = triangle_triangle(p.each_ref(), q.each_ref());
            assert_eq!(found.is_some(), !separated(a, b), "{a:?} {b:?}");
            assert_eq!(triangles_meet(p.each_ref(), q.each_ref()), found.is_some(), "{a:?} {b:?}");
            let Some(found) = found else { continue };
            meeting += 1;
            let in_one_plane = b.iter().all(|&corner| dot(normal(a), minus(corner, a[0])) == 0);
            assert_eq!(found.coplanar, in_one_plane);
            coplanar += i32::from(in_one_plane);
            for end in found.ends {
                for [a, b, c] in [p, q] {
                    assert!((point_triangle(&end, &a, &b, &c).point - end).norm() <= 1e-14, "{p:?} {q:?}");
                }
            }
            let Some(ends) = clipped(p, q) else { continue };
            let off =
                |ends: [Point; 2]| (ends[0] - found.ends[0]).norm().max((ends[1] - found.ends[1]).norm());
            let error = off(ends).min(off([ends[1], ends[0]]));
            assert!(error <= 1e-13, "{a:?} {b:?}: {:?}, clipped {ends:?}", found.ends);
            compared += 1;
            points += i32::from(found.ends[0] == found.ends[1]);
        }
        assert!(
            meeting > 4000 && coplanar > 1000 && compared > 4000 && points > 300,
            "{meeting} meet, {coplanar} in one plane, {compared} compared, {points} in a point"
        );
    }

    #[test]
    fn exchange_and_turning_decide_nothing_and_scale_changes_no_bit() {
        let mut sample = Sample::new(22);
        let mut meeting = 0;
        for _ in 0..3000 {
            let a = [sample.point(), sample.point(), sample.point()];
            // A corner aimed at a point of the other triangle, as accurately as rounding permits.
            let weights: [f64; 3] = sample.weights();
            let aim = a[0] + (a[1] - a[0]) * weights[1] + (a[2] - a[0]) * weights[2];
            let b = [aim, sample.point(), sample.point()];
            let found = triangle_triangle(a.each_ref(), b.each_ref());
            meeting += i32::from(found.is_some());
            let [b0, b1, b2] = b.each_ref();
            for turned in [[b1, b2, b0], [b2, b1, b0], [b0, b2, b1]] {
                assert_eq!(triangle_triangle(a.each_ref(), turned).is_some(), found.is_some());
                assert_eq!(triangle_triangle(turned, a.each_ref()).is_some(), found.is_some());
                assert_eq!(triangles_meet(turned, a.each_ref()), found.is_some());
            }
            for power in [-30, 30] {
                let [a, b] = [a, b].map(|t| t.map(|p| scaled(&p, power)));
                let there = triangle_triangle(a.each_ref(), b.each_ref());
                let expected = found.map(|found| found.ends.map(|end| scaled(&end, power)));
                assert_eq!(there.map(|there| there.ends), expected);
            }
        }
        assert!((1500..3000).contains(&meeting), "{meeting} of 3000");
    }
}
