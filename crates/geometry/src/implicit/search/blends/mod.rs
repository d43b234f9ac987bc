//! Minimum of a blend over the body of another, each of one or two smooth convex functions.
//!
//! For fixed shares `s` and `t` both the function and the body are convex: the minimum and the multiplier `v` of the body (Lagrange) are
//! found by Newton's method. The minimum over all of space of the sum of the four functions with the weights `1 - s`, `s`,
//! `v (1 - t)` and `v t` is a lower bound of it, and a concave function of these weights: over a triangle of weights it is above the
//! linear function with its values at the corners. What both blends subtract, `r s (1 - s)` and `q v t (1 - t)`, is concave, too, and
//! so is below its tangents. What is left is linear, and lowest at a corner.
//!
//! So the square of all shares is divided into triangles, at first two; each of their corners has the multiplier of its own minimum. The
//! triangle with the lowest bound is divided where it is lowest, until no bound is below the best value.
//!
//! - [`task`]: both bodies;
//! - [`member`]: the minimum for fixed shares, or for those at the place itself;
//! - [`triangle`]: the bounds between.

mod least;
mod member;
mod task;
mod triangle;

pub(super) use least::BlendSearch;
