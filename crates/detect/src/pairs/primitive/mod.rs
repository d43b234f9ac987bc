//! Pairs of primitive and convex shapes.

pub(crate) mod accumulated;
pub(crate) mod capsule_capsule;
pub(crate) mod capsule_oriented_box;
pub(crate) mod convex_convex;
pub(crate) mod manifold_points;
pub(crate) mod oriented_box_oriented_box;
pub(crate) mod plane_body;
pub(crate) mod plane_capsule;
pub(crate) mod plane_convex;
pub(crate) mod plane_cylinder;
pub(crate) mod plane_oriented_box;
pub(crate) mod plane_side;
pub(crate) mod plane_sphere;
pub(crate) mod sphere_capsule;
pub(crate) mod sphere_cylinder;
pub(crate) mod sphere_oriented_box;
pub(crate) mod sphere_sphere;
