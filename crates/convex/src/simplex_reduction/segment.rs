//! Closest point of a segment to the origin.

use super::Reduced;
use crate::vector::VectorSpace;

/// Reduces the segment between vertices 0 and 1.
#[inline(always)]
pub(crate) fn reduce<V: VectorSpace>(vertices: &[V; 4]) -> Reduced<V> {
    let (nearest, older, newest) = nearest(vertices[0], vertices[1]);
    Reduced { nearest, weights: [older, newest, 0.0, 0.0], inside: false }
}

/// Returns the point of the segment closest to the origin, and the weights of its two ends.
#[inline(always)]
pub(crate) fn nearest<V: VectorSpace>(older: V, newest: V) -> (V, f64, f64) {
    let edge = older - newest;
    let along = -newest.inner(edge);
    let squared = edge.squared();
    if along <= 0.0 {
        return (newest, 0.0, 1.0);
    }
    if along >= squared {
        return (older, 1.0, 0.0);
    }
    let inverse = 1.0 / squared;
    let weight = along * inverse;
    // By products of the edge, so that the error along the edge is small relative to the distance, not to the edge.
    (newest.across(edge) * inverse, weight, 1.0 - weight)
}
