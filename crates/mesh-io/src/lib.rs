//! Mesh files: reading and writing points, lines, triangles and tetrahedra.
//!
//! ```no_run
//! # fn main() -> Result<(), palpate_mesh_io::MeshIoError> {
//! let organ = palpate_mesh_io::read("organ.vtk")?.into_surface()?;
//! # Ok(())
//! # }
//! ```
//!
//! | format | read | written | by |
//! |---|---|---|---|
//! | OBJ | vertices, lines, polygons | lines, triangles | this crate |
//! | STL | ASCII and binary; corners in one place become one vertex | binary, 32-bit | this crate |
//! | PLY | ASCII and binary: faces, edges, strips | ASCII: edges, triangles | this crate |
//! | OFF | ASCII | no | this crate |
//! | VTK legacy | ASCII and binary, up to version 5.1: polygon data, unstructured grids | no | this crate |
//! | VTU, VTP | ASCII, binary, appended; bare or with zlib, LZ4, LZMA | VTU, ASCII | this crate, on `roxmltree`, `flate2`, `lz4_flex`, `lzma-rust2` |
//! | Gmsh | ASCII and binary, versions 1, 2 and 4 | no | this crate |
//! | MEDIT | ASCII | no | this crate |
//! | TetGen | `.node` with `.ele` beside it | no | this crate |
//! | Vega | tetrahedra, cubes, sets | no | this crate |
//! | Abaqus | `.inp`: nodes, elements, sets, parts | no | this crate |
//! | glTF | `.gltf` and `.glb`: the scene with its transforms | no | this crate, on `serde_json` |
//!
//! **Conventions.** Coordinates are not converted: a file in millimetres gives a mesh in millimetres. Vertices keep
//! the order of the file; vertices without cells are kept. A polygon is triangulated by
//! [`palpate_math::polygon::triangulated`]: along the shorter diagonal, if it has four corners and is convex. A
//! polyline is split into its segments, a triangle strip into its triangles. Hexahedra, wedges and pyramids are cut into
//! tetrahedra so that neighbours agree; curved cells are taken by their corners; both are counted. Other cells are
//! skipped and counted. Named groups of a file are its [parts](Part). Of a mesh that was cut what is left is written; [`WriteReport`] counts the removed cells.
//! Every format is also read from, and written to, files compressed by gzip.
//!
//! **Damaged files** are errors that name the file and, where it is known, the line or the byte; never a panic.
//! Allocations are bounded by the size of the file: counts in a header are not trusted. Compressed data expand to no
//! more than their header declares, within [`palpate_math::Limits`]; [`read_with`] takes other limits. Pipes, devices
//! and directories are refused before they are opened.

mod cells;
mod contents;
mod ending;
mod error;
mod format;
mod guess;
mod mesh;
mod part;
mod read;
mod shape;
mod write;

pub use contents::Contents;
pub use error::{MeshIoError, Place};
pub use format::Format;
pub use mesh::Mesh;
pub use part::Part;
pub use read::{ReadOptions, read, read_bytes, read_bytes_beside, read_bytes_with, read_with};
pub use write::{WriteReport, write, write_bytes};
