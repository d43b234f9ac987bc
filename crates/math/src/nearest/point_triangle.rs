//! Closest point of a triangle to a point.
//!
//! The closest point is the projection onto the plane if that falls inside, else the closest of the edges' closest
//! points. This costs more than the Voronoi region test (Ericson 2005, section 5.1.5), but is robust for needles, where
//! rounding error dominates the signs that separate these regions.

use crate::nearest::{SegmentFeature, point_segment};
use crate::triangle::{area_vector, longest_edge_squared};
use crate::{Point, Vector, rounding};

/// The feature of a triangle on which a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TriangleFeature {
    /// A vertex, 0 to 2.
    Vertex(usize),
    /// The interior of an edge; edge `k` joins vertices `k` and `(k + 1) % 3`.
    Edge(usize),
    /// The interior.
    Face,
}

impl TriangleFeature {
    /// Returns the triangle's feature for a feature of edge `edge`.
    #[inline]
    pub(crate) fn of_edge(edge: usize, part: SegmentFeature) -> Self {
        match part {
            SegmentFeature::Start => Self::Vertex(edge),
            SegmentFeature::End => Self::Vertex((edge + 1) % 3),
            SegmentFeature::Interior => Self::Edge(edge),
        }
    }

    /// Returns the feature spanned by the vertices of positive weight.
    #[inline]
    pub(crate) fn of_weights(weights: &[f64; 3]) -> Self {
        match weights.map(|weight| weight > 0.0) {
            [true, true, true] => Self::Face,
            [true, true, false] => Self::Edge(0),
            [false, true, true] => Self::Edge(1),
            [true, false, true] => Self::Edge(2),
            [true, false, false] => Self::Vertex(0),
            [false, true, false] => Self::Vertex(1),
            [false, false, _] => Self::Vertex(2),
        }
    }
}

/// The result of [`point_triangle`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointTriangle {
    /// The weights of the three vertices: none negative, their sum one up to rounding error, exactly zero off the
    /// feature.
    pub weights: [f64; 3],
    /// The closest point of the triangle.
    pub point: Point,
    /// The feature of the triangle on which it lies.
    pub feature: TriangleFeature,
    /// The squared distance between the two points.
    pub distance_squared: f64,
}

/// Triangles whose height is less than their longest edge times this have the projection checked against the edges.
pub(crate) const NARROW: f64 = 1.0 / 1024.0;

/// Returns the point of the triangle `a b c` closest to `p`.
///
/// [Degenerate](crate::triangle::is_flat) triangles are handled through their edges; ties go to the lowest edge. Two
/// triangles that share an edge or a vertex return the same point on it, bitwise.
#[inline]
pub fn point_triangle(p: &Point, a: &Point, b: &Point, c: &Point) -> PointTriangle {
    let normal = area_vector(a, b, c);
    let area_squared = normal.norm_squared();
    let longest_squared = longest_edge_squared(a, b, c);
    if area_squared > longest_squared * longest_squared * (NARROW * NARROW) {
        return projection(p, [a, b, c], &normal).unwrap_or_else(|| closest_on_edges(p, a, b, c));
    }
    let on_edges = closest_on_edges(p, a, b, c);
    let undecided = rounding::length(rounding::largest_coordinate([a, b, c]));
    if area_squared <= longest_squared * (undecided * undecided) {
        return on_edges;
    }
    // Unless it is farther than the edges by more than rounding error, the projection is at least as accurate.
    let no_further = on_edges.distance_squared * (1.0 + 8.0 * f64::EPSILON);
    match projection(p, [a, b, c], &normal) {
        Some(inside) if inside.distance_squared <= no_further => inside,
        _ => on_edges,
    }
}

/// Returns the projection of `p` onto the plane with that (unnormalised) normal, if it lies strictly inside the
/// triangle.
///
/// The areas of a narrow triangle are dominated by rounding error: so the position along the longest edge is measured
/// on that edge, where it is accurate relative to its length, and only the position across it by area.
#[inline]
fn projection(p: &Point, corners: [&Point; 3], normal: &Vector) -> Option<PointTriangle> {
    let [a, b, c] = corners;
    let squares = [(b - a).norm_squared(), (c - b).norm_squared(), (a - c).norm_squared()];
    let longest_of_first_two = usize::from(squares[1] > squares[0]);
    let edge = if squares[2] > squares[longest_of_first_two] { 2 } else { longest_of_first_two };
    let [start, end, tip] = [[0, 1, 2], [1, 2, 0], [2, 0, 1]][edge];
    let from = corners[start];
    let (along, to_tip, to_p) = (corners[end] - from, corners[tip] - from, p - from);
    let area = along.cross(&to_p).dot(normal);
    if area <= 0.0 {
        return None;
    }
    let across = area / normal.norm_squared();
    // Subtracts the tip's contribution along the edge, so that an error of `across` causes none along it.
    let beside = (to_p.dot(&along) - across * to_tip.dot(&along)) / squares[edge];
    let rest = 1.0 - beside - across;
    if !(beside > 0.0 && rest > 0.0) {
        return None;
    }
    let mut weights = [0.0; 3];
    (weights[start], weights[end], weights[tip]) = (rest, beside, across);
    let point = from + along * beside + to_tip * across;
    let distance_squared = (p - point).norm_squared();
    Some(PointTriangle { weights, point, feature: TriangleFeature::Face, distance_squared })
}

