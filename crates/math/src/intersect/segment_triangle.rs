//! First intersection of a segment with a triangle.
//!
//! Source: the signs of the five tetrahedra between the segment and the triangle (R. J. Segura and F. R. Feito,
//! "Algorithms to test ray-triangle intersection: comparative study", WSCG 2001), each an exact predicate.

use crate::intersect::coplanar_segments::coplanar_segments;
use crate::nearest::{PointTriangle, point_segment, point_triangle};
use crate::orient::{orient2d_along, orient3d, widest_view};
use crate::triangle::area_vector;
use crate::{Point, Vector, rounding};

/// The result of [`segment_triangle`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentTriangleMeeting {
    /// The weight of the segment's second point at the intersection, 0 to 1; the first one if it is not unique.
    pub t: f64,
    /// The weights of the triangle's vertices at the intersection: none negative, exactly zero off the feature hit,
    /// their sum one up to rounding error.
    pub weights: [f64; 3],
    /// [`orient3d`] of the triangle and each end of the segment: on which side of its plane they lie. Both are zero if
    /// the segment lies in the plane, or the triangle is degenerate.
    pub sides: [f64; 2],
}

/// Returns the first intersection of the segment from `p` to `q` with the triangle `a b c`; `None` if there is none.
///
/// Both sets are closed, and *whether* they intersect is decided exactly, for every degenerate case: segments in the
/// plane of the triangle, segments of length zero, triangles that are a segment or a point. The location is accurate up
/// to rounding error: `t` and `weights` denote the same point, which may differ from the exact one only where a segment
/// grazes the plane.
pub fn segment_triangle(
    p: &Point,
    q: &Point,
    a: &Point,
    b: &Point,
    c: &Point,
) -> Option<SegmentTriangleMeeting> {
    let (p_side, q_side) = (orient3d(a, b, c, p), orient3d(a, b, c, q));
    if (p_side > 0.0 && q_side > 0.0) || (p_side < 0.0 && q_side < 0.0) {
        return None;
    }
    if p_side == 0.0 && q_side == 0.0 {
        return in_one_plane(p, q, a, b, c);
    }
    // The line crosses the plane in one point; an edge on which a pair of signs disagrees would lie between it and the
    // triangle. Not all three are zero, since the triangle is not degenerate and the line is not in its plane.
    let sides = [orient3d(p, q, b, c), orient3d(p, q, c, a), orient3d(p, q, a, b)];
    let positive = sides.iter().any(|&side| side > 0.0);
    let negative = sides.iter().any(|&side| side < 0.0);
    if positive && negative {
        return None;
    }
    let sum = sides[0] + sides[1] + sides[2];
    let weights = sides.map(|side| (side / sum).abs());
    let found = SegmentTriangleMeeting { t: p_side / (p_side - q_side), weights, sides: [p_side, q_side] };
    Some(reconciled(found, p, q, [a, b, c]))
}

