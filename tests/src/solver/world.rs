//! Bodies, the pairs of them, and a step of time.

use super::RigidBody;
use super::constraint::Constraint;
use palpate_contact::{CollisionData, Contact};
use palpate_detect::{Bound, Choice, Context, Registry};
use palpate_geometry::Geometry;
use palpate_math::Vector;
use serde_json::Value;
use std::collections::HashMap;

/// What a world is stepped with.
#[derive(Clone, Copy, Debug)]
pub struct WorldSettings {
    /// Seconds.
    pub step: f64,
    /// Metres per second squared, along -y.
    pub gravity: f64,
    /// The coefficient of Coulomb.
    pub friction: f64,
    /// Turns of the iteration.
    pub iterations: usize,
    /// Metres: contacts nearer than this are answered.
    pub margin: f64,
    /// Metres that may stay.
    pub slop: f64,
    /// The part of the excess depth that is pushed out in a step.
    pub push: f64,
}

impl Default for WorldSettings {
    fn default() -> Self {
        Self {
            step: 1.0 / 240.0,
            gravity: 9.81,
            friction: 0.5,
            iterations: 30,
            margin: 2e-3,
            slop: 1e-4,
            push: 0.2,
        }
    }
}

/// The pair, the id of a contact and the numbers of both children.
pub type Key = (usize, u64, u32, u32);

/// What came of a step.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// The keys of all contacts.
    pub keys: Vec<Key>,
    /// Joule.
    pub kinetic_energy: f64,
    /// How far the direction of a contact with the first body is from ±y at most, as the sine of their angle.
    pub tilt: f64,
    /// How many contacts had been there in the step before, by their keys.
    pub kept: usize,
}

struct Pair {
    bodies: [usize; 2],
    bound: Bound,
    out: CollisionData,
}

/// Bodies on a floor.
pub struct World {
    /// The first is the floor.
    pub bodies: Vec<RigidBody>,
    geometries: Vec<Box<dyn Geometry>>,
    pairs: Vec<Pair>,
    settings: WorldSettings,
    warm: HashMap<Key, Vector>,
}

impl World {
    /// Binds every two of the bodies. `floor_settings` are those of the detectors between the floor, which comes first, and the
    /// others.
    pub fn new(
        registry: &Registry,
        bodies: Vec<RigidBody>,
        floor_settings: Option<&Value>,
        settings: WorldSettings,
    ) -> Result<Self, String> {
        let geometries: Vec<_> = bodies.iter().map(|body| body.placed().prepared()).collect();
        let mut pairs = Vec::new();
        for i in 0..bodies.len() {
            for j in i + 1..bodies.len() {
                let settings = floor_settings.filter(|_| i == 0);
                let choice = Choice { settings, ..Choice::default() };
                let bound = registry.bind(geometries[i].as_ref(), geometries[j].as_ref(), choice);
                let bound = bound.map_err(|error| error.to_string())?;
                pairs.push(Pair { bodies: [i, j], bound, out: CollisionData::new() });
            }
        }
        Ok(Self { bodies, geometries, pairs, settings, warm: HashMap::new() })
    }

    /// One step of time.
    pub fn step(&mut self) -> Result<StepReport, String> {
        self.detect()?;
        let WorldSettings { step, gravity, friction, iterations, .. } = self.settings;
        for body in self.bodies.iter_mut().filter(|body| body.inverse_mass > 0.0) {
            body.velocity.y -= gravity * step;
        }
        let (mut report, mut constraints) = self.constraints();
        for constraint in &constraints {
            constraint.apply(&mut self.bodies, &constraint.impulse());
        }
        for _ in 0..iterations {
            for constraint in &mut constraints {
                constraint.solve(&mut self.bodies, friction);
            }
        }
        self.warm.clear();
        let impulses =
            report.keys.iter().zip(&constraints).map(|(key, constraint)| (*key, constraint.impulse()));
        self.warm.extend(impulses);
        self.bodies.iter_mut().for_each(|body| body.advance(step));
        report.kinetic_energy = self.bodies.iter().map(RigidBody::kinetic_energy).sum();
        Ok(report)
    }

    fn detect(&mut self) -> Result<(), String> {
        for (body, geometry) in self.bodies.iter().zip(&mut self.geometries) {
            if body.inverse_mass > 0.0 {
                body.placed().place(geometry.as_mut());
            }
        }
        let context = Context::new().with_margin(self.settings.margin);
        for Pair { bodies: [i, j], bound, out } in &mut self.pairs {
            out.clear();
            let between = self.bodies[*i].pose.translation.vector - self.bodies[*j].pose.translation.vector;
            let reach = self.bodies[*i].reach + self.bodies[*j].reach + self.settings.margin;
            if between.norm() > reach {
                bound.reset();
                continue;
            }
            let [a, b] = [*i, *j].map(|index| self.geometries[index].as_ref());
            bound.run(a, b, &context, out).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn constraints(&self) -> (StepReport, Vec<Constraint>) {
        let (mut report, mut constraints) = (StepReport::default(), Vec::new());
        for (number, pair) in self.pairs.iter().enumerate() {
            let bodies = pair.bodies.map(|index| &self.bodies[index]);
            for contact in &pair.out.contacts {
                let key = (number, contact.id, contact.a.child, contact.b.child);
                let warm = self.warm.get(&key).copied();
                report.kept += usize::from(warm.is_some());
                report.keys.push(key);
                if pair.bodies[0] == 0 {
                    let [x, _, z] = contact.direction;
                    report.tilt = report.tilt.max(x.hypot(z));
                }
                constraints.push(Constraint::new(pair.bodies, bodies, contact, self.target(contact), warm));
            }
        }
        (report, constraints)
    }

    /// The velocity along its direction that a contact asks for: no less than closes its gap within the step, and out of what
    /// is too deep.
    fn target(&self, contact: &Contact) -> f64 {
        let WorldSettings { step, slop, push, .. } = self.settings;
        if contact.depth <= 0.0 {
            contact.depth / step
        } else {
            push * (contact.depth - slop).max(0.0) / step
        }
    }
}
