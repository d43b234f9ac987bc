//! A geometry as its concrete type.

use palpate_geometry::Geometry;
use std::any::Any;

/// The geometry as the concrete type `T`, when it is one: what [`Port::view`] of a concrete kind returns.
pub fn downcast<T: Geometry>(geometry: &dyn Geometry) -> Option<&T> {
    let any: &dyn Any = geometry;
    any.downcast_ref()
}
