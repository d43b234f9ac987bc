//! Geometries placed by a pose have the same contacts as moved copies.
#![allow(clippy::unwrap_used)] // tests, also in what they share

use nalgebra::{Translation3, UnitQuaternion};
use palpate_contact::Contact;
use palpate_geometry::{
    Capsule, Compound, Convex, Cylinder, Geometry, LineMesh, OrientedBox, Plane, PointSet, Pose, Sphere,
    SurfaceMesh, TetraMesh,
};
use palpate_math::{Point, Vector};
use palpate_scene::{PairOptions, Scene};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const CUBE: [[u32; 3]; 12] = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
];

fn corners(half: f64) -> Vec<Point> {
    let side = |bit: u32| if bit == 0 { -half } else { half };
    (0..8_u32).map(|k| Point::new(side(k & 1), side(k >> 1 & 1), side(k >> 2 & 1))).collect()
}

fn pose(random: &mut ChaCha8Rng, spread: f64) -> Pose {
    let mut number = |most: f64| random.random_range(-most..most);
    let rotation = UnitQuaternion::from_euler_angles(number(3.0), number(3.0), number(3.0));
    Pose::from_parts(Translation3::new(number(spread), number(spread), number(spread)), rotation)
}

/// One geometry of each kind, centred on the origin; surfaces have a thickness.
fn bodies(rim: f64) -> Vec<(&'static str, Box<dyn Geometry>)> {
    let thread: Vec<Point> = (0..9).map(|k| Point::new(f64::from(k) * 0.3 - 1.2, 0.1, 0.0)).collect();
    let cells = vec![[0, 1, 2, 4], [1, 2, 3, 7], [1, 4, 5, 7], [2, 4, 6, 7], [1, 2, 4, 7]];
    let y = Vector::new(0.0, 0.0, 0.1);
    let shapes = Compound::default()
        .with(Sphere::new(Point::new(0.6, 0.0, 0.0), 0.5).unwrap())
        .with(SurfaceMesh::new(corners(0.4), CUBE.to_vec()).unwrap().with_radius(0.5 * rim).unwrap());
    vec![
        ("points", Box::new(PointSet::new(corners(0.5)).unwrap().with_radius(0.1 + rim).unwrap())),
        ("thread", Box::new(LineMesh::polyline(thread).unwrap().with_radius(0.1 + rim).unwrap())),
        (
            "surface",
            Box::new(SurfaceMesh::new(corners(0.7), CUBE.to_vec()).unwrap().with_radius(rim).unwrap()),
        ),
        ("tetra", Box::new(TetraMesh::new(corners(0.6), cells).unwrap())),
        ("compound", Box::new(shapes)),
        ("plane", Box::new(Plane::new(Point::from(y), Vector::new(0.1, 0.2, 1.0)).unwrap())),
        ("sphere", Box::new(Sphere::new(Point::origin(), 0.6).unwrap())),
        ("capsule", Box::new(Capsule::new(Pose::identity(), 0.3, 0.8).unwrap())),
        ("cylinder", Box::new(Cylinder::new(Pose::identity(), 0.4, 0.8).unwrap())),
        ("box", Box::new(OrientedBox::new(Pose::identity(), Vector::new(0.3, 0.5, 0.7)).unwrap())),
        ("hull", Box::new(Convex::new(Pose::identity(), &corners(0.5)).unwrap())),
    ]
}

/// A copy whose coordinates are moved.
fn moved(geometry: &dyn Geometry, motion: &Pose) -> Box<dyn Geometry> {
    let mut copy = geometry.try_clone().unwrap();
    assert!(copy.copy_moved(geometry, motion));
    copy
}

/// The largest difference between the numbers of two contacts.
fn off(a: &Contact, b: &Contact) -> f64 {
    let vectors = [(a.a.point, b.a.point), (a.b.point, b.b.point), (a.direction, b.direction)];
    let apart = vectors.map(|(a, b)| (Vector::from(a) - Vector::from(b)).amax());
    apart.into_iter().fold((a.depth - b.depth).abs(), f64::max)
}

#[test]
fn a_placed_geometry_has_the_contacts_of_a_moved_copy() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    // Two geometries of one kind are ordered by their sizes, and by coordinates only if the sizes are equal.
    let [bodies, others] = [bodies(0.0), bodies(0.01)];
    let (mut compared, mut other_choice, mut pairs) = (0, 0, 0);
    for (first_name, first) in &bodies {
        for (second_name, second) in &others {
            let mut hits = 0;
            for _ in 0..12 {
                let poses = [pose(&mut random, 0.5), pose(&mut random, 0.5)];
                let mut placed = Scene::standard();
                let mut copied = Scene::standard();
                let bodies = [(first_name, first), (second_name, second)];
                let mut ids = Vec::new();
                for (side, ((name, body), pose)) in bodies.iter().zip(&poses).enumerate() {
                    let name = format!("{name} {side}");
                    let id = placed.add_boxed(&name, body.try_clone().unwrap(), Default::default()).unwrap();
                    placed.set_pose(id, *pose * body.pose().unwrap_or_else(Pose::identity)).unwrap();
                    let copy = copied.add_boxed(&name, moved(&***body, pose), Default::default()).unwrap();
                    ids.push((id, copy));
                }
                let Ok(pair) = placed.add_pair(ids[0].0, ids[1].0, PairOptions::default()) else { continue };
                let copy = copied.add_pair(ids[0].1, ids[1].1, PairOptions::default()).unwrap();
                placed.step().unwrap();
                copied.step().unwrap();
                let (found, wanted) = (placed.contacts(pair).unwrap(), copied.contacts(copy).unwrap());
                hits += usize::from(!wanted.is_empty());
                let depth = |data: &palpate_contact::CollisionData| data.deepest().map_or(0.0, |c| c.depth);
                let (deepest, wanted_deepest) = (depth(found), depth(wanted));
                assert!(
                    (deepest - wanted_deepest).abs() < 1e-9,
                    "{first_name} {second_name}: {deepest} {wanted_deepest}"
                );
                // Keys are equal except where two elements are equally close within rounding.
                let same_size = *first_name == "tetra" && *second_name == "tetra";
                for contact in found.contacts.iter().filter(|_| !same_size) {
                    match wanted.contacts.iter().find(|other| other.key() == contact.key()) {
                        Some(other) if off(contact, other) < 1e-9 => compared += 1,
                        _ => other_choice += 1,
                    }
                }
            }
            pairs += usize::from(hits > 2);
        }
    }
    assert!(pairs > 100 && compared > 3000, "{pairs} pairs, {compared} contacts");
    assert!(other_choice * 100 < compared, "{other_choice} contacts beside {compared}");
}

