//! A hand that holds a particle: a spring to a place that moves.

use palpate_math::{Point, Vector};

/// A particle that a spring draws to a place, with no more than a greatest force: `C = x - place`, in three components.
///
/// It models a tool in a hand: contacts can hold the particle back. A particle without inverse mass is not moved by it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// The particle.
    pub particle: usize,
    /// Where it is drawn to by the end of the step.
    pub place: Point,
    /// Metres per newton.
    pub compliance: f64,
    /// Newtons.
    pub most_force: f64,
    /// In this substep, kilogram metres.
    multiplier: Vector,
}

impl Grip {
    /// Holds a particle at a place.
    pub fn new(particle: usize, place: Point, compliance: f64, most_force: f64) -> Self {
        Self { particle, place, compliance, most_force, multiplier: Vector::zeros() }
    }

    pub(super) fn begin(&mut self) {
        self.multiplier = Vector::zeros();
    }

    /// One projection.
    pub(super) fn project(&mut self, positions: &mut [Point], inverse_masses: &[f64], step: f64) {
        let (softness, inverse_mass) = (self.compliance / (step * step), inverse_masses[self.particle]);
        if inverse_mass == 0.0 {
            return;
        }
        let off = positions[self.particle] - self.place;
        let wanted = self.multiplier - (off + self.multiplier * softness) / (inverse_mass + softness);
        let most = self.most_force * step * step;
        let wanted = if wanted.norm() > most { wanted * (most / wanted.norm()) } else { wanted };
        positions[self.particle] += (wanted - self.multiplier) * inverse_mass;
        self.multiplier = wanted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spring_pulls_with_its_force_and_no_more_than_the_greatest() {
        // One kilogram, one second: the place after the step is off by the force over mass and the force times compliance.
        let mut x = [Point::new(2.0, 0.0, 0.0)];
        let mut grip = Grip::new(0, Point::origin(), 1.0, 10.0);
        (0..3).for_each(|_| grip.project(&mut x, &[1.0], 1.0));
        assert!((x[0].x - 1.0).abs() < 1e-15, "{x:?}");
        let mut weak = Grip::new(0, Point::origin(), 1.0, 0.25);
        let mut y = [Point::new(2.0, 0.0, 0.0)];
        (0..3).for_each(|_| weak.project(&mut y, &[1.0], 1.0));
        assert!((y[0].x - 1.75).abs() < 1e-15, "{y:?}");
        weak.project(&mut y, &[0.0], 1.0);
        assert!((y[0].x - 1.75).abs() < 1e-15);
    }
}
