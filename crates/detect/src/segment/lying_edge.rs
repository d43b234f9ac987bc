//! Axes that are parallel or nearly parallel to an edge of a surface.

use crate::mesh::segment_surface::{SegmentOnSurface, part_at, segment_on_vertex};
use crate::segment::axis_part::{FLAT, NEARLY};
use crate::segment::axis_surface::Axis;
use palpate_contact::NONE;
use palpate_geometry::{SurfaceFeature, SurfaceNearest};
use palpate_math::nearest::{SegmentTriangle, TriangleFeature, parallel_overlap, point_segment};
use palpate_math::rounding;

/// The end of an overlap along an edge of the surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeEnd {
    /// The axis' start (0) or end (1).
    OfAxis(usize),
    /// The vertex where the edge ends.
    Vertex(u32),
}

impl Axis<'_> {
    /// Returns the edge of a triangle that the axis nearly lies along, and the ends of the overlap; `local` are the
    /// closest points of the triangle and the axis. Without `joined`, an edge also counts if the axis is straight
    /// above it.
    pub(crate) fn along_edge(
        &self,
        triangle: u32,
        local: &SegmentTriangle,
        joined: bool,
    ) -> Option<(u32, [EdgeEnd; 2])> {
        let edges = self.surface.adjacency().triangle_edges[triangle as usize];
        let on_edge = (0..3).find(|&side| match local.feature {
            TriangleFeature::Edge(edge) => side == edge,
            TriangleFeature::Vertex(corner) => {
                (side == corner || (side + 1) % 3 == corner)
                    && self.stretch_along(edges[side], joined).is_some()
            }
            TriangleFeature::Face => !joined && self.is_straight_above(triangle, edges[side]),
        });
        // An edge between coplanar triangles does not count.
        let edge = on_edge.map(|side| edges[side]).filter(|&edge| !joined || !self.is_flat_at(edge))?;
        self.stretch_along(edge, joined).map(|ends| (edge, ends))
    }

    /// Whether an edge is between coplanar triangles.
    fn is_flat_at(&self, edge: u32) -> bool {
        let [first, second] = self.surface.adjacency().edge_triangles[edge as usize];
        if second == NONE {
            return false;
        }
        let Some(normal) = self.normal(first) else { return false };
        let [corners, others] = [first, second].map(|triangle| self.surface.corners(triangle));
        let [[scale, _], [other_scale, _]] = [self.scales(&corners), self.scales(&others)];
        let slack = FLAT * scale.max(other_scale);
        others.iter().all(|corner| (corner - corners[0]).dot(&normal).abs() <= slack)
    }

    /// Returns the edge of a triangle that is parallel to the axis, up to rounding error, and nearest to it.
    pub(crate) fn parallel_edge(&self, triangle: u32, local: &SegmentTriangle) -> Option<u32> {
        let edges = self.surface.adjacency().triangle_edges[triangle as usize];
        let corners = self.surface.corners(triangle);
        let undecided = rounding::length(rounding::largest_coordinate(self.ends.iter().chain(&corners)));
        let nearest = local.distance_squared.sqrt() + undecided;
        edges.into_iter().filter(|_| !local.pierced && local.feature != TriangleFeature::Face).find(|&edge| {
            let [from, to] = self.surface.edge_ends(edge);
            let overlap = parallel_overlap(&from, &to, &self.ends[0], &self.ends[1]);
            overlap.is_some_and(|ends| (ends[0].point_a - ends[0].point_b).norm() <= nearest)
        })
    }

    /// Whether both ends are straight above the line of an edge, up to rounding error.
    fn is_straight_above(&self, triangle: u32, edge: u32) -> bool {
        let Some(normal) = self.normal(triangle) else { return false };
        let [from, to] = self.surface.edge_ends(edge);
        let across = normal.cross(&(to - from));
        let undecided =
            4.0 * rounding::length(rounding::largest_coordinate(self.ends.iter().chain([&from, &to])));
        self.ends.iter().all(|end| (end - from).dot(&across).abs() <= undecided * across.norm())
    }

    /// Returns the ends of the axis' overlap with an edge to which it is nearly parallel; parallel, without `joined`.
    fn stretch_along(&self, edge: u32, joined: bool) -> Option<[EdgeEnd; 2]> {
        let [from, to] = self.surface.edge_ends(edge);
        let (run, along) = (to - from, self.ends[1] - self.ends[0]);
        let (length, axis_length) = (run.norm(), along.norm());
        let undecided = rounding::length(rounding::largest_coordinate(self.ends.iter().chain([&from, &to])));
        let slant = if joined { NEARLY * length * axis_length } else { undecided * (length + axis_length) };
        if run.cross(&along).norm() > slant || axis_length <= undecided {
            return None;
        }
        let places = self.ends.map(|end| (end - from).dot(&run) / length);
        let (low, high) = (places[0].min(places[1]).max(0.0), places[0].max(places[1]).min(length));
        if high - low <= undecided {
            return None;
        }
        let vertices = self.surface.adjacency().edges[edge as usize];
        Some([0, 1].map(|end| match places[end] {
            place if place < 0.0 => EdgeEnd::Vertex(vertices[0]),
            place if place > length => EdgeEnd::Vertex(vertices[1]),
            _ => EdgeEnd::OfAxis(end),
        }))
    }

    /// Returns the closest points at an end of an overlap with an edge.
    pub(crate) fn at_edge_end(&self, edge: u32, end: EdgeEnd) -> SegmentOnSurface {
        match end {
            EdgeEnd::Vertex(vertex) => segment_on_vertex(self.surface, vertex, self.ends.each_ref()),
            EdgeEnd::OfAxis(end) => {
                let on_segment = self.ends[end];
                let [from, to] = self.surface.edge_ends(edge);
                let near = point_segment(&on_segment, &from, &to);
                let feature = SurfaceFeature::Edge(edge);
                let weights = [1.0 - near.t, near.t, 0.0];
                let on_surface = SurfaceNearest { feature, weights, point: near.point };
                SegmentOnSurface { on_surface, on_segment, t: end as f64, part: part_at(end as f64) }
            }
        }
    }
}
