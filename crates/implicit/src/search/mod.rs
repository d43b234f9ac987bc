//! Minimum of a function over a segment, a triangle or a tetrahedron, with a certified lower bound.
//!
//! Branch and bound: the cell with the lowest bound is split, until no bound is lower than the best value by more than
//! rounding error. A cell is bounded by a linear lower bound of the value (a tangent, where the value is convex), so
//! that the gap is quadratic in the cell's size, and only a handful of cells around the minimum remain at every level.
//!
//! Where a minimum is attained along a whole line (a rod parallel to a wall) that would still be thousands of cells.
//! But for convex functions the tangent at the best point bounds every cell, and so does one at a point on the other
//! side of the line, which descends in the opposite direction: their mixture is nearly level.
//!
//! Convex functions over convex solids are searched without division, see [`convex`].
//!
//! An intersection or a difference of convex bodies is a maximum of convex functions and of negatives of convex functions, see
//! [`maximum`].
//!
//! A ring is searched along its circle, see [`ring`].
//!
//! With a constraint the search covers the part of the cells where a second function is not positive, using the
//! Lagrange dual of both linear bounds; infeasible points are projected to its surface along its gradient.

mod convex;
mod division;
mod grid_triangle;
mod improvement;
mod incumbents;
mod lattice;
mod maximum;
mod minimum;
mod open_cell;
mod outlook;
mod pieces;
mod polytope;
mod queries;
mod ring;
mod ring_segment;
mod task;
mod tolerance;

pub use convex::ConvexDomain;
pub use minimum::{Lowest, Minimum};
pub use pieces::{Piece, pieces};
pub use polytope::Polytope;
pub use queries::{Search, over_parts};
