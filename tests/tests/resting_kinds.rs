//! A rigid body at rest on every kind of geometry neither sinks more than its compliance allows, nor drifts, nor jitters:
//! projected Gauss–Seidel on the rows of `palpate-response`.
//!
//! | variable | |
//! |---|---|
//! | `PALPATE_REST_STEPS` | steps of a scene; default 420, settled after 360; 100,000 for the whole run |
//! | `PALPATE_SCENES` | only the scenes whose name contains one of these, separated by commas |

#![allow(clippy::print_stdout, reason = "prints a table of the scenes")]

use nalgebra::{Translation3, UnitQuaternion};
use palpate_detect::Registry;
use palpate_geometry::{GeometryKind, Pose};
use palpate_math::{Point, Vector};
use palpate_tests::compound::Body;
use palpate_tests::solver::floors::Floor;
use palpate_tests::solver::{RigidBody, World, WorldSettings};
use palpate_tests::{Function, Random, Shape, meshes};
use serde_json::{Value, json};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use std::time::Instant;

/// Default number of steps.
const STEPS: usize = 420;

/// Steps until all is at rest.
const SETTLED: usize = 360;

/// Half the size of a body, metres.
const HALF: f64 = 0.05;

/// The initial gap, metres.
const GAP: f64 = 1e-4;

/// Metres per newton, of every contact: a body sinks by its weight times this at most.
const COMPLIANCE: f64 = 1e-6;

/// What a body may move, and how fast, as a fraction of what gravity gives in one step: `g h²` and `g h`.
const ALLOWED: f64 = 1e-3;

/// Most iterations of a step: contacts in line need hundreds when a body lands on them.
const ITERATIONS: usize = 3000;

/// The change of a velocity at which iterations stop, as a fraction of `g h`. There is no rolling friction, so a residual
/// velocity at landing persists.
const CONVERGED: f64 = 1e-12;

/// The shape of a floor's top, which decides what rests on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Top {
    /// Everything.
    Flat,
    /// What stands astride on feet. A face balances on one point or along one line, where it rocks.
    Round,
    /// Balls in a square grid: a flat face on many of them, what is round in the dip between two or four.
    Balls,
    /// Rods in both directions of that grid: as flat, but for a ball, which lies between four of them.
    Rods,
}

/// A floor; its highest points are at y = 0, about the y axis.
struct Support {
    name: &'static str,
    top: Top,
    body: Body,
    /// Settings of its detectors.
    settings: Option<Value>,
}

fn support(name: &'static str, top: Top, shape: Shape) -> Support {
    Support { name, top, body: Body::Whole(shape), settings: None }
}

fn boxed(center: Vector, half_extents: Vector) -> Shape {
    Shape::OrientedBox { pose: Pose::translation(center.x, center.y, center.z), half_extents }
}

fn about_z(quarters: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Vector::z_axis(), quarters * FRAC_PI_2)
}

fn placed(y: f64, turn: UnitQuaternion<f64>) -> Pose {
    Pose::from_parts(Translation3::new(0.0, y, 0.0), turn)
}

/// Half the spacing of the grid, and the radius of its balls and rods, metres.
const GRID: [f64; 2] = [0.015, 0.004];

/// A square grid below the plane y = 0, 14 points to a side.
fn grid() -> Vec<Point> {
    let place = |k: u32| GRID[0] * (2.0 * f64::from(k) - 13.0);
    (0..196).map(|k| Point::new(place(k % 14), -GRID[1], place(k / 14))).collect()
}

