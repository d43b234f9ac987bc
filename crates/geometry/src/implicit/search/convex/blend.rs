//! Minimum of a blend of two convex functions over a convex solid: by [shares](super::super::shares).

use super::domain::ConvexDomain;
use super::least::{ConvexSearch, LeastOfConvex};
use super::mixture::{Pair, Part};
use crate::implicit::Blend;
use crate::implicit::search::shares::{Aims, Answer, Shares};

/// How much finer the gap is to which the search gets if it can.
const FINER: f64 = 0.1;

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
        let pair = Pair::new(blend.parts.map(Part::new));
        self.forget();
        least_of_shares(shares, blend, cutoff, gap, &mut |at, enough, gap| {
            let found = self.least_of_mixed(&pair.mixed(at), domain, enough, gap)?;
            Some((found, pair.values(&found.point)))
        })
    }
}

/// Searches one share for its minimum, given the share, a bound that need not be made any tighter, and the gap; returns what it has found,
/// without what the blend subtracts, and the values of both functions there. The value is infinite where only the bound is known.
pub(in crate::implicit::search) type SearchShare<'s> =
    dyn FnMut(f64, f64, f64) -> Option<(LeastOfConvex, [f64; 2])> + 's;

/// Returns the minimum of a blend, given how to search a share, with a bound within `gap`, or a bound above the cutoff. `None` if
/// it did not find that.
pub(in crate::implicit::search) fn least_of_shares(
    shares: &mut Shares,
    blend: &Blend<'_>,
    cutoff: f64,
    gap: f64,
    search: &mut SearchShare<'_>,
) -> Option<LeastOfConvex> {
    let mut best: Option<LeastOfConvex> = None;
    let finest = FINER * gap;
    let mut aims = Aims { value: f64::INFINITY, cutoff: cutoff + blend.offset, gap: finest };
    let (lower, is_met) = shares.search(blend.radius, &mut aims, &mut |at, enough, aims| {
        let (found, [a, b]) = search(at, enough, aims.gap)?;
        // A bound alone has no place.
        let value = if found.value.is_finite() { blend.of(a, b) + blend.offset } else { f64::INFINITY };
        if value < aims.value || best.is_none() {
            aims.value = value;
            best = Some(found);
        }
        Some(Answer { bound: found.lower, difference: b - a })
    });
    let best = best.filter(|_| is_met || aims.value - lower <= gap)?;
    let value = aims.value - blend.offset;
    Some(LeastOfConvex { value, lower: (lower - blend.offset).min(value), ..best })
}

#[cfg(test)]
mod tests {
    use super::super::random_cases::{Body, Random, function};
    use super::*;
    use crate::implicit::{ImplicitFunction, Offset, SmoothUnion};
    use palpate_math::Point;
    use std::sync::Arc;

    /// Blends of two random bodies, grown or shrunk, deep in random solids and beside them.
    #[test]
    fn branch_and_bound_finds_the_same_minimum() {
        let mut random = Random(17);
        let (mut search, mut shares) = (ConvexSearch::default(), Shares::default());
        let (mut closed, mut between, mut several) = (0, 0, 0);
        const CASES: usize = 1800;
        for case in 0..CASES {
            let body = Body::random(case % 3, &mut random, 1.0);
            let domain = body.domain();
            let reach = [0.4, 1.0, 1.5][case / 3 % 3];
            let parts = [case / 9 % 4, case / 36 % 6].map(|kind| function(kind, &mut random, 0.7, reach));
            let blend = SmoothUnion::new(parts.to_vec(), random.size(0.05)).unwrap();
            let blend: Arc<dyn ImplicitFunction> = match case % 2 {
                0 => Arc::new(blend),
                _ => Arc::new(Offset::new(Arc::new(blend), 0.1 * random.next()).unwrap()),
            };
            let gap = 1e-10 * domain.reach();
            let mut found = None;
            assert!(blend.over_blend(&mut |blend| {
                found = search.least_of_blend(&mut shares, blend, &domain, f64::INFINITY, gap);
            }));
            let Some(found) = found else { continue };
            closed += 1;
            several += usize::from(shares.count() > 3);
            assert!((blend.sample(&found.point).value - found.value).abs() < 1e-15, "{case}: {found:?}");
            assert!(body.distance(&found.point) < 1e-14 * domain.reach(), "{case}: {found:?}");
            assert!(found.value - found.lower <= 1.01 * gap, "{case}: {found:?}");
            let slow = body.slowly(blend.as_ref(), f64::INFINITY).unwrap();
            let slack = 1e-10 * domain.reach() + (slow.sample.value - slow.lower);
            assert!((found.value - slow.sample.value).abs() < slack, "{case}: {found:?} {slow:?}");
            blend.over_blend(&mut |blend| {
                let [a, b] = blend.parts.map(|part| part.sample(&found.point).value);
                between += usize::from((a - b).abs() < 0.9 * blend.radius);
            });
        }
        assert!(closed > 1430 && between > 300 && several > 150, "{closed} {between} {several}");
    }

    /// Where the bounds of all shares are above the cutoff, the values at places that are of no account are not taken.
    #[test]
    fn a_bound_alone_has_no_place() {
        let mut random = Random(3);
        let parts = [0, 1].map(|kind| function(kind, &mut random, 1.0, 1.0));
        let blend = Blend { parts: [parts[0].as_ref(), parts[1].as_ref()], radius: 0.3, offset: 0.0 };
        let bound = LeastOfConvex { point: Point::origin(), value: f64::INFINITY, lower: 5.0 };
        let found = least_of_shares(&mut Shares::default(), &blend, 1.0, 1e-9, &mut |_, _, _| {
            Some((bound, [-1.0, -1.0]))
        });
        let LeastOfConvex { value, lower, .. } = found.unwrap();
        assert!(value == f64::INFINITY && lower > 1.0 && lower <= 5.0, "{value} {lower}");
    }
}
