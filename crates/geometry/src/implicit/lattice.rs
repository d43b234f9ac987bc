//! Places at equal distances along each axis.

use crate::GeometryError;
use crate::validate::{finite_point, positive};
use palpate_math::{Point, Vector, rounding};

/// The places at which a grid has samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lattice {
    pub(super) origin: Point,
    pub(super) spacing: Vector,
    /// The number of places along each axis: two or more.
    pub(super) size: [usize; 3],
}

impl Lattice {
    /// Errors: a number that is not finite, a spacing not greater than 0, fewer than two places along an axis.
    pub(super) fn new(origin: Point, spacing: Vector, size: [usize; 3]) -> Result<Self, GeometryError> {
        let origin = finite_point("the origin", origin)?;
        for axis in 0..3 {
            positive("the spacing", spacing[axis])?;
            if size[axis] < 2 {
                let what = format!("the grid along axis {axis}");
                return Err(GeometryError::Length { what, found: size[axis], wanted: 2 });
            }
        }
        Ok(Self { origin, spacing, size })
    }

    /// The number of places; the largest number there is, where they are more.
    pub(super) fn count(&self) -> usize {
        self.size.iter().try_fold(1_usize, |count, &n| count.checked_mul(n)).unwrap_or(usize::MAX)
    }

    /// Where a place is in a list of all, x running fastest, then y, then z.
    pub(super) fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        i + self.size[0] * (j + self.size[1] * k)
    }

    pub(super) fn place(&self, [i, j, k]: [usize; 3]) -> Point {
        let steps = Vector::new(i as f64, j as f64, k as f64);
        self.origin + self.spacing.component_mul(&steps)
    }

    /// The last place.
    pub(super) fn end(&self) -> Point {
        self.place(self.size.map(|n| n - 1))
    }

    /// Half the diagonal of a cell: from any place in it to the nearest of its corners, at most.
    pub(super) fn half_diagonal(&self) -> f64 {
        0.5 * self.spacing.norm()
    }

    /// What rounding leaves undecided of the places.
    pub(super) fn rounding(&self) -> f64 {
        rounding::length(rounding::largest_coordinate(&[self.origin, self.end()]))
    }
}
