//! Continuous detection against implicit bodies: in the frame of the body, by steps that its Lipschitz constant bounds
//! and, if it is convex, the line through two values.
//!
//! ```text
//! path relative to the body ──► lowest value at a time ──► step in which it cannot fall to the level ──► first impact
//! ```

mod element_contacts;
pub(crate) mod implicit_convex_ccd;
pub(crate) mod implicit_line_mesh_ccd;
pub(crate) mod implicit_point_set_ccd;
pub(crate) mod implicit_surface_mesh_ccd;
mod lowest_value;
mod path;
