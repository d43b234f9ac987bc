//! Signed distance grid: samples at the corners of equal cells. Its value between them is in `value.rs`.

use super::extremes::{Extremes, Pyramid};
use super::lattice::Lattice;
use crate::base::GeometryError;
use crate::base::validate::in_range;
use palpate_math::{Point, Vector};

/// Values on a lattice. Between the samples the value is trilinear, with its gradient; on a face between two cells the
/// gradient is that of the cell on the greater side.
///
/// **Outside the lattice's box** all values are positive. If the closest point of the box has the value v and is u
/// away, the value is the root of u² + max(v, 0)²: never more than the distance to the body, if v is not. A body that
/// reaches the sides of the box is clipped there: inside, the value is at least minus the distance to the closest side.
///
/// The value is a bound with a Lipschitz constant computed from the samples. Samples of a signed distance make it a
/// distance with an error of at most half the diagonal of a cell, and usually much less. Its [resolution](crate::ImplicitFunction::resolution)
/// is a thousandth of the shortest spacing.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    pub(super) lattice: Lattice,
    pub(super) values: Vec<f64>,
    pub(super) rate: f64,
    pub(super) lowest: f64,
    pub(super) extremes: Pyramid,
    /// No value outside the lattice's box is less than this, which is 0 or more.
    pub(super) least_outside: f64,
    /// Whether the distance to the sides of the lattice's box is nowhere the value in it.
    pub(super) is_whole: bool,
}

impl Grid {
    /// Creates a grid with its first sample at `origin`, `spacing` metres between samples along each axis, and `size`
    /// samples (at least two each way); `values` with x varying fastest, then y, then z. Errors: a non-finite number, a
    /// spacing not greater than 0, too few samples, a number of values that does not match `size`. Cost: linear in the
    /// samples.
    pub fn new(
        origin: Point,
        spacing: Vector,
        size: [usize; 3],
        values: Vec<f64>,
    ) -> Result<Self, GeometryError> {
        Self::on_lattice(Lattice::new(origin, spacing, size)?, values)
    }

    /// Creates the grid of these samples. Errors as [`new`](Self::new).
    #[doc(hidden)]
    pub fn on_lattice(lattice: Lattice, values: Vec<f64>) -> Result<Self, GeometryError> {
        let wanted = lattice.count();
        if values.len() != wanted {
            let what = "the list of values".to_owned();
            return Err(GeometryError::Length { what, found: values.len(), wanted });
        }
        for &value in &values {
            in_range("a value of the grid", value)?;
        }
        let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
        let extremes = Pyramid::new(&lattice, &values);
        let (rate, least_outside, is_whole) = (1.0, 0.0, false);
        let mut grid = Self { lattice, values, rate, lowest, extremes, least_outside, is_whole };
        grid.rate = grid.steepest().max(1.0);
        grid.measure_sides();
        Ok(grid)
    }

    /// Compares the samples with the distance to the sides of the lattice's box. That distance is a concave function: where
    /// its negative is at no sample of a cell above the sample, it is nowhere in the cell above their mean.
    fn measure_sides(&mut self) {
        let size = self.lattice.size;
        let mut on_sides = f64::INFINITY;
        self.is_whole = true;
        for (number, &value) in self.values.iter().enumerate() {
            let at = [number % size[0], number / size[0] % size[1], number / (size[0] * size[1])];
            if (0..3).any(|axis| at[axis] == 0 || at[axis] == size[axis] - 1) {
                on_sides = on_sides.min(value);
            }
            self.is_whole &= self.side(&self.lattice.place(at)).0 <= value;
        }
        self.least_outside = on_sides.max(0.0);
    }

    /// Returns the position of the first sample.
    pub fn origin(&self) -> Point {
        self.lattice.origin
    }

    /// Returns the spacing in metres between samples along each axis.
    pub fn spacing(&self) -> Vector {
        self.lattice.spacing
    }

    /// Returns the number of samples along each axis.
    pub fn size(&self) -> [usize; 3] {
        self.lattice.size
    }

    /// Returns the samples, x varying fastest, then y, then z.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns half the diagonal of a cell: the maximum error of the value relative to the sampled signed distance. A
    /// distance has Lipschitz constant one, and a point's weighted mean distance from its eight samples is at most
    /// that.
    pub fn error_bound(&self) -> f64 {
        self.lattice.half_diagonal()
    }

