//! Data derived from a mesh's coordinates and cells, each tagged with the version it was built for.

mod adjacency;
mod adjacency_cut;
mod boundary;
mod normals;
mod numbering;
mod tree;
mod vertex_lists;
mod winding;

pub use adjacency::{Adjacency, Closedness};
pub use boundary::boundary_triangles;
pub(crate) use boundary::{FACES, boundary_of, face_of, inverted};
pub use normals::{Normals, Winding};
pub(crate) use numbering::{numbers, runs};
pub use tree::CellTree;
pub(crate) use vertex_lists::{ROOM, VertexLists};
pub use winding::WindingTree;
