//! Bodies at rest on every kind of geometry: they neither sink more than the compliance of the contact allows, nor
//! drift, nor jitter, and no contact pulls.

use crate::steps;
use nalgebra::{Translation3, UnitQuaternion};
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};
use palpate_response::Material as Surface;
use palpate_response::pbd::Positions;
use palpate_tests::compound::Body;
use palpate_tests::solver::floors::Floor;
use palpate_tests::xpbd::{Deformable, Elasticity, Material, Settings, World};
use palpate_tests::{Function, Random, Shape, meshes};
use std::f64::consts::FRAC_PI_2;

/// Seconds.
const STEP: f64 = 1.0 / 240.0;

/// Steps until all is at rest.
const SETTLED: usize = 200;

/// Metres per newton, of every contact.
const COMPLIANCE: f64 = 1e-5;

/// Half the length of a body, metres.
const HALF: f64 = 0.05;

/// What a body may sink, drift or jitter beyond its compliance, as a fraction of its half length.
const ALLOWED: f64 = 1e-5;

fn boxed(center: Vector, half_extents: Vector) -> Shape {
    Shape::OrientedBox { pose: Pose::translation(center.x, center.y, center.z), half_extents }
}

fn ball(radius: f64) -> Shape {
    Shape::Sphere { center: Point::new(0.0, -radius, 0.0), radius }
}

fn lying() -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Vector::z_axis(), FRAC_PI_2)
}

/// The tetrahedra of a block with these half extents, its top at y = 0 after it is moved by `by`.
fn block(half: Vector, cubes: [u32; 3], by: Vector) -> (Vec<Point>, Vec<[u32; 4]>) {
    let (mut vertices, cells) = meshes::tetra_block(&mut Random::new(1), cubes, 0.0);
    let high = vertices.iter().fold(Vector::zeros(), |high, vertex| high.sup(&vertex.coords));
    for vertex in &mut vertices {
        *vertex = Point::from(vertex.coords.component_div(&high).component_mul(&half) + by);
    }
    (vertices, cells)
}

/// The floors, whose highest point or face is at the origin.
fn floors() -> Vec<(&'static str, Body)> {
    let half = Vector::new(0.3, 0.1, 0.3);
    let down = |y: f64| Pose::translation(0.0, -y, 0.0);
    let lies = Pose::from_parts(Translation3::new(0.0, -0.5, 0.0), lying());
    let corners = (0..8).map(|k| {
        let sign = |bit: u32| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
        Point::from(half.component_mul(&Vector::new(sign(0), sign(1), sign(2))))
    });
    let (vertices, cells) = block(half, [3, 1, 3], Vector::y() * -0.1);
    let of_sphere = Function::Primitive(Box::new(ball(1.0)));
    let halves = [-0.15, 0.15].map(|x| boxed(Vector::new(x, -0.1, 0.0), Vector::new(0.15, 0.1, 0.3)));
    let whole = |name, shape| (name, Body::Whole(shape));
    vec![
        whole("plane", Floor::Plane.shape(1.0)),
        whole("sphere", ball(1.0)),
        whole("capsule", Shape::Capsule { pose: lies, radius: 0.5, length: 0.6 }),
        whole("cylinder", Shape::Cylinder { pose: down(0.1), radius: 0.4, length: 0.2 }),
        whole("box", boxed(Vector::y() * -0.1, half)),
        whole("ellipsoid", Shape::Ellipsoid { pose: down(0.5), radii: Vector::new(1.0, 0.5, 0.8) }),
        whole(
            "cone",
            Shape::Cone {
                pose: Pose::from_parts(
                    Translation3::new(0.0, -0.1, 0.0),
                    UnitQuaternion::from_axis_angle(&Vector::z_axis(), 2.0 * FRAC_PI_2),
                ),
                radius: 0.4,
                length: 0.2,
            },
        ),
        whole("convex", Shape::Convex { pose: down(0.1), corners: corners.collect(), margin: 0.0 }),
        whole("surface mesh", Floor::Slab([6, 1, 6]).shape(0.3)),
        whole("tetra mesh", Shape::TetraMesh { vertices, cells }),
        whole("implicit", Shape::Implicit { pose: Pose::identity(), scale: 1.0, function: of_sphere }),
        ("compound", Body::Children(halves.to_vec())),
    ]
}

/// The deformable bodies, just above y = 0.
fn deformables() -> Vec<(&'static str, Deformable)> {
    let above = |height: f64| Vector::y() * (height + 1e-4);
    let half = Vector::new(HALF, 0.5 * HALF, HALF);
    let (vertices, cells) = block(half, [2, 1, 2], above(half.y));
    let stiff = Elasticity { young: 1e5, poisson: 0.4 };
    let radius = 1e-3;
    let line = (0..12).map(|k| Point::new(0.01 * (f64::from(k) - 5.5), 0.0, 0.002) + above(radius));
    let grid = |k: u32| [k / 6, k % 6].map(|i| 0.02 * (f64::from(i) - 2.5));
    let sheet = (0..36).map(grid).map(|[x, z]| Point::new(x, 0.0, z) + above(radius));
    let squares = (0..5).flat_map(|i| (0..5).map(move |j| 6 * i + j));
    let triangles = squares.flat_map(|k| [[k, k + 1, k + 6], [k + 1, k + 7, k + 6]]);
    let material = Material { mass: 1e-3, stretch: 1e-6, bend: 1e-3 };
    let feet = [[-1.0, 0.0, -0.6], [1.0, 0.0, -0.6], [0.0, 0.0, 1.1], [0.0, 1.0, 0.0]];
    let feet = feet.map(|foot| Point::from(foot.map(|x| 0.4 * HALF * x)) + above(5.0 * radius));
    vec![
        (
            "frame of balls",
            Deformable::frame(feet.to_vec(), 5.0 * radius, Material { mass: 0.1, ..material }).unwrap(),
        ),
        ("soft block", Deformable::solid(vertices, cells, 1e3, stiff).unwrap()),
        ("thread", Deformable::thread(line.collect(), radius, material).unwrap()),
        ("cloth", Deformable::cloth(sheet.collect(), triangles.collect(), radius, material).unwrap()),
    ]
}

