//! When two slopes or areas of a manifold count as equal.

/// The relative difference below which two slopes are equal.
pub(super) const TIE: f64 = 1e-9;
