//! Thirty bodies fall on a mesh and come to rest. Prints the time of palpate's detection beside that of rapier's whole step.
//!
//! Both have the same bodies, mesh, masses and friction; rapier integrates both. No body sleeps. A tray that breathes, by a
//! millimetre at 1 Hz, is a mesh with other positions in every step for palpate, a new shape of its collider for rapier.

use super::contacts::{Contacts, GRAVITY, STEP};
use super::{Result, rapier};
use palpate::prelude::*;
use palpate::response::Material;
use palpate_tests::Random;
use serde_json::json;
use std::f64::consts::TAU;
use std::time::{Duration, Instant};

/// Bodies of a scene.
const BODIES: usize = 30;
/// Metres.
const MARGIN: f64 = 0.002;
/// Kilograms per cubic metre.
const DENSITY: f64 = 1000.0;
const FRICTION: f64 = 0.5;
/// Steps of a second.
const SECOND: usize = 240;
/// Seconds of a run; the bodies are at rest after two.
const SECONDS: usize = 5;
/// Half of the side of the floor, metres.
const HALF: f64 = 0.4;

/// A triangle mesh for both.
struct Floor {
    name: &'static str,
    vertices: Vec<Point>,
    triangles: Vec<[u32; 3]>,
    breathes: bool,
}

impl Floor {
    /// A square of `n` by `n` rectangles, by height.
    fn grid(name: &'static str, n: u32, height: impl Fn(f64, f64) -> f64) -> Self {
        let at = |k: u32| HALF * (2.0 * f64::from(k) / f64::from(n) - 1.0);
        let vertices = (0..=n).flat_map(|i| (0..=n).map(move |j| (at(i), at(j))));
        let vertices = vertices.map(|(x, z)| Point::new(x, height(x, z), z)).collect();
        let corner = |i: u32, j: u32| i * (n + 1) + j;
        let rectangles = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let triangles = rectangles.flat_map(|(i, j)| {
            let [a, b, c, d] = [corner(i, j), corner(i, j + 1), corner(i + 1, j + 1), corner(i + 1, j)];
            [[a, b, c], [a, c, d]]
        });
        Self { name, vertices, triangles: triangles.collect(), breathes: false }
    }

    /// Flat, with a rim.
    fn tray() -> Self {
        let beyond = |x: f64| (x.abs() - 0.9 * HALF).max(0.0);
        Self::grid("tray", 50, move |x, z| beyond(x).max(beyond(z)))
    }

    fn breathing_tray() -> Self {
        Self { name: "breathing", breathes: true, ..Self::tray() }
    }

    /// The vertices in a step.
    fn at(&self, step: usize) -> Vec<Point> {
        let rise = 1e-3 * (TAU * step as f64 * STEP).sin();
        let raised =
            |p: &Point| Point::new(p.x, p.y + rise * (1.0 + (9.0 * p.x).sin() * (7.0 * p.z).cos()), p.z);
        self.vertices.iter().map(raised).collect()
    }

    fn hills() -> Self {
        Self::grid("height field", 100, |x, z| 0.01 * ((21.0 * x).sin() + (17.0 * z).cos()))
    }
}

/// A body's shape, by its half sizes.
fn shape(number: usize, [x, y, z]: [f64; 3]) -> Result<(Box<dyn Geometry>, rapier::SharedShape)> {
    let pose = Pose::identity();
    Ok(match number % 4 {
        0 => (Box::new(OrientedBox::new(pose, Vector::new(x, y, z))?), rapier::SharedShape::cuboid(x, y, z)),
        1 => (Box::new(Cylinder::new(pose, x, 2.0 * y)?), rapier::SharedShape::cylinder(y, x)),
        2 => (Box::new(Capsule::new(pose, 0.6 * x, 2.0 * y)?), rapier::SharedShape::capsule_y(y, 0.6 * x)),
        _ => {
            let mut random = Random::new(number as u64);
            let points: Vec<Point> = (0..16)
                .map(|_| Point::from(random.direction().component_mul(&Vector::new(x, y, z))))
                .collect();
            let own: Vec<rapier::Vector> =
                points.iter().map(|p| rapier::Vector::new(p.x, p.y, p.z)).collect();
            let hull = rapier::SharedShape::convex_hull(&own).ok_or("the points have no hull")?;
            (Box::new(Convex::new(pose, &points)?), hull)
        }
    })
}

/// The world of rapier's, with colliders or without, and the contacts of palpate's if without.
struct Side {
    world: rapier::PhysicsWorld,
    contacts: Contacts,
    ground: GeometryId,
    collider: Option<rapier::ColliderHandle>,
}

