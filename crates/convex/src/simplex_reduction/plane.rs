//! Closest point of a 2D triangle to the origin.

use nalgebra::Vector2;

use super::{Reduced, segment};
use crate::vector::VectorSpace;

/// Reduces the triangle of vertices 0, 1 and 2, of which 2 is the newest.
#[inline(always)]
pub(crate) fn triangle(vertices: &[Vector2<f64>; 4]) -> Reduced<Vector2<f64>> {
    let [a, b, newest, _] = *vertices;
    let (to_a, to_b) = (a - newest, b - newest);
    let area = to_a.x * to_b.y - to_a.y * to_b.x;
    // The origin's side of either edge at the newest vertex, as the weight of the opposite vertex.
    let weight_b = newest.x * to_a.y - newest.y * to_a.x;
    let weight_a = newest.y * to_b.x - newest.x * to_b.y;
    let (weight_a, weight_b) = if area < 0.0 { (-weight_a, -weight_b) } else { (weight_a, weight_b) };
    let flat = area * area <= 1e-30 * (to_a.squared() * to_b.squared());
    if !flat && weight_a >= 0.0 && weight_b >= 0.0 && weight_a + weight_b <= area.abs() {
        let inverse = 1.0 / area.abs();
        let (weight_a, weight_b) = (weight_a * inverse, weight_b * inverse);
        let rest = (1.0 - weight_a - weight_b).max(0.0);
        return Reduced { nearest: Vector2::zeros(), weights: [weight_a, weight_b, rest, 0.0], inside: true };
    }
    let (on_a, share_a, rest_a) = segment::nearest(a, newest);
    let (on_b, share_b, rest_b) = segment::nearest(b, newest);
    if on_a.squared() <= on_b.squared() {
        Reduced { nearest: on_a, weights: [share_a, 0.0, rest_a, 0.0], inside: false }
    } else {
        Reduced { nearest: on_b, weights: [0.0, share_b, rest_b, 0.0], inside: false }
    }
}
