//! The convex hull of points, as a body.

use crate::placed::{Placed, posed};
use crate::validate::{finite_points, not_negative};
use crate::{Geometry, GeometryError, GeometryKind, Implicit, Pose, SignedDistance, Version};
use palpate_contact::NONE;
use palpate_convex::{ConvexHull, Core, Hull, NO_ID, SupportMap};
use palpate_math::closest::{point_segment, point_triangle};
use palpate_math::triangle::area_vector;
use palpate_math::{Aabb, Point, Vector, direction, separation};

/// The convex hull of points in the local frame, rounded by a margin: every point no farther from the hull than that.
/// Points inside the hull are dropped; points in a plane, on a line or in one place are bodies, too.
#[derive(Clone, Debug)]
pub struct Convex {
    placed: Placed,
    hull: Hull,
    margin: f64,
}

posed!(Convex);

impl Convex {
    /// The hull of `vertices` (n × 3, local frame, metres) at `pose`. Errors: no vertices, a coordinate that is not finite.
    /// Cost: n log n, once.
    pub fn new(pose: Pose, vertices: &[Point]) -> Result<Self, GeometryError> {
        crate::validate::finite_vector("the position", pose.translation.vector)?;
        finite_points(vertices)?;
        if vertices.is_empty() {
            return Err(GeometryError::Empty { what: "the list of vertices".to_owned() });
        }
        let hull = compact(vertices, &ConvexHull::new(vertices));
        Ok(Self { placed: Placed::new(pose), hull, margin: 0.0 })
    }

    /// The same body, rounded by `margin` metres. Errors: a number that is not finite or negative.
    pub fn with_margin(self, margin: f64) -> Result<Self, GeometryError> {
        Ok(Self { margin: not_negative("the margin", margin)?, ..self })
    }

    /// The hull without the margin, in the local frame.
    pub fn hull(&self) -> &Hull {
        &self.hull
    }

    /// The radius by which the hull is rounded, in metres.
    pub fn margin(&self) -> f64 {
        self.margin
    }
}

/// The hull's own vertices, numbered anew, in their order.
fn compact(points: &[Point], hull: &ConvexHull) -> Hull {
    let number =
        |id: u32| hull.vertices.binary_search(&id).expect("the triangles' corners are the hull's vertices");
    let kept = hull.vertices.iter().map(|&id| points[id as usize].coords).collect();
    let triangles = hull.triangles.iter().map(|ids| ids.map(|id| number(id) as u32)).collect();
    Hull::new(kept, triangles).expect("the vertices were checked, and the triangles name them")
}

impl Geometry for Convex {
    fn kind(&self) -> GeometryKind {
        GeometryKind::CONVEX
    }

    fn bounds(&self) -> Aabb {
        self.placed.swept(|pose| {
            let corners = self.hull.points().iter().map(|&vertex| pose * Point::from(vertex));
            let bounds = Aabb::from_points(corners);
            bounds.grown(self.margin + bounds.largest_coordinate() * (8.0 * f64::EPSILON))
        })
    }

    fn version(&self) -> Version {
        self.placed.version
    }

    fn advance(&mut self) {
        self.placed.advance();
    }

    fn content(&self) -> Vec<f64> {
        let mut sizes = vec![3.0, self.hull.points().len() as f64, self.margin];
        sizes.extend(self.hull.points().iter().flat_map(|vertex| vertex.iter().copied()));
        self.placed.content(&sizes)
    }

    fn as_implicit(&self) -> Option<&dyn Implicit> {
        Some(self)
    }

    fn as_convex(&self) -> Option<&dyn SupportMap> {
        Some(self)
    }
}

impl Convex {
    /// Distance, gradient in the local frame, of the bare hull.
    fn signed_distance_of_hull(&self, local: &Point) -> (f64, Vector) {
        let corner = |id: u32| Point::from(self.hull.points()[id as usize]);
        let mut highest = (f64::NEG_INFINITY, Vector::y());
        let mut nearest = (f64::INFINITY, Point::origin());
        for ids in self.hull.triangles() {
            let [a, b, c] = ids.map(corner);
            let normal = area_vector(&a, &b, &c);
            let height = direction::unit_or(&normal, &Vector::zeros());
            let height = (height.dot(&(local - a)), height);
            if height.1 != Vector::zeros() && height.0 > highest.0 {
                highest = height;
            }
            // Only what lies in front of the face has it before the others.
            if height.0 >= 0.0 {
                let on_face = point_triangle(local, &a, &b, &c);
                if on_face.distance_squared < nearest.0 {
                    nearest = (on_face.distance_squared, on_face.point);
                }
            }
        }
        if self.hull.triangles().is_empty() {
            let (first, last) = (corner(0), corner(self.hull.points().len() as u32 - 1));
            let place = point_segment(local, &first, &last).point;
            // On the segment itself the way out leads across it.
            highest = (f64::INFINITY, direction::any_perpendicular(&(last - first)));
            nearest = (0.0, place);
        }
        if highest.0 <= 0.0 || nearest.0 == f64::INFINITY {
            return highest;
        }
        match separation::between(&nearest.1, local) {
            (Some(outward), distance) => (distance, outward),
            (None, distance) => (distance, highest.1),
        }
    }
}

