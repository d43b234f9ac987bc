//! Impact of two moving edges.

use super::canonical::Vertex;
use super::crossing::{Crossing, Decision};
use super::exact;
use super::quadratic::{Linear, Quadratic};
use super::vertex_on_edge::{self, earlier};
use crate::continuous::TimeInterval;

/// Returns when the closed edges `v[0] v[1]` and `v[2] v[3]` first meet, in an interval no wider than `tolerance`;
/// `levels` is such that twice `2^-levels` is at most that.
pub(super) fn first_touch(v: [&Vertex; 4], tolerance: f64, levels: usize) -> Option<TimeInterval> {
    let vector = |from: &Vertex, to: &Vertex| Linear::new(to.start - from.start, to.end - from.end);
    let (a, b, between) = (vector(v[0], v[1]), vector(v[2], v[3]), vector(v[0], v[2]));
    let normal = Quadratic::cross(&a, &b);
    let (of_a1, of_b1) = (Quadratic::cross(&between, &b), Quadratic::cross(&between, &a));
    let (of_a0, of_b0) = (normal.minus(&of_a1), normal.minus(&of_b1));
    let size = between.size * a.size * b.size;
    match Crossing::new(&between, normal, size, [of_a0, of_a1, of_b0, of_b1]).decide(tolerance) {
        Decision::Apart => None,
        Decision::Impact(time) => Some(time),
        Decision::Undecided => decide_exactly(v, levels),
    }
}

#[cold]
fn decide_exactly(v: [&Vertex; 4], levels: usize) -> Option<TimeInterval> {
    let ends = [(0, [2, 3]), (1, [2, 3]), (2, [0, 1]), (3, [0, 1])];
    let touches = ends.map(|(end, [i, j])| vertex_on_edge::first_touch(v[end], [v[i], v[j]], levels));
    let boundary = touches.into_iter().fold(None, earlier);
    exact::edge_edge(v.map(|vertex| &vertex.given), levels, boundary)
}
