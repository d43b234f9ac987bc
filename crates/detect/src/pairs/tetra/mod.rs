//! Pairs with a tetrahedral mesh.

pub(crate) mod tetra_mesh_capsule;
pub(crate) mod tetra_mesh_convex;
pub(crate) mod tetra_mesh_sphere;
pub(crate) mod tetra_mesh_tetra_mesh;
