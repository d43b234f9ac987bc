//! The searches for the least value of a maximum, and their result.

use super::problem::{Outcome, Problem};
use super::proof::Maximum;
use crate::implicit::search::convex::{ConvexDomain, LeastOfConvex};
use crate::implicit::search::minimum::Minimum;
use crate::implicit::search::tolerance::Tolerance;
use crate::implicit::{ImplicitFunction, OrientedBounds};

/// The result of a search.
#[derive(Clone, Copy, Debug)]
pub(in crate::implicit::search) enum Answer {
    /// The minimum, if it is at most the cutoff.
    Settled(Option<Minimum>),
    /// The function is no such maximum, or the search gave up; with the best place that it has found.
    Open(Option<Minimum>),
}

/// The minimum over a convex body, with the weight of that body's functions in the proof: over a body that is larger by a value the minimum
/// is lower by no more than the weight times that.
#[derive(Clone, Copy, Debug)]
pub(in crate::implicit::search) struct LeastWithin {
    pub(in crate::implicit::search) least: LeastOfConvex,
    pub(in crate::implicit::search) weight: f64,
}

/// When a search may end.
#[derive(Clone, Copy, Debug)]
pub(in crate::implicit::search) struct Aim {
    /// A bound above this is not made any tighter.
    pub(in crate::implicit::search) above: f64,
    /// A value below this ends the search without a result.
    pub(in crate::implicit::search) below: f64,
    /// The gap between bound and value.
    pub(in crate::implicit::search) gap: f64,
    /// Which of the last places to begin at: that of the most similar problem.
    pub(in crate::implicit::search) turn: usize,
}

impl Maximum {
    /// Returns the minimum of a convex function over the part of a box where another is not positive, by Newton's method alone, with a
    /// bound as it is aimed at. Begins where the last search ended. `None` if it did not find that.
    pub(in crate::implicit::search) fn least_within(
        &mut self,
        function: &dyn ImplicitFunction,
        constraint: &dyn ImplicitFunction,
        root: &OrientedBounds,
        aim: &Aim,
    ) -> Option<LeastWithin> {
        let mut problem = Problem::within(function, constraint, root, aim.gap, self.solid())?;
        if problem.has_holes() {
            return None;
        }
        problem.find_planes(aim.above);
        let (Outcome { best, lower }, weight) =
            self.least_of_convex(&problem, aim.turn, [aim.below, aim.above]);
        let lower = lower?;
        let point = best.unwrap_or(root.center);
        let value = if best.is_some() { function.sample(&point).value } else { f64::INFINITY };
        Some(LeastWithin { least: LeastOfConvex { point, value, lower: lower.min(value) }, weight })
    }

    /// Searches for the minimum over a convex solid, if it is at most `cutoff`.
    pub(in crate::implicit::search) fn over(
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
    pub(in crate::implicit::search) fn within(
        &mut self,
        function: &dyn ImplicitFunction,
        constraint: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
        tolerance: Tolerance,
    ) -> Answer {
        match Problem::within(function, constraint, root, tolerance.of(root.reach()), self.solid()) {
            Some(problem) if problem.has_holes() => self.answer(function, problem, cutoff),
            Some(mut problem) => {
                problem.find_planes(cutoff);
                let (outcome, _) = self.least_of_convex(&problem, 0, [f64::NEG_INFINITY, cutoff]);
                settled(function, &problem, &outcome, cutoff)
            }
            None => Answer::Open(None),
        }
    }

    fn answer(&mut self, function: &dyn ImplicitFunction, mut problem: Problem<'_>, cutoff: f64) -> Answer {
        problem.find_planes(cutoff);
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
