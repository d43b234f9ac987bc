//! Moving geometries by id, whatever they are.

use crate::{GeometryId, Scene, SceneError};
use palpate_geometry::{Geometry, GeometryError, Pose};
use palpate_math::Point;

impl Scene {
    /// Moves a geometry to a pose, local to world. A shape, a hull or an implicit body takes it as its own. A mesh, a point set, a
    /// compound or a geometry of a user's own that has no pose is *placed*: its coordinates, its tree and its normals stay as they
    /// are, in its own frame, and its contacts are reported in the world. [`geometry`](Self::geometry) returns it in its own
    /// frame; [`to_world`](Self::to_world) takes a point of it to the world. Errors: an id of another scene, a position that is not
    /// finite.
    ///
    /// Cost: constant. In a step, a pair with a placed geometry moves a copy of the other geometry (of two meshes, the one with
    /// fewer vertices) into its frame: constant for a shape, linear in the vertices of a mesh.
    pub fn set_pose(&mut self, id: GeometryId, pose: Pose) -> Result<(), SceneError> {
        let moved = self.object_mut(id)?.set_pose(pose);
        moved.map_err(|reason| self.not_moved(id, reason))
    }

    /// The pose of a geometry, local to world: its own, or the one it is placed at. The identity for a mesh that was never placed.
    /// Errors: an id of another scene.
    pub fn pose(&self, id: GeometryId) -> Result<Pose, SceneError> {
        Ok(self.object(id)?.pose())
    }

    /// The pose at which the scene places a geometry that has none of its own; `None` when its coordinates are the world's.
    /// Errors: an id of another scene.
    pub fn placement(&self, id: GeometryId) -> Result<Option<Pose>, SceneError> {
        Ok(self.object(id)?.placement())
    }

    /// A point given in a geometry's coordinates, in the world: the point itself, unless the scene
    /// [places](Self::set_pose) the geometry. Errors: an id of another scene.
    pub fn to_world(&self, id: GeometryId, point: &Point) -> Result<Point, SceneError> {
        Ok(self.object(id)?.placement().map_or(*point, |pose| pose * point))
    }

    /// Moves the vertices of a mesh or a point set in place. Errors: an id of another scene, a geometry without vertices, a list
    /// of another length, a coordinate that is not finite; then nothing is changed.
    pub fn set_positions(&mut self, id: GeometryId, positions: &[Point]) -> Result<(), SceneError> {
        let moved = self.object_mut(id)?.geometry.set_positions(positions);
        moved.map_err(|reason| self.not_moved(id, reason))
    }

    /// A geometry whose type is known only at run time, to be moved or deformed; the next step sees the change. Errors: an id of
    /// another scene.
    pub fn geometry_dyn_mut(&mut self, id: GeometryId) -> Result<&mut dyn Geometry, SceneError> {
        Ok(&mut *self.object_mut(id)?.geometry)
    }

    /// The number that a caller keeps with a geometry; 0 unless it was set. Errors: an id of another scene.
    pub fn user_data(&self, id: GeometryId) -> Result<u64, SceneError> {
        Ok(self.object(id)?.user_data)
    }

    /// Keeps a number with a geometry: an index or a handle of the caller's. Errors: an id of another scene.
    pub fn set_user_data(&mut self, id: GeometryId, user_data: u64) -> Result<(), SceneError> {
        self.object_mut(id)?.user_data = user_data;
        Ok(())
    }

    fn not_moved(&self, id: GeometryId, reason: GeometryError) -> SceneError {
        let name = self.name(id).unwrap_or_default().to_owned();
        SceneError::NotMoved { name, reason }
    }
}