/// Adjusts `t` and `weights` until they denote the same point.
///
/// They come from different volumes, which are dominated by rounding error if the triangle is narrow: then the two
/// points may differ. They are brought together by Newton's method on the height above the plane, first of `t` alone, then
/// by moving to the closest point of the other if that helps more, until only rounding error separates them, nothing helps,
/// or eight rounds have passed. A well-conditioned intersection is left unchanged.
fn reconciled(
    found: SegmentTriangleMeeting,
    p: &Point,
    q: &Point,
    [a, b, c]: [&Point; 3],
) -> SegmentTriangleMeeting {
    const ROUNDS: usize = 8;
    let along = q - p;
    let on_triangle = a + (b - a) * found.weights[1] + (c - a) * found.weights[2];
    let undecided = rounding::length(rounding::largest_coordinate([p, q, a, b, c]));
    if (on_triangle - (p + along * found.t)).norm() <= undecided {
        return found;
    }
    let normal = area_vector(a, b, c);
    // Mostly it is `t` that is off: the volumes of a far end and a small triangle cancel, those of its edges do not.
    if found.t > 0.0 && found.t < 1.0 {
        let step = (on_triangle - (p + along * found.t)).dot(&normal) / along.dot(&normal);
        let t = (found.t + step).clamp(0.0, 1.0);
        if (on_triangle - (p + along * t)).norm() <= undecided {
            return SegmentTriangleMeeting { t, ..found };
        }
    }
    let at = |t: f64| {
        let on_segment = p + along * t;
        let on_triangle = point_triangle(&on_segment, a, b, c);
        Trial { t, gap: on_triangle.point - on_segment, on_triangle }
    };
    let mut best = at(found.t).or_nearer(at(point_segment(&on_triangle, p, q).t));
    for _ in 0..ROUNDS {
        if best.on_triangle.distance_squared <= undecided * undecided {
            break;
        }
        let step = best.gap.dot(&normal) / along.dot(&normal);
        let newton = if step.is_finite() { (best.t + step).clamp(0.0, 1.0) } else { best.t };
        let next = at(newton).or_nearer(at(point_segment(&best.on_triangle.point, p, q).t));
        if next.on_triangle.distance_squared >= best.on_triangle.distance_squared {
            break;
        }
        best = next;
    }
    SegmentTriangleMeeting { t: best.t, weights: best.on_triangle.weights, ..found }
}

/// A point on the segment, and its distance from the triangle.
struct Trial {
    t: f64,
    on_triangle: PointTriangle,
    /// From the segment to the triangle.
    gap: Vector,
}

impl Trial {
    fn or_nearer(self, other: Self) -> Self {
        if other.on_triangle.distance_squared < self.on_triangle.distance_squared { other } else { self }
    }
}

