//! Signed distance grids, and their least values over segments, triangles and boxes.

mod beside;
mod boxes;
mod cell;
mod extremes;
mod interpolation;
mod lattice;
mod placed;
#[cfg(test)]
pub(crate) mod random_grid;
mod samples;
mod segment;
mod triangle;
mod value;

pub use lattice::Lattice;
pub use samples::Grid;

pub(crate) use boxes::GridBox;
pub(crate) use placed::{PlacedGrid, with_grid};
pub(crate) use triangle::TriangleBound;
