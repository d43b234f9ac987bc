//! Geometries with vertices: point sets and the meshes of segments, triangles and tetrahedra.

pub(crate) mod cut;
mod line_mesh;
mod line_mesh_cut;
mod point_geometry;
mod point_set;
mod sidedness;
mod surface_mesh;
mod surface_mesh_cut;
mod surface_mesh_derived;
mod surface_sidedness;
mod tetra_mesh;
mod tetra_mesh_cut;

pub use cut::{CellMap, cells_left};
pub use line_mesh::LineMesh;
pub use point_set::PointSet;
pub use sidedness::Sidedness;
pub use surface_mesh::{SurfaceFeature, SurfaceMesh, SurfaceNearest};
pub use tetra_mesh::TetraMesh;
