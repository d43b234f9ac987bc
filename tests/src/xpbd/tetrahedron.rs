//! An elastic tetrahedron: the stable neo-Hookean material as two constraints.

use nalgebra::Matrix3;
use palpate_math::{Point, Vector};

/// Young's modulus and Poisson's ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elasticity {
    /// Pascals.
    pub young: f64,
    /// Above 0 and below one half.
    pub poisson: f64,
}

impl Elasticity {
    /// Lamé's parameters μ and λ, pascals.
    fn lame(self) -> [f64; 2] {
        let Self { young, poisson } = self;
        let shear = young / (2.0 * (1.0 + poisson));
        [shear, young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson))]
    }
}

/// Four particles with the deformation gradient `F` from the shape at rest. With the volume at rest `V`:
///
/// ```text
/// C_D = √(tr FᵀF)              compliance 1 / (μ V)
/// C_H = det F - (1 + μ / λ)    compliance 1 / (λ V)
/// ```
///
/// The sum of both energies is least at rest, and defined for inverted tetrahedra too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tetrahedron {
    /// The particles.
    pub particles: [usize; 4],
    /// From edge vectors at present to the deformation gradient.
    inverse_rest: Matrix3<f64>,
    /// `1 + μ / λ`.
    volume_ratio: f64,
    /// Per newton metre: of `C_D` and of `C_H`, which have no unit.
    compliances: [f64; 2],
    /// In this substep.
    multipliers: [f64; 2],
}

impl Tetrahedron {
    /// At rest in the positions that the particles have. `None` for one without volume.
    pub fn at_rest(particles: [usize; 4], positions: &[Point], elasticity: Elasticity) -> Option<Self> {
        let edges = edges(&particles, positions);
        let volume = edges.determinant().abs() / 6.0;
        let inverse_rest = edges.try_inverse()?;
        let [shear, bulk] = elasticity.lame();
        let compliances = [1.0 / (shear * volume), 1.0 / (bulk * volume)];
        let volume_ratio = 1.0 + shear / bulk;
        Some(Self { particles, inverse_rest, volume_ratio, compliances, multipliers: [0.0; 2] })
    }

    /// The volume relative to that at rest; negative if inverted.
    pub fn volume(&self, positions: &[Point]) -> f64 {
        (edges(&self.particles, positions) * self.inverse_rest).determinant()
    }

    /// The same of particles whose numbers are greater by `first`.
    pub(super) fn shifted(self, first: usize) -> Self {
        Self { particles: self.particles.map(|particle| first + particle), ..self }
    }

    pub(super) fn begin(&mut self) {
        self.multipliers = [0.0; 2];
    }

    /// One projection of each constraint.
    pub(super) fn project(&mut self, positions: &mut [Point], inverse_masses: &[f64], step: f64) {
        let gradient = edges(&self.particles, positions) * self.inverse_rest;
        let stretch = gradient.norm();
        if stretch > 0.0 {
            self.solve(0, stretch, &(gradient / stretch), positions, inverse_masses, step);
        }
        let gradient = edges(&self.particles, positions) * self.inverse_rest;
        let [a, b, c] = [0, 1, 2].map(|k| gradient.column(k).into_owned());
        let cofactors = Matrix3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)]);
        let excess = a.dot(&b.cross(&c)) - self.volume_ratio;
        self.solve(1, excess, &cofactors, positions, inverse_masses, step);
    }

    /// Projects a constraint of this value, whose derivative with respect to `F` is given.
    fn solve(
        &mut self,
        which: usize,
        value: f64,
        derivative: &Matrix3<f64>,
        positions: &mut [Point],
        inverse_masses: &[f64],
        step: f64,
    ) {
        let moved = derivative * self.inverse_rest.transpose();
        let [a, b, c]: [Vector; 3] = [0, 1, 2].map(|k| moved.column(k).into_owned());
        let gradients = [-(a + b + c), a, b, c];
        let masses = self.particles.map(|particle| inverse_masses[particle]);
        let terms = gradients.iter().zip(masses).map(|(gradient, mass)| gradient.norm_squared() * mass);
        let softness = self.compliances[which] / (step * step);
        let change = -(value + softness * self.multipliers[which]) / (terms.sum::<f64>() + softness);
        self.multipliers[which] += change;
        for ((particle, gradient), mass) in self.particles.into_iter().zip(gradients).zip(masses) {
            positions[particle] += gradient * (mass * change);
        }
    }
}

