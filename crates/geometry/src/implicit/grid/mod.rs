//! Signed distance grids, and their least values over segments and boxes.

mod beside;
mod boxes;
mod cell;
mod extremes;
mod interpolation;
mod lattice;
mod placed;
#[cfg(test)]
mod random_grid;
mod samples;
mod segment;

pub(super) use boxes::GridBox;
pub(super) use lattice::Lattice;
pub(super) use placed::{PlacedGrid, with_grid};
#[cfg(test)]
pub(super) use random_grid::{Random, random_grid};
pub use samples::Grid;
