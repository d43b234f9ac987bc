//! Points against points by their radii, and a point set against itself.

use super::point_grid::{Cells, PointGrid, SLACK};
use crate::contact_ids::id_of;
use crate::pairs::NoSettings;
use crate::rounded_contact::{are_apart, rounded_contact};
use crate::{About, Chunk, Chunks, Context, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_geometry::{Needs, PointSet};
use palpate_math::{Aabb, Vector};
use std::ops::Range;

/// Points per chunk: each costs a tree traversal of a fifth of a microsecond.
const POINTS_PER_CHUNK: usize = 512;

/// Pairs per chunk: each is a contact.
const PAIRS_PER_CHUNK: usize = 512;

/// Sets of at least this many points are searched cell by cell, which reuses the cached part of the other grid, and the
/// pairs are sorted afterwards. Smaller sets are searched in index order.
const MANY: usize = 16_384;

/// Particles against particles, and particles against themselves: every pair closer than the two radii. Bare points
/// touch only if they coincide; coincident points separate along world +y. The id is the first point's index times
/// 2³², plus the second's.
///
/// Neighbours come from a regular grid, filled in every step. Where points are crowded in few places, or bare, they come
/// from the set's own tree, which is refitted when the points move.
#[derive(Default)]
pub struct PointSetPointSet {
    chunks: Chunks,
    grids: [PointGrid; 2],
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
        let near = |points: &PointSet| Aabb::from_points(points.positions()).grown(reach * SLACK);
        let shared = near(a).intersection(&near(b));
        if shared.is_empty() {
            return;
        }
        let Self { chunks, grids: [of_a, of_b], near } = self;
        let cells = Cells::over(&shared, reach, a.len().max(b.len()));
        let cells = cells.filter(|cells| of_b.fill(cells, b.positions()));
        let cells = cells.filter(|cells| a.len() < MANY || of_a.fill(cells, a.positions()));
        let of_b = &*of_b;
        if a.len() < MANY || cells.is_none() {
            let job = |range: Range<usize>, chunk: &mut Chunk| {
                for (first, point) in (range.start as u32..).zip(&a.positions()[range]) {
                    chunk.candidates.clear();
                    if let Some(cells) = &cells {
                        let Some(cell) = cells.number_in_box(point) else { continue };
                        of_b.near(cells, cell, |other, second| {
                            if !are_apart(point, other, reach) {
                                chunk.candidates.push(second);
                            }
                        });
                    } else {
                        let near = Aabb::from_point(*point).grown(reach);
                        tree.overlap(&near, |second| chunk.candidates.push(second));
                    }
                    chunk.candidates.sort_unstable();
                    let seconds = chunk.candidates.iter().filter(|&&second| counts(first, second));
                    chunk.contacts.extend(seconds.filter_map(|&second| contact(first, second)));
                }
            };
            chunks.run(context.executor(), a.len(), POINTS_PER_CHUNK, job, out);
            return;
        }
        let Some(cells) = cells else { return };
        let of_a = &*of_a;
        let job = |range: Range<usize>, chunk: &mut Chunk| {
            let found = chunk.scratch.get::<Vec<u64>>();
            found.clear();
            for (point, first) in of_a.places(range) {
                let Some(cell) = cells.number_in_box(point) else { continue };
                of_b.near(&cells, cell, |other, second| {
                    if counts(*first, second) && !are_apart(point, other, reach) {
                        found.push(u64::from(*first) << 32 | u64::from(second));
                    }
                });
            }
        };
        near.clear();
        chunks.run_joined(context.executor(), of_a.len(), POINTS_PER_CHUNK, job, |chunk| {
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
            [(700, 1.0, 0.03, 0.0), (700, 3.0, 0.03, 0.02), (700, 1.0, 0.0, 0.04), (MANY, 2.0, 0.02, 0.0)];
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
