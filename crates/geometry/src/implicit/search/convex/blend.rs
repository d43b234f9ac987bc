//! Minimum of a blend of two convex functions over a convex solid: by [shares](super::super::shares).

use super::domain::ConvexDomain;
use super::least::{ConvexSearch, LeastOfConvex};
use super::mixture::{Mixed, Part};
use crate::implicit::Blend;
use crate::implicit::search::shares::{Aims, Answer, Shares};

/// How much of the gap of all the gap of a single share may be.
const OF_ALL: f64 = 0.125;

impl ConvexSearch {
    /// Returns the minimum of a blend over a solid, with a bound within `gap`, or a bound above the cutoff. `None` if it did
    /// not find that.
    pub(in crate::implicit::search) fn least_of_blend(
        &mut self,
        shares: &mut Shares,
        blend: &Blend<'_>,
        domain: &ConvexDomain<'_>,
        cutoff: f64,
        gap: f64,
    ) -> Option<LeastOfConvex> {
        let parts = blend.parts.map(Part::new);
        let mut best: Option<LeastOfConvex> = None;
        let mut aims = Aims { value: f64::INFINITY, cutoff: cutoff + blend.offset, gap };
        self.forget();
        let (lower, is_met) = shares.search(blend.radius, &mut aims, &mut |at, aims| {
            let mixed = Mixed::new(parts, at);
            // Above this the share is of no interest, whatever is subtracted.
            let enough = aims.value.min(aims.cutoff) + blend.radius;
            let found = self.least_of_mixed(&mixed, domain, enough, OF_ALL * aims.gap)?;
            let [a, b] = parts.map(|part| part.value(&found.point));
            let value = blend.of(a, b) + blend.offset;
            if value < aims.value {
                aims.value = value;
                best = Some(found);
            }
            Some(Answer { bound: found.lower, difference: b - a })
        });
        let best = best.filter(|_| is_met)?;
        let value = aims.value - blend.offset;
        Some(LeastOfConvex { value, lower: (lower - blend.offset).min(value), ..best })
    }
}
