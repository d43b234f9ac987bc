//! Closest point of a segment to the origin.

use super::Reduced;
use crate::vector::VectorSpace;

/// Reduces the segment between vertices 0 and 1.
#[inline(always)]
pub(crate) fn reduce<V: VectorSpace>(vertices: &[V; 4]) -> Reduced<V> {
    let (nearest, older, newest) = nearest(vertices[0], vertices[1]);
    Reduced { nearest, weights: [older, newest, 0.0, 0.0], inside: false }
}

/// The same by products of the edge: sooner, but with about twice the rounding error across the edge, which a search of
/// polyhedra does not mind.
#[inline(always)]
pub(crate) fn reduce_by_products<V: VectorSpace>(older: V, newest: V) -> Reduced<V> {
    let (end, weight, inverse) = nearest_end(older, newest);
    let nearest = end.unwrap_or_else(|| newest.across(older - newest) * inverse);
    Reduced { nearest, weights: [weight, 1.0 - weight, 0.0, 0.0], inside: false }
}

/// Returns the point of the segment closest to the origin, and the weights of its two ends.
#[inline(always)]
pub(crate) fn nearest<V: VectorSpace>(older: V, newest: V) -> (V, f64, f64) {
    let (end, weight, inverse) = nearest_end(older, newest);
    let nearest = end.unwrap_or_else(|| {
        let edge = older - newest;
        let point = newest + edge * weight;
        // Project again, so that the error along the edge is small relative to the distance, not to the edge.
        point - edge * (point.inner(edge) * inverse)
    });
    (nearest, weight, 1.0 - weight)
}

/// Returns the end that is closest to the origin, if no point between the ends is closer; the weight of the older end; and one
/// over the squared length.
#[inline(always)]
fn nearest_end<V: VectorSpace>(older: V, newest: V) -> (Option<V>, f64, f64) {
    let edge = older - newest;
    let along = -newest.inner(edge);
    let squared = edge.squared();
    if along <= 0.0 {
        return (Some(newest), 0.0, 0.0);
    }
    if along >= squared {
        return (Some(older), 1.0, 0.0);
    }
    let inverse = 1.0 / squared;
    (None, along * inverse, inverse)
}
