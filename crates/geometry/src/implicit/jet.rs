//! A convex function at a point, to second order.

use super::matrices::turned;
use crate::Pose;
use nalgebra::Matrix3;
use palpate_math::Vector;

/// The value of a convex function at a point and its derivatives there: [`ImplicitFunction::jet`](super::ImplicitFunction::jet).
#[derive(Clone, Copy, Debug)]
pub struct Jet {
    /// The value, metres.
    pub value: f64,
    /// What a linear function with this gradient that is nowhere above the function certainly has at the point: the value, less rounding.
    pub height: f64,
    /// The gradient.
    pub gradient: Vector,
    /// The second derivatives, 1/m.
    pub hessian: Matrix3<f64>,
    /// The value at the point and the gradient of a linear function nowhere above this one: the tangent of the other side of a crease
    /// that may be close by.
    pub other_side: Option<(f64, Vector)>,
}

impl Jet {
    /// Returns the jet where the function's frame is at a pose, and all its lengths multiplied by a scale.
    pub(super) fn posed(&self, pose: &Pose, scale: f64) -> Self {
        let turn = pose.rotation.to_rotation_matrix();
        Self {
            value: self.value * scale,
            height: self.height * scale,
            gradient: turn * self.gradient,
            hessian: turned(&self.hessian, &turn) / scale,
            other_side: self.other_side.map(|(value, gradient)| (value * scale, turn * gradient)),
        }
    }

    /// Returns the jet of the function lowered by a distance.
    pub(super) fn lowered(&self, distance: f64) -> Self {
        Self {
            value: self.value - distance,
            height: self.height - distance,
            other_side: self.other_side.map(|(value, gradient)| (value - distance, gradient)),
            ..*self
        }
    }
}
