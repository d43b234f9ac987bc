//! Minimum of a smooth union of two convex bodies, over a family of convex functions.
//!
//! The quadratic smooth minimum of `a` and `b` with the radius `r` is the minimum, over the shares `s` from 0 to 1, of
//! `(1 - s) a + s b - r s (1 - s)`. For fixed `s` that is convex, and its minimum is certified quickly. Over `s` the
//! minimum `c(s)` of `(1 - s) a + s b` is concave, being a minimum of linear functions: between two shares it is above
//! its chord. So the total is above the chord minus `r s (1 - s)`, whose minimum is at a known share: there the
//! interval is split.

use super::division::Division;
use super::minimum::{Lowest, Minimum};
use crate::implicit::ImplicitFunction;

/// Maximum number of shares evaluated; about ten are typical.
const MOST_SHARES: usize = 64;

/// Shares closer together than this are not split further: the square of it is below rounding error.
const NARROWEST: f64 = 1e-8;

/// The minimum relative distance of a new share from the ends of its span, so that every span shrinks.
const ASIDE: f64 = 0.05;

/// Searches a single function, below a cutoff.
pub(super) type SearchOne<'s> = dyn FnMut(&mut Division, &dyn ImplicitFunction, f64) -> Option<Minimum> + 's;

/// A share, and a certified lower bound of `c` there.
#[derive(Clone, Copy, Debug)]
struct Share {
    at: f64,
    bound: f64,
}

/// The interval between two shares.
#[derive(Clone, Copy, Debug)]
struct Span {
    ends: [Share; 2],
    /// The minimizer of the bound.
    at: f64,
    /// The bound there.
    lower: f64,
}

impl Span {
    fn new(ends: [Share; 2], radius: f64) -> Self {
        let [low, high] = ends;
        let slope = (high.bound - low.bound) / (high.at - low.at);
        let at = (0.5 * (1.0 - slope / radius)).clamp(low.at, high.at);
        let lower = low.bound + slope * (at - low.at) - radius * at * (1.0 - at);
        Self { ends, at, lower }
    }

    fn width(&self) -> f64 {
        self.ends[1].at - self.ends[0].at
    }

    /// Returns the share to evaluate next.
    fn between(&self) -> f64 {
        let [low, high] = self.ends.map(|end| end.at);
        let aside = ASIDE * self.width();
        self.at.clamp(low + aside, high - aside)
    }
}

/// The state of the search over shares.
struct Found {
    best: Minimum,
    /// The largest gap between bound and value of a single share.
    slack: f64,
    converged: bool,
}

/// The search by shares with its memory, so that searching again does not touch the heap.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    spans: Vec<Span>,
}

impl Shares {
    /// Searches the parts of a union one by one, each below the best so far; a blend by its shares where spatial
    /// subdivision alone does not suffice.
    pub(super) fn over_parts(
        &mut self,
        division: &mut Division,
        function: &dyn ImplicitFunction,
        cutoff: f64,
        search: &mut SearchOne<'_>,
    ) -> Option<Minimum> {
        let mut lowest = Lowest::below(cutoff);
        if function
            .over_parts(&mut |part| lowest.take(self.over_one(division, part, lowest.cutoff(), search)))
        {
            return lowest.found().map(|found| Minimum { sample: function.sample(&found.point), ..found });
        }
        self.over_one(division, function, cutoff, search)
    }

    fn over_one(
        &mut self,
        division: &mut Division,
        function: &dyn ImplicitFunction,
        cutoff: f64,
        search: &mut SearchOne<'_>,
    ) -> Option<Minimum> {
        let Some(radius) = function.blended(0.5, &mut |_| {}) else {
            return search(division, function, cutoff);
        };
        division.ends_early = true;
        let known = search(division, function, cutoff);
        division.ends_early = false;
        match known {
            Some(known) if !known.converged => {
                self.over_shares(division, function, radius, known, cutoff, search)
            }
            settled => settled,
        }
    }

