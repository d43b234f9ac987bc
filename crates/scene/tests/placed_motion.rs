//! Continuous detection of meshes that are moved by poses: the impacts of copies whose vertices are moved.
#![allow(clippy::unwrap_used)] // tests, also in what they share

use nalgebra::{Translation3, UnitQuaternion};
use palpate_contact::Contact;
use palpate_detect::Detection;
use palpate_geometry::{Geometry, LineMesh, PointSet, Pose, SurfaceMesh};
use palpate_math::{Point, Vector};
use palpate_scene::{GeometryId, PairOptions, Scene};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// An octahedron, 0.6 m in radius.
fn octahedron() -> SurfaceMesh {
    let corner = |k: usize| {
        let mut point = Point::origin();
        point[k / 2] = if k.is_multiple_of(2) { 0.6 } else { -0.6 };
        point
    };
    let face = |k: u32| {
        let [x, y, z] = [k & 1, 2 + (k >> 1 & 1), 4 + (k >> 2 & 1)];
        if (k.count_ones()).is_multiple_of(2) { [x, y, z] } else { [y, x, z] }
    };
    SurfaceMesh::new((0..6).map(corner).collect(), (0..8).map(face).collect()).unwrap()
}

/// Points, a thread and a surface; two of one kind are ordered by their radius if it is not the same.
fn bodies(rim: f64) -> [Box<dyn Geometry>; 3] {
    let thread = (0..7).map(|k| Point::new(f64::from(k) * 0.3 - 0.9, 0.1 * f64::from(k % 2), 0.02)).collect();
    let points = (0..5).map(|k| Point::new(0.2 * f64::from(k) - 0.4, 0.1, 0.05 * f64::from(k))).collect();
    [
        Box::new(PointSet::new(points).unwrap().with_radius(0.05 + rim).unwrap()),
        Box::new(LineMesh::polyline(thread).unwrap().with_radius(0.05 + rim).unwrap()),
        Box::new(octahedron().with_radius(rim).unwrap()),
    ]
}

/// Two poses of a step: before and after.
fn motion(random: &mut ChaCha8Rng, turn: f64) -> [Pose; 2] {
    let mut number = |most: f64| most * random.random_range(-1.0..1.0);
    let start = UnitQuaternion::from_euler_angles(number(3.0), number(3.0), number(3.0));
    let rotation = UnitQuaternion::from_scaled_axis(Vector::new(number(turn), number(turn), number(turn)));
    [start, rotation * start]
        .map(|rotation| Pose::from_parts(Translation3::new(number(0.9), number(0.9), number(0.9)), rotation))
}

/// The vertices of a mesh at a pose.
fn moved(body: &dyn Geometry, pose: &Pose) -> Box<dyn Geometry> {
    let mut copy = body.try_clone().unwrap();
    assert!(copy.copy_moved(body, pose));
    copy
}

fn off(a: &Contact, b: &Contact) -> f64 {
    let vectors = [(a.a.point, b.a.point), (a.b.point, b.b.point), (a.direction, b.direction)];
    let apart = vectors.map(|(a, b)| (Vector::from(a) - Vector::from(b)).amax());
    let scalars = (a.depth - b.depth).abs().max((a.time_of_impact - b.time_of_impact).abs());
    apart.into_iter().fold(scalars, f64::max)
}

/// The differences of the contacts that both scenes have, ascending, and the number of contacts that one has.
fn compare(turn: f64) -> (Vec<f64>, usize) {
    let mut random = ChaCha8Rng::seed_from_u64(12);
    let (mut differences, mut alone) = (Vec::new(), 0);
    for first in &bodies(0.0) {
        for second in &bodies(0.01) {
            for _ in 0..60 {
                let motions = [motion(&mut random, turn), motion(&mut random, turn)];
                let (mut placed, mut copied) = (Scene::standard(), Scene::standard());
                let mut ids: Vec<[GeometryId; 2]> = Vec::new();
                for (side, (body, poses)) in [first, second].into_iter().zip(&motions).enumerate() {
                    let name = format!("body {side}");
                    let id = placed.add_boxed(&name, body.try_clone().unwrap(), Default::default()).unwrap();
                    placed.set_pose(id, poses[0]).unwrap();
                    let copy = moved(&**body, &poses[0]);
                    ids.push([id, copied.add_boxed(&name, copy, Default::default()).unwrap()]);
                }
                let options = PairOptions::default().with_detection(Detection::Continuous);
                let pair = placed.add_pair(ids[0][0], ids[1][0], options.clone()).unwrap();
                let copy = copied.add_pair(ids[0][1], ids[1][1], options).unwrap();
                placed.advance();
                copied.advance();
                for (ids, (body, poses)) in ids.iter().zip([first, second].into_iter().zip(&motions)) {
                    placed.set_pose(ids[0], poses[1]).unwrap();
                    let end = moved(&**body, &poses[1]);
                    copied.set_positions(ids[1], end.as_points().unwrap().positions()).unwrap();
                }
                placed.step().unwrap();
                copied.step().unwrap();
                let (found, wanted) = (placed.contacts(pair).unwrap(), copied.contacts(copy).unwrap());
                for contact in &found.contacts {
                    match wanted.contacts.iter().find(|other| other.key() == contact.key()) {
                        Some(other) => differences.push(off(contact, other)),
                        None => alone += 1,
                    }
                }
                alone += wanted.len().saturating_sub(found.len());
            }
        }
    }
    differences.sort_by(f64::total_cmp);
    (differences, alone)
}

/// Without rotation the motions are the same, to rounding and to the tolerance of the time.
#[test]
fn a_translated_mesh_has_the_impacts_of_a_moved_copy() {
    let (differences, alone) = compare(0.0);
    assert!(differences.len() > 2000 && alone * 100 < differences.len(), "{} {alone}", differences.len());
    assert!(differences.last().is_some_and(|worst| *worst < 1e-5), "{differences:?}");
}

/// A vertex of a turned mesh moves on a straight line in the frame of the other side: not quite on the one in the world. A
/// grazing impact may be at another time.
#[test]
fn a_mesh_that_turns_a_little_has_nearly_the_impacts_of_a_moved_copy() {
    let (differences, alone) = compare(1e-4);
    assert!(differences.len() > 2000 && alone * 50 < differences.len(), "{} {alone}", differences.len());
    assert!(differences[differences.len() / 2] < 1e-4, "{}", differences[differences.len() / 2]);
    assert!(
        differences[differences.len() * 98 / 100] < 5e-3,
        "{}",
        differences[differences.len() * 98 / 100]
    );
}