impl Implicit for Convex {
    /// Inside, the way out is through the nearest face, the lowest of equals. Cost: linear in the faces.
    fn signed_distance(&self, point: &Point) -> SignedDistance {
        let local = self.placed.pose.inverse_transform_point(point);
        let (distance, outward) = self.signed_distance_of_hull(&local);
        let distance = distance - self.margin;
        let gradient = self.placed.pose.rotation * outward;
        SignedDistance { distance, nearest: point - gradient * distance, gradient, feature: NONE }
    }
}

impl SupportMap for Convex {
    fn support(&self, direction: &Vector) -> Point {
        let rotation = &self.placed.pose.rotation;
        let local = rotation.inverse_transform_vector(direction);
        let extreme = self.hull.support(local, NO_ID);
        let bare = self.center() + rotation * extreme.point;
        if self.margin > 0.0 { bare + direction.normalize() * self.margin } else { bare }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_inside_are_dropped_and_the_support_is_the_farthest_corner() {
        let mut vertices: Vec<Point> = (0..8)
            .map(|k| Point::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2 & 1)))
            .collect();
        vertices.push(Point::new(0.5, 0.5, 0.5));
        let cube = Convex::new(Pose::translation(10.0, 0.0, 0.0), &vertices).unwrap();
        assert_eq!(cube.hull().points().len(), 8);
        assert_eq!(cube.support(&Vector::new(1.0, -1.0, 2.0)), Point::new(11.0, 0.0, 1.0));
        let rounded = cube.with_margin(0.5).unwrap();
        assert_eq!(rounded.support(&Vector::x()).x, 11.5);
        assert!(rounded.bounds().min.x <= 9.5 && rounded.bounds().max.x >= 11.5);
    }

    #[test]
    fn the_signed_distance_is_to_faces_edges_and_corners() {
        let vertices: Vec<Point> = (0..8)
            .map(|k| Point::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2 & 1)) * 2.0)
            .collect();
        let cube = Convex::new(Pose::translation(10.0, 0.0, 0.0), &vertices).unwrap();
        let at = |x: f64, y: f64, z: f64| cube.signed_distance(&Point::new(x, y, z));
        assert_eq!((at(10.5, 1.0, 1.0).distance, at(10.5, 1.0, 1.0).gradient), (-0.5, -Vector::x()));
        assert_eq!(
            (at(15.0, 6.0, 1.0).distance, at(15.0, 6.0, 1.0).nearest),
            (5.0, Point::new(12.0, 2.0, 1.0))
        );
        assert_eq!(at(11.0, 2.0, 1.0).distance, 0.0);
        let rounded = cube.clone().with_margin(0.25).unwrap();
        assert_eq!(rounded.signed_distance(&Point::new(11.0, 3.0, 1.0)).distance, 0.75);
        assert_eq!(rounded.signed_distance(&Point::new(11.0, 3.0, 1.0)).nearest, Point::new(11.0, 2.25, 1.0));
    }

    #[test]
    fn a_flat_hull_a_segment_and_a_point_have_a_distance() {
        let vertices = [Point::origin(), Point::new(2.0, 0.0, 0.0), Point::new(0.0, 2.0, 0.0)];
        let distance = |count: usize, x: f64, y: f64, z: f64| {
            let body = Convex::new(Pose::identity(), &vertices[..count]).unwrap();
            let signed = body.signed_distance(&Point::new(x, y, z));
            assert!((signed.gradient.norm() - 1.0).abs() < 1e-15);
            signed.distance
        };
        assert_eq!((distance(3, 0.5, 0.5, -2.0), distance(3, 0.5, 0.5, 0.0)), (2.0, 0.0));
        assert_eq!((distance(3, -3.0, 0.5, 4.0), distance(2, 1.0, 3.0, 4.0)), (5.0, 5.0));
        assert_eq!(
            (distance(2, 1.0, 0.0, 0.0), distance(1, 0.0, 0.0, 0.0), distance(1, 0.0, 3.0, 4.0)),
            (0.0, 0.0, 5.0)
        );
    }

    #[test]
    fn a_triangle_a_segment_and_a_point_are_bodies() {
        for count in 1..4 {
            let vertices = [Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0)];
            let body = Convex::new(Pose::identity(), &vertices[..count]).unwrap();
            assert_eq!(body.hull().points().len(), count);
        }
        let error = Convex::new(Pose::identity(), &[]).unwrap_err();
        assert!(error.to_string().contains("list of vertices is empty"), "{error}");
    }
}
