//! Errors in the data of a convex shape.

use thiserror::Error;

/// Why a convex shape could not be built.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ConvexError {
    /// A shape without points has no support map.
    #[error("a convex shape has 0 points: wanted at least 1")]
    NoPoints,
    /// A coordinate is NaN or infinite, or its square is not finite.
    #[error("point {index} of a convex shape is {point}: wanted finite coordinates")]
    NotFinite {
        /// The index of the point.
        index: usize,
        /// Its coordinates.
        point: String,
    },
    /// A triangle names a point that does not exist.
    #[error("triangle {triangle} of a hull names point {point}: wanted a point from 0 to {last}")]
    NoSuchPoint {
        /// The index of the triangle.
        triangle: usize,
        /// The point it names.
        point: u32,
        /// The last valid point index.
        last: usize,
    },
}