/// The floors of a kind. A new kind has to be added here, or the test fails.
fn supports(kind: &GeometryKind) -> Vec<Support> {
    let half = Vector::new(0.3, 0.1, 0.3);
    let low = Vector::y() * -half.y;
    let down = |y: f64| Pose::translation(0.0, -y, 0.0);
    let ball = |radius: f64| Shape::Sphere { center: Point::new(0.0, -radius, 0.0), radius };
    let implicit = |function| Shape::Implicit { pose: Pose::identity(), scale: 1.0, function };
    match kind.name() {
        "plane" => vec![support("plane", Top::Flat, Floor::Plane.shape(1.0))],
        "sphere" => vec![support("sphere", Top::Round, ball(0.4))],
        "capsule" => {
            let pose = placed(-0.4, about_z(1.0));
            vec![support("lying capsule", Top::Round, Shape::Capsule { pose, radius: 0.4, length: 0.6 })]
        }
        "cylinder" => {
            let cylinder = |pose| Shape::Cylinder { pose, radius: 0.4, length: 0.6 };
            vec![
                support("standing cylinder", Top::Flat, cylinder(down(0.3))),
                support("lying cylinder", Top::Round, cylinder(placed(-0.4, about_z(1.0)))),
            ]
        }
        "oriented_box" => vec![support("box", Top::Flat, boxed(low, half))],
        "convex" => {
            let corners = (0..8).map(|k| {
                let sign = |bit: u32| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
                Point::from(half.component_mul(&Vector::new(sign(0), sign(1), sign(2))))
            });
            let (corners, radii) = (corners.collect::<Vec<_>>(), Vector::new(0.6, 0.4, 0.5));
            let cone = Shape::Cone { pose: placed(-0.1, about_z(2.0)), radius: 0.4, length: 0.2 };
            let hull =
                |margin: f64| Shape::Convex { pose: down(0.1 + margin), corners: corners.clone(), margin };
            vec![
                support("ellipsoid", Top::Round, Shape::Ellipsoid { pose: down(0.4), radii }),
                support("cone on its apex", Top::Flat, cone),
                support("hull", Top::Flat, hull(0.0)),
                support("rounded hull", Top::Flat, hull(0.02)),
            ]
        }
        "point_set" => {
            vec![support("points", Top::Balls, Shape::PointSet { vertices: grid(), radius: GRID[1] })]
        }
        "line_mesh" => {
            let along = (0..196).filter(|k| k % 14 < 13).map(|k| [k, k + 1]);
            let across = (0..182).map(|k| [k, k + 14]);
            let cells = along.chain(across).collect();
            vec![support("lines", Top::Rods, Shape::LineMesh { vertices: grid(), cells, radius: GRID[1] })]
        }
        "surface_mesh" => {
            // Between the triangles of a sheet there are edges by default, each with contacts of its own.
            let on_sheet = |name, settings| Support {
                settings: Some(settings),
                ..support(name, Top::Flat, Floor::Sheet([6, 1, 6]).shape(0.3))
            };
            vec![
                support("closed mesh", Top::Flat, Floor::Slab([6, 1, 6]).shape(0.3)),
                support("irregular mesh", Top::Flat, Floor::Random([8, 1, 8]).shape(0.3)),
                on_sheet("two-sided sheet", json!({"internal_edges": "ignore"})),
                on_sheet("one-sided sheet", json!({"sides": "one", "internal_edges": "ignore"})),
            ]
        }
        "tetra_mesh" => {
            let (mut vertices, cells) = meshes::tetra_block(&mut Random::new(1), [3, 1, 3], 0.0);
            let high = vertices.iter().fold(Vector::zeros(), |high, vertex| high.sup(&vertex.coords));
            for vertex in &mut vertices {
                *vertex = Point::from(vertex.coords.component_div(&high).component_mul(&half) + low);
            }
            vec![support("tetrahedra", Top::Flat, Shape::TetraMesh { vertices, cells })]
        }
        "implicit" => vec![
            support("implicit box", Top::Flat, implicit(Function::Primitive(Box::new(boxed(low, half))))),
            support("implicit sphere", Top::Round, implicit(Function::Primitive(Box::new(ball(0.4))))),
        ],
        "compound" => {
            let halves = [-0.15, 0.15].map(|x| boxed(Vector::new(x, -0.1, 0.0), Vector::new(0.15, 0.1, 0.3)));
            vec![Support {
                body: Body::Children(halves.to_vec()),
                ..support("two boxes", Top::Flat, ball(0.4))
            }]
        }
        other => panic!("no floor of the kind {other}"),
    }
}

