//! A place in tissue through which a shaft slides: a needle in its hole, a thread in a stitch.
//!
//! Source: M. Macklin, M. Müller, N. Chentanez, "XPBD" (2016), section 4; M. Müller et al. 2020, section 3.3, for rigid
//! bodies.

use super::body::{Positions, State};
use palpate_math::{Point, Vector};

/// The segment of a shaft, with its two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShaftSegment {
    /// Two particles.
    Particles([usize; 2]),
    /// Two points fixed in a rigid body, in the body's frame.
    Rigid {
        /// The index of the body.
        body: usize,
        /// The ends.
        ends: [Point; 2],
    },
}

/// Holds a place of a shaft at a place in tissue in the two directions across the shaft; along it friction resists.
///
/// `C = d - u (u · d)` with `d = Σ w x - ((1 - t) p + t q)`, the tissue's place minus the shaft's, and `u` the unit direction
/// from `p` to `q`. Where `t` is the place nearest to the tissue's, its gradients are the weights: `w` for the tissue,
/// `t - 1` and `-t` for the ends of the segment, and `-u` for the arc length. Make one for every crossing of a
/// `ShaftTracker`, with the vertices and weights that the crossing had when it was new, and set segment and weight anew in
/// every step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sliding {
    /// The particles of the tissue with their weights, which sum up to 1; weight 0 where fewer are needed.
    pub tissue: [(usize, f64); 4],
    /// The segment.
    pub shaft: ShaftSegment,
    /// The weight of the segment's second end.
    pub weight: f64,
    /// Across the shaft, metres per newton; 0 is rigid.
    pub compliance: f64,
    /// Coulomb's coefficient: of the force across, how much resists along the shaft.
    pub friction: f64,
    /// Newtons that resist along the shaft whatever the force across: how tightly the tissue holds it.
    pub grip: f64,
    /// Accumulated since the step began, kilogram metres: across the shaft, and along it.
    across: Vector,
    along: f64,
}

/// Where a constraint is: the two places, and the direction of the shaft.
#[derive(Clone, Copy)]
struct Places {
    tissue: Point,
    shaft: Point,
    direction: Vector,
}

impl Sliding {
    /// Between particles of the tissue, at most four with their weights, and a place of a shaft; rigid and without friction.
    pub fn new(tissue: &[(usize, f64)], shaft: ShaftSegment, weight: f64) -> Self {
        let mut entries = [(0, 0.0); 4];
        entries.iter_mut().zip(tissue).for_each(|(entry, given)| *entry = *given);
        let across = Vector::zeros();
        Self { tissue: entries, shaft, weight, compliance: 0.0, friction: 0.0, grip: 0.0, across, along: 0.0 }
    }

    /// The multipliers across the shaft and along it, kilogram metres, accumulated since the step began.
    pub fn multipliers(&self) -> (Vector, f64) {
        (self.across, self.along)
    }

    /// The same constraint in a step that has these multipliers already.
    #[must_use]
    pub fn with_multipliers(self, across: Vector, along: f64) -> Self {
        Self { across, along, ..self }
    }

    /// Begins a step or substep: the multipliers start from 0.
    pub fn begin_step(&mut self) {
        (self.across, self.along) = (Vector::zeros(), 0.0);
    }

    /// The force of the shaft on the tissue in a step of `step` seconds, newtons.
    pub fn force(&self, positions: &Positions<'_>, step: f64) -> Vector {
        (self.across + self.places(positions).direction * self.along) / (step * step)
    }

    /// The offset across the shaft of the tissue's place from the shaft's, metres. Panics if there is no such particle or
    /// body.
    pub fn offset(&self, positions: &Positions<'_>) -> Vector {
        let Places { tissue, shaft, direction } = self.places(positions);
        let between = tissue - shaft;
        between - direction * between.dot(&direction)
    }

    /// One projection in a step of `step` seconds: across, then friction along. Panics if there is no such particle or body.
    pub fn project(&mut self, state: &mut State<'_>, step: f64) {
        let softness = self.compliance / (step * step);
        let wanted = self.offset(&state.positions()) + self.across * softness;
        if let Some(direction) = wanted.try_normalize(0.0) {
            let mass = self.inverse_mass(state, &direction);
            if mass > 0.0 {
                let impulse = -wanted / (mass + softness);
                self.across += impulse;
                self.push(state, &impulse);
            }
        }
        self.resist(state, step);
    }

