//! The detectors, one file per pair, and what several of them share.

mod accumulated;
mod capsule_capsule;
mod closed_surface_mesh_surface_mesh;
mod convex_convex;
mod deepest;
mod implicit_capsule;
mod implicit_contact;
mod implicit_convex;
mod implicit_implicit;
mod implicit_line_mesh;
mod implicit_plane;
mod implicit_point_set;
mod implicit_sphere;
mod implicit_surface;
mod implicit_surface_mesh;
mod implicit_tetra_mesh;
mod internal_edges;
mod line_mesh_capsule;
mod line_mesh_convex;
mod line_mesh_line_mesh;
mod line_mesh_round;
mod line_mesh_sphere;
mod line_mesh_surface_mesh;
mod line_mesh_tetra_mesh;
mod plane_capsule;
mod plane_convex;
mod plane_side;
mod plane_sphere;
mod point_set_capsule;
mod point_set_convex;
mod point_set_cylinder;
mod point_set_line_mesh;
mod point_set_oriented_box;
mod point_set_plane;
mod point_set_point_set;
mod point_set_solid;
mod point_set_sphere;
mod point_set_surface_mesh;
mod point_set_tetra_mesh;
mod seen;
mod segment_solid;
mod segment_surface;
mod solid_features;
mod sphere_capsule;
mod sphere_cylinder;
mod sphere_sphere;
mod surface_mesh_capsule;
mod surface_mesh_convex;
mod surface_mesh_sphere;
mod surface_mesh_surface_mesh;
mod surface_mesh_tetra_mesh;
mod surface_sides;
mod tetra_mesh_capsule;
mod tetra_mesh_convex;
mod tetra_mesh_sphere;
mod tetra_mesh_tetra_mesh;
mod touching_balls;
mod vertex_surface;
mod volume;
mod volume_axis;

pub use capsule_capsule::CapsuleCapsule;
pub use closed_surface_mesh_surface_mesh::{
    ClosedSurfaceMeshSettings, ClosedSurfaceMeshSurfaceMesh, Vertices,
};
pub use convex_convex::{ConvexConvex, ConvexSettings};
pub use implicit_capsule::ImplicitCapsule;
pub use implicit_convex::ImplicitConvex;
pub use implicit_implicit::ImplicitImplicit;
pub use implicit_line_mesh::ImplicitLineMesh;
pub use implicit_plane::ImplicitPlane;
pub use implicit_point_set::ImplicitPointSet;
pub use implicit_sphere::ImplicitSphere;
pub use implicit_surface_mesh::ImplicitSurfaceMesh;
pub use implicit_tetra_mesh::ImplicitTetraMesh;
pub use internal_edges::InternalEdges;
pub use line_mesh_capsule::LineMeshCapsule;
pub use line_mesh_convex::LineMeshConvex;
pub use line_mesh_line_mesh::{LineMeshLineMesh, LineMeshSettings};
pub use line_mesh_sphere::LineMeshSphere;
pub use line_mesh_surface_mesh::LineMeshSurfaceMesh;
pub use line_mesh_tetra_mesh::LineMeshTetraMesh;
pub use plane_capsule::PlaneCapsule;
pub use plane_convex::PlaneConvex;
pub use plane_side::{PlaneSettings, PlaneSides};
pub use plane_sphere::PlaneSphere;
pub use point_set_capsule::PointSetCapsule;
pub use point_set_convex::PointSetConvex;
pub use point_set_cylinder::PointSetCylinder;
pub use point_set_line_mesh::PointSetLineMesh;
pub use point_set_oriented_box::PointSetOrientedBox;
pub use point_set_plane::PointSetPlane;
pub use point_set_point_set::PointSetPointSet;
pub use point_set_sphere::PointSetSphere;
pub use point_set_surface_mesh::PointSetSurfaceMesh;
pub use point_set_tetra_mesh::PointSetTetraMesh;
pub use sphere_capsule::SphereCapsule;
pub use sphere_cylinder::SphereCylinder;
pub use sphere_sphere::SphereSphere;
pub use surface_mesh_capsule::SurfaceMeshCapsule;
pub use surface_mesh_convex::{ConvexTolerance, SurfaceMeshConvex, SurfaceMeshConvexSettings};
pub use surface_mesh_sphere::SurfaceMeshSphere;
pub use surface_mesh_surface_mesh::SurfaceMeshSurfaceMesh;
pub use surface_mesh_tetra_mesh::SurfaceMeshTetraMesh;
pub use surface_sides::{SurfaceBodySettings, SurfaceSettings, SurfaceSides};
pub use tetra_mesh_capsule::TetraMeshCapsule;
pub use tetra_mesh_convex::{TetraMeshConvex, TetraMeshConvexSettings};
pub use tetra_mesh_sphere::{TetraMeshSettings, TetraMeshSphere};
pub use tetra_mesh_tetra_mesh::TetraMeshTetraMesh;

use serde::{Deserialize, Serialize};

/// The settings of a detector that has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NoSettings {}
