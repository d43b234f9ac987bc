//! Geometries with vertices: point sets and the meshes of segments, triangles and tetrahedra.

mod cut;
mod line_mesh;
mod line_mesh_cut;
mod point_geometry;
mod sidedness;
mod surface_health;
mod surface_mesh;
mod surface_mesh_cut;
mod surface_mesh_derived;
mod surface_sidedness;
mod tetra_health;
mod tetra_mesh;
mod tetra_mesh_cut;

pub use cut::CellMap;
pub use line_mesh::LineMesh;
pub use sidedness::Sidedness;
pub use surface_health::SurfaceHealth;
pub use surface_mesh::{SurfaceFeature, SurfaceMesh, SurfaceNearest};
pub use tetra_health::TetraHealth;
pub use tetra_mesh::TetraMesh;
