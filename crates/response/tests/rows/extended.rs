//! Double-double arithmetic: about 32 digits, from pairs of doubles.
//!
//! Source: T. J. Dekker, "A floating-point technique for extending the available precision" (1971).

use palpate_math::{Point, Vector};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The unevaluated sum of two doubles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extended {
    high: f64,
    low: f64,
}

/// The sum of two doubles, and its rounding error.
fn two_sum(a: f64, b: f64) -> Extended {
    let high = a + b;
    let part = high - a;
    Extended { high, low: (a - (high - part)) + (b - part) }
}

/// The two halves of a double's digits.
fn split(a: f64) -> (f64, f64) {
    let scaled = 134_217_729.0 * a; // 2^27 + 1
    let high = scaled - (scaled - a);
    (high, a - high)
}

/// The product of two doubles, and its rounding error.
fn two_product(a: f64, b: f64) -> Extended {
    let high = a * b;
    let ((a1, a2), (b1, b2)) = (split(a), split(b));
    Extended { high, low: ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2 }
}

impl From<f64> for Extended {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Add for Extended {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let sum = two_sum(self.high, other.high);
        two_sum(sum.high, sum.low + self.low + other.low)
    }
}

impl Neg for Extended {
    type Output = Self;
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Sub for Extended {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Extended {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = two_product(self.high, other.high);
        two_sum(product.high, product.low + self.high * other.low + self.low * other.high)
    }
}

impl Div for Extended {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * first.into();
        let second = rest.high / other.high;
        let rest = rest - other * second.into();
        Self::from(first) + second.into() + (rest.high / other.high).into()
    }
}

impl Extended {
    /// By one step of Newton's method.
    pub(crate) fn sqrt(self) -> Self {
        let root = Self::from(self.high.sqrt());
        root + (self - root * root) / (root + root)
    }

    pub(crate) fn to_f64(self) -> f64 {
        self.high + self.low
    }
}

/// A vector of extended numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triple(pub(crate) [Extended; 3]);

impl From<Vector> for Triple {
    fn from(vector: Vector) -> Self {
        Self([vector.x, vector.y, vector.z].map(Extended::from))
    }
}

impl From<Point> for Triple {
    fn from(point: Point) -> Self {
        point.coords.into()
    }
}

impl Add for Triple {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self([0, 1, 2].map(|k| self.0[k] + other.0[k]))
    }
}

impl Sub for Triple {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self([0, 1, 2].map(|k| self.0[k] - other.0[k]))
    }
}

impl Triple {
    pub(crate) fn times(self, factor: Extended) -> Self {
        Self(self.0.map(|x| x * factor))
    }

    pub(crate) fn dot(self, other: Self) -> Extended {
        self.0[0] * other.0[0] + self.0[1] * other.0[1] + self.0[2] * other.0[2]
    }

    pub(crate) fn cross(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    pub(crate) fn norm(self) -> Extended {
        self.dot(self).sqrt()
    }
}

#[test]
fn thirty_digits_are_kept() {
    let third = Extended::from(1.0) / 3.0.into();
    assert!((third * 3.0.into() - 1.0.into()).to_f64().abs() < 1e-31);
    let root = Extended::from(2.0).sqrt();
    assert!((root * root - 2.0.into()).to_f64().abs() < 1e-31);
    let small = Extended::from(1.0) + 1e-25.into();
    assert!(((small - 1.0.into()).to_f64() - 1e-25).abs() < 1e-31);
}
