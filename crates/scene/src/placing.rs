//! Poses and positions of geometries of any type, set by id.

use crate::{GeometryId, Scene, SceneError};
use palpate_geometry::{Geometry, GeometryError, Pose};
use palpate_math::Point;

impl Scene {
    /// Moves a geometry to a pose, local to world; to the pose that it has is no change. A shape, a hull or an implicit body stores the pose itself. A mesh,
    /// a point set, a compound or a user-defined geometry without a pose is *placed*: its coordinates, tree and normals
    /// stay unchanged in its local frame, and its contacts are reported in the world frame.
    /// [`geometry`](Self::geometry) returns it in its local frame; [`to_world`](Self::to_world) transforms a point to
    /// the world frame. Errors: an id of another scene, a pose that is not [valid](palpate_geometry::pose::check), a geometry
    /// [shared](Self::add_shared) by another scene.
    ///
    /// Cost: constant. In a step, a pair with a placed geometry moves a copy of the other geometry (of two meshes, the
    /// one with fewer vertices) into its frame: constant cost for a shape, linear in the vertices of a mesh.
    pub fn set_pose(&mut self, id: GeometryId, pose: Pose) -> Result<(), SceneError> {
        let moved = self.own_object(id)?.set_pose(pose);
        moved.map_err(|reason| self.not_moved(id, reason))
    }

    /// The pose of a geometry, local to world: its own, or the one at which it is placed. The identity for a mesh that
    /// was never placed. Errors: an id of another scene.
    pub fn pose(&self, id: GeometryId) -> Result<Pose, SceneError> {
        Ok(self.object(id)?.pose())
    }

    /// The pose at which the scene places a geometry that has no pose of its own; `None` if its coordinates are world
    /// coordinates. Errors: an id of another scene.
    pub fn placement(&self, id: GeometryId) -> Result<Option<Pose>, SceneError> {
        Ok(self.object(id)?.placement())
    }

    /// Transforms a point from a geometry's coordinates to the world frame: the same point, unless the scene
    /// [places](Self::set_pose) the geometry. Errors: an id of another scene.
    pub fn to_world(&self, id: GeometryId, point: &Point) -> Result<Point, SceneError> {
        Ok(self.object(id)?.placement().map_or(*point, |pose| pose * point))
    }

    /// Moves the vertices of a mesh or a point set in place. Errors: an id of another scene, a geometry without
    /// vertices or [shared](Self::add_shared) by another scene, a list of the wrong length, a coordinate that is not
    /// finite; nothing is changed then.
    pub fn set_positions(&mut self, id: GeometryId, positions: &[Point]) -> Result<(), SceneError> {
        let moved = self.own_mut(id)?.set_positions(positions);
        moved.map_err(|reason| self.not_moved(id, reason))
    }

    /// As [`set_positions`](Self::set_positions), but may exchange the list for the geometry's own in place of a copy: what
    /// `positions` is afterwards is not said. After an error it is as before.
    pub fn swap_positions(&mut self, id: GeometryId, positions: &mut Vec<Point>) -> Result<(), SceneError> {
        let moved = self.own_mut(id)?.swap_positions(positions);
        moved.map_err(|reason| self.not_moved(id, reason))
    }

    /// Mutable access to a geometry whose type is known only at run time; the next step uses the change. Errors: an id
    /// of another scene, a geometry [shared](Self::add_shared) by another scene.
    pub fn geometry_dyn_mut(&mut self, id: GeometryId) -> Result<&mut dyn Geometry, SceneError> {
        self.own_mut(id)
    }

    /// Says that a geometry rests (`true`) or that it may move again: for a host whose solver lets bodies sleep, and may still move
    /// them by its rounding. A pair of which both geometries sleep, or one does and the other has not changed, keeps its contacts
    /// and is not looked at, wherever the sleeping ones are moved meanwhile: it neither begins nor ends. A pair with one that is awake
    /// and moves is searched as always, with the sleeping one where it is. When a geometry falls asleep, its present state becomes
    /// its previous one; said again, its present state counts. Asleep or not is part of what [`save`](Self::save) keeps; the geometry
    /// counts as fallen asleep then. Errors: an id of another scene, a geometry [shared](Self::add_shared) by another scene.
    pub fn set_asleep(&mut self, id: GeometryId, is_asleep: bool) -> Result<(), SceneError> {
        self.own_object(id)?.set_asleep(is_asleep);
        Ok(())
    }

    /// Whether a geometry was said to be [asleep](Self::set_asleep). Errors: an id of another scene.
    pub fn is_asleep(&self, id: GeometryId) -> Result<bool, SceneError> {
        Ok(self.object(id)?.is_asleep())
    }

    /// The user data of a geometry; 0 by default. Errors: an id of another scene.
    pub fn user_data(&self, id: GeometryId) -> Result<u64, SceneError> {
        Ok(self.object(id)?.user_data)
    }

    /// Sets the user data of a geometry, for example an index or a handle of the caller. Errors: an id of another scene.
    pub fn set_user_data(&mut self, id: GeometryId, user_data: u64) -> Result<(), SceneError> {
        self.object_mut(id)?.user_data = user_data;
        Ok(())
    }

    fn not_moved(&self, id: GeometryId, reason: GeometryError) -> SceneError {
        let name = self.name(id).unwrap_or_default().to_owned();
        SceneError::NotMoved { name, reason }
    }
}
