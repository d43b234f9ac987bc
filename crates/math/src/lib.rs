//! Geometric functions of points: boxes, predicates, closest points, intersections. No shapes and no state.
//!
//! **Conventions** of the whole crate:
//! - Lengths are in any one unit (palpate uses metres), and every function scales with it: scaling all lengths by a
//!   power of two scales lengths in the result exactly and leaves weights, parameters and features unchanged. (The
//!   bounds of [`Aabb::grown`] are the one exception: they are rounded outward, since boxes only cull.)
//! - A segment runs from its first point to its second; its parameter is the weight of the second.
//! - Edge `k` of a triangle joins its vertices `k` and `(k + 1) % 3`; face `k` of a tetrahedron is opposite vertex `k`.
//! - Sets are closed: touching counts as intersecting.
//! - Coordinates are finite, and no product of four lengths leaves the range of an `f64` (lengths between 1e-70 and
//!   1e70 are safe). The handling of degenerate shapes is stated at each function; none of them panics.

mod aabb;
pub mod barycentric;
mod box_triangle;
pub mod continuous;
pub mod direction;
pub mod intersect;
mod limits;
pub mod nearest;
pub mod orient;
mod point;
pub mod polygon;
pub mod rounding;
#[cfg(test)]
mod sample;
mod segment_triangle;
mod separating_axis;
pub mod separation;
pub mod solid_angle;
pub mod tetrahedron;
pub mod triangle;
mod triangle_triangle;

pub use aabb::Aabb;
pub use box_triangle::{BoxTriangleOverlap, box_triangle_overlap};
pub use limits::Limits;
pub use point::{Point, Vector};
pub use separating_axis::{SeparatingAxis, separating_axis};
