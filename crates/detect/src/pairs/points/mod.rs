//! Pairs with a point set.

mod point_grid;
pub(crate) mod point_set_capsule;
pub(crate) mod point_set_convex;
pub(crate) mod point_set_cylinder;
pub(crate) mod point_set_line_mesh;
pub(crate) mod point_set_oriented_box;
pub(crate) mod point_set_plane;
pub(crate) mod point_set_point_set;
pub(crate) mod point_set_solid;
pub(crate) mod point_set_sphere;
pub(crate) mod point_set_surface_mesh;
pub(crate) mod point_set_tetra_mesh;
