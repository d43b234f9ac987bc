//! Projection of a row: the gap, friction, rebound.

use super::body::{Positions, RigidBody, State, Velocities};
use super::row::{Parts, Row};
use nalgebra::Matrix3;
use palpate_math::{Point, Vector, direction};

#[inline]
fn length([first, second]: [f64; 2]) -> f64 {
    (first * first + second * second).sqrt()
}

impl Row {
    /// Moves both sides by a positional impulse on A, and its negative on B.
    #[inline]
    pub(super) fn push(
        &self,
        parts: &Parts<'_>,
        particles: &mut [Point],
        masses: &[f64],
        bodies: &mut [RigidBody],
        impulse: &Vector,
    ) {
        for entry in parts.entries {
            let k = entry.particle as usize;
            particles[k] += impulse * (entry.weight * entry.scale * masses[k]);
        }
        for (factor, body, local) in parts.rigid_factors() {
            let body = &mut bodies[body];
            let lever = body.pose.rotation * local.coords;
            body.push(&lever, &(impulse * factor));
        }
    }

    /// One projection: the gap, then friction within what the gap's multiplier allows.
    #[inline]
    pub(super) fn project(&mut self, parts: &Parts<'_>, state: &mut State<'_>) {
        self.measure_approach(parts, state);
        let gap = self.gap(parts, &state.positions());
        let has_acted = self.multipliers != [0.0; 3];
        if gap >= 0.0 && !has_acted {
            return;
        }
        let mass = self.inverse_mass(parts, state.inverse_masses, state.bodies, &self.direction);
        if mass <= 0.0 {
            return;
        }
        let change = -(gap + parts.terms.softness * self.multipliers[0]) / (mass + parts.terms.softness);
        let wanted = (self.multipliers[0] + change).max(0.0);
        let impulse = self.direction * (wanted - self.multipliers[0]);
        self.multipliers[0] = wanted;
        self.push(parts, state.particles, state.inverse_masses, state.bodies, &impulse);
        if parts.terms.material.friction > 0.0 || parts.terms.material.static_friction > 0.0 {
            self.project_friction(parts, state, mass);
        }
    }

    /// Static friction cancels the slip of the step; beyond its cone the impulse is that of dynamic friction.
    fn project_friction(&mut self, parts: &Parts<'_>, state: &mut State<'_>, mass: f64) {
        let moved = self.moved(parts, &state.positions(), state.previous);
        let slip = self.tangents.map(|tangent| moved.dot(&tangent));
        let size = length(slip);
        let present = [self.multipliers[1], self.multipliers[2]];
        let mut wanted = present;
        if size > 0.0 {
            let along = (self.tangents[0] * slip[0] + self.tangents[1] * slip[1]) / size;
            let mass = match parts.has_rigid_side() {
                true => self.inverse_mass(parts, state.inverse_masses, state.bodies, &along),
                false => mass,
            };
            wanted = [0, 1].map(|k| present[k] - slip[k] / mass);
        }
        let size = length(wanted);
        let (dynamic, normal) = (parts.terms.material.friction, self.multipliers[0]);
        if size > parts.terms.material.static_friction.max(dynamic) * normal {
            wanted = wanted.map(|multiplier| multiplier * (dynamic * normal / size));
        }
        let impulse =
            self.tangents[0] * (wanted[0] - present[0]) + self.tangents[1] * (wanted[1] - present[1]);
        (self.multipliers[1], self.multipliers[2]) = (wanted[0], wanted[1]);
        self.push(parts, state.particles, state.inverse_masses, state.bodies, &impulse);
    }

    fn measure_approach(&mut self, parts: &Parts<'_>, state: &State<'_>) {
        if self.approach.is_nan() {
            let moved = self.moved(parts, &state.positions(), state.previous);
            self.approach = -moved.dot(&self.direction) / parts.terms.step;
        }
    }

    /// Begins with the multipliers of the previous step, times `factor`.
    pub(super) fn warm_start(&mut self, parts: &Parts<'_>, state: &mut State<'_>, factor: f64) {
        self.measure_approach(parts, state);
        self.multipliers = self.multipliers.map(|multiplier| multiplier * factor);
        let [normal, first, second] = self.multipliers;
        let impulse = self.direction * normal + self.tangents[0] * first + self.tangents[1] * second;
        self.push(parts, state.particles, state.inverse_masses, state.bodies, &impulse);
    }

