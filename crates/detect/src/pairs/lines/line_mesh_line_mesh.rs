//! Threads against threads, and a thread against itself, by their radii.

use crate::contact_ids::{id_of, line_part};
use crate::pairs::lines::line_mesh_round::{end_vertex, line_feature};
use crate::pairs::primitive::capsule_capsule::common_perpendicular;
use crate::rounded_contact::rounded_contact;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::{CollisionData, Contact};
use palpate_geometry::{LineMesh, Needs};
use palpate_math::nearest::segment_segment;
use palpate_math::{Aabb, direction};
use serde::{Deserialize, Serialize};

/// Settings of [`LineMeshLineMesh`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LineMeshSettings {}

/// Thread against thread, and thread against itself: every pair of segments closer than their radii, each pair of
/// elements once. In self-contact, segments that share a vertex are skipped. Bare segments touch only where they
/// cross.
#[derive(Default)]
pub struct LineMeshLineMesh {
    candidates: Vec<[u32; 2]>,
    keys: Vec<(u64, usize)>,
    found: Vec<Contact>,
}

impl LineMeshLineMesh {
    fn begin(&mut self) {
        self.candidates.clear();
        self.found.clear();
    }

    /// Tests the candidates in order, and appends each pair of elements once.
    fn finish(&mut self, a: &LineMesh, b: &LineMesh, context: &Context<'_>, out: &mut CollisionData) {
        self.candidates.sort_unstable();
        for &[first, second] in &self.candidates {
            let contact = segment_contact(a, first, b, second);
            if context.reports(contact.depth) {
                self.found.push(contact);
            }
        }
        self.keys.clear();
        self.keys.extend(self.found.iter().enumerate().map(|(index, contact)| (contact.id, index)));
        self.keys.sort_unstable();
        self.keys.dedup_by_key(|key| key.0);
        self.keys.sort_unstable_by_key(|key| key.1);
        out.contacts.extend(self.keys.iter().map(|&(_, index)| self.found[index]));
    }
}

fn segment_box(lines: &LineMesh, cell: u32, reach: f64) -> Aabb {
    Aabb::from_points(lines.segment(cell)).grown(reach)
}

fn segment_contact(a: &LineMesh, first: u32, b: &LineMesh, second: u32) -> Contact {
    let ([a0, a1], [b0, b1]) = (a.segment(first), b.segment(second));
    let pair = segment_segment(&a0, &a1, &b0, &b1);
    let fallback = || {
        let (along_a, along_b) = (a1 - a0, b1 - b0);
        // Collinear segments separate along a fixed perpendicular of both; a point on a segment along one of the
        // segment.
        let along = if along_a.amax() == 0.0 { along_b } else { along_a };
        common_perpendicular(&along_a, &along_b, direction::any_perpendicular(&along))
    };
    let balls = rounded_contact(&pair.point_a, a.radius(), &pair.point_b, b.radius(), fallback);
    let vertices = [end_vertex(a, first, pair.feature_a), end_vertex(b, second, pair.feature_b)];
    let (on_a, _) = line_feature(a, first, vertices[0], pair.s, balls.point_a);
    let (on_b, _) = line_feature(b, second, vertices[1], pair.t, balls.point_b);
    let id = id_of(line_part(vertices[0], first), line_part(vertices[1], second));
    Contact::exact(on_a, on_b, balls.direction, balls.depth, id)
}

impl PairDetector for LineMeshLineMesh {
    type A = LineMesh;
    type B = LineMesh;
    type Settings = LineMeshSettings;

    const NAME: &'static str = "line_mesh_line_mesh";
    const NEEDS: [Needs; 2] = [Needs::TREE, Needs::TREE];
    const SELF_CONTACT: bool = true;
    const ABOUT: About = About {
        elements_a: "edge, vertex",
        elements_b: "edge, vertex",
        at_most: "one per pair of edges or vertices",
        sides: "one: both are solids",
        method: "closest points of each pair of nearby segments, then two spheres; each pair of elements \
            once; in self-contact, segments that share a vertex are skipped; order of the first's \
            segments, then the second's",
        cost: "O(segments log segments + contacts)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.1.9",
    };

