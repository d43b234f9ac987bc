//! A thin probe as an implicit body, pushed in between the vertices of coarse meshes: found wherever it touches.

use palpate_contact::CollisionData;
use palpate_detect::{Bound, Choice, Context, Registry};
use palpate_geometry::implicit::ImplicitFunction;
use palpate_geometry::{
    Capsule, Geometry, ImplicitBody, LineMesh, Needs, OrientedBox, Pose, Sphere, SurfaceMesh,
};
use palpate_math::{Point, Vector};
use palpate_tests::{Random, meshes};
use std::sync::Arc;

/// Random positions in every test.
const PLACES: usize = 10_000;

/// Metres: a diameter of 0.3 mm.
const RADIUS: f64 = 0.000_15;

/// Metres between the vertices: 10 mm.
const COARSE: f64 = 0.01;

/// A face that is deeper than its edges by no more than 1e-9 of its size has no contact of its own: that of the
/// edge represents both.
const OF_ITS_OWN: f64 = 1.5e-9 * COARSE;

fn body(function: impl ImplicitFunction + 'static) -> ImplicitBody {
    ImplicitBody::new(Pose::identity(), Arc::new(function)).expect("a valid case")
}

/// A straight probe, 40 mm long, its tip at the origin.
fn probe() -> ImplicitBody {
    body(Capsule::from_ends(Point::origin(), Point::new(0.0, 0.04, 0.0), RADIUS).expect("a valid case"))
}

/// Poses a body and finds the deepest contact.
fn deepest(
    body: &mut ImplicitBody,
    pose: Pose,
    other: &dyn Geometry,
    bound: &mut Bound,
    out: &mut CollisionData,
) -> f64 {
    body.set_pose(pose).expect("a valid case");
    bound.run(body, other, &Context::new(), out).expect("a valid case");
    out.deepest().map_or(f64::NEG_INFINITY, |contact| contact.depth)
}

/// A flat sheet of 20 by 20 cells, each 10 mm wide, in y = 0.
fn sheet() -> SurfaceMesh {
    let vertex = |k: u32| Point::new(f64::from(k % 21) * COARSE, 0.0, f64::from(k / 21) * COARSE);
    let corner = |i: u32, j: u32| i + 21 * j;
    let cells = (0..400).flat_map(|k| {
        let (i, j) = (k % 20, k / 20);
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        [[a, c, b], [a, d, c]]
    });
    let mut mesh = SurfaceMesh::new((0..441).map(vertex).collect(), cells.collect()).expect("a valid case");
    mesh.prepare(Needs::TREE | Needs::NORMALS);
    mesh
}

#[test]
fn a_probe_between_the_vertices_of_a_coarse_grid_is_found_everywhere() {
    let (mesh, mut probe) = (sheet(), probe());
    let mut bound = Registry::standard().bind(&probe, &mesh, Choice::default()).expect("a valid case");
    let (mut random, mut out) = (Random::new(61), CollisionData::new());
    for number in 0..PLACES {
        let inside = |random: &mut Random| random.between(0.5 * COARSE, 19.5 * COARSE);
        let height = random.between(-0.9, 0.9) * RADIUS;
        let place = Vector::new(inside(&mut random), height, inside(&mut random));
        // Upright and not yet through, so that the tip is the closest.
        let height = height.abs();
        let depth = deepest(
            &mut probe,
            Pose::from(Vector::new(place.x, height, place.z)),
            &mesh,
            &mut bound,
            &mut out,
        );
        assert!((depth - (RADIUS - height)).abs() < OF_ITS_OWN, "place {number}: {place}: {depth:e}");
    }
}

#[test]
fn a_probe_that_pierces_a_coarse_grid_is_found_everywhere() {
    let (mesh, mut probe) = (sheet(), probe());
    let mut bound = Registry::standard().bind(&probe, &mesh, Choice::default()).expect("a valid case");
    let (mut random, mut out) = (Random::new(62), CollisionData::new());
    for number in 0..PLACES {
        let inside = |random: &mut Random| random.between(4.0 * COARSE, 16.0 * COARSE);
        let place = Vector::new(inside(&mut random), -0.01, inside(&mut random));
        // Leaning by up to 45 degrees, half of it through.
        let lean = Vector::new(random.between(-0.7, 0.7), 1.0, random.between(-0.7, 0.7));
        let rotation = palpate_geometry::pose::rotation_from_axis(lean).expect("a valid case");
        let pose = palpate_geometry::pose::from_rotation(Point::from(place), rotation).expect("a valid case");
        let depth = deepest(&mut probe, pose, &mesh, &mut bound, &mut out);
        assert!((depth - RADIUS).abs() < OF_ITS_OWN, "place {number}: {place}: {depth:e}");
    }
}

