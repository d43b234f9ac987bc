//! Sphere: a solid ball.

use super::placed::{Placed, posed, posed_geometry, sized_shape};
use super::sized::{ShapeType, SizeField, SizedShape, Turn};
use crate::validate::{finite_point, positive};
use crate::{ConvexCore, ConvexShape, Geometry, GeometryError, GeometryKind, Pose, SignedDistance, Version};
use palpate_contact::NONE;
use palpate_convex::SupportMap;
use palpate_implicit::ImplicitFunction;
use palpate_math::{Aabb, Point, Vector};

/// A ball. At its centre, where all directions are equivalent, the gradient is world +y.
#[derive(Clone, Debug, PartialEq)]
pub struct Sphere {
    placed: Placed,
    radius: f64,
}

posed!(Sphere);

impl Sphere {
    /// Creates a sphere from centre and radius, in metres. Errors: a non-finite number, a radius not greater than 0.
    pub fn new(center: Point, radius: f64) -> Result<Self, GeometryError> {
        let center = finite_point("the center", center)?;
        let radius = positive("the radius", radius)?;
        Ok(Self { placed: Placed::new(Pose::from(center.coords)), radius })
    }

    /// Returns the radius in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Moves the centre. Errors: a non-finite coordinate.
    pub fn set_center(&mut self, center: Point) -> Result<(), GeometryError> {
        self.set_pose(Pose::from(center.coords))
    }

    /// Sets the radius. Errors: a number that is not finite and greater than 0.
    pub fn set_radius(&mut self, radius: f64) -> Result<(), GeometryError> {
        self.radius = positive("the radius", radius)?;
        self.placed.version.moved();
        Ok(())
    }
}

impl Sphere {
    /// Returns the box at a pose.
    fn bounds_at(&self, pose: &Pose) -> Aabb {
        Aabb::from_point(Point::from(pose.translation.vector)).grown(self.radius)
    }
}

impl Geometry for Sphere {
    fn kind(&self) -> GeometryKind {
        GeometryKind::SPHERE
    }

    fn version(&self) -> Version {
        self.placed.version
    }

    fn advance(&mut self) {
        self.placed.advance();
    }

    fn content(&self) -> Vec<f64> {
        self.placed.content(&[self.radius])
    }

    fn as_implicit(&self) -> Option<&dyn ImplicitFunction> {
        Some(self)
    }

    fn as_convex(&self) -> Option<ConvexShape<'_>> {
        let core = palpate_convex::Ball { radius: self.radius };
        Some(ConvexShape::new(ConvexCore::Ball(core), self.pose(), self))
    }

    posed_geometry!(|own, other| own.radius == other.radius);
}

impl Sphere {
    /// Returns the signed distance of `point` (world frame, metres). At the centre the gradient is +y.
    pub fn signed_distance(&self, point: &Point) -> SignedDistance {
        let offset = point - self.center();
        let length = offset.norm();
        let gradient = if length > 0.0 { offset / length } else { Vector::y() };
        let nearest = self.center() + gradient * self.radius;
        SignedDistance { distance: length - self.radius, nearest, gradient, feature: NONE }
    }
}

/// Its names and sizes in descriptions and recordings.
static TYPE: ShapeType =
    ShapeType::new::<Sphere>("Sphere", GeometryKind::SPHERE, Turn::Plain, &[SizeField::Positive("radius")])
        .with_function::<Sphere>("sphere");

impl SizedShape for Sphere {
    sized_shape!(&TYPE);

    fn from_sizes(pose: Pose, [radius, ..]: [f64; 3]) -> Result<Self, GeometryError> {
        let mut sphere = Self::new(Point::from(pose.translation.vector), radius)?;
        sphere.set_pose(pose)?;
        Ok(sphere)
    }

    fn sizes(&self) -> [f64; 3] {
        [self.radius, 0.0, 0.0]
    }
}

impl SupportMap for Sphere {
    fn support(&self, direction: &Vector) -> Point {
        self.center() + direction.normalize() * self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sphere_knows_its_distance_inside_and_outside() {
        let sphere = Sphere::new(Point::new(1.0, 0.0, 0.0), 2.0).unwrap();
        let outside = sphere.signed_distance(&Point::new(1.0, 5.0, 0.0));
        assert_eq!((outside.distance, outside.nearest), (3.0, Point::new(1.0, 2.0, 0.0)));
        let inside = sphere.signed_distance(&Point::new(0.5, 0.0, 0.0));
        assert_eq!((inside.distance, inside.gradient), (-1.5, -Vector::x()));
    }

    #[test]
    fn at_the_centre_the_way_out_is_up() {
        let sphere = Sphere::new(Point::origin(), 2.0).unwrap();
        let center = sphere.signed_distance(&Point::origin());
        assert_eq!((center.distance, center.gradient), (-2.0, Vector::y()));
    }

    #[test]
    fn sizes_and_coordinates_are_checked() {
        assert!(Sphere::new(Point::origin(), 0.0).unwrap_err().to_string().contains("radius is 0"));
        assert!(Sphere::new(Point::origin(), f64::NAN).is_err());
        assert!(
            Sphere::new(Point::new(0.0, f64::INFINITY, 0.0), 1.0).unwrap_err().to_string().contains("center")
        );
    }

    #[test]
    fn bounds_cover_both_frames() {
        let mut sphere = Sphere::new(Point::origin(), 1.0).unwrap();
        sphere.advance();
        sphere.set_center(Point::new(5.0, 0.0, 0.0)).unwrap();
        let bounds = sphere.bounds();
        assert!(bounds.min.x <= -1.0 && bounds.max.x >= 6.0);
    }
}
