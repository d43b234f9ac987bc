//! Bodies, their pairs, and the time step.

use super::RigidBody;
use palpate_contact::{CollisionData, ContactsOfPair};
use palpate_detect::{Bound, Choice, Context, Registry};
use palpate_geometry::Geometry;
use palpate_response::rigid::{Mass, Rows, Settings, Velocity};
use palpate_response::{Material, rigid};
use serde_json::Value;

/// Settings of the time step.
#[derive(Clone, Copy, Debug)]
pub struct WorldSettings {
    /// Seconds.
    pub step: f64,
    /// Metres per second squared, along -y.
    pub gravity: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Metres per newton, of every contact.
    pub compliance: f64,
    /// Most solver iterations of a step.
    pub iterations: usize,
    /// Metres per second: the iterations stop at one that changes the velocity of no body, and of no point of one, by
    /// more. Zero for all iterations.
    pub tolerance: f64,
    /// Metres: contacts closer than this are reported.
    pub margin: f64,
    /// Metres of penetration that are allowed.
    pub slop: f64,
    /// The fraction of the excess depth that is corrected in a step.
    pub push: f64,
    /// The fraction of the impulses of the previous step that a step begins with.
    pub warm: f64,
}

impl Default for WorldSettings {
    fn default() -> Self {
        Self {
            step: 1.0 / 240.0,
            gravity: 9.81,
            friction: 0.5,
            compliance: 0.0,
            iterations: 30,
            tolerance: 0.0,
            margin: 2e-3,
            slop: 1e-4,
            push: 0.2,
            warm: 1.0,
        }
    }
}

/// The pair, the contact id and the numbers of both children.
pub type Key = (usize, u64, u32, u32);

/// The outcome of a step.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// The keys of all contacts.
    pub keys: Vec<Key>,
    /// In joules.
    pub kinetic_energy: f64,
    /// The largest angle between ±y and the direction of a contact with the first body, as a sine.
    pub tilt: f64,
    /// Number of contacts whose keys existed in the previous step.
    pub kept: usize,
    /// The deepest overlap of a contact when it was found, metres; 0 without.
    pub overlap: f64,
    /// The force of all contacts with the first body after the solve, along y on the others; newtons.
    pub support: f64,
    /// The largest change of a velocity in each iteration, metres per second.
    pub changes: Vec<f64>,
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
    rows: Rows,
}

impl World {
    /// Binds all pairs of bodies. `floor_settings` are those of the detectors between the floor, which is the first
    /// body, and the others.
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
                let choice = Choice {
                    detector: None,
                    settings: floor_settings.filter(|_| i == 0),
                    ..Choice::default()
                };
                let bound = registry.bind(geometries[i].as_ref(), geometries[j].as_ref(), choice);
                let bound = bound.map_err(|error| error.to_string())?;
                pairs.push(Pair { bodies: [i, j], bound, out: CollisionData::new() });
            }
        }
        let WorldSettings { step, slop, push, .. } = settings;
        let rows = Rows::new(Settings { slop, push_rate: push, ..Settings::new(step) });
        Ok(Self { bodies, geometries, pairs, settings, rows })
    }

    /// One step of time.
    pub fn step(&mut self) -> Result<StepReport, String> {
        self.detect()?;
        let WorldSettings { step, gravity, iterations, .. } = self.settings;
        for body in self.bodies.iter_mut().filter(|body| body.inverse_mass > 0.0) {
            body.velocity.y -= gravity * step;
        }
        let mut velocities = self.gather()?;
        let mut report = self.report();
        self.rows.warm_start(&mut velocities, self.settings.warm);
        for _ in 0..iterations {
            let before = velocities.clone();
            self.rows.iter_mut().for_each(|row| row.solve(&mut velocities));
            let change = |(now, before): (&Velocity, &Velocity)| (now.linear - before.linear).amax();
            report.changes.push(velocities.iter().zip(&before).map(change).fold(0.0, f64::max));
            let moved = self.largest_change(&velocities, &before);
            if moved < self.settings.tolerance {
                break;
            }
        }
        report.support = self.support();
        for (body, velocity) in self.bodies.iter_mut().zip(&velocities) {
            (body.velocity, body.spin) = (velocity.linear, velocity.angular);
        }
        self.bodies.iter_mut().for_each(|body| body.advance(step));
        report.kinetic_energy = self.bodies.iter().map(RigidBody::kinetic_energy).sum();
        Ok(report)
    }

    /// Returns the largest change of the velocity of a point of a body.
    fn largest_change(&self, now: &[Velocity], before: &[Velocity]) -> f64 {
        let changes =
            self.bodies.iter().zip(now.iter().zip(before)).filter(|(body, _)| body.inverse_mass > 0.0);
        let of_points = changes.map(|(body, (now, before))| {
            (now.linear - before.linear).norm() + (now.angular - before.angular).norm() * body.reach
        });
        of_points.fold(0.0, f64::max)
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

    /// Gathers the rows; returns the velocities before the solve.
    fn gather(&mut self) -> Result<Vec<Velocity>, String> {
        let bodies = &self.bodies;
        let masses: Vec<Mass> = bodies.iter().map(RigidBody::mass).collect();
        let velocities: Vec<Velocity> =
            bodies.iter().map(|body| Velocity { linear: body.velocity, angular: body.spin }).collect();
        let pairs = (0..).zip(&self.pairs).map(|(number, pair)| ContactsOfPair {
            number,
            geometries: pair.bodies,
            contacts: &pair.out.contacts,
        });
        let body = |index: usize| match bodies[index].inverse_mass > 0.0 {
            true => rigid::Body::Dynamic(index),
            false => rigid::Body::Static,
        };
        let WorldSettings { friction, compliance, .. } = self.settings;
        let material = Material { compliance, ..Material::with_friction(friction) };
        let gathered = self.rows.gather(pairs, &masses, &velocities, body, |_| material);
        gathered.map_err(|error| error.to_string())?;
        Ok(velocities)
    }

    /// The force of the first body on the others along y, by the impulses of the step.
    fn support(&self) -> f64 {
        let of_floor = self.rows.iter().filter(|row| self.pairs[row.key().pair as usize].bodies[0] == 0);
        // The first body is side A.
        of_floor.map(|row| -row.impulse().y).sum::<f64>() / self.settings.step
    }

    fn report(&self) -> StepReport {
        let mut report = StepReport::default();
        for row in &self.rows {
            let key = row.key();
            let [a, b] = key.contact.children;
            report.keys.push((key.pair as usize, key.contact.id, a, b));
            report.kept += usize::from(row.is_known());
            report.overlap = report.overlap.max(-row.gap());
            if self.pairs[key.pair as usize].bodies[0] == 0 {
                let direction = row.direction();
                report.tilt = report.tilt.max(direction.x.hypot(direction.z));
            }
        }
        report
    }
}
