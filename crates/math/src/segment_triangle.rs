//! Closest points of a segment and a triangle.
//!
//! Either the two intersect (decided exactly), or the minimum is at an end of the segment above the face, or on an
//! edge: C. Ericson, "Real-Time Collision Detection" (2005), section 5.1.10.

use crate::nearest::segment_above_triangle::{parallel_normal, part_above};
use crate::nearest::{TriangleFeature, point_triangle, segment_segment};
use crate::{Point, intersect, rounding};

/// The result of [`segment_triangle`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentTriangle {
    /// The weight of the segment's second point, 0 to 1.
    pub t: f64,
    /// The weights of the three vertices: none negative, their sum one up to rounding error, exactly zero off the
    /// feature.
    pub weights: [f64; 3],
    /// The closest point of the segment.
    pub point_on_segment: Point,
    /// The closest point of the triangle; bitwise the same point if they intersect.
    pub point_on_triangle: Point,
    /// The feature of the triangle on which it lies.
    pub feature: TriangleFeature,
    /// The squared distance between the two points: exactly zero if they intersect.
    pub distance_squared: f64,
    /// Whether the segment intersects the triangle; touching counts. Decided exactly.
    pub pierced: bool,
}

/// Returns the closest points of the segment from `p` to `q` and the triangle `a b c`.
///
/// If a segment parallel to the face runs above or in it, up to the [rounding error](rounding::length) of the
/// coordinates, a whole interval is closest: returns its middle, and likewise for a segment parallel to an edge. Ties
/// go to an edge before the face, and to the lowest edge. [Degenerate](crate::triangle::is_flat) triangles are handled
/// through their edges; if a segment intersects one along an interval, the first point counts.
pub fn segment_triangle(p: &Point, q: &Point, a: &Point, b: &Point, c: &Point) -> SegmentTriangle {
    let best = meeting(p, q, a, b, c).unwrap_or_else(|| closest_apart(p, q, a, b, c));
    let Some(t) = middle_above_face(p, q, a, b, c) else { return best };
    let middle = above_face(t, p, q, a, b, c);
    let undecided = rounding::length(rounding::largest_coordinate([p, q, a, b, c]));
    if middle.distance_squared.sqrt() > best.distance_squared.sqrt() + undecided {
        return best;
    }
    if best.pierced {
        // Apart only by rounding error.
        return SegmentTriangle {
            point_on_segment: middle.point_on_triangle,
            distance_squared: 0.0,
            pierced: true,
            ..middle
        };
    }
    middle
}

/// Returns the first intersection point.
fn meeting(p: &Point, q: &Point, a: &Point, b: &Point, c: &Point) -> Option<SegmentTriangle> {
    let found = intersect::segment_triangle(p, q, a, b, c)?;
    let [of_a, of_b, of_c] = found.weights;
    // Vertices exactly, without rounding.
    let point = match (of_a == 1.0, of_b == 1.0, of_c == 1.0) {
        (true, _, _) => *a,
        (_, true, _) => *b,
        (_, _, true) => *c,
        _ => a + (b - a) * of_b + (c - a) * of_c,
    };
    Some(SegmentTriangle {
        t: found.t,
        weights: found.weights,
        point_on_segment: point,
        point_on_triangle: point,
        feature: TriangleFeature::of_weights(&found.weights),
        distance_squared: 0.0,
        pierced: true,
    })
}

/// Returns the closest points of a segment and a triangle that do not intersect.
fn closest_apart(p: &Point, q: &Point, a: &Point, b: &Point, c: &Point) -> SegmentTriangle {
    let mut best = beside_edge(0, p, q, a, b);
    for candidate in [beside_edge(1, p, q, b, c), beside_edge(2, p, q, c, a)] {
        if candidate.distance_squared < best.distance_squared {
            best = candidate;
        }
    }
    // Ends whose closest point lies on the boundary are already covered by the edges.
    for t in [0.0, 1.0] {
        let candidate = above_face(t, p, q, a, b, c);
        if candidate.feature == TriangleFeature::Face && candidate.distance_squared < best.distance_squared {
            best = candidate;
        }
    }
    best
}

/// Returns the closest points of the segment and edge `edge`, between the two points given.
fn beside_edge(edge: usize, p: &Point, q: &Point, from: &Point, to: &Point) -> SegmentTriangle {
    let found = segment_segment(p, q, from, to);
    let mut weights = [0.0; 3];
    weights[edge] = 1.0 - found.t;
    weights[(edge + 1) % 3] = found.t;
    SegmentTriangle {
        t: found.s,
        weights,
        point_on_segment: found.point_a,
        point_on_triangle: found.point_b,
        feature: TriangleFeature::of_edge(edge, found.feature_b),
        distance_squared: found.distance_squared,
        pierced: false,
    }
}

