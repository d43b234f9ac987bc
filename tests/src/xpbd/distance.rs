//! The distance of two particles as a constraint.

use palpate_math::Point;

/// Two particles at a distance: `C = ‖x_0 - x_1‖ - length`. Between neighbours it resists stretching, between
/// neighbours of neighbours bending.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The particles.
    pub particles: [usize; 2],
    /// Metres.
    pub length: f64,
    /// Metres per newton; 0 is inextensible.
    pub compliance: f64,
    /// In this substep, kilogram metres.
    multiplier: f64,
}

impl Distance {
    /// Keeps two particles at the distance that they have.
    pub fn between(particles: [usize; 2], positions: &[Point], compliance: f64) -> Self {
        let length = (positions[particles[0]] - positions[particles[1]]).norm();
        Self { particles, length, compliance, multiplier: 0.0 }
    }

    /// The same of particles whose numbers are greater by `first`.
    pub(super) fn shifted(self, first: usize) -> Self {
        Self { particles: self.particles.map(|particle| first + particle), ..self }
    }

    pub(super) fn begin(&mut self) {
        self.multiplier = 0.0;
    }

    /// One projection. Coincident particles have no direction and stay.
    pub(super) fn project(&mut self, positions: &mut [Point], inverse_masses: &[f64], step: f64) {
        let [i, j] = self.particles;
        let between = positions[i] - positions[j];
        let distance = between.norm();
        let softness = self.compliance / (step * step);
        let mass = inverse_masses[i] + inverse_masses[j] + softness;
        if distance == 0.0 || mass == 0.0 {
            return;
        }
        let change = -(distance - self.length + softness * self.multiplier) / mass;
        self.multiplier += change;
        let push = between * (change / distance);
        positions[i] += push * inverse_masses[i];
        positions[j] -= push * inverse_masses[j];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hard_distance_is_restored_at_once_and_a_soft_one_by_its_force() {
        let mut x = [Point::origin(), Point::new(1.0, 0.0, 0.0)];
        let mut hard = Distance::between([0, 1], &x, 0.0);
        x[1].x = 1.5;
        hard.project(&mut x, &[1.0, 3.0], 0.1);
        assert!((x[0].x - 0.125).abs() < 1e-15 && (x[1].x - 1.125).abs() < 1e-15, "{x:?}");

        // Compliance 1 m/N, step 1 s, one free kilogram: λ = -0.5 / (1 + 1), and the excess is the force times 1 m/N.
        let mut y = [Point::origin(), Point::new(1.5, 0.0, 0.0)];
        let mut soft = Distance { compliance: 1.0, ..hard };
        soft.begin();
        (0..3).for_each(|_| soft.project(&mut y, &[0.0, 1.0], 1.0));
        assert!((y[1].x - 1.25).abs() < 1e-15 && (soft.multiplier + 0.25).abs() < 1e-15, "{y:?}");
    }
}