/// A body with its name.
type Guest = (&'static str, RigidBody);

/// The height of a round body of a radius over the grid whose balls and rods are at a horizontal distance.
fn in_dip(radius: f64, distance: f64) -> f64 {
    ((radius + GRID[1]).powi(2) - distance * distance).sqrt() - GRID[1]
}

/// The bodies that come to rest on a top.
fn guests(top: Top) -> Vec<Guest> {
    match top {
        Top::Flat => faced().into_iter().chain([feet(), ball(HALF)]).chain(lying(SLIM, true)).collect(),
        Top::Round => vec![feet()],
        Top::Balls => {
            let [far, near] = [GRID[0] * 2.0_f64.sqrt(), GRID[0]];
            let round = lying(in_dip(SLIM, near), false);
            faced().into_iter().chain([ball(in_dip(HALF, far))]).chain(round).collect()
        }
        Top::Rods => {
            let ball = ball(in_dip(HALF, GRID[0]));
            faced().into_iter().chain([ball]).chain(lying(SLIM, false)).collect()
        }
    }
}

/// A body at a height.
fn guest(name: &'static str, body: Body, half: Vector, height: f64, turn: UnitQuaternion<f64>) -> Guest {
    (name, RigidBody::new(body, half, Vector::y() * (height + GAP)).turned(turn))
}

/// About the vertical, so that no edge is along an axis.
fn askew() -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Vector::y_axis(), 0.3)
}

/// Bodies that stand on a face: of a pyramid without its top, of a prism of eight sides.
fn faced() -> Vec<Guest> {
    let cube = Vector::repeat(HALF);
    let low = 0.8 * HALF;
    let square = |half: f64, y: f64| {
        [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, z]| Point::new(half * x, y, half * z))
    };
    let corners = [square(HALF, -low), square(0.6 * HALF, low)].concat();
    let hull = Shape::Convex { pose: Pose::identity(), corners, margin: 0.0 };
    let ring = |y: f64| {
        (0..8_u32).map(move |k| {
            let turn = UnitQuaternion::from_axis_angle(&Vector::y_axis(), f64::from(k) * FRAC_PI_4);
            turn * Point::new(HALF, y, 0.0)
        })
    };
    let corners = ring(-low).chain(ring(low)).collect();
    let prism = Shape::Convex { pose: Pose::identity(), corners, margin: 0.0 };
    let (vertices, cells) = meshes::box_surface(Point::from(-cube), Point::from(cube));
    let mesh = Shape::SurfaceMesh { vertices, cells, radius: 0.0 };
    let aside = Vector::new(0.013, 0.0, 0.007);
    let mut all = vec![
        guest("box", Body::Whole(boxed(Vector::zeros(), cube)), cube, HALF, askew()),
        guest("hull", Body::Whole(hull), cube, low, askew()),
        guest("prism", Body::Whole(prism), cube, low, askew()),
        guest("mesh", Body::Whole(mesh), cube, HALF, askew()),
    ];
    all.iter_mut().for_each(|(_, body)| body.pose.translation.vector += aside);
    all
}

/// A compound of three balls.
fn feet() -> Guest {
    let feet = [[-1.0, -0.6], [1.0, -0.6], [0.0, 1.2]].map(|[x, z]| Shape::Sphere {
        center: Point::new(0.8 * HALF * x, -0.3 * HALF, 0.8 * HALF * z),
        radius: 0.2 * HALF,
    });
    guest("feet", Body::Children(feet.to_vec()), Vector::repeat(HALF), 0.5 * HALF, askew())
}

fn ball(height: f64) -> Guest {
    let ball = Shape::Sphere { center: Point::origin(), radius: HALF };
    guest("ball", Body::Whole(ball), Vector::repeat(0.8 * HALF), height, askew())
}

/// The radius of what lies, metres.
const SLIM: f64 = 0.4 * HALF;

/// A capsule and a cylinder that lie, along x unless they are askew.
fn lying(height: f64, is_askew: bool) -> [Guest; 2] {
    let turn = if is_askew { askew() * about_z(1.0) } else { about_z(1.0) };
    let half = Vector::new(SLIM, HALF, SLIM);
    let (pose, radius, length) = (Pose::identity(), SLIM, 2.0 * HALF);
    [
        guest("capsule", Body::Whole(Shape::Capsule { pose, radius, length }), half, height, turn),
        guest("cylinder", Body::Whole(Shape::Cylinder { pose, radius, length }), half, height, turn),
    ]
}

