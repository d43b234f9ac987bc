//! Which pairs may be in contact, by their boxes.

mod link_tree;
mod sweep;

pub(crate) use sweep::{BroadPhase, Link};
