//! Response without a solver: contacts pushed apart, and penalty forces.
//!
//! Both work on the rows of [`pbd`](crate::pbd), so that particles, embedded surfaces, rigid bodies and prescribed motions
//! are all served.
//!
//! Sources: M. Müller, B. Heidelberger, M. Hennix, J. Ratcliff, "Position based dynamics" (2007), for one projection; M.
//! Macklin, M. Müller, N. Chentanez, T.-Y. Kim, "Unified particle physics for real-time applications" (2014), section
//! 4.2, for averaging; K. H. Hunt, F. R. E. Crossley, "Coefficient of restitution interpreted as damping in vibroimpact"
//! (1975), for why a contact force that damps must not pull.

use crate::pbd::{RowMut, RowRef, Rows, State, Velocities};
use palpate_math::Vector;

/// Pushes every contact apart at once, one after the other, with friction: one pass of [`RowMut::project_in`]. Later rows
/// have the last word.
pub fn apart(rows: &mut Rows, state: &mut State<'_>) {
    rows.iter_mut().for_each(|row: RowMut<'_>| row.project_in(state));
}

/// Corrections of all contacts at the same positions, averaged per particle: the result does not depend on the order of
/// the rows, and contacts that agree are not counted twice.
#[derive(Clone, Debug, Default)]
pub struct Averaged {
    /// The sum of corrections of a particle, and their number.
    sums: Vec<(Vector, u32)>,
}

impl Averaged {
    /// Moves every particle by `relaxation` times the mean of the corrections that its rows want; 1 is the plain mean. Rows
    /// with a gap want nothing, and neither do rigid bodies: push those [`apart`]. Momentum is conserved only where every particle
    /// has one row.
    pub fn push(&mut self, rows: &Rows, state: &mut State<'_>, relaxation: f64) {
        self.sums.clear();
        self.sums.resize(state.particles.len(), (Vector::zeros(), 0));
        for row in rows {
            let gap = row.gap(state.positions());
            let mass = row.inverse_mass(state.inverse_masses, state.bodies);
            if gap >= 0.0 || mass <= 0.0 {
                continue;
            }
            for entry in row.entries() {
                let k = entry.particle as usize;
                let moved = -gap / mass * entry.weight * entry.scale * state.inverse_masses[k];
                if moved != 0.0 {
                    self.sums[k].0 += row.direction() * moved;
                    self.sums[k].1 += 1;
                }
            }
        }
        for (particle, (sum, count)) in state.particles.iter_mut().zip(&self.sums) {
            if *count > 0 {
                *particle += sum * (relaxation / f64::from(*count));
            }
        }
    }
}

/// Stiffness, damping and friction of a penalty force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// Newtons per metre of penetration.
    pub stiffness: f64,
    /// Newton seconds per metre of approach.
    pub damping: f64,
    /// Newton seconds per metre of slip: friction is viscous up to Coulomb's bound, of the material's coefficient.
    pub viscosity: f64,
}

impl Penalty {
    /// The force on side A in newtons: 0 while there is a gap, and never a pull.
    pub fn force(&self, row: &RowRef<'_>, state: &State<'_>, velocities: &Velocities<'_>) -> Vector {
        let gap = row.gap(state.positions());
        if gap >= 0.0 {
            return Vector::zeros();
        }
        let velocity = row.velocity(velocities, state.bodies);
        let normal = row.direction();
        let speed = velocity.dot(&normal);
        let pressed = (-self.stiffness * gap - self.damping * speed).max(0.0);
        let dragged = (velocity - normal * speed) * -self.viscosity;
        normal * pressed + dragged.cap_magnitude(row.material().friction * pressed)
    }

    /// Adds the forces of all rows: `forces` of the particles in newtons, `wrenches` of the rigid bodies as force and torque
    /// about the centre of mass.
    pub fn add_forces(
        &self,
        rows: &Rows,
        state: &State<'_>,
        velocities: &Velocities<'_>,
        forces: &mut [Vector],
        wrenches: &mut [[Vector; 2]],
    ) {
        for row in rows {
            let force = self.force(&row, state, velocities);
            if force == Vector::zeros() {
                continue;
            }
            for entry in row.entries() {
                forces[entry.particle as usize] += force * entry.weight;
            }
            for (body, lever, sign) in row.levers(state.bodies) {
                wrenches[body][0] += force * sign;
                wrenches[body][1] += lever.cross(&force) * sign;
            }
        }
    }
}
