//! Minimum of a convex function over a convex solid, with a certified lower bound.
//!
//! A tangent `f(x) + g·(y - x)` of a convex function is nowhere above it, and so is every mixture of tangents. The least
//! value of a mixture over a solid is at the solid's support point along minus its gradient. So whatever method finds a
//! place, one support point proves how good it is: `f(x) - g·(x - p)` is a lower bound of all values.
//!
//! - [`descent`]: the place as a mixture of up to four support points, moved by Newton's method;
//! - [`planes`]: where several tangents are active, a [`game`] of tangents against support points.

mod corners;
mod descent;
mod domain;
mod game;
mod least;
mod objective;
mod planes;
mod progress;

pub use domain::ConvexDomain;
pub(super) use domain::Shape;
pub(super) use least::{ConvexSearch, LeastOfConvex};
