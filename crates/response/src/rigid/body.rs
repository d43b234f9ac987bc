//! What a side of a contact moves with, its mass, its velocity.

use crate::Motion;
use nalgebra::{Isometry3, Matrix3};
use palpate_math::{Point, Vector};

/// What a side of a pair moves with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Body {
    /// A rigid body, by its index. A pair whose sides are the same body has rows that do nothing.
    Dynamic(usize),
    /// A motion that contacts do not change.
    Kinematic(Motion),
    /// At rest, and not moved by contacts.
    Static,
}

/// Centre of mass, mass and inertia of a body at its present pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass {
    /// The centre of mass; world frame.
    pub center: Point,
    /// One per kilogram; 0 for an immovable body.
    pub inverse: f64,
    /// The inverse of the inertia about the centre of mass, world frame.
    pub inverse_inertia: Matrix3<f64>,
}

impl Mass {
    /// A body that cannot be moved.
    pub fn infinite() -> Self {
        Self { center: Point::origin(), inverse: 0.0, inverse_inertia: Matrix3::zeros() }
    }

    /// The mass of a body whose frame has its origin at the centre of mass and its axes along the principal ones; the
    /// moments are given as their inverses.
    pub fn new(pose: &Isometry3<f64>, inverse: f64, inverse_moments: &Vector) -> Self {
        let axes = pose.rotation.to_rotation_matrix();
        let scaled = axes.matrix() * Matrix3::from_diagonal(inverse_moments);
        let inverse_inertia = scaled * axes.matrix().transpose();
        Self { center: pose.translation.vector.into(), inverse, inverse_inertia }
    }
}

/// The velocity of a rigid body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Velocity {
    /// Of the centre of mass, metres per second.
    pub linear: Vector,
    /// Radians per second, world frame.
    pub angular: Vector,
}

impl Velocity {
    /// The velocity of a point at a lever arm from the centre of mass.
    pub fn at(&self, lever: &Vector) -> Vector {
        self.linear + self.angular.cross(lever)
    }
}
