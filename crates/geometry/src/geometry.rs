//! The trait of all geometries.

use crate::{GeometryKind, Implicit, Needs, PointSet, Version};
use palpate_convex::SupportMap;
use palpate_math::Aabb;
use std::any::Any;

/// A shape or mesh. Implement it for user-defined geometries and register detectors for their kind.
pub trait Geometry: Any + Send + Sync {
    /// Returns the kind, by which the registry selects a detector.
    fn kind(&self) -> GeometryKind;

    /// Returns a box that contains the geometry (world frame, metres), including its radius; swept over the step if
    /// there is a previous state.
    fn bounds(&self) -> Aabb;

    /// Returns the version, which counts changes.
    fn version(&self) -> Version;

    /// Updates derived data. The only method that mutates it; no-op if up to date.
    fn prepare(&mut self, _needs: Needs) {}

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

    /// Returns the signed distance function, if the geometry is a solid with one.
    fn as_implicit(&self) -> Option<&dyn Implicit> {
        None
    }

    /// Returns the support map, if the geometry is convex.
    fn as_convex(&self) -> Option<&dyn SupportMap> {
        None
    }
}
