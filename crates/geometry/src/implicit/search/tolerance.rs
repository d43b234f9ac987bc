//! How close a lower bound is to the best value when a search converges.

use palpate_math::{Point, rounding};

/// The part of the gap to which bounds are searched. The rest is for rounding errors, and for sizes that are bounds themselves.
const SEARCHED: f64 = 0.5;

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

    /// Creates the tolerance with a gap for a domain of a radius.
    pub(super) fn of_gap(gap: f64, radius: f64) -> Self {
        Self::new(gap / (SEARCHED * radius))
    }

    /// Returns the gap for a domain of this radius.
    pub(super) fn of(&self, radius: f64) -> f64 {
        SEARCHED * self.relative * radius.min(self.largest)
    }

    /// Returns the gap for a domain of this radius, but no less than rounding error, given some of its extreme points.
    pub(super) fn gap(&self, radius: f64, corners: &[Point]) -> f64 {
        self.of(radius).max(4.0 * rounding::length(rounding::largest_coordinate(corners)))
    }

    /// Returns a part of the tolerance.
    #[must_use]
    pub(super) fn part(self, part: f64) -> Self {
        Self { relative: part * self.relative, ..self }
    }
}
