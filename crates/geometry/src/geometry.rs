//! What the framework knows of every geometry.

use crate::{GeometryKind, Implicit, Needs, PointSet, Version};
use palpate_convex::SupportMap;
use palpate_math::Aabb;
use std::any::Any;

/// A shape or mesh. Implement it for a geometry of your own and register detectors for its kind.
pub trait Geometry: Any + Send + Sync {
    /// The kind, by which the registry finds a detector.
    fn kind(&self) -> GeometryKind;

    /// A box that contains the geometry (world frame, metres), its radius included; swept over the step when there is a
    /// previous state.
    fn bounds(&self) -> Aabb;

    /// Counts the changes.
    fn version(&self) -> Version;

    /// Brings derived data up to date. The only place that mutates it; does nothing when it is up to date.
    fn prepare(&mut self, _needs: Needs) {}

    /// Whether the derived data named by `needs` is up to date.
    fn is_prepared(&self, _needs: Needs) -> bool {
        true
    }

    /// The current coordinates become the previous ones.
    fn advance(&mut self) {}

    /// The numbers by which two geometries of one kind are put in order when they are bound: sizes first, then
    /// coordinates. Empty (the default) keeps them as given.
    fn content(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The vertices, when the geometry has some.
    fn as_points(&self) -> Option<&PointSet> {
        None
    }

    /// The signed distance function, when the geometry is a solid that has one.
    fn as_implicit(&self) -> Option<&dyn Implicit> {
        None
    }

    /// The support map, when the geometry is convex.
    fn as_convex(&self) -> Option<&dyn SupportMap> {
        None
    }
}
