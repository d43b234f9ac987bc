//! Signed distance grids, and their least values over segments, triangles and solids.

mod beside;
mod boxes;
mod cell;
mod cell_surface;
mod cells;
mod crossed;
mod curve;
mod cylinder;
mod facet;
mod facet_blocks;
mod facet_cell;
mod facet_search;
mod grids;
mod height;
mod height_cell;
mod interpolation;
mod lattice;
mod lowest_sample;
mod minima;
mod piece;
mod plane;
mod polygon;
mod polytope;
mod quadric_cell;
mod quadrics;
#[cfg(test)]
mod random_grid;
mod samples;
mod segment;
mod slopes;
mod triangle;
mod twisted;

pub(super) use height::Heights;
pub(super) use lattice::Lattice;
#[cfg(test)]
pub(super) use random_grid::{Random, random_grid};
pub use samples::Grid;