impl Side {
    fn new(floor: &Floor, with_colliders: bool) -> Result<Self> {
        let gravity = if with_colliders { -GRAVITY } else { 0.0 };
        let mut world =
            rapier::PhysicsWorld { gravity: rapier::Vector::new(0.0, gravity, 0.0), ..Default::default() };
        world.integration_parameters.dt = STEP;
        let mut scene = Scene::standard();
        let ground =
            scene.add("floor", SurfaceMesh::new(floor.vertices.clone(), floor.triangles.clone())?)?;
        let collider = if with_colliders {
            let mesh = rapier::ColliderBuilder::new(of_rapier(&floor.vertices, &floor.triangles)?);
            Some(world.insert_collider(mesh.friction(FRICTION), None))
        } else {
            None
        };
        let (mut random, mut bodies) = (Random::new(30), Vec::new());
        for number in 0..BODIES {
            let half = [0.0; 3].map(|_| random.between(0.012, 0.03));
            let (geometry, shape) = shape(number, half)?;
            let place = [(number % 6) as f64, (number / 6) as f64].map(|k| 0.1 * k - 0.22);
            let body = rapier::RigidBodyBuilder::dynamic()
                .translation(rapier::Vector::new(place[0], 0.12, place[1]))
                .rotation(rapier::Vector::new(0.3 * random.between(-1.0, 1.0), random.between(0.0, 3.0), 0.0))
                .can_sleep(false);
            let handle = if with_colliders {
                let collider = rapier::ColliderBuilder::new(shape).density(DENSITY).friction(FRICTION);
                let handle = world.insert_body(body);
                world.insert_collider(collider, Some(handle));
                handle
            } else {
                world.insert_body(body.additional_mass_properties(shape.mass_properties(DENSITY)))
            };
            let id = scene.add_boxed(&format!("body {number}"), geometry, Groups::default())?;
            let options =
                PairOptions::default().with_settings(json!({"sides": "one", "internal_edges": "ignore"}));
            scene.add_pair(ground, id, options.with_margin(MARGIN))?;
            bodies.push((handle, id));
        }
        scene.add_all_pairs_with(PairOptions::default().with_margin(MARGIN))?;
        let contacts = Contacts::new(scene, bodies, Material::with_friction(FRICTION));
        Ok(Self { world, contacts, ground, collider })
    }

    /// Moves the floor of rapier's.
    fn reshape(&mut self, vertices: &[Point], triangles: &[[u32; 3]]) -> Result<()> {
        let collider = self.collider.and_then(|handle| self.world.colliders.get_mut(handle));
        collider.ok_or("there is no floor")?.set_shape(of_rapier(vertices, triangles)?);
        Ok(())
    }
}

/// A mesh of rapier's.
fn of_rapier(vertices: &[Point], triangles: &[[u32; 3]]) -> Result<rapier::SharedShape> {
    let vertices = vertices.iter().map(|p| rapier::Vector::new(p.x, p.y, p.z)).collect();
    Ok(rapier::SharedShape::trimesh(vertices, triangles.to_vec())?)
}

/// Times of the steps: the median, the mean and the 99th percentile, in milliseconds.
fn figures(times: &[Duration]) -> [f64; 3] {
    let mut sorted: Vec<f64> = times.iter().map(|time| 1e3 * time.as_secs_f64()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
    [sorted[sorted.len() / 2], mean, sorted[sorted.len() * 99 / 100]]
}

/// Prints the table.
pub(crate) fn compare() -> Result<()> {
    println!("milliseconds a step            p50    mean     p99");
    for floor in [Floor::tray(), Floor::breathing_tray(), Floor::hills()] {
        let (mut ours, mut theirs) = (Side::new(&floor, false)?, Side::new(&floor, true)?);
        let (mut detection, mut steps) = (Vec::new(), Vec::new());
        for step in 0..SECONDS * SECOND {
            let vertices = if floor.breathes { floor.at(step) } else { Vec::new() };
            ours.contacts.deforming = floor.breathes.then(|| (ours.ground, vertices.clone()));
            ours.contacts.resolve(&mut ours.world)?;
            detection.push(ours.contacts.detection);
            ours.world.step();
            let started = Instant::now();
            if floor.breathes {
                theirs.reshape(&vertices, &floor.triangles)?;
            }
            theirs.world.step();
            steps.push(started.elapsed());
        }
        let mut unmoved = Vec::new();
        for _ in 0..SECOND {
            let started = Instant::now();
            ours.contacts.scene.step()?;
            unmoved.push(started.elapsed());
        }
        let [median, mean, high] = figures(&unmoved);
        let (name, who) = (floor.name, "palpate, detection");
        println!("{name:<12} {:<12} {who:<18} {median:7.3} {mean:7.3} {high:7.3}", "unmoved");
        for (when, range) in [("first second", 0..SECOND), ("at rest", 2 * SECOND..SECONDS * SECOND)] {
            for (who, times) in [("palpate, detection", &detection), ("rapier, whole step", &steps)] {
                let [median, mean, high] = figures(&times[range.clone()]);
                println!("{:12} {when:12} {who:18} {median:7.3} {mean:7.3} {high:7.3}", floor.name);
            }
        }
        let deepest = ours.contacts.scene.deepest().map_or(0.0, |(_, contact)| contact.depth);
        println!("{:12} contacts {}, deepest {:.4} mm", floor.name, ours.contacts.rows.len(), 1e3 * deepest);
    }
    Ok(())
}
