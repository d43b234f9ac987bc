//! The best place that a search has found.

use crate::base::Sample;
use palpate_math::Point;

/// A point and its value.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) weights: [f64; 4],
    pub(super) point: Point,
    pub(super) sample: Sample,
}

/// The best point found.
#[derive(Clone, Copy, Default)]
pub(super) struct Incumbents {
    pub(super) best: Option<Found>,
}

impl Incumbents {
    pub(super) fn value(&self) -> f64 {
        self.best.map_or(f64::INFINITY, |best| best.sample.value)
    }
}

/// The attempts to find a point below the best that are left out: more after each that fails. Most searches know their best point long
/// before they have proven it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pause {
    length: usize,
    left: usize,
}

/// The most attempts left out.
const LONGEST_PAUSE: usize = 3;

impl Pause {
    /// Whether to make an attempt now; if not, it counts as left out.
    pub(super) fn try_now(&mut self) -> bool {
        let is_over = self.left == 0;
        self.left = self.left.saturating_sub(1);
        is_over
    }

    /// Begins a pause after an attempt that succeeded or failed.
    pub(super) fn restart(&mut self, succeeded: bool) {
        self.length = if succeeded { 0 } else { (2 * self.length + 1).min(LONGEST_PAUSE) };
        self.left = self.length;
    }
}
