//! Matrices of directions and turns, and Hessians of distances.

use nalgebra::{Matrix3, Rotation3};
use palpate_math::nearest::point_segment;
use palpate_math::{Point, Vector};

/// Returns the matrix of the projection onto the plane perpendicular to a unit vector.
fn across(unit: &Vector) -> Matrix3<f64> {
    Matrix3::identity() - unit * unit.transpose()
}

/// Returns a symmetric matrix in the frame from which a rotation turns its own: `R M Rᵀ`.
pub fn turned(matrix: &Matrix3<f64>, turn: &Rotation3<f64>) -> Matrix3<f64> {
    turn.matrix() * matrix * turn.matrix().transpose()
}

/// Returns the Hessian of the distance from a segment; from a point, if both ends are equal.
pub fn hessian_of_segment([start, end]: &[Point; 2], place: &Point) -> Matrix3<f64> {
    let on_axis = point_segment(place, start, end);
    let offset = place - on_axis.point;
    let distance = offset.norm();
    let mut hessian = across(&(offset / distance));
    let axis = end - start;
    if on_axis.feature.is_inward(offset.dot(&axis)) && start != end {
        hessian -= axis * axis.transpose() / axis.norm_squared();
    }
    hessian / distance
}
