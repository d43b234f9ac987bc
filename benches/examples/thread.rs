//! A needle draws a thread over a soft organ, in palpate's loop and as soft bodies of rapier3d, at 0.2 to 5 m/s.
//!
//! Both ends of the thread are driven: down beside the organ, so that the thread lies over it, then to and fro. Both engines get the same
//! thread, the same surface, the same masses and the same motion of the hand, and default settings but for the unit of length. Judged is the
//! middle line of the thread: whether it is through the surface at the end of a step, and how deep.
//!
//! Run it with `cargo run --release -p palpate-benches --example thread`. `PALPATE_THREAD_STEPS` is the number of steps, 240 by default.
#![allow(clippy::print_stdout)] // an example shows what it finds

use palpate::geometry::signed_distance;
use palpate::prelude::*;
use palpate::response::Material;
use palpate::response::guard::Moves;
use palpate::response::pbd::Distance;
use palpate::stepping::{Moving, Stepper, StepperOptions};
use palpate_tests::meshes;
use palpate_tests::oracle::crosses;
use rapier3d_f64::prelude as rapier;
use std::collections::BTreeSet;
use std::time::Instant;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const STEP: f64 = 1.0 / 240.0; // seconds
const SEGMENTS: usize = 88;
const SPACING: f64 = 2e-3; // metres, of the points of the thread
const RADIUS: f64 = 0.5e-3; // metres, of the thread
const THREAD_MASS: f64 = 1e-5; // kilograms, of a point
const ORGAN_MASS: f64 = 1e-3; // kilograms, of a vertex
const STIFFNESS: f64 = 60.0; // newtons per metre: draws a vertex of palpate's organ to its place

/// The organ: an ellipsoid of 120, 60 and 100 mm whose lower part is clamped.
struct Organ {
    vertices: Vec<Point>,
    triangles: Vec<[u32; 3]>,
}

impl Organ {
    fn new() -> Self {
        let (directions, triangles) = meshes::icosphere(3);
        let radii = Vector::new(0.06, 0.03, 0.05);
        let vertices = directions.iter().map(|d| Point::from(d.coords.component_mul(&radii))).collect();
        Self { vertices, triangles }
    }

    fn is_clamped(&self, vertex: usize) -> bool {
        self.vertices[vertex].y < -0.01
    }

    fn edges(&self) -> Vec<[u32; 2]> {
        let sides = self.triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
        let edges: BTreeSet<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.into_iter().collect()
    }
}

fn thread() -> Vec<Point> {
    let place = |k: usize| SPACING * (k as f64 - 0.5 * SEGMENTS as f64);
    (0..=SEGMENTS).map(|k| Point::new(place(k), 0.035, 0.0)).collect()
}

/// Where the hand wants both ends after a way.
fn hand(way: f64) -> [Point; 2] {
    let end = 0.5 * SPACING * SEGMENTS as f64;
    let (start, low) = (Point::new(end, 0.035, 0.0), Point::new(0.072, 0.0, 0.0));
    let first = (low - start).norm();
    let at = if way < first {
        start + (low - start) * (way / first)
    } else {
        // To and fro by 35 mm.
        let phase = (way - first + 0.035) % 0.14;
        low + Vector::z() * (if phase < 0.07 { phase } else { 0.14 - phase } - 0.035)
    };
    [Point::new(-at.x, at.y, at.z), at]
}

/// An engine with the thread and the organ.
trait Engine {
    fn step(&mut self, targets: [Point; 2]) -> Result<()>;
    fn thread(&self) -> Vec<Point>;
    fn organ(&self) -> Vec<Point>;
}

struct Palpate {
    scene: Scene,
    stepper: Stepper,
    moving: Moving,
    masses: Vec<f64>,
    lengths: Vec<Distance>,
    at_rest: Vec<Point>,
}

