//! The surface of a grid in one of its cells, as a polynomial of the second degree below its value.
//!
//! Of the value about a place all is of the second degree but one product: that of the ways along the three edges. With `m` the
//! longest of these the product is no more than `m / 3` times the sum of their squares.

use super::cell::CellValue;
use crate::implicit::means::largest_of;
use crate::implicit::quadric::Quadric;
use nalgebra::Matrix3;
use palpate_math::{Point, Vector, rounding};

/// Bounds the rounding error of values, relative to the samples.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// A cell of any orientation and its trilinear value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Twisted {
    corner: Point,
    /// The edges over the squares of their lengths.
    ways: Matrix3<f64>,
    value: CellValue,
    /// The rounding error of the values, and of positions.
    rounding: [f64; 2],
}

/// The same in the cell of another grid: positions are in sizes of that one from its first corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct TwistedIn {
    /// Where the first corner of the other cell is in this one, and its edges.
    first: Vector,
    ways: Matrix3<f64>,
    /// The products of the edges with each other.
    squares: Matrix3<f64>,
    value: CellValue,
    /// The rounding error of the values, and of positions along each axis.
    of_values: f64,
    of_positions: Vector,
}

impl Twisted {
    /// Creates the cell from its corners, x varying fastest, and the samples there.
    pub(super) fn new(corners: &[Point; 8], samples: &[f64; 8]) -> Self {
        let largest = largest_of(samples);
        Self {
            corner: corners[0],
            ways: Matrix3::from_columns(&axes_of(corners)),
            value: CellValue::new(samples),
            rounding: [ROUNDING * largest, rounding::length(rounding::largest_coordinate(corners))],
        }
    }

    /// Returns the same in a cell, given its first corner and its size.
    pub(super) fn in_cell(&self, low: &Point, size: &Vector) -> TwistedIn {
        let [of_values, of_positions] = self.rounding;
        let ways = self.ways.transpose() * Matrix3::from_diagonal(size);
        TwistedIn {
            first: self.ways.tr_mul(&(low - self.corner)),
            squares: ways.tr_mul(&ways),
            ways,
            value: self.value,
            of_values,
            of_positions: size.map(|length| of_positions / length),
        }
    }
}

impl TwistedIn {
    /// Returns a polynomial that is nowhere in the cell above the value, and is that at a place but for rounding, given how far
    /// from the place the cell is of interest along each axis.
    pub(super) fn touching(&self, place: &Vector, far: &Vector) -> Quadric {
        let at = self.first + self.ways * place;
        let in_cell = at.abs().sup(&(Vector::repeat(1.0) - at).abs());
        let most = (self.ways.abs() * far).inf(&in_cell).amax();
        let third = (2.0 / 3.0) * self.value.third().abs() * most;
        let local = self.value.at(&at);
        let bend = local.bend() - Matrix3::from_diagonal_element(third);
        let sunk = least_bend(&bend) + third;
        let slope = self.ways.tr_mul(&local.gradient);
        let value = local.value - self.of_values - self.of_positions.dot(&slope.abs());
        let bend = self.ways.tr_mul(&bend) * self.ways;
        Quadric { origin: Point::from(*place), value, slope, bend, sunk: self.squares * sunk }
    }
}

/// Returns the edges of a box over the squares of their lengths, given its corners: with these a position is in sizes of the box.
pub(super) fn axes_of(corners: &[Point; 8]) -> [Vector; 3] {
    [1, 2, 4].map(|corner| {
        let edge = corners[corner] - corners[0];
        edge / edge.norm_squared()
    })
}

/// Returns a bound of the magnitude of the least eigenvalue of a matrix, of which only the entries beside the diagonal count: these
/// eigenvalues add up to zero, and their squares to twice the sum of the squares of the three entries. The two of the same sign are
/// the negative ones if the product of the entries is positive.
fn least_bend(bend: &Matrix3<f64>) -> f64 {
    let [a, b, c] = [bend[(0, 1)], bend[(1, 2)], bend[(2, 0)]];
    let squares = a * a + b * b + c * c;
    let by_squares = if a * b * c >= 0.0 { squares } else { (4.0 / 3.0) * squares };
    let [a, b, c] = [a, b, c].map(f64::abs);
    by_squares.sqrt().min((a + b).max(b + c).max(c + a))
}

#[cfg(test)]
mod tests {
    use super::super::random_grid::Random;
    use super::*;
    use crate::Pose;

    /// In random cells the polynomial is nowhere above the value, and close to it beside the point; with what it is sunk it is
    /// convex.
    #[test]
    fn the_polynomial_is_below_the_value() {
        let mut random = Random(41);
        let mut close = 0;
        for case in 0..300 {
            let pose = Pose::new(random.vector(), random.vector() * 3.0);
            let size = Vector::repeat(1.1) + random.vector();
            let corners: [Point; 8] = std::array::from_fn(|corner| {
                pose * Point::from(Vector::from_fn(|axis, _| size[axis] * (corner >> axis & 1) as f64))
            });
            let samples: [f64; 8] = std::array::from_fn(|_| random.number());
            let (low, edges) = (Point::from(random.vector()), Vector::repeat(1.5) + random.vector());
            let twisted = Twisted::new(&corners, &samples).in_cell(&low, &edges);
            let mut place = || {
                let at = (random.vector() + Vector::repeat(1.0)) * 0.5;
                let value = twisted.value.at(&at).value;
                let point = pose * Point::from(at.component_mul(&size));
                ((point - low).component_div(&edges), value)
            };
            let (point, value) = place();
            for _ in 0..100 {
                let (other, wanted) = place();
                let far = (other - point).abs();
                let polynomial = twisted.touching(&point, &far);
                assert!((polynomial.at(&point.into()).0 - value).abs() < 1e-13, "{case}");
                let found = polynomial.at(&other.into()).0;
                assert!(found <= wanted, "{case}: {found} {wanted}");
                close += usize::from(wanted - found < 0.05);
                let way = other - point;
                let lifted = way.dot(&((polynomial.bend + polynomial.sunk) * way));
                assert!(lifted > -1e-12, "{case}: {lifted}");
            }
        }
        assert!(close > 3000, "{close}");
    }
}
