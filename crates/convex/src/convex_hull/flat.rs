//! Convex hulls of collinear and coplanar points.

use super::ConvexHull;
use palpate_math::{Point, orient};

/// Returns the two ends of collinear points. `first` is the lexicographically smallest point, hence an end.
pub(super) fn segment(points: &[Point], first: u32, second: u32) -> ConvexHull {
    let along = points[second as usize] - points[first as usize];
    let place = |id: u32| (points[id as usize] - points[first as usize]).dot(&along);
    let mut last = second;
    for id in 0..points.len() as u32 {
        if place(id) > place(last) {
            last = id;
        }
    }
    ConvexHull { vertices: vec![first.min(last), first.max(last)], triangles: Vec::new() }
}

/// Returns both sides of the polygon around coplanar points, projected along the axis that shows the largest area.
pub(super) fn polygon(points: &[Point], corners: [u32; 3]) -> ConvexHull {
    let [a, b, c] = corners.map(|id| &points[id as usize]);
    let axis = orient::widest_view(a, b, c).expect("three points that span a plane have a projected area");
    let ring = ring(points, (0..points.len() as u32).collect(), axis);
    let fan = (2..ring.len()).map(|k| [ring[0], ring[k - 1], ring[k]]);
    // The other side is triangulated differently, so that the two share only the edges of the ring.
    let last = ring.len() - 1;
    let other = (1..last).map(|k| [ring[last], ring[k], ring[k - 1]]);
    ConvexHull::from_triangles(fan.chain(other).collect())
}

/// Returns the corners of the convex hull of some points, counter-clockwise as seen along an axis (Andrew 1979,
/// monotone chain), without collinear corners; of coincident points the first. Fewer than three where all points
/// project onto one line.
pub(crate) fn ring(points: &[Point], mut order: Vec<u32>, axis: usize) -> Vec<u32> {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    order.sort_by(|&i, &j| {
        let key = |id: u32| (points[id as usize][u], points[id as usize][v], id);
        let (one, other) = (key(i), key(j));
        one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)).then(one.2.cmp(&other.2))
    });
    order.dedup_by(|next, kept| points[*next as usize] == points[*kept as usize]);
    let turn = |i: u32, j: u32, k: u32| {
        let at = |id: u32| &points[id as usize];
        orient::orient2d_along(axis, at(i), at(j), at(k))
    };
    let mut ring = half_chain(order.iter().copied(), turn);
    ring.pop();
    let mut back = half_chain(order.iter().rev().copied(), turn);
    back.pop();
    ring.append(&mut back);
    ring
}

/// Computes one half of the ring: left turns only.
fn half_chain(order: impl Iterator<Item = u32>, turn: impl Fn(u32, u32, u32) -> f64) -> Vec<u32> {
    let mut chain: Vec<u32> = Vec::new();
    for id in order {
        while let [.., before, last] = chain[..]
            && turn(before, last, id) <= 0.0
        {
            chain.pop();
        }
        chain.push(id);
    }
    chain
}
