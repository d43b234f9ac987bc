//! Signed distance from a point to a convex hull, in the hull's local frame.

use crate::{Geometry, Needs, SurfaceFeature, SurfaceMesh};
use palpate_contact::NONE;
use palpate_math::nearest::point_segment;
use palpate_math::{Point, Vector, direction, orient, separation};

/// Precomputed data for signed distance queries of a hull: a tree over its faces.
#[derive(Clone, Debug)]
pub(crate) enum HullDistance {
    /// A hull with volume.
    Solid(SurfaceMesh),
    /// A polygon with both of its sides; the unit normal is that of the first triangle.
    Flat(SurfaceMesh, Vector),
    /// Collinear or coincident points.
    Segment([Point; 2]),
}

/// The closest point of a hull.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HullNearest {
    /// Negative inside.
    pub(crate) distance: f64,
    pub(crate) nearest: Point,
    /// Unit gradient of the distance.
    pub(crate) gradient: Vector,
    /// The triangle, or [`NONE`] on an edge or a vertex.
    pub(crate) face: u32,
}

impl HullDistance {
    /// Creates the data from a hull's vertices (none of them interior) and the triangles of its surface,
    /// counter-clockwise seen from outside; no triangles for collinear points.
    pub(crate) fn new(points: &[Point], triangles: &[[u32; 3]]) -> Self {
        let Some(&[a, b, c]) = triangles.first() else {
            let ends = [points.first(), points.last()].map(|end| end.copied().unwrap_or_default());
            return Self::Segment(ends);
        };
        let mut surface = SurfaceMesh::new(points.to_vec(), triangles.to_vec())
            .expect("the hull's points are finite, and its triangles name them")
            .trusted();
        surface.prepare(Needs::TREE | Needs::NORMALS);
        let [a, b, c] = [a, b, c].map(|id| &points[id as usize]);
        if points.iter().all(|point| orient::orient3d(a, b, c, point) == 0.0) {
            let normal = surface.outward(SurfaceFeature::Face(0));
            return Self::Flat(surface, normal);
        }
        Self::Solid(surface)
    }

    /// Returns the signed distance of `point`. Ties go to the lowest face.
    pub(crate) fn at(&self, point: &Point) -> HullNearest {
        match self {
            Self::Solid(surface) => {
                let (nearest, face, feature) = nearest_of(surface, point);
                let inside = holds(surface, feature, point);
                let found = away_from(nearest, face, point, inside, || surface.outward(feature));
                // Over a face the gradient is its normal, even where the direction to a close point is dominated by
                // rounding error.
                let normal = face_normal(surface, face);
                HullNearest { gradient: normal.unwrap_or(found.gradient), ..found }
            }
            Self::Flat(surface, normal) => {
                let (nearest, face, _) = nearest_of(surface, point);
                away_from(nearest, face, point, false, || *normal)
            }
            Self::Segment([start, end]) => {
                let nearest = point_segment(point, start, end).point;
                away_from(nearest, NONE, point, false, || direction::any_perpendicular(&(end - start)))
            }
        }
    }
}

/// Returns the outward unit normal of a non-degenerate face.
fn face_normal(surface: &SurfaceMesh, face: u32) -> Option<Vector> {
    let normal = surface.normals().filter(|_| face != NONE)?.face(face);
    (normal.amax() > 0.0).then_some(normal)
}

fn nearest_of(surface: &SurfaceMesh, point: &Point) -> (Point, u32, SurfaceFeature) {
    let found = surface.nearest(point, f64::INFINITY).expect("the surface has a tree, and triangles in it");
    let face = if let SurfaceFeature::Face(triangle) = found.feature { triangle } else { NONE };
    (found.point, face, found.feature)
}

/// Whether the hull contains `point`, whose closest element is `feature`. A point outside lies on the outer side of at
/// least one of the triangles around its closest element (its offset lies in the cone of their normals), which is
/// decided exactly.
fn holds(surface: &SurfaceMesh, feature: SurfaceFeature, point: &Point) -> bool {
    let behind = |triangle: u32| {
        let [a, b, c] = surface.corners(triangle);
        orient::orient3d(&a, &b, &c, point) <= 0.0
    };
    match feature {
        SurfaceFeature::Face(triangle) => behind(triangle),
        SurfaceFeature::Edge(edge) => {
            let sides = surface.adjacency().edge_triangles[edge as usize];
            sides.into_iter().filter(|&triangle| triangle != NONE).all(behind)
        }
        SurfaceFeature::Vertex(vertex) => {
            let round = |&(_, ids): &(usize, &[u32; 3])| ids.contains(&vertex);
            surface.triangles().iter().enumerate().filter(round).all(|(triangle, _)| behind(triangle as u32))
        }
    }
}