    /// A moment across the direction against the rotation of the step, A relative to B.
    pub(super) fn resist_rolling(&self, parts: &Parts<'_>, bodies: &mut [RigidBody]) {
        let most = parts.terms.material.rolling_friction * self.multipliers[0];
        if most <= 0.0 {
            return;
        }
        let (mut turned, mut inverse) = (Vector::zeros(), Matrix3::zeros());
        for (factor, body, _) in parts.rigid_factors() {
            let body = &bodies[body];
            turned += body.turned() * factor.signum();
            let axes = body.pose.rotation.to_rotation_matrix();
            let scaled = axes.matrix() * Matrix3::from_diagonal(&body.inverse_inertia);
            inverse += scaled * axes.matrix().transpose() * factor.abs();
        }
        let Some(inertia) = inverse.try_inverse() else { return };
        let wanted =
            direction::across(&-(inertia * direction::across(&turned, &self.direction)), &self.direction);
        let size = wanted.norm();
        let moment = if size > most { wanted * (most / size) } else { wanted };
        for (factor, body, _) in parts.rigid_factors() {
            bodies[body].turn_by(&(moment * factor));
        }
    }

    /// The speed of separation after the step: 0 unless the approach was faster than the rebound speed.
    fn rebound_speed(&self, parts: &Parts<'_>) -> f64 {
        let approach = if self.approach > parts.terms.material.rebound_speed { self.approach } else { 0.0 };
        parts.terms.material.restitution * approach.max(0.0)
    }

    /// The change of a multiplier, in impulse, that brings the relative speed to that of the rebound. The row as a whole
    /// still does not pull.
    fn rebound_impulse(&self, parts: &Parts<'_>, speed: f64, mass: f64) -> f64 {
        ((self.rebound_speed(parts) - speed) / mass).max(-self.multipliers[0] / parts.terms.step)
    }

    /// Restitution by positions: the displacement of the step along the direction becomes that of the rebound.
    pub(super) fn rebound(&mut self, parts: &Parts<'_>, state: &mut State<'_>) {
        let mass = self.inverse_mass(parts, state.inverse_masses, state.bodies, &self.direction);
        if self.multipliers[0] <= 0.0 || mass <= 0.0 || self.rebound_speed(parts) == 0.0 {
            return;
        }
        let moved = self.moved(parts, &state.positions(), state.previous);
        let impulse = self.rebound_impulse(parts, moved.dot(&self.direction) / parts.terms.step, mass)
            * parts.terms.step;
        self.multipliers[0] += impulse;
        let impulse = self.direction * impulse;
        self.push(parts, state.particles, state.inverse_masses, state.bodies, &impulse);
    }

    /// Restitution by velocities; also takes out the speed that the correction of an old penetration has left.
    pub(super) fn rebound_velocities(
        &mut self,
        parts: &Parts<'_>,
        velocities: &mut Velocities<'_>,
        masses: &[f64],
        bodies: &[RigidBody],
    ) {
        let mass = self.inverse_mass(parts, masses, bodies, &self.direction);
        if self.multipliers[0] <= 0.0 || mass <= 0.0 {
            return;
        }
        let speed = self.velocity(parts, velocities, bodies).dot(&self.direction);
        let size = self.rebound_impulse(parts, speed, mass);
        self.multipliers[0] += size * parts.terms.step;
        let impulse = self.direction * size;
        for entry in parts.entries {
            let k = entry.particle as usize;
            velocities.particles[k] += impulse * (entry.weight * entry.scale * masses[k]);
        }
        for (factor, body, local) in parts.rigid_factors() {
            let RigidBody { pose, inverse_mass, .. } = &bodies[body];
            let impulse = impulse * factor;
            let moment = (pose.rotation * local.coords).cross(&impulse);
            let [velocity, spin] = &mut velocities.bodies[body];
            *velocity += impulse * *inverse_mass;
            *spin += bodies[body].turned_by(&moment);
        }
    }

    /// Impulses of the row in kilogram metres, as a vector on side A.
    pub(super) fn impulse(&self) -> Vector {
        let [normal, first, second] = self.multipliers;
        self.direction * normal + self.tangents[0] * first + self.tangents[1] * second
    }

    pub(super) fn slip(&self, parts: &Parts<'_>, positions: &Positions<'_>, previous: &[Point]) -> [f64; 2] {
        let moved = self.moved(parts, positions, previous);
        self.tangents.map(|tangent| moved.dot(&tangent))
    }
}
