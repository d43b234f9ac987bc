//! Rotations by a vector, with the same bits on every machine.

use nalgebra::{Quaternion, UnitQuaternion};
use palpate_math::Vector;

/// The rotation about `turn` by its length in radians.
pub(crate) fn rotation(turn: &Vector) -> UnitQuaternion<f64> {
    let angle = turn.norm();
    // sin(angle / 2) / angle, which is 1/2 - angle²/48 for small angles: below 1e-4 the next term is below 1e-18.
    let factor = if angle < 1e-4 { 0.5 - angle * angle / 48.0 } else { libm::sin(0.5 * angle) / angle };
    UnitQuaternion::new_normalize(Quaternion::from_parts(libm::cos(0.5 * angle), turn * factor))
}

/// The rotation vector of a rotation: its axis times its angle, which is at most π.
pub(crate) fn rotation_vector(rotation: &UnitQuaternion<f64>) -> Vector {
    let sign = if rotation.w < 0.0 { -1.0 } else { 1.0 };
    let (imaginary, real) = (rotation.imag() * sign, rotation.w * sign);
    let sine = imaginary.norm();
    if sine == 0.0 { Vector::zeros() } else { imaginary * (2.0 * libm::atan2(sine, real) / sine) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_vector_survives() {
        for size in [0.0, 1e-12, 9e-5, 1.1e-4, 0.3, 3.0] {
            let turn = Vector::new(0.6, 0.0, -0.8) * size;
            let back = rotation_vector(&rotation(&turn));
            assert!((back - turn).norm() <= 1e-15 * (1.0 + size), "{turn} gave {back}");
        }
        let quarter = rotation(&(Vector::z() * std::f64::consts::FRAC_PI_2)) * Vector::x();
        assert!((quarter - Vector::y()).norm() < 1e-15);
    }
}
