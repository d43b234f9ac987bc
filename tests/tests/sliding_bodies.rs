//! Bodies and threads slide without friction over flat triangulations as over a plane: no internal edge of the floor
//! slows them, turns them or tilts a contact. Friction stops them where the closed form says.
//!
//! `PALPATE_SCENES` selects bodies and floors by a word in their name.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "prints a table of the bodies")]

use nalgebra::UnitQuaternion;
use palpate_detect::Registry;
use palpate_geometry::{LineMesh, Pose};
use palpate_math::{Point, Vector};
use palpate_response::Material;
use palpate_response::pbd;
use palpate_scene::{PairOptions, Scene};
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

/// Metres per second squared.
const GRAVITY: f64 = 9.81;

/// Metres.
const THREAD_RADIUS: f64 = 0.005;

/// The velocities of a thread's points after it slid along for a number of steps, by XPBD: gravity, its length, contacts;
/// and its path.
fn slide_thread(
    floor: Floor,
    speed: f64,
    friction: f64,
    step: f64,
    steps: usize,
) -> Result<(Vec<Vector>, Vector), Box<dyn std::error::Error>> {
    let along = Vector::new(ALONG[0], 0.0, ALONG[1]).normalize();
    let spacing = 0.02;
    let across = Vector::new(-along.z, 0.0, along.x) * spacing;
    let start = Point::new(START[0], THREAD_RADIUS, START[1]);
    let mut x: Vec<Point> = (0..9).map(|k| start + across * f64::from(k - 4)).collect();
    let mut velocities = vec![along * speed; x.len()];
    let masses = vec![1e3; x.len()];
    let mut scene = Scene::standard();
    let floor = scene.add_boxed("floor", floor.shape(1.5).prepared(), Default::default())?;
    let thread = scene.add("thread", LineMesh::polyline(x.clone())?.with_radius(THREAD_RADIUS)?)?;
    scene.add_pair(thread, floor, PairOptions::default().with_margin(1e-3))?;
    let mut rows = pbd::Rows::new(step);
    let (middle, mut contacts) = (x[4], 0);
    for _ in 0..steps {
        let old = x.clone();
        for (x, velocity) in x.iter_mut().zip(&mut velocities) {
            velocity.y -= GRAVITY * step;
            *x += *velocity * step;
        }
        scene.set_positions(thread, &x)?;
        scene.step()?;
        let body = |id| if id == thread { pbd::Body::Particles(0) } else { pbd::Body::Static };
        rows.gather(scene.pairs_in_contact(), &x, body, |_| Material::with_friction(friction))?;
        contacts += usize::from(!rows.is_empty());
        for _ in 0..5 {
            for k in 1..x.len() {
                let between = x[k] - x[k - 1];
                let half = between * (0.5 - 0.5 * spacing / between.norm());
                x[k - 1] += half;
                x[k] -= half;
            }
            rows.iter_mut().for_each(|row| row.project(&mut x, &old, &masses));
        }
        velocities = x.iter().zip(&old).map(|(x, old)| (x - old) / step).collect();
    }
    match 2 * contacts < steps {
        true => Err(format!("in contact in {contacts} of {steps} steps").into()),
        false => Ok((velocities, x[4] - middle)),
    }
}

#[test]
fn nothing_slows_a_thread_that_slides() {
    let along = Vector::new(ALONG[0], 0.0, ALONG[1]).normalize();
    for (name, floor) in FLOORS {
        for speed in [0.1, 1.0] {
            let step = 1.0 / 240.0;
            let steps = (WAY / (speed * step)).round() as usize;
            let (velocities, way) = slide_thread(floor, speed, 0.0, step, steps).unwrap();
            let change = velocities.iter().map(|v| (v - along * speed).norm() / speed).fold(0.0, f64::max);
            println!("thread on {name} at {speed} m/s: {change:.1e}");
            assert!(change <= SPEED, "{name} at {speed} m/s: the speed changes by {change}");
            assert!((way - along * WAY).norm() < 0.01, "{name}: {way}");
        }
    }
}

/// The stopping distance is `v² / (2 μ g)`.
#[test]
fn friction_stops_what_slides_by_the_closed_form() {
    let (speed, friction, step) = (1.0, 0.3, 1e-3);
    let along = Vector::new(ALONG[0], 0.0, ALONG[1]).normalize();
    let wanted = speed * speed / (2.0 * friction * GRAVITY);
    let steps = (1.2 * speed / (friction * GRAVITY * step)) as usize;
    for (name, floor) in FLOORS {
        let (velocities, way) = slide_thread(floor, speed, friction, step, steps).unwrap();
        println!("thread on {name}: {:.5} of {wanted:.5} m", way.dot(&along));
        assert!((way.dot(&along) / wanted - 1.0).abs() < 0.01, "thread on {name}: {way}, not {wanted}");
        assert!(velocities.iter().all(|v| v.norm() < 1e-3 * speed), "thread on {name} is at rest");
        let mut body = cube();
        body.velocity = along * speed;
        let start = body.pose.translation.vector;
        let settings = WorldSettings { friction, step, ..WorldSettings::default() };
        let floor = RigidBody::fixed(Body::Whole(floor.shape(1.5)));
        let mut world = World::new(&Registry::standard(), vec![floor, body], None, settings).unwrap();
        for _ in 0..steps {
            world.step().unwrap();
        }
        let way = (world.bodies[1].pose.translation.vector - start).dot(&along);
        println!("box on {name}: {way:.5} of {wanted:.5} m");
        assert!((way / wanted - 1.0).abs() < 0.01, "box on {name}: {way}, not {wanted}");
        assert!(world.bodies[1].velocity.norm() < 1e-3 * speed, "box on {name} is at rest");
    }
}