    /// Returns the Lipschitz constant of the trilinear value: within a cell each component of the gradient is a mean of
    /// the differences along the cell's four parallel edges.
    fn steepest(&self) -> f64 {
        let mut most = 0.0_f64;
        for k in 0..self.lattice.size[2] - 1 {
            for j in 0..self.lattice.size[1] - 1 {
                for i in 0..self.lattice.size[0] - 1 {
                    let Extremes { low, high, .. } =
                        Extremes::of_cell(&self.samples([i, j, k]), &self.lattice.spacing);
                    most = most.max(low.abs().sup(&high.abs()).norm_squared());
                }
            }
        }
        most.sqrt() * (1.0 + 8.0 * f64::EPSILON)
    }

    /// Returns the closest point of the box.
    pub(super) fn clamped(&self, point: &Point) -> Point {
        Point::from(point.coords.sup(&self.lattice.origin.coords).inf(&self.lattice.end().coords))
    }

    /// Returns minus the distance to the closest side of the box from inside, and its gradient; ties go to the lowest
    /// axis.
    pub(super) fn side(&self, inside: &Point) -> (f64, Vector) {
        let end = self.lattice.end();
        let mut nearest = (f64::NEG_INFINITY, Vector::zeros());
        for axis in 0..3 {
            for (height, out) in
                [(self.lattice.origin[axis] - inside[axis], -1.0), (inside[axis] - end[axis], 1.0)]
            {
                if height > nearest.0 {
                    nearest = (height, Vector::ith(axis, out));
                }
            }
        }
        nearest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::ImplicitFunction;
    use crate::grid::random_grid::rough;

    /// The Lipschitz constant is no less than the slope at the corners of any cell, where it is greatest, including the
    /// last cell of each axis.
    #[test]
    fn no_cell_is_steeper_than_the_lipschitz_number() {
        let mut steepest_in_last = [0; 3];
        for seed in 0..60 {
            let size = [3, 4, 3];
            let grid = rough(seed, size);
            let (mut most, mut place) = (0.0, [0; 3]);
            for corner in 0..36 * 8 {
                let at = [corner % 3, corner / 3 % 4, corner / 12 % 3];
                let toward = [0, 1, 2].map(|axis| {
                    let ahead = at[axis] == 0 || at[axis] + 1 < size[axis] && (corner / 36) >> axis & 1 == 1;
                    if ahead { 1_isize } else { -1 }
                });
                let value = |at: [usize; 3]| grid.values[grid.lattice.index(at)];
                let slope = Vector::from_fn(|axis, _| {
                    let mut next = at;
                    next[axis] = next[axis].checked_add_signed(toward[axis]).unwrap();
                    (value(next) - value(at)) / grid.lattice.spacing[axis]
                });
                if slope.norm() > most {
                    let cell = |axis: usize| at[axis] - usize::from(toward[axis] < 0);
                    (most, place) = (slope.norm(), [cell(0), cell(1), cell(2)]);
                }
            }
            assert!(grid.lipschitz().unwrap() >= most, "{seed}: {most}");
            for axis in 0..3 {
                steepest_in_last[axis] += usize::from(place[axis] + 2 == size[axis]);
            }
        }
        assert!(steepest_in_last.iter().all(|count| *count > 5), "{steepest_in_last:?}");
    }

    #[test]
    fn what_is_no_grid_is_refused() {
        let spacing = Vector::repeat(1.0);
        let message = |result: Result<Grid, GeometryError>| result.unwrap_err().to_string();
        let grid = |size, values| Grid::new(Point::origin(), spacing, size, values);
        assert_eq!(message(grid([2, 2, 2], vec![0.0; 7])), "the list of values has length 7: wanted 8");
        assert!(message(grid([1, 2, 2], vec![0.0; 4])).contains("the grid along axis 0"));
        assert!(message(grid([2, 2, 2], vec![f64::NAN; 8])).contains("a value of the grid is NaN"));
        assert!(grid([usize::MAX, 2, 2], vec![0.0; 8]).is_err());
        let flat = Vector::new(1.0, 0.0, 1.0);
        assert!(message(Grid::new(Point::origin(), flat, [2; 3], vec![0.0; 8])).contains("the spacing is 0"));
    }
}
