//! The polytope of EPA at each iteration.

use super::coordinates::Coordinates;
use super::outline::{faces_viewer, hull, seen};
use super::report::Report;
use palpate::convex::ConvexHull;
use palpate::math::Point;
use std::collections::BTreeMap;

/// A line of the picture.
pub(crate) struct Edge {
    pub(crate) ends: [[f64; 2]; 2],
    /// Whether it is hidden behind the polytope.
    pub(crate) hidden: bool,
}

/// The vertices before iteration `index` of EPA: the initial ones and the support points of earlier iterations.
///
/// The initial vertices are the simplex of GJK and, if that had too few, the facet vertices that no iteration
/// found.
pub(crate) fn vertices(report: &Report, index: usize) -> Vec<Coordinates> {
    let mut known = report.gjk.simplex.clone();
    let Some(epa) = &report.epa else { return known };
    for (at, iteration) in epa.iterations.iter().enumerate() {
        let earlier = &epa.iterations[..at];
        for corner in &iteration.facet {
            if !known.contains(corner) && !earlier.iter().any(|step| step.support == *corner) {
                known.push(corner.clone());
            }
        }
    }
    known.extend(epa.iterations[..index].iter().map(|step| step.support.clone()));
    known
}

/// The edges of the hull of points, in projection.
pub(crate) fn edges(vertices: &[Coordinates]) -> Vec<Edge> {
    if vertices.first().is_some_and(|vertex| vertex.len() == 3) {
        return edges_in_space(vertices);
    }
    let corners = hull(vertices.iter().map(seen).collect());
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(&p, &q)| Edge { ends: [p, q], hidden: false }).collect()
}

fn edges_in_space(vertices: &[Coordinates]) -> Vec<Edge> {
    let points: Vec<Point> = vertices.iter().map(|v| Point::new(v[0], v[1], v[2])).collect();
    let hull = ConvexHull::new(&points);
    let mut visible: BTreeMap<[u32; 2], bool> = BTreeMap::new();
    for &[a, b, c] in &hull.triangles {
        let [p, q, r] = [a, b, c].map(|id| points[id as usize]);
        let faces = faces_viewer((q - p).cross(&(r - p)).as_slice());
        for [from, to] in [[a, b], [b, c], [c, a]] {
            *visible.entry([from.min(to), from.max(to)]).or_default() |= faces;
        }
    }
    if let ([a, b], true) = (hull.vertices.as_slice(), hull.triangles.is_empty()) {
        visible.insert([*a, *b], true);
    }
    let end = |id: u32| seen(&vertices[id as usize]);
    let mut edges: Vec<_> =
        visible.into_iter().map(|([a, b], faces)| Edge { ends: [end(a), end(b)], hidden: !faces }).collect();
    // Hidden edges are drawn first, so that they are below.
    edges.sort_by_key(|edge| !edge.hidden);
    edges
}