fn away_from(
    nearest: Point,
    face: u32,
    point: &Point,
    inside: bool,
    outward: impl FnOnce() -> Vector,
) -> HullNearest {
    let (direction, length) = separation::between(&nearest, point);
    let sign = if inside { -1.0 } else { 1.0 };
    let gradient = direction.map_or_else(outward, |direction| direction * sign);
    HullNearest { distance: sign * length, nearest, gradient, face }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_convex::ConvexHull;

    fn hull(points: &[[f64; 3]]) -> HullDistance {
        let points: Vec<Point> = points.iter().copied().map(Point::from).collect();
        let hull = ConvexHull::new(&points);
        assert_eq!(hull.vertices.len(), points.len(), "every point is a vertex");
        HullDistance::new(&points, &hull.triangles)
    }

    fn cube() -> HullDistance {
        let corners: Vec<[f64; 3]> =
            (0..8).map(|k| [k & 1, k >> 1 & 1, k >> 2 & 1].map(|bit| f64::from(2 * bit - 1))).collect();
        hull(&corners)
    }

    fn at(hull: &HullDistance, point: [f64; 3]) -> HullNearest {
        hull.at(&Point::from(point))
    }

    #[test]
    fn of_a_cube_a_face_an_edge_and_a_corner_are_met_from_outside() {
        let (face, edge) = (at(&cube(), [3.0, 0.5, 0.25]), at(&cube(), [4.0, 5.0, 0.25]));
        assert_eq!((face.distance, face.gradient), (2.0, Vector::x()));
        assert_eq!((edge.distance, edge.nearest, edge.face), (5.0, Point::new(1.0, 1.0, 0.25), NONE));
        let corner = at(&cube(), [-2.0, -3.0, -3.0]);
        assert_eq!((corner.distance, corner.nearest, corner.face), (3.0, Point::new(-1.0, -1.0, -1.0), NONE));
    }

    /// The diagonal that splits a face into two triangles is not an edge of the body: a point behind it is inside.
    #[test]
    fn inside_the_nearest_face_is_the_way_out_also_behind_a_diagonal() {
        let mut on_a_diagonal = 0;
        for k in 0..9 {
            let x = 0.1 * f64::from(k) - 0.4;
            for place in [[x, x, 0.75], [x, -x, 0.75], [x, 0.3 - x, 0.75]] {
                let inside = at(&cube(), place);
                assert!((inside.distance + 0.25).abs() < 1e-15, "{inside:?}");
                assert!((inside.gradient - Vector::z()).norm() < 1e-14, "{inside:?}");
                on_a_diagonal += u32::from(inside.face == NONE);
            }
        }
        assert!(on_a_diagonal > 4, "{on_a_diagonal}");
        assert_eq!(at(&cube(), [0.0, 0.0, 0.0]).distance, -1.0);
    }

    #[test]
    fn on_the_surface_the_distance_is_zero_and_the_gradient_outward() {
        let on_face = at(&cube(), [0.25, 1.0, 0.5]);
        assert_eq!((on_face.distance.abs(), on_face.gradient), (0.0, Vector::y()));
        let on_corner = at(&cube(), [1.0, 1.0, 1.0]);
        assert!((on_corner.gradient - Vector::repeat(1.0).normalize()).norm() < 0.2, "{on_corner:?}");
    }

    /// A needle with a tip sharper than a right angle: the point is behind the closest triangle of the tip.
    #[test]
    fn beyond_a_sharp_tip_is_outside() {
        let needle = hull(&[[0.0, 0.0, 0.0], [8.0, 1.0, 0.0], [8.0, -1.0, 0.5], [8.0, 0.0, -1.0]]);
        for place in [[-1.0, 0.5, 0.0], [-1.0, -0.5, 0.5], [-1.0, 0.25, -2.0], [-0.125, 0.0, 0.0]] {
            let beyond = at(&needle, place);
            assert!((beyond.distance - Vector::from(place).norm()).abs() < 1e-15, "{beyond:?}");
        }
    }

    #[test]
    fn a_polygon_a_segment_and_a_point_have_no_inside() {
        let square = hull(&[[-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]);
        assert_eq!(
            (at(&square, [0.25, -2.0, 0.5]).distance, at(&square, [4.0, 4.0, 0.0]).distance),
            (2.0, 5.0)
        );
        let on_it = at(&square, [0.25, 0.0, 0.5]);
        assert_eq!((on_it.distance, on_it.gradient.y.abs()), (0.0, 1.0));
        let segment = hull(&[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
        assert_eq!(
            (at(&segment, [5.0, 4.0, 0.0]).distance, at(&segment, [1.0, 0.0, 3.0]).distance),
            (5.0, 3.0)
        );
        let in_it = at(&segment, [1.0, 0.0, 0.0]);
        assert_eq!((in_it.distance, in_it.gradient.x), (0.0, 0.0));
        let point = hull(&[[1.0, 0.0, 0.0]]);
        assert_eq!(at(&point, [1.0, 0.0, -3.0]).gradient, -Vector::z());
        assert_eq!(at(&point, [1.0, 0.0, 0.0]).gradient.norm(), 1.0);
    }
}
