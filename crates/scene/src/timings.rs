//! Times of the phases of a step.

use std::time::{Duration, Instant};

/// The durations of the phases of the last step. All are zero if the scene is not [timed](crate::Scene::set_timed).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepTimings {
    /// Boxes of all geometries, search for overlapping pairs, and binding of new pairs of groups.
    pub broad_phase: Duration,
    /// Derived data of the geometries of these pairs: trees, normals, boundaries.
    pub prepare: Duration,
    /// The detectors. [`Pair::time`](crate::Pair::time) is the time of one pair.
    pub detect: Duration,
    /// The copy of the contacts for threads that read snapshots.
    pub publish: Duration,
}

impl StepTimings {
    /// Sum of all phases.
    pub fn total(&self) -> Duration {
        self.broad_phase + self.prepare + self.detect + self.publish
    }
}

/// A stopwatch that reads no clock unless enabled.
pub(crate) struct Clock(Option<Instant>);

impl Clock {
    pub(crate) fn start(runs: bool) -> Self {
        Self(runs.then(Instant::now))
    }

    /// The time since the start or the last lap.
    pub(crate) fn lap(&mut self) -> Duration {
        match &mut self.0 {
            Some(last) => {
                let now = Instant::now();
                now - std::mem::replace(last, now)
            }
            None => Duration::ZERO,
        }
    }
}