/// Returns the point of the segment at `t` and the point of the triangle closest to it.
fn above_face(t: f64, p: &Point, q: &Point, a: &Point, b: &Point, c: &Point) -> SegmentTriangle {
    let point = if t == 1.0 { *q } else { p + (q - p) * t };
    let found = point_triangle(&point, a, b, c);
    SegmentTriangle {
        t,
        weights: found.weights,
        point_on_segment: point,
        point_on_triangle: found.point,
        feature: found.feature,
        distance_squared: found.distance_squared,
        pierced: false,
    }
}

/// Returns the middle of the part of the segment directly above or below the triangle, if there is such a part and the
/// segment is parallel to the face up to rounding error.
fn middle_above_face(p: &Point, q: &Point, a: &Point, b: &Point, c: &Point) -> Option<f64> {
    let normal = parallel_normal(p, q, a, b, c)?;
    let part = part_above(&normal, [p, q], [a, b, c])?;
    Some(0.5 * (part.enter + part.leave))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, scaled};
    use TriangleFeature::{Edge, Face, Vertex};

    const A: Point = Point::new(0.0, 0.0, 0.0);
    const B: Point = Point::new(8.0, 0.0, 0.0);
    const C: Point = Point::new(0.0, 8.0, 0.0);

    fn at(p: [f64; 3], q: [f64; 3]) -> SegmentTriangle {
        let found = segment_triangle(&Point::from(p), &Point::from(q), &A, &B, &C);
        assert_eq!(found.feature, TriangleFeature::of_weights(&found.weights));
        found
    }

    fn in_short(found: SegmentTriangle) -> (f64, TriangleFeature, f64, bool) {
        (found.t, found.feature, found.distance_squared, found.pierced)
    }

    #[test]
    fn piercing_the_face_an_edge_and_a_vertex() {
        let found = at([2.0, 2.0, 1.0], [2.0, 2.0, -3.0]);
        assert_eq!(in_short(found), (0.25, Face, 0.0, true));
        assert_eq!(
            (found.point_on_segment, found.point_on_triangle),
            (Point::new(2.0, 2.0, 0.0), Point::new(2.0, 2.0, 0.0))
        );
        assert_eq!(found.weights, [0.5, 0.25, 0.25]);
        assert_eq!(in_short(at([4.0, 4.0, 1.0], [4.0, 4.0, -3.0])), (0.25, Edge(1), 0.0, true));
        assert_eq!(in_short(at([8.0, 0.0, 1.0], [8.0, 0.0, -3.0])), (0.25, Vertex(1), 0.0, true));
        // Touching with an end.
        assert_eq!(in_short(at([2.0, 2.0, 5.0], [2.0, 2.0, 0.0])), (1.0, Face, 0.0, true));
    }

    #[test]
    fn apart_over_the_face_beside_an_edge_and_off_a_vertex() {
        assert_eq!(in_short(at([2.0, 2.0, 3.0], [2.0, 3.0, 9.0])), (0.0, Face, 9.0, false));
        assert_eq!(in_short(at([2.0, 3.0, -9.0], [2.0, 2.0, -3.0])), (1.0, Face, 9.0, false));
        assert_eq!(in_short(at([2.0, -1.0, 1.0], [2.0, -1.0, -3.0])), (0.25, Edge(0), 1.0, false));
        assert_eq!(in_short(at([-3.0, -2.0, 4.0], [-3.0, 0.0, 4.0])), (1.0, Vertex(0), 25.0, false));
    }

    #[test]
    fn parallel_to_the_face_the_middle_counts() {
        // From outside to outside, over the triangle between x = 0 and x = 6.
        let over = at([-10.0, 2.0, 3.0], [10.0, 2.0, 3.0]);
        assert_eq!(in_short(over), (0.65, Face, 9.0, false));
        assert_eq!(over.point_on_triangle, Point::new(3.0, 2.0, 0.0));
        assert_eq!(in_short(at([1.0, 2.0, 3.0], [5.0, 2.0, 3.0])), (0.5, Face, 9.0, false));
        // In the plane.
        let within = at([-10.0, 2.0, 0.0], [10.0, 2.0, 0.0]);
        assert_eq!(in_short(within), (0.65, Face, 0.0, true));
        assert_eq!(within.point_on_segment, within.point_on_triangle);
        // Outside the triangle, parallel to an edge: the middle of the overlap, and not an end.
        assert_eq!(in_short(at([2.0, -3.0, 0.0], [4.0, -3.0, 0.0])), (0.5, Edge(0), 9.0, false));
        // Parallel, but past the triangle.
        assert_eq!(in_short(at([-4.0, -3.0, 0.0], [-4.0, -9.0, 0.0])), (0.0, Vertex(0), 25.0, false));
    }

    #[test]
    fn flat_triangles_and_segments_of_no_length() {
        let flat = segment_triangle(
            &Point::new(1.0, 3.0, 0.0),
            &Point::new(1.0, 9.0, 0.0),
            &A,
            &B,
            &Point::new(4.0, 0.0, 0.0),
        );
        assert_eq!((flat.feature, flat.distance_squared), (Edge(0), 9.0));
        let point = segment_triangle(&A, &B, &C, &C, &C);
        assert_eq!((point.feature, point.t, point.distance_squared), (Vertex(0), 0.0, 64.0));
        assert_eq!(in_short(at([2.0, 2.0, 3.0], [2.0, 2.0, 3.0])), (0.5, Face, 9.0, false));
        assert_eq!(in_short(at([2.0, 2.0, 0.0], [2.0, 2.0, 0.0])), (0.5, Face, 0.0, true));
    }

    #[test]
    fn no_sampled_point_is_closer() {
        let mut sample = Sample::new(19);
        let mut hits = [0; 4];
        for round in 0..2000 {
            let [mut p, a, b] = [sample.point(), sample.point(), sample.point()];
            let height = 10.0_f64.powi(-(round % 9));
            let c = a + (b - a) * (2.0 * sample.number()) + sample.vector() * height;
            if round % 2 == 0 {
                // Above the interior, if the triangle has one, on either side of it or away from it.
                let [_, of_b, of_c]: [f64; 3] = sample.weights();
                p = a + (b - a) * of_b + (c - a) * of_c + sample.vector() * sample.fraction() * height;
            }
            // Some nearly parallel to the face.
            let q = if round % 3 == 0 {
                p + (b - a) * sample.number() + (c - a) * sample.number() + sample.vector() * height
            } else {
                sample.point()
            };
            let found = segment_triangle(&p, &q, &a, &b, &c);
            let best = (0..=500)
                .map(|step| p + (q - p) * (f64::from(step) / 500.0))
                .map(|point| point_triangle(&point, &a, &b, &c).distance_squared)
                .fold(f64::INFINITY, f64::min)
                .sqrt();
            let distance = found.distance_squared.sqrt();
            assert!(distance <= best + 1e-14, "{distance} against {best}");
            assert!(distance >= best - (q - p).norm() / 500.0);
            assert!((p + (q - p) * found.t - found.point_on_segment).norm() <= 2e-14);
            let weighted =
                a.coords * found.weights[0] + b.coords * found.weights[1] + c.coords * found.weights[2];
            assert!((weighted - found.point_on_triangle.coords).norm() <= 4e-15);
            hits[match (found.pierced, found.feature) {
                (true, _) => 0,
                (_, Face) => 1,
                (_, Edge(_)) => 2,
                (_, Vertex(_)) => 3,
            }] += 1;
        }
        assert!(hits.iter().all(|&hit| hit > 50), "pierced, face, edge, vertex: {hits:?}");
    }

    #[test]
    fn scale_changes_no_bit() {
        let mut sample = Sample::new(20);
        for round in 0..2000 {
            let points = [(); 5].map(|()| if round % 2 == 0 { sample.point() } else { sample.grid_point(2) });
            let [p, q, a, b, c] = points.each_ref();
            let found = segment_triangle(p, q, a, b, c);
            for power in [-30, 30] {
                let moved = points.map(|p| scaled(&p, power));
                let [p, q, a, b, c] = moved.each_ref();
                let big = segment_triangle(p, q, a, b, c);
                assert_eq!(
                    (big.t, big.weights, big.feature, big.pierced),
                    (found.t, found.weights, found.feature, found.pierced)
                );
                assert_eq!(big.point_on_segment, scaled(&found.point_on_segment, power));
                assert_eq!(big.point_on_triangle, scaled(&found.point_on_triangle, power));
                assert_eq!(big.distance_squared, found.distance_squared * 4.0_f64.powi(power));
            }
        }
    }
}
