//! The pairs of elements that candidates name.

use super::candidates::Candidate;
use super::contact::{AtImpact, Element, contact_at};
use super::moving::{MovingSurface, Vertices};
use palpate_geometry::LineMesh;
use palpate_math::continuous::{
    Impact, MovingPoint, Options, edge_edge, vertex_edge, vertex_triangle, vertex_vertex,
};
use std::ops::Range;

/// One side of a pair.
#[derive(Clone, Copy)]
pub(crate) enum Moving<'a> {
    Points(Vertices<'a>),
    Lines(&'a LineMesh, Vertices<'a>),
    Surface(MovingSurface<'a>),
}

impl<'a> Moving<'a> {
    fn vertices(&self) -> Vertices<'a> {
        match self {
            Self::Points(vertices) | Self::Lines(_, vertices) => *vertices,
            Self::Surface(surface) => surface.vertices,
        }
    }

    fn edge(&self, edge: u32) -> ([u32; 2], u32) {
        match self {
            Self::Points(_) => unreachable!("points have no edges"),
            Self::Lines(lines, _) => (lines.cells()[edge as usize], edge),
            Self::Surface(surface) => (surface.edge(edge), surface.cell(surface.triangle_of(edge))),
        }
    }

    fn triangle(&self, triangle: u32) -> ([u32; 3], u32) {
        match self {
            Self::Surface(surface) => (surface.mesh.triangles()[triangle as usize], surface.cell(triangle)),
            _ => unreachable!("only surfaces have triangles"),
        }
    }
}

/// The two elements of a candidate. A vertex has one moving point, an edge two, a triangle three.
pub(crate) struct Elements {
    pub(crate) moving: [MovingPoint; 4],
    pub(crate) ids: [u32; 4],
    /// How many of the vertices are those of A.
    pub(crate) of_a: usize,
    pub(crate) count: usize,
    pub(crate) cells: [u32; 2],
    pub(crate) numbers: [u32; 2],
    pub(crate) radii: [f64; 2],
}

impl Elements {
    /// The first impact within the radii and the margin.
    pub(crate) fn impact(&self, margin: f64) -> Option<Impact> {
        let options = Options::with_separation(self.radii[0] + self.radii[1] + margin);
        let [p, q, r, s] = &self.moving;
        match (self.of_a, self.count) {
            (1, 2) => vertex_vertex(p, q, &options),
            (1, 3) => vertex_edge(p, &[*q, *r], &options),
            (1, _) => vertex_triangle(p, &[*q, *r, *s], &options),
            (2, _) => edge_edge(&[*p, *q], &[*r, *s], &options),
            _ => vertex_triangle(s, &[*p, *q, *r], &options).map(|impact| {
                let [vertex, first, second, third] = impact.weights;
                Impact { weights: [first, second, third, vertex], ..impact }
            }),
        }
    }

    /// The elements of both sides.
    fn sides(&self) -> [Element<'_>; 2] {
        let side = |range: Range<usize>, side: usize| Element {
            moving: &self.moving[range.clone()],
            ids: &self.ids[range],
            cell: self.cells[side],
            number: self.numbers[side],
            radius: self.radii[side],
        };
        [side(0..self.of_a, 0), side(self.of_a..self.count, 1)]
    }

    /// The contact at an impact.
    pub(crate) fn contact(&self, impact: &Impact, margin: f64) -> AtImpact {
        let [a, b] = self.sides();
        contact_at(&a, &b, impact, a.radius + b.radius + margin)
    }
}

/// The elements of a candidate.
pub(crate) fn elements(a: &Moving<'_>, b: &Moving<'_>, candidate: Candidate) -> Elements {
    let (of_a, of_b) = (a.vertices(), b.vertices());
    let radii = [of_a.radius(), of_b.radius()];
    match candidate {
        Candidate::Vertices(v, w) => Elements {
            moving: [of_a.vertex(v), of_b.vertex(w), of_b.vertex(w), of_b.vertex(w)],
            ids: [v, w, w, w],
            of_a: 1,
            count: 2,
            cells: [of_a.owner(v), of_b.owner(w)],
            numbers: [v, w],
            radii,
        },
        Candidate::VertexEdge(v, edge) => {
            let ([p, q], cell) = b.edge(edge);
            Elements {
                moving: [of_a.vertex(v), of_b.vertex(p), of_b.vertex(q), of_b.vertex(q)],
                ids: [v, p, q, q],
                of_a: 1,
                count: 3,
                cells: [of_a.owner(v), cell],
                numbers: [v, edge],
                radii,
            }
        }
        Candidate::VertexTriangle(v, triangle) => {
            let ([p, q, r], cell) = b.triangle(triangle);
            Elements {
                moving: [of_a.vertex(v), of_b.vertex(p), of_b.vertex(q), of_b.vertex(r)],
                ids: [v, p, q, r],
                of_a: 1,
                count: 4,
                cells: [of_a.owner(v), cell],
                numbers: [v, triangle],
                radii,
            }
        }
        Candidate::TriangleVertex(triangle, v) => {
            let ([p, q, r], cell) = a.triangle(triangle);
            Elements {
                moving: [of_a.vertex(p), of_a.vertex(q), of_a.vertex(r), of_b.vertex(v)],
                ids: [p, q, r, v],
                of_a: 3,
                count: 4,
                cells: [cell, of_b.owner(v)],
                numbers: [triangle, v],
                radii,
            }
        }
        Candidate::Edges(first, second) => {
            let (([p, q], cell_a), ([r, s], cell_b)) = (a.edge(first), b.edge(second));
            Elements {
                moving: [of_a.vertex(p), of_a.vertex(q), of_b.vertex(r), of_b.vertex(s)],
                ids: [p, q, r, s],
                of_a: 2,
                count: 4,
                cells: [cell_a, cell_b],
                numbers: [first, second],
                radii,
            }
        }
    }
}

/// Whether, at an impact of bare elements, the one comes out of the inside of the other's solid: such an impact is no
/// contact. Of an edge all triangles at it must say so. What is outside within the margin leaves nothing.
pub(crate) fn leaves(
    a: &Moving<'_>,
    b: &Moving<'_>,
    candidate: Candidate,
    impact: &Impact,
    AtImpact { approach, between, .. }: &AtImpact,
) -> bool {
    let time = impact.time.upper;
    let sides = [(a, -*approach, -*between), (b, *approach, *between)];
    // Outward motion of the other side's element, relative to each solid; and where it is.
    let says = |number: usize| {
        let (side, outward, offset) = &sides[number];
        let Moving::Surface(surface) = side else { return None };
        if !surface.solid || surface.vertices.radius() > 0.0 {
            return None;
        }
        let is_out = |triangle: u32| {
            let normal = surface.normal(triangle, time);
            normal.dot(outward) > 0.0 && normal.dot(offset) <= 0.0
        };
        Some(match (candidate, number) {
            (Candidate::VertexTriangle(_, triangle), 1) | (Candidate::TriangleVertex(triangle, _), 0) => {
                is_out(triangle)
            }
            (Candidate::Edges(first, second), _) => {
                let edge = if number == 0 { first } else { second };
                surface.triangles_of(edge).all(is_out)
            }
            // The vertex of a solid on another's face: the face says it.
            _ => return None,
        })
    };
    let radii = a.vertices().radius() + b.vertices().radius();
    let said = [says(0), says(1)];
    radii == 0.0 && said.iter().any(Option::is_some) && said.iter().flatten().all(|&leaves| leaves)
}
