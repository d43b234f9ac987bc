//! When two slopes or areas of a manifold count as equal.

/// By how much, relative to themselves, two slopes may differ and count as equal.
pub(super) const TIE: f64 = 1e-9;
