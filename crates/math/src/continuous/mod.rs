//! Continuous collision detection of vertices, edges and triangles under linear motion of each vertex.
//!
//! The vertices move from their positions at time 0 to those at time 1 at constant velocity. Features are closed, and in
//! contact when their distance is at most the separation. A query returns the *first* impact, or `None`.
//!
//! - **`None` is a proof**, for all finite coordinates: rounding is accounted for, down to subnormal numbers.
//! - **Without a separation an impact is a proof, too**: the two touch exactly, in the arithmetic of real numbers on the
//!   coordinates given. Filters decide most queries: slabs, then signs of Bernstein coefficients with error bounds.
//!   What these leave is decided in integers.
//! - **With a separation** an impact is proven up to rounding error; [`Certainty`] says how far.
//! - Before [`TimeInterval::lower`] the features are apart, and the impact is no later than [`TimeInterval::upper`]. The two
//!   differ by no more than [`Options::time_tolerance`] unless the budget was used up.
//! - Features in contact at the start have their impact at time 0, wherever they move: both bounds are zero.
//! - The answers are the same bits when all lengths are scaled by a power of two, when the features are exchanged and
//!   when their vertices are permuted (the weights are permuted with them), for coordinates that are zero or of magnitudes
//!   from 2^-150 to 2^150.
//! - Only queries decided in integers of more than 512 bits allocate.
//!
//! `docs/continuous.md` explains the method and its cost.

mod advancement;
mod canonical;
mod crossing;
mod exact;
mod features;
mod impact;
mod meeting_edges;
mod quadratic;
mod queries;
mod slabs;
mod vertex_on_edge;
mod vertex_on_triangle;
mod vertex_on_vertex;

pub use impact::{Certainty, Impact, MovingPoint, Options, TimeInterval};
pub use queries::{edge_edge, vertex_edge, vertex_triangle, vertex_vertex};
