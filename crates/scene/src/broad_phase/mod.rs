//! Broad phase: finds the pairs that may be in contact, by their bounding boxes.

mod link;
mod link_tree;
mod pair_filter;

pub(crate) use link::Link;
pub(crate) use pair_filter::{BroadPhase, GroupLinks};
