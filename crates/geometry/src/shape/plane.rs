//! Plane: a half-space, or a two-sided plane.

use super::placed::Placed;
use crate::validate::{finite_point, finite_vector, rigid, unit};
use crate::{Geometry, GeometryError, GeometryKind, Pose, SignedDistance, Version, downcast, pose};
use nalgebra::{Quaternion, UnitQuaternion};
use palpate_contact::NONE;
use palpate_implicit::ImplicitFunction;
use palpate_math::{Aabb, Point, Vector};

/// An infinite plane. One-sided (the default) it is the surface of a half-space that is solid below the normal;
/// two-sided it is a sheet without thickness, and a point exactly on it is pushed out along the normal.
///
/// The normal is local +y of the pose; one given by the caller is kept bitwise until the pose changes.
#[derive(Clone, Debug, PartialEq)]
#[repr(C)] // Keeps the fields read by a query together.
pub struct Plane {
    normal: Vector,
    two_sided: bool,
    placed: Placed,
}

impl Plane {
    /// Creates the half-space below `normal` (any non-zero length) at `position`, metres. Errors: a non-finite number,
    /// a normal of length zero.
    pub fn new(position: Point, normal: Vector) -> Result<Self, GeometryError> {
        let position = finite_point("the position", position)?;
        let normal = unit("the normal", normal)?;
        let placed = Placed::new(pose::from_rotation(position, pose::rotation_from_axis(normal)?)?);
        Ok(Self { placed, normal, two_sided: false })
    }

    /// Returns the plane, two-sided or not.
    #[must_use]
    pub fn with_two_sided(self, two_sided: bool) -> Self {
        Self { two_sided, placed: self.placed.changed(), ..self }
    }

    /// Returns the plane with its normal reversed, whether one-sided or two-sided.
    #[must_use]
    pub fn turned(self) -> Self {
        // Half a turn about local x maps local +y to its opposite.
        let half_turn = UnitQuaternion::from_quaternion(Quaternion::new(0.0, 1.0, 0.0, 0.0));
        let turned = |pose: Pose| Pose::from_parts(pose.translation, pose.rotation * half_turn);
        let previous = self.placed.previous.map(turned);
        let placed = Placed { pose: turned(self.placed.pose), previous, ..self.placed };
        Self { placed: placed.changed(), normal: -self.normal, ..self }
    }

    /// Returns a point of the plane: the one it was created or moved with.
    pub fn position(&self) -> Point {
        self.placed.center()
    }

    /// Returns the unit normal: outward from the half-space; world frame.
    pub fn normal(&self) -> Vector {
        self.normal
    }

    /// Returns the pose: local to world, metres.
    pub fn pose(&self) -> &Pose {
        &self.placed.pose
    }

    /// Returns the pose at the last [`advance`](Geometry::advance), if there was one.
    pub fn previous_pose(&self) -> Option<&Pose> {
        self.placed.previous.as_ref()
    }

    /// Moves the plane; its normal becomes local +y of the pose. Errors: a non-finite coordinate.
    pub fn set_pose(&mut self, pose: Pose) -> Result<(), GeometryError> {
        rigid("the position", &pose)?;
        self.placed.set(pose);
        self.normal = pose.rotation * Vector::y();
        Ok(())
    }

    /// Moves the plane to a pose and a normal that another plane had, which need not be local +y of the pose to the last
    /// bit. Errors: a coordinate that is not finite; a normal that is off local +y by more than
    /// [`RIGID_TOLERANCE`](pose::RIGID_TOLERANCE).
    pub fn set_pose_and_normal(&mut self, pose: Pose, normal: Vector) -> Result<(), GeometryError> {
        rigid("the position", &pose)?;
        finite_vector("the normal", normal)?;
        let error = (pose.rotation * Vector::y() - normal).amax();
        if error > pose::RIGID_TOLERANCE {
            let reason = "it is not local +y of the pose";
            return Err(GeometryError::NotRigid { what: "the normal".to_owned(), reason, error });
        }
        self.placed.set(pose);
        self.normal = normal;
        Ok(())
    }

    /// Sets the pose of the previous step. Errors: a non-finite coordinate.
    pub fn set_previous_pose(&mut self, pose: Pose) -> Result<(), GeometryError> {
        rigid("the previous position", &pose)?;
        self.placed.previous = Some(pose);
        Ok(())
    }

    /// Whether the plane is a two-sided sheet rather than the surface of a half-space.
    pub fn two_sided(&self) -> bool {
        self.two_sided
    }

