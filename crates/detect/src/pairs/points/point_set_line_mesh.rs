//! Points against threads by their radii.

use crate::contact_ids::{id_of, line_part};
use crate::pairs::NoSettings;
use crate::pairs::lines::line_mesh_round::{end_vertex, line_feature};
use crate::rounded_contact::{are_apart, rounded_contact};
use crate::{About, Chunk, Chunks, Context, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_geometry::{LineMesh, Needs, PointSet};
use palpate_math::nearest::point_segment;
use palpate_math::{Aabb, direction};
use std::ops::Range;

/// Points per chunk: each costs a tree traversal of half a microsecond.
const POINTS_PER_CHUNK: usize = 512;

/// Particles against threads (points and segments, bare or with a radius): each point by the closest point of every
/// nearby segment; a shared vertex once. A point on a segment separates along a fixed perpendicular of it.
#[derive(Default)]
pub struct PointSetLineMesh {
    chunks: Chunks,
}

/// Returns the contact of a point and a segment; `None` if they are surely farther apart than `reach`.
fn segment_contact(
    points: &PointSet,
    point: u32,
    lines: &LineMesh,
    cell: u32,
    reach: f64,
) -> Option<Contact> {
    let center = points.positions()[point as usize];
    let [start, end] = lines.segment(cell);
    let nearest = point_segment(&center, &start, &end);
    if are_apart(&center, &nearest.point, reach) {
        return None;
    }
    let vertex = end_vertex(lines, cell, nearest.feature);
    let aside = || direction::any_perpendicular(&(end - start));
    let balls = rounded_contact(&center, points.radius(), &nearest.point, lines.radius(), aside);
    let a = Feature::vertex(point, points.owner(point), balls.point_a);
    let (b, _) = line_feature(lines, cell, vertex, nearest.t, balls.point_b);
    let id = id_of(IdPart::Vertex(point), line_part(vertex, cell));
    Some(Contact::exact(a, b, balls.direction, balls.depth, id))
}

/// Keeps the first contact of every id among those from index `before` on.
fn keep_first_of_each(chunk: &mut Chunk, before: usize) {
    let Chunk { contacts, candidates: order, .. } = chunk;
    let found = &mut contacts[before..];
    order.clear();
    order.extend(0..found.len() as u32);
    order.sort_unstable_by_key(|&index| (found[index as usize].id, index));
    order.dedup_by_key(|index| found[*index as usize].id);
    order.sort_unstable();
    for (slot, &index) in order.iter().enumerate() {
        found[slot] = found[index as usize];
    }
    contacts.truncate(before + order.len());
}

impl PairDetector for PointSetLineMesh {
    type A = PointSet;
    type B = LineMesh;
    type Settings = NoSettings;

    const NAME: &'static str = "point_set_line_mesh";
    const NEEDS: [Needs; 2] = [Needs::empty(), Needs::TREE];
    const ABOUT: About = About {
        elements_a: "vertex",
        elements_b: "edge, vertex",
        at_most: "one per vertex and edge, or vertex and vertex",
        sides: "one: points are spheres, segments capsules",
        method: "closest point of each nearby segment, then two spheres; a shared vertex once; order of \
            points, then of segments",
        cost: "O(points log segments + contacts)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.1.2",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &PointSet,
        b: &LineMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(tree) = b.tree() else { return Status::default() };
        let reach = a.radius() + b.radius() + context.margin();
        let job = |range: Range<usize>, chunk: &mut Chunk| {
            for point in range {
                let near = Aabb::from_point(a.positions()[point]).grown(reach);
                chunk.candidates.clear();
                tree.overlap(&near, |cell| chunk.candidates.push(cell));
                chunk.candidates.sort_unstable();
                let before = chunk.contacts.len();
                for &cell in &chunk.candidates {
                    let contact = segment_contact(a, point as u32, b, cell, reach);
                    chunk.contacts.extend(contact.filter(|contact| context.reports(contact.depth)));
                }
                if chunk.contacts.len() > before + 1 {
                    keep_first_of_each(chunk, before);
                }
            }
        };
        self.chunks.run(context.executor(), a.len(), POINTS_PER_CHUNK, job, out).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::FeatureKind;
    use palpate_geometry::Geometry;
    use palpate_math::Point;

    /// Tests points against a thread that rises to (0, 1, 0) and falls again.
    fn detect(points: &[[f64; 3]], radius: f64, margin: f64) -> Vec<Contact> {
        let points = points.iter().copied().map(Point::from).collect();
        let points = PointSet::new(points).unwrap().with_radius(radius).unwrap();
        let roof = [[-2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0], [4.0, 0.0, 0.0]].map(Point::from);
        let mut lines = LineMesh::polyline(roof.to_vec()).unwrap().with_radius(0.25).unwrap();
        lines.prepare(Needs::TREE);
        let mut out = CollisionData::new();
        let context = Context::new().with_margin(margin);
        PointSetLineMesh::default().detect(&points, &lines, &context, &mut out);
        out.contacts
    }

    #[test]
    fn a_ball_beside_a_segment_meets_its_edge() {
        let contact = detect(&[[9.0, 0.0, 0.0], [3.0, -0.5, 0.0]], 0.5, 0.0)[0];
        assert_eq!(
            (contact.id, contact.depth, contact.direction),
            (id_of(IdPart::Vertex(1), IdPart::Edge(2)), 0.25, [0.0, -1.0, 0.0])
        );
        assert_eq!((contact.a.point, contact.b.point), ([3.0, 0.0, 0.0], [3.0, -0.25, 0.0]));
        assert_eq!(
            (contact.b.feature_kind(), contact.b.vertex_weights()),
            (FeatureKind::Edge, &[0.5, 0.5][..])
        );
    }

    #[test]
    fn over_the_ridge_the_shared_vertex_comes_once() {
        let contacts = detect(&[[0.0, 1.5, 0.0]], 0.5, 0.0);
        assert_eq!((contacts.len(), contacts[0].depth, contacts[0].b.vertices[0]), (1, 0.25, 1));
        assert_eq!(contacts[0].id, id_of(IdPart::Vertex(0), IdPart::Vertex(1)));
    }

    #[test]
    fn under_the_ridge_both_segments_are_met_and_a_margin_adds_the_third() {
        let count = |margin| detect(&[[0.0, 0.5, 0.0]], 0.25, margin).len();
        assert_eq!((count(0.0), count(1.6)), (2, 3));
        let depths: Vec<_> =
            detect(&[[0.0, 0.5, 0.0]], 0.25, 1.6).iter().map(|contact| contact.depth).collect();
        assert_eq!(depths[0], depths[1]);
    }

    #[test]
    fn a_point_on_a_segment_parts_sideways() {
        let contact = detect(&[[3.0, 0.0, 0.0]], 0.0, 0.0)[0];
        assert_eq!((contact.depth, contact.direction[0]), (0.25, 0.0));
    }
}
