//! Bodies that slide over a flat floor of triangles meet the floor, not the edges between its triangles.

use palpate_contact::CollisionData;
use palpate_detect::{Choice, Context, Registry};
use palpate_geometry::{Capsule, Geometry, Needs, Pose, Sphere, SurfaceMesh};
use palpate_math::{Point, Vector};
use palpate_tests::Random;
use serde_json::json;

const STEPS: usize = 1000;

/// Squares of the floor each way, each of two triangles, of side one.
const SQUARES: u32 = 12;

/// A flat floor in the plane y = 0, turned about y so that no edge lies along an axis.
fn floor() -> SurfaceMesh {
    let row = SQUARES + 1;
    let turn = nalgebra::Rotation3::from_axis_angle(&Vector::y_axis(), 0.37);
    let half = 0.5 * f64::from(SQUARES);
    let place = |k: u32| turn * Point::new(f64::from(k % row) - half, 0.0, f64::from(k / row) - half);
    let corners = (0..SQUARES * SQUARES).map(|k| k / SQUARES * row + k % SQUARES);
    let triangles = corners.flat_map(|k| [[k, k + row, k + 1], [k + 1, k + row, k + row + 1]]);
    let mut mesh = SurfaceMesh::new((0..row * row).map(place).collect(), triangles.collect())
        .expect("the ids are in range");
    mesh.prepare(Needs::TREE | Needs::NORMALS);
    mesh
}

/// Poses along a straight way over the floor, the body sunk into it by a little.
fn way(random: &mut Random) -> Vec<Pose> {
    let turn = random.rotation();
    let at = |step: usize| {
        let s = step as f64 / STEPS as f64;
        let place = Vector::new(-3.0 + 6.1 * s, 0.0, 2.7 - 5.3 * s);
        Pose::from_parts(nalgebra::Translation3::from(place), turn)
    };
    (0..STEPS).map(at).collect()
}

/// How many contacts there were over the way, and how far the directions were from the floor's normal, at most.
fn slide(body: &mut dyn FnMut(&Pose) -> Box<dyn Geometry>, edges: &str) -> (usize, f64) {
    let floor = floor();
    let settings = json!({"internal_edges": edges});
    let (mut count, mut worst) = (0, 0.0_f64);
    let mut bound = None;
    for pose in way(&mut Random::new(7)) {
        let mut body = body(&pose);
        body.prepare(Needs::all());
        let registry = Registry::standard();
        let choice = Choice::default().with_settings(&settings);
        let bound =
            bound.get_or_insert_with(|| registry.bind(&floor, body.as_ref(), choice).expect("it binds"));
        let mut out = CollisionData::new();
        bound.run(&floor, body.as_ref(), &Context::new(), &mut out).expect("it runs");
        assert!(!out.is_empty(), "the body is in contact at every step: {pose}");
        count += out.len();
        for contact in &out.contacts {
            worst = worst.max((Vector::from(contact.direction) + Vector::y()).norm());
        }
    }
    (count, worst)
}

fn judge(mut body: impl FnMut(&Pose) -> Box<dyn Geometry>) {
    let (contacts, worst) = slide(&mut body, "ignore");
    assert!(contacts >= STEPS && worst <= 1e-13, "{contacts} contacts, off by {worst:e}");
    let (kept, seen) = slide(&mut body, "keep");
    assert!(kept > contacts && seen > 1e-3, "{kept} contacts with edges kept, off by {seen:e}");
}

/// Raises a pose so that a body that reaches `down` below its origin is sunk by a twentieth of that.
fn sunk(pose: &Pose, down: f64) -> Pose {
    let mut pose = *pose;
    pose.translation.vector.y = 0.95 * down;
    pose
}

#[test]
fn a_ball_meets_the_floor_alone() {
    judge(|pose| {
        let center = Point::from(sunk(pose, 0.8).translation.vector);
        Box::new(Sphere::new(center, 0.8).unwrap())
    });
}

#[test]
fn a_tilted_capsule_meets_the_floor_alone() {
    judge(|pose| {
        let down = 0.4 + (pose.rotation * Vector::y() * 0.75).y.abs();
        Box::new(Capsule::new(sunk(pose, down), 0.4, 1.5).unwrap())
    });
}