/// Returns the closest of the three edges' closest points; ties go to the lowest edge.
#[inline]
fn closest_on_edges(p: &Point, a: &Point, b: &Point, c: &Point) -> PointTriangle {
    let (mut edge, mut best) = (0, point_segment(p, a, b));
    for (k, from, to) in [(1, b, c), (2, c, a)] {
        let candidate = point_segment(p, from, to);
        if candidate.distance_squared < best.distance_squared {
            (edge, best) = (k, candidate);
        }
    }
    let mut weights = [0.0; 3];
    weights[edge] = 1.0 - best.t;
    weights[(edge + 1) % 3] = best.t;
    PointTriangle {
        weights,
        point: best.point,
        feature: TriangleFeature::of_edge(edge, best.feature),
        distance_squared: best.distance_squared,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::direction::unit_or;
    use crate::sample::{Sample, scaled};

    const A: Point = Point::new(0.0, 0.0, 0.0);
    const B: Point = Point::new(4.0, 0.0, 0.0);
    const C: Point = Point::new(0.0, 4.0, 0.0);

    fn check(p: Point, weights: [f64; 3], point: Point, feature: TriangleFeature, distance_squared: f64) {
        let expected = PointTriangle { weights, point, feature, distance_squared };
        assert_eq!(point_triangle(&p, &A, &B, &C), expected);
    }

    #[test]
    fn one_case_per_feature() {
        use TriangleFeature::{Edge, Face, Vertex};
        check(Point::new(1.0, 1.0, 3.0), [0.5, 0.25, 0.25], Point::new(1.0, 1.0, 0.0), Face, 9.0);
        check(Point::new(1.0, 1.0, -3.0), [0.5, 0.25, 0.25], Point::new(1.0, 1.0, 0.0), Face, 9.0);
        check(Point::new(1.0, -2.0, 1.0), [0.75, 0.25, 0.0], Point::new(1.0, 0.0, 0.0), Edge(0), 5.0);
        check(Point::new(4.0, 4.0, 0.0), [0.0, 0.5, 0.5], Point::new(2.0, 2.0, 0.0), Edge(1), 8.0);
        check(Point::new(-2.0, 3.0, 0.0), [0.25, 0.0, 0.75], Point::new(0.0, 3.0, 0.0), Edge(2), 4.0);
        check(Point::new(-1.0, -2.0, 2.0), [1.0, 0.0, 0.0], A, Vertex(0), 9.0);
        check(Point::new(7.0, 1.0, 0.0), [0.0, 1.0, 0.0], B, Vertex(1), 10.0);
        check(Point::new(1.0, 7.0, 0.0), [0.0, 0.0, 1.0], C, Vertex(2), 10.0);
        // On the boundary itself: the lower-dimensional feature, not the face.
        check(Point::new(1.0, 0.0, 0.0), [0.75, 0.25, 0.0], Point::new(1.0, 0.0, 0.0), Edge(0), 0.0);
        check(B, [0.0, 1.0, 0.0], B, Vertex(1), 0.0);
    }

    #[test]
    fn flat_triangles_answer_by_their_edges() {
        let (p, middle) = (Point::new(1.0, 2.0, 0.0), Point::new(1.0, 0.0, 0.0));
        let on_line = point_triangle(&p, &A, &B, &Point::new(3.0, 0.0, 0.0));
        assert_eq!((on_line.point, on_line.feature), (middle, TriangleFeature::Edge(0)));
        // The longest edge is the last one.
        let last = point_triangle(&p, &A, &Point::new(0.5, 0.0, 0.0), &B);
        assert_eq!((last.point, last.distance_squared), (middle, 4.0));
        let in_one_place = point_triangle(&p, &A, &A, &A);
        assert_eq!((in_one_place.point, in_one_place.feature), (A, TriangleFeature::Vertex(0)));
        assert_eq!(in_one_place.weights, [1.0, 0.0, 0.0]);
        // Degenerate up to the rounding error of its coordinates.
        let third = |k: f64| Point::new(0.1 * k, 0.7 * k, -0.3 * k);
        let nearly = point_triangle(&Point::new(1.0, 1.0, 1.0), &third(1.0), &third(3.0), &third(7.0));
        assert_ne!(nearly.feature, TriangleFeature::Face);
    }

    #[test]
    fn an_obtuse_needle_is_exact() {
        // Height 2^-30 over a base of 2: the projection of the point lies inside by half the height.
        let tip = Point::new(1.0, 2.0_f64.powi(-30), 0.0);
        let base = Point::new(2.0, 0.0, 0.0);
        let p = Point::new(1.0, 2.0_f64.powi(-31), 0.5);
        let found = point_triangle(&p, &A, &base, &tip);
        assert_eq!(found.weights, [0.25, 0.25, 0.5]);
        assert_eq!(
            (found.point, found.feature),
            (Point::new(1.0, 2.0_f64.powi(-31), 0.0), TriangleFeature::Face)
        );
    }

    /// For any width: a point of the triangle has distance zero, up to the rounding error of its coordinates.
    #[test]
    fn points_of_the_triangle_are_found_where_they_are() {
        let mut sample = Sample::new(21);
        for round in 0..3000 {
            let [a, b] = [sample.point(), sample.point()];
            let height = 10.0_f64.powi(-(round % 15));
            let c = a + (b - a) * (2.0 * sample.number()) + sample.vector() * height;
            let [_, of_b, of_c]: [f64; 3] = sample.weights();
            let p = a + (b - a) * of_b + (c - a) * of_c;
            let found = point_triangle(&p, &a, &b, &c);
            assert!(
                found.distance_squared.sqrt() <= 4e-15,
                "{:e} at height {height:e}",
                found.distance_squared.sqrt()
            );
        }
    }

    /// No point of a fine grid on the triangle is closer; for wide, narrow, needle and degenerate triangles.
    #[test]
    fn no_sampled_point_is_closer() {
        let mut sample = Sample::new(9);
        let mut hits = [0; 3];
        for round in 0..2000 {
            let [mut p, a, b] = [sample.point(), sample.point(), sample.point()];
            let height = 10.0_f64.powi(-(round / 2 % 18));
            let c = a + (b - a) * (2.0 * sample.number()) + sample.vector() * height;
            if round % 2 == 0 {
                // Above the interior, if the triangle has one.
                let [_, of_b, of_c]: [f64; 3] = sample.weights();
                p = a
                    + (b - a) * of_b
                    + (c - a) * of_c
                    + unit_or(&area_vector(&a, &b, &c), &Vector::x()) * sample.number();
            }
            let found = point_triangle(&p, &a, &b, &c);
            let best = (0..=60)
                .flat_map(|i| (0..=60 - i).map(move |j| (f64::from(i) / 60.0, f64::from(j) / 60.0)))
                .map(|(u, v)| (p - (a + (b - a) * u + (c - a) * v)).norm())
                .fold(f64::INFINITY, f64::min);
            let distance = found.distance_squared.sqrt();
            let spacing = longest_edge_squared(&a, &b, &c).sqrt() / 60.0;
            assert!(distance <= best + 1e-15 && distance >= best - spacing, "{distance} against {best}");
            let weighted =
                a.coords * found.weights[0] + b.coords * found.weights[1] + c.coords * found.weights[2];
            assert!((weighted - found.point.coords).norm() <= 4e-15);
            assert!(found.weights.iter().all(|weight| (0.0..=1.0).contains(weight)));
            assert_eq!(found.feature, TriangleFeature::of_weights(&found.weights));
            hits[match found.feature {
                TriangleFeature::Vertex(_) => 0,
                TriangleFeature::Edge(_) => 1,
                TriangleFeature::Face => 2,
            }] += 1;
        }
        assert!(hits.iter().all(|&hit| hit > 200), "vertex, edge, face: {hits:?}");
    }

    #[test]
    fn neighbours_agree_on_what_they_share_and_scale_changes_no_bit() {
        let mut sample = Sample::new(10);
        let mut shared = 0;
        for _ in 0..2000 {
            let [p, a, b] = [sample.point(), sample.point(), sample.point()];
            let lift = Vector::new(0.0, 0.0, -3.0);
            let (left, right) = (sample.point() + lift, sample.point() + lift);
            let (one, other) = (point_triangle(&p, &a, &b, &left), point_triangle(&p, &right, &b, &a));
            if one.weights[2] == 0.0 && other.weights[0] == 0.0 {
                assert_eq!((one.point, one.distance_squared), (other.point, other.distance_squared));
                shared += 1;
            }
            for power in [-30, 30] {
                let [p, a, b, left] = [p, a, b, left].map(|p| scaled(&p, power));
                let big = point_triangle(&p, &a, &b, &left);
                assert_eq!((big.point, big.feature), (scaled(&one.point, power), one.feature));
                assert_eq!(big.weights, one.weights);
                assert_eq!(big.distance_squared, one.distance_squared * 4.0_f64.powi(power));
            }
        }
        assert!(shared > 500, "{shared} of 2000 on the shared edge");
    }
}
