//! Random moving vertices from fixed seeds.

use palpate_math::Point;
use palpate_math::continuous::MovingPoint;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(crate) struct Random(ChaCha8Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// From `low` to `high`, both included.
    pub(crate) fn integer(&mut self, low: i64, high: i64) -> i64 {
        self.0.random_range(low..=high)
    }

    /// Uniform from -1 to 1.
    pub(crate) fn number(&mut self) -> f64 {
        self.0.random_range(-1.0..1.0)
    }

    /// With integer coordinates up to `n`.
    pub(crate) fn grid_point(&mut self, n: i64) -> Point {
        Point::from(std::array::from_fn::<f64, 3, _>(|_| self.integer(-n, n) as f64))
    }

    /// In the cube of side two about the origin.
    pub(crate) fn point(&mut self) -> Point {
        Point::from(std::array::from_fn::<f64, 3, _>(|_| self.number()))
    }

    /// Moving on a grid; every fourth at rest.
    pub(crate) fn grid_motion(&mut self, n: i64) -> MovingPoint {
        let start = self.grid_point(n);
        if self.integer(0, 3) == 0 {
            MovingPoint::at_rest(start)
        } else {
            MovingPoint::new(start, self.grid_point(n))
        }
    }

    pub(crate) fn motion(&mut self) -> MovingPoint {
        MovingPoint::new(self.point(), self.point())
    }
}
