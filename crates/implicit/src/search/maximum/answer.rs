//! The searches for the least value of a maximum, and their result.

use super::problem::{Outcome, Problem};
use super::proof::Maximum;
use crate::base::OrientedBounds;
use crate::function::ImplicitFunction;
use crate::search::convex::ConvexDomain;
use crate::search::minimum::Minimum;
use crate::search::tolerance::Tolerance;

/// The result of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    /// The minimum, if it is at most the cutoff.
    Settled(Option<Minimum>),
    /// The function is no such maximum, or the search gave up; with the best place that it has found.
    Open(Option<Minimum>),
}

impl Maximum {
    /// Searches for the minimum over a convex solid, if it is at most `cutoff`.
    pub(crate) fn over(
        &mut self,
        function: &dyn ImplicitFunction,
        domain: &ConvexDomain<'_>,
        cutoff: f64,
        tolerance: Tolerance,
    ) -> Answer {
        match Problem::over(function, domain, tolerance.of(domain.reach()), self.solid()) {
            Some(problem) => self.answer(function, problem, cutoff),
            None => Answer::Open(None),
        }
    }

    /// Searches for the minimum over the part of a box where another such function is not positive.
    pub(crate) fn within(
        &mut self,
        function: &dyn ImplicitFunction,
        constraint: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
        tolerance: Tolerance,
    ) -> Answer {
        match Problem::within(function, constraint, root, tolerance.of(root.reach()), self.solid()) {
            Some(problem) => self.answer(function, problem, cutoff),
            None => Answer::Open(None),
        }
    }

    fn answer(&mut self, function: &dyn ImplicitFunction, problem: Problem<'_>, cutoff: f64) -> Answer {
        let outcome = self.least(&problem, cutoff);
        settled(function, &problem, &outcome, cutoff)
    }
}

/// Returns what a search has found, if that is at most `cutoff`.
fn settled(function: &dyn ImplicitFunction, problem: &Problem<'_>, outcome: &Outcome, cutoff: f64) -> Answer {
    let Outcome { best, lower } = *outcome;
    let best = best.map(|point| (point, function.sample(&point)));
    // Above the cutoff by less than the gap is undecided.
    let best = best.filter(|(_, sample)| sample.value <= cutoff + problem.gap);
    let minimum = best.map(|(point, sample)| {
        let lower = lower.unwrap_or(sample.value).min(sample.value);
        Minimum { weights: [0.0; 4], point, sample, lower, converged: true }
    });
    if lower.is_some() { Answer::Settled(minimum) } else { Answer::Open(minimum) }
}
