//! A needle pulls a thread over a soft organ: an XPBD solver with contacts as constraints, in the loop of a `Stepper`.
//!
//! Run it with `cargo run --release -p palpate --example suture`.
#![allow(clippy::print_stdout)] // an example shows what it finds

use palpate::nalgebra::{Translation3, UnitQuaternion};
use palpate::prelude::*;
use palpate::response::Material;
use palpate::response::guard::Moves;
use palpate::response::pbd::{Distance, RigidBody};
use palpate::stepping::{Moving, Stepped, Stepper, StepperOptions};

#[path = "shared/shapes.rs"]
mod shapes;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const POINTS: usize = 60; // of the thread
const RADIUS: f64 = 0.5e-3; // metres, of the thread
const COMPLIANCE: f64 = 1e-6; // metres per newton, of a segment of the thread
const STIFFNESS: f64 = 100.0; // newtons per metre, of a vertex of the organ
const STEP: f64 = 2e-3; // seconds
const ITERATIONS: usize = 40;
const FRICTION: f64 = 0.2;
const TAIL: f64 = 7.8e-3; // metres, from the middle of the needle to the first point of the thread

/// The particles are the points of the thread, of which the needle holds the first, then the vertices of the organ.
struct Suture {
    scene: Scene,
    stepper: Stepper,
    moving: Moving,
    inverse_masses: Vec<f64>, // one per kilogram
    at_rest: Vec<Point>,
    lengths: Vec<Distance>, // of the segments of the thread
}

impl Suture {
    fn new() -> Result<Self> {
        let (vertices, triangles) = shapes::ellipsoid(Vector::new(0.06, 0.02, 0.04), 4);
        // A coil just above the organ: point spacing 2 mm, turn spacing 2.5 mm.
        let coil = |angle: f64| Point::new(0.01 * angle.cos(), 0.021 + 4e-4 * angle, 0.01 * angle.sin());
        let thread: Vec<Point> = (0..POINTS).rev().map(|k| coil(0.2 * k as f64)).collect();
        let at_rest = [&thread[..], &vertices].concat();
        let mut inverse_masses = [vec![1e5; POINTS], vec![1e3; vertices.len()]].concat();
        inverse_masses[0] = 0.0;

        // The needle, a tool: the capsule's axis, local +y, points along world +x.
        let mut moving = Moving::of_particles(at_rest.clone());
        let rotation = UnitQuaternion::from_axis_angle(&Vector::z_axis(), -std::f64::consts::FRAC_PI_2);
        let pose = Pose::from_parts(Translation3::from(thread[0].coords + Vector::x() * TAIL), rotation);
        moving.add_body(RigidBody::new(pose, 0.0, Vector::zeros()));

        let mut scene = Scene::standard();
        let thread = scene.add("thread", LineMesh::polyline(thread)?.with_radius(RADIUS)?)?;
        let organ = scene.add("organ", SurfaceMesh::new(vertices, triangles)?)?;
        let needle = scene.add("needle", Capsule::new(Pose::identity(), 0.7e-3, 0.012)?)?;
        scene.set_pose(needle, pose)?;
        for (a, b) in [(thread, organ), (thread, thread), (thread, needle), (organ, needle)] {
            scene.add_pair(a, b, PairOptions::default().with_margin(RADIUS))?;
        }
        // The guard lets a fifth of the radius overlap: what is less is left to the rows.
        let options = StepperOptions::new(STEP, -0.2 * RADIUS);
        let moves = [Moves::Particles(0), Moves::Particles(POINTS), Moves::Tool(0)];
        let stepper = Stepper::new(&scene, options, |id| moves[id.index()])?;
        let lengths = (1..POINTS).map(|k| Distance::new([k, k - 1], &at_rest, COMPLIANCE)).collect();
        Ok(Self { scene, stepper, moving, inverse_masses, at_rest, lengths })
    }

    fn step(&mut self) -> Result<Stepped> {
        let Self { scene, stepper, moving, inverse_masses: masses, at_rest, lengths } = self;
        for (k, velocity) in moving.velocities.iter_mut().enumerate().filter(|(k, _)| masses[*k] > 0.0) {
            let spring = (at_rest[k] - moving.particles[k]) * (STIFFNESS * masses[k]);
            let acceleration = if k < POINTS { Vector::y() * -9.81 } else { spring };
            *velocity = 0.98 * *velocity + acceleration * STEP;
        }
        // The needle moves on; the first point of the thread goes where its tail will be.
        moving.body_velocities[0][0] = Vector::new(0.1, -0.035, 0.0);
        let tail = moving.bodies[0].pose.translation.vector - Vector::x() * TAIL;
        moving.velocities[0] = moving.body_velocities[0][0] + (tail - moving.particles[0].coords) / STEP;
        let material = |_: &Pair| Material::with_friction(FRICTION);
        let stepped = stepper.step(scene, moving, material, |moving, rows| {
            let before = moving.particles.clone();
            moving.advance(STEP);
            rows.reproject(moving.positions());
            lengths.iter_mut().for_each(Distance::begin_step);
            for _ in 0..ITERATIONS {
                lengths.iter_mut().for_each(|length| length.project(&mut moving.particles, masses, STEP));
                let mut state = moving.state(&before, masses);
                rows.iter_mut().for_each(|row| row.project_in(&mut state));
            }
            moving.take_velocities(&before, masses, STEP);
        })?;
        Ok(stepped)
    }
}

fn main() -> Result<()> {
    let mut suture = Suture::new()?;
    let (mut shortened, mut detections) = (0, 0);
    for _ in 0..400 {
        let stepped = suture.step()?;
        shortened += usize::from(stepped.shortened > 0);
        detections += stepped.detections;
    }
    let (contacts, needle) = (suture.scene.all_contacts().count(), suture.moving.bodies[0].pose.translation);
    println!("{contacts} contacts, the needle at {needle:.3}; {detections} detections");
    println!("the guard shortened a motion in {shortened} of 400 steps");
    Ok(())
}

#[cfg(test)]
#[path = "shared/suture_tests.rs"]
mod tests;
