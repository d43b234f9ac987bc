//! Random generator of test pairs.

use nalgebra::{Matrix3, Rotation3, Unit, Vector3};
use palpate_convex::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Points, RigidTransform};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::any::{Any, Vector};

#[derive(Clone, Debug)]
pub struct Pair {
    pub a: Any,
    pub pose_a: RigidTransform<Vector>,
    pub b: Any,
    pub pose_b: RigidTransform<Vector>,
    /// All lengths are scaled by two to this power.
    pub power: i32,
}

pub struct Pairs {
    pub random: ChaCha8Rng,
}

impl Pairs {
    pub fn new(seed: u64) -> Self {
        Self { random: ChaCha8Rng::seed_from_u64(seed) }
    }

    fn number(&mut self) -> f64 {
        self.random.random_range(-1.0..1.0)
    }

    pub fn vector(&mut self) -> Vector {
        Vector::new(self.number(), self.number(), self.number())
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.random.random_range(0..n) == 0
    }

    /// Mostly about one; sometimes a millionth of it, sometimes zero.
    fn length(&mut self) -> f64 {
        let length = self.random.random_range(0.1..1.0);
        match self.random.random_range(0..20) {
            0 => 1e-6 * length,
            1 => 1e-3 * length,
            2 => 0.0,
            3..6 => 0.5,
            _ => length,
        }
    }

    fn cloud(&mut self) -> Points<Vector> {
        let count = self.random.random_range(1..=20);
        let grid = self.one_in(2);
        let squash = Vector::new(self.length(), self.length(), self.length());
        let mut points: Vec<Vector> = (0..count)
            .map(|_| {
                let point = if grid {
                    Vector3::from_fn(|_, _| f64::from(self.random.random_range(-1..=1)))
                } else {
                    self.vector()
                };
                if self.random.random_range(0..3) == 0 { point } else { point.component_mul(&squash) }
            })
            .collect();
        if self.one_in(4) {
            points.iter_mut().for_each(|point| *point = point.component_mul(&squash));
        }
        if self.one_in(4) {
            points.push(points[0]);
        }
        Points::new(points).unwrap()
    }

    fn shape(&mut self) -> Any {
        match self.random.random_range(0..10) {
            0..4 => Any::Points(self.cloud()),
            4 => Any::Ball(Ball { radius: self.length() }),
            5 => Any::Capsule(Capsule { radius: self.length(), half_length: self.length() }),
            6 => Any::Cylinder(Cylinder { radius: self.length(), half_length: self.length() }),
            7 => Any::Cone(Cone { radius: self.length(), half_length: self.length() }),
            8 => {
                Any::Cuboid(Cuboid { half_extents: Vector::new(self.length(), self.length(), self.length()) })
            }
            _ => {
                Any::Ellipsoid(Ellipsoid { radii: Vector::new(self.length(), self.length(), self.length()) })
            }
        }
    }

    fn rotation(&mut self) -> Matrix3<f64> {
        let axes = [Vector::x(), Vector::y(), Vector::z()];
        match self.random.random_range(0..5) {
            0 => Matrix3::identity(),
            1 => {
                let (first, step) = (self.random.random_range(0..3), self.random.random_range(1..3));
                let (x, y) = (axes[first], axes[(first + step) % 3]);
                Matrix3::from_columns(&[x, y, x.cross(&y)])
            }
            2 => {
                let axis = Unit::new_normalize(axes[self.random.random_range(0..3)]);
                let turn = f64::from(self.random.random_range(1..8)) * std::f64::consts::FRAC_PI_4;
                Rotation3::from_axis_angle(&axis, turn).into_inner()
            }
            _ => {
                let axis = Unit::new_normalize(self.vector() + Vector::new(1e-3, 0.0, 0.0));
                Rotation3::from_axis_angle(&axis, 3.2 * self.number()).into_inner()
            }
        }
    }

    /// Returns B's centre relative to A's: concentric, kissing along an axis or along a random direction, or anywhere.
    fn placement(
        &mut self,
        a: &Any,
        pose_a: &RigidTransform<Vector>,
        b: &Any,
        rotation_b: &Matrix3<f64>,
    ) -> Vector {
        let kiss = |d: Vector, gap: f64| {
            let reach_a = a.extent(&pose_a.rotation.tr_mul(&d));
            let reach_b = b.extent(&rotation_b.tr_mul(&-d));
            d * (reach_a + reach_b + gap)
        };
        match self.random.random_range(0..8) {
            0 => Vector::zeros(),
            1 => {
                let d = [Vector::x(), Vector::y(), Vector::z()][self.random.random_range(0..3)];
                let gap = [0.0, 1e-8, -1e-8, 1e-4, -1e-4][self.random.random_range(0..5)];
                let slide = self.vector().component_mul(&(Vector::repeat(1.0) - d)) * 0.5;
                kiss(d, gap) + if self.one_in(2) { slide } else { Vector::zeros() }
            }
            2 => {
                let d = (self.vector() + Vector::new(1e-3, 0.0, 0.0)).normalize();
                let gap = [0.0, 1e-12, 1e-8, -1e-8, 1e-4, -1e-4][self.random.random_range(0..6)];
                kiss(d, gap)
            }
            3 => self.vector() * 1e-3,
            4 | 5 => self.vector(),
            _ => self.vector() * 3.0,
        }
    }

    pub fn next(&mut self) -> Pair {
        let a = self.shape();
        let b = if self.one_in(6) { a.clone() } else { self.shape() };
        let far = if self.one_in(8) { 1e6 } else { 1.0 };
        let pose_a = RigidTransform::new(self.rotation(), self.vector() * far);
        let rotation_b = if self.one_in(4) { pose_a.rotation } else { self.rotation() };
        let apart = self.placement(&a, &pose_a, &b, &rotation_b);
        let pose_b = RigidTransform::new(rotation_b, pose_a.translation + apart);
        let power = if self.one_in(4) { self.random.random_range(-30..=30) } else { 0 };
        Pair { a, pose_a, b, pose_b, power }
    }
}
