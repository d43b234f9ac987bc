//! Thirty rigid bodies fall on a triangle mesh: sequential impulses, warm started by contact key.
//!
//! Run it with `cargo run --release -p palpate --example rigid_bodies`.
#![allow(clippy::print_stdout)] // an example shows what it finds

use palpate::{nalgebra::UnitQuaternion, prelude::*};
use std::collections::HashMap;

#[path = "shared/shapes.rs"]
mod shapes;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
type Key = (PairId, ContactKey);

const STEP: f64 = 1.0 / 240.0; // seconds
const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.5;
const ITERATIONS: usize = 20;
const MARGIN: f64 = 2e-3; // metres: contacts are reported before bodies touch
const SLOP: f64 = 2e-4; // metres: deeper contacts are pushed apart

/// A rigid body with the inertia of a ball. The floor has inverse mass and inverse inertia 0.
struct Body {
    id: GeometryId,
    pose: Pose,
    velocity: Vector,
    spin: Vector,
    inverse_mass: f64,
    inverse_inertia: f64,
}

/// A contact row of bodies A and B: lever arms, direction, target velocity along it, accumulated impulse on A.
struct Row {
    key: Key,
    bodies: [usize; 2],
    levers: [Vector; 2],
    normal: Vector,
    target: f64,
    impulse: Vector,
}

struct World {
    scene: Scene,
    bodies: Vec<Body>,
    impulses: HashMap<Key, Vector>,
}

impl World {
    fn new() -> Result<Self> {
        let (mut scene, mut bodies) = (Scene::standard(), Vec::new());
        // The floor is closed: it is solid inside, and internal edges of its faces are ignored.
        let (vertices, triangles) = shapes::slab();
        let floor: Box<dyn Geometry> = Box::new(SurfaceMesh::new(vertices, triangles)?);
        let geometries = std::iter::once((floor, Pose::identity())).chain(shapes::pile(30)?);
        for (number, (geometry, pose)) in geometries.enumerate() {
            let id = scene.add_boxed(&format!("body {number}"), geometry, Groups::default())?;
            scene.set_user_data(id, number as u64)?;
            let inverse_mass = if number == 0 { 0.0 } else { 1.0 };
            let inverse_inertia = inverse_mass / (0.4 * 0.08 * 0.08);
            let (velocity, spin) = (Vector::zeros(), Vector::zeros());
            bodies.push(Body { id, pose, velocity, spin, inverse_mass, inverse_inertia });
        }
        scene.add_pairs_by_groups(PairOptions::default().with_margin(MARGIN))?;
        Ok(Self { scene, bodies, impulses: HashMap::new() })
    }

    fn step(&mut self) -> Result<()> {
        for body in &mut self.bodies[1..] {
            self.scene.set_pose(body.id, body.pose)?;
            body.velocity.y -= GRAVITY * STEP;
        }
        self.scene.step()?;
        let mut rows = self.rows()?;
        rows.iter().for_each(|row| self.apply(row, row.impulse));
        for _ in 0..ITERATIONS {
            rows.iter_mut().for_each(|row| self.solve(row));
        }
        self.impulses = rows.iter().map(|row| (row.key, row.impulse)).collect();
        for body in &mut self.bodies {
            body.pose.translation.vector += body.velocity * STEP;
            body.pose.rotation = UnitQuaternion::from_scaled_axis(body.spin * STEP) * body.pose.rotation;
        }
        Ok(())
    }

    fn rows(&self) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for pair in self.scene.pairs_in_contact() {
            let bodies = [self.scene.user_data(pair.a())? as usize, self.scene.user_data(pair.b())? as usize];
            let centers = bodies.map(|number| Point::from(self.bodies[number].pose.translation.vector));
            for contact in &pair.contacts().contacts {
                let key = (pair.id(), contact.key());
                let levers = [contact.a.surface_point() - centers[0], contact.b.surface_point() - centers[1]];
                // A gap may close within the step; a fifth of the penetration beyond the slop is corrected per step.
                let wanted = contact.depth.min(0.0) + 0.2 * (contact.depth - SLOP).max(0.0);
                let impulse = self.impulses.get(&key).copied().unwrap_or_default();
                let (normal, target) = (contact.direction_of(Side::A), wanted / STEP);
                rows.push(Row { key, bodies, levers, normal, target, impulse });
            }
        }
        Ok(rows)
    }

    /// Applies the impulse that reaches the target velocity along the normal, and friction within its cone.
    fn solve(&mut self, row: &mut Row) {
        let [a, b] = row.bodies.map(|number| &self.bodies[number]);
        let velocity = a.velocity + a.spin.cross(&row.levers[0]) - b.velocity - b.spin.cross(&row.levers[1]);
        let mass = |along: Vector| {
            let turned = row.levers.map(|lever| lever.cross(&along).norm_squared());
            let masses = a.inverse_mass + b.inverse_mass;
            1.0 / (masses + a.inverse_inertia * turned[0] + b.inverse_inertia * turned[1])
        };
        let (speed, pressed) = (velocity.dot(&row.normal), row.impulse.dot(&row.normal));
        let slip = velocity - row.normal * speed;
        let held =
            row.impulse - row.normal * pressed - slip * mass(slip.try_normalize(0.0).unwrap_or_default());
        let pressed = (pressed + (row.target - speed) * mass(row.normal)).max(0.0);
        let impulse = row.normal * pressed + held.cap_magnitude(FRICTION * pressed);
        self.apply(row, impulse - row.impulse);
        row.impulse = impulse;
    }

    fn apply(&mut self, row: &Row, impulse: Vector) {
        for (side, impulse) in [impulse, -impulse].into_iter().enumerate() {
            let body = &mut self.bodies[row.bodies[side]];
            body.velocity += impulse * body.inverse_mass;
            body.spin += row.levers[side].cross(&impulse) * body.inverse_inertia;
        }
    }

    /// Kinetic and potential, in joules.
    fn energy(&self) -> f64 {
        let moving =
            |body: &Body| body.velocity.norm_squared() + body.spin.norm_squared() / body.inverse_inertia;
        self.bodies[1..].iter().map(|body| 0.5 * moving(body) + GRAVITY * body.pose.translation.y).sum()
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
