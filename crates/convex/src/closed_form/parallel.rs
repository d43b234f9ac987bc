//! Contact of two cylinders with parallel axes (one of which may be a capsule's segment).
//!
//! Their Minkowski difference is a cylinder too, with the sums of radii and half heights; the result is the origin's
//! signed distance to it.

use super::{exact, middle};
use crate::contact::CoreContact;
use crate::support::Rim;
use crate::vector::VectorSpace;

/// Computes the contact. Takes the rims of both as heights on A's axis, and B's axis at `offset` along the unit
/// direction `sideways`.
#[inline(always)]
pub(super) fn contact<V: VectorSpace>(
    a: &[Rim; 2],
    b: &[Rim; 2],
    sideways: V,
    offset: f64,
) -> CoreContact<V> {
    let (heights_a, heights_b) = (heights(a), heights(b));
    let (radius_a, radius_b) = (a[0].radius, b[0].radius);
    let side = offset - (radius_a + radius_b);
    let (above, below) = (heights_b.0 - heights_a.1, heights_a.0 - heights_b.1);
    let (end, upward) = if above >= below { (above, 1.0) } else { (below, -1.0) };
    let (distance, along_side, along_axis) = if side > 0.0 && end > 0.0 {
        let distance = (side * side + end * end).sqrt();
        (distance, side / distance, end / distance)
    } else if side > end {
        (side, 1.0, 0.0)
    } else {
        (end, 0.0, 1.0)
    };
    // The contact lies in the middle of the range that both share perpendicular to its direction.
    let place_across = if along_side > 0.0 {
        radius_a
    } else {
        middle((-radius_a, radius_a), (offset - radius_b, offset + radius_b))
    };
    let place_along = if along_axis == 0.0 {
        middle(heights_a, heights_b)
    } else if upward > 0.0 {
        heights_a.1
    } else {
        heights_a.0
    };
    let up = V::axis(1);
    let outward = sideways * along_side + up * (upward * along_axis);
    exact(distance, -outward, sideways * place_across + up * place_along)
}

/// Returns the heights of the lower and the upper rim.
#[inline(always)]
fn heights(rims: &[Rim; 2]) -> (f64, f64) {
    let [first, second] = [rims[0].height, rims[1].height];
    if first < second { (first, second) } else { (second, first) }
}