#[test]
fn placing_changes_no_derived_data_and_the_box_follows() {
    let mut scene = Scene::standard();
    let organ = scene.add("organ", SurfaceMesh::new(corners(1.0), CUBE.to_vec()).unwrap()).unwrap();
    let ball = scene.add("ball", Sphere::new(Point::new(10.0, 0.0, 0.0), 0.5).unwrap()).unwrap();
    let pair = scene.add_pair(organ, ball, PairOptions::default()).unwrap();
    scene.set_pose(organ, Pose::translation(9.0, 0.0, 0.0)).unwrap();
    scene.step().unwrap();
    let before = scene.geometry(organ).unwrap().version();
    // The ball is 1 m beside the centre: it penetrates the face by exactly its radius.
    let contact = scene.contacts(pair).unwrap().contacts[0];
    assert!((contact.depth - 0.5).abs() < 1e-12, "{}", contact.depth);
    assert!((contact.a.surface_point() - Point::new(10.0, 0.0, 0.0)).norm() < 1e-12);
    scene.advance();
    scene.set_pose(organ, Pose::translation(0.0, 0.0, 0.0)).unwrap();
    scene.step().unwrap();
    assert_eq!(scene.geometry(organ).unwrap().version(), before);
    assert!(scene.contacts(pair).unwrap().is_empty());
    assert_eq!(scene.to_world(organ, &Point::new(1.0, 0.0, 0.0)).unwrap(), Point::new(1.0, 0.0, 0.0));
    assert_eq!(scene.pose(ball).unwrap(), Pose::translation(10.0, 0.0, 0.0));
    scene.set_pose(ball, Pose::translation(1.2, 0.0, 0.0)).unwrap();
    scene.step().unwrap();
    assert!((scene.contacts(pair).unwrap().contacts[0].depth - 0.3).abs() < 1e-12);
}

#[test]
fn self_contact_works_on_a_placed_mesh() {
    let zigzag = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [3.0, 0.4], [1.5, 0.4], [0.5, 0.4]];
    let points = zigzag.map(|[x, y]| Point::new(x, y, 0.0)).to_vec();
    let thread = LineMesh::polyline(points).unwrap().with_radius(0.25).unwrap();
    let mut scene = Scene::standard();
    let id = scene.add("thread", thread).unwrap();
    let pair = scene.add_pair(id, id, PairOptions::default()).unwrap();
    scene.step().unwrap();
    let before = scene.contacts(pair).unwrap().contacts[0];
    scene.set_pose(id, Pose::translation(0.0, 0.0, 7.0)).unwrap();
    scene.step().unwrap();
    let after = scene.contacts(pair).unwrap().contacts[0];
    assert_eq!(after.a.point[2] - before.a.point[2], 7.0);
    assert_eq!(after.depth, before.depth);
}

#[test]
fn errors_name_the_geometry_that_cannot_be_moved() {
    let mut scene = Scene::standard();
    let ball = scene.add("ball", Sphere::new(Point::origin(), 0.5).unwrap()).unwrap();
    let organ = scene.add("organ", SurfaceMesh::new(corners(1.0), CUBE.to_vec()).unwrap()).unwrap();
    let error = scene.set_positions(ball, &[Point::origin()]).unwrap_err().to_string();
    assert!(error.contains("\"ball\"") && error.contains("sphere has no vertices"), "{error}");
    let error = scene.set_positions(organ, &[Point::origin()]).unwrap_err().to_string();
    assert!(error.contains("\"organ\"") && error.contains('8'), "{error}");
    let error = scene.set_pose(organ, Pose::translation(f64::NAN, 0.0, 0.0)).unwrap_err().to_string();
    assert!(error.contains("\"organ\"") && error.contains("finite"), "{error}");
    scene.set_positions(organ, &corners(2.0)).unwrap();
    scene.set_user_data(organ, 42).unwrap();
    assert_eq!((scene.user_data(organ).unwrap(), scene.user_data(ball).unwrap()), (42, 0));
    scene.geometry_dyn_mut(ball).unwrap().set_pose(Pose::translation(1.0, 0.0, 0.0)).unwrap();
    assert_eq!(scene.pose(ball).unwrap().translation.x, 1.0);
}