/// Does the same if both ends lie in the plane of the triangle, or the triangle is degenerate.
fn in_one_plane(p: &Point, q: &Point, a: &Point, b: &Point, c: &Point) -> Option<SegmentTriangleMeeting> {
    if let Some(axis) = widest_view(a, b, c) {
        let parts =
            [orient2d_along(axis, p, b, c), orient2d_along(axis, p, c, a), orient2d_along(axis, p, a, b)];
        let outside = parts.iter().any(|&part| part > 0.0) && parts.iter().any(|&part| part < 0.0);
        if !outside {
            let sum = parts[0] + parts[1] + parts[2];
            let weights = parts.map(|part| (part / sum).abs());
            return Some(SegmentTriangleMeeting { t: 0.0, weights, sides: [0.0; 2] });
        }
    }
    // From outside, or without interior: the first edge hit; ties go to the lowest.
    let mut first: Option<SegmentTriangleMeeting> = None;
    for (edge, from, to) in [(0, a, b), (1, b, c), (2, c, a)] {
        if orient3d(p, q, from, to) != 0.0 {
            continue;
        }
        let Some((t, along)) = coplanar_segments(p, q, from, to) else { continue };
        if first.is_none_or(|earlier| t < earlier.t) {
            let mut weights = [0.0; 3];
            weights[edge] = 1.0 - along;
            weights[(edge + 1) % 3] = along;
            first = Some(SegmentTriangleMeeting { t, weights, sides: [0.0; 2] });
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, scaled};

    const A: Point = Point::new(0.0, 0.0, 0.0);
    const B: Point = Point::new(4.0, 0.0, 0.0);
    const C: Point = Point::new(0.0, 4.0, 0.0);

    fn meet(p: [f64; 3], q: [f64; 3]) -> Option<(f64, [f64; 3])> {
        segment_triangle(&Point::from(p), &Point::from(q), &A, &B, &C).map(|found| (found.t, found.weights))
    }

    #[test]
    fn through_the_inside_an_edge_and_a_vertex() {
        assert_eq!(meet([1.0, 2.0, 1.0], [1.0, 2.0, -3.0]), Some((0.25, [0.25, 0.25, 0.5])));
        assert_eq!(meet([1.0, 2.0, -3.0], [1.0, 2.0, 1.0]), Some((0.75, [0.25, 0.25, 0.5])));
        assert_eq!(meet([2.0, 2.0, 1.0], [2.0, 2.0, -1.0]), Some((0.5, [0.0, 0.5, 0.5])));
        assert_eq!(meet([-1.0, 0.0, 1.0], [1.0, 0.0, -1.0]), Some((0.5, [1.0, 0.0, 0.0])));
        assert_eq!(meet([2.0, 2.0_f64.next_up(), 1.0], [2.0, 2.0_f64.next_up(), -1.0]), None);
    }

    #[test]
    fn ends_on_the_triangle_touch_and_ends_short_of_it_do_not() {
        assert_eq!(meet([1.0, 2.0, 1.0], [1.0, 2.0, 0.0]), Some((1.0, [0.25, 0.25, 0.5])));
        assert_eq!(meet([1.0, 2.0, 0.0], [1.0, 2.0, 5.0]), Some((0.0, [0.25, 0.25, 0.5])));
        assert_eq!(meet([1.0, 2.0, 1.0], [1.0, 2.0, f64::MIN_POSITIVE]), None);
        assert_eq!(meet([1.0, 2.0, 0.0], [1.0, 2.0, 0.0]), Some((0.0, [0.25, 0.25, 0.5])));
        assert_eq!(meet([1.0, 4.0, 0.0], [1.0, 4.0, 0.0]), None);
    }

    #[test]
    fn in_the_plane_the_first_meeting_counts() {
        assert_eq!(meet([1.0, -1.0, 0.0], [1.0, 3.0, 0.0]), Some((0.25, [0.75, 0.25, 0.0])));
        assert_eq!(meet([1.0, 1.0, 0.0], [9.0, 9.0, 0.0]), Some((0.0, [0.5, 0.25, 0.25])));
        assert_eq!(meet([-4.0, 0.0, 0.0], [8.0, 0.0, 0.0]), Some((1.0 / 3.0, [1.0, 0.0, 0.0])));
        assert_eq!(meet([8.0, 0.0, 0.0], [4.0, 0.0, 0.0]), Some((1.0, [0.0, 1.0, 0.0])));
        assert_eq!(meet([3.0, 3.0, 0.0], [9.0, 3.0, 0.0]), None);
    }

    #[test]
    fn flat_triangles_are_their_edges() {
        let tip = Point::new(3.0, 0.0, 0.0);
        let across = segment_triangle(&Point::new(1.0, -1.0, 0.0), &Point::new(1.0, 1.0, 0.0), &A, &B, &tip);
        let place = |found: Option<SegmentTriangleMeeting>| found.map(|found| (found.t, found.weights));
        assert_eq!(place(across), Some((0.5, [0.75, 0.25, 0.0])));
        let past = segment_triangle(&Point::new(1.0, -1.0, 0.0), &Point::new(1.0, 1.0, 0.5), &A, &B, &tip);
        assert_eq!(past, None);
        let point = segment_triangle(&A, &B, &tip, &tip, &tip);
        assert_eq!(place(point), Some((0.75, [1.0, 0.0, 0.0])));
    }

    /// On a small grid almost every case is degenerate. The oracle is the separating axis theorem in integers: two
    /// convex sets are apart exactly when their projections on some normal or cross product of edges are.
    #[test]
    fn whole_numbers_agree() {
        type Triple = [i64; 3];
        let minus = |a: Triple, b: Triple| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let cross = |a: Triple, b: Triple| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let dot = |a: Triple, b: Triple| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let mut sample = Sample::new(12);
        let (mut meeting, mut flat, mut in_plane) = (0, 0, 0);
        for _ in 0..20000 {
            let points: [Triple; 5] =
                std::array::from_fn(|_| std::array::from_fn(|_| i64::from(sample.integer(4))));
            let [p, q, a, b, c] = points;
            let along = minus(q, p);
            let edges = [minus(b, a), minus(c, b), minus(a, c)];
            let normal = cross(edges[0], edges[1]);
            let mut axes = vec![normal, along, [1, 0, 0], [0, 1, 0], [0, 0, 1]];
            for edge in edges {
                axes.extend([cross(edge, along), cross(edge, normal), edge]);
                axes.push(cross(edge, cross(edge, along)));
                axes.push(cross(along, cross(edge, along)));
                axes.push(cross(edge, minus(p, a)));
                axes.push(cross(edge, cross(edge, minus(p, a))));
                axes.push(cross(along, cross(along, minus(p, a))));
            }
            axes.push(cross(along, normal));
            axes.extend([minus(p, a), minus(p, b), minus(p, c)]);
            for vertex in [a, b, c] {
                axes.push(cross(along, cross(along, minus(p, vertex))));
            }
            let apart = axes.iter().any(|&axis| {
                let shadow = |points: &[Triple]| {
                    let places = points.iter().map(|&point| dot(axis, point));
                    (places.clone().min().unwrap(), places.max().unwrap())
                };
                let (segment, triangle) = (shadow(&[p, q]), shadow(&[a, b, c]));
                segment.1 < triangle.0 || triangle.1 < segment.0
            });
            let [p, q, a, b, c] = points.map(|point| Point::from(point.map(|coordinate| coordinate as f64)));
            let found = segment_triangle(&p, &q, &a, &b, &c);
            assert_eq!(found.is_some(), !apart, "{points:?}");
            let Some(found) = found else { continue };
            let on_triangle =
                a.coords * found.weights[0] + b.coords * found.weights[1] + c.coords * found.weights[2];
            assert!((p + (q - p) * found.t - on_triangle).coords.norm() <= 1e-14);
            assert!((0.0..=1.0).contains(&found.t) && found.weights.iter().all(|w| (0.0..=1.0).contains(w)));
            meeting += 1;
            flat += i32::from(normal == [0, 0, 0]);
            in_plane += i32::from(normal != [0, 0, 0] && dot(normal, along) == 0);
        }
        assert!(
            meeting > 2000 && flat > 30 && in_plane > 200,
            "{meeting}, {flat} flat, {in_plane} in the plane"
        );
    }

    #[test]
    fn exchanging_ends_and_turning_vertices_decide_nothing_and_scale_changes_no_bit() {
        let mut sample = Sample::new(13);
        let mut meeting = 0;
        for round in 0..3000 {
            // Through a point of the triangle, rounded; every third one through an edge, where rounding decides.
            let [a, b, c, p] = [sample.point(), sample.point(), sample.point(), sample.point()];
            let mut weights: [f64; 3] = sample.weights();
            if round % 3 == 0 {
                weights[0] = 0.0;
                weights[2] = 1.0 - weights[1];
            }
            let aim = a + (b - a) * weights[1] + (c - a) * weights[2];
            let q = p + (aim - p) * 2.0;
            let found = segment_triangle(&p, &q, &a, &b, &c);
            for other in [
                segment_triangle(&q, &p, &a, &b, &c),
                segment_triangle(&p, &q, &b, &c, &a),
                segment_triangle(&p, &q, &c, &b, &a),
            ] {
                assert_eq!(found.is_some(), other.is_some());
            }
            meeting += i32::from(found.is_some());
            for power in [-30, 30] {
                let [p, q, a, b, c] = [p, q, a, b, c].map(|p| scaled(&p, power));
                let sides = |found: &SegmentTriangleMeeting, power: i32| {
                    found.sides.map(|side| side * 2.0_f64.powi(3 * power))
                };
                let of_scaled = segment_triangle(&p, &q, &a, &b, &c);
                assert_eq!(
                    of_scaled.map(|meeting| (meeting.t, meeting.weights, sides(&meeting, 0))),
                    found.map(|meeting| (meeting.t, meeting.weights, sides(&meeting, power)))
                );
            }
        }
        assert!((2200..3000).contains(&meeting), "{meeting} of 3000");
    }
}
