//! Picking: ray casts and closest-point queries, e.g. for grasping tools and mouse clicks.
//!
//! Bodies are closed sets, and surfaces without interior are sheets. Distances along a ray are in metres from its
//! origin. Prepared data ([`Needs::TREE`](crate::Needs::TREE)) is used if available; otherwise a query is slower but
//! equally correct.

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
#[doc(hidden)]
pub use query::first_own_triangle_hit;
pub use query::{all_hits, first_hit};
pub use ray::Ray;
