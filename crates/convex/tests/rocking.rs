//! Bodies that rock slightly keep their points, in number and ids.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use std::collections::BTreeSet;

use nalgebra::{Rotation3, Vector3};
use palpate_convex::{
    ConvexHull, Cuboid, Cylinder, FacedHull, Faces, Hull, HullFaces, Manifold, ManifoldPoint, Memory,
    RigidTransform, Settings, contact,
};
use palpate_math::Point;

type Vector = Vector3<f64>;

/// Twice the rise of the highest corner at the largest tilt.
const MARGIN: f64 = 0.01;
const FLOOR: Cuboid<Vector> = Cuboid { half_extents: Vector::new(4.0, 0.5, 4.0) };
const BOX: Cuboid<Vector> = Cuboid { half_extents: Vector::new(1.0, 0.5, 0.7) };
const TILTS: [f64; 8] = [0.0, 1e-15, 1e-13, 1e-11, 1e-9, 1e-7, 1e-5, 1e-3];

/// Computes the points on a box whose upper side is at height zero.
fn on_box(body: &impl Faces, pose: &RigidTransform<Vector>, floor: &Cuboid<Vector>) -> Vec<ManifoldPoint> {
    let floor = (floor, &RigidTransform::at(Vector::new(0.0, -0.5, 0.0)));
    let found = contact((body, pose), floor, &mut Memory::default(), &Settings::default());
    Manifold::default().find((body, pose), floor, &found, MARGIN).to_vec()
}

/// Computes the points on the plane at height zero.
fn on_plane(body: &impl Faces, pose: &RigidTransform<Vector>) -> Vec<ManifoldPoint> {
    let upward = pose.rotation.tr_mul(&Vector::y());
    let low = body.support_once(-upward);
    let lowest = pose.point(low.point);
    let (plane, low) = ((Vector::y(), upward, Vector::zeros()), (lowest, low.id, -lowest.y));
    let mut points = Vec::new();
    Manifold::default().over_plane(plane, (body, pose), low, MARGIN, |_, point| points.push(*point));
    points
}

/// Returns the constant number of points, and the number of distinct ids, while the body tilts back and forth about a
/// point.
fn rock(
    tilt: f64,
    (place, spin): (Vector, f64),
    ask: impl Fn(&RigidTransform<Vector>) -> Vec<ManifoldPoint>,
) -> (usize, usize) {
    let (mut counts, mut ids) = (BTreeSet::new(), BTreeSet::new());
    for step in 0..200 {
        let way = f64::from(step) * 0.37;
        let part = tilt * libm::cos(f64::from(step) * 0.11);
        let lean = Rotation3::new(Vector::new(libm::cos(way), 0.0, libm::sin(way)) * part);
        let turn = (lean * Rotation3::new(Vector::y() * spin)).into_inner();
        let points = ask(&RigidTransform::new(turn, place));
        let deepest = points.iter().map(|point| point.depth).fold(f64::NEG_INFINITY, f64::max);
        assert!(points[0].depth >= deepest - 1e-12, "the deepest comes first");
        counts.insert(points.len());
        ids.extend(points.iter().map(|point| point.id));
    }
    assert_eq!(counts.len(), 1, "{tilt:e}: {counts:?}");
    (counts.into_iter().next().unwrap(), ids.len())
}

fn hull(points: &[Point]) -> Hull {
    let found = ConvexHull::new(points);
    let number = |id: u32| found.vertices.binary_search(&id).unwrap() as u32;
    let kept = found.vertices.iter().map(|&id| points[id as usize].coords).collect();
    Hull::new(kept, found.triangles.iter().map(|ids| ids.map(number)).collect()).unwrap()
}

fn prism(count: u32) -> Hull {
    let corner = |k: u32, y: f64| {
        let angle = f64::from(k) / f64::from(count) * std::f64::consts::TAU;
        Point::new(libm::cos(angle), y, libm::sin(angle))
    };
    hull(&(0..count).flat_map(|k| [corner(k, -0.5), corner(k, 0.5)]).collect::<Vec<_>>())
}