/// From the first corner to the others, as columns.
fn edges(particles: &[usize; 4], positions: &[Point]) -> Matrix3<f64> {
    let [a, b, c, d] = particles.map(|particle| positions[particle]);
    Matrix3::from_columns(&[b - a, c - a, d - a])
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOFT: Elasticity = Elasticity { young: 1e3, poisson: 0.4 };

    fn corners() -> [Point; 4] {
        [[0.0, 0.0, 0.0], [0.1, 0.0, 0.01], [0.02, 0.11, 0.0], [0.0, 0.03, 0.09]].map(Point::from)
    }

    /// Energy of both constraints, joules.
    fn energy(tetrahedron: &Tetrahedron, x: &[Point]) -> f64 {
        let gradient = edges(&tetrahedron.particles, x) * tetrahedron.inverse_rest;
        let values = [gradient.norm(), gradient.determinant() - tetrahedron.volume_ratio];
        values
            .iter()
            .zip(tetrahedron.compliances)
            .map(|(value, compliance)| value * value / compliance)
            .sum::<f64>()
            / 2.0
    }

    #[test]
    fn the_energy_is_least_at_rest() {
        let rest = corners();
        let tetrahedron = Tetrahedron::at_rest([0, 1, 2, 3], &rest, SOFT).unwrap();
        let least = energy(&tetrahedron, &rest);
        for k in 0..12 {
            for size in [-1e-3, 1e-3] {
                let mut moved = rest;
                moved[k / 3][k % 3] += size;
                assert!(energy(&tetrahedron, &moved) > least, "{k}");
            }
        }
    }

    /// An implicit Euler step minimises inertia plus energy: projections converge to a stationary point of it.
    #[test]
    fn projections_converge_to_the_implicit_step() {
        let rest = corners();
        let (masses, step) = ([1.0, 2.0, 3.0, 4.0], 0.01);
        let mut tetrahedron = Tetrahedron::at_rest([0, 1, 2, 3], &rest, SOFT).unwrap();
        let mut predicted = rest;
        predicted[3] += Vector::new(0.01, -0.02, 0.03);
        let mut x = predicted;
        tetrahedron.begin();
        (0..2000).for_each(|_| tetrahedron.project(&mut x, &masses, step));
        let total = |x: &[Point; 4]| {
            let inertia = |k: usize| (x[k] - predicted[k]).norm_squared() / masses[k];
            (0..4).map(inertia).sum::<f64>() / (2.0 * step * step) + energy(&tetrahedron, x)
        };
        for k in 0..12 {
            let [more, less] = [1e-6, -1e-6].map(|size| {
                let mut moved = x;
                moved[k / 3][k % 3] += size;
                total(&moved)
            });
            let slope = (more - less) / 2e-6;
            assert!(slope.abs() < 1e-3, "{k}: {slope} N");
        }
        assert!((x[3] - predicted[3]).norm() > 1e-4);
    }

    #[test]
    fn an_inverted_tetrahedron_returns_and_one_without_volume_is_refused() {
        let rest = corners();
        let mut tetrahedron = Tetrahedron::at_rest([0, 1, 2, 3], &rest, SOFT).unwrap();
        let mut x = rest;
        x[3] -= 1.5 * (rest[3] - rest[0]);
        assert!(tetrahedron.volume(&x) < 0.0);
        for _ in 0..200 {
            tetrahedron.begin();
            (0..4).for_each(|_| tetrahedron.project(&mut x, &[0.0, 0.0, 0.0, 1.0], 0.1));
        }
        assert!((tetrahedron.volume(&x) - 1.0).abs() < 0.01, "{}", tetrahedron.volume(&x));
        let flat = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]].map(Point::from);
        assert_eq!(Tetrahedron::at_rest([0, 1, 2, 3], &flat, SOFT), None);
    }
}
