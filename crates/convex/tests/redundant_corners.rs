//! Manifolds of hulls with redundant corners: every point lies on both bodies, none is deeper than the overlap along
//! any direction, and the result is that of the same hull without those corners.
//!
//! `PALPATE_PAIRS=10000 cargo test --release -p palpate-convex --test redundant_corners` runs more pairs of each kind.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

mod cad;

use cad::{Body, Corners, HalfSpaces, KINDS, Kind, Random, Vector, box_corners};
use palpate_convex::{
    Cuboid, FacedHull, Manifold, ManifoldPoint, Memory, NO_ID, QueryResult, RigidTransform, Settings, contact,
};

/// Rounding error of a length, relative to the size of the two bodies.
const ROUNDING: f64 = 1e-9;

/// One side of a pair, in the forms used by the query and by the check.
struct BoxFace {
    corners: Corners,
    /// `None` for a box.
    bodies: Option<[Body; 2]>,
    half: Vector,
    spaces: HalfSpaces,
}

impl BoxFace {
    fn new(random: &mut Random, kind: Option<Kind>) -> Self {
        let half = Vector::from_fn(|_, _| 0.1 + random.number().abs());
        let corners = match kind {
            Some(kind) => random.corners(kind),
            None => Corners { essential: box_corners(&half).to_vec(), all: Vec::new() },
        };
        let bodies = kind.map(|_| [Body::new(&corners.essential), Body::new(&corners.all)]);
        let spaces = HalfSpaces::new(&corners.essential);
        Self { corners, bodies, half, spaces }
    }

    /// Returns the normal of a face, in the body's frame; `None` for edges and empty faces.
    fn normal(&self, which: usize, face: u32) -> Option<Vector> {
        match &self.bodies {
            _ if face == NO_ID => None,
            Some(bodies) => Some(bodies[which].faces.normal(face as usize)),
            None => Some(Vector::ith(face as usize / 2, if face.is_multiple_of(2) { 1.0 } else { -1.0 })),
        }
    }

    fn hull(&self, which: usize) -> Option<FacedHull<'_>> {
        let Body { hull, faces } = &self.bodies.as_ref()?[which];
        Some(FacedHull { hull, faces, radius: 0.0 })
    }
}

/// Computes the contact and the points, of the hulls without (0) or with (1) their redundant corners.
fn ask(
    a: &BoxFace,
    pose_a: &RigidTransform<Vector>,
    b: &BoxFace,
    which: usize,
) -> (QueryResult<Vector>, Vec<ManifoldPoint>) {
    let here = &RigidTransform::identity();
    let (settings, mut memory, mut manifold) = (Settings::default(), Memory::default(), Manifold::default());
    let a = a.hull(which).unwrap();
    match b.hull(which) {
        Some(b) => {
            let found = contact((&a, pose_a), (&b, here), &mut memory, &settings);
            (found, manifold.find((&a, pose_a), (&b, here), &found, 0.0).to_vec())
        }
        None => {
            let b = Cuboid { half_extents: b.half };
            let found = contact((&a, pose_a), (&b, here), &mut memory, &settings);
            (found, manifold.find((&a, pose_a), (&b, here), &found, 0.0).to_vec())
        }
    }
}

/// Returns how far A must move along a unit direction until a plane perpendicular to it separates the two.
fn overlap(a: &[Vector], b: &[Vector], direction: &Vector) -> f64 {
    let along = |points: &[Vector]| points.iter().map(|point| point.dot(direction)).collect::<Vec<_>>();
    let least = along(a).into_iter().fold(f64::INFINITY, f64::min);
    along(b).into_iter().fold(f64::NEG_INFINITY, f64::max) - least
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    pairs: usize,
    points: usize,
    outside: usize,
    too_deep: usize,
    untrue_bounds: usize,
    same_key: usize,
    other_depth: usize,
    other_points: usize,
    ties: usize,
}

