//! Signed distance from a point to a solid.

use crate::implicit::Exactness;
use palpate_math::{Point, Vector};

/// The answer of a signed-distance query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedDistance {
    /// Metres; negative inside.
    pub distance: f64,
    /// The nearest surface point, world frame. `nearest + distance * gradient` is the query point, to rounding.
    pub nearest: Point,
    /// Unit direction in which the distance grows: outward. Where it is not unique (a centre, an axis) the shape's doc
    /// comment says which is taken.
    pub gradient: Vector,
    /// The number of the surface feature (box face 0-5, capsule end 0-1), or [`palpate_contact::NONE`].
    pub feature: u32,
}

/// A solid that knows its signed distance.
pub trait Implicit: Send + Sync {
    /// The signed distance from `point` (world frame, metres). No heap. Cost: constant of a primitive.
    fn signed_distance(&self, point: &Point) -> SignedDistance;

    /// Where it is the signed distance itself, and not a bound or an estimate: everywhere, by default.
    fn exactness(&self) -> Exactness {
        Exactness::DISTANCE
    }
}
