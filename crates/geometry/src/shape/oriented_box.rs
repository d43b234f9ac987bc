//! Oriented box.

use super::placed::{Placed, posed, posed_geometry, sized_shape};
use super::sized::{ShapeType, SizeField, SizedShape, Turn};
use crate::validate::{positive, rigid};
use crate::{ConvexCore, ConvexShape, Geometry, GeometryError, GeometryKind, Pose, SignedDistance, Version};
use palpate_contact::NONE;
use palpate_convex::SupportMap;
use palpate_implicit::ImplicitFunction;
use palpate_math::{Aabb, Point, Vector};

/// A solid box of any orientation. Faces are numbered +x, -x, +y, -y, +z, -z from 0 to 5 in the local frame; inside,
/// the closest face is used; ties go to the lowest number.
#[derive(Clone, Debug, PartialEq)]
pub struct OrientedBox {
    placed: Placed,
    half_extents: Vector,
}

posed!(OrientedBox);

impl OrientedBox {
    /// Creates a box from its pose and *half* extents along the local axes, in metres. Errors: a number that is not
    /// finite and greater than 0.
    pub fn new(pose: Pose, half_extents: Vector) -> Result<Self, GeometryError> {
        rigid("the center", &pose)?;
        for (axis, &half) in half_extents.iter().enumerate() {
            positive(&format!("half extent {axis}"), half)?;
        }
        Ok(Self { placed: Placed::new(pose), half_extents })
    }

    /// Returns the half extents along the local axes, in metres.
    pub fn half_extents(&self) -> Vector {
        self.half_extents
    }

    /// Returns distance, closest point and gradient in the local frame, and the face (or [`NONE`] for an edge or a
    /// corner).
    fn local_distance(&self, local: &Vector) -> (f64, Vector, Vector, u32) {
        let beyond = local.abs() - self.half_extents;
        let outside = beyond.map(|x| x.max(0.0));
        let faces_passed = outside.iter().filter(|&&x| x > 0.0).count();
        if faces_passed == 0 {
            return self.way_out(local, &beyond);
        }
        let signed = outside.zip_map(local, |amount, x| if x < 0.0 { -amount } else { amount });
        let nearest = local - signed;
        if faces_passed == 1 {
            let axis = outside.imax();
            let gradient = face_normal(axis, local[axis]);
            return (outside[axis], nearest, gradient, face_number(axis, local[axis]));
        }
        let distance = signed.norm();
        (distance, nearest, signed / distance, NONE)
    }

    /// Returns the closest face from inside (or from the surface); ties go to the lowest number.
    fn way_out(&self, local: &Vector, beyond: &Vector) -> (f64, Vector, Vector, u32) {
        let mut axis = 0;
        for other in 1..3 {
            if beyond[other] > beyond[axis] {
                axis = other;
            }
        }
        let gradient = face_normal(axis, local[axis]);
        let mut nearest = *local;
        nearest[axis] = gradient[axis] * self.half_extents[axis];
        (beyond[axis], nearest, gradient, face_number(axis, local[axis]))
    }
}

/// Returns the face number: 2k is the positive side of axis k, 2k + 1 the negative; the middle counts as positive.
fn face_number(axis: usize, coordinate: f64) -> u32 {
    2 * axis as u32 + u32::from(coordinate < 0.0)
}

fn face_normal(axis: usize, coordinate: f64) -> Vector {
    let mut normal = Vector::zeros();
    normal[axis] = if coordinate < 0.0 { -1.0 } else { 1.0 };
    normal
}

impl OrientedBox {
    /// Returns the box at a pose.
    fn bounds_at(&self, pose: &Pose) -> Aabb {
        let reach = pose.rotation.to_rotation_matrix().matrix().abs() * self.half_extents;
        let center = Point::from(pose.translation.vector);
        Aabb::from_points([center - reach, center + reach])
            .grown(self.half_extents.amax() * (8.0 * f64::EPSILON))
    }
}

impl Geometry for OrientedBox {
    fn kind(&self) -> GeometryKind {
        GeometryKind::ORIENTED_BOX
    }

