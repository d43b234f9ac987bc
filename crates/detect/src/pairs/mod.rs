//! Pairwise detectors, one file per pair, in folders by the first geometry of the pair.

pub(crate) mod implicit;
pub(crate) mod lines;
pub(crate) mod points;
pub(crate) mod primitive;
pub(crate) mod surface;
pub(crate) mod tetra;

pub use crate::ccd::convex::convex_convex_ccd::ConvexConvexCcd;
pub use crate::ccd::convex::line_mesh_convex_ccd::LineMeshConvexCcd;
pub use crate::ccd::convex::plane_convex_ccd::PlaneConvexCcd;
pub use crate::ccd::convex::point_set_convex_ccd::PointSetConvexCcd;
pub use crate::ccd::convex::surface_mesh_convex_ccd::SurfaceMeshConvexCcd;
pub use crate::ccd::implicit::implicit_convex_ccd::ImplicitConvexCcd;
pub use crate::ccd::implicit::implicit_line_mesh_ccd::ImplicitLineMeshCcd;
pub use crate::ccd::implicit::implicit_point_set_ccd::ImplicitPointSetCcd;
pub use crate::ccd::implicit::implicit_surface_mesh_ccd::ImplicitSurfaceMeshCcd;
pub use crate::ccd::line_mesh_line_mesh_ccd::LineMeshLineMeshCcd;
pub use crate::ccd::line_mesh_surface_mesh_ccd::LineMeshSurfaceMeshCcd;
pub use crate::ccd::point_set_line_mesh_ccd::PointSetLineMeshCcd;
pub use crate::ccd::point_set_point_set_ccd::PointSetPointSetCcd;
pub use crate::ccd::point_set_surface_mesh_ccd::PointSetSurfaceMeshCcd;
pub use crate::ccd::surface_mesh_surface_mesh_ccd::SurfaceMeshSurfaceMeshCcd;
pub use crate::mesh::internal_edges::InternalEdges;
pub use crate::mesh::settings::{SurfaceBodySettings, SurfaceCapsuleSettings, SurfaceSettings};
pub use crate::mesh::surface_sides::SurfaceSides;
pub use implicit::implicit_capsule::ImplicitCapsule;
pub use implicit::implicit_convex::ImplicitConvex;
pub use implicit::implicit_implicit::ImplicitImplicit;
pub use implicit::implicit_line_mesh::ImplicitLineMesh;
pub use implicit::implicit_plane::ImplicitPlane;
pub use implicit::implicit_point_set::ImplicitPointSet;
pub use implicit::implicit_sphere::ImplicitSphere;
pub use implicit::implicit_surface_mesh::ImplicitSurfaceMesh;
pub use implicit::implicit_tetra_mesh::ImplicitTetraMesh;
pub use implicit::settings::{
    ImplicitManifoldSettings, ImplicitPlaneSettings, ImplicitSettings, ImplicitTolerance,
};
pub use lines::line_mesh_capsule::LineMeshCapsule;
pub use lines::line_mesh_convex::{LineMeshConvex, LineMeshConvexSettings};
pub use lines::line_mesh_line_mesh::{LineMeshLineMesh, LineMeshSettings};
pub use lines::line_mesh_sphere::LineMeshSphere;
pub use lines::line_mesh_surface_mesh::LineMeshSurfaceMesh;
pub use lines::line_mesh_tetra_mesh::LineMeshTetraMesh;
pub use points::point_set_capsule::PointSetCapsule;
pub use points::point_set_convex::PointSetConvex;
pub use points::point_set_cylinder::PointSetCylinder;
pub use points::point_set_line_mesh::PointSetLineMesh;
pub use points::point_set_oriented_box::PointSetOrientedBox;
pub use points::point_set_plane::PointSetPlane;
pub use points::point_set_point_set::PointSetPointSet;
pub use points::point_set_sphere::PointSetSphere;
pub use points::point_set_surface_mesh::PointSetSurfaceMesh;
pub use points::point_set_tetra_mesh::PointSetTetraMesh;
pub use primitive::capsule_capsule::CapsuleCapsule;
pub use primitive::capsule_oriented_box::CapsuleOrientedBox;
pub use primitive::convex_convex::{ConvexConvex, ConvexSettings};
pub use primitive::manifold_points::ManifoldSettings;
pub use primitive::oriented_box_oriented_box::OrientedBoxOrientedBox;
pub use primitive::plane_body::PlaneBodySettings;
pub use primitive::plane_capsule::PlaneCapsule;
pub use primitive::plane_convex::PlaneConvex;
pub use primitive::plane_cylinder::PlaneCylinder;
pub use primitive::plane_oriented_box::PlaneOrientedBox;
pub use primitive::plane_side::{PlaneSettings, PlaneSides};
pub use primitive::plane_sphere::PlaneSphere;
pub use primitive::sphere_capsule::SphereCapsule;
pub use primitive::sphere_cylinder::SphereCylinder;
pub use primitive::sphere_oriented_box::SphereOrientedBox;
pub use primitive::sphere_sphere::SphereSphere;
pub use surface::closed_surface_mesh_capsule::{ClosedSurfaceCapsuleSettings, ClosedSurfaceMeshCapsule};
pub use surface::closed_surface_mesh_surface_mesh::{
    ClosedSurfaceMeshSettings, ClosedSurfaceMeshSurfaceMesh, Vertices,
};
pub use surface::surface_mesh_capsule::SurfaceMeshCapsule;
pub use surface::surface_mesh_convex::{ConvexTolerance, SurfaceMeshConvex, SurfaceMeshConvexSettings};
pub use surface::surface_mesh_sphere::SurfaceMeshSphere;
pub use surface::surface_mesh_surface_mesh::SurfaceMeshSurfaceMesh;
pub use surface::surface_mesh_tetra_mesh::SurfaceMeshTetraMesh;
pub use tetra::tetra_mesh_capsule::TetraMeshCapsule;
pub use tetra::tetra_mesh_convex::{TetraMeshConvex, TetraMeshConvexSettings};
pub use tetra::tetra_mesh_sphere::{TetraMeshSettings, TetraMeshSphere};
pub use tetra::tetra_mesh_tetra_mesh::TetraMeshTetraMesh;

use serde::{Deserialize, Serialize};

/// The settings of a detector without settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NoSettings {}