    /// Continues where spatial subdivision did not converge, with its result `known`. `None` if nothing is below the
    /// cutoff.
    fn over_shares(
        &mut self,
        division: &mut Division,
        function: &dyn ImplicitFunction,
        radius: f64,
        known: Minimum,
        cutoff: f64,
        search: &mut SearchOne<'_>,
    ) -> Option<Minimum> {
        let mut spans = std::mem::take(&mut self.spans);
        spans.clear();
        let mut found = Found { best: known, slack: 0.0, converged: true };
        let ends = [0.0, 1.0].map(|at| ask(division, function, radius, at, &mut found, search));
        let mut lower = known.lower;
        if let [Some(low), Some(high)] = ends {
            spans.push(Span::new([low, high], radius));
            for asked in 0..=MOST_SHARES {
                let Some(index) = lowest(&spans) else { break };
                let span = spans[index];
                lower = lower.max(span.lower);
                let settled = lower >= found.best.sample.value - 4.0 * found.slack || lower > cutoff;
                if settled || span.width() < NARROWEST {
                    break;
                }
                let middle = span.between();
                let middle = ask(division, function, radius, middle, &mut found, search);
                let Some(middle) = middle.filter(|_| asked < MOST_SHARES) else {
                    found.converged = false;
                    break;
                };
                let [low, high] = span.ends;
                spans[index] = Span::new([low, middle], radius);
                spans.push(Span::new([middle, high], radius));
            }
        } else {
            found.converged = false;
        }
        self.spans = spans;
        let lower = lower.min(found.best.sample.value);
        (lower <= cutoff).then_some(Minimum { lower, converged: found.converged, ..found.best })
    }
}

/// What is found with one share fixed.
fn ask(
    division: &mut Division,
    function: &dyn ImplicitFunction,
    radius: f64,
    at: f64,
    found: &mut Found,
    search: &mut SearchOne<'_>,
) -> Option<Share> {
    let mut least = None;
    function.blended(at, &mut |member| least = search(division, member, f64::INFINITY));
    let least: Minimum = least?;
    let sample = function.sample(&least.point);
    if sample.value < found.best.sample.value {
        found.best = Minimum { sample, ..least };
    }
    found.slack = found.slack.max(least.sample.value - least.lower);
    found.converged &= least.converged;
    Some(Share { at, bound: least.lower + radius * at * (1.0 - at) })
}

/// Returns the span with the least bound; ties go to the first.
fn lowest(spans: &[Span]) -> Option<usize> {
    (0..spans.len()).reduce(|best, index| if spans[index].lower < spans[best].lower { index } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::{Search, SmoothUnion};
    use crate::{Capsule, Cylinder, OrientedBox, Pose};
    use palpate_math::{Point, Vector};
    use std::sync::Arc;

    /// Compares with a dense lattice of points, to the promised accuracy.
    #[test]
    fn of_a_smooth_union_no_place_is_lower_and_the_bound_is_met() {
        let mut asked = 0;
        for k in 0..24 {
            let s = f64::from(k) / 24.0;
            let rod = Capsule::new(Pose::translation(0.9 - s, 0.1, 0.2), 0.3, 1.0 + s).unwrap();
            let block: Arc<dyn ImplicitFunction> = if k % 2 == 0 {
                let half = Vector::new(0.4, 0.3 + 0.2 * s, 0.5);
                Arc::new(OrientedBox::new(Pose::translation(-0.5, 0.3 * s, 0.0), half).unwrap())
            } else {
                Arc::new(Cylinder::new(Pose::translation(-0.4, 0.2 - s, 0.1), 0.4, 1.2).unwrap())
            };
            let blend = SmoothUnion::new(vec![Arc::new(rod), block], 0.2 + s).unwrap();
            let corners =
                [[-1.0, -0.2, -1.3 + s], [1.2, 0.3 * s, -0.6], [0.1, 1.1, 1.4 - s], [0.3, 1.3, 0.9]];
            let corners = corners.map(Point::from);
            for count in 2..=4 {
                let mut search = Search::default();
                let found = search.below(&blend, &corners[..count], f64::INFINITY).unwrap();
                asked += usize::from(!search.shares.spans.is_empty());
                assert!(found.converged, "{k}, {count}: {found:?}");
                assert!(found.sample.value - found.lower < 1e-10, "{k}, {count}: {found:?}");
                const N: usize = 24;
                let mut lowest = f64::INFINITY;
                for (i, j, l) in (0..=N)
                    .flat_map(|i| (0..=N - i).flat_map(move |j| (0..=N - i - j).map(move |l| (i, j, l))))
                {
                    let weights = [i, j, l, N - i - j - l].map(|n| n as f64 / N as f64);
                    if weights[count..].iter().all(|weight| *weight == 0.0) {
                        let sum: Vector =
                            corners.iter().zip(weights).map(|(corner, weight)| corner.coords * weight).sum();
                        lowest = lowest.min(blend.sample(&Point::from(sum)).value);
                    }
                }
                assert!(found.lower <= lowest, "{k}, {count}: {found:?}, {lowest}");
                assert!(lowest - found.sample.value < 0.1, "{k}, {count}: {found:?}, {lowest}");
            }
        }
        assert!(asked > 10, "{asked} searches by shares");
    }
}
