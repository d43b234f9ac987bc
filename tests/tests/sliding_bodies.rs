//! Bodies slide without friction over flat triangulations as over a plane: no internal edge of the floor slows
//! them, turns them or tilts a contact.
//!
//! `PALPATE_SCENES` selects bodies and floors by a word in their name.

#![allow(clippy::print_stdout, reason = "prints a table of the bodies")]

use nalgebra::UnitQuaternion;
use palpate_detect::Registry;
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};
use palpate_tests::Shape;
use palpate_tests::compound::Body;
use palpate_tests::meshes;
use palpate_tests::solver::floors::Floor;
use palpate_tests::solver::{RigidBody, World, WorldSettings};
use std::f64::consts::FRAC_PI_2;

/// Relative to the speed.
const SPEED: f64 = 1e-6;

/// The sine of the angle between a contact's direction and the floor's normal.
const TILT: f64 = 1e-9;

/// Metres.
const WAY: f64 = 1.0;

/// The starting position, and the direction across the floor's edges.
const START: [f64; 2] = [-0.5, -0.21];
const ALONG: [f64; 2] = [0.93, 0.37];

fn rigid(body: Body, half: Vector, height: f64) -> RigidBody {
    RigidBody::new(body, half, Vector::new(START[0], height, START[1]))
}

fn of(shape: Shape, half: Vector) -> RigidBody {
    rigid(Body::Whole(shape), half, half.y)
}

fn lies() -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Vector::x_axis(), FRAC_PI_2)
}

fn sphere() -> RigidBody {
    of(Shape::Sphere { center: Point::origin(), radius: 0.05 }, Vector::repeat(0.05))
}

fn capsule() -> RigidBody {
    let shape = Shape::Capsule { pose: Pose::identity(), radius: 0.04, length: 0.1 };
    rigid(Body::Whole(shape), Vector::new(0.04, 0.09, 0.04), 0.04).turned(lies())
}

fn cylinder() -> RigidBody {
    let shape = Shape::Cylinder { pose: Pose::identity(), radius: 0.04, length: 0.12 };
    rigid(Body::Whole(shape), Vector::new(0.04, 0.06, 0.04), 0.06)
}

fn lying_cylinder() -> RigidBody {
    let shape = Shape::Cylinder { pose: Pose::identity(), radius: 0.04, length: 0.12 };
    rigid(Body::Whole(shape), Vector::new(0.04, 0.06, 0.04), 0.04).turned(lies())
}

fn cube() -> RigidBody {
    let half_extents = Vector::new(0.05, 0.04, 0.06);
    of(Shape::OrientedBox { pose: Pose::identity(), half_extents }, half_extents)
}

fn hull() -> RigidBody {
    let ring = |y: f64| {
        (0..7)
            .map(move |k| f64::from(k) / 7.0 * 4.0 * FRAC_PI_2)
            .map(move |angle: f64| Point::new(0.06 * angle.cos(), y, 0.06 * angle.sin()))
    };
    let corners = ring(-0.04).chain(ring(0.04)).collect();
    of(Shape::Convex { pose: Pose::identity(), corners, margin: 0.0 }, Vector::new(0.05, 0.04, 0.05))
}

fn mesh() -> RigidBody {
    let half = Vector::new(0.05, 0.04, 0.06);
    let (vertices, cells) = meshes::box_surface(Point::from(-half), Point::from(half));
    of(Shape::SurfaceMesh { vertices, cells, radius: 0.0 }, half)
}

/// A board on four balls.
fn compound() -> RigidBody {
    let half_extents = Vector::new(0.07, 0.01, 0.07);
    let board = Shape::OrientedBox { pose: Pose::identity(), half_extents };
    let ball = |x: f64, z: f64| Shape::Sphere { center: Point::new(x, -0.02, z), radius: 0.02 };
    let feet = [ball(0.05, 0.05), ball(-0.05, 0.05), ball(-0.05, -0.05), ball(0.05, -0.05)];
    rigid(Body::Children(std::iter::once(board).chain(feet).collect()), Vector::new(0.07, 0.04, 0.07), 0.04)
}

type Slider = (&'static str, fn() -> RigidBody);

const SLIDERS: [Slider; 8] = [
    ("sphere", sphere),
    ("capsule", capsule),
    ("box", cube),
    ("hull", hull),
    ("cylinder", cylinder),
    ("lying cylinder", lying_cylinder),
    ("mesh", mesh),
    ("compound", compound),
];

const FLOORS: [(&str, Floor); 5] = [
    ("plane", Floor::Plane),
    ("slab of 12", Floor::Slab([1, 1, 1])),
    ("regular slab", Floor::Slab([24, 1, 24])),
    ("random slab", Floor::Random([24, 1, 24])),
    ("needles", Floor::Slab([150, 1, 2])),
];

/// The relative change of the speed and the largest tilt over a metre.
fn slide(registry: &Registry, floor: Floor, mut body: RigidBody, speed: f64) -> Result<[f64; 2], String> {
    let along = Vector::new(ALONG[0], 0.0, ALONG[1]).normalize();
    body.velocity = along * speed;
    let settings = WorldSettings { friction: 0.0, ..WorldSettings::default() };
    let floor = RigidBody::fixed(Body::Whole(floor.shape(1.5)));
    let mut world = World::new(registry, vec![floor, body], None, settings)?;
    let steps = (WAY / (speed * settings.step)).round() as usize;
    let (mut tilt, mut contacts) = (0.0_f64, 0);
    for _ in 0..steps {
        let report = world.step()?;
        tilt = tilt.max(report.tilt);
        contacts += usize::from(!report.keys.is_empty());
    }
    if 2 * contacts < steps {
        return Err(format!("in contact in {contacts} of {steps} steps"));
    }
    let change = (world.bodies[1].velocity - along * speed).norm() / speed;
    Ok([change, tilt])
}

#[test]
fn nothing_slows_what_slides() {
    let asked = std::env::var("PALPATE_SCENES").unwrap_or_default();
    let asked: Vec<&str> = asked.split_whitespace().collect();
    let registry = Registry::standard();
    let mut failures = Vec::new();
    println!("{:40} {:>10} {:>10}", "body", "change", "tilt");
    for (body_name, body) in SLIDERS {
        for (floor_name, floor) in FLOORS {
            for speed in [0.1, 1.0] {
                let name = format!("{body_name} on {floor_name} at {speed} m/s");
                if !asked.is_empty() && !asked.iter().any(|word| name.contains(word)) {
                    continue;
                }
                match slide(&registry, floor, body(), speed) {
                    Ok([change, tilt]) => {
                        println!("{name:40} {change:10.1e} {tilt:10.1e}");
                        if !(change <= SPEED && tilt <= TILT) {
                            failures.push(format!("{name}: the speed changes by {change}, tilt {tilt}"));
                        }
                    }
                    Err(error) => failures.push(format!("{name}: {error}")),
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} do not slide:\n{}", failures.len(), failures.join("\n"));
}
