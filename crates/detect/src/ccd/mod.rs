//! Continuous detection of meshes: first contacts of the motion between the previous and the current state.
//!
//! ```text
//! swept trees ──► candidates (pairs of elements) ──► kernel of palpate-math ──► contact at impact ──► one per pair of elements
//! ```
//!
//! Every vertex moves from its previous position to its current one at constant velocity; a mesh without a previous
//! state is at rest. Bodies that have poses are in `convex`, and
//! what moves against an implicit body in `implicit`.

mod candidates;
mod contact;
pub(crate) mod convex;
mod elements;
mod emit_once;
mod impacts;
pub(crate) mod implicit;
pub(crate) mod line_mesh_line_mesh_ccd;
pub(crate) mod line_mesh_surface_mesh_ccd;
pub(crate) mod moving;
pub(crate) mod point_set_line_mesh_ccd;
pub(crate) mod point_set_point_set_ccd;
pub(crate) mod point_set_surface_mesh_ccd;
pub(crate) mod surface_mesh_surface_mesh_ccd;
