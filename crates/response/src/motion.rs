//! The prescribed motion of a body.

use crate::rotation::{rotation, rotation_vector};
use nalgebra::Isometry3;
use palpate_math::{Point, Vector};

/// The velocity of a body that is moved by the caller: a tool, a conveyor, the wall of a beating organ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// A point of the body now, at the end of the step; world frame.
    pub center: Point,
    /// The velocity of that point, metres per second.
    pub velocity: Vector,
    /// The angular velocity, radians per second, world frame.
    pub spin: Vector,
}

impl Motion {
    /// No motion.
    pub const REST: Self = Self {
        center: Point::new(0.0, 0.0, 0.0),
        velocity: Vector::new(0.0, 0.0, 0.0),
        spin: Vector::new(0.0, 0.0, 0.0),
    };

    /// A motion without rotation.
    pub const fn translation(velocity: Vector) -> Self {
        Self { velocity, ..Self::REST }
    }

    /// The motion from one pose to another within `step` seconds, by a rotation of at most half a turn.
    pub fn between(previous: &Isometry3<f64>, current: &Isometry3<f64>, step: f64) -> Self {
        let velocity = (current.translation.vector - previous.translation.vector) / step;
        let spin = rotation_vector(&(current.rotation * previous.rotation.inverse())) / step;
        Self { center: current.translation.vector.into(), velocity, spin }
    }

    /// The velocity of the body at a point, metres per second.
    pub fn velocity_at(&self, point: &Point) -> Vector {
        self.velocity + self.spin.cross(&(point - self.center))
    }

    /// The displacement within the last `step` seconds of the material point that is now at `point`, metres: exact for a
    /// constant spin about the moving centre.
    pub fn displacement_at(&self, point: &Point, step: f64) -> Vector {
        let lever = point - self.center;
        let before = rotation(&(self.spin * -step)) * lever;
        self.velocity * step + (lever - before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Translation3;

    #[test]
    fn the_displacement_between_two_poses_is_exact() {
        let previous =
            Isometry3::from_parts(Translation3::new(1.0, 2.0, 3.0), rotation(&Vector::new(0.4, -1.0, 0.3)));
        let current =
            Isometry3::from_parts(Translation3::new(1.5, 1.0, 3.25), rotation(&Vector::new(-0.2, 0.5, 1.1)));
        let local = Point::new(0.3, -0.7, 0.2);
        let motion = Motion::between(&previous, &current, 0.01);
        let moved = motion.displacement_at(&(current * local), 0.01);
        assert!((moved - (current * local - previous * local)).norm() < 1e-14);
        assert_eq!(Motion::REST.displacement_at(&local, 1.0), Vector::zeros());
    }

    #[test]
    fn the_velocity_of_a_turning_body_is_perpendicular_to_the_lever() {
        let motion = Motion { spin: Vector::z() * 2.0, ..Motion::translation(Vector::x()) };
        assert_eq!(motion.velocity_at(&Point::new(3.0, 0.0, 5.0)), Vector::new(1.0, 6.0, 0.0));
    }
}
