//! Signed distance from a point to a solid.

use palpate_math::{Point, Vector};

/// Result of a signed distance query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedDistance {
    /// Metres; negative inside.
    pub distance: f64,
    /// The closest surface point, world frame. `nearest + distance * gradient` is the query point, up to rounding
    /// error.
    pub nearest: Point,
    /// Unit gradient of the distance, pointing outward. Where it is not unique (a centre, an axis) the shape's doc
    /// comment specifies the choice.
    pub gradient: Vector,
    /// The number of the surface feature (box face 0-5, capsule end 0-1), or [`palpate_contact::NONE`].
    pub feature: u32,
}
