//! The queries of two posed shapes: contact, overlap, depth along a direction, a sampled oracle, an explanation.

mod contact_query;
mod directional_penetration;
mod explain;
mod intersection_test;
mod query_object;
mod sampled;

pub use contact_query::{
    contact, contact_coherent, contact_recorded, contact_warm, contact_within, contact_within_again,
};
pub use directional_penetration::{DirectionalDepth, directional_depth, overlap_along};
pub use explain::{Explanation, explain};
pub use intersection_test::{intersects, nearer_than};
pub use query_object::Query;
pub use sampled::sampled_depth;
