//! The vector algebra that the algorithms need, the same for the plane and for space.

use std::fmt::Debug;
use std::ops::{Add, Mul, Neg, Sub};

use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

/// A vector of the plane ([`Vector2`]) or of space ([`Vector3`]).
///
/// Implemented for these two types only.
pub trait VectorSpace:
    Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
{
    /// 2 or 3. A simplex with one more vertex than this has an interior.
    const DIMENSION: usize;
    /// An orthonormal matrix of this dimension.
    type Rotation: Copy + Debug + PartialEq + Send + Sync + 'static;

    /// Returns the null vector.
    fn zero() -> Self;
    /// Returns the unit vector along coordinate `index`, modulo the dimension.
    fn axis(index: usize) -> Self;
    /// Returns the inner product, summed from the first coordinate to the last.
    fn inner(self, other: Self) -> f64;
    /// Returns a coordinate; zero beyond the dimension.
    fn coordinate(self, index: usize) -> f64;
    /// Returns the largest absolute coordinate.
    fn largest(self) -> f64;
    /// Returns a vector perpendicular to this one, of similar length; zero only if this one is.
    fn perpendicular(self) -> Self;
    /// Returns a vector perpendicular to both edges (in 2D to the first alone); zero if they are parallel (in 3D).
    fn normal_of(first: Self, second: Self) -> Self;
    /// Returns the part of this vector perpendicular to another, times the square of that one's length.
    fn across(self, other: Self) -> Self;
    /// Returns the identity rotation.
    fn identity() -> Self::Rotation;
    /// Creates a vector from coordinates; those beyond the dimension are ignored.
    fn of_coordinates(coordinates: [f64; 3]) -> Self;
    /// Returns a row of a rotation; zero beyond the dimension.
    fn row(rotation: &Self::Rotation, index: usize) -> Self;
    /// Applies a rotation.
    fn rotated(self, rotation: &Self::Rotation) -> Self;
    /// Applies the inverse of a rotation.
    fn unrotated(self, rotation: &Self::Rotation) -> Self;
    /// Returns the rotation from the frame of `inner` to the frame of `outer`, both given in a third.
    fn relative(outer: &Self::Rotation, inner: &Self::Rotation) -> Self::Rotation;
    /// Returns one of `count` unit vectors evenly spread over all directions.
    fn spread(index: u32, count: u32) -> Self;

    /// Returns the squared length.
    #[inline(always)]
    fn squared(self) -> f64 {
        self.inner(self)
    }

    /// Returns the length.
    #[inline(always)]
    fn length(self) -> f64 {
        self.squared().sqrt()
    }
}

impl VectorSpace for Vector3<f64> {
    const DIMENSION: usize = 3;
    type Rotation = Matrix3<f64>;

    #[inline(always)]
    fn zero() -> Self {
        Self::new(0.0, 0.0, 0.0)
    }

    #[inline(always)]
    fn axis(index: usize) -> Self {
        match index % 3 {
            0 => Self::new(1.0, 0.0, 0.0),
            1 => Self::new(0.0, 1.0, 0.0),
            _ => Self::new(0.0, 0.0, 1.0),
        }
    }

