//! Reading, one file per format.

mod arrays;
mod gmsh;
mod lines;
mod obj;
mod off;
mod open;
mod ply;
mod stl;
mod vtk_cell;
mod vtk_legacy;
mod vtk_xml;

pub use open::{read, read_bytes};
