//! An edge of one body beside another body: within the margin, without intersecting it.

use crate::mesh::segment_surface::{SegmentOnSurface, nearest_triangle, segment_on_edge, segment_on_surface};
use crate::solid::edge_exit::is_flat_edge;
use crate::solid::skin::Skin;
use crate::solid::solid_edges::{DEEPER, EdgeChunk, Found, Kind, Looked, add_new};
use crate::{Chunk, Context};
use palpate_geometry::{SurfaceFeature, SurfaceMesh};
use palpate_math::nearest::SegmentFeature;
use palpate_math::{Aabb, Point, separation};

impl Looked<'_> {
    /// Finds the contacts of an edge that intersects nothing with the edges of each part of the other body.
    pub(super) fn all_beside(&self, edge: u32, ends: [&Point; 2], chunk: &mut Chunk, context: &Context<'_>) {
        let reach = self.rims() + context.margin();
        if reach <= 0.0 {
            return;
        }
        self.list_beside(ends, reach, &mut chunk.candidates);
        let adjacency = self.into.surface.adjacency();
        let found = &mut chunk.scratch.get::<EdgeChunk>().found;
        for of_part in chunk.candidates.chunk_by(|&p, &q| adjacency.part_of(p) == adjacency.part_of(q)) {
            self.beside(edge, ends, of_part, reach, context, found);
        }
    }

    /// Lists the triangles within `reach` of an edge, grouped by part.
    fn list_beside(&self, [start, end]: [&Point; 2], reach: f64, candidates: &mut Vec<u32>) {
        candidates.clear();
        let bounds = Aabb::from_corners(start, end).grown(reach);
        if let Some(tree) = self.into.surface.tree() {
            tree.overlap(&bounds, |triangle| candidates.push(triangle));
        }
        let adjacency = self.into.surface.adjacency();
        candidates.sort_unstable_by_key(|&triangle| (adjacency.part_of(triangle), triangle));
    }

    /// Finds the contact of a separated edge with the nearest edge of the candidates within `reach`; over a flat face, with each side of
    /// the face that is as near.
    fn beside(
        &self,
        edge: u32,
        ends: [&Point; 2],
        candidates: &[u32],
        reach: f64,
        context: &Context<'_>,
        found: &mut Vec<Found>,
    ) {
        let surface = self.into.surface;
        let Some((triangle, local)) = nearest_triangle(surface, ends, candidates, reach) else { return };
        // An edge between coplanar triangles is not a feature of a solid.
        let is_flat = |skin: Skin<'_>, edge: u32| skin.is_solid() && is_flat_edge(skin.surface, edge);
        if is_flat(self.of, edge) {
            return;
        }
        let near = segment_on_surface(surface, triangle, &local, ends);
        let first = found.len();
        let mut report = |other: u32, near: &SegmentOnSurface| {
            let pair = self.pair_beside(edge, other, near).filter(|pair| context.reports(pair.contact.depth));
            if let Some(pair) = pair {
                add_new(found, first, pair);
            }
        };
        // Along a flat face the whole overlap is equally near: its ends are over the sides of the face.
        let distance = (near.on_segment - near.on_surface.point).norm();
        let slack = DEEPER * ((ends[1] - ends[0]).norm() + distance);
        if candidates.iter().any(|&triangle| is_along(surface, triangle, ends, distance, slack)) {
            let edges = |&triangle: &u32| surface.adjacency().triangle_edges[triangle as usize];
            let sides = candidates.iter().flat_map(edges).filter(|&side| !is_flat_edge(surface, side));
            for side in sides {
                let near = segment_on_edge(surface, side, ends);
                let [_, weight, _] = near.on_surface.weights;
                let is_near = (near.on_segment - near.on_surface.point).norm() <= distance + slack;
                // A vertex of the face has a contact of its own.
                if is_near && weight > 0.0 && weight < 1.0 {
                    report(side, &near);
                }
            }
        } else if let SurfaceFeature::Edge(other) = near.on_surface.feature
            && !is_flat(self.into, other)
        {
            report(other, &near);
        }
    }

    /// Returns the contact of an edge with another beside it, if its nearest point is no end of its own.
    fn pair_beside(&self, edge: u32, other: u32, near: &SegmentOnSurface) -> Option<Found> {
        if near.part != SegmentFeature::Interior {
            return None;
        }
        let (direction, distance) = separation::between(&near.on_surface.point, &near.on_segment);
        let direction = direction.or_else(|| self.perpendicular(edge, other, near));
        let outward = direction.unwrap_or_else(|| self.into.surface.outward(near.on_surface.feature));
        let contact = self.edge_contact(edge, other, near, outward, -distance);
        let [_, weight, _] = near.on_surface.weights;
        Some(Found { contact, kind: Kind::Pair { edges: [edge, other], at: [near.t, weight] } })
    }
}

/// Whether both ends of an edge are as far from the plane of a triangle as the edge is from the triangle.
fn is_along(surface: &SurfaceMesh, triangle: u32, ends: [&Point; 2], distance: f64, slack: f64) -> bool {
    let Some(normals) = surface.normals() else { return false };
    let (normal, corner) = (normals.face(triangle), surface.corners(triangle)[0]);
    let [start, end] = ends.map(|end| (end - corner).dot(&normal));
    (start - end).abs() <= slack && (start.abs() - distance).abs() <= slack
}
