//! A facet that is searched, and what is known of its least value.

use super::plane::Plane;
use super::polygon::Place;

/// A search that took too long.
pub(super) struct Stalled;

/// A plane that is searched.
pub(super) struct Facet<'a> {
    pub(super) plane: Plane<'a>,
}

/// The least value so far.
pub(super) struct Least {
    pub(super) value: f64,
    pub(super) at: Place,
    cutoff: f64,
    /// A lower bound of all that was left out.
    pub(super) left_out: f64,
    pub(super) gap: f64,
    /// The number of polygons that were halved.
    pub(super) halved: usize,
}

impl Least {
    pub(super) fn below(cutoff: f64, gap: f64) -> Self {
        Self { value: f64::INFINITY, at: [0.0; 2], cutoff, left_out: f64::INFINITY, gap, halved: 0 }
    }

    /// Returns a lower bound of all values.
    pub(super) fn lower(&self) -> f64 {
        self.left_out.min(self.value)
    }

    pub(super) fn consider(&mut self, value: f64, at: impl FnOnce() -> Place) {
        if value < self.value {
            (self.value, self.at) = (value, at());
        }
    }

    /// Leaves out values, given a lower bound of them, if they are of no use.
    pub(super) fn leaves_out(&mut self, bound: f64) -> bool {
        let is_useless = bound > self.cutoff || bound >= self.value - self.gap;
        if is_useless {
            self.left_out = self.left_out.min(bound);
        }
        is_useless
    }
}
