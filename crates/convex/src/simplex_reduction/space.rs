//! Closest point of a triangle and of a tetrahedron in 3D to the origin.

use nalgebra::Vector3;

use super::{Reduced, segment};
use crate::vector::{VectorSpace, cross};

type Vector = Vector3<f64>;

/// The squared sine below which a triangle is degenerate and reduced to its edges: rounding error dominates its normal.
const FLAT: f64 = 1e-30;

/// Reduces the triangle of vertices 0, 1 and 2, of which 2 is the newest.
#[inline(always)]
pub(crate) fn triangle(vertices: &[Vector; 4]) -> Reduced<Vector> {
    let [a, b, newest, _] = *vertices;
    let normal = cross(a - newest, b - newest);
    let (nearest, [on_a, on_b, on_newest]) = nearest_in_triangle(a, b, newest, normal);
    Reduced { nearest, weights: [on_a, on_b, on_newest, 0.0], inside: false }
}

/// Returns the closest point of a triangle, and the weights of `a`, `b` and the newest vertex. The normal is that of
/// `a - newest` and `b - newest`.
///
/// ```text
///            a
///           / \            outside of a-newest: that edge (or an end of it)
///          /   \           outside of b-newest: that edge
///         /     \          neither: the face
///   newest-------b
/// ```
#[inline(always)]
fn nearest_in_triangle(a: Vector, b: Vector, newest: Vector, normal: Vector) -> (Vector, [f64; 3]) {
    let (to_a, to_b) = (a - newest, b - newest);
    let squared = normal.squared();
    // Weights of a and b, times the squared normal: signed areas seen along the normal.
    let turned = cross(normal, newest);
    let weight_a = -turned.inner(to_b);
    let weight_b = turned.inner(to_a);
    let flat = squared <= FLAT * (to_a.squared() * to_b.squared());
    if !flat && weight_a > 0.0 && weight_b > 0.0 && weight_a + weight_b < squared {
        let inverse = 1.0 / squared;
        let (weight_a, weight_b) = (weight_a * inverse, weight_b * inverse);
        let nearest = normal * (normal.inner(newest) * inverse);
        return (nearest, [weight_a, weight_b, (1.0 - weight_a - weight_b).max(0.0)]);
    }
    let (mut nearest, mut weights) = (newest, [0.0, 0.0, 1.0]);
    let mut smallest = newest.squared();
    if flat || weight_b <= 0.0 {
        let (point, share, rest) = segment::nearest(a, newest);
        if point.squared() < smallest {
            (nearest, weights, smallest) = (point, [share, 0.0, rest], point.squared());
        }
    }
    if flat || weight_a <= 0.0 {
        let (point, share, rest) = segment::nearest(b, newest);
        if point.squared() < smallest {
            (nearest, weights, smallest) = (point, [0.0, share, rest], point.squared());
        }
    }
    // The edge opposite the newest vertex: the origin is beyond it only by rounding error.
    if flat || weight_a + weight_b >= squared {
        let (point, share, rest) = segment::nearest(a, b);
        if point.squared() < smallest {
            (nearest, weights) = (point, [share, rest, 0.0]);
        }
    }
    (nearest, weights)
}

/// Reduces the tetrahedron of all four vertices, of which 3 is the newest.
#[inline(always)]
pub(crate) fn tetrahedron(vertices: &[Vector; 4]) -> Reduced<Vector> {
    let [a, b, c, newest] = *vertices;
    let (to_a, to_b, to_c) = (a - newest, b - newest, c - newest);
    // Normals of the three faces at the newest vertex, and their common volume.
    let (ab, bc, ca) = (cross(to_a, to_b), cross(to_b, to_c), cross(to_c, to_a));
    let volume = ab.inner(to_c);
    let sign = if volume < 0.0 { -1.0 } else { 1.0 };
    // Weights of c, a and b, times the volume: the origin's side of each face.
    let weight_c = -sign * ab.inner(newest);
    let weight_a = -sign * bc.inner(newest);
    let weight_b = -sign * ca.inner(newest);
    let flat = volume * volume <= FLAT * (to_a.squared() * to_b.squared() * to_c.squared());
    if !flat
        && weight_a >= 0.0
        && weight_b >= 0.0
        && weight_c >= 0.0
        && weight_a + weight_b + weight_c <= volume.abs()
    {
        let inverse = 1.0 / volume.abs();
        let (weight_a, weight_b, weight_c) = (weight_a * inverse, weight_b * inverse, weight_c * inverse);
        let rest = (1.0 - weight_a - weight_b - weight_c).max(0.0);
        return Reduced {
            nearest: Vector::zeros(),
            weights: [weight_a, weight_b, weight_c, rest],
            inside: true,
        };
    }
    let mut best = Reduced { nearest: newest, weights: [0.0, 0.0, 0.0, 1.0], inside: false };
    let mut smallest = f64::INFINITY;
    if flat || weight_c < 0.0 {
        let (nearest, [on_a, on_b, rest]) = nearest_in_triangle(a, b, newest, ab);
        best = Reduced { nearest, weights: [on_a, on_b, 0.0, rest], inside: false };
        smallest = nearest.squared();
    }
    if flat || weight_a < 0.0 {
        let (nearest, [on_b, on_c, rest]) = nearest_in_triangle(b, c, newest, bc);
        if nearest.squared() < smallest {
            best = Reduced { nearest, weights: [0.0, on_b, on_c, rest], inside: false };
            smallest = nearest.squared();
        }
    }
    if flat || weight_b < 0.0 {
        let (nearest, [on_c, on_a, rest]) = nearest_in_triangle(c, a, newest, ca);
        if nearest.squared() < smallest {
            best = Reduced { nearest, weights: [on_a, 0.0, on_c, rest], inside: false };
            smallest = nearest.squared();
        }
    }
    // Beyond the face opposite the newest vertex: only by rounding error.
    if smallest == f64::INFINITY {
        let (nearest, [on_a, on_b, on_c]) = nearest_in_triangle(a, b, c, cross(a - c, b - c));
        best = Reduced { nearest, weights: [on_a, on_b, on_c, 0.0], inside: false };
    }
    best
}
