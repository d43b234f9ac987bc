//! A grasper goes into a soft organ at 1 m/s, closes its jaws on it, and pulls: tools, a deforming mesh, and the loop of a
//! `Stepper`.
//!
//! Run it with `cargo run --release -p palpate --example grasper`.
#![allow(clippy::print_stdout)] // an example shows what it finds

use palpate::prelude::*;
use palpate::response::Material;
use palpate::response::guard::Moves;
use palpate::response::pbd::{Distance, RigidBody};
use palpate::stepping::{Moving, Stepped, Stepper, StepperOptions};
use std::collections::BTreeSet;

#[path = "shared/shapes.rs"]
mod shapes;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const STEP: f64 = 2e-3; // seconds
const SUBSTEPS: usize = 4;
const ITERATIONS: usize = 10;
const STIFFNESS: f64 = 60.0; // newtons per metre: draws a vertex to its place at rest
const STRETCH: f64 = 1e-4; // metres per newton, of an edge
const MASS: f64 = 1e-3; // kilograms, of a vertex
const MARGIN: f64 = 5e-3; // metres
const DISTANCE: f64 = 2e-5; // metres, kept by the guard
const THICKNESS: f64 = 1e-4; // metres, kept by the rows

/// The organ is of particles; the shaft with its blunt tip and two jaws are tools.
struct Grasper {
    scene: Scene,
    stepper: Stepper,
    moving: Moving,
    inverse_masses: Vec<f64>,
    at_rest: Vec<Point>,
    edges: Vec<Distance>,
    speed: f64, // metres per second
    time: f64,
}

impl Grasper {
    /// An organ of 20 · 4^`level` triangles.
    fn new(level: usize, speed: f64) -> Result<Self> {
        let (vertices, triangles) = shapes::ellipsoid(Vector::new(0.06, 0.03, 0.05), level);
        let sides = triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
        let sides: BTreeSet<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        let edge = |ids: &[u32; 2]| Distance::new(ids.map(|id| id as usize), &vertices, STRETCH);
        let edges = sides.iter().map(edge).collect();
        let mut moving = Moving::of_particles(vertices.clone());
        let inverse_masses = vec![1.0 / MASS; vertices.len()];

        let mut scene = Scene::standard();
        let organ = scene.add("organ", SurfaceMesh::new(vertices.clone(), triangles)?)?;
        // The shaft stands on its tip, a ball; the jaws hang beside it.
        let shaft = Compound::new(vec![])
            .with(Capsule::new(Pose::translation(0.0, 0.06, 0.0), 0.003, 0.1)?)
            .with(Sphere::new(Point::new(0.0, 0.01, 0.0), 0.005)?);
        let mut tools = vec![scene.add("shaft", shaft)?];
        for name in ["left jaw", "right jaw"] {
            tools.push(scene.add(name, Capsule::new(Pose::identity(), 0.002, 0.016)?)?);
        }
        let options = PairOptions::default().with_margin(MARGIN).with_detection(Detection::Continuous);
        for (tool, [x, y]) in tools.iter().zip([[0.0, 0.0], [-0.012, -0.008], [0.012, -0.008]]) {
            let pose = Pose::translation(x, 0.055 + y, 0.0);
            moving.add_body(RigidBody::new(pose, 0.0, Vector::zeros()));
            scene.set_pose(*tool, pose)?;
            scene.add_pair(*tool, organ, options.clone())?;
        }
        let moves =
            |id: GeometryId| if id == organ { Moves::Particles(0) } else { Moves::Tool(id.index() - 1) };
        let options = StepperOptions { substeps: SUBSTEPS, ..StepperOptions::new(STEP, DISTANCE) };
        let stepper = Stepper::new(&scene, options, moves)?;
        let time = 0.0;
        Ok(Self { scene, stepper, moving, inverse_masses, at_rest: vertices, edges, speed, time })
    }

    /// The hand: 25 mm down, the jaws close by 8 mm each, 25 mm up, they open.
    fn drive(&mut self) {
        let way = 0.025 / self.speed;
        let phase = self.time % (2.0 * way + 0.2);
        let (down, close) = match phase {
            phase if phase < way => (-self.speed, 0.0),
            phase if phase < way + 0.1 => (0.0, 0.08),
            phase if phase < 2.0 * way + 0.1 => (self.speed, 0.0),
            _ => (0.0, -0.08),
        };
        for (velocities, side) in self.moving.body_velocities.iter_mut().zip([0.0, 1.0, -1.0]) {
            *velocities = [Vector::new(side * close, down, 0.0), Vector::zeros()];
        }
        self.time += STEP;
    }

