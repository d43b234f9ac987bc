//! How close a lower bound is to the best value when a search converges.

use crate::function::ImplicitFunction;
use palpate_math::{Point, rounding};

/// The part of the gap to which bounds are searched. The rest is for rounding errors, and for sizes that are bounds themselves.
const SEARCHED: f64 = 0.5;

/// Returns the rounding error of a length between some extreme points.
pub(super) fn rounding_at(corners: &[Point]) -> f64 {
    rounding::length(rounding::largest_coordinate(corners))
}

/// The gap of a search, relative to the size of what is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tolerance {
    pub(super) relative: f64,
    /// The gap is relative to this where what is searched is larger.
    pub(super) largest: f64,
}

impl Tolerance {
    /// Creates the tolerance, given the gap relative to whatever is searched.
    pub(super) const fn new(relative: f64) -> Self {
        Self { relative, largest: f64::INFINITY }
    }

    /// Returns the gap for a domain of this radius.
    pub(super) fn of(&self, radius: f64) -> f64 {
        SEARCHED * self.relative * radius.min(self.largest)
    }

    /// Returns the gap for a domain of this radius, but no less than rounding error, given some of its extreme points.
    pub(super) fn gap(&self, radius: f64, corners: &[Point]) -> f64 {
        self.of(radius).max(4.0 * rounding_at(corners))
    }

    /// Returns the gap of a search of a function for a domain of this radius, given some of its extreme points: no less than half the
    /// resolution of the function and of its constraint.
    pub(super) fn gap_of(
        &self,
        function: &dyn ImplicitFunction,
        constraint: Option<&dyn ImplicitFunction>,
        radius: f64,
        corners: &[Point],
    ) -> f64 {
        let of_constraint = constraint.map_or(0.0, |constraint| constraint.resolution());
        self.gap(radius, corners).max(SEARCHED * function.resolution().max(of_constraint))
    }
}
