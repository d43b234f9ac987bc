//! Pairs with a surface mesh.

pub(crate) mod closed_surface_mesh_capsule;
pub(crate) mod closed_surface_mesh_surface_mesh;
pub(crate) mod surface_mesh_capsule;
pub(crate) mod surface_mesh_convex;
pub(crate) mod surface_mesh_sphere;
pub(crate) mod surface_mesh_surface_mesh;
pub(crate) mod surface_mesh_tetra_mesh;
