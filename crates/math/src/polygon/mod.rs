//! Triangulation of (nearly) planar polygons in space.

mod clipping;
mod corner_tree;
mod triangulated;

pub use triangulated::triangulated;
