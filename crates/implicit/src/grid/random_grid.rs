//! Random grids for tests.

use super::samples::Grid;
use palpate_math::{Point, Vector};

pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// From -1 to 1.
    pub(crate) fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self) -> Vector {
        Vector::new(self.number(), self.number(), self.number())
    }
}

/// The distance from an ellipsoid-like body, disturbed; the body may reach the sides of the box.
pub(crate) fn random_grid(random: &mut Random, size: usize, noise: f64) -> Grid {
    let spacing = (Vector::repeat(1.5) + random.vector()) / size as f64;
    let origin = Point::from(spacing * (-0.5 * (size - 1) as f64));
    let radii = Vector::repeat(0.6) + random.vector() * 0.3;
    let mut values = Vec::new();
    for number in 0..size * size * size {
        let steps = [number % size, number / size % size, number / (size * size)].map(|n| n as f64);
        let place = origin + spacing.component_mul(&Vector::from(steps));
        let length = place.coords.component_div(&radii).norm();
        values.push((length - 1.0) * radii.min() + noise * random.number());
    }
    Grid::new(origin, spacing, [size; 3], values).unwrap()
}

/// Random samples, so that each cell may be the steepest and twists in every direction.
pub(super) fn rough(seed: u64, size: [usize; 3]) -> Grid {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    let values = (0..size.iter().product()).map(|_| random()).collect();
    Grid::new(Point::new(-0.5, 0.25, -1.0), Vector::new(0.5, 0.25, 1.0), size, values).unwrap()
}
