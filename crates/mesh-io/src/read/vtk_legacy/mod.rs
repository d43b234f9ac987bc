//! VTK's legacy format, ASCII and binary, versions 1.0 to 5.1: polygon data and unstructured grids.
//!
//! A file is a head of three lines (`# vtk DataFile Version`, a title, `ASCII` or `BINARY`), the name of a data set, and its
//! sections, each a keyword with counts and arrays of numbers. Source: "VTK File Formats" of the VTK User's Guide, and VTK's own
//! reader, `IO/Legacy/vtkDataReader.cxx`, `vtkPolyDataReader.cxx` and `vtkUnstructuredGridReader.cxx`.

mod cell_lists;
mod data_set;
mod field;
mod head;
mod input;
mod numbers;

pub(super) use data_set::read;