#[test]
fn a_probe_between_the_ends_of_a_box_edge_is_found_everywhere() {
    let (vertices, cells) = meshes::box_surface(Point::origin(), Point::new(COARSE, COARSE, COARSE));
    let mut mesh = SurfaceMesh::new(vertices, cells).expect("a valid case");
    mesh.prepare(Needs::TREE | Needs::NORMALS);
    let mut tip = body(Sphere::new(Point::origin(), RADIUS).expect("a valid case"));
    let mut bound = Registry::standard().bind(&tip, &mesh, Choice::default()).expect("a valid case");
    let (mut random, mut out) = (Random::new(63), CollisionData::new());
    for number in 0..PLACES {
        // Beside the edge along x, in the quadrant outside both its faces.
        let (angle, away) =
            (random.between(0.0, std::f64::consts::FRAC_PI_2), random.between(0.0, 0.95) * RADIUS);
        let along = random.between(0.05, 0.95) * COARSE;
        let place = Vector::new(along, COARSE + away * angle.sin(), COARSE + away * angle.cos());
        let depth = deepest(&mut tip, Pose::from(place), &mesh, &mut bound, &mut out);
        assert!((depth - (RADIUS - away)).abs() < OF_ITS_OWN, "place {number}: {place}: {depth:e}");
    }
}

/// The box as the implicit body, its edge across a probe that is a line mesh of long segments.
#[test]
fn the_edge_of_an_implicit_box_is_found_between_the_vertices_of_a_probe() {
    let half = 0.5 * COARSE;
    let mut block = body(OrientedBox::new(Pose::identity(), Vector::repeat(half)).expect("a valid case"));
    let mut random = Random::new(64);
    let mut out = CollisionData::new();
    for number in 0..PLACES {
        // A slanted line across the edge along x, with both ends 20 mm away.
        let away = random.between(0.0, 0.95) * RADIUS;
        let outward = Vector::new(0.0, 1.0, 1.0).normalize();
        let on_edge = Point::new(random.between(-0.9, 0.9) * half, half, half);
        let across = Vector::new(random.between(-0.5, 0.5), 1.0, -1.0).normalize();
        let ends = [-2.0, 2.0].map(|t| on_edge + outward * away + across * (t * COARSE));
        let mut line =
            LineMesh::new(ends.to_vec(), vec![[0, 1]]).expect("a valid case").with_radius(RADIUS).unwrap();
        line.prepare(Needs::TREE);
        let mut bound = Registry::standard().bind(&block, &line, Choice::default()).expect("a valid case");
        let depth = deepest(&mut block, Pose::identity(), &line, &mut bound, &mut out);
        assert!((depth - (RADIUS - away)).abs() < OF_ITS_OWN, "place {number}: {on_edge}: {depth:e}");
    }
}

#[test]
fn a_probe_between_the_vertices_of_a_thin_rod_is_found_everywhere() {
    let rod_radius = 0.000_05;
    let vertices: Vec<Point> = (0..11).map(|k| Point::new(f64::from(k) * COARSE, 0.0, 0.0)).collect();
    let mut rod = LineMesh::polyline(vertices).expect("a valid case").with_radius(rod_radius).unwrap();
    rod.prepare(Needs::TREE);
    let mut probe = probe();
    let mut bound = Registry::standard().bind(&probe, &rod, Choice::default()).expect("a valid case");
    let (mut random, mut out) = (Random::new(65), CollisionData::new());
    for number in 0..PLACES {
        // Upright beside the rod, half of it below.
        let away = random.between(-0.95, 0.95) * (RADIUS + rod_radius);
        let place = Vector::new(random.between(0.02, 9.98) * COARSE, -0.02, away);
        let depth = deepest(&mut probe, Pose::from(place), &rod, &mut bound, &mut out);
        assert!(
            (depth - (RADIUS + rod_radius - away.abs())).abs() < OF_ITS_OWN,
            "place {number}: {place}: {depth:e}"
        );
    }
}
