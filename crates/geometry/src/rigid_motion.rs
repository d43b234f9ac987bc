//! Motion of a rigid body over a step.

use crate::Pose;
use nalgebra::{Quaternion, Translation3, UnitQuaternion};
use palpate_math::{Aabb, Point, Vector};

/// The motion of a body from its previous pose (time 0) to its current one (time 1).
///
/// The origin of the pose moves on a straight line at constant velocity. The body turns about that origin at a constant
/// angular velocity about one axis, by the smaller of the two angles: at most half a turn. Of half a turn the two poses do
/// not tell the sense; then it is about the axis whose first component that is not 0 is positive (world frame). A body
/// that turns farther in a step needs shorter steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    previous: Pose,
    current: Pose,
    axis: Vector,
    angle: f64,
}

/// A turn by less than this, in radians, is rounding: a point of the body moves by less than the rounding of a coordinate
/// of its size.
const NO_TURN: f64 = 4.0 * f64::EPSILON;

impl RigidMotion {
    /// Creates the motion between two poses.
    pub fn new(previous: &Pose, current: &Pose) -> Self {
        let (axis, angle) = turn(&previous.rotation, &current.rotation);
        Self { previous: *previous, current: *current, axis, angle }
    }

    /// Creates the motion of a body at rest.
    pub fn at_rest(pose: &Pose) -> Self {
        Self { previous: *pose, current: *pose, axis: Vector::y(), angle: 0.0 }
    }

    /// Returns the pose at `time`, 0 to 1; at 0 and 1 exactly the two poses.
    pub fn at(&self, time: f64) -> Pose {
        match time {
            0.0 => self.previous,
            1.0 => self.current,
            _ => Pose::from_parts(Translation3::from(self.origin(time)), self.rotation(time)),
        }
    }

    /// Returns the origin of the pose at `time`, metres.
    pub fn origin(&self, time: f64) -> Vector {
        self.previous.translation.vector * (1.0 - time) + self.current.translation.vector * time
    }

    /// Returns the rotation at `time`; at 0 and 1 exactly those of the two poses.
    pub fn rotation(&self, time: f64) -> UnitQuaternion<f64> {
        if self.angle == 0.0 || time == 1.0 {
            return self.current.rotation;
        }
        if time == 0.0 {
            return self.previous.rotation;
        }
        let (sin, cos) = libm::sincos(0.5 * self.angle * time);
        let part = Quaternion::from_parts(cos, self.axis * sin);
        UnitQuaternion::new_unchecked(part * self.previous.rotation.into_inner())
    }

    /// Returns the pose at time 0.
    pub fn previous(&self) -> &Pose {
        &self.previous
    }

    /// Returns the pose at time 1.
    pub fn current(&self) -> &Pose {
        &self.current
    }

    /// Returns the unit axis of the rotation, world frame; arbitrary if the angle is 0.
    pub fn axis(&self) -> Vector {
        self.axis
    }

    /// Returns the angle of the rotation over the step, radians, 0 to π.
    pub fn rotation_angle(&self) -> f64 {
        self.angle
    }

    /// Returns the velocity of the point of the body that is at `point` at `time`, metres per step.
    pub fn velocity(&self, point: &Point, time: f64) -> Vector {
        let straight = self.current.translation.vector - self.previous.translation.vector;
        straight + (self.axis * self.angle).cross(&(point.coords - self.origin(time)))
    }

    /// Returns a box that contains the body throughout the motion, given the box at a pose. Where it turns it is larger
    /// than the box of both poses by how far an arc can be off its chord.
    pub fn swept(&self, bounds: impl Fn(&Pose) -> Aabb) -> Aabb {
        let (previous, current) = (bounds(&self.previous), bounds(&self.current));
        let merged = current.merged(&previous);
        if self.angle == 0.0 {
            return merged;
        }
        let farthest = |bounds: &Aabb, pose: &Pose| {
            let origin = pose.translation.vector;
            (bounds.max.coords - origin).abs().sup(&(bounds.min.coords - origin).abs()).norm()
        };
        let radius = farthest(&previous, &self.previous).min(farthest(&current, &self.current));
        // How far a path is off the straight one at the same time: its second derivative is the radius times the square of
        // the angle.
        let bow = radius * (self.angle * self.angle * 0.125) * (1.0 + 8.0 * f64::EPSILON);
        if bow.is_finite() { merged.grown(bow) } else { merged }
    }
}