impl Palpate {
    fn new(organ: &Organ) -> Result<Self> {
        let points = thread();
        let count = points.len();
        let at_rest = [&points[..], &organ.vertices].concat();
        let mut masses = vec![1.0 / THREAD_MASS; count];
        (masses[0], masses[SEGMENTS]) = (0.0, 0.0);
        let inverse = |k: usize| if organ.is_clamped(k) { 0.0 } else { 1.0 / ORGAN_MASS };
        masses.extend((0..organ.vertices.len()).map(inverse));
        let mut lengths: Vec<Distance> =
            (0..SEGMENTS).map(|k| Distance::new([k, k + 1], &at_rest, 1e-5)).collect();
        let of_organ = |ids: &[u32; 2]| Distance::new(ids.map(|id| count + id as usize), &at_rest, 1e-4);
        lengths.extend(organ.edges().iter().map(of_organ));
        let mut scene = Scene::standard();
        let thread = scene.add("thread", LineMesh::polyline(points)?.with_radius(RADIUS)?)?;
        let mesh = SurfaceMesh::new(organ.vertices.clone(), organ.triangles.clone())?;
        let mesh = scene.add("organ", mesh)?;
        for other in [mesh, thread] {
            let options = PairOptions::default().with_margin(2.0 * RADIUS);
            scene.add_pair(thread, other, options.with_detection(Detection::Continuous))?;
        }
        let moves = |id| if id == thread { Moves::Particles(0) } else { Moves::Particles(count) };
        let stepper = Stepper::new(&scene, StepperOptions::new(STEP, -0.2 * RADIUS), moves)?;
        Ok(Self { scene, stepper, moving: Moving::of_particles(at_rest.clone()), masses, lengths, at_rest })
    }
}

impl Engine for Palpate {
    fn step(&mut self, targets: [Point; 2]) -> Result<()> {
        let Self { scene, stepper, moving, masses, lengths, at_rest } = self;
        for (k, velocity) in moving.velocities.iter_mut().enumerate() {
            let spring = (at_rest[k] - moving.particles[k]) * (STIFFNESS * masses[k]);
            let acceleration = if k <= SEGMENTS { Vector::y() * -9.81 } else { spring };
            *velocity =
                if masses[k] > 0.0 { 0.97 * *velocity + acceleration * STEP } else { Vector::zeros() };
        }
        for (k, target) in [0, SEGMENTS].into_iter().zip(targets) {
            moving.velocities[k] = (target - moving.particles[k]) / STEP;
        }
        let material = |_: &Pair| Material::with_friction(0.2);
        stepper.step(scene, moving, material, |moving, rows| {
            let before = moving.particles.clone();
            moving.advance(STEP);
            lengths.iter_mut().for_each(Distance::begin_step);
            for _ in 0..20 {
                lengths.iter_mut().for_each(|length| length.project(&mut moving.particles, masses, STEP));
                rows.reproject_on_elements(moving.positions());
                let mut state = moving.state(&before, masses);
                rows.iter_mut().for_each(|row| row.project_in(&mut state));
            }
            moving.take_velocities(&before, masses, STEP);
        })?;
        Ok(())
    }

    fn thread(&self) -> Vec<Point> {
        self.moving.particles[..=SEGMENTS].to_vec()
    }

    fn organ(&self) -> Vec<Point> {
        self.moving.particles[SEGMENTS + 1..].to_vec()
    }
}

struct Rapier {
    world: rapier::PhysicsWorld,
    bodies: [rapier::SoftBodyHandle; 2],
}

impl Rapier {
    fn new(organ: &Organ) -> Self {
        let vector = |p: &Point| rapier::Vector::new(p.x, p.y, p.z);
        let mut world = rapier::PhysicsWorld::default();
        world.integration_parameters.dt = STEP;
        world.integration_parameters.length_unit = 0.05;
        let clamped = (0..organ.vertices.len()).filter(|k| organ.is_clamped(*k)).map(|k| k as u32);
        let surface = rapier::SoftBodyBuilder::new(organ.vertices.iter().map(vector).collect())
            .edges(organ.edges())
            .surface(organ.triangles.clone())
            .particle_mass(ORGAN_MASS)
            .particle_radius(0.1 * RADIUS)
            .shape_matching(true)
            .volume_preservation(true)
            .gravity_scale(0.0)
            .can_sleep(false)
            .pinned_particles(clamped);
        let segments: Vec<[u32; 2]> = (0..SEGMENTS as u32).map(|k| [k, k + 1]).collect();
        let wire = rapier::SoftBodyBuilder::new(thread().iter().map(vector).collect())
            .edges(segments.clone())
            .wire(segments)
            .particle_mass(THREAD_MASS)
            .particle_radius(RADIUS)
            .can_sleep(false)
            .self_contacts(true)
            .pinned_particles([0, SEGMENTS as u32]);
        let bodies = [world.insert_soft_body(wire), world.insert_soft_body(surface)];
        Self { world, bodies }
    }

