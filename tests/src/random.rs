//! Random numbers, points and motions from fixed seeds, identical on every machine.

use nalgebra::{Quaternion, Translation3, UnitQuaternion};
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A source of random input.
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The source of this seed.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// The source of a name and a number, so that additions to one list of cases do not change another.
    pub fn named(name: &str, number: u64) -> Self {
        // FNV-1a.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self::new(hash ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Uniform in `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0.random_range(low..high)
    }

    /// 0 to `end - 1`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0.random_range(0..end)
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the items.
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// In the cube of side two about the origin.
    pub fn vector(&mut self) -> Vector {
        Vector::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }

    /// A direction, uniform on the sphere.
    pub fn direction(&mut self) -> Vector {
        loop {
            let vector = self.vector();
            let square = vector.norm_squared();
            if square > 1e-4 && square <= 1.0 {
                return vector / square.sqrt();
            }
        }
    }

    /// A uniform rotation.
    pub fn rotation(&mut self) -> UnitQuaternion<f64> {
        loop {
            let quaternion = Quaternion::new(
                self.between(-1.0, 1.0),
                self.between(-1.0, 1.0),
                self.between(-1.0, 1.0),
                self.between(-1.0, 1.0),
            );
            let square = quaternion.norm_squared();
            if square > 1e-4 && square <= 1.0 {
                return UnitQuaternion::from_quaternion(quaternion);
            }
        }
    }

    /// A rigid motion that shifts by up to `reach` along each axis.
    pub fn pose(&mut self, reach: f64) -> Pose {
        Pose::from_parts(Translation3::from(self.vector() * reach), self.rotation())
    }

    /// One of the twelve rotations that permute the axes with an even number of sign changes. Their quaternions consist of
    /// halves, zeros and ones, so that they move points of a lattice without rounding.
    pub fn exact_rotation(&mut self) -> UnitQuaternion<f64> {
        let mut sign = || if self.below(2) == 0 { 0.5 } else { -0.5 };
        let halves = Quaternion::new(sign(), sign(), sign(), sign());
        let turned = match self.below(6) {
            0 => Quaternion::new(1.0, 0.0, 0.0, 0.0),
            1 => Quaternion::new(0.0, 1.0, 0.0, 0.0),
            2 => Quaternion::new(0.0, 0.0, 1.0, 0.0),
            3 => Quaternion::new(0.0, 0.0, 0.0, 1.0),
            _ => halves,
        };
        UnitQuaternion::new_unchecked(turned)
    }

    /// A point whose coordinates are multiples of `step` between -`n` and `n` steps.
    pub fn lattice_point(&mut self, n: usize, step: f64) -> Point {
        let mut coordinate = || (self.below(2 * n + 1) as f64 - n as f64) * step;
        Point::new(coordinate(), coordinate(), coordinate())
    }
}