/// Returns the axis and the angle of the shorter rotation from one to the other.
fn turn(previous: &UnitQuaternion<f64>, current: &UnitQuaternion<f64>) -> (Vector, f64) {
    if previous == current {
        return (Vector::y(), 0.0);
    }
    let between = current.into_inner() * previous.conjugate().into_inner();
    let first = between.imag().iter().copied().find(|component| *component != 0.0).unwrap_or(0.0);
    let reversed = between.w < 0.0 || between.w == 0.0 && first < 0.0;
    let (cos, way) = if reversed { (-between.w, -between.imag()) } else { (between.w, between.imag()) };
    let sin = way.norm();
    let angle = 2.0 * libm::atan2(sin, cos);
    if angle > NO_TURN { (way / sin, angle) } else { (Vector::y(), 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::{from_wxyz, rotation_from_axis};
    use std::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn a_quarter_turn_is_halved_and_the_origin_moves_straight() {
        let end = Pose::new(Vector::new(2.0, 0.0, 4.0), Vector::z() * FRAC_PI_2);
        let motion = RigidMotion::new(&Pose::identity(), &end);
        assert!(
            (motion.rotation_angle() - FRAC_PI_2).abs() < 1e-15
                && (motion.axis() - Vector::z()).norm() < 1e-15
        );
        let middle = motion.at(0.5);
        assert_eq!(middle.translation.vector, Vector::new(1.0, 0.0, 2.0));
        let diagonal = middle.rotation * Vector::x() - Vector::new(0.5_f64.sqrt(), 0.5_f64.sqrt(), 0.0);
        assert!(diagonal.norm() < 1e-15);
        assert_eq!((motion.at(0.0), motion.at(1.0)), (Pose::identity(), end));
    }

    #[test]
    fn the_smaller_angle_is_taken_and_half_a_turn_is_about_the_positive_axis() {
        let three_quarters = Pose::new(Vector::zeros(), Vector::y() * (1.5 * PI));
        let motion = RigidMotion::new(&Pose::identity(), &three_quarters);
        assert!(
            (motion.rotation_angle() - FRAC_PI_2).abs() < 1e-15
                && (motion.axis() + Vector::y()).norm() < 1e-15
        );
        for sign in [1.0, -1.0] {
            let half = from_wxyz(Point::origin(), [0.0, 0.0, sign, 0.0]).unwrap();
            let motion = RigidMotion::new(&Pose::identity(), &half);
            assert_eq!((motion.axis(), motion.rotation_angle()), (Vector::y(), PI));
        }
    }

    #[test]
    fn rounding_and_the_sign_of_a_quaternion_turn_nothing() {
        let rotation = rotation_from_axis(Vector::new(0.3, 0.4, -2.0)).unwrap();
        let negated = UnitQuaternion::new_unchecked(-rotation.into_inner());
        let poses = [rotation, negated].map(|rotation| Pose::from_parts(Translation3::identity(), rotation));
        assert_eq!(RigidMotion::new(&poses[0], &poses[1]).rotation_angle(), 0.0);
        assert_eq!(RigidMotion::at_rest(&poses[0]).at(0.25), poses[0]);
    }

    #[test]
    fn the_velocity_is_the_derivative() {
        let [previous, current] = [[0.3, -0.2, 1.1], [-0.7, 0.9, 0.4]]
            .map(|turn| Pose::new(Vector::from(turn) * 2.0, Vector::from(turn)));
        let motion = RigidMotion::new(&previous, &current);
        let own = Point::new(0.4, -0.8, 0.6);
        let step = 1.0 / 1024.0;
        let [before, now, after] = [0.5 - step, 0.5, 0.5 + step].map(|time| motion.at(time) * own);
        let wanted = (after - before) / (2.0 * step);
        assert!((motion.velocity(&now, 0.5) - wanted).norm() < 1e-5);
    }

    #[test]
    fn the_swept_box_contains_the_arc_of_a_rod() {
        // Half a turn: at both ends the rod lies along x, and between it reaches to z = ±1.
        let rod = |pose: &Pose| {
            let ends = [-1.0, 1.0].map(|x| pose * Point::new(x, 0.0, 0.0));
            Aabb::from_points(ends)
        };
        let end = Pose::new(Vector::new(0.0, 3.0, 0.0), Vector::y() * PI);
        let motion = RigidMotion::new(&Pose::identity(), &end);
        let swept = motion.swept(rod);
        let mut deepest = 0.0_f64;
        for k in 0..=1000 {
            let place = rod(&motion.at(f64::from(k) / 1000.0));
            assert!(swept.contains_point(&place.min) && swept.contains_point(&place.max));
            deepest = deepest.max(place.max.z);
        }
        assert!(deepest > 0.999 && swept.max.z < 1.25);
    }
}
