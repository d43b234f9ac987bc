//! Downcast of a geometry to its concrete type.

use palpate_geometry::Geometry;
use std::any::Any;

/// Returns the geometry as the concrete type `T`, if it is one; [`Port::view`] of a concrete kind returns this.
pub fn downcast<T: Geometry>(geometry: &dyn Geometry) -> Option<&T> {
    let any: &dyn Any = geometry;
    any.downcast_ref()
}
