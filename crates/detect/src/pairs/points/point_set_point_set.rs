//! Points against points by their radii, and a point set against itself.

use crate::contact_ids::id_of;
use crate::pairs::NoSettings;
use crate::pairs::primitive::rounded_contact::rounded_contact;
use crate::{About, Chunk, Chunks, Context, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_geometry::{Needs, PointSet};
use palpate_math::{Aabb, Vector};
use std::ops::Range;

/// Points per chunk: each costs a tree traversal of half a microsecond.
const POINTS_PER_CHUNK: usize = 512;

/// Particles against particles, and particles against themselves: every pair closer than the two radii. Bare points
/// touch only if they coincide; coincident points separate along world +y. The id is the first point's index times
/// 2³², plus the second's.
///
/// Neighbours come from the set's own tree, which is refitted when the points move: a k-d tree would be rebuilt in
/// every step, on the heap.
#[derive(Default)]
pub struct PointSetPointSet {
    chunks: Chunks,
}

impl PointSetPointSet {
    /// Tests the pairs of a point of `a` and a point of `b` for which `counts` is true.
    fn pairs(
        &mut self,
        a: &PointSet,
        b: &PointSet,
        counts: impl Fn(u32, u32) -> bool + Sync,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) {
        let Some(tree) = b.tree() else { return };
        let reach = a.radius() + b.radius() + context.margin();
        let job = |range: Range<usize>, chunk: &mut Chunk| {
            for first in range {
                let near = Aabb::from_point(a.positions()[first]).grown(reach);
                chunk.candidates.clear();
                tree.overlap(&near, |second| chunk.candidates.push(second));
                chunk.candidates.sort_unstable();
                for &second in chunk.candidates.iter().filter(|&&second| counts(first as u32, second)) {
                    let contact = ball_contact(a, first as u32, b, second);
                    if context.reports(contact.depth) {
                        chunk.contacts.push(contact);
                    }
                }
            }
        };
        self.chunks.run(context.executor(), a.len(), POINTS_PER_CHUNK, job, out);
    }
}

fn ball_contact(a: &PointSet, first: u32, b: &PointSet, second: u32) -> Contact {
    let [center_a, center_b] = [a.positions()[first as usize], b.positions()[second as usize]];
    let balls = rounded_contact(&center_a, a.radius(), &center_b, b.radius(), Vector::y);
    let on_a = Feature::vertex(first, a.owner(first), balls.point_a);
    let on_b = Feature::vertex(second, b.owner(second), balls.point_b);
    let id = id_of(IdPart::Vertex(first), IdPart::Vertex(second));
    Contact::exact(on_a, on_b, balls.direction, balls.depth, id)
}

impl PairDetector for PointSetPointSet {
    type A = PointSet;
    type B = PointSet;
    type Settings = NoSettings;

    const NAME: &'static str = "point_set_point_set";
    const NEEDS: [Needs; 2] = [Needs::empty(), Needs::TREE];
    const SELF_CONTACT: bool = true;
    const ABOUT: About = About {
        elements_a: "vertex",
        elements_b: "vertex",
        at_most: "one per pair of vertices",
        sides: "one: points are spheres",
        method: "every pair of nearby points, as two spheres; coincident points separate along +y; order \
            of the first's points, then the second's",
        cost: "O(points log points + contacts)",
        source: "Ericson 2005, Real-Time Collision Detection, 4.3.1",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &PointSet,
        b: &PointSet,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        self.pairs(a, b, |_, _| true, context, out);
        Status::default()
    }

    fn detect_self(
        &mut self,
        a: &PointSet,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Option<Status> {
        self.pairs(a, a, |first, second| first < second, context, out);
        Some(Status::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_geometry::Geometry;
    use palpate_math::Point;

    fn set(points: &[[f64; 3]], radius: f64) -> PointSet {
        let points = points.iter().copied().map(Point::from).collect();
        let mut set = PointSet::new(points).unwrap().with_radius(radius).unwrap();
        set.prepare(Needs::TREE);
        set
    }

    fn detect(a: &PointSet, b: &PointSet, margin: f64) -> Vec<Contact> {
        let mut out = CollisionData::new();
        PointSetPointSet::default().detect(a, b, &Context::new().with_margin(margin), &mut out);
        out.contacts
    }

    #[test]
    fn every_pair_in_reach_is_a_contact_in_order() {
        let a = set(&[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0]], 0.5);
        let b = set(&[[4.0, 0.75, 0.0], [0.0, 0.0, 0.75], [9.0, 0.0, 0.0], [0.0, -1.0, 0.0]], 0.5);
        let contacts = detect(&a, &b, 0.0);
        let ids: Vec<_> =
            contacts.iter().map(|contact| (contact.a.vertices[0], contact.b.vertices[0])).collect();
        assert_eq!(ids, [(0, 1), (0, 3), (1, 0)]);
        assert_eq!((contacts[0].depth, contacts[0].direction), (0.25, [0.0, 0.0, -1.0]));
        assert_eq!((contacts[0].a.point, contacts[0].b.point), ([0.0, 0.0, 0.5], [0.0, 0.0, 0.25]));
        assert_eq!(contacts[1].depth, 0.0, "touching");
    }

    #[test]
    fn bare_points_touch_where_they_coincide_and_a_margin_sees_farther() {
        let (a, b) = (set(&[[1.0, 2.0, 3.0]], 0.0), set(&[[1.0, 2.0, 3.0], [1.0, 2.0, 3.5]], 0.0));
        let contacts = detect(&a, &b, 0.0);
        assert_eq!((contacts.len(), contacts[0].depth, contacts[0].direction), (1, 0.0, [0.0, 1.0, 0.0]));
        assert_eq!(detect(&a, &b, 0.5)[1].depth, -0.5);
    }

    #[test]
    fn in_self_contact_each_pair_comes_once_and_no_point_meets_itself() {
        let a = set(&[[0.0, 0.0, 0.0], [0.75, 0.0, 0.0], [1.5, 0.0, 0.0]], 0.5);
        let mut out = CollisionData::new();
        assert!(PointSetPointSet::default().detect_self(&a, &Context::new(), &mut out).is_some());
        assert_eq!(
            out.contacts.iter().map(|contact| contact.id).collect::<Vec<_>>(),
            [(0, 1), (1, 2)].map(|(p, q)| id_of(IdPart::Vertex(p), IdPart::Vertex(q)))
        );
        assert!(out.contacts.iter().all(|contact| contact.direction == [-1.0, 0.0, 0.0]));
    }
}
