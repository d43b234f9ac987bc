//! The straight part of a sheet's border to which an edge belongs: one segment, however it is divided.

use crate::mesh::segment_surface::SegmentOnSurface;
use crate::solid::skin::Skin;
use palpate_geometry::{SurfaceFeature, SurfaceMesh};
use palpate_math::Vector;

/// How far beside the line of an edge a vertex may be and still be on it, relative to its distance.
const BESIDE: f64 = 1e-6;

/// A segment, and the edges into which it is divided.
#[derive(Debug, Default)]
pub(crate) struct StraightBorder {
    /// The ends of the segment.
    pub(crate) vertices: [u32; 2],
    /// The edges, if there are several, each with the parameters of its first and second vertex along the segment.
    edges: Vec<(u32, [f64; 2])>,
}

impl StraightBorder {
    /// Sets an edge, with the edges of the border of a sheet that continue it, or alone.
    pub(crate) fn set(&mut self, of: Skin<'_>, edge: u32) {
        let surface = of.surface;
        let adjacency = surface.adjacency();
        self.vertices = adjacency.edges[edge as usize];
        self.edges.clear();
        if of.is_solid() || !surface.is_on_border(SurfaceFeature::Edge(edge)) {
            return;
        }
        let [start, end] = surface.edge_ends(edge);
        let (own, mut ends) = (end - start, [0.0, 1.0]);
        for (k, end) in ends.iter_mut().enumerate() {
            let mut last = edge;
            while let Some((next, at)) = continued(surface, edge, last, self.vertices[k], &own) {
                let vertices = adjacency.edges[next as usize];
                let is_first = vertices[0] == self.vertices[k];
                self.edges.push((next, if is_first { [*end, at] } else { [at, *end] }));
                self.vertices[k] = if is_first { vertices[1] } else { vertices[0] };
                (last, *end) = (next, at);
            }
        }
        if !self.edges.is_empty() {
            self.edges.push((edge, [0.0, 1.0]));
            let along = |at: f64| (at - ends[0]) / (ends[1] - ends[0]);
            self.edges.iter_mut().for_each(|(_, range)| *range = range.map(along));
        }
    }

    /// Returns the edge that a place on the segment of an `edge` is on, and the place on it.
    pub(crate) fn locate(&self, edge: u32, near: &SegmentOnSurface) -> (u32, SegmentOnSurface) {
        let beside = |[from, to]: [f64; 2]| (near.t - near.t.clamp(from.min(to), from.max(to))).abs();
        let nearest = self.edges.iter().reduce(|p, q| if beside(q.1) < beside(p.1) { q } else { p });
        nearest.map_or((edge, *near), |&(edge, [from, to])| {
            (edge, SegmentOnSurface { t: ((near.t - from) / (to - from)).clamp(0.0, 1.0), ..*near })
        })
    }
}

/// Returns the border edge that continues the line of an edge beyond a vertex of `last`, and the parameter of its far end along
/// that line; `None` at a corner, and where several border edges meet.
fn continued(surface: &SurfaceMesh, edge: u32, last: u32, vertex: u32, own: &Vector) -> Option<(u32, f64)> {
    let adjacency = surface.adjacency();
    let [origin, _] = surface.edge_ends(edge);
    let triangles = adjacency.corners_at(vertex).iter().map(|corner| corner / 3);
    let edges = triangles.flat_map(|triangle| adjacency.triangle_edges[triangle as usize]);
    let mut others = edges.filter(|&other| {
        other != last
            && surface.is_on_border(SurfaceFeature::Edge(other))
            && adjacency.edges[other as usize].contains(&vertex)
    });
    let next = others.next().filter(|&next| others.all(|other| other == next))?;
    let [from, to] = adjacency.edges[next as usize];
    let positions = surface.points().positions();
    let [at, to] =
        [vertex, if from == vertex { to } else { from }].map(|vertex| positions[vertex as usize] - origin);
    let [at, along] = [at, to].map(|offset| offset.dot(own) / own.norm_squared());
    let beside = (to - own * along).norm() <= BESIDE * to.norm();
    // Onward, and not back.
    let is_onward = if at > 0.5 { along > at } else { along < at };
    (beside && is_onward).then_some((next, along))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::segment_surface::segment_on_edge;
    use crate::pairs::implicit::surface_samples::mesh;

    /// Two squares side by side: along their common line the border is two edges long, along the others one.
    #[test]
    fn a_straight_border_is_one_segment() {
        let corners: Vec<[f64; 3]> =
            [0.0, 1.0].into_iter().flat_map(|z| [0.0, 1.0, 4.0].map(|x| [x, 0.0, z])).collect();
        let sheet = mesh(&corners, &[[0, 3, 1], [1, 3, 4], [1, 4, 2], [2, 4, 5]]);
        let edge = |ends: [u32; 2]| {
            let edges = &sheet.adjacency().edges;
            edges.iter().position(|edge| ends.iter().all(|end| edge.contains(end))).unwrap() as u32
        };
        let mut border = StraightBorder::default();
        for (asked, mut ends) in
            [([0, 1], [0, 2]), ([1, 2], [0, 2]), ([3, 4], [3, 5]), ([0, 3], [0, 3]), ([1, 4], [1, 4])]
        {
            border.set(Skin::of_surface(&sheet), edge(asked));
            border.vertices.sort_unstable();
            ends.sort_unstable();
            assert_eq!(border.vertices, ends, "{asked:?}");
        }
        // Three quarters along the whole, at x = 3, are two thirds along the second edge.
        let asked = edge([0, 1]);
        border.set(Skin::of_surface(&sheet), asked);
        let at = if border.vertices[0] == 0 { 0.75 } else { 0.25 };
        let near = segment_on_edge(&sheet, asked, sheet.edge_ends(asked).each_ref());
        let (found, near) = border.locate(asked, &SegmentOnSurface { t: at, ..near });
        let [from, to] = sheet.edge_ends(found);
        assert_eq!(found, edge([1, 2]));
        assert!((from.x + (to.x - from.x) * near.t - 3.0).abs() < 1e-12, "{near:?}");
    }
}
