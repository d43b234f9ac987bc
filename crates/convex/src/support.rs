//! The support map of a convex shape.

use palpate_math::{Point, Vector};

/// A convex shape, known by its support map (Gilbert, Johnson, Keerthi 1988).
pub trait SupportMap {
    /// A point of the shape that is farthest along `direction` (world frame, any length but zero): for all points `x`
    /// of the shape, `direction · support >= direction · x`, to rounding. Of several such points any one, but always
    /// the same for the same direction.
    fn support(&self, direction: &Vector) -> Point;
}