fn world() -> World {
    World::new(Settings { step: STEP, damping: 20.0, margin: 0.02 * HALF, ..Settings::default() })
}

fn surface() -> Surface {
    Surface { compliance: COMPLIANCE, ..Surface::with_friction(0.5) }
}

/// The outcome of a run after it settled. Lengths in metres.
#[derive(Clone, Copy, Debug, Default)]
struct Outcome {
    /// The largest overlap of a contact.
    overlap: f64,
    /// The largest distance of a particle from where it was when it had settled.
    drift: f64,
    /// The largest speed, metres per second.
    speed: f64,
    /// The total of the contact forces on the floor as a fraction of the weight, at the end.
    weight: f64,
    contacts: usize,
}

/// Runs a world whose free mass rests on one floor.
fn run(world: &mut World, mass: f64, steps: usize) -> Outcome {
    let (mut outcome, mut rest) = (Outcome::default(), Vec::new());
    for step in 0..steps {
        world.step().unwrap();
        let positions = Positions { particles: &world.positions, bodies: &world.bodies };
        for row in &world.rows {
            let push = row.multipliers()[0];
            assert!(push >= 0.0, "step {step}: a contact pulls");
            // Rows that are solved later move what was in touch by a little.
            let gap = row.gap(positions);
            let is_near = step < SETTLED || gap <= 10.0 * ALLOWED * HALF;
            assert!(push == 0.0 || is_near, "step {step}: a contact pushes across a gap of {gap}");
        }
        if step + 1 < SETTLED {
            continue;
        }
        if step + 1 == SETTLED {
            rest.clone_from(&world.positions);
        }
        let off =
            world.positions.iter().zip(&rest).map(|(now, rest)| (now - rest).norm()).fold(0.0, f64::max);
        outcome.drift = outcome.drift.max(off);
        let speed = world.velocities.iter().map(Vector::norm).fold(0.0, f64::max);
        outcome.speed = outcome.speed.max(speed);
        outcome.overlap = outcome.overlap.max(world.overlap());
        let forces: f64 = world.rows.iter().map(|row| (row.impulse() / (STEP * STEP)).y.abs()).sum();
        outcome.weight = forces / (mass * 9.81);
        outcome.contacts = world.rows.len();
    }
    outcome
}

/// Judges an outcome, prints it, and names what is wrong.
fn judge(name: &str, mass: f64, outcome: Outcome) -> Option<String> {
    let Outcome { overlap, drift, speed, weight, contacts } = outcome;
    println!("{name:32} {:9.2} µm {drift:9.1e} m {speed:9.1e} m/s {weight:8.5} {contacts:4}", 1e6 * overlap);
    let may_sink = COMPLIANCE * mass * 9.81 + ALLOWED * HALF;
    let rests = overlap <= may_sink
        && drift <= ALLOWED * HALF
        && speed <= ALLOWED * 9.81 * STEP
        && (weight - 1.0).abs() < 0.01
        && contacts > 0;
    (!rests).then(|| format!("{name}: {outcome:?}, may sink {may_sink:e}"))
}

#[test]
fn every_body_rests_on_every_floor() {
    let steps = steps("PALPATE_REST_STEPS", 300);
    let mut failures = Vec::new();
    println!("{:32} {:>12} {:>11} {:>13} {:>8} {:>4}", "", "overlap", "drift", "speed", "weight", "rows");
    for (floor_name, floor) in floors() {
        for (name, body) in deformables() {
            let is_one_face =
                !["sphere", "capsule", "ellipsoid", "implicit", "compound"].contains(&floor_name);
            // A thin body lies on a flat floor; a frame stands on every one. The soft block does not come to rest on a ball,
            // nor across the seam of a compound of two boxes.
            let fits = match name {
                "frame of balls" => true,
                "soft block" => is_one_face,
                _ => ["plane", "surface mesh"].contains(&floor_name),
            };
            if !fits {
                continue;
            }
            let mut world = world();
            let floor = world.add_static("floor", floor.prepared()).unwrap();
            let mass = body.masses.iter().sum();
            let body = world.add_deformable("body", body).unwrap();
            world.add_pair(body, floor, surface()).unwrap();
            let outcome = run(&mut world, mass, steps);
            failures.extend(judge(&format!("{name} on {floor_name}"), mass, outcome));
        }
    }
    assert!(failures.is_empty(), "{} do not rest:\n{}", failures.len(), failures.join("\n"));
}
