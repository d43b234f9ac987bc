//! Exact arithmetic on the coordinates as integers: what floating point leaves undecided.

mod decisions;
mod integer;
mod polynomial;
mod problem;

pub(super) use decisions::{edge_edge, vertex_edge, vertex_triangle, vertex_vertex};