/// A box of the size of [`BOX`] with a grid of corners on each side, rotated off the lattice.
fn plate(turn: &Rotation3<f64>) -> Hull {
    let grid = (0..125).map(|k| [k % 5, k / 5 % 5, k / 25].map(|index| f64::from(index) * 0.5 - 1.0));
    hull(
        &grid
            .map(|at| turn * Point::from(Vector::from(at).component_mul(&BOX.half_extents)))
            .collect::<Vec<_>>(),
    )
}

const MIDDLE: (Vector, f64) = (Vector::new(0.1, 0.499, -0.2), 0.3);
const OVER_THE_EDGE: (Vector, f64) = (Vector::new(3.9, 0.499, 0.0), 0.3);

#[test]
fn a_box_keeps_its_four_points() {
    for tilt in TILTS {
        assert_eq!(rock(tilt, MIDDLE, |pose| on_plane(&BOX, pose)), (4, 4));
        for place in [MIDDLE, OVER_THE_EDGE] {
            assert_eq!(rock(tilt, place, |pose| on_box(&BOX, pose, &FLOOR)), (4, 4));
        }
        let aside = (Vector::new(0.01, 0.499, 0.02), 0.0);
        assert_eq!(rock(tilt, aside, |pose| on_box(&BOX, pose, &BOX)), (4, 4));
    }
}

#[test]
fn a_hull_with_faces_of_up_to_four_corners_keeps_them_also_where_it_has_redundant_ones() {
    let turn = Rotation3::new(Vector::new(0.3, -0.2, 0.9));
    let back = turn.inverse().into_inner();
    let bodies = [(prism(3), 3), (prism(4), 4), (plate(&Rotation3::identity()), 4), (plate(&turn), 4)];
    for (index, (hull, count)) in bodies.iter().enumerate() {
        let body = FacedHull { hull, faces: &HullFaces::new(hull), radius: 0.0 };
        let placed = |pose: &RigidTransform<Vector>| match index {
            3 => RigidTransform::new(pose.rotation * back, pose.translation),
            _ => *pose,
        };
        for tilt in TILTS {
            let wanted = (*count, *count);
            assert_eq!(rock(tilt, MIDDLE, |pose| on_plane(&body, &placed(pose))), wanted);
            assert_eq!(rock(tilt, MIDDLE, |pose| on_box(&body, &placed(pose), &FLOOR)), wanted);
        }
    }
}

#[test]
fn a_lying_cylinder_keeps_both_ends_of_its_line() {
    let cylinder = Cylinder { radius: 0.5, half_length: 0.7 };
    let lying = Rotation3::new(Vector::z() * std::f64::consts::FRAC_PI_2).into_inner();
    let placed = |pose: &RigidTransform<Vector>| RigidTransform::new(pose.rotation * lying, pose.translation);
    for tilt in TILTS {
        assert_eq!(rock(tilt, MIDDLE, |pose| on_plane(&cylinder, &placed(pose))), (2, 2));
        assert_eq!(rock(tilt, MIDDLE, |pose| on_box(&cylinder, &placed(pose), &FLOOR)), (2, 2));
    }
}

/// Of more than four corners the deepest, whichever that is, and those that span the largest area with it are kept: the
/// same number of points, all of them corners or the lowest point.
#[test]
fn faces_of_many_corners_keep_four_points() {
    let cylinder = Cylinder { radius: 0.7, half_length: 0.5 };
    let hull = prism(12);
    let body = FacedHull { hull: &hull, faces: &HullFaces::new(&hull), radius: 0.0 };
    for tilt in TILTS {
        let answers = [
            rock(tilt, MIDDLE, |pose| on_plane(&cylinder, pose)),
            rock(tilt, MIDDLE, |pose| on_box(&cylinder, pose, &FLOOR)),
            rock(tilt, MIDDLE, |pose| on_plane(&body, pose)),
            rock(tilt, MIDDLE, |pose| on_box(&body, pose, &FLOOR)),
        ];
        assert!(answers.iter().all(|&(count, ids)| count == 4 && ids <= 17), "{answers:?}");
        if tilt <= 1e-15 {
            assert!(answers.iter().all(|&(_, ids)| ids == 4), "{answers:?}");
        }
    }
}