    #[inline(always)]
    fn inner(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    fn coordinate(self, index: usize) -> f64 {
        match index {
            0 => self.x,
            1 => self.y,
            2 => self.z,
            _ => 0.0,
        }
    }

    #[inline(always)]
    fn largest(self) -> f64 {
        let (x, y, z) = (self.x.abs(), self.y.abs(), self.z.abs());
        let larger = if y > x { y } else { x };
        if z > larger { z } else { larger }
    }

    #[inline]
    fn perpendicular(self) -> Self {
        let (x, y, z) = (self.x.abs(), self.y.abs(), self.z.abs());
        if x <= y && x <= z {
            Self::new(0.0, self.z, -self.y)
        } else if y <= z {
            Self::new(-self.z, 0.0, self.x)
        } else {
            Self::new(self.y, -self.x, 0.0)
        }
    }

    #[inline(always)]
    fn normal_of(first: Self, second: Self) -> Self {
        cross(first, second)
    }

    #[inline(always)]
    fn across(self, other: Self) -> Self {
        cross(other, cross(self, other))
    }

    #[inline(always)]
    fn identity() -> Matrix3<f64> {
        Matrix3::identity()
    }

    #[inline(always)]
    fn of_coordinates([x, y, z]: [f64; 3]) -> Self {
        Self::new(x, y, z)
    }

    #[inline(always)]
    fn row(m: &Matrix3<f64>, index: usize) -> Self {
        match index {
            0 => Self::new(m.m11, m.m12, m.m13),
            1 => Self::new(m.m21, m.m22, m.m23),
            _ => Self::new(m.m31, m.m32, m.m33),
        }
    }

    #[inline(always)]
    fn rotated(self, rotation: &Matrix3<f64>) -> Self {
        let m = rotation;
        Self::new(
            m.m11 * self.x + m.m12 * self.y + m.m13 * self.z,
            m.m21 * self.x + m.m22 * self.y + m.m23 * self.z,
            m.m31 * self.x + m.m32 * self.y + m.m33 * self.z,
        )
    }

    #[inline(always)]
    fn unrotated(self, rotation: &Matrix3<f64>) -> Self {
        let m = rotation;
        Self::new(
            m.m11 * self.x + m.m21 * self.y + m.m31 * self.z,
            m.m12 * self.x + m.m22 * self.y + m.m32 * self.z,
            m.m13 * self.x + m.m23 * self.y + m.m33 * self.z,
        )
    }

    #[inline(always)]
    fn relative(outer: &Matrix3<f64>, inner: &Matrix3<f64>) -> Matrix3<f64> {
        let column = |x: f64, y: f64, z: f64| Self::new(x, y, z).unrotated(outer);
        let first = column(inner.m11, inner.m21, inner.m31);
        let second = column(inner.m12, inner.m22, inner.m32);
        let third = column(inner.m13, inner.m23, inner.m33);
        Matrix3::new(first.x, second.x, third.x, first.y, second.y, third.y, first.z, second.z, third.z)
    }

    /// A spiral with equal steps in height, turning by the golden angle (Gonzalez 2010, doi:10.1007/s11004-009-9257-x).
    fn spread(index: u32, count: u32) -> Self {
        let height = 1.0 - (2.0 * f64::from(index) + 1.0) / f64::from(count);
        let turn = f64::from(index) * (std::f64::consts::PI * (3.0 - 5.0_f64.sqrt()));
        let across = (1.0 - height * height).sqrt();
        Self::new(across * libm::cos(turn), across * libm::sin(turn), height)
    }
}

impl VectorSpace for Vector2<f64> {
    const DIMENSION: usize = 2;
    type Rotation = Matrix2<f64>;

    #[inline(always)]
    fn zero() -> Self {
        Self::new(0.0, 0.0)
    }

    #[inline(always)]
    fn axis(index: usize) -> Self {
        if index.is_multiple_of(2) { Self::new(1.0, 0.0) } else { Self::new(0.0, 1.0) }
    }

    #[inline(always)]
    fn inner(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    #[inline(always)]
    fn coordinate(self, index: usize) -> f64 {
        match index {
            0 => self.x,
            1 => self.y,
            _ => 0.0,
        }
    }

    #[inline(always)]
    fn largest(self) -> f64 {
        self.x.abs().max(self.y.abs())
    }

    #[inline(always)]
    fn perpendicular(self) -> Self {
        Self::new(-self.y, self.x)
    }

    #[inline(always)]
    fn normal_of(first: Self, _second: Self) -> Self {
        first.perpendicular()
    }

    #[inline(always)]
    fn across(self, other: Self) -> Self {
        let normal = Self::new(-other.y, other.x);
        normal * self.inner(normal)
    }

    #[inline(always)]
    fn identity() -> Matrix2<f64> {
        Matrix2::identity()
    }

    #[inline(always)]
    fn of_coordinates([x, y, _]: [f64; 3]) -> Self {
        Self::new(x, y)
    }

    #[inline(always)]
    fn row(m: &Matrix2<f64>, index: usize) -> Self {
        match index {
            0 => Self::new(m.m11, m.m12),
            1 => Self::new(m.m21, m.m22),
            _ => Self::zero(),
        }
    }

    #[inline(always)]
    fn rotated(self, m: &Matrix2<f64>) -> Self {
        Self::new(m.m11 * self.x + m.m12 * self.y, m.m21 * self.x + m.m22 * self.y)
    }

    #[inline(always)]
    fn unrotated(self, m: &Matrix2<f64>) -> Self {
        Self::new(m.m11 * self.x + m.m21 * self.y, m.m12 * self.x + m.m22 * self.y)
    }

    #[inline(always)]
    fn relative(outer: &Matrix2<f64>, inner: &Matrix2<f64>) -> Matrix2<f64> {
        let first = Self::new(inner.m11, inner.m21).unrotated(outer);
        let second = Self::new(inner.m12, inner.m22).unrotated(outer);
        Matrix2::new(first.x, second.x, first.y, second.y)
    }

    fn spread(index: u32, count: u32) -> Self {
        let turn = f64::from(index) * (std::f64::consts::TAU / f64::from(count));
        Self::new(libm::cos(turn), libm::sin(turn))
    }
}

/// Computes the cross product, written out so that it is always inlined.
#[inline(always)]
pub(crate) fn cross(a: Vector3<f64>, b: Vector3<f64>) -> Vector3<f64> {
    Vector3::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