fn check(
    random: &mut Random,
    (a, b): (&BoxFace, &BoxFace),
    pose: &RigidTransform<Vector>,
    tally: &mut Tally,
) {
    let moved = |points: &[Vector]| {
        points.iter().map(|&point| pose.rotation * point + pose.translation).collect::<Vec<_>>()
    };
    let (corners_a, corners_b) = (moved(&a.corners.essential), &b.corners.essential);
    let extent = |points: &[Vector]| points.iter().map(|p| (p - points[0]).norm()).fold(0.0, f64::max);
    let allowed = ROUNDING * (extent(&corners_a) + extent(corners_b));
    let least =
        (0..200).map(|_| overlap(&corners_a, corners_b, &random.unit())).fold(f64::INFINITY, f64::min);
    let answers = [0, 1].map(|which| ask(a, pose, b, which));
    if answers[0].0.depth < -allowed {
        return;
    }
    tally.pairs += 1;
    let mut wrong = [0; 4];
    for (found, points) in &answers {
        let most = overlap(&corners_a, corners_b, &found.direction);
        for (k, point) in points.iter().enumerate() {
            tally.points += 1;
            let on_a = pose.rotation.tr_mul(&(point.point_a - pose.translation));
            let on_b = point.point_a + found.direction * point.depth;
            wrong[0] += usize::from(a.spaces.beyond(&on_a).max(b.spaces.beyond(&on_b)) > allowed);
            wrong[1] += usize::from(point.depth > most.min(least) + allowed);
            wrong[2] += usize::from(points[..k].iter().any(|other| other.id == point.id));
        }
        let bounds = found.depth_lower > least + allowed || most > found.depth_upper + allowed;
        wrong[3] += usize::from(bounds || (points[0].depth - found.depth).abs() > allowed);
    }
    tally.outside += usize::from(wrong[0] > 0);
    tally.too_deep += usize::from(wrong[1] > 0);
    tally.same_key += usize::from(wrong[2] > 0);
    tally.untrue_bounds += usize::from(wrong[3] > 0);
    let [(plain, few), (full, many)] = &answers;
    tally.other_depth += usize::from((plain.depth - full.depth).abs() > allowed);
    if (plain.direction - full.direction).norm() > 1e-6 {
        // Two separating directions of equal depth.
        tally.ties += 1;
        return;
    }
    let along = pose.rotation.tr_mul(&plain.direction);
    let faces = |side: usize| [few, many].map(|points| points[points.len() - 1].features[side]);
    if equally_good(a, faces(0), &along) || equally_good(b, faces(1), &plain.direction) {
        tally.ties += 1;
        return;
    }
    let near = |p: &ManifoldPoint, q: &ManifoldPoint| {
        (p.point_a - q.point_a).norm().max((p.depth - q.depth).abs()) <= allowed
    };
    let within = |some: &[ManifoldPoint], others: &[ManifoldPoint]| {
        some.iter().all(|point| others.iter().any(|other| near(point, other)))
    };
    let same = few.len() == many.len() && within(few, many) && within(many, few);
    tally.other_points += usize::from(!same);
}

/// Whether two faces are equally close to a direction, so that the choice depends on their numbers.
fn equally_good(side: &BoxFace, faces: [u32; 2], direction: &Vector) -> bool {
    match [0, 1].map(|which| side.normal(which, faces[which])) {
        [Some(one), Some(other)] => (one - other).norm() > 1e-6 && (one - other).dot(direction).abs() <= 1e-9,
        _ => false,
    }
}

fn run(kind: Kind, pairs: usize) -> Tally {
    let mut random = Random::new(kind as u64);
    let mut tally = Tally::default();
    while tally.pairs < pairs {
        let a = BoxFace::new(&mut random, Some(kind));
        let b = match random.below(3) {
            0 => BoxFace::new(&mut random, None),
            1 => BoxFace::new(&mut random, Some(kind)),
            _ => {
                let other = KINDS[random.below(KINDS.len())];
                BoxFace::new(&mut random, Some(other))
            }
        };
        // Several poses for one pair of hulls, since building the hulls dominates the cost.
        for _ in 0..4 {
            let face_a = (random.below(2) == 0).then(|| a.spaces.normal(&mut random));
            let face_b = (random.below(2) == 0).then(|| b.spaces.normal(&mut random));
            let pose = random.pose_near(&a.corners.essential, &b.corners.essential, face_a, face_b);
            check(&mut random, (&a, &b), &pose, &mut tally);
        }
    }
    tally
}

#[test]
fn redundant_corners_change_nothing() {
    let pairs = std::env::var("PALPATE_PAIRS").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    for kind in KINDS {
        let tally = run(kind, pairs);
        println!("{kind:?} {tally:?}");
        let Tally { outside, too_deep, untrue_bounds, same_key, other_depth, other_points, .. } = tally;
        let wrong = [outside, too_deep, untrue_bounds, same_key, other_depth, other_points];
        assert_eq!(wrong, [0; 6], "{kind:?} {tally:?}");
        // They lie on faces, edges and corners, and few ties depend on numbering.
        assert!(tally.points > 4 * tally.pairs && 100 * tally.ties < tally.pairs, "{kind:?} {tally:?}");
    }
}
