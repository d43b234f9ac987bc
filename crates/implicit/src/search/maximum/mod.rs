//! Minimum of a maximum of convex functions and of negatives of convex functions over a convex solid: of an intersection, a
//! difference or a shell of convex bodies.
//!
//! With the level `v`, the maximum is below `v` where all its convex functions `g` are, outside all *holes*, the convex bodies
//! where its other functions `h` are at most `-v`. In the solid the first is a convex body, and it is in a hole if a polytope
//! around it is: a convex function is greatest at a corner. So a polytope, at first the solid, is cut by tangents of the `g` at
//! the corner that is farthest outside every hole, until all corners are in one: then no value is below `v` (outer
//! approximation: Tuy 1964; Horst and Tuy, "Global Optimization", on reverse convex constraints). Where the corners are in
//! several holes the polytope is divided. As tangents are close to second order, some ten cuts do.
//!
//! The level comes from the same corners: where three sides meet and move with the level, as the tangents do, a corner is
//! lowered until it enters a hole. That is Newton's method for a minimum that is sharp.
//!
//! - [`clipped`]: the polytope that is cut;
//! - [`problem`]: the functions, and the best place so far;
//! - [`walk`]: lowers a corner;
//! - [`proof`]: cuts until nothing is left; [`answer`]: the result.

mod answer;
mod clipped;
mod problem;
mod proof;
mod walk;

pub(super) use answer::Answer;
pub(super) use proof::Maximum;
