//! Regular lattice of points.

use crate::base::GeometryError;
use crate::base::validate::{finite_point, positive};
use palpate_math::{Point, Vector, rounding};

/// The sample points of a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// The position of the first sample.
    pub origin: Point,
    /// The metres between samples along each axis.
    pub spacing: Vector,
    /// The number of points along each axis: two or more.
    pub size: [usize; 3],
    end: Point,
}

impl Lattice {
    /// Creates a lattice. Errors: a non-finite number, a spacing not greater than 0, fewer than two points along an
    /// axis.
    pub fn new(origin: Point, spacing: Vector, size: [usize; 3]) -> Result<Self, GeometryError> {
        let origin = finite_point("the origin", origin)?;
        for axis in 0..3 {
            positive("the spacing", spacing[axis])?;
            if size[axis] < 2 {
                let what = format!("the grid along axis {axis}");
                return Err(GeometryError::Length { what, found: size[axis], wanted: 2 });
            }
        }
        let mut lattice = Self { origin, spacing, size, end: origin };
        lattice.end = finite_point("the end of the grid", lattice.place(size.map(|n| n - 1)))?;
        Ok(lattice)
    }

    /// Returns the number of points, saturating.
    pub fn count(&self) -> usize {
        self.size.iter().try_fold(1_usize, |count, &n| count.checked_mul(n)).unwrap_or(usize::MAX)
    }

    /// Returns the index of a point, x varying fastest, then y, then z.
    pub fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        i + self.size[0] * (j + self.size[1] * k)
    }

    /// Returns the eight samples of a cell, x varying fastest.
    #[inline]
    pub(super) fn samples(&self, values: &[f64], cell: [usize; 3]) -> [f64; 8] {
        let first = self.index(cell);
        let above = first + self.size[0] * self.size[1];
        let row = |from: usize| {
            let samples = &values[from..from + 2];
            [samples[0], samples[1]]
        };
        let [[a, b], [c, d]] = [row(first), row(first + self.size[0])];
        let [[e, f], [g, h]] = [row(above), row(above + self.size[0])];
        [a, b, c, d, e, f, g, h]
    }

    /// Returns the position of a sample.
    pub fn place(&self, [i, j, k]: [usize; 3]) -> Point {
        let steps = Vector::new(i as f64, j as f64, k as f64);
        self.origin + self.spacing.component_mul(&steps)
    }

    /// Returns the last point.
    pub fn end(&self) -> Point {
        self.end
    }

    /// Returns half the diagonal of a cell: the maximum distance of a point in it from the closest corner.
    pub fn half_diagonal(&self) -> f64 {
        0.5 * self.spacing.norm()
    }

    /// Returns the rounding error of the points.
    pub fn rounding(&self) -> f64 {
        rounding::length(rounding::largest_coordinate(&[self.origin, self.end()]))
    }
}
