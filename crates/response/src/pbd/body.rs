//! What a side of a contact moves with, and the state that rows read and move.

use super::Mapping;
use crate::Motion;
use crate::rotation::{rotation, rotation_vector};
use nalgebra::Isometry3;
use palpate_math::{Point, Vector};

/// What a side of a pair moves with.
#[derive(Clone, Copy, Debug)]
pub enum Body<'a> {
    /// Vertex `v` of a mesh is particle `first + v`.
    Particles(usize),
    /// A shape without vertices that is carried by one particle.
    Particle(usize),
    /// Vertices are weighted sums of particles: an embedded surface.
    Mapped(&'a Mapping),
    /// A rigid body, by its index.
    Rigid(usize),
    /// A motion that contacts do not change. The geometry is where it is at the end of the step.
    Kinematic(Motion),
    /// At rest, and not moved by contacts.
    Static,
}

/// A rigid body of XPBD.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidBody {
    /// Transform from body to world. The origin of the body is its centre of mass, its axes are the principal ones.
    pub pose: Isometry3<f64>,
    /// The pose at the start of the step.
    pub previous: Isometry3<f64>,
    /// One per kilogram; 0 for an immovable body.
    pub inverse_mass: f64,
    /// One over the principal moments, along the body's axes.
    pub inverse_inertia: Vector,
}

impl RigidBody {
    /// A body at rest.
    pub const fn new(pose: Isometry3<f64>, inverse_mass: f64, inverse_inertia: Vector) -> Self {
        Self { pose, previous: pose, inverse_mass, inverse_inertia }
    }

    /// Begins a step of `step` seconds: keeps the pose as the previous one and moves on with a velocity and a spin (radians
    /// per second, world frame).
    pub fn predict(&mut self, velocity: &Vector, spin: &Vector, step: f64) {
        self.previous = self.pose;
        self.pose.translation.vector += velocity * step;
        self.turn(&(spin * step));
    }

    /// The velocity and the spin that led from the previous pose to this one in `step` seconds.
    pub fn velocities(&self, step: f64) -> [Vector; 2] {
        let moved = self.pose.translation.vector - self.previous.translation.vector;
        [moved / step, self.turned() / step]
    }

    /// The product of the inverse inertia in the world frame with a vector.
    pub fn turned_by(&self, moment: &Vector) -> Vector {
        let local = self.pose.rotation.inverse_transform_vector(moment);
        self.pose.rotation * local.component_mul(&self.inverse_inertia)
    }

    /// How readily a point with this lever arm moves along a unit direction: one per kilogram.
    pub fn generalized_inverse_mass(&self, lever: &Vector, direction: &Vector) -> f64 {
        let arm = lever.cross(direction);
        self.inverse_mass + arm.dot(&self.turned_by(&arm))
    }

    /// Applies a positional impulse (kilogram metres) at a lever arm from the centre of mass.
    pub fn push(&mut self, lever: &Vector, impulse: &Vector) {
        let turn = self.turned_by(&lever.cross(impulse));
        self.pose.translation.vector += impulse * self.inverse_mass;
        self.turn(&turn);
    }

    /// The rotation vector since the previous pose, radians.
    pub(super) fn turned(&self) -> Vector {
        rotation_vector(&(self.pose.rotation * self.previous.rotation.inverse()))
    }

    /// Applies a positional moment (kilogram square metres).
    pub(super) fn turn_by(&mut self, moment: &Vector) {
        let turn = self.turned_by(moment);
        self.turn(&turn);
    }

    fn turn(&mut self, turn: &Vector) {
        self.pose.rotation = rotation(turn) * self.pose.rotation;
    }
}

/// Positions in which contacts were found, or in which a gap is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Positions<'a> {
    /// All particles.
    pub particles: &'a [Point],
    /// All rigid bodies.
    pub bodies: &'a [RigidBody],
}

impl<'a> From<&'a [Point]> for Positions<'a> {
    fn from(particles: &'a [Point]) -> Self {
        Self { particles, bodies: &[] }
    }
}

impl<'a> From<&'a Vec<Point>> for Positions<'a> {
    fn from(particles: &'a Vec<Point>) -> Self {
        Self { particles, bodies: &[] }
    }
}

impl<'a> From<&'a [RigidBody]> for Positions<'a> {
    fn from(bodies: &'a [RigidBody]) -> Self {
        Self { particles: &[], bodies }
    }
}

/// What rows move: one array of particles and one of rigid bodies, whichever side of a contact they are on.
#[derive(Debug)]
pub struct State<'a> {
    /// The particles.
    pub particles: &'a mut [Point],
    /// The particles at the start of the step, for friction.
    pub previous: &'a [Point],
    /// One per kilogram; 0 for a particle that does not move.
    pub inverse_masses: &'a [f64],
    /// The rigid bodies.
    pub bodies: &'a mut [RigidBody],
}

impl State<'_> {
    /// The current positions.
    pub fn positions(&self) -> Positions<'_> {
        Positions { particles: self.particles, bodies: self.bodies }
    }
}

/// The velocities of particles and rigid bodies after the positions of a step are solved.
#[derive(Debug)]
pub struct Velocities<'a> {
    /// Of the particles, metres per second.
    pub particles: &'a mut [Vector],
    /// Of the rigid bodies: of the centre of mass, and the spin.
    pub bodies: &'a mut [[Vector; 2]],
}
