//! VTKHDF, VTK's own layout: PolyData and UnstructuredGrid over time, one per file or several in blocks.
//!
//! Source: VTK, "VTKHDF File Format" (docs.vtk.org), versions 2.0 to 2.3, and the behaviour of `vtkHDFReader` and
//! `vtkHDFWriter` of VTK 9.7. Step `k` of a dataset consists of the parts from `Steps/PartOffsets[k]` on, one
//! unless `NumberOfParts` says otherwise. A part has `NumberOfPoints[p]` points and `NumberOfCells[p]` cells, whose
//! point ids count within the part. Its points start at row `Steps/PointOffsets[k]`, its point ids at
//! `ConnectivityIdOffsets[k]`, its cells at `CellOffsets[k]`; since every part has one more offset than cells, its
//! row in `Offsets` is `CellOffsets[k] + PartOffsets[k]`, unless parts share the cells of others: see `Block::cell_range`.

mod block;
mod cell_range;
mod cells;
mod counts;
mod points;
mod steps;
mod writer;

pub(crate) use block::{Block, open_blocks};
pub(crate) use writer::{BlockWriter, Numbers, root_attributes, write_integers, write_steps};

/// The group read by VTK.
pub(crate) const ROOT: &str = "VTKHDF";
/// The highest first number of a version that palpate knows.
pub(crate) const KNOWN_VERSION: u8 = 2;
/// The four kinds of cells of PolyData, in the order of the columns of its step offsets.
pub(crate) const CATEGORIES: [&str; 4] = ["Vertices", "Lines", "Polygons", "Strips"];
