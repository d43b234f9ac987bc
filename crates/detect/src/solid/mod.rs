//! Shared parts of solid-solid detectors: vertices, edges and faces of one surface inside the other.

mod chords;
pub(crate) mod corner_exit;
pub(crate) mod edge_exit;
mod edges_beside;
mod sheet_faces;
pub(crate) mod skin;
pub(crate) mod solid_edges;
pub(crate) mod solid_features;
mod straight_border;
