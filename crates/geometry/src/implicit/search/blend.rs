//! Minimum of a smooth union of two convex bodies, where spatial subdivision converges slowly: by [shares](super::shares),
//! each member of the family searched like any other function.

use super::division::Division;
use super::minimum::{Lowest, Minimum};
use super::mixture::Mixture;
use super::shares::{Aims, Answer, Shares};
use crate::implicit::{Blend, ImplicitFunction};

/// Searches a single function, below a cutoff, to a part of the gap.
pub(super) type SearchOne<'s> =
    dyn FnMut(&mut Division, &dyn ImplicitFunction, f64, f64) -> Option<Minimum> + 's;

/// How much of the gap of single shares the gap of all may be.
const OF_ONE: f64 = 4.0;

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
        if !function.over_blend(&mut |_| {}) {
            return search(division, function, cutoff, 1.0);
        }
        division.ends_early = true;
        let known = search(division, function, cutoff, 1.0);
        division.ends_early = false;
        let Some(known) = known.filter(|known| !known.converged) else { return known };
        let mut found = None;
        function.over_blend(&mut |blend| {
            found = self.over_shares(division, function, blend, known, cutoff, search);
        });
        found
    }

    /// Continues where spatial subdivision did not converge, with its result `known`. `None` if nothing is below the
    /// cutoff.
    fn over_shares(
        &mut self,
        division: &mut Division,
        function: &dyn ImplicitFunction,
        blend: &Blend<'_>,
        known: Minimum,
        cutoff: f64,
        search: &mut SearchOne<'_>,
    ) -> Option<Minimum> {
        let (mut best, mut all_converged) = (known, true);
        let mut aims =
            Aims { value: known.sample.value + blend.offset, cutoff: cutoff + blend.offset, gap: 0.0 };
        let (lower, is_met) = self.search(blend.radius, &mut aims, &mut |at, _, aims| {
            let found = search(division, &Mixture::new(blend, at), f64::INFINITY, 1.0 / OF_ONE)?;
            let sample = function.sample(&found.point);
            if sample.value < best.sample.value {
                best = Minimum { sample, ..found };
                aims.value = sample.value + blend.offset;
            }
            aims.gap = aims.gap.max(OF_ONE * (found.sample.value - found.lower));
            all_converged &= found.converged;
            let [a, b] = blend.parts.map(|part| part.sample(&found.point).value);
            let lowered = blend.radius * at * (1.0 - at) + blend.offset;
            Some(Answer { bound: found.lower + lowered, difference: b - a })
        });
        let lower = known.lower.max(lower - blend.offset).min(best.sample.value);
        (lower <= cutoff).then_some(Minimum { lower, converged: is_met && all_converged, ..best })
    }
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
                let mut search = Search::with_tolerance(1e-12);
                let found = search.below(&blend, &corners[..count], f64::INFINITY).unwrap();
                asked += usize::from(search.shares.count() > 0);
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
