//! Positions, displacements and inverse masses of a row's two points.

use super::body::{Positions, RigidBody, Velocities};
use super::row::{Anchor, Entry, Row};
use palpate_math::{Point, Vector};

/// 1 for side A, -1 for side B.
const SIGNS: [f64; 2] = [1.0, -1.0];

impl Row {
    /// The point of A minus the point of B.
    #[inline]
    pub(super) fn between(&self, entries: &[Entry], positions: &Positions<'_>) -> Vector {
        let mut sum = Vector::zeros();
        for entry in entries {
            sum += positions.particles[entry.particle as usize].coords * entry.weight;
        }
        for (anchor, sign) in self.anchors.iter().zip(SIGNS) {
            match anchor {
                Anchor::Particles => {}
                Anchor::Rigid { body, local, .. } => {
                    sum += (positions.bodies[*body as usize].pose * local).coords * sign;
                }
                Anchor::Fixed { point, .. } => sum += point.coords * sign,
            }
        }
        sum
    }

    #[inline]
    pub(super) fn gap(&self, entries: &[Entry], positions: &Positions<'_>) -> f64 {
        self.direction.dot(&self.between(entries, positions)) - self.offset
    }

    /// The displacement of A's point relative to B's since the start of the step.
    #[inline]
    pub(super) fn moved(&self, entries: &[Entry], positions: &Positions<'_>, previous: &[Point]) -> Vector {
        let mut sum = Vector::zeros();
        for entry in entries {
            let k = entry.particle as usize;
            sum += (positions.particles[k] - previous[k]) * entry.weight;
        }
        for (anchor, sign) in self.anchors.iter().zip(SIGNS) {
            match anchor {
                Anchor::Particles => {}
                Anchor::Rigid { body, local, .. } => {
                    let RigidBody { pose, previous, .. } = &positions.bodies[*body as usize];
                    sum += (pose * local - previous * local) * sign;
                }
                Anchor::Fixed { displacement, .. } => sum += displacement * sign,
            }
        }
        sum
    }

    /// The velocity of A's point relative to B's.
    pub(super) fn velocity(
        &self,
        entries: &[Entry],
        velocities: &Velocities<'_>,
        bodies: &[RigidBody],
    ) -> Vector {
        let mut sum = Vector::zeros();
        for entry in entries {
            sum += velocities.particles[entry.particle as usize] * entry.weight;
        }
        for (anchor, sign) in self.anchors.iter().zip(SIGNS) {
            match anchor {
                Anchor::Particles => {}
                Anchor::Rigid { body, local, .. } => {
                    let [velocity, spin] = velocities.bodies[*body as usize];
                    let lever = bodies[*body as usize].pose.rotation * local.coords;
                    sum += (velocity + spin.cross(&lever)) * sign;
                }
                Anchor::Fixed { displacement, .. } => sum += displacement * (sign / self.step),
            }
        }
        sum
    }

    /// The inverse mass of the row along a unit direction: one per kilogram. `masses` gives that of a particle.
    #[inline]
    pub(super) fn inverse_mass(
        &self,
        entries: &[Entry],
        masses: &[f64],
        bodies: &[RigidBody],
        along: &Vector,
    ) -> f64 {
        let mut sum = 0.0;
        for entry in entries {
            sum += masses[entry.particle as usize] * entry.scale * entry.weight * entry.weight;
        }
        for (anchor, scale) in self.anchors.iter().zip(self.material.inverse_mass_scale) {
            if let Anchor::Rigid { body, local, .. } = anchor {
                let body = &bodies[*body as usize];
                sum += scale * body.generalized_inverse_mass(&(body.pose.rotation * local.coords), along);
            }
        }
        sum
    }

    /// What an impulse on A is multiplied by on either side: the sign, and the factor on the inverse mass.
    #[inline]
    pub(super) fn factors(&self) -> [f64; 2] {
        let [a, b] = self.material.inverse_mass_scale;
        [a, -b]
    }

    /// Whether a side is a rigid body: then the inverse mass depends on the direction.
    pub(super) fn is_rigid(&self) -> bool {
        self.anchors.iter().any(|anchor| matches!(anchor, Anchor::Rigid { .. }))
    }
}

impl Row {
    /// Where the row's entries are in the list of all.
    #[inline]
    pub(super) fn range(&self) -> std::ops::Range<usize> {
        let first = self.first_entry as usize;
        first..first + self.entry_count as usize
    }

    /// The rigid sides: body, lever arm, 1 for A and -1 for B.
    pub(super) fn levers<'a>(
        &'a self,
        bodies: &'a [RigidBody],
    ) -> impl Iterator<Item = (usize, Vector, f64)> + use<'a> {
        self.anchors.iter().zip(SIGNS).filter_map(|(anchor, sign)| match anchor {
            Anchor::Rigid { body, local, .. } => {
                let body = *body as usize;
                Some((body, bodies[body].pose.rotation * local.coords, sign))
            }
            _ => None,
        })
    }

    /// The gradient of the gap with respect to the centres of rigid sides and to rotations about them.
    pub(super) fn body_gradients<'a>(
        &'a self,
        bodies: &'a [RigidBody],
    ) -> impl Iterator<Item = (usize, [Vector; 2])> + use<'a> {
        self.levers(bodies).map(|(body, lever, sign)| {
            let linear = self.direction * sign;
            (body, [linear, lever.cross(&linear)])
        })
    }
}
