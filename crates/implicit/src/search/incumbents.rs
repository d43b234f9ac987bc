//! The best places that a search has found.

use crate::base::Sample;
use palpate_math::{Point, Vector};

/// A point and its value.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) weights: [f64; 4],
    pub(super) point: Point,
    pub(super) sample: Sample,
    /// If all is convex: the value at the point and the gradient of a linear lower bound of the function (under the
    /// constraint).
    pub(super) tangent: (f64, Vector),
}

/// The best points found.
#[derive(Clone, Copy, Default)]
pub(super) struct Incumbents {
    pub(super) best: Option<Found>,
    /// The best of those whose tangent descends in the opposite direction.
    pub(super) opposed: Option<Found>,
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

/// Returns a linear function through the value at a point that bounds a convex function from below wherever a convex
/// constraint is not positive: its gradient, minus the component normal to the constraint's surface.
pub(super) fn tangent(sample: &Sample, limit: Option<&Sample>) -> (f64, Vector) {
    let Some(limit) = limit else { return (sample.value, sample.gradient) };
    let square = limit.gradient.norm_squared();
    let outward = -sample.gradient.dot(&limit.gradient);
    if outward <= 0.0 || square == 0.0 {
        return (sample.value, sample.gradient);
    }
    let share = outward / square;
    (sample.value + share * limit.value, sample.gradient + limit.gradient * share)
}
