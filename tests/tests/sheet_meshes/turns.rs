//! Turns and directions.

use nalgebra::{UnitQuaternion, UnitVector3};
use palpate_math::Vector;
use palpate_tests::Random;

/// A unit vector at a right angle to another.
pub(crate) fn across(direction: &Vector) -> Vector {
    let axis = if direction.x.abs() < 0.6 { Vector::x() } else { Vector::y() };
    direction.cross(&axis).normalize()
}

/// A turn of local +y to a direction, by any angle about it.
pub(crate) fn turn_to(direction: &Vector, random: &mut Random) -> UnitQuaternion<f64> {
    let half_turn = || UnitQuaternion::from_axis_angle(&Vector::x_axis(), std::f64::consts::PI);
    let turn = UnitQuaternion::rotation_between(&Vector::y(), direction).unwrap_or_else(half_turn);
    turn * UnitQuaternion::from_axis_angle(&Vector::y_axis(), random.between(-3.0, 3.0))
}

/// A direction tilted by up to `most` radians, to any side; and the angle.
pub(crate) fn tilted(direction: &Vector, most: f64, random: &mut Random) -> (Vector, f64) {
    let angle = random.between(0.0, most);
    let first = across(direction);
    let turn = UnitQuaternion::from_axis_angle(
        &UnitVector3::new_normalize(*direction),
        random.between(0.0, std::f64::consts::TAU),
    );
    let tilt = UnitQuaternion::from_axis_angle(&UnitVector3::new_normalize(turn * first), angle);
    (tilt * direction, angle)
}