    fn new(_: LineMeshSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &LineMesh,
        b: &LineMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(tree) = b.tree() else { return Status::default() };
        let reach = a.radius() + b.radius() + context.margin();
        self.begin();
        for first in (0..a.cells().len() as u32).filter(|&cell| !a.is_removed(cell)) {
            tree.overlap(&segment_box(a, first, reach), |second| self.candidates.push([first, second]));
        }
        self.finish(a, b, context, out);
        Status::default()
    }

    fn detect_self(
        &mut self,
        a: &LineMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Option<Status> {
        let tree = a.tree()?;
        let reach = 2.0 * a.radius() + context.margin();
        self.begin();
        for first in (0..a.cells().len() as u32).filter(|&cell| !a.is_removed(cell)) {
            let ids = a.cells()[first as usize];
            tree.overlap(&segment_box(a, first, reach), |second| {
                let joined = a.cells()[second as usize].iter().any(|id| ids.contains(id));
                if first < second && !joined {
                    self.candidates.push([first, second]);
                }
            });
        }
        self.finish(a, a, context, out);
        Some(Status::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::FeatureKind;
    use palpate_geometry::Geometry;
    use palpate_math::Point;

    fn thread(points: &[[f64; 3]], radius: f64) -> LineMesh {
        let points = points.iter().copied().map(Point::from).collect();
        let mut lines = LineMesh::polyline(points).unwrap().with_radius(radius).unwrap();
        lines.prepare(Needs::TREE);
        lines
    }

    fn detect(a: &LineMesh, b: &LineMesh) -> Vec<Contact> {
        let mut out = CollisionData::new();
        LineMeshLineMesh::default().detect(a, b, &Context::new(), &mut out);
        out.contacts
    }

    #[test]
    fn crossing_threads_meet_where_they_are_nearest() {
        let a = thread(&[[-1.0, 0.25, 0.0], [1.0, 0.25, 0.0]], 0.25);
        let b = thread(&[[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]], 0.125);
        let contact = detect(&a, &b)[0];
        assert_eq!((contact.depth, contact.direction), (0.125, [0.0, 1.0, 0.0]));
        assert_eq!((contact.a.point, contact.b.point), ([0.0, 0.0, 0.0], [0.0, 0.125, 0.0]));
    }

    #[test]
    fn a_segment_without_length_in_a_line_parts_sideways() {
        let a = thread(&[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], 0.25);
        let b = thread(&[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 0.125);
        let contact = detect(&a, &b)[0];
        assert_eq!((contact.depth, contact.direction[0]), (0.375, 0.0));
    }

    #[test]
    fn two_shared_vertices_are_one_pair_of_elements() {
        let a = thread(&[[-1.0, 1.0, 0.0], [0.0, 0.125, 0.0], [1.0, 1.0, 0.0]], 0.125);
        let b = thread(&[[0.0, -1.0, -1.0], [0.0, -0.0625, 0.0], [0.0, -1.0, 1.0]], 0.125);
        let contacts = detect(&a, &b);
        assert_eq!(contacts.len(), 1, "{contacts:#?}");
        assert_eq!(
            (contacts[0].a.feature_kind(), contacts[0].b.feature_kind()),
            (FeatureKind::Vertex, FeatureKind::Vertex)
        );
    }

    #[test]
    fn a_loop_meets_itself_but_neighbours_do_not() {
        let points =
            [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.125, 1.0], [0.0, 0.125, -1.0]];
        let lines = thread(&points, 0.125);
        let mut out = CollisionData::new();
        LineMeshLineMesh::default().detect_self(&lines, &Context::new(), &mut out).unwrap();
        assert_eq!(out.len(), 1, "{:#?}", out.contacts);
        assert_eq!((out.contacts[0].a.cell, out.contacts[0].b.cell, out.contacts[0].depth), (0, 3, 0.125));
    }
}
