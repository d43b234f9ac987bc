//! Vertices in canonical order and scale, so that the answers do not depend on how the input is numbered, or on its unit.

use std::cmp::Ordering;

use crate::continuous::MovingPoint;
use crate::{Point, Vector};

/// A vertex of a query: as given, and scaled by a power of two so that the largest coordinate of the query is in [1, 2).
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) given: MovingPoint,
    pub(super) start: Vector,
    pub(super) end: Vector,
    /// Its place among the arguments.
    pub(super) place: usize,
}

/// Returns the largest magnitude of a coordinate; NaN or infinite if one is not finite.
pub(super) fn size<const N: usize>(points: [&MovingPoint; N]) -> f64 {
    let mut largest: f64 = 0.0;
    let mut finite = 0.0;
    for point in points {
        for &x in point.start.iter().chain(point.end.iter()) {
            largest = largest.max(x.abs());
            finite += x * 0.0;
        }
    }
    largest + finite
}

/// Returns the power of two by which to scale coordinates up to `size`.
pub(super) fn scale(size: f64) -> f64 {
    let exponent = ((size.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    // Beyond these ends, which are out of the range of lengths, the scaled coordinates are merely less near one.
    f64::from_bits(((1023 - exponent.clamp(-1000, 1022)) as u64) << 52)
}

/// Returns the vertices with scaled coordinates.
pub(super) fn vertices<const N: usize>(points: [&MovingPoint; N], scale: f64) -> [Vertex; N] {
    // Adding zero makes negative zeros positive.
    let scaled = |point: &Point| point.coords.map(|x| x * scale + 0.0);
    std::array::from_fn(|place| {
        let given = *points[place];
        Vertex { given, start: scaled(&given.start), end: scaled(&given.end), place }
    })
}

/// The lexicographic order of the coordinates, those at the start first.
pub(super) fn order(a: &Vertex, b: &Vertex) -> Ordering {
    let coordinates = |v: &Vertex| [v.start.x, v.start.y, v.start.z, v.end.x, v.end.y, v.end.z];
    let (a, b) = (coordinates(a), coordinates(b));
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// Puts two vertices in order.
#[inline]
pub(super) fn order_pair(vertices: &mut [Vertex], i: usize, j: usize) {
    if order(&vertices[i], &vertices[j]) == Ordering::Greater {
        vertices.swap(i, j);
    }
}
