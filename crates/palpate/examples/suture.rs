//! A needle pulls a thread over a soft organ: an XPBD solver with contacts as constraints.
//!
//! Run it with `cargo run --release -p palpate --example suture`.
#![allow(clippy::print_stdout)] // an example shows what it finds

use palpate::nalgebra::{Translation3, UnitQuaternion};
use palpate::prelude::*;
use palpate::response::Material;
use palpate::response::pbd::{Body, Distance, Rows};

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

/// The particles are the points of the thread, of which the needle holds the first, then the vertices of the organ.
struct Suture {
    scene: Scene,
    ids: [GeometryId; 3], // thread, organ, needle
    positions: Vec<Point>,
    velocities: Vec<Vector>,
    inverse_masses: Vec<f64>, // one per kilogram
    at_rest: Vec<Point>,
    lengths: Vec<Distance>, // of the segments of the thread
    rows: Rows,
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

        let mut scene = Scene::standard();
        let thread = scene.add("thread", LineMesh::polyline(thread)?.with_radius(RADIUS)?)?;
        let organ = scene.add("organ", SurfaceMesh::new(vertices, triangles)?)?;
        let needle = scene.add("needle", Capsule::new(Pose::identity(), 0.7e-3, 0.012)?)?;
        for (a, b) in [(thread, organ), (thread, thread), (thread, needle), (organ, needle)] {
            scene.add_pair(a, b, PairOptions::default().with_margin(RADIUS))?;
        }
        let (ids, positions) = ([thread, organ, needle], at_rest.clone());
        let mut velocities = vec![Vector::zeros(); at_rest.len()];
        velocities[0] = Vector::new(0.1, -0.035, 0.0); // of the needle; constant
        let segment = |k| Distance::new([k, k - 1], &at_rest, COMPLIANCE);
        let (lengths, rows) = ((1..POINTS).map(segment).collect(), Rows::new(STEP));
        Ok(Self { scene, ids, positions, velocities, inverse_masses, at_rest, lengths, rows })
    }

    fn step(&mut self) -> Result<()> {
        let before = self.positions.clone();
        for k in 0..before.len() {
            if self.inverse_masses[k] > 0.0 {
                let spring = (self.at_rest[k] - self.positions[k]) * (STIFFNESS * self.inverse_masses[k]);
                let acceleration = if k < POINTS { Vector::y() * -9.81 } else { spring };
                self.velocities[k] = 0.98 * self.velocities[k] + acceleration * STEP;
            }
            self.positions[k] += self.velocities[k] * STEP;
        }
        self.detect()?;
        // The thread, the organ, and the needle, which is where it will be.
        let sides = [Body::Particles(0), Body::Particles(POINTS), Body::Static];
        let (pairs, side) = (self.scene.pairs_in_contact(), |id: GeometryId| sides[id.index()]);
        self.rows.gather(pairs, &self.positions, side, |_| Material::with_friction(FRICTION))?;
        let (positions, masses) = (&mut self.positions, &self.inverse_masses);
        self.lengths.iter_mut().for_each(Distance::begin_step);
        for _ in 0..ITERATIONS {
            self.lengths.iter_mut().for_each(|length| length.project(positions, masses, STEP));
            self.rows.iter_mut().for_each(|row| row.project(positions, &before, masses));
        }
        let moved = self.positions.iter().zip(&before);
        self.velocities = moved.map(|(now, before)| (now - before) / STEP).collect();
        Ok(())
    }

    /// Moves the geometry to the particles and finds the contacts.
    fn detect(&mut self) -> Result<()> {
        let [thread, organ, needle] = self.ids;
        self.scene.set_positions(thread, &self.positions[..POINTS])?;
        self.scene.set_positions(organ, &self.positions[POINTS..])?;
        // The capsule's axis, local +y, points along world +x, its tail 0.6 mm ahead of the thread's surface.
        let middle = Translation3::from(self.positions[0].coords + Vector::x() * 7.8e-3);
        let rotation = UnitQuaternion::from_axis_angle(&Vector::z_axis(), -std::f64::consts::FRAC_PI_2);
        self.scene.set_pose(needle, Pose::from_parts(middle, rotation))?;
        self.scene.step()?;
        Ok(())
    }
}

fn main() -> Result<()> {
    let mut suture = Suture::new()?;
    (0..400).try_for_each(|_| suture.step())?;
    println!("{} contacts, the needle at {:.3}", suture.scene.all_contacts().count(), suture.positions[0]);
    Ok(())
}

#[cfg(test)]
#[path = "shared/suture_tests.rs"]
mod tests;
