//! Pairs with an implicit body.

mod face_manifold;
mod implicit_approach;
pub(crate) mod implicit_capsule;
pub(crate) mod implicit_contact;
pub(crate) mod implicit_convex;
pub(crate) mod implicit_implicit;
pub(crate) mod implicit_inside;
pub(crate) mod implicit_line_mesh;
mod implicit_outside;
pub(crate) mod implicit_plane;
pub(crate) mod implicit_point_set;
pub(crate) mod implicit_sphere;
pub(crate) mod implicit_surface;
pub(crate) mod implicit_surface_mesh;
pub(crate) mod implicit_tetra_mesh;
pub(crate) mod settings;
#[cfg(test)]
pub(crate) mod surface_samples;
pub(crate) mod values_at;
