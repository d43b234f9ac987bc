//! A plane across a grid.

use super::polygon::Place;
use super::samples::Grid;
use palpate_math::Vector;

/// A plane in the lattice's frame, whose unit is the spacing along each axis.
pub(super) struct Plane<'a> {
    pub(super) grid: &'a Grid,
    /// The position of the place (0, 0).
    pub(super) origin: Vector,
    /// Two vectors that span the plane.
    pub(super) axes: [Vector; 2],
}

impl Plane<'_> {
    pub(super) fn position(&self, [x, y]: &Place) -> Vector {
        self.origin + self.axes[0] * *x + self.axes[1] * *y
    }
}
