//! Data derived from a mesh's coordinates and cells, each tagged with the version it was built for.

mod adjacency;
mod boundary;
mod normals;
mod tree;
mod winding;

pub use adjacency::{Adjacency, Closedness};
pub use boundary::boundary_triangles;
pub(crate) use boundary::{boundary_of, is_turned};
pub use normals::{Normals, Winding};
pub use tree::CellTree;
pub use winding::WindingTree;
