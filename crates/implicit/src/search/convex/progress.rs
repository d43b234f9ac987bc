//! How far a search has come.

use super::objective::Tangent;

/// The best place and the best bound so far.
pub(super) struct Progress {
    pub(super) best: Option<Tangent>,
    pub(super) lower: f64,
    pub(super) cutoff: f64,
    pub(super) gap: f64,
    pub(super) rounding: f64,
}

impl Progress {
    /// Takes a place in the solid and a lower bound of all values, before rounding.
    pub(super) fn take(&mut self, tangent: &Tangent, lower: f64) {
        self.bound(lower);
        if self.best.is_none_or(|best| tangent.value < best.value) {
            self.best = Some(*tangent);
        }
    }

    /// Takes a lower bound of all values, before rounding.
    pub(super) fn bound(&mut self, lower: f64) {
        self.lower = self.lower.max(lower - self.rounding);
    }

    pub(super) fn rounding(&self) -> f64 {
        self.rounding
    }

    /// Whether the bound is met, or above the cutoff.
    pub(super) fn is_done(&self) -> bool {
        self.lower > self.cutoff || self.best.is_some_and(|best| best.value - self.lower <= self.gap)
    }
}
