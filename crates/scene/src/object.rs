//! A geometry of a scene, with the pose at which the scene places it.

use crate::Groups;
use crate::body::Body;
use palpate_geometry::{GeometryError, Pose, RigidMotion, Version, pose};
use palpate_math::{Aabb, Point, Vector};

/// A geometry with its name, its groups and its frame.
pub(crate) struct Object {
    pub(crate) name: String,
    pub(crate) groups: Groups,
    pub(crate) user_data: u64,
    pub(crate) geometry: Body,
    /// The frame of a geometry that has no pose of its own and was placed.
    pub(crate) frame: Option<Frame>,
    /// How often it may have changed without a new version.
    pub(crate) changes: u64,
    /// The state that the last [`advance`](Self::advance) made the previous one.
    pub(crate) advanced: Option<State>,
    /// Its state and bounding box when it fell asleep; `None` awake.
    asleep: Option<(State, Aabb)>,
}

/// Identifies the current and the previous state of an object: equal only if neither has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State {
    version: Version,
    changes: u64,
}

/// World from geometry, for the current and the previous step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) pose: Pose,
    pub(crate) previous: Option<Pose>,
}

impl Object {
    pub(crate) fn new(name: String, mut geometry: Body, groups: Groups) -> Self {
        // A clone of a geometry that was placed elsewhere is not placed here.
        if let Some(own) = geometry.own_mut() {
            own.set_placement(None);
        }
        Self { name, groups, user_data: 0, geometry, frame: None, changes: 0, advanced: None, asleep: None }
    }

    /// World from the geometry's coordinates; `None` if these are world coordinates.
    pub(crate) fn placement(&self) -> Option<Pose> {
        self.frame.map(|frame| frame.pose)
    }

    /// The same in the previous step.
    pub(crate) fn previous_placement(&self) -> Option<Pose> {
        self.frame.map(|frame| frame.previous.unwrap_or(frame.pose))
    }

    /// The pose of the geometry itself, or the pose at which the scene places it.
    pub(crate) fn pose(&self) -> Pose {
        self.geometry.pose().or(self.placement()).unwrap_or_else(Pose::identity)
    }

    /// Identifies its state, asleep the one in which it fell asleep; `None` for a geometry of another scene.
    pub(crate) fn state(&self) -> Option<State> {
        self.asleep.map(|(state, _)| state).or_else(|| self.own_state())
    }

    fn own_state(&self) -> Option<State> {
        self.geometry.is_own().then(|| State { version: self.geometry.version(), changes: self.changes })
    }

    /// Moves a geometry that is the scene's own. To the pose that it has is no change.
    pub(crate) fn set_pose(&mut self, pose: Pose) -> Result<(), GeometryError> {
        if self.geometry.pose().or(self.placement()) == Some(pose) {
            return Ok(());
        }
        self.changes += 1;
        let with_pose = self.geometry.own_mut().filter(|geometry| geometry.pose().is_some());
        if let Some(geometry) = with_pose {
            return geometry.set_pose(pose);
        }
        pose::check(&pose)?;
        let previous = self.frame.and_then(|frame| frame.previous);
        self.frame = Some(Frame { pose, previous });
        if let Some(own) = self.geometry.own_mut() {
            own.set_placement(Some(pose));
        }
        Ok(())
    }

    pub(crate) fn advance(&mut self) {
        let Some(geometry) = self.geometry.own_mut() else { return };
        geometry.advance();
        if let Some(frame) = &mut self.frame {
            frame.previous = Some(frame.pose);
        }
        if self.advanced != self.state() {
            self.changes += 1;
            self.advanced = self.state();
        }
    }

    pub(crate) fn is_asleep(&self) -> bool {
        self.asleep.is_some()
    }

    /// Falls asleep in its present state, at rest, or wakes.
    pub(crate) fn set_asleep(&mut self, is_asleep: bool) {
        self.asleep = None;
        if is_asleep {
            self.advance();
            let bounds = self.bounds();
            self.asleep = self.own_state().map(|state| (state, bounds));
        }
    }

    /// The bounding box in the world, swept over the step; asleep also that in which it fell asleep. Cost: constant if the geometry
    /// stores its box.
    pub(crate) fn bounds(&self) -> Aabb {
        let now = self.bounds_now();
        self.asleep.map_or(now, |(_, then)| now.merged(&then))
    }

    fn bounds_now(&self) -> Aabb {
        let own = self.geometry.bounds();
        let Some(frame) = &self.frame else { return own };
        let bounds = |pose: &Pose| moved(&own, pose);
        match &frame.previous {
            Some(previous) => RigidMotion::new(previous, &frame.pose).swept(bounds),
            None => bounds(&frame.pose),
        }
    }
}

/// A box that contains a moved box; unbounded for an unbounded box.
fn moved(bounds: &Aabb, pose: &Pose) -> Aabb {
    if bounds.is_empty() {
        return *bounds;
    }
    let (center, half) = (bounds.center(), bounds.size() * 0.5);
    if !center.iter().chain(half.iter()).all(|coordinate| coordinate.is_finite()) {
        return Aabb::ALL;
    }
    let center: Point = pose * center;
    let half: Vector = pose.rotation.to_rotation_matrix().matrix().abs() * half;
    Aabb { min: center - half, max: center + half }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Translation3, UnitQuaternion};

    #[test]
    fn a_moved_box_contains_the_moved_corners_and_is_tight() {
        let bounds = Aabb { min: Point::new(-1.0, 0.0, 2.0), max: Point::new(3.0, 0.5, 2.5) };
        let rotation = UnitQuaternion::from_euler_angles(0.3, -1.1, 2.0);
        let pose = Pose::from_parts(Translation3::new(5.0, -2.0, 1.0), rotation);
        let exact = Aabb::from_points(bounds.corners().map(|corner| pose * corner));
        let found = moved(&bounds, &pose);
        assert!((found.min - exact.min).amax() < 1e-14 && (found.max - exact.max).amax() < 1e-14);
        assert!(moved(&Aabb::EMPTY, &pose).is_empty());
        assert_eq!(moved(&Aabb::ALL, &pose), Aabb::ALL);
    }
}
