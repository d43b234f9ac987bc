//! Matrices of directions and turns.

use nalgebra::{Matrix3, Rotation3};
use palpate_math::Vector;

/// Returns the matrix of the projection onto the plane perpendicular to a unit vector.
pub(super) fn across(unit: &Vector) -> Matrix3<f64> {
    Matrix3::identity() - unit * unit.transpose()
}

/// Returns a symmetric matrix in the frame from which a rotation turns its own: `R M Rᵀ`.
pub(super) fn turned(matrix: &Matrix3<f64>, turn: &Rotation3<f64>) -> Matrix3<f64> {
    turn.matrix() * matrix * turn.matrix().transpose()
}
