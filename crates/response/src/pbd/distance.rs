//! The distance of two particles: the segments of a thread, the edges of a cloth.
//!
//! Source: M. Macklin, M. Müller, N. Chentanez, "XPBD" (2016), section 4.

use palpate_math::Point;

/// Keeps the distance of two particles, in both directions, with compliance: `C = ‖x_0 - x_1‖ - length`.
///
/// Contacts with threads and cloth need it beside their rows: project both in every iteration, rows last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The particles.
    pub particles: [usize; 2],
    /// Metres.
    pub length: f64,
    /// Metres per newton; 0 is inextensible.
    pub compliance: f64,
    /// Accumulated since the step began, kilogram metres.
    multiplier: f64,
}

impl Distance {
    /// Keeps the distance that two particles have at `positions`. Panics if there is no such particle.
    pub fn new(particles: [usize; 2], positions: &[Point], compliance: f64) -> Self {
        let [a, b] = particles;
        Self { particles, length: (positions[a] - positions[b]).norm(), compliance, multiplier: 0.0 }
    }

    /// Begins a step or substep: the multiplier starts from 0.
    pub fn begin_step(&mut self) {
        self.multiplier = 0.0;
    }

    /// The tension in newtons in a step of `step` seconds: positive while it pulls its particles together.
    pub fn tension(&self, step: f64) -> f64 {
        -self.multiplier / (step * step)
    }

    /// One projection in a step of `step` seconds. Does nothing if neither particle moves, or if both are in the same place,
    /// where there is no direction. Panics if there is no such particle.
    pub fn project(&mut self, particles: &mut [Point], inverse_masses: &[f64], step: f64) {
        let [a, b] = self.particles;
        let between = particles[a] - particles[b];
        let (distance, softness) = (between.norm(), self.compliance / (step * step));
        let mass = inverse_masses[a] + inverse_masses[b];
        if distance == 0.0 || mass <= 0.0 {
            return;
        }
        let change = -(distance - self.length + softness * self.multiplier) / (mass + softness);
        self.multiplier += change;
        let push = between * (change / distance);
        particles[a] += push * inverse_masses[a];
        particles[b] -= push * inverse_masses[b];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::Vector;

    /// A weight hangs on a fixed particle: the implicit step ends at the length that compliance gives, momentum aside.
    #[test]
    fn a_weight_stretches_by_compliance_times_force() {
        let (step, compliance, inverse_mass) = (0.01, 1e-3, 0.5);
        let start = [Point::origin(), Point::new(0.0, -1.0, 0.0)];
        let mut hanging = Distance::new([1, 0], &start, compliance);
        let mut particles = start;
        for _ in 0..20_000 {
            // Overdamped: every step starts from rest.
            particles[1].y -= 9.81 * step * step;
            hanging.begin_step();
            (0..3).for_each(|_| hanging.project(&mut particles, &[0.0, inverse_mass], step));
        }
        let force = 9.81 / inverse_mass;
        assert!((hanging.tension(step) / force - 1.0).abs() < 1e-9, "{}", hanging.tension(step));
        assert!((-particles[1].y - 1.0 - compliance * force).abs() < 1e-9, "{}", particles[1]);
        assert_eq!(particles[0], start[0]);
    }

    #[test]
    fn a_hard_distance_is_restored_at_once_and_a_soft_one_by_its_force() {
        let mut x = [Point::origin(), Point::new(1.0, 0.0, 0.0)];
        let mut hard = Distance::new([0, 1], &x, 0.0);
        x[1].x = 1.5;
        hard.project(&mut x, &[1.0, 3.0], 0.1);
        assert!((x[0].x - 0.125).abs() < 1e-15 && (x[1].x - 1.125).abs() < 1e-15, "{x:?}");

        // Compliance 1 m/N, step 1 s, one free kilogram: λ = -0.5 / (1 + 1), and the excess is the force times 1 m/N.
        let mut y = [Point::origin(), Point::new(1.5, 0.0, 0.0)];
        let mut soft = Distance { compliance: 1.0, ..hard };
        soft.begin_step();
        (0..3).for_each(|_| soft.project(&mut y, &[0.0, 1.0], 1.0));
        assert!((y[1].x - 1.25).abs() < 1e-15 && (soft.multiplier + 0.25).abs() < 1e-15, "{y:?}");
    }

    #[test]
    fn masses_share_the_correction_and_rigid_cases_do_nothing() {
        let mut particles = [Point::origin(), Point::new(2.0, 0.0, 0.0)];
        let mut distance = Distance { length: 1.0, ..Distance::new([0, 1], &particles, 0.0) };
        distance.project(&mut particles, &[3.0, 1.0], 0.01);
        assert_eq!(particles, [Point::new(0.75, 0.0, 0.0), Point::new(1.75, 0.0, 0.0)]);
        let fixed = particles;
        distance.project(&mut particles, &[0.0; 2], 0.01);
        let mut same = [Point::origin() + Vector::x(); 2];
        distance.project(&mut same, &[1.0; 2], 0.01);
        assert_eq!((particles, same), (fixed, [Point::new(1.0, 0.0, 0.0); 2]));
    }
}
