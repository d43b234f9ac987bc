//! A convex body over the step.

use crate::ConvexBody;
use crate::convex_body::{height_along, rounding_radius};
use palpate_convex::RigidTransform;
use palpate_geometry::RigidMotion;
use palpate_math::{Vector, direction};

/// Rounding errors of a gap between two bodies, relative to the lengths that enter it: rotations, sums, a square root.
const ROUNDINGS: f64 = 128.0 * f64::EPSILON;

/// A moving convex body, relative to a reference that moves on a straight line: so its distance from the origin of the world
/// costs no accuracy.
pub(crate) struct MovingBody<'a> {
    body: ConvexBody<'a>,
    motion: RigidMotion,
    /// The origin of the body's pose relative to the reference, at both ends.
    origin: [Vector; 2],
    /// Bound on the distance of the core's points from the axis of rotation.
    arm: f64,
    size: f64,
    error: f64,
}

impl<'a> MovingBody<'a> {
    /// Creates the motion of a body relative to a reference, given at both ends.
    pub(crate) fn new(body: ConvexBody<'a>, reference: &[Vector; 2]) -> Self {
        Self::along(body, body.motion(), reference)
    }

    /// The same along another motion than the body's own, which ends at the same pose.
    pub(crate) fn along(body: ConvexBody<'a>, motion: RigidMotion, reference: &[Vector; 2]) -> Self {
        let [previous, current] = origins(&motion);
        let origin = [previous - reference[0], current - reference[1]];
        let size = body.size();
        let [first, last] = [motion.previous(), motion.current()].map(|pose| pose.rotation.norm_squared());
        // A user's shape has its support points in the world.
        let shift = if body.is_posed() { 0.0 } else { current.norm() + body.position_of_map().norm() };
        let lengths = size + origin[0].norm().max(origin[1].norm()) + shift;
        let error = ROUNDINGS * lengths + (first - last).abs() * (size + shift);
        let mut moving = Self { body, motion, origin, arm: 0.0, size, error };
        if motion.rotation_angle() > 0.0 {
            moving.arm = moving.arm();
        }
        moving
    }

    /// Returns the body at a time, relative to the reference.
    pub(crate) fn at(&self, time: f64) -> ConvexBody<'a> {
        let rotation = self.motion.rotation(time);
        let origin = self.origin_at(time);
        let turned = |rotation: nalgebra::UnitQuaternion<f64>| rotation.to_rotation_matrix().into_inner();
        if self.body.is_posed() {
            return self.body.posed(RigidTransform::new(turned(rotation), origin));
        }
        // From where the shape is now.
        let now = self.motion.current();
        let back = if rotation == now.rotation {
            nalgebra::UnitQuaternion::identity()
        } else {
            rotation / now.rotation
        };
        let matrix = turned(back);
        self.body.posed(RigidTransform::new(matrix, origin - matrix * now.translation.vector))
    }

    /// Returns the greatest height of the body along a unit direction at a time, relative to the reference.
    pub(crate) fn height(&self, along: &Vector, time: f64) -> f64 {
        height_along(&self.at(time), along)
    }

    /// Returns a bound on the second derivative of the path of any point along a unit direction, by the time.
    pub(crate) fn bend(&self, along: &Vector) -> f64 {
        let angle = self.motion.rotation_angle();
        angle * angle * self.arm * along.cross(&self.motion.axis()).norm()
    }

    /// The same along any direction, also one that turns.
    pub(crate) fn bend_in_any_direction(&self) -> f64 {
        let angle = self.motion.rotation_angle();
        angle * angle * self.arm
    }

    /// Returns the radius by which the core is rounded, metres.
    pub(crate) fn radius(&self) -> f64 {
        rounding_radius(&self.body)
    }

    /// Returns a bound on the speed of any point of the core, per step.
    pub(crate) fn speed(&self) -> f64 {
        (self.origin[1] - self.origin[0]).norm() + self.turning_speed()
    }

    /// Returns what of it is due to the turn.
    pub(crate) fn turning_speed(&self) -> f64 {
        self.motion.rotation_angle() * self.arm
    }

    /// Returns the origin of the body's pose at a time, relative to the reference.
    pub(crate) fn origin_at(&self, time: f64) -> Vector {
        self.origin[0] * (1.0 - time) + self.origin[1] * time
    }

    /// Returns the bounding radius, metres.
    pub(crate) fn size(&self) -> f64 {
        self.size
    }

    /// Returns a bound on the rounding error of a height, metres.
    pub(crate) fn error(&self) -> f64 {
        self.error
    }

    /// Returns a bound on the distance of the core from the axis, by the box about the core across the axis.
    fn arm(&self) -> f64 {
        let now = self.at(1.0);
        let radius = rounding_radius(&now);
        let first = direction::any_perpendicular(&self.motion.axis());
        let extent = |along: Vector| {
            let reach = |along: Vector| height_along(&now, &along) - along.dot(&self.origin[1]) - radius;
            reach(along).max(reach(-along)).max(0.0)
        };
        let second = extent(self.motion.axis().cross(&first));
        let first = extent(first);
        let across = (first * first + second * second).sqrt();
        let across = if self.body.is_posed() { across.min(self.size - radius) } else { across };
        (across + self.error) * (1.0 + 16.0 * f64::EPSILON)
    }
}

/// Returns the origins of a motion at both ends: the reference of other motions.
pub(crate) fn origins(motion: &RigidMotion) -> [Vector; 2] {
    [motion.previous().translation.vector, motion.current().translation.vector]
}
