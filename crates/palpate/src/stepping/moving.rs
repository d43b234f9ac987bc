//! What moves: particles and rigid bodies.

use palpate_math::{Point, Vector};
use palpate_response::pbd::{Positions, RigidBody, State};

/// The particles and rigid bodies of a host, with their velocities. World frame; metres, seconds, radians.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moving {
    /// All particles.
    pub particles: Vec<Point>,
    /// Their velocities, as many.
    pub velocities: Vec<Vector>,
    /// All rigid bodies, tools among them.
    pub bodies: Vec<RigidBody>,
    /// Their velocities and spins, as many.
    pub body_velocities: Vec<[Vector; 2]>,
}

impl Moving {
    /// Particles at rest, without bodies.
    pub fn of_particles(particles: Vec<Point>) -> Self {
        let velocities = vec![Vector::zeros(); particles.len()];
        Self { particles, velocities, ..Self::default() }
    }

    /// Adds a body at rest. Returns its index.
    pub fn add_body(&mut self, body: RigidBody) -> usize {
        self.bodies.push(body);
        self.body_velocities.push([Vector::zeros(); 2]);
        self.bodies.len() - 1
    }

    /// Moves everything by its velocity; the poses of bodies become their previous ones.
    pub fn advance(&mut self, step: f64) {
        self.particles
            .iter_mut()
            .zip(&self.velocities)
            .for_each(|(place, velocity)| *place += velocity * step);
        for (body, [velocity, spin]) in self.bodies.iter_mut().zip(&self.body_velocities) {
            body.predict(velocity, spin, step);
        }
    }

    /// The velocities of what has an inverse mass, from the displacements since `previous` and from the bodies' previous
    /// poses; what has none keeps its own.
    pub fn take_velocities(&mut self, previous: &[Point], inverse_masses: &[f64], step: f64) {
        for (k, velocity) in self.velocities.iter_mut().enumerate().filter(|(k, _)| inverse_masses[*k] > 0.0)
        {
            *velocity = (self.particles[k] - previous[k]) / step;
        }
        for (body, velocities) in self.bodies.iter().zip(&mut self.body_velocities) {
            if body.inverse_mass > 0.0 {
                *velocities = body.velocities(step);
            }
        }
    }

    /// The positions that rows read.
    pub fn positions(&self) -> Positions<'_> {
        Positions { particles: &self.particles, bodies: &self.bodies }
    }

    /// What rows move; `previous` are the particles at the start of the substep, `inverse_masses` one per kilogram.
    pub fn state<'a>(&'a mut self, previous: &'a [Point], inverse_masses: &'a [f64]) -> State<'a> {
        State { particles: &mut self.particles, previous, inverse_masses, bodies: &mut self.bodies }
    }

    /// Copies another, without allocation once settled.
    pub(super) fn copy(&mut self, other: &Self) {
        self.particles.clone_from(&other.particles);
        self.velocities.clone_from(&other.velocities);
        self.bodies.clone_from(&other.bodies);
        self.body_velocities.clone_from(&other.body_velocities);
    }
}
