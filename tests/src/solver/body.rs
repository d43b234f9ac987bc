//! A rigid body: a shape about its centre of mass, its motion, its inertia.

use crate::Shape;
use crate::compound::Body;
use nalgebra::{Translation3, UnitQuaternion};
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};
use palpate_response::rigid::Mass;

/// A rigid body. Without a mass it is static.
#[derive(Clone, Debug)]
pub struct RigidBody {
    /// The body with its centre of mass at the origin.
    pub body: Body,
    /// Transform from body to world.
    pub pose: Pose,
    /// Metres per second.
    pub velocity: Vector,
    /// Radians per second.
    pub spin: Vector,
    pub(super) inverse_mass: f64,
    /// Inverse principal moments along the body's axes.
    inverse_moments: Vector,
    pub(super) reach: f64,
}

impl RigidBody {
    /// A body of one kilogram with about the inertia of a box of these half extents.
    pub fn new(body: Body, half: Vector, position: Vector) -> Self {
        let square = half.component_mul(&half);
        let moments = Vector::new(square.y + square.z, square.x + square.z, square.x + square.y) / 3.0;
        let pose = Pose::from_parts(Translation3::from(position), UnitQuaternion::identity());
        let mut rigid = Self::fixed(body);
        (rigid.pose, rigid.inverse_mass, rigid.inverse_moments) =
            (pose, 1.0, moments.map(|moment| 1.0 / moment));
        rigid
    }

    /// A static body.
    pub fn fixed(body: Body) -> Self {
        let reach = |part: &Shape| match part {
            Shape::Plane { .. } => f64::INFINITY,
            other => other.reach_from(&Point::origin()),
        };
        let reach = body.parts().iter().map(reach).fold(0.0, f64::max);
        let zero = Vector::zeros();
        Self {
            body,
            pose: Pose::identity(),
            velocity: zero,
            spin: zero,
            inverse_mass: 0.0,
            inverse_moments: zero,
            reach,
        }
    }

    /// The same after a rotation about its centre.
    #[must_use]
    pub fn turned(mut self, turn: UnitQuaternion<f64>) -> Self {
        self.pose.rotation = turn * self.pose.rotation;
        self
    }

    /// The body at its current pose.
    pub fn placed(&self) -> Body {
        self.body.map(|part| part.moved(&self.pose))
    }

    /// In joules.
    pub fn kinetic_energy(&self) -> f64 {
        if self.inverse_mass == 0.0 {
            return 0.0;
        }
        let spin = self.pose.rotation.inverse_transform_vector(&self.spin);
        let turning = spin.component_mul(&spin).component_div(&self.inverse_moments).sum();
        0.5 * (self.velocity.norm_squared() / self.inverse_mass + turning)
    }

    pub(super) fn mass(&self) -> Mass {
        Mass::new(&self.pose, self.inverse_mass, &self.inverse_moments)
    }

    pub(super) fn advance(&mut self, step: f64) {
        self.pose.translation.vector += self.velocity * step;
        let turn = UnitQuaternion::from_scaled_axis(self.spin * step);
        self.pose.rotation = UnitQuaternion::new_normalize((turn * self.pose.rotation).into_inner());
    }
}
