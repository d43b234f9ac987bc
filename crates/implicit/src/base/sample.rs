//! Value of an implicit function at a point, and where it is a distance.

use super::SignedDistance;
use palpate_math::Vector;

/// The value of an implicit function at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Negative inside; in metres if the function bounds a distance.
    pub value: f64,
    /// The exact gradient of the value; where it is not unique, a one-sided one, specified by the function's doc
    /// comment.
    pub gradient: Vector,
    /// The number of the surface feature that determines the value, or [`palpate_contact::NONE`].
    pub feature: u32,
}

impl From<SignedDistance> for Sample {
    fn from(signed: SignedDistance) -> Self {
        Self { value: signed.distance, gradient: signed.gradient, feature: signed.feature }
    }
}

/// Where the value is the signed distance itself rather than a bound of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exactness {
    /// Where the value is negative.
    pub inside: bool,
    /// Where it is positive.
    pub outside: bool,
}

impl Exactness {
    /// The signed distance everywhere.
    pub const DISTANCE: Self = Self { inside: true, outside: true };
    /// Nowhere.
    pub const NOWHERE: Self = Self { inside: false, outside: false };

    /// Whether the value is the signed distance everywhere.
    pub fn is_distance(self) -> bool {
        self == Self::DISTANCE
    }
}
