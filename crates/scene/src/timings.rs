//! Times of the phases of a step.

use std::time::{Duration, Instant};

/// How long the phases of the last step took. All are zero while the scene is not [timed](crate::Scene::set_timed).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepTimings {
    /// The boxes of all geometries and the pairs whose boxes overlap, new pairs of groups bound.
    pub broad_phase: Duration,
    /// Derived data of the geometries of these pairs: trees, normals, boundaries.
    pub prepare: Duration,
    /// The detectors. [`Pair::time`](crate::Pair::time) is the share of one pair.
    pub detect: Duration,
    /// The copy for the threads that read snapshots.
    pub publish: Duration,
}

impl StepTimings {
    /// All phases together.
    pub fn total(&self) -> Duration {
        self.broad_phase + self.prepare + self.detect + self.publish
    }
}

/// A clock that stands still unless it is asked for.
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
