//! Thirty rigid bodies fall on a triangle mesh: sequential impulses, warm started by contact key.
//!
//! Run it with `cargo run --release -p palpate --example rigid_bodies`.
#![allow(clippy::print_stdout)] // an example shows what it finds

use palpate::nalgebra::UnitQuaternion;
use palpate::prelude::*;
use palpate::response::{Material, rigid};

#[path = "shared/shapes.rs"]
mod shapes;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const STEP: f64 = 1.0 / 240.0; // seconds
const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.5;
const ITERATIONS: usize = 20;
const MARGIN: f64 = 2e-3; // metres: contacts are reported before bodies touch
const SLOP: f64 = 2e-4; // metres: deeper contacts are pushed apart
const INERTIA: f64 = 0.4 * 0.08 * 0.08; // kilogram square metres

/// A rigid body of one kilogram with the inertia of a ball.
struct Body {
    id: GeometryId,
    pose: Pose,
}

struct World {
    scene: Scene,
    bodies: Vec<Body>,
    velocities: Vec<rigid::Velocity>,
    rows: rigid::Rows,
}

impl World {
    fn new() -> Result<Self> {
        let (mut scene, mut bodies) = (Scene::standard(), Vec::new());
        // The floor is closed: it is solid inside, and internal edges of its faces are ignored.
        let (vertices, triangles) = shapes::slab();
        let floor: Box<dyn Geometry> = Box::new(SurfaceMesh::new(vertices, triangles)?);
        scene.add_boxed("body 0", floor, Groups::default())?;
        for (number, (geometry, pose)) in (1..).zip(shapes::pile(30)?) {
            let id = scene.add_boxed(&format!("body {number}"), geometry, Groups::default())?;
            bodies.push(Body { id, pose });
        }
        scene.add_pairs_by_groups(PairOptions::default().with_margin(MARGIN))?;
        let velocities = vec![rigid::Velocity::default(); bodies.len()];
        let settings = rigid::Settings { slop: SLOP, ..rigid::Settings::new(STEP) };
        Ok(Self { scene, bodies, velocities, rows: rigid::Rows::new(settings) })
    }

    fn step(&mut self) -> Result<()> {
        let mut masses = Vec::new();
        for (body, velocity) in self.bodies.iter().zip(&mut self.velocities) {
            self.scene.set_pose(body.id, body.pose)?;
            masses.push(rigid::Mass::new(&body.pose, 1.0, &Vector::repeat(1.0 / INERTIA)));
            velocity.linear.y -= GRAVITY * STEP;
        }
        self.scene.step()?;
        // The floor is geometry 0, the bodies follow.
        let body =
            |id: GeometryId| id.index().checked_sub(1).map_or(rigid::Body::Static, rigid::Body::Dynamic);
        let pairs = self.scene.pairs_in_contact();
        self.rows.gather(pairs, &masses, &self.velocities, body, |_| Material::with_friction(FRICTION))?;
        self.rows.warm_start(&mut self.velocities, 1.0);
        for _ in 0..ITERATIONS {
            self.rows.iter_mut().for_each(|row| row.solve(&mut self.velocities));
        }
        for (body, velocity) in self.bodies.iter_mut().zip(&self.velocities) {
            body.pose.translation.vector += velocity.linear * STEP;
            body.pose.rotation =
                UnitQuaternion::from_scaled_axis(velocity.angular * STEP) * body.pose.rotation;
        }
        Ok(())
    }

    /// Kinetic and potential, in joules.
    fn energy(&self) -> f64 {
        let moving = |v: &rigid::Velocity| v.linear.norm_squared() + v.angular.norm_squared() * INERTIA;
        let all = self.bodies.iter().zip(&self.velocities);
        all.map(|(body, velocity)| 0.5 * moving(velocity) + GRAVITY * body.pose.translation.y).sum()
    }
}

fn main() -> Result<()> {
    let mut world = World::new()?;
    for _ in 0..8 {
        (0..60).try_for_each(|_| world.step())?;
        println!("{} contacts, {:.1} J", world.scene.all_contacts().count(), world.energy());
    }
    Ok(())
}

#[cfg(test)]
#[path = "shared/rigid_bodies_tests.rs"]
mod tests;
