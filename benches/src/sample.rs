//! Random input from fixed seeds, identical on every machine.

use palpate::geometry::{GeometryError, Pose, pose};
use palpate::math::{Point, Vector};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A source of random numbers, points and poses.
pub(crate) struct Sample(ChaCha8Rng);

impl Sample {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Uniform in `low` to `high`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0.random_range(low..high)
    }

    /// In the box between two corners.
    pub(crate) fn in_box(&mut self, low: &Point, high: &Point) -> Point {
        let mut along = |axis: usize| self.between(low[axis], high[axis]);
        Point::new(along(0), along(1), along(2))
    }

    /// In the unit ball around the origin, by rejection from its cube.
    pub(crate) fn in_ball(&mut self) -> Vector {
        loop {
            let vector = Vector::from_fn(|_, _| self.between(-1.0, 1.0));
            if vector.norm_squared() <= 1.0 {
                return vector;
            }
        }
    }

    /// A unit vector, uniform on the sphere.
    pub(crate) fn direction(&mut self) -> Vector {
        loop {
            let vector = self.in_ball();
            let length = vector.norm();
            // Closer to the centre, rounding would affect the direction.
            if length > 0.125 {
                return vector / length;
            }
        }
    }

    /// A pose at `position`, with a random rotation.
    pub(crate) fn pose_at(&mut self, position: Point) -> Result<Pose, GeometryError> {
        let (first, second) = (self.direction(), self.between(-1.0, 1.0));
        let norm = (1.0 + second * second).sqrt();
        let wxyz = [second / norm, first.x / norm, first.y / norm, first.z / norm];
        pose::from_rotation(position, pose::rotation_from_wxyz(wxyz)?)
    }
}
