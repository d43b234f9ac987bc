//! The motion of a rigid body in a step.

use crate::rotation::{rotation, rotation_vector};
use nalgebra::{Isometry3, Matrix3, Translation3};
use palpate_math::{Point, Vector};

/// The rotation and the translation of a body, world from body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) rotation: Matrix3<f64>,
    pub(super) origin: Point,
}

impl Place {
    pub(super) fn of(pose: &Isometry3<f64>) -> Self {
        let rotation = pose.rotation.to_rotation_matrix().into_inner();
        Self { rotation, origin: pose.translation.vector.into() }
    }

    pub(super) fn point(&self, local: &Point) -> Point {
        self.origin + self.rotation * local.coords
    }
}

/// A rigid body: how far it is moved and turned from its pose at the start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rigid {
    pub(super) start_pose: Isometry3<f64>,
    pub(super) wanted: Isometry3<f64>,
    pub(super) pose: Isometry3<f64>,
    pub(super) start: Place,
    pub(super) end: Place,
    /// Metres, and a rotation vector in radians, about the origin of the body; of the wanted motion and of the present one.
    pub(super) wanted_way: [Vector; 2],
    pub(super) way: [Vector; 2],
    pub(super) is_tool: bool,
}

impl Rigid {
    pub(super) fn new(start: &Isometry3<f64>, end: &Isometry3<f64>) -> Self {
        let shift = end.translation.vector - start.translation.vector;
        let turn = if end.rotation == start.rotation {
            Vector::zeros()
        } else {
            rotation_vector(&(end.rotation * start.rotation.inverse()))
        };
        Self {
            start_pose: *start,
            wanted: *end,
            pose: *end,
            start: Place::of(start),
            end: Place::of(end),
            wanted_way: [shift, turn],
            way: [shift, turn],
            is_tool: false,
        }
    }

    pub(super) fn is_unmoved(&self) -> bool {
        self.way == [Vector::zeros(); 2]
    }

    /// The pose after a part of the motion.
    fn after(&self, [shift, turn]: [Vector; 2]) -> Isometry3<f64> {
        if turn == Vector::zeros() && shift == Vector::zeros() {
            return self.start_pose;
        }
        let translation = Translation3::from(self.start_pose.translation.vector + shift);
        Isometry3::from_parts(translation, rotation(&turn) * self.start_pose.rotation)
    }

    pub(super) fn place_after(&self, way: [Vector; 2]) -> Place {
        Place::of(&self.after(way))
    }

    pub(super) fn set(&mut self, way: [Vector; 2]) {
        self.way = way;
        self.pose = self.after(way);
        self.end = Place::of(&self.pose);
    }

    /// A bound on the displacement of a point at this distance from the origin of the body: the chord of an angle is no longer
    /// than its arc, nor than twice the radius.
    pub(super) fn reach(&self, radius: f64) -> f64 {
        let [shift, turn] = self.wanted_way;
        shift.norm() + turn.norm().min(2.0) * radius
    }
}