    fn version(&self) -> Version {
        self.placed.version
    }

    fn advance(&mut self) {
        self.placed.advance();
    }

    fn content(&self) -> Vec<f64> {
        self.placed.content(self.half_extents.as_slice())
    }

    fn as_implicit(&self) -> Option<&dyn ImplicitFunction> {
        Some(self)
    }

    fn as_convex(&self) -> Option<ConvexShape<'_>> {
        let core = palpate_convex::Cuboid { half_extents: self.half_extents };
        Some(ConvexShape::new(ConvexCore::Cuboid(core), self.pose(), self))
    }

    posed_geometry!(|own, other| own.half_extents == other.half_extents);
}

impl OrientedBox {
    /// Returns the signed distance of `point` (world frame, metres); the feature is the number of the face.
    pub fn signed_distance(&self, point: &Point) -> SignedDistance {
        let rotation = &self.placed.pose.rotation;
        let local = rotation.inverse_transform_vector(&(point - self.center()));
        let (distance, nearest, gradient, feature) = self.local_distance(&local);
        let nearest = self.center() + rotation * nearest;
        SignedDistance { distance, nearest, gradient: rotation * gradient, feature }
    }
}

/// Its names and sizes in descriptions and recordings.
static TYPE: ShapeType = ShapeType::new::<OrientedBox>(
    "OrientedBox",
    GeometryKind::ORIENTED_BOX,
    Turn::Axes,
    &[SizeField::ThreePositive("half_extents")],
)
.with_function::<OrientedBox>("box");

impl SizedShape for OrientedBox {
    sized_shape!(&TYPE);

    fn from_sizes(pose: Pose, half_extents: [f64; 3]) -> Result<Self, GeometryError> {
        Self::new(pose, half_extents.into())
    }

    fn sizes(&self) -> [f64; 3] {
        self.half_extents.into()
    }
}

impl SupportMap for OrientedBox {
    fn support(&self, direction: &Vector) -> Point {
        let rotation = &self.placed.pose.rotation;
        let local = rotation.inverse_transform_vector(direction);
        let corner = local.zip_map(&self.half_extents, |x, half| if x < 0.0 { -half } else { half });
        self.center() + rotation * corner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(x: f64, y: f64, z: f64) -> SignedDistance {
        let shape = OrientedBox::new(Pose::identity(), Vector::new(1.0, 2.0, 3.0)).unwrap();
        shape.signed_distance(&Point::new(x, y, z))
    }

    #[test]
    fn outside_the_nearest_is_a_face_an_edge_or_a_corner() {
        assert_eq!((query(0.0, -5.0, 0.0).distance, query(0.0, -5.0, 0.0).feature), (3.0, 3));
        let edge = query(4.0, 6.0, 0.0);
        assert_eq!((edge.distance, edge.nearest, edge.feature), (5.0, Point::new(1.0, 2.0, 0.0), NONE));
        let corner = query(-3.0, -4.0, 4.0);
        assert_eq!((corner.distance, corner.nearest), (3.0, Point::new(-1.0, -2.0, 3.0)));
    }

    #[test]
    fn inside_the_way_out_is_the_nearest_face_the_lowest_number_when_equal() {
        assert_eq!((query(0.5, 1.8, 0.0).feature, query(0.5, 1.8, 0.0).gradient), (2, Vector::y()));
        assert_eq!((query(0.0, 0.0, 0.0).distance, query(0.0, 0.0, 0.0).gradient), (-1.0, Vector::x()));
        assert_eq!(query(0.5, 1.5, 2.5).feature, 0);
    }

    #[test]
    fn on_a_face_the_distance_is_zero_and_the_gradient_its_normal() {
        let on_face = query(0.25, 0.25, -3.0);
        assert_eq!((on_face.distance, on_face.gradient, on_face.feature), (0.0, -Vector::z(), 5));
    }

    #[test]
    fn sizes_are_checked() {
        let error = OrientedBox::new(Pose::identity(), Vector::new(1.0, 0.0, 1.0)).unwrap_err();
        assert!(error.to_string().contains("half extent 1 is 0"));
    }
}
