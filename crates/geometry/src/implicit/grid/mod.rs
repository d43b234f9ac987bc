//! Signed distance grids, and their least values over segments, triangles and solids.

mod beside;
mod boxes;
mod cell;
mod facet;
mod facet_blocks;
mod facet_cell;
mod facet_search;
mod interpolation;
mod lattice;
mod minima;
mod placed;
mod plane;
mod polygon;
#[cfg(test)]
mod random_grid;
mod samples;
mod segment;
mod slopes;
mod triangle;

pub(super) use boxes::GridBox;
pub(super) use lattice::Lattice;
pub(super) use placed::{PlacedGrid, with_grid};
#[cfg(test)]
pub(super) use random_grid::{Random, random_grid};
pub use samples::Grid;
