//! Rolling friction: a moment against the spin across the normal.

use super::body::{Mass, Velocity};
use nalgebra::Matrix3;
use palpate_contact::NONE;
use palpate_math::{Vector, direction};

/// The rolling friction of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rolling {
    pub(super) row: usize,
    pub(super) bodies: [u32; 2],
    /// Of both sides, with the scale of the material; zero of one that is not dynamic.
    pub(super) inverse_inertias: [Matrix3<f64>; 2],
    /// Metres.
    pub(super) coefficient: f64,
    /// Accumulated on A, newton metre seconds.
    pub(super) impulse: Vector,
}

impl Rolling {
    pub(super) fn new(
        row: usize,
        bodies: [u32; 2],
        masses: &[Mass],
        scales: [f64; 2],
        coefficient: f64,
    ) -> Self {
        let inertia = |side: usize| match bodies[side] {
            NONE => Matrix3::zeros(),
            body => masses[body as usize].inverse_inertia * scales[side],
        };
        let inverse_inertias = [inertia(0), inertia(1)];
        Self { row, bodies, inverse_inertias, coefficient, impulse: Vector::zeros() }
    }
}

impl Rolling {
    /// One step of projected Gauss–Seidel, across the normal, by no more than the normal impulse (newton seconds) allows.
    pub(super) fn solve(&mut self, normal: &Vector, normal_impulse: f64, velocities: &mut [Velocity]) {
        let spin = |body: u32| if body == NONE { Vector::zeros() } else { velocities[body as usize].angular };
        let [a, b] = self.bodies;
        let rolls = direction::across(&(spin(a) - spin(b)), normal);
        let [of_a, of_b] = &self.inverse_inertias;
        let Some(inertia) = (of_a + of_b).try_inverse() else { return };
        let wanted = direction::across(&(self.impulse - inertia * rolls), normal);
        let (size, most) = (wanted.norm(), self.coefficient * normal_impulse);
        let wanted = if size > most { wanted * (most / size) } else { wanted };
        let change = wanted - self.impulse;
        self.impulse = wanted;
        for (body, response) in [(a, of_a * change), (b, -(of_b * change))] {
            if body != NONE {
                velocities[body as usize].angular += response;
            }
        }
    }
}
