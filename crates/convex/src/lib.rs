//! Support maps: the one thing a convex query needs to know of a shape.

mod support;

pub use support::SupportMap;
