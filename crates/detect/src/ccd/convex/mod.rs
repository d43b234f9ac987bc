//! Continuous detection of convex bodies that move and turn.
//!
//! ```text
//! poses of both ends ──► MovingBody ──► advancement ──► first impact ──► contact
//! ```
//!
//! A body moves as [`RigidMotion`](palpate_geometry::RigidMotion) says; the vertices of a mesh move at constant velocity.

mod advancement;
pub(crate) mod convex_convex_ccd;
mod element_impacts;
pub(crate) mod line_mesh_convex_ccd;
pub(crate) mod moving_body;
mod moving_element;
pub(crate) mod plane_convex_ccd;
pub(crate) mod point_set_convex_ccd;
pub(crate) mod surface_mesh_convex_ccd;
