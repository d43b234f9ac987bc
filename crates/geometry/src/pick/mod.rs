//! Picking: what a ray or a segment meets, and what is nearest to a point. For a tool that grasps, and for a person who
//! clicks.
//!
//! Bodies are closed sets, and surfaces that have no inside are sheets. Distances along a ray are in metres from its
//! origin. What is prepared ([`Needs::TREE`](crate::Needs::TREE)) is used; what is not makes a query slower, never wrong.

mod bare_triangles;
mod distance_field;
mod hit;
mod nearest;
mod query;
mod ray;
mod round_cells;
mod solid;

pub use hit::{Crossing, Hit};
pub use nearest::{Nearest, nearest_cell, nearest_vertex};
pub use query::{all_hits, first_hit};
pub use ray::Ray;