    fn step(&mut self) -> Result<Stepped> {
        self.drive();
        let Self { scene, stepper, moving, inverse_masses: masses, at_rest, edges, .. } = self;
        let substep = STEP / SUBSTEPS as f64;
        let material = |_: &Pair| Material { thickness: THICKNESS, ..Material::with_friction(0.3) };
        let stepped = stepper.step(scene, moving, material, |moving, rows| {
            for _ in 0..SUBSTEPS {
                let before = moving.particles.clone();
                for (k, velocity) in moving.velocities.iter_mut().enumerate() {
                    let spring = (at_rest[k] - moving.particles[k]) * (STIFFNESS * masses[k]);
                    *velocity = *velocity * 0.97 + spring * substep;
                }
                moving.advance(substep);
                edges.iter_mut().for_each(Distance::begin_step);
                rows.begin_substep();
                for _ in 0..ITERATIONS {
                    edges.iter_mut().for_each(|edge| edge.project(&mut moving.particles, masses, substep));
                    rows.reproject_on_elements(moving.positions());
                    let mut state = moving.state(&before, masses);
                    rows.iter_mut().for_each(|row| row.project_in(&mut state));
                }
                moving.take_velocities(&before, masses, substep);
            }
        })?;
        Ok(stepped)
    }

    /// The deepest contact of the organ with a tool where they are now, metres.
    fn deepest(&mut self) -> Result<f64> {
        self.stepper.place(&mut self.scene, &self.moving)?;
        let mut fixed = Scene::standard();
        let organ = fixed.add(
            "organ",
            self.scene.geometry_as::<SurfaceMesh>(self.scene.geometries().next().ok_or("no organ")?)?.clone(),
        )?;
        for (name, id) in [("shaft", "shaft"), ("left", "left jaw"), ("right", "right jaw")] {
            let id = self.scene.id(id).ok_or("no tool")?;
            let copy = self.scene.geometry(id)?.try_clone().ok_or("no clone")?;
            let tool = fixed.add_boxed(name, copy, Groups::default())?;
            fixed.set_pose(tool, self.scene.pose(id)?)?;
            fixed.add_pair(tool, organ, PairOptions::default())?;
        }
        fixed.advance();
        fixed.step()?;
        Ok(fixed.deepest().map_or(0.0, |(_, contact)| contact.depth))
    }
}

fn main() -> Result<()> {
    for speed in [0.1, 0.5, 1.0, 2.0] {
        let mut grasper = Grasper::new(4, speed)?;
        let (mut shortened, mut detections, mut missing, mut deepest) = (0, 0, 0.0_f64, 0.0_f64);
        for _ in 0..500 {
            let stepped = grasper.step()?;
            shortened += usize::from(stepped.shortened > 0);
            detections += stepped.detections;
            for held_back in &grasper.stepper.report().contradictions {
                missing = missing.max(held_back.missing);
            }
            deepest = deepest.max(grasper.deepest()?);
        }
        println!(
            "{speed} m/s, 500 steps: {detections} detections, {shortened} steps with a motion shortened,"
        );
        println!("  a tool held back by at most {:.3} mm, deepest {:.6} mm", 1e3 * missing, 1e3 * deepest);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twenty steps into the organ at 1 m/s, and the closing of the jaws.
    #[test]
    fn nothing_is_through_the_surface() -> Result<()> {
        for speed in [0.5, 2.0] {
            let mut grasper = Grasper::new(3, speed)?;
            let start = grasper.moving.particles.clone();
            let mut yielded = 0.0_f64;
            for step in 0..60 {
                grasper.step()?;
                let deepest = grasper.deepest()?;
                assert!(deepest <= 1e-4, "{speed} m/s, step {step}: {deepest}");
                let moved =
                    grasper.moving.particles.iter().zip(&start).map(|(now, then)| (now - then).norm());
                yielded = moved.fold(yielded, f64::max);
            }
            assert!(yielded > 2e-3, "the organ gives way by {yielded}");
        }
        Ok(())
    }
}
