//! The trait of all geometries.

use crate::{ConvexShape, GeometryError, GeometryKind, Needs, PointSet, Pose, Version};
use palpate_bvh::Tasks;
use palpate_implicit::ImplicitFunction;
use palpate_math::{Aabb, Point};
use std::any::Any;

/// A shape or mesh. Implement it for user-defined geometries and register detectors for their kind.
pub trait Geometry: Any + Send + Sync {
    /// Returns the kind, by which the registry selects a detector.
    fn kind(&self) -> GeometryKind;

    /// Returns a box that contains the geometry (world frame, metres), including its radius; swept over the step if
    /// there is a previous state.
    fn bounds(&self) -> Aabb;

    /// Returns a box that contains the current state alone.
    fn bounds_at_rest(&self) -> Aabb {
        self.bounds()
    }

    /// Returns the version, which counts changes.
    fn version(&self) -> Version;

    /// Updates derived data. The only method that mutates it; no-op if up to date.
    fn prepare(&mut self, _needs: Needs) {}

    /// Like [`prepare`](Self::prepare), on the threads of the caller where the geometry can use them (a mesh, for the
    /// trees of its cells): the same data for any number of them. The default uses none.
    fn prepare_by(&mut self, needs: Needs, _tasks: &dyn Tasks) {
        self.prepare(needs);
    }

    /// Whether the derived data named by `needs` is up to date.
    fn is_prepared(&self, _needs: Needs) -> bool {
        true
    }

    /// Makes the current coordinates the previous ones.
    fn advance(&mut self) {}

    /// Returns the sort key by which two geometries of one kind are ordered when they are bound: sizes first, then
    /// coordinates. Empty (the default) keeps the given order.
    fn content(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Returns the vertices, if the geometry has any.
    fn as_points(&self) -> Option<&PointSet> {
        None
    }

    /// Returns the signed distance or another implicit function, world frame, if the geometry is a solid with one: for signed
    /// distances and for detectors of single points. Where it is the distance is told by [`ImplicitFunction::exactness`]. To be served
    /// by the detectors of implicit bodies, hold one: [`as_implicit_body`](Self::as_implicit_body).
    fn as_implicit(&self) -> Option<&dyn ImplicitFunction> {
        None
    }

    /// Returns the [`ImplicitBody`](crate::ImplicitBody) that a user's geometry holds, if it is to be served by the detectors of implicit
    /// bodies. Anything else that is returned is ignored.
    fn as_implicit_body(&self) -> Option<&dyn Geometry> {
        None
    }

    /// The convex shape, when the geometry is one. A user's shape returns [`ConvexShape::other`].
    fn as_convex(&self) -> Option<ConvexShape<'_>> {
        None
    }

    /// The pose, local to world; `None` when the geometry has none, as a mesh whose coordinates are the world's.
    fn pose(&self) -> Option<Pose> {
        None
    }

    /// The pose at the last [`advance`](Self::advance), if there was one: what continuous detection takes the body to have moved
    /// from, see [`RigidMotion`](crate::RigidMotion). A geometry without one is at rest.
    fn previous_pose(&self) -> Option<Pose> {
        None
    }

    /// Moves a geometry that has a pose. Errors: a coordinate that is not finite, a geometry without a pose.
    fn set_pose(&mut self, _pose: Pose) -> Result<(), GeometryError> {
        Err(GeometryError::NoPose { kind: self.kind() })
    }

    /// World from the geometry's coordinates, for a geometry without a pose that a scene has placed; `None` if these are world
    /// coordinates. [`pick`](crate::pick) and [`signed_distance`](crate::signed_distance()) ask and answer in the world by it;
    /// the methods of a mesh itself are in its own coordinates.
    fn placement(&self) -> Option<Pose> {
        None
    }

    /// Notes where a scene has placed the geometry. A user-defined geometry without a pose keeps it for
    /// [`placement`](Self::placement); the default forgets it.
    fn set_placement(&mut self, _placement: Option<Pose>) {}

    /// Moves the vertices of a geometry that has some, in place. Errors: a list of another length, a coordinate that is not
    /// finite, a geometry without vertices; then nothing is changed.
    fn set_positions(&mut self, _positions: &[Point]) -> Result<(), GeometryError> {
        Err(GeometryError::NoVertices { kind: self.kind() })
    }

    /// As [`set_positions`](Self::set_positions), but may exchange the two lists in place of a copy: what `positions` is afterwards
    /// is not said. After an error it is as before.
    fn swap_positions(&mut self, positions: &mut Vec<Point>) -> Result<(), GeometryError> {
        self.set_positions(positions)
    }

    /// A clone behind the trait; `None` (the default) when the type cannot be cloned.
    fn try_clone(&self) -> Option<Box<dyn Geometry>> {
        None
    }

    /// Makes this geometry a copy of `source` moved by a rigid motion, without a previous state and without the heap; derived
    /// data is that of the moved one after [`prepare`](Self::prepare). Returns `false`, and may leave `self` half moved, if
    /// `source` differs in more than coordinates: then [clone](Self::try_clone) it again and move the clone.
    fn copy_moved(&mut self, _source: &dyn Geometry, _motion: &Pose) -> bool {
        false
    }

    /// Gives a [moved copy](Self::copy_moved) the previous state of `source` (the current one if it has none), moved by a rigid
    /// motion of its own: for continuous detection. The default keeps the copy at rest.
    fn copy_previous_moved(&mut self, _source: &dyn Geometry, _motion: &Pose) {}
}

/// `geometry` as the concrete type `T`, if it is one.
pub fn downcast<T: Geometry>(geometry: &dyn Geometry) -> Option<&T> {
    let any: &dyn Any = geometry;
    any.downcast_ref()
}