/// The outcome of a scene after it settled. Lengths in metres.
#[derive(Clone, Copy, Debug, Default)]
struct Outcome {
    /// The deepest overlap of a contact.
    overlap: f64,
    /// The distance at the end from where it had settled: of the centre, or of a point at `HALF` by rotation.
    drift: f64,
    /// The largest such distance.
    jitter: f64,
    /// The largest kinetic energy, joules.
    energy: f64,
    /// The largest error of the supporting force, as a fraction of the weight.
    force: f64,
    /// Contacts at the end.
    contacts: usize,
}

/// How far a body is from a pose: by its centre, or by a rotation of a point at `HALF` from it.
fn apart(now: &Pose, rest: &Pose) -> f64 {
    let turned = (now.rotation * rest.rotation.inverse()).angle();
    (now.translation.vector - rest.translation.vector).norm().max(turned * HALF)
}

fn run(registry: &Registry, floor: &Support, guest: &RigidBody, steps: usize) -> Result<Outcome, String> {
    let WorldSettings { step, gravity, .. } = WorldSettings::default();
    let settings = WorldSettings {
        compliance: COMPLIANCE,
        slop: 0.0,
        iterations: ITERATIONS,
        tolerance: CONVERGED * gravity * step,
        ..WorldSettings::default()
    };
    let bodies = vec![RigidBody::fixed(floor.body.clone()), guest.clone()];
    // Two meshes have no such settings.
    let is_mesh = matches!(guest.body, Body::Whole(Shape::SurfaceMesh { .. }));
    let floor_settings = floor.settings.as_ref().filter(|_| !is_mesh);
    let mut world = World::new(registry, bodies, floor_settings, settings)?;
    let (mut outcome, mut rest) = (Outcome::default(), guest.pose);
    for step in 0..steps {
        let report = world.step()?;
        if step < SETTLED {
            rest = world.bodies[1].pose;
            continue;
        }
        outcome.drift = apart(&world.bodies[1].pose, &rest);
        outcome.jitter = outcome.jitter.max(outcome.drift);
        outcome.overlap = outcome.overlap.max(report.overlap);
        outcome.energy = outcome.energy.max(report.kinetic_energy);
        outcome.force = outcome.force.max((report.support / settings.gravity - 1.0).abs());
        outcome.contacts = report.keys.len();
    }
    Ok(outcome)
}

impl Outcome {
    /// Whether it is at rest. The mass is 1 kg.
    fn rests(&self) -> bool {
        let WorldSettings { step, gravity, .. } = WorldSettings::default();
        let (length, speed) = (gravity * step * step, gravity * step);
        self.overlap <= COMPLIANCE * gravity + ALLOWED * length
            && self.jitter <= ALLOWED * length
            && self.energy <= 0.5 * (ALLOWED * speed).powi(2)
            && self.force <= ALLOWED
            && self.contacts > 0
    }
}

fn words(variable: &str) -> Vec<String> {
    std::env::var(variable).unwrap_or_default().split(',').map(str::to_owned).collect()
}

#[test]
fn every_body_rests_on_every_kind() {
    let steps = std::env::var("PALPATE_REST_STEPS")
        .map_or(STEPS, |steps| steps.parse().expect("a number of steps"))
        .max(SETTLED + 1);
    let asked = words("PALPATE_SCENES");
    let registry = Registry::standard();
    let (mut failures, mut count) = (Vec::new(), 0);
    println!("{:30} overlap µm   drift m  jitter m  energy J  force  contacts   µs a step", "");
    for floor in GeometryKind::ORDER.iter().flat_map(supports) {
        for (guest, body) in guests(floor.top) {
            let name = format!("{guest} on {}", floor.name);
            if !asked.iter().any(|word| name.contains(word)) {
                continue;
            }
            count += 1;
            let start = Instant::now();
            let outcome = run(&registry, &floor, &body, steps).expect("the pair has a detector");
            let Outcome { overlap, drift, jitter, energy, force, contacts } = outcome;
            println!(
                "{name:30} {:10.3} {drift:9.1e} {jitter:9.1e} {energy:9.1e} {force:6.0e} {contacts:9} {:11.1}",
                1e6 * overlap,
                1e6 * start.elapsed().as_secs_f64() / steps as f64
            );
            if !outcome.rests() {
                failures.push(format!("{name}: {outcome:?}"));
            }
        }
    }
    assert!(count > 0 && failures.is_empty(), "{} do not rest:\n{}", failures.len(), failures.join("\n"));
}
