//! Pairs with a line mesh.

pub(crate) mod line_mesh_capsule;
pub(crate) mod line_mesh_convex;
pub(crate) mod line_mesh_line_mesh;
pub(crate) mod line_mesh_round;
pub(crate) mod line_mesh_sphere;
pub(crate) mod line_mesh_surface_mesh;
pub(crate) mod line_mesh_tetra_mesh;
