//! An axis that lies along a surface: parallel to a face or an edge and beside it, it is equally near along a whole stretch.
//!
//! Such a stretch is met at its two ends. Each belongs to the lowest element it lies on: where the axis itself ends, that
//! is the face or the edge along which it lies; where it goes on, an edge over which it leaves the face, or the vertex at
//! which the edge ends. So stretches along neighbouring triangles share the places at which one becomes the other.

use crate::pairs::axis_surface::Axis;
use crate::pairs::segment_surface::{SegmentOnSurface, part_at, segment_on_edge, segment_on_vertex};
use crate::pairs::surface_sides::surface_id;
use palpate_geometry::{SurfaceFeature, SurfaceNearest};
use palpate_math::closest::{
    AboveEnd, AboveTriangle, SegmentTriangle, parallel_overlap, point_segment, point_triangle,
    segment_above_triangle,
};
use palpate_math::rounding;

/// What a stretch lies along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Along {
    Face(u32),
    Edge(u32),
}

/// An end of a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StretchEnd {
    /// The axis' start (0) or end (1).
    OfAxis(usize),
    /// The edge over which the axis leaves the face.
    Edge(u32),
    /// The vertex at which the edge ends.
    Vertex(u32),
}

/// A stretch of the axis that lies along an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    pub(crate) along: Along,
    pub(crate) ends: [StretchEnd; 2],
}

impl Along {
    pub(crate) fn element(self) -> SurfaceFeature {
        match self {
            Self::Face(triangle) => SurfaceFeature::Face(triangle),
            Self::Edge(edge) => SurfaceFeature::Edge(edge),
        }
    }
}

impl StretchEnd {
    /// The element at which the stretch leaves another; none where the axis itself ends.
    pub(crate) fn element(self) -> Option<SurfaceFeature> {
        match self {
            Self::OfAxis(_) => None,
            Self::Edge(edge) => Some(SurfaceFeature::Edge(edge)),
            Self::Vertex(vertex) => Some(SurfaceFeature::Vertex(vertex)),
        }
    }
}

impl Stretch {
    /// The elements it is on: all that are nearest.
    pub(crate) fn elements(&self) -> [SurfaceFeature; 3] {
        let along = self.along.element();
        let [first, last] = self.ends.map(|end| end.element().unwrap_or(along));
        [along, first, last]
    }
}

impl Axis<'_> {
    /// The stretch of the axis along a triangle, if there is one; `local` are their nearest places.
    pub(crate) fn stretch(&self, triangle: u32, local: &SegmentTriangle) -> Option<Stretch> {
        if local.pierced {
            return None;
        }
        let [start, end] = &self.ends;
        let [a, b, c] = self.surface.corners(triangle);
        let edges = self.surface.adjacency().triangle_edges[triangle as usize];
        if let Some(AboveTriangle::Face(ends)) = segment_above_triangle(start, end, &a, &b, &c) {
            let ends = ends.map(|end| match end {
                AboveEnd::Segment(end) => StretchEnd::OfAxis(end),
                AboveEnd::Side(side) => StretchEnd::Edge(edges[side]),
            });
            return Some(Stretch { along: Along::Face(triangle), ends });
        }
        // Rounding may have named another place that is as near.
        let undecided = rounding::length(rounding::largest_coordinate([start, end, &a, &b, &c]));
        let nearest = local.distance_squared.sqrt() + undecided;
        edges.into_iter().find_map(|edge| self.stretch_along_edge(edge, nearest))
    }

    /// The stretch along an edge, if it is no farther than `nearest`.
    fn stretch_along_edge(&self, edge: u32, nearest: f64) -> Option<Stretch> {
        let [from, to] = self.surface.edge_ends(edge);
        let overlap = parallel_overlap(&from, &to, &self.ends[0], &self.ends[1])?;
        if (overlap[0].point_a - overlap[0].point_b).norm() > nearest {
            return None;
        }
        let vertices = self.surface.adjacency().edges[edge as usize];
        let ends = overlap.map(|end| match end.end {
            0 | 1 => StretchEnd::Vertex(vertices[end.end as usize]),
            of_axis => StretchEnd::OfAxis(of_axis as usize - 2),
        });
        Some(Stretch { along: Along::Edge(edge), ends })
    }

    /// The nearest places at an end of a stretch, and the id of the contact there: that of the element; at the axis' own start
    /// and end with 2⁵⁰ and 2⁵¹ added.
    pub(crate) fn at_end(&self, along: Along, end: StretchEnd) -> (SegmentOnSurface, u64) {
        let ends = self.ends.each_ref();
        let (nearest, of_axis) = match end {
            StretchEnd::OfAxis(end) => (self.end_on(along, end), (1 + end as u64) << 50),
            StretchEnd::Edge(edge) => (segment_on_edge(self.surface, edge, ends), 0),
            StretchEnd::Vertex(vertex) => (segment_on_vertex(self.surface, vertex, ends), 0),
        };
        (nearest, of_axis + surface_id(nearest.on_surface.feature))
    }

    /// The place on the face or the edge nearest to an end of the axis.
    fn end_on(&self, along: Along, end: usize) -> SegmentOnSurface {
        let on_segment = self.ends[end];
        let (weights, point) = match along {
            Along::Edge(edge) => {
                let [from, to] = self.surface.edge_ends(edge);
                let near = point_segment(&on_segment, &from, &to);
                ([1.0 - near.t, near.t, 0.0], near.point)
            }
            Along::Face(triangle) => {
                let [a, b, c] = self.surface.corners(triangle);
                let near = point_triangle(&on_segment, &a, &b, &c);
                (near.weights, near.point)
            }
        };
        let on_surface = SurfaceNearest { feature: along.element(), weights, point };
        SegmentOnSurface { on_surface, on_segment, t: end as f64, part: part_at(end as f64) }
    }
}
