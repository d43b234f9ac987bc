//! Points against points by their radii, and a point set against itself.

use crate::contact_ids::id_of;
use crate::pairs::NoSettings;
use crate::pairs::primitive::rounded_contact::{are_apart, rounded_contact};
use crate::{About, Chunk, Chunks, Context, PairDetector, Status};
use palpate_bvh::CurveOrder;
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_geometry::{Needs, PointSet};
use palpate_math::{Aabb, Vector};
use std::ops::Range;

/// Points per chunk: each costs a tree traversal of a fifth of a microsecond.
const POINTS_PER_CHUNK: usize = 512;

/// Pairs per chunk: each is a contact.
const PAIRS_PER_CHUNK: usize = 512;

/// Points that share a traversal of the tree, if they are close to each other.
const GROUP: usize = 8;

/// Sets of at least this many points are searched in the order of a space-filling curve, which reuses the cached part of
/// the tree, and the pairs are sorted afterwards. Smaller sets are searched in index order.
const MANY: usize = 4096;

/// Particles against particles, and particles against themselves: every pair closer than the two radii. Bare points
/// touch only if they coincide; coincident points separate along world +y. The id is the first point's index times
/// 2³², plus the second's.
///
/// Neighbours come from the set's own tree, which is refitted when the points move: a k-d tree would be rebuilt in
/// every step, on the heap.
#[derive(Default)]
pub struct PointSetPointSet {
    chunks: Chunks,
    order: CurveOrder,
    /// Pairs within reach: the first point's index in the upper 32 bits, the second's in the lower.
    near: Vec<u64>,
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
        let contact = |first: u32, second: u32| {
            Some(ball_contact(a, first, b, second)).filter(|contact| context.reports(contact.depth))
        };
        if a.len() < MANY {
            let job = |range: Range<usize>, chunk: &mut Chunk| {
                for first in range.start as u32..range.end as u32 {
                    let near = Aabb::from_point(a.positions()[first as usize]).grown(reach);
                    chunk.candidates.clear();
                    tree.overlap(&near, |second| chunk.candidates.push(second));
                    chunk.candidates.sort_unstable();
                    let seconds = chunk.candidates.iter().filter(|&&second| counts(first, second));
                    chunk.contacts.extend(seconds.filter_map(|&second| contact(first, second)));
                }
            };
            self.chunks.run(context.executor(), a.len(), POINTS_PER_CHUNK, job, out);
            return;
        }
        let Self { chunks, order, near } = self;
        order.sort(a.positions(), &tree.bounds().grown(reach));
        let order = &*order;
        let job = |range: Range<usize>, chunk: &mut Chunk| {
            let (found, candidates) = (chunk.scratch.get::<Vec<u64>>(), &mut chunk.candidates);
            found.clear();
            let mut look = |places: Range<usize>, bounds: &Aabb| {
                candidates.clear();
                tree.overlap(&bounds.grown(reach), |second| candidates.push(second));
                for first in places.map(|place| order.number(place)) {
                    let point = &a.positions()[first as usize];
                    let seconds = candidates.iter().filter(|&&second| counts(first, second));
                    let seconds =
                        seconds.filter(|&&second| !are_apart(point, &b.positions()[second as usize], reach));
                    found.extend(seconds.map(|&second| u64::from(first) << 32 | u64::from(second)));
                }
            };
            for start in range.clone().step_by(GROUP) {
                let group = start..(start + GROUP).min(range.end);
                let point = |place: usize| a.positions()[order.number(place) as usize];
                let bounds = Aabb::from_points(group.clone().map(point));
                if is_filled(&bounds, group.len(), reach) {
                    look(group, &bounds);
                } else {
                    group.for_each(|place| look(place..place + 1, &Aabb::from_point(point(place))));
                }
            }
        };
        near.clear();
        chunks.run_joined(context.executor(), order.len(), POINTS_PER_CHUNK, job, |chunk| {
            near.extend_from_slice(chunk.scratch.get::<Vec<u64>>());
        });
        near.sort_unstable();
        let near = &*near;
        let job = |range: Range<usize>, chunk: &mut Chunk| {
            let pairs = near[range].iter().map(|&pair| ((pair >> 32) as u32, pair as u32));
            chunk.contacts.extend(pairs.filter_map(|(first, second)| contact(first, second)));
        };
        chunks.run(context.executor(), near.len(), PAIRS_PER_CHUNK, job, out);
    }
}

/// Whether the box of some points, grown by their reach, is no larger than twice the boxes of each together: then a common
/// traversal finds little that is near none of them.
fn is_filled(bounds: &Aabb, points: usize, reach: f64) -> bool {
    bounds.grown(reach).size().product() <= 2.0 * points as f64 * (2.0 * reach).powi(3)
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

    /// Dense, sparse and clustered clouds, one partly beside the other, and one with itself.
    #[test]
    fn the_pairs_are_those_of_all_points_one_by_one() {
        let mut state = 7_u64;
        let mut number = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / (1_u64 << 24) as f64
        };
        let mut cloud = |count: usize, size: f64| -> Vec<[f64; 3]> {
            (0..count).map(|k| [number() * size, number() * size, number() * size + (k % 3) as f64]).collect()
        };
        let mut found = 0;
        let cases =
            [(700, 1.0, 0.03, 0.0), (700, 3.0, 0.03, 0.02), (700, 1.0, 0.0, 0.04), (MANY, 2.0, 0.03, 0.0)];
        for (count, size, radius, margin) in cases {
            let (a, b) = (set(&cloud(count, size), radius), set(&cloud(900, 0.7 * size), radius));
            let context = Context::new().with_margin(margin);
            let mut both = CollisionData::new();
            PointSetPointSet::default().detect(&a, &b, &context, &mut both);
            let mut own = CollisionData::new();
            PointSetPointSet::default().detect_self(&a, &context, &mut own);
            let one_by_one = |b: &PointSet, later: bool| -> Vec<Contact> {
                let of = |first: usize| (0..b.len()).map(move |second| (first, second));
                let all = (0..a.len()).flat_map(of).filter(|(first, second)| !later || first < second);
                let contacts = all.map(|(first, second)| ball_contact(&a, first as u32, b, second as u32));
                contacts.filter(|contact| context.reports(contact.depth)).collect()
            };
            // The time of impact is NaN.
            let are_same = |p: &[Contact], q: &[Contact]| format!("{p:?}") == format!("{q:?}");
            assert!(are_same(&both.contacts, &one_by_one(&b, false)), "{count} {size}");
            assert!(are_same(&own.contacts, &one_by_one(&a, true)), "{count} {size}");
            found += both.len() + own.len();
        }
        assert!(found > 1_000, "{found}");
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
