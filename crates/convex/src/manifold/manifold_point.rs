//! A point of a manifold, and when it is within the margin.

use nalgebra::Vector3;

/// Rounding error of a point, in units of the last place of the largest coordinate.
pub(super) const ROUNDINGS: f64 = 32.0;

/// Depths that differ by less than this many tolerances are equal.
pub(super) const LEVEL: f64 = 4.0;

/// Returns the depth of a corner within the margin, clamped to the margin for one that is within it only up to rounding
/// error.
pub(super) fn in_reach(depth: f64, margin: f64, tolerance: f64) -> Option<f64> {
    (depth >= -margin - LEVEL * tolerance).then(|| if depth > -margin { depth } else { -margin })
}

/// A point of a manifold. `point_a + depth * direction` is B's point; the direction is that of the contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldPoint {
    /// A's point, world frame: on its core's face, offset by its radius along the direction.
    pub point_a: Vector3<f64>,
    /// The overlap of the two faces here, along the direction; negative where they are apart.
    pub depth: f64,
    /// The feature id, from the corners and sides of both faces that made the point; 0 for the query's own point.
    pub id: u64,
    /// The feature number on each body, or [`NO_ID`](crate::NO_ID).
    pub features: [u32; 2],
}

/// Packs the number of a corner or side into 31 bits.
pub(super) fn part(number: u32) -> u64 {
    u64::from(number & 0x7fff_ffff)
}
