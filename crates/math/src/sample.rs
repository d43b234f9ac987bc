//! Random input for the tests of this crate, from fixed seeds.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{Point, Vector};

/// A source of random points, the same on every machine.
pub(crate) struct Sample(ChaCha8Rng);

impl Sample {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Uniform from -1 to 1.
    pub(crate) fn number(&mut self) -> f64 {
        self.0.random_range(-1.0..1.0)
    }

    /// Uniform from 0 to 1.
    pub(crate) fn fraction(&mut self) -> f64 {
        self.0.random_range(0.0..1.0)
    }

    /// 0 to `end - 1`.
    pub(crate) fn integer(&mut self, end: i32) -> i32 {
        self.0.random_range(0..end)
    }

    /// In the cube of side two about the origin.
    pub(crate) fn vector(&mut self) -> Vector {
        Vector::new(self.number(), self.number(), self.number())
    }

    /// In the cube of side two about the origin.
    pub(crate) fn point(&mut self) -> Point {
        Point::from(self.vector())
    }

    /// On a grid of `2 n + 1` integers per axis: many of these coincide, or are collinear or coplanar.
    pub(crate) fn grid_point(&mut self, n: i32) -> Point {
        let mut coordinate = || f64::from(self.integer(2 * n + 1) - n);
        Point::new(coordinate(), coordinate(), coordinate())
    }

    /// Non-negative weights with sum one.
    pub(crate) fn weights<const N: usize>(&mut self) -> [f64; N] {
        let raw: [f64; N] = std::array::from_fn(|_| self.fraction());
        let sum: f64 = raw.iter().sum();
        raw.map(|weight| weight / sum)
    }
}

/// The point multiplied by `2^power`.
pub(crate) fn scaled(point: &Point, power: i32) -> Point {
    Point::from(point.coords * 2.0_f64.powi(power))
}
