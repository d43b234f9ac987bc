//! A surface of the second degree in a cell.

use crate::implicit::quadric::Quadric;
use nalgebra::Matrix3;
use palpate_math::{Point, Vector};

/// Bounds the rounding error of a polynomial, relative to its largest term.
pub(super) const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// More than the diagonal of a cell in its sizes.
const ACROSS: f64 = 1.7321;

/// A polynomial about the first corner of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    value: f64,
    slope: Vector,
    pub(super) bend: Matrix3<f64>,
    /// With this added the bend has no negative eigenvalue.
    sunk: Matrix3<f64>,
    /// The rounding error of its values in the cell.
    pub(super) rounding: f64,
}

impl Surface {
    pub(super) fn new(of: &Quadric, low: &Point, size: &Vector) -> Self {
        let from = low - of.origin;
        if of.is_flat() {
            let (value, slope) = Self::plane(of, low, size);
            let largest = of.value.abs() + of.slope.norm() * (from.norm() + size.norm());
            let bend = Matrix3::zeros();
            return Self { value, slope, bend, sunk: bend, rounding: ROUNDING * largest };
        }
        let turned = of.bend * from;
        let scaled =
            |m: &Matrix3<f64>| Matrix3::from_fn(|row, column| m[(row, column)] * (size[row] * size[column]));
        let far = from.norm() + size.norm();
        let largest = of.value.abs() + of.slope.norm() * far + 0.5 * of.bend.norm() * far * far;
        Self {
            value: of.value + of.slope.dot(&from) + 0.5 * from.dot(&turned),
            slope: (of.slope + turned).component_mul(size),
            bend: scaled(&of.bend),
            sunk: scaled(&of.sunk),
            rounding: ROUNDING * largest,
        }
    }

    /// Creates the polynomial from one whose positions are in sizes of the cell already.
    pub(super) fn in_sizes(of: &Quadric) -> Self {
        let Quadric { ref origin, value, slope, bend, sunk } = *of;
        let place = &origin.coords;
        let turned = bend * place;
        let far = place.norm() + ACROSS;
        let largest = value.abs() + slope.norm() * far + 0.5 * bend.norm() * far * far;
        Self {
            value: value - slope.dot(place) + 0.5 * place.dot(&turned),
            slope: slope - turned,
            bend,
            sunk,
            rounding: ROUNDING * largest,
        }
    }

    /// Returns the value of a plane at the first corner of a cell, and its slope.
    pub(super) fn plane(of: &Quadric, low: &Point, size: &Vector) -> (f64, Vector) {
        (of.value + of.slope.dot(&(low - of.origin)), of.slope.component_mul(size))
    }

    pub(super) fn at(&self, place: &Vector) -> (f64, Vector) {
        let turned = self.bend * place;
        (self.value + self.slope.dot(place) + 0.5 * place.dot(&turned), self.slope + turned)
    }

    pub(super) fn is_flat(&self) -> bool {
        self.bend == Matrix3::zeros()
    }

    pub(super) fn is_convex(&self) -> bool {
        self.sunk == Matrix3::zeros()
    }

    /// Returns by how much the polynomial may be below its tangent plane, up to as far from a place along each axis.
    pub(super) fn drop(&self, far: &Vector) -> f64 {
        if self.is_convex() {
            return 0.0;
        }
        let by_terms = |m: &Matrix3<f64>| far.dot(&(m.abs() * far));
        // What bends upward along the axes is left out.
        let upward = self.bend.diagonal().map(|bend| bend.max(0.0)).dot(&far.component_mul(far));
        0.5 * by_terms(&self.sunk).min(by_terms(&self.bend) - upward)
    }

    /// Returns the place on the surface that is closest along the slope at a place, given the size of the cell; where there is
    /// none, the lowest.
    pub(super) fn beside(&self, place: &Vector, size: &Vector) -> Vector {
        let (height, slope) = self.at(place);
        let way = slope.component_div(size).component_div(size);
        let (rate, bend) = (slope.dot(&way), way.dot(&(self.bend * way)));
        if rate == 0.0 {
            return *place;
        }
        // The root of height - rate t + bend t² / 2 that is closest to zero.
        let root = (rate * rate - 2.0 * bend * height).max(0.0).sqrt();
        place - way * (2.0 * height / (rate + root))
    }
}
