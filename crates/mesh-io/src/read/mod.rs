//! Reading, one file per format.

mod arrays;
mod gmsh;
mod lines;
mod obj;
mod off;
mod open;
mod ply;
mod ply_header;
mod ply_values;
mod stl;
mod vtk_cell;
mod vtk_legacy;
mod vtk_xml;

pub use open::{ReadOptions, read, read_bytes, read_bytes_with, read_with};
