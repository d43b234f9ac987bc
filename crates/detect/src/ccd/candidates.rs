//! Pairs of elements whose swept boxes overlap.

use super::moving::{MovingSurface, Vertices};
use palpate_bvh::Bvh;
use palpate_geometry::LineMesh;

/// Two elements that may touch during the step. Ordered as the contacts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Candidate {
    /// A vertex of A and one of B.
    Vertices(u32, u32),
    /// A vertex of A and an edge of B.
    VertexEdge(u32, u32),
    /// A vertex of A and a triangle of B.
    VertexTriangle(u32, u32),
    /// A triangle of A and a vertex of B.
    TriangleVertex(u32, u32),
    /// An edge of A and one of B.
    Edges(u32, u32),
}

/// Adds what `tree` has near each vertex of `moving` that is wanted.
pub(crate) fn of_vertices(
    moving: &Vertices<'_>,
    wanted: impl Fn(u32) -> bool,
    tree: &Bvh,
    reach: f64,
    mut add: impl FnMut(u32, u32),
) {
    for vertex in (0..moving.len() as u32).filter(|&vertex| wanted(vertex)) {
        tree.overlap(&moving.swept([vertex]).grown(reach), |other| add(vertex, other));
    }
}

/// Adds the segments that `tree` has near each segment of `lines`.
pub(crate) fn of_segments(lines: &LineMesh, tree: &Bvh, reach: f64, mut add: impl FnMut(u32, u32)) {
    let moving = Vertices::of(lines.points());
    for (segment, &ids) in (0..).zip(lines.cells()).filter(|&(segment, _)| !lines.is_removed(segment)) {
        tree.overlap(&moving.swept(ids).grown(reach), |other| add(segment, other));
    }
}

/// Adds the edges of `surface` near an element with this swept box: each once, with the lowest of its triangles.
pub(crate) fn edges_near(
    surface: &MovingSurface<'_>,
    tree: &Bvh,
    swept: &palpate_math::Aabb,
    mut add: impl FnMut(u32),
) {
    tree.overlap(swept, |triangle| {
        for edge in surface.mesh.adjacency().triangle_edges[triangle as usize] {
            let owned = surface.triangle_of(edge) == triangle;
            if owned && surface.vertices.swept(surface.edge(edge)).overlaps(swept) {
                add(edge);
            }
        }
    });
}
