//! Bounding volume hierarchy over axis-aligned boxes: build, refit and query.
//!
//! The tree stores boxes and their numbers (`u32`, the index of a box in the slice it was built from), not their
//! contents: queries pass numbers to the caller for the exact test. **Which** numbers a query reports depends only on
//! the boxes, never on the shape of the tree; the **order** of its visits does depend on it, so callers sort. Queries
//! do not allocate.
//!
//! Bounds may be infinite but not NaN. An empty box (a tombstone) keeps its number and is never reported.

mod build;
mod front_to_back;
mod nearest;
mod overlap;
mod pairs;
mod refit;
#[cfg(test)]
mod sample;
mod tree;

pub use tree::Bvh;
