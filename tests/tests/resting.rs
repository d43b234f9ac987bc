//! Bodies that come to rest on a floor stay there, on every floor as on a plane, with a solver that is warm-started
//! by contact keys.
//!
//! | variable | |
//! |---|---|
//! | `PALPATE_STEPS` | steps of a scene; default 600; 2,000 for a long run, which includes the large floors; 100,000 for the longest |
//! | `PALPATE_SCENES` | only the scenes and floors whose name contains one of these words |

#![allow(clippy::print_stdout, reason = "prints a table of the scenes")]

use nalgebra::{Translation3, UnitQuaternion};
use palpate_detect::Registry;
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};
use palpate_tests::Shape;
use palpate_tests::compound::Body;
use palpate_tests::meshes;
use palpate_tests::solver::floors::Floor;
use palpate_tests::solver::{RigidBody, World, WorldSettings};
use serde_json::json;
use std::f64::consts::FRAC_PI_2;

/// Default number of steps.
const STEPS: usize = 600;

/// Steps until all is at rest.
const SETTLED: usize = 400;

/// Metres: allowed distance of a body from its resting position.
const JITTER: f64 = 1e-5;

/// In joules.
const ENERGY: f64 = 1e-6;

/// The least share of contacts whose keys existed in the previous step.
const KEPT: f64 = 0.99;

/// Half the side of a box.
const HALF: f64 = 0.05;

/// Initial gap between the bodies.
const GAP: f64 = 1e-4;

fn cube(position: Vector) -> RigidBody {
    let half_extents = Vector::repeat(HALF);
    let shape = Shape::OrientedBox { pose: Pose::identity(), half_extents };
    RigidBody::new(Body::Whole(shape), half_extents, position)
}

/// Boxes, each on the one below.
fn stack(count: usize) -> Vec<RigidBody> {
    let height = |k: usize| HALF + GAP + k as f64 * (2.0 * HALF + GAP);
    (0..count).map(|k| cube(Vector::new(0.013, height(k), 0.007))).collect()
}

fn tower() -> Vec<RigidBody> {
    stack(5)
}

/// Four boxes, three, two and one.
fn pyramid() -> Vec<RigidBody> {
    let row = |k: usize| {
        let height = HALF + GAP + k as f64 * (2.0 * HALF + GAP);
        let x = move |i: usize| (i as f64 - 0.5 * (3 - k) as f64) * 2.2 * HALF;
        (0..4 - k).map(move |i| cube(Vector::new(x(i) + 0.011, height, 0.005)))
    };
    (0..4).flat_map(row).collect()
}

/// Three bodies side by side, slightly rotated.
fn lying(shape: &Shape, radius: f64, half: Vector) -> Vec<RigidBody> {
    let turn = |k: usize| {
        UnitQuaternion::from_axis_angle(&Vector::y_axis(), 0.3 * k as f64)
            * UnitQuaternion::from_axis_angle(&Vector::z_axis(), FRAC_PI_2)
    };
    let body = |k: usize| {
        let position = Vector::new(0.01, radius + GAP, 0.3 * (k as f64 - 1.0));
        RigidBody::new(Body::Whole(shape.clone()), half, position).turned(turn(k))
    };
    (0..3).map(body).collect()
}

fn capsules() -> Vec<RigidBody> {
    let shape = Shape::Capsule { pose: Pose::identity(), radius: 0.04, length: 0.2 };
    lying(&shape, 0.04, Vector::new(0.04, 0.13, 0.04))
}

fn cylinders() -> Vec<RigidBody> {
    let shape = Shape::Cylinder { pose: Pose::identity(), radius: 0.04, length: 0.2 };
    lying(&shape, 0.04, Vector::new(0.035, 0.1, 0.035))
}

/// A prism of eight sides that stands, and one that lies.
fn hulls() -> Vec<RigidBody> {
    let ring = |y: f64| {
        (0..8)
            .map(move |k| (f64::from(k) + 0.5) * FRAC_PI_2 / 2.0)
            .map(move |angle: f64| Point::new(0.06 * angle.cos(), y, 0.06 * angle.sin()))
    };
    let corners = ring(-0.04).chain(ring(0.04)).collect();
    let shape = Shape::Convex { pose: Pose::identity(), corners, margin: 0.0 };
    let half = Vector::new(0.05, 0.04, 0.05);
    let body = |x: f64, height: f64| {
        RigidBody::new(Body::Whole(shape.clone()), half, Vector::new(x, height + GAP, 0.02))
    };
    let lies = UnitQuaternion::from_axis_angle(&Vector::x_axis(), FRAC_PI_2);
    let apothem = 0.06 * (FRAC_PI_2 / 4.0).cos();
    vec![body(-0.2, 0.04), body(0.2, apothem).turned(lies)]
}

/// A closed mesh: a cube of twelve triangles.
fn mesh() -> Vec<RigidBody> {
    let half = Vector::repeat(HALF);
    let (vertices, cells) = meshes::box_surface(Point::from(-half), Point::from(half));
    let shape = Shape::SurfaceMesh { vertices, cells, radius: 0.0 };
    vec![RigidBody::new(Body::Whole(shape), half, Vector::new(0.013, HALF + GAP, 0.007))]
}

