//! Closest point of a solid tetrahedron to a point.

use crate::Point;
use crate::nearest::{TriangleFeature, point_triangle};
use crate::tetrahedron::{contains, face_corners, six_volumes, volume_opposite};

/// The result of [`point_tetrahedron`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointTetrahedron {
    /// The weights of the four corners: none negative, their sum one up to rounding error.
    pub weights: [f64; 4],
    /// The closest point of the tetrahedron: the query point itself if it lies inside.
    pub point: Point,
    /// Whether the point lies in the closed tetrahedron; decided exactly.
    pub inside: bool,
    /// The face, by the number of the opposite corner, and its feature, on which the closest point lies, with vertices
    /// and edges numbered as in [`face_corners`]; `None` for a point inside.
    pub face: Option<(usize, TriangleFeature)>,
    /// The squared distance between the two points: exactly zero inside.
    pub distance_squared: f64,
}

/// Returns the point of the tetrahedron, in either order of its corners, closest to `p`.
///
/// A tetrahedron of volume zero has no interior and is handled through its faces; ties go to the lowest face.
pub fn point_tetrahedron(p: &Point, corners: [&Point; 4]) -> PointTetrahedron {
    if contains(corners, p) {
        let whole = six_volumes(corners);
        let weights = std::array::from_fn(|corner| (volume_opposite(corners, corner, p) / whole).abs());
        return PointTetrahedron { weights, point: *p, inside: true, face: None, distance_squared: 0.0 };
    }
    let on_face = |face: usize| {
        let [i, j, k] = face_corners(face);
        point_triangle(p, corners[i], corners[j], corners[k])
    };
    let (mut face, mut best) = (0, on_face(0));
    for other in 1..4 {
        let candidate = on_face(other);
        if candidate.distance_squared < best.distance_squared {
            (face, best) = (other, candidate);
        }
    }
    let mut weights = [0.0; 4];
    for (corner, weight) in face_corners(face).into_iter().zip(best.weights) {
        weights[corner] = weight;
    }
    PointTetrahedron {
        weights,
        point: best.point,
        inside: false,
        face: Some((face, best.feature)),
        distance_squared: best.distance_squared,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vector;
    use crate::sample::{Sample, scaled};

    const O: Point = Point::new(0.0, 0.0, 0.0);
    const X: Point = Point::new(4.0, 0.0, 0.0);
    const Y: Point = Point::new(0.0, 4.0, 0.0);
    const Z: Point = Point::new(0.0, 0.0, 4.0);

    fn at(x: f64, y: f64, z: f64) -> PointTetrahedron {
        point_tetrahedron(&Point::new(x, y, z), [&O, &X, &Y, &Z])
    }

    #[test]
    fn inside_and_on_the_boundary() {
        let found = at(1.0, 0.5, 0.5);
        assert_eq!(
            (found.weights, found.inside, found.distance_squared),
            ([0.5, 0.25, 0.125, 0.125], true, 0.0)
        );
        assert_eq!((found.point, found.face), (Point::new(1.0, 0.5, 0.5), None));
        assert!(at(2.0, 2.0, 0.0).inside && at(4.0, 0.0, 0.0).inside);
        assert_eq!(at(4.0, 0.0, 0.0).weights, [0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn outside_a_face_an_edge_and_a_corner() {
        let below = at(1.0, 1.0, -2.0);
        assert_eq!((below.point, below.distance_squared), (Point::new(1.0, 1.0, 0.0), 4.0));
        assert_eq!(below.face, Some((3, TriangleFeature::Face)));
        assert_eq!(below.weights, [0.5, 0.25, 0.25, 0.0]);
        let edge = at(1.0, -3.0, -4.0);
        assert_eq!((edge.point, edge.distance_squared), (Point::new(1.0, 0.0, 0.0), 25.0));
        assert_eq!(edge.weights, [0.75, 0.25, 0.0, 0.0]);
        // The lowest face that contains the edge from O to X: the one opposite Y.
        assert_eq!(edge.face, Some((2, TriangleFeature::Edge(0))));
        let corner = at(7.0, 0.0, -4.0);
        assert_eq!((corner.point, corner.distance_squared), (X, 25.0));
    }

    #[test]
    fn a_flat_one_is_answered_by_its_faces() {
        let square = [O, X, Point::new(4.0, 4.0, 0.0), Y];
        let found = point_tetrahedron(&Point::new(1.0, 2.0, 3.0), square.each_ref());
        assert_eq!(
            (found.point, found.distance_squared, found.inside),
            (Point::new(1.0, 2.0, 0.0), 9.0, false)
        );
        let point = point_tetrahedron(&Z, [&O; 4]);
        assert_eq!((point.point, point.distance_squared), (O, 16.0));
    }

    #[test]
    fn no_sampled_point_is_closer() {
        let mut sample = Sample::new(15);
        let mut inside = 0;
        for _ in 0..1000 {
            let corners = [sample.point(), sample.point(), sample.point(), sample.point()];
            let p = sample.point();
            let found = point_tetrahedron(&p, corners.each_ref());
            let combine = |weights: [f64; 4]| {
                Point::from(corners.iter().zip(weights).map(|(c, weight)| c.coords * weight).sum::<Vector>())
            };
            for _ in 0..300 {
                let other = combine(sample.weights());
                assert!(found.distance_squared <= (p - other).norm_squared() + 1e-15);
            }
            // The weights of a sliver are less accurate.
            let tolerance = 1e-13 / six_volumes(corners.each_ref()).abs().min(1.0);
            assert!((combine(found.weights) - found.point).norm() <= tolerance);
            // A convex set lies on the far side of the plane through the closest point.
            let outward = p - found.point;
            assert!(corners.iter().all(|corner| (corner - found.point).dot(&outward) <= 1e-14));
            inside += i32::from(found.inside);
            for power in [-30, 30] {
                let big =
                    point_tetrahedron(&scaled(&p, power), corners.map(|c| scaled(&c, power)).each_ref());
                assert_eq!((big.point, big.weights), (scaled(&found.point, power), found.weights));
                assert_eq!((big.inside, big.face), (found.inside, found.face));
            }
        }
        assert!(inside > 15, "{inside} of 1000 inside");
    }
}
