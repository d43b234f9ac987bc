//! Reading, one file per format.

mod abaqus;
mod arrays;
mod beside;
mod bytes;
mod compressor;
mod gltf;
mod gmsh;
mod lines;
mod medit;
mod numbered;
mod obj;
mod off;
mod open;
mod ply;
mod ply_header;
mod ply_values;
mod stl;
mod tetgen;
mod vega;
mod vtk_cell;
mod vtk_legacy;
mod vtk_xml;

pub use open::{ReadOptions, read, read_bytes, read_bytes_beside, read_bytes_with, read_with};