    /// Friction: the slip of the step is cancelled, as far as the force across and the grip allow.
    fn resist(&mut self, state: &mut State<'_>, step: f64) {
        let most = self.friction * self.across.norm() + self.grip * step * step;
        let (now, before) = (self.places(&state.positions()), self.places_before(state));
        let slip = ((now.tissue - before.tissue) - (now.shaft - before.shaft)).dot(&now.direction);
        let mass = self.inverse_mass(state, &now.direction);
        if most <= 0.0 || mass <= 0.0 {
            return;
        }
        let wanted = (self.along - slip / mass).min(most).max(-most);
        let impulse = now.direction * (wanted - self.along);
        self.along = wanted;
        self.push(state, &impulse);
    }

    /// Moves the tissue by a positional impulse, and the shaft by its negative.
    fn push(&self, state: &mut State<'_>, impulse: &Vector) {
        for (particle, weight) in self.tissue.into_iter().filter(|(_, weight)| *weight != 0.0) {
            state.particles[particle] += impulse * (weight * state.inverse_masses[particle]);
        }
        match self.shaft {
            ShaftSegment::Particles(ends) => {
                for (particle, weight) in ends.into_iter().zip(self.of_ends()) {
                    state.particles[particle] -= impulse * (weight * state.inverse_masses[particle]);
                }
            }
            ShaftSegment::Rigid { body, ends } => {
                let body = &mut state.bodies[body];
                let lever = body.pose.rotation * self.between(ends).coords;
                body.push(&lever, &-impulse);
            }
        }
    }

    /// How readily the two places part along a unit direction: one per kilogram.
    fn inverse_mass(&self, state: &State<'_>, direction: &Vector) -> f64 {
        let of = |particle: usize, weight: f64| weight * weight * state.inverse_masses[particle];
        let tissue: f64 = self.tissue.iter().filter(|entry| entry.1 != 0.0).map(|&(p, w)| of(p, w)).sum();
        let shaft = match self.shaft {
            ShaftSegment::Particles(ends) => {
                ends.into_iter().zip(self.of_ends()).map(|(p, w)| of(p, w)).sum()
            }
            ShaftSegment::Rigid { body, ends } => {
                let body = &state.bodies[body];
                let lever = body.pose.rotation * self.between(ends).coords;
                body.generalized_inverse_mass(&lever, direction)
            }
        };
        tissue + shaft
    }

    fn of_ends(&self) -> [f64; 2] {
        [1.0 - self.weight, self.weight]
    }

    fn between(&self, [p, q]: [Point; 2]) -> Point {
        p + (q - p) * self.weight
    }

    fn places(&self, positions: &Positions<'_>) -> Places {
        let ends = match self.shaft {
            ShaftSegment::Particles(ends) => ends.map(|particle| positions.particles[particle]),
            ShaftSegment::Rigid { body, ends } => ends.map(|end| positions.bodies[body].pose * end),
        };
        self.places_of(positions.particles, ends)
    }

    fn places_before(&self, state: &State<'_>) -> Places {
        let ends = match self.shaft {
            ShaftSegment::Particles(ends) => ends.map(|particle| state.previous[particle]),
            ShaftSegment::Rigid { body, ends } => ends.map(|end| state.bodies[body].previous * end),
        };
        self.places_of(state.previous, ends)
    }

    fn places_of(&self, particles: &[Point], ends: [Point; 2]) -> Places {
        let entries = self.tissue.iter().filter(|entry| entry.1 != 0.0);
        let sum: Vector = entries.map(|&(particle, weight)| particles[particle].coords * weight).sum();
        let direction = (ends[1] - ends[0]).try_normalize(0.0).unwrap_or_default();
        Places { tissue: sum.into(), shaft: self.between(ends), direction }
    }
}

#[cfg(test)]
mod tests {
    use super::super::RigidBody;
    use super::*;
    use nalgebra::{Isometry3, Translation3, UnitQuaternion};

    const STEP: f64 = 0.01;

    /// Three particles of tissue about the origin, and a segment of a thread that passes beside it.
    fn particles() -> Vec<Point> {
        [[1.0, 0.1, 0.0], [-0.6, 0.0, 0.8], [-0.5, 0.2, -0.7], [0.1, -1.0, 0.3], [0.3, 2.0, -0.1]]
            .map(Point::from)
            .to_vec()
    }

    /// With the weight at which the segment is nearest to the tissue's place.
    fn sliding(particles: &[Point]) -> Sliding {
        let mut sliding =
            Sliding::new(&[(0, 0.25), (1, 0.375), (2, 0.375)], ShaftSegment::Particles([3, 4]), 0.0);
        let at = sliding.places(&particles.into());
        let run = particles[4] - particles[3];
        sliding.weight = (at.tissue - particles[3]).dot(&run) / run.norm_squared();
        sliding
    }