    fn positions(&self, body: usize) -> Vec<Point> {
        let body = &self.world.soft_bodies[self.bodies[body]];
        body.particle_positions().map(|p| Point::new(p.x, p.y, p.z)).collect()
    }
}

impl Engine for Rapier {
    fn step(&mut self, targets: [Point; 2]) -> Result<()> {
        let thread = &mut self.world.soft_bodies[self.bodies[0]];
        for (k, target) in [0, SEGMENTS].into_iter().zip(targets) {
            thread.set_particle_kinematic_target(k, rapier::Vector::new(target.x, target.y, target.z));
        }
        self.world.step();
        Ok(())
    }

    fn thread(&self) -> Vec<Point> {
        self.positions(0)
    }

    fn organ(&self) -> Vec<Point> {
        self.positions(1)
    }
}

/// What a run came to.
#[derive(Debug, Default)]
struct Run {
    /// Steps that end with the thread through the surface.
    through: usize,
    /// Metres: how far its middle line is below the surface.
    deepest: f64,
    /// Seconds, of a step.
    time: f64,
    /// Metres: the greatest motion of a vertex of the organ from its place.
    yielded: f64,
}

/// How deep the middle line is, and whether it crosses the surface.
fn judge(organ: &Organ, vertices: Vec<Point>, thread: &[Point]) -> Result<(f64, bool)> {
    let mut mesh = SurfaceMesh::new(vertices, organ.triangles.clone())?;
    mesh.prepare(Needs::TREE | Needs::NORMALS);
    let mut deepest = 0.0_f64;
    for ends in thread.windows(2) {
        for share in [0.0, 0.5] {
            let distance = signed_distance(&mesh, &(ends[0] + (ends[1] - ends[0]) * share))?.signed.distance;
            deepest = deepest.max(-distance);
        }
    }
    let corner = |id: &u32| &mesh.points().positions()[*id as usize];
    let is_through = thread.windows(2).any(|ends| {
        let mut triangles = organ.triangles.iter();
        triangles.any(|[a, b, c]| crosses([&ends[0], &ends[1]], [corner(a), corner(b), corner(c)]))
    });
    Ok((deepest, is_through || deepest > 0.0))
}

fn run(engine: &mut dyn Engine, organ: &Organ, speed: f64, steps: usize) -> Result<Run> {
    let mut run = Run::default();
    for step in 1..=steps {
        let begun = Instant::now();
        engine.step(hand(speed * STEP * step as f64))?;
        run.time += begun.elapsed().as_secs_f64() / steps as f64;
        let (vertices, thread) = (engine.organ(), engine.thread());
        if !thread.iter().chain(&vertices).all(|point| point.iter().all(|x| x.is_finite())) {
            // What has exploded is counted as through from then on.
            run.through += steps - step + 1;
            run.deepest = f64::INFINITY;
            break;
        }
        let moved = vertices.iter().zip(&organ.vertices).map(|(now, rest)| (now - rest).norm());
        run.yielded = moved.fold(run.yielded, f64::max);
        let (deepest, is_through) = judge(organ, vertices, &thread)?;
        run.deepest = run.deepest.max(deepest);
        run.through += usize::from(is_through);
    }
    Ok(run)
}

fn main() -> Result<()> {
    let steps = std::env::var("PALPATE_THREAD_STEPS").map_or(Ok(240), |text| text.parse())?;
    let organ = Organ::new();
    println!("| speed | engine | steps through, of {steps} | deepest | time a step | the organ yields |");
    println!("|--:|---|--:|--:|--:|--:|");
    for speed in [0.2, 0.5, 1.0, 2.0, 5.0] {
        let mut engines: [(&str, Box<dyn Engine>); 2] =
            [("palpate", Box::new(Palpate::new(&organ)?)), ("rapier", Box::new(Rapier::new(&organ)))];
        for (name, engine) in &mut engines {
            let Run { through, deepest, time, yielded } = run(engine.as_mut(), &organ, speed, steps)?;
            let [deepest, time, yielded] = [deepest, time, yielded].map(|x| 1e3 * x);
            println!(
                "| {speed} m/s | {name} | {through} | {deepest:.2} mm | {time:.2} ms | {yielded:.1} mm |"
            );
        }
    }
    Ok(())
}
