//! The four queries.

use std::cmp::Ordering;

use super::advancement;
use super::canonical::{Vertex, order, order_pair, scale, size, vertices};
use super::features::Features;
use super::slabs::separated;
use super::{meeting_edges, vertex_on_edge, vertex_on_triangle, vertex_on_vertex};
use crate::Point;
use crate::continuous::{Certainty, Impact, MovingPoint, Options, TimeInterval};

/// Returns the first impact of two vertices; `None` is a proof that there is none. Weights: `a`, `b`.
pub fn vertex_vertex(a: &MovingPoint, b: &MovingPoint, options: &Options) -> Option<Impact> {
    query(Features::VertexVertex, [a, b], options)
}

/// Returns the first impact of a vertex with a closed edge; `None` is a proof that there is none. Weights: the vertex,
/// the ends of the edge.
///
/// An edge of zero length is a vertex.
pub fn vertex_edge(vertex: &MovingPoint, edge: &[MovingPoint; 2], options: &Options) -> Option<Impact> {
    query(Features::VertexEdge, [vertex, &edge[0], &edge[1]], options)
}

/// Returns the first impact of a vertex with a closed triangle, from either side; `None` is a proof that there is none.
/// Weights: the vertex, the corners of the triangle.
///
/// A degenerate triangle, at the time or throughout, is the union of its edges. A vertex that stays in the plane of
/// the triangle meets it where it first reaches an edge.
pub fn vertex_triangle(
    vertex: &MovingPoint,
    triangle: &[MovingPoint; 3],
    options: &Options,
) -> Option<Impact> {
    query(Features::VertexTriangle, [vertex, &triangle[0], &triangle[1], &triangle[2]], options)
}

/// Returns the first impact of two closed edges; `None` is a proof that there is none. Weights: the ends of `a`, those of `b`.
///
/// Parallel edges meet where an end of one reaches the other; so do edges that stay in one plane. An edge of zero
/// length is a vertex.
pub fn edge_edge(a: &[MovingPoint; 2], b: &[MovingPoint; 2], options: &Options) -> Option<Impact> {
    query(Features::EdgeEdge, [&a[0], &a[1], &b[0], &b[1]], options)
}

#[inline]
fn query<const N: usize>(features: Features, points: [&MovingPoint; N], options: &Options) -> Option<Impact> {
    // NaN counts as no separation.
    let separation = options.separation.max(0.0);
    if separated(&points, features.of_first(), separation) {
        return None;
    }
    decide(features, points, separation, options)
}

/// Decides what the slabs leave.
fn decide<const N: usize>(
    features: Features,
    points: [&MovingPoint; N],
    separation: f64,
    options: &Options,
) -> Option<Impact> {
    let size = size(points);
    if !size.is_finite() || separation == f64::INFINITY {
        let time = TimeInterval { lower: 0.0, upper: 1.0 };
        return Some(Impact { time, certainty: Certainty::Open, weights: [0.0; 4] });
    }
    let scale = scale(size.max(separation));
    let mut v = vertices(points, scale);
    put_in_order(features, &mut v);
    let found = if separation > 0.0 {
        advancement::first_impact(features, &v, separation * scale, options)
    } else {
        first_touch(features, &v, options.time_tolerance).map(|time| {
            let weights = features.closest_weights(&positions(&v, time.upper));
            Impact { time, certainty: Certainty::Proven, weights }
        })
    };
    found.map(|found| {
        let mut weights = [0.0; 4];
        for (vertex, weight) in v.iter().zip(found.weights) {
            weights[vertex.place] = weight;
        }
        Impact { weights, ..found }
    })
}

/// Puts the vertices of each feature, and two features of one kind, in an order that depends on their motion alone.
fn put_in_order(features: Features, v: &mut [Vertex]) {
    match features {
        Features::VertexVertex => order_pair(v, 0, 1),
        Features::VertexEdge => order_pair(v, 1, 2),
        Features::VertexTriangle => {
            order_pair(v, 1, 2);
            order_pair(v, 2, 3);
            order_pair(v, 1, 2);
        }
        Features::EdgeEdge => {
            order_pair(v, 0, 1);
            order_pair(v, 2, 3);
            if order(&v[0], &v[2]).then_with(|| order(&v[1], &v[3])) == Ordering::Greater {
                v.swap(0, 2);
                v.swap(1, 3);
            }
        }
    }
}

fn first_touch<const N: usize>(features: Features, v: &[Vertex; N], tolerance: f64) -> Option<TimeInterval> {
    // NaN counts as the finest tolerance.
    let tolerance = if tolerance > Options::FINEST { tolerance.min(1.0) } else { Options::FINEST };
    // Joining the intervals of a feature, its edges and its vertices widens them: four times 2^-levels is the tolerance.
    let levels = 2 + (1..=40).find(|&levels| 0.5_f64.powi(levels) <= tolerance).unwrap_or(40) as usize;
    let v = v.as_slice();
    match (features, v) {
        (Features::VertexVertex, [a, b]) => vertex_on_vertex::first_touch(a, b, levels),
        (Features::VertexEdge, [vertex, a, b]) => vertex_on_edge::first_touch(vertex, [a, b], levels),
        (Features::VertexTriangle, [vertex, a, b, c]) => {
            vertex_on_triangle::first_touch([vertex, a, b, c], tolerance, levels)
        }
        (Features::EdgeEdge, [a0, a1, b0, b1]) => {
            meeting_edges::first_touch([a0, a1, b0, b1], tolerance, levels)
        }
        _ => None,
    }
}

/// The scaled positions relative to the first vertex.
fn positions<const N: usize>(v: &[Vertex; N], time: f64) -> [Point; N] {
    v.each_ref().map(|vertex| {
        let (start, end) = (vertex.start - v[0].start, vertex.end - v[0].end);
        Point::from(start * (1.0 - time) + end * time)
    })
}