type Scene = (&'static str, fn() -> Vec<RigidBody>);

const SCENES: [Scene; 6] = [
    ("tower", tower),
    ("pyramid", pyramid),
    ("capsules", capsules),
    ("cylinders", cylinders),
    ("hulls", hulls),
    ("mesh", mesh),
];

/// The floors, and whether each is large.
const FLOORS: [(&str, Floor, bool); 6] = [
    ("plane", Floor::Plane, false),
    ("slab of 12", Floor::Slab([1, 1, 1]), false),
    ("slab of 1152", Floor::Slab([16, 1, 16]), false),
    ("random slab", Floor::Random([16, 1, 16]), false),
    ("one-sided sheet", Floor::Sheet([16, 1, 16]), false),
    ("slab of 25920", Floor::Slab([72, 9, 72]), true),
];

/// The outcome of a scene on a floor, after it settled.
#[derive(Clone, Debug, Default)]
struct Outcome {
    jitter: f64,
    drift: f64,
    kept: f64,
    energy: f64,
    contacts: usize,
}

fn run(
    registry: &Registry,
    floor: Floor,
    bodies: Vec<RigidBody>,
    steps: usize,
    settings: WorldSettings,
) -> Result<Outcome, String> {
    let shape =
        floor.shape(1.0).moved(&Pose::from_parts(Translation3::identity(), UnitQuaternion::identity()));
    let one_sided = json!({"sides": "one"});
    let floor_settings = matches!(floor, Floor::Sheet(_)).then_some(&one_sided);
    let all = std::iter::once(RigidBody::fixed(Body::Whole(shape))).chain(bodies).collect();
    let mut world = World::new(registry, all, floor_settings, settings)?;
    let positions = |world: &World| -> Vec<Vector> {
        world.bodies.iter().map(|body| body.pose.translation.vector).collect()
    };
    let (mut outcome, mut rest) = (Outcome::default(), Vec::new());
    let (mut kept, mut all) = (0, 0);
    for step in 0..steps {
        let report = world.step()?;
        if step < SETTLED {
            rest = positions(&world);
            continue;
        }
        let off =
            positions(&world).iter().zip(&rest).map(|(now, rest)| (now - rest).norm()).fold(0.0, f64::max);
        outcome.jitter = outcome.jitter.max(off);
        outcome.drift = off;
        outcome.energy = outcome.energy.max(report.kinetic_energy);
        outcome.contacts = report.keys.len();
        (kept, all) = (kept + report.kept, all + report.keys.len());
    }
    outcome.kept = kept as f64 / all.max(1) as f64;
    Ok(outcome)
}

fn steps() -> usize {
    std::env::var("PALPATE_STEPS").map_or(STEPS, |steps| steps.parse().expect("a number of steps"))
}

fn words(name: &str) -> Vec<String> {
    std::env::var(name).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

#[test]
fn what_rests_stays_at_rest() {
    let steps = steps();
    let asked = words("PALPATE_SCENES");
    let registry = Registry::standard();
    let mut failures = Vec::new();
    println!(
        "{:30} {:>10} {:>10} {:>8} {:>10} {:>8}",
        "scene", "jitter", "drift", "kept", "energy", "contacts"
    );
    for (name, scene) in SCENES {
        for (floor_name, floor, large) in FLOORS {
            let name = format!("{name} on {floor_name}");
            let is_asked = asked.is_empty() || asked.iter().any(|word| name.contains(word.as_str()));
            // A closed mesh on a two-sided sheet has no side to choose.
            let no_sides = matches!(floor, Floor::Sheet(_)) && name.starts_with("mesh");
            if !is_asked || no_sides || large && steps <= STEPS {
                continue;
            }
            match run(&registry, floor, scene(), steps, WorldSettings::default()) {
                Ok(outcome) => {
                    let Outcome { jitter, drift, kept, energy, contacts } = outcome;
                    println!("{name:30} {jitter:10.1e} {drift:10.1e} {kept:8.4} {energy:10.1e} {contacts:8}");
                    let rests = jitter <= JITTER && energy <= ENERGY && kept >= KEPT && contacts > 0;
                    if !rests {
                        failures.push(format!("{name}: {outcome:?}"));
                    }
                }
                Err(error) => failures.push(format!("{name}: {error}")),
            }
        }
    }
    assert!(failures.is_empty(), "{} do not rest:\n{}", failures.len(), failures.join("\n"));
}

/// A tall stack needs iterations: with 30 it sways.
#[test]
fn ten_boxes_stand() {
    let registry = Registry::standard();
    let settings = WorldSettings { iterations: 300, ..WorldSettings::default() };
    for floor in [Floor::Plane, Floor::Slab([1, 1, 1])] {
        let outcome = run(&registry, floor, stack(10), steps(), settings).unwrap();
        let Outcome { jitter, kept, energy, contacts, .. } = outcome;
        let stands = jitter <= JITTER && energy <= ENERGY && kept >= KEPT && contacts == 40;
        assert!(stands, "{floor:?}: {outcome:?}");
    }
}

/// The mean number of iterations until no velocity changes by more than a thousandth of what gravity gives in a step.
fn iterations(warm: f64) -> f64 {
    let settings = WorldSettings { warm, iterations: 300, ..WorldSettings::default() };
    let floor = RigidBody::fixed(Body::Whole(Floor::Plane.shape(1.0)));
    let bodies = std::iter::once(floor).chain(stack(10)).collect();
    let mut world =
        World::new(&Registry::standard(), bodies, None, settings).expect("the pairs have detectors");
    let residual = 1e-3 * settings.gravity * settings.step;
    let mut sum = 0.0;
    for step in 0..150 {
        let report = world.step().expect("the detectors run");
        if step >= 100 {
            let enough = report.changes.iter().position(|&change| change < residual);
            sum += enough.expect("the iterations converge") as f64 + 1.0;
        }
    }
    sum / 50.0
}

#[test]
fn warm_starting_halves_the_iterations_on_a_stack() {
    let [cold, warm] = [0.0, 1.0].map(iterations);
    println!("iterations: {cold} cold, {warm} warm");
    assert!(2.0 * warm <= cold, "{cold} cold, {warm} warm");
}
