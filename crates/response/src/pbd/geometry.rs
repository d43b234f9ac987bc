//! Positions, displacements and inverse masses of a row's two points.

use super::body::{Positions, RigidBody, Velocities};
use super::row::{Anchor, Parts, Row};
use palpate_math::{Point, Vector};

/// 1 for side A, -1 for side B.
const SIGNS: [f64; 2] = [1.0, -1.0];

impl Row {
    /// The point of A minus the point of B.
    #[inline]
    pub(super) fn between(&self, parts: &Parts<'_>, positions: &Positions<'_>) -> Vector {
        let mut sum = Vector::zeros();
        for entry in parts.entries {
            sum += positions.particles[entry.particle as usize].coords * entry.weight;
        }
        for anchor in parts.anchors {
            match anchor {
                Anchor::Rigid { side, body, local, .. } => {
                    sum += (positions.bodies[*body as usize].pose * local).coords * SIGNS[*side];
                }
                Anchor::Fixed { side, point, .. } => sum += point.coords * SIGNS[*side],
            }
        }
        sum
    }

    #[inline]
    pub(super) fn gap(&self, parts: &Parts<'_>, positions: &Positions<'_>) -> f64 {
        self.direction.dot(&self.between(parts, positions)) - self.offset
    }

    /// The displacement of A's point relative to B's since the start of the step.
    #[inline]
    pub(super) fn moved(&self, parts: &Parts<'_>, positions: &Positions<'_>, previous: &[Point]) -> Vector {
        let mut sum = Vector::zeros();
        for entry in parts.entries {
            let k = entry.particle as usize;
            sum += (positions.particles[k] - previous[k]) * entry.weight;
        }
        for anchor in parts.anchors {
            match anchor {
                Anchor::Rigid { side, body, local, .. } => {
                    let RigidBody { pose, previous, .. } = &positions.bodies[*body as usize];
                    sum += (pose * local - previous * local) * SIGNS[*side];
                }
                Anchor::Fixed { side, displacement, .. } => sum += displacement * SIGNS[*side],
            }
        }
        sum
    }

    /// The velocity of A's point relative to B's.
    pub(super) fn velocity(
        &self,
        parts: &Parts<'_>,
        velocities: &Velocities<'_>,
        bodies: &[RigidBody],
    ) -> Vector {
        let mut sum = Vector::zeros();
        for entry in parts.entries {
            sum += velocities.particles[entry.particle as usize] * entry.weight;
        }
        for anchor in parts.anchors {
            match anchor {
                Anchor::Rigid { side, body, local, .. } => {
                    let [velocity, spin] = velocities.bodies[*body as usize];
                    let lever = bodies[*body as usize].pose.rotation * local.coords;
                    sum += (velocity + spin.cross(&lever)) * SIGNS[*side];
                }
                Anchor::Fixed { side, displacement, .. } => {
                    sum += displacement * (SIGNS[*side] / parts.terms.step);
                }
            }
        }
        sum
    }

    /// The inverse mass of the row along a unit direction: one per kilogram. `masses` gives that of a particle.
    #[inline]
    pub(super) fn inverse_mass(
        &self,
        parts: &Parts<'_>,
        masses: &[f64],
        bodies: &[RigidBody],
        along: &Vector,
    ) -> f64 {
        let mut sum = 0.0;
        for entry in parts.entries {
            sum += masses[entry.particle as usize] * entry.scale * entry.weight * entry.weight;
        }
        for (side, body, local) in parts.rigid_sides() {
            let body = &bodies[body];
            let scale = parts.terms.material.inverse_mass_scale[side];
            sum += scale * body.generalized_inverse_mass(&(body.pose.rotation * local.coords), along);
        }
        sum
    }
}

impl<'a> Parts<'a> {
    /// The rigid sides: 0 for A and 1 for B, body, point in the body's frame.
    #[inline]
    fn rigid_sides(&self) -> impl Iterator<Item = (usize, usize, &'a Point)> + use<'a> {
        self.anchors.iter().filter_map(|anchor| match anchor {
            Anchor::Rigid { side, body, local, .. } => Some((*side, *body as usize, local)),
            Anchor::Fixed { .. } => None,
        })
    }

    /// The rigid sides with what an impulse on A is multiplied by there: the sign and the factor on the inverse mass.
    #[inline]
    pub(super) fn rigid_factors(&self) -> impl Iterator<Item = (f64, usize, &'a Point)> + use<'a> {
        let [a, b] = self.terms.material.inverse_mass_scale;
        let factors = [a, -b];
        self.rigid_sides().map(move |(side, body, local)| (factors[side], body, local))
    }

    /// Whether a side is a rigid body: then the inverse mass depends on the direction.
    #[inline]
    pub(super) fn has_rigid_side(&self) -> bool {
        self.rigid_sides().next().is_some()
    }

    /// The rigid sides: body, lever arm, 1 for A and -1 for B.
    pub(super) fn levers(
        &self,
        bodies: &'a [RigidBody],
    ) -> impl Iterator<Item = (usize, Vector, f64)> + use<'a> {
        self.rigid_sides()
            .map(|(side, body, local)| (body, bodies[body].pose.rotation * local.coords, SIGNS[side]))
    }

    /// The gradient of the gap with respect to the centres of rigid sides and to rotations about them.
    pub(super) fn body_gradients(
        &self,
        direction: Vector,
        bodies: &'a [RigidBody],
    ) -> impl Iterator<Item = (usize, [Vector; 2])> + use<'a> {
        self.levers(bodies).map(move |(body, lever, sign)| {
            let linear = direction * sign;
            (body, [linear, lever.cross(&linear)])
        })
    }
}

impl Row {
    /// Where the row's entries are in the list of all.
    #[inline]
    pub(super) fn entry_range(&self) -> std::ops::Range<usize> {
        let first = self.first_entry as usize;
        first..first + usize::from(self.entry_count)
    }

    /// Where the row's links are in the list of all.
    #[inline]
    pub(super) fn link_range(&self) -> std::ops::Range<usize> {
        let first = self.first_link as usize;
        first..first + usize::from(self.link_count)
    }
}