    /// Returns the height of `point` above the plane along the normal, metres: negative below, also for two-sided
    /// planes.
    pub fn height(&self, point: &Point) -> f64 {
        (point - self.position()).dot(&self.normal())
    }
}

impl Geometry for Plane {
    fn kind(&self) -> GeometryKind {
        GeometryKind::PLANE
    }

    fn bounds(&self) -> Aabb {
        let everywhere = Vector::repeat(f64::INFINITY);
        Aabb { min: Point::from(-everywhere), max: Point::from(everywhere) }
    }

    fn version(&self) -> Version {
        self.placed.version
    }

    fn advance(&mut self) {
        self.placed.advance();
    }

    fn content(&self) -> Vec<f64> {
        self.placed.content(&[f64::from(u8::from(self.two_sided))])
    }

    fn as_implicit(&self) -> Option<&dyn ImplicitFunction> {
        Some(self)
    }

    fn pose(&self) -> Option<Pose> {
        Some(*self.pose())
    }

    fn previous_pose(&self) -> Option<Pose> {
        self.placed.previous
    }

    fn set_pose(&mut self, pose: Pose) -> Result<(), GeometryError> {
        Self::set_pose(self, pose)
    }

    fn try_clone(&self) -> Option<Box<dyn Geometry>> {
        Some(Box::new(self.clone()))
    }

    fn copy_previous_moved(&mut self, source: &dyn Geometry, motion: &Pose) {
        if let Some(source) = downcast::<Self>(source) {
            self.placed.previous = Some(motion * source.previous_pose().unwrap_or(source.pose()));
        }
    }

    fn copy_moved(&mut self, source: &dyn Geometry, motion: &Pose) -> bool {
        let Some(source) = downcast::<Self>(source) else { return false };
        self.two_sided = source.two_sided;
        self.placed.previous = None;
        self.placed.set(motion * source.pose());
        // The normal that the caller gave, and not the pose's, which is rounded once more.
        self.normal = motion.rotation * source.normal;
        true
    }
}

impl Plane {
    /// Returns the signed distance of `point` (world frame, metres).
    ///
    /// For a half-space the height; for a two-sided plane the absolute height, with the gradient toward the point's own
    /// side.
    pub fn signed_distance(&self, point: &Point) -> SignedDistance {
        let normal = self.normal();
        let height = self.height(point);
        let nearest = point - normal * height;
        let flipped = self.two_sided && height < 0.0;
        let (distance, gradient) = if flipped { (-height, -normal) } else { (height, normal) };
        SignedDistance { distance, nearest, gradient, feature: NONE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_a_half_space_is_inside_and_below_a_sheet_is_beside() {
        let plane = Plane::new(Point::new(0.0, 1.0, 0.0), Vector::new(0.0, 4.0, 0.0)).unwrap();
        let below = Point::new(3.0, -1.0, 0.0);
        assert_eq!((plane.signed_distance(&below).distance, plane.normal()), (-2.0, Vector::y()));
        let sheet = plane.with_two_sided(true).signed_distance(&below);
        assert_eq!(
            (sheet.distance, sheet.gradient, sheet.nearest),
            (2.0, -Vector::y(), Point::new(3.0, 1.0, 0.0))
        );
    }

    #[test]
    fn turning_the_pose_turns_the_normal() {
        let mut plane = Plane::new(Point::origin(), Vector::y()).unwrap();
        let rotation = pose::rotation_from_axis(Vector::x()).unwrap();
        plane.set_pose(pose::from_rotation(Point::origin(), rotation).unwrap()).unwrap();
        assert!((plane.normal() - Vector::x()).norm() <= 2.0 * f64::EPSILON);
    }

    #[test]
    fn a_normal_of_length_zero_is_refused() {
        assert!(Plane::new(Point::origin(), Vector::zeros()).unwrap_err().to_string().contains("the normal"));
    }

    #[test]
    fn a_normal_is_taken_to_the_bit_if_it_is_that_of_the_pose() {
        let normal = Vector::new(0.3, -0.2, 0.5).normalize();
        let one = Plane::new(Point::new(1.0, 2.0, 3.0), normal).unwrap();
        let mut other = Plane::new(Point::origin(), Vector::y()).unwrap();
        other.set_pose_and_normal(*one.pose(), one.normal()).unwrap();
        assert_eq!((other.pose(), other.normal()), (one.pose(), one.normal()));
        let error = other.set_pose_and_normal(*one.pose(), Vector::y()).unwrap_err().to_string();
        assert!(error.contains("not local +y of the pose"), "{error}");
    }
}
