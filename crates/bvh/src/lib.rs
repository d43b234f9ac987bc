//! A tree over axis-aligned boxes: build it, refit it when the boxes move, ask it what is near.
//!
//! The tree knows boxes and their numbers (`u32`, the index of a box in the slice it was built from), nothing of what is in
//! them: queries hand numbers to the caller, who looks closer. **What** a query reports depends on the boxes alone, never
//! on the shape of the tree; the **order** of its visits does depend on it, so callers sort. Every query runs without
//! touching the heap.
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
