//! Geometries with vertices: point sets and the meshes of segments, triangles and tetrahedra.

mod line_mesh;
mod point_geometry;
mod point_set;
mod sidedness;
mod surface_mesh;
mod tetra_mesh;

pub use line_mesh::LineMesh;
pub use point_set::PointSet;
pub use sidedness::Sidedness;
pub use surface_mesh::{SurfaceFeature, SurfaceMesh, SurfaceNearest};
pub use tetra_mesh::TetraMesh;
