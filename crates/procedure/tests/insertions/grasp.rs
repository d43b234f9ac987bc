//! What is between two jaws: numbers checked by hand on a block of cubes of a millimetre, and the cells by sampling.

use crate::cost::block;
use palpate_contact::{Contact, Feature};
use palpate_geometry::{Geometry, Needs};
use palpate_math::{Point, Vector};
use palpate_procedure::GraspTracker;

/// A jaw that pushes along `push` at points `at`: side A, with the tissue as side B.
fn jaw(at: &[Point], push: Vector) -> Vec<Contact> {
    let contact = |(id, point): (u64, &Point)| {
        let feature = Feature::point(*point);
        Contact::exact(feature, feature, -push, 0.0, id)
    };
    (0..).zip(at).map(contact).collect()
}

fn row(z: f64) -> [Point; 3] {
    [-0.3, 0.1, 0.4].map(|x| Point::new(x * 1e-3, 0.123e-3, z))
}

#[test]
fn what_is_between_two_jaws() {
    let mut mesh = block(6);
    let tall = mesh.bounds();
    let jaws = [jaw(&row(tall.max.z), -Vector::z()), jaw(&row(tall.min.z), Vector::z())];
    let mut tracker = GraspTracker::new();
    let grasp = tracker.update([&jaws[0], &jaws[1]], 0.75, &mesh).unwrap().expect("held").clone();
    // The line of two contacts is the normal; the angle of friction has the cosine 0.8.
    assert!((grasp.closure - 0.2).abs() < 1e-12, "{}", grasp.closure);
    assert_eq!(grasp.pairs, [[0, 0], [1, 1], [2, 2]]);
    let area = |triangles: &[u32]| -> f64 {
        let corners = triangles.iter().map(|&triangle| mesh.boundary().expect("prepared").corners(triangle));
        corners.map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum()
    };
    for (triangles, own) in grasp.triangles.iter().zip(grasp.areas) {
        assert!((1..=3).contains(&triangles.len()) && (area(triangles) - own).abs() < 1e-18);
    }
    let mut sampled = Vec::new();
    for (from, to) in row(tall.max.z).iter().zip(&row(tall.min.z)) {
        sampled.extend(
            (0..4000).filter_map(|k| mesh.holding_cell(&(from + (to - from) * (f64::from(k) / 4000.0)))),
        );
    }
    sampled.sort_unstable();
    sampled.dedup();
    assert!(sampled.iter().all(|cell| grasp.cells.binary_search(cell).is_ok()));
    assert!(
        grasp.cells.len() < sampled.len() + 8 && sampled.len() > 30,
        "{} {}",
        grasp.cells.len(),
        sampled.len()
    );

    // It slides, and the tissue moves: the same grasp. Then one jaw turns until it slips, and holds again.
    let moved: Vec<Point> = mesh.points().positions().iter().map(|p| p + Vector::x() * 1e-4).collect();
    mesh.set_positions(&moved).unwrap();
    mesh.prepare(Needs::TREE | Needs::BOUNDARY);
    let again = tracker.update([&jaws[0], &jaws[1]], 0.75, &mesh).unwrap().expect("held");
    assert_eq!(again.id, grasp.id);
    let mut ids = vec![grasp.id];
    for angle in [0.5_f64, 0.62, 0.66, 0.1] {
        let turned = jaw(&row(tall.min.z), Vector::new(angle.sin(), 0.0, angle.cos()));
        let holds = tracker.update([&jaws[0][..1], &turned[..1]], 0.75, &mesh).unwrap();
        // The angle of friction is atan(0.75) = 0.6435.
        assert_eq!(holds.is_some(), angle < 0.6435, "{angle}");
        ids.extend(holds.map(|grasp| grasp.id));
    }
    assert!(ids[..3] == [grasp.id; 3] && ids[3] != grasp.id, "{ids:?}");
    assert_eq!(tracker.update([&jaws[0], &[]], 0.75, &mesh).unwrap(), None);
}
