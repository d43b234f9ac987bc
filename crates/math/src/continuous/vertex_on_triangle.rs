//! Impact of a moving vertex with a moving triangle.

use super::canonical::Vertex;
use super::crossing::{Crossing, Decision};
use super::exact;
use super::quadratic::{Linear, Quadratic};
use super::vertex_on_edge::{self, earlier};
use crate::continuous::TimeInterval;

/// Returns when the vertex is first in the closed triangle, in an interval no wider than `tolerance`; `levels` is such
/// that twice `2^-levels` is at most that.
pub(super) fn first_touch(v: [&Vertex; 4], tolerance: f64, levels: usize) -> Option<TimeInterval> {
    let vector = |from: &Vertex, to: &Vertex| Linear::new(to.start - from.start, to.end - from.end);
    let (from_a, to_b, to_c) = (vector(v[1], v[0]), vector(v[1], v[2]), vector(v[1], v[3]));
    let normal = Quadratic::cross(&to_b, &to_c);
    let (of_b, of_c) = (Quadratic::cross(&from_a, &to_c), Quadratic::cross(&to_b, &from_a));
    let of_a = normal.minus(&of_b).minus(&of_c);
    let size = from_a.size * to_b.size * to_c.size;
    match Crossing::new(&from_a, normal, size, [of_a, of_b, of_c]).decide(tolerance) {
        Decision::Apart => None,
        Decision::Impact(time) => Some(time),
        Decision::Undecided => decide_exactly(v, levels),
    }
}

#[cold]
fn decide_exactly(v: [&Vertex; 4], levels: usize) -> Option<TimeInterval> {
    let edges = [[1, 2], [1, 3], [2, 3]];
    let touches = edges.map(|[i, j]| vertex_on_edge::first_touch(v[0], [v[i], v[j]], levels));
    let boundary = touches.into_iter().fold(None, earlier);
    exact::vertex_triangle(v.map(|vertex| &vertex.given), levels, boundary)
}
