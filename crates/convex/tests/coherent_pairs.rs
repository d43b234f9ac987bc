//! Polyhedra in small steps: what is kept between queries changes only the cost.
//!
//! `PALPATE_COHERENT=<steps>` sets the number of compared steps; without it 20,000.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use nalgebra::{Point3, Rotation3, Vector3};
use palpate_convex::{
    ConvexHull, Core, Cuboid, Cylinder, Ellipsoid, FacedHull, Hull, HullFaces, Manifold, Memory, QueryResult,
    RigidTransform, Settings, contact_coherent, contact_within, contact_within_again,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Vector = Vector3<f64>;
type Pose = RigidTransform<Vector>;

const MARGIN: f64 = 0.02;

/// Steps of one pair.
const STEPS: usize = 25;

fn steps() -> usize {
    std::env::var("PALPATE_COHERENT").map_or(20_000, |steps| steps.parse().unwrap())
}

fn hull_of(points: Vec<Vector>) -> (Hull, HullFaces) {
    let places: Vec<Point3<f64>> = points.iter().copied().map(Point3::from).collect();
    let hull = Hull::new(points, ConvexHull::new(&places).triangles).unwrap();
    let faces = HullFaces::new(&hull);
    (hull, faces)
}

fn direction(random: &mut ChaCha8Rng) -> Vector {
    loop {
        let vector = Vector::from_fn(|_, _| random.random_range(-1.0..1.0));
        if (0.1..1.0).contains(&vector.norm()) {
            return vector.normalize();
        }
    }
}

/// Points of a hull in general position, or in one of the special ones.
fn points(random: &mut ChaCha8Rng, kind: usize) -> Vec<Vector> {
    let count = [8, 12, 32, 60][random.random_range(0..4)];
    let mut cloud = |stretch: Vector| -> Vec<Vector> {
        (0..count)
            .map(|_| (direction(random) * random.random_range(0.5..1.0)).component_mul(&stretch))
            .collect()
    };
    match kind {
        // Flat, thin as rounding, and a needle.
        1 => cloud(Vector::new(1.0, 1.0, 0.0)),
        2 => cloud(Vector::new(1.0, 1.0, 1e-13)),
        3 => cloud(Vector::new(1.0, 1e-7, 1e-7)),
        // A grid, with points inside of faces and edges.
        4 => (0..27).map(|k| Vector::new((k % 3) as f64, (k / 3 % 3) as f64, (k / 9) as f64) * 0.5).collect(),
        // Every point twice.
        5 => {
            let once = cloud(Vector::repeat(1.0));
            once.iter().chain(&once).copied().collect()
        }
        _ => cloud(Vector::repeat(1.0)),
    }
}

/// Moves a pose by a small step, or sometimes by a large one.
fn next(pose: &Pose, random: &mut ChaCha8Rng) -> Pose {
    let size = match random.random_range(0..20) {
        0 => 1.0,
        1 => 0.0,
        2..6 => 0.05,
        _ => 2e-3,
    };
    let turn = Rotation3::new(direction(random) * (size * random.random_range(0.0..1.0)));
    Pose::new(turn.matrix() * pose.rotation, pose.translation + direction(random) * (0.5 * size))
}

fn same(cold: &QueryResult<Vector>, warm: &QueryResult<Vector>, size: f64, general: bool, name: &str) {
    assert!((cold.depth - warm.depth).abs() <= 1e-10 * size, "{name}: {cold:?} {warm:?}");
    assert!(warm.depth_lower <= cold.depth_upper && cold.depth_lower <= warm.depth_upper, "{name}");
    assert!(warm.gap() <= cold.gap().max(1e-12 * size), "{name}: {cold:?} {warm:?}");
    let on_b = warm.point_a + warm.direction * warm.depth;
    assert!((on_b - warm.point_b).norm() <= 1e-13 * size, "{name}");
    // In general position the contact is one point with one direction.
    if general && cold.depth.abs() > 1e-5 {
        assert!((cold.direction - warm.direction).norm() <= 1e-9, "{name}: {cold:?} {warm:?}");
        assert!((cold.point_a - warm.point_a).norm() <= 1e-9 * size, "{name}: {cold:?} {warm:?}");
    }
}

#[test]
fn coherent_queries_answer_as_those_from_scratch() {
    let mut random = ChaCha8Rng::seed_from_u64(1605);
    let settings = Settings::default();
    let (mut compared, mut touching, mut crossed, mut kept) = (0, 0, 0, 0);
    let mut pair = 0;
    while compared < steps() {
        pair += 1;
        let kinds = if pair % 3 == 0 { [pair % 6, pair / 3 % 6] } else { [0, 0] };
        let [(first, first_faces), (second, second_faces)] =
            kinds.map(|kind| hull_of(points(&mut random, kind)));
        let radius = if pair % 5 == 0 { 0.1 } else { 0.0 };
        let a = FacedHull { hull: &first, faces: &first_faces, radius };
        let b = FacedHull { hull: &second, faces: &second_faces, radius: 0.0 };
        let size = a.bounding_radius() + b.bounding_radius() + radius;
        let pose_a = Pose::new(*Rotation3::new(direction(&mut random)).matrix(), direction(&mut random));
        let mut pose = Pose::new(
            *Rotation3::new(direction(&mut random)).matrix(),
            pose_a.translation + direction(&mut random) * random.random_range(0.8..1.5),
        );
        let (mut memory, mut scratch) = (Memory::default(), Memory::default());
        let mut manifold = Manifold::default();
        let mut was_touching = false;
        for step in 0..STEPS {
            let name = format!("pair {pair} {kinds:?} step {step}");
            let (at_a, at_b) = ((&a, &pose_a), (&b, &pose));
            let cold = contact_within(at_a, at_b, MARGIN, &mut scratch, &settings);
            let warm = contact_coherent(at_a, at_b, MARGIN, &mut memory, &settings);
            assert_eq!(cold.is_some(), warm.is_some(), "{name}");
            let is_touching = cold.is_some_and(|cold| cold.depth > 0.0);
            crossed += usize::from(is_touching != was_touching);
            was_touching = is_touching;
            if let (Some(cold), Some(warm)) = (cold, warm) {
                same(&cold, &warm, size, kinds == [0, 0], &name);
                touching += usize::from(is_touching);
                kept += usize::from(is_touching && warm.iterations == [0, 1]);
                if kinds == [0, 0] {
                    let found = manifold.find(at_a, at_b, &cold, MARGIN).to_vec();
                    let coherent =
                        Manifold::visit_coherent(at_a, at_b, &warm, MARGIN, &mut memory, <[_]>::to_vec);
                    let ids = |points: &[palpate_convex::ManifoldPoint]| -> Vec<u64> {
                        points.iter().map(|point| point.id).collect()
                    };
                    assert_eq!(ids(&found), ids(&coherent), "{name}: {found:?} {coherent:?}");
                }
            }
            compared += 1;
            pose = next(&pose, &mut random);
        }
    }
    assert!(touching * 3 > compared, "{touching} of {compared}");
    assert!(kept * 2 > touching, "{kept} of {touching}");
    assert!(crossed * 50 > compared, "{crossed} of {compared}");
}

/// A walk of one shape around another: each answer has the bits of one from scratch.
fn walk<A: Core<Vector>, B: Core<Vector>>(a: &A, b: &B, random: &mut ChaCha8Rng) -> [usize; 2] {
    let settings = Settings::default();
    let (pose_a, mut pose) = (Pose::identity(), Pose::at(direction(random) * 3.0));
    let (mut memory, mut scratch) = (Memory::default(), Memory::default());
    let mut counts = [0; 2];
    for step in 0..3_000 {
        let (at_a, at_b) = ((a, &pose_a), (b, &pose));
        let cold = contact_within(at_a, at_b, MARGIN, &mut scratch, &settings);
        let again = contact_within_again(at_a, at_b, MARGIN, &mut memory, &settings);
        assert_eq!(cold, again, "{step}");
        counts[usize::from(cold.is_some())] += 1;
        pose = next(&pose, random);
        if pose.translation.norm() > 3.5 {
            pose.translation *= 0.5;
        }
    }
    counts
}

#[test]
fn a_pair_that_is_asked_again_is_answered_as_from_scratch() {
    let mut random = ChaCha8Rng::seed_from_u64(1613);
    let cylinder = Cylinder { radius: 0.7, half_length: 1.2 };
    let ellipsoid = Ellipsoid { radii: Vector::new(1.0, 0.4, 0.7) };
    let cuboid = Cuboid { half_extents: Vector::new(0.8, 0.3, 1.1) };
    let counts = [
        walk(&cylinder, &cuboid, &mut random),
        walk(&ellipsoid, &cylinder, &mut random),
        walk(&cuboid, &cuboid, &mut random),
        walk(&ellipsoid, &ellipsoid, &mut random),
    ];
    assert!(counts.iter().flatten().all(|count| *count > 200), "{counts:?}");
}

/// A memory that sees other shapes of the same kind, size and number of points answers for those.
#[test]
fn a_memory_of_other_shapes_is_not_used() {
    let settings = Settings::default();
    let (mut memory, mut differing) = (Memory::default(), 0);
    let at = Pose::identity();
    for k in 0..60 {
        let half =
            [Vector::new(1.0, 2.0, 3.0), Vector::new(2.0, 3.0, 1.0), Vector::new(3.0, 1.0, 2.0)][k % 3];
        let cuboid = Cuboid { half_extents: half };
        let other = Cuboid { half_extents: Vector::repeat(0.5) };
        let turned = Rotation3::new(Vector::new(0.3, 0.2, 0.1));
        let pose = Pose::new(*turned.matrix(), Vector::new(0.7, 0.4, 0.2 + 1e-3 * k as f64));
        let warm = contact_coherent((&cuboid, &at), (&other, &pose), 0.0, &mut memory, &settings).unwrap();
        let cold = contact_within((&cuboid, &at), (&other, &pose), 0.0, &mut Memory::default(), &settings);
        assert!((cold.unwrap().depth - warm.depth).abs() < 1e-14);
        assert_ne!(warm.iterations, [0, 1], "searched again");
        differing += usize::from(warm.depth > 1.0);
    }
    assert!(differing > 30);
}

/// Equal boxes on each other, and concentric ones: several directions are equally short, and the answer must be the one that a search
/// from scratch finds.
#[test]
fn of_equal_directions_the_answer_is_that_of_a_search_from_scratch() {
    let settings = Settings::default();
    let cube = Cuboid { half_extents: Vector::repeat(1.0) };
    let at = Pose::identity();
    let mut memory = Memory::default();
    for k in 0..200 {
        let offset = [0.0, 0.25, 0.5, 1.0][k % 4];
        let place = if k / 4 % 2 == 0 { Vector::repeat(offset) } else { Vector::new(offset, offset, 0.1) };
        let pose = Pose::at(place);
        let warm = contact_coherent((&cube, &at), (&cube, &pose), 0.0, &mut memory, &settings).unwrap();
        let cold =
            contact_within((&cube, &at), (&cube, &pose), 0.0, &mut Memory::default(), &settings).unwrap();
        assert!((warm.depth - cold.depth).abs() < 1e-14);
        assert!((warm.direction - cold.direction).norm() < 1e-12, "{k}: {warm:?} {cold:?}");
    }
}

/// The ways of all steps add up to many times the size: rounding errors of what is kept do not.
#[test]
fn a_pair_that_trembles_for_long_is_answered_as_from_scratch() {
    let mut random = ChaCha8Rng::seed_from_u64(1612);
    let settings = Settings::default();
    let cloud = |random: &mut ChaCha8Rng| (0..32).map(|_| direction(random)).collect::<Vec<Vector>>();
    let [(first, first_faces), (second, second_faces)] = [(); 2].map(|()| hull_of(cloud(&mut random)));
    let a = FacedHull { hull: &first, faces: &first_faces, radius: 0.0 };
    let b = FacedHull { hull: &second, faces: &second_faces, radius: 0.0 };
    let size = a.bounding_radius() + b.bounding_radius();
    let (pose_a, place) = (Pose::identity(), direction(&mut random) * 1.7);
    let (mut memory, mut scratch) = (Memory::default(), Memory::default());
    let (mut way, mut last, mut touching) = (0.0, place, 0);
    for step in 0..4_000 {
        let pose = Pose::new(
            *Rotation3::new(direction(&mut random) * 5e-3).matrix(),
            place + direction(&mut random) * 5e-3,
        );
        way += (pose.translation - last).norm();
        last = pose.translation;
        let cold = contact_within((&a, &pose_a), (&b, &pose), MARGIN, &mut scratch, &settings);
        let warm = contact_coherent((&a, &pose_a), (&b, &pose), MARGIN, &mut memory, &settings);
        assert_eq!(cold.is_some(), warm.is_some(), "{step}");
        if let (Some(cold), Some(warm)) = (cold, warm) {
            touching += usize::from(cold.depth > 1e-3);
            same(&cold, &warm, size, true, &format!("step {step}"));
        }
    }
    assert!(way > 10.0 * size && touching > 3_000, "{way} {touching}");
}
