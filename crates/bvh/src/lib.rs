//! Bounding volume hierarchy over axis-aligned boxes: build, refit and query.
//!
//! The tree stores boxes and their numbers (`u32`, the index of a box in the slice it was built from), not their
//! contents: queries pass numbers to the caller for the exact test. **Which** numbers a query reports depends only on
//! the boxes, never on the shape of the tree; the **order** of its visits does depend on it, so callers sort. Queries
//! do not allocate.
//!
//! Nodes have eight children. Their boxes are in single precision, in a frame chosen from the bounds of everything, so
//! that a mesh far from the origin or of any size is culled alike. Where single precision leaves open whether two
//! boxes overlap, the boxes in double precision decide, which a tree over boxes keeps. A tree over [`Cells`] or points
//! keeps none: it reports every cell whose box overlaps, and those whose boxes miss the query by less than about
//! 2^-22 of the size of the whole. Which ones still depends only on the boxes.
//!
//! Cells can be [removed](Bvh::remove_cells) and [added](Bvh::add_cells); a cell whose first vertex is `u32::MAX` counts
//! as removed when a tree is built.
//!
//! Builds and refits over cells may be divided among threads of the caller's, by [`Tasks`]; the tree is the same for any
//! number of them.
//!
//! Bounds may be infinite but not NaN. An empty box (a tombstone) keeps its number and is never reported.

mod build;
mod cells;
mod corners;
mod cut;
mod descent;
mod frame;
mod front_to_back;
mod line;
mod links;
mod morton;
mod nearest;
mod overlap;
mod pairs;
mod placement;
mod refit;
#[cfg(test)]
mod sample;
mod split;
mod tasks;
mod tree;
mod vertices;

pub use cells::Cells;
pub use pairs::PARTS;
pub use placement::Placement;
pub use tasks::{InTurn, Tasks, parts, run_all};
pub use tree::Bvh;
