//! The least value of a function over a segment, a triangle or a tetrahedron, with a certified lower bound.
//!
//! Branch and bound: the cell whose bound is lowest is divided, until no bound is lower than the best value found by more
//! than rounding. A cell is bounded by a linear function below the value (a tangent, where the value is convex), so that the
//! gap closes with the square of the cell's size, and a handful of cells about the minimum is all that is left of every
//! level.
//!
//! Where a least value is met along a whole line (a rod beside a wall) that would still be thousands of cells. But of convex
//! functions the tangent at the best place found bounds every cell, and so does one at a place on the other side of the
//! line, which falls the other way: the mixture of both is nearly level.
//!
//! Where that does not end soon, and all is convex, ellipsoids take the place of cells.
//!
//! A smooth union is no convex function, but the least of many that are: it is searched by those.
//!
//! With a constraint the part of the cells is searched where a second function is zero or less, by Lagrange's dual of both
//! linear bounds; places outside of it are brought to its surface along its gradient.

mod blend;
mod division;
mod ellipsoids;
mod improvement;
mod incumbents;
mod minimum;
mod open_cell;
mod queries;
mod task;

pub use minimum::{Lowest, Minimum};
pub use queries::Search;