    fn state<'a>(particles: &'a mut [Point], previous: &'a [Point], masses: &'a [f64]) -> State<'a> {
        State { particles, previous, inverse_masses: masses, bodies: &mut [] }
    }

    /// Central differences of the distance across, in every coordinate of every particle.
    #[test]
    fn gradients_are_the_weights() {
        let particles = particles();
        let sliding = sliding(&particles);
        let offset = sliding.offset(&(&particles).into());
        let (direction, weights) =
            (offset.normalize(), [0.25, 0.375, 0.375, sliding.weight - 1.0, -sliding.weight]);
        for (particle, weight) in weights.into_iter().enumerate() {
            for axis in 0..3 {
                let at = |shift: f64| {
                    let mut moved = particles.clone();
                    moved[particle][axis] += shift;
                    sliding.offset(&(&moved).into()).norm()
                };
                let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
                assert!((slope - weight * direction[axis]).abs() < 1e-8, "{particle} {axis}: {slope}");
            }
        }
    }

    #[test]
    fn the_shaft_passes_through_its_place_and_momentum_stays() {
        let before = particles();
        let mut now = before.clone();
        let masses = [2.0, 1.0, 0.5, 3.0, 1.0];
        let mut sliding = sliding(&before);
        for _ in 0..40 {
            sliding.project(&mut state(&mut now, &before, &masses), STEP);
        }
        assert!(sliding.offset(&(&now).into()).norm() < 1e-9);
        let moved = now.iter().zip(&before).zip(masses).map(|((now, before), mass)| (now - before) / mass);
        let momentum: Vector = moved.sum();
        assert!(momentum.norm() < 1e-12, "{momentum}");
    }

    /// A thread pulled along itself through a fixed place: free without friction, held up to the grip with it.
    #[test]
    fn along_the_shaft_only_friction_holds() {
        let before = [Point::new(0.1, 0.0, 0.0), Point::new(0.0, -1.0, 0.0), Point::new(0.0, 1.0, 0.0)];
        let pulled = [before[0], before[1] + Vector::y() * 1e-4, before[2] + Vector::y() * 1e-4];
        let masses = [0.0, 1.0, 1.0];
        for (grip, wanted) in [(0.0, 1e-4), (0.4, 0.8e-4), (10.0, 0.0)] {
            let mut now = pulled;
            let mut sliding = Sliding::new(&[(0, 1.0)], ShaftSegment::Particles([1, 2]), 0.5);
            sliding.grip = grip;
            for _ in 0..50 {
                sliding.project(&mut state(&mut now, &before, &masses), STEP);
            }
            assert!(sliding.offset(&now.as_slice().into()).norm() < 1e-9);
            // Half of a kilogram's inverse at the middle: 0.4 N in 1e-4 s² moves it by 0.2e-4.
            assert!((now[1].y + 1.0 - wanted).abs() < 1e-9, "{grip}: {}", now[1].y + 1.0);
        }
    }

    /// A solver that has diverged is no panic.
    #[test]
    fn a_place_that_is_no_number_stays_one() {
        let before = particles();
        let mut now = before.clone();
        now[1].x = f64::NAN;
        let mut sliding = Sliding { friction: 0.3, grip: 0.1, ..sliding(&before) };
        sliding.project(&mut state(&mut now, &before, &[1.0; 5]), STEP);
        assert!(sliding.multipliers().1.is_nan() || sliding.multipliers().1 == 0.0);
        assert!(now[1].x.is_nan());
    }

    /// A needle that does not move is met by the tissue alone; one that is free turns about its centre.
    #[test]
    fn a_rigid_needle_is_turned_and_moved() {
        let ends = [Point::new(0.0, -0.5, 0.0), Point::new(0.0, 0.5, 0.0)];
        let pose = Isometry3::from_parts(Translation3::new(0.02, 0.0, 0.0), UnitQuaternion::identity());
        let tissue = [Point::new(0.0, 0.5, 0.0)];
        for inverse_mass in [0.0, 10.0] {
            let inertia = Vector::repeat(100.0 * inverse_mass);
            let (mut now, mut bodies) = (tissue, [RigidBody::new(pose, inverse_mass, inertia)]);
            let shaft = ShaftSegment::Rigid { body: 0, ends };
            let mut sliding = Sliding::new(&[(0, 1.0)], shaft, 1.0);
            for _ in 0..60 {
                let mut state = State {
                    particles: &mut now,
                    previous: &tissue,
                    inverse_masses: &[5.0],
                    bodies: &mut bodies,
                };
                sliding.project(&mut state, STEP);
            }
            let positions = Positions { particles: &now, bodies: &bodies };
            assert!(sliding.offset(&positions).norm() < 1e-9);
            let turned = bodies[0].pose.rotation.angle() > 1e-4;
            assert_eq!((turned, now[0].x > 0.0199), (inverse_mass > 0.0, inverse_mass == 0.0), "{}", now[0]);
        }
    }
}
