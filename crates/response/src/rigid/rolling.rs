//! Rolling friction: a moment against the spin across the normal.

use super::body::{Mass, Velocity};
use super::rows::Rows;
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

impl Rows {
    /// One step of projected Gauss–Seidel of [rolling friction](crate::Material::rolling_friction): call it after the rows of an
    /// iteration. The moment is across the normal (what spins about it does not roll), and no greater than the coefficient times the
    /// normal impulse. Nothing without rows that have a coefficient.
    ///
    /// Source: J. Ai, J.-F. Chen, J. M. Rotter, J. Y. Ooi, "Assessment of
    /// rolling resistance models in discrete element simulations" (2011), section 2.1: a moment of constant size against the relative rotation.
    pub fn solve_rolling(&mut self, velocities: &mut [Velocity]) {
        for rolling in &mut self.rolling {
            let normal = &self.rows[rolling.row].along[0];
            let spin =
                |body: u32| if body == NONE { Vector::zeros() } else { velocities[body as usize].angular };
            let [a, b] = rolling.bodies;
            let rolls = direction::across(&(spin(a) - spin(b)), normal);
            let [of_a, of_b] = &rolling.inverse_inertias;
            let Some(inertia) = (of_a + of_b).try_inverse() else { continue };
            let wanted = direction::across(&(rolling.impulse - inertia * rolls), normal);
            let most = rolling.coefficient * self.solver_rows[rolling.row].impulses[0];
            let size = wanted.norm();
            let wanted = if size > most { wanted * (most / size) } else { wanted };
            let change = wanted - rolling.impulse;
            rolling.impulse = wanted;
            for (body, response) in [(a, of_a * change), (b, -(of_b * change))] {
                if body != NONE {
                    velocities[body as usize].angular += response;
                }
            }
        }
    }
}
