//! First time at which the lowest value of an implicit function over a moving set falls to a level.
//!
//! The lowest value over the set at a time has a certified lower bound. No point of the set moves by more than its speed, and
//! so the value can fall by no more than the Lipschitz constant times that. Until the bound can have fallen to the level, the
//! two are apart; from there the step is repeated. Nothing is sampled between. Far from the body a coarse bound allows nearly as
//! long a step, so the first searches converge at a wide gap between bound and value. Where the gap is more than half of the height of the
//! value above the level, the search is repeated at that time with a narrower one.
//!
//! Of a convex function the lowest value over a convex set that only moves is a convex function of time: beyond two of its values it is
//! nowhere below the line through them. Steps along such lines, those of the secant method, reach the level sooner than steps by the
//! Lipschitz constant. What the set turns or deforms adds to their slope. A union is met when the first of its parts is, and each is
//! followed for itself.
//!
//! Termination:
//! - **apart** when the lowest value cannot fall to the level within the rest of the motion;
//! - **impact** when it is at the level, or above it by no more than falls in 2^-20 of the step;
//! - **open** when the budget is used up: the two are apart before the time returned, and what follows is not known.

use super::path::TIME_TOLERANCE;
use crate::pairs::ImplicitTolerance;
use palpate_geometry::ImplicitBody;
use palpate_geometry::implicit::ImplicitFunction;
use palpate_geometry::implicit::internal::{Minimum, Search, over_parts};
use palpate_math::rounding;

/// The gap of a search over an element, and over a solid, relative to their sizes: a slow motion falls by little more in the shortest
/// step.
const ELEMENT_TOLERANCE: ImplicitTolerance = ImplicitTolerance(1e-12);
pub(crate) const SOLID_TOLERANCE: ImplicitTolerance = ImplicitTolerance(1e-10);

/// The gap of the first searches, in multiples of the tolerance.
const FIRST_GAP: f64 = 1e8;

/// The greatest gap for the place of an impact, in multiples of the tolerance.
const IMPACT_GAP: f64 = 100.0;

/// The next narrower gap, relative to the one before.
const NARROWING: f64 = 0.1;

/// The greatest gap with which a step is taken, relative to the height of the value above the level.
const STEP_GAP: f64 = 0.5;

/// The search over elements.
pub(crate) struct ElementSearch(Search);

impl Default for ElementSearch {
    fn default() -> Self {
        Self(ELEMENT_TOLERANCE.search())
    }
}

impl ElementSearch {
    /// Returns the search, which then converges at this gap, in multiples of the tolerance.
    pub(crate) fn to(&mut self, gap: f64) -> &mut Search {
        self.0.set_tolerance(ELEMENT_TOLERANCE.0 * gap);
        &mut self.0
    }
}

/// The shortest time between two values by which a slope is known: it multiplies their rounding errors.
const SHORTEST: f64 = 16.0 * TIME_TOLERANCE;

/// How fast the value at a point of a set can fall, over the whole motion.
#[derive(Clone, Copy)]
pub(crate) struct Fall {
    pub(crate) most: f64,
    /// For a convex function.
    pub(crate) secant: Option<Secant>,
}

/// What a slope between two values of a convex function does not show.
#[derive(Clone, Copy)]
pub(crate) struct Secant {
    /// How fast values can fall by the turn and the deformation of the set; the rest of the motion moves all points alike.
    pub(crate) by_turning: f64,
    /// The rounding error of a value, by the coordinates of the set and of the body.
    pub(crate) rounding: f64,
}

impl Fall {
    /// Returns how fast the lowest value can fall from now on, given a value at an earlier time and a lower bound now.
    fn after(&self, [earlier, now]: [f64; 2], [value, lower]: [f64; 2]) -> f64 {
        match self.secant {
            // The turn may have raised the value before, and may lower it from now on.
            Some(Secant { by_turning, rounding }) if now - earlier >= SHORTEST => {
                let fallen = value - lower + 2.0 * rounding;
                (fallen / (now - earlier) + 2.0 * by_turning).min(self.most)
            }
            _ => self.most,
        }
    }
}

/// Returns a bound on the rounding error of a body's values, given the largest coordinate of the points at which it is sampled.
pub(crate) fn rounding_of_values(body: &ImplicitBody, largest: f64) -> f64 {
    let bounds = body.sublevel_bounds(0.0).largest_coordinate();
    let own = if bounds.is_finite() { bounds } else { 0.0 };
    let all = largest + own + body.pose().translation.vector.amax();
    body.lipschitz().unwrap_or(1.0).max(1.0) * rounding::length(all)
}

/// The first impact of a set.
pub(crate) struct FirstMinimum {
    /// The two are apart before it.
    pub(crate) time: f64,
    pub(crate) found: Minimum,
    /// Whether it is not known that there is an impact.
    pub(crate) open: bool,
}

/// Searches for the lowest value, each some hundred samples. A set that slides or turns along the body at hardly more than the tolerance
/// needs more.
const BUDGET: u32 = 60;

/// Returns the first impact with a body. The parts of a union are searched one by one; of several impacts at one time the deepest is
/// returned. `first` searches one part, from the start of the step to the given time.
pub(crate) fn first_of_parts(
    body: &ImplicitBody,
    mut first: impl FnMut(&dyn ImplicitFunction, f64) -> Option<FirstMinimum>,
) -> Option<FirstMinimum> {
    let mut earliest: Option<FirstMinimum> = None;
    over_parts(body, &mut |part| {
        let end = earliest.as_ref().map_or(1.0, |earliest| earliest.time);
        let Some(found) = first(part, end) else { return };
        let is_earlier = |than: &FirstMinimum| {
            found.time < than.time
                || found.time == than.time && found.found.sample.value < than.found.sample.value
        };
        if earliest.as_ref().is_none_or(is_earlier) {
            earliest = Some(found);
        }
    });
    earliest.map(|earliest| {
        let sample = body.sample(&earliest.found.point);
        FirstMinimum { found: Minimum { sample, ..earliest.found }, ..earliest }
    })
}

/// Returns the first impact from `start`, before which the two are known to be apart, to `end`. `lowest` returns the lowest
/// value, given the time, a cutoff above which it is of no interest, and the gap at which to converge, in multiples of the tolerance.
pub(crate) fn first_minimum(
    level: f64,
    fall: Fall,
    [start, end]: [f64; 2],
    mut lowest: impl FnMut(f64, f64, f64) -> Option<Minimum>,
) -> Option<FirstMinimum> {
    let (mut time, mut spent, mut gap) = (start.min(end), 0, FIRST_GAP);
    let mut before: Option<(f64, f64)> = None;
    let rest = |slope: f64, time: f64| slope * (end - time) * (1.0 + 32.0 * f64::EPSILON);
    loop {
        let found = lowest(time, level + rest(fall.most, time), gap)?;
        let slope =
            before.map_or(fall.most, |(earlier, value)| fall.after([earlier, time], [value, found.lower]));
        let above = found.lower - level;
        if above > rest(slope, time) {
            return None;
        }
        let over = found.sample.value - level;
        let is_reached = over <= fall.most * TIME_TOLERANCE;
        let wanted = if is_reached {
            IMPACT_GAP
        } else if over - above > STEP_GAP * over {
            f64::max(gap * NARROWING, 1.0)
        } else {
            gap
        };
        if wanted < gap {
            gap = wanted;
            continue;
        }
        spent += 1;
        if is_reached || spent == BUDGET {
            return Some(FirstMinimum { time, found, open: !is_reached });
        }
        // Where the search gave up on the bound, the time is not proven to be any later.
        let step = above / slope * (1.0 - 32.0 * f64::EPSILON);
        if step < TIME_TOLERANCE * NO_PROGRESS {
            return Some(FirstMinimum { time, found, open: true });
        }
        before = Some((time, found.sample.value));
        time = (time + step).min(end);
    }
}

/// Steps of less than this part of the tolerance are none.
const NO_PROGRESS: f64 = 1.0 / 64.0;

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::NONE;
    use palpate_geometry::implicit::{Sample, Union};
    use palpate_geometry::{Pose, Sphere};
    use palpate_math::{Point, Vector};
    use std::sync::Arc;

    /// The value falls to the level at 0.75, once as fast as is assumed and once more slowly: the impact is there, with a fine place, and
    /// most searches are coarse.
    #[test]
    fn coarse_searches_lead_to_the_impact_and_a_fine_one_ends_there() {
        for fall in [1.0, 3.0] {
            let mut gaps = Vec::new();
            let first =
                first_minimum(0.25, Fall { most: fall, secant: None }, [0.0, 1.0], |time, cutoff, gap| {
                    gaps.push(gap);
                    let sample = Sample { value: 1.0 - time, gradient: Vector::y(), feature: NONE };
                    let lower = sample.value - SOLID_TOLERANCE.0 * gap;
                    let found =
                        Minimum { weights: [0.0; 4], point: Point::origin(), sample, lower, converged: true };
                    (lower <= cutoff).then_some(found)
                });
            let FirstMinimum { time, found, open } = first.unwrap();
            assert!(!open && time <= 0.75 && 0.75 - time <= fall * TIME_TOLERANCE, "{fall}: {time}");
            assert!(found.sample.value - found.lower <= IMPACT_GAP * SOLID_TOLERANCE.0, "{fall}: {found:?}");
            assert!(gaps.len() > 4 && gaps.len() < 64, "{fall}: {gaps:?}");
            let coarse = gaps.iter().filter(|gap| **gap > 1e3).count();
            assert!(2 * coarse > gaps.len(), "{fall}: {gaps:?}");
        }
    }

    /// A point that passes a ball off its middle: the distance is a convex function of time, and falls half as fast as the point moves. Lines
    /// through two values lead to the impact in fewer steps, and none passes it, also where a turn of 0.2 a step is said to be possible.
    #[test]
    fn lines_through_two_values_of_a_convex_function_reach_the_impact_sooner() {
        let wanted = 0.5 - (0.35_f64 * 0.35 - 0.3 * 0.3).sqrt();
        let searches = [None, Some(0.2), Some(0.0)].map(|by_turning| {
            let mut times = Vec::new();
            let secant = by_turning.map(|by_turning| Secant { by_turning, rounding: 1e-16 });
            let fall = Fall { most: 1.0, secant };
            let first = first_minimum(0.35, fall, [0.0, 1.0], |time, cutoff, _| {
                times.push(time);
                let value = ((0.5 - time) * (0.5 - time) + 0.09).sqrt();
                let sample = Sample { value, gradient: Vector::y(), feature: NONE };
                let found = Minimum {
                    weights: [0.0; 4],
                    point: Point::origin(),
                    sample,
                    lower: value,
                    converged: true,
                };
                (value <= cutoff).then_some(found)
            });
            let time = first.unwrap().time;
            assert!(
                time <= wanted && wanted - time < 2.0 * TIME_TOLERANCE,
                "{by_turning:?}: {time} {wanted}"
            );
            times.len()
        });
        assert!(searches[0] > 15 && searches[1] < searches[0] && searches[2] <= 8, "{searches:?}");
    }

    /// A point moves past one ball to another: whichever is first in the union, the impact is with the one that is met first, and a later
    /// part is searched no longer than to there. At the start in both, the point is as deep as in the union.
    #[test]
    fn a_union_is_met_where_the_first_of_its_parts_is() {
        let ball = |x: f64| -> Arc<dyn ImplicitFunction> {
            Arc::new(Sphere::new(Point::new(x, 0.0, 0.0), 1.0).unwrap())
        };
        for order in [[2.0, 3.0], [3.0, 2.0]] {
            let union = Union::new(order.map(ball).to_vec()).unwrap();
            let body = ImplicitBody::new(Pose::identity(), Arc::new(union)).unwrap();
            for (from, wanted, value) in [(0.0, 0.25, 0.0), (2.75, 0.0, -0.75)] {
                let mut ends = Vec::new();
                let first = first_of_parts(&body, |part, end| {
                    ends.push(end);
                    let fall = Fall { most: 4.0, secant: None };
                    first_minimum(0.0, fall, [0.0, end], |time, cutoff, _| {
                        let point = Point::new(from + 4.0 * time, 0.0, 0.0);
                        let sample = part.sample(&point);
                        let lower = sample.value;
                        let found = Minimum { weights: [0.0; 4], point, sample, lower, converged: true };
                        (lower <= cutoff).then_some(found)
                    })
                });
                let FirstMinimum { time, found, open } = first.unwrap();
                assert!(!open && (time - wanted).abs() <= 2.0 * TIME_TOLERANCE, "{order:?} {from}: {time}");
                assert!((found.sample.value - value).abs() < 1e-5, "{order:?} {from}: {found:?}");
                assert!(ends[0] == 1.0 && ends[1] <= 0.5 + TIME_TOLERANCE, "{order:?} {from}: {ends:?}");
            }
        }
    }

    /// From where two values show that it rises, a convex function falls no more: the rest of the motion is apart.
    #[test]
    fn what_recedes_is_apart() {
        let mut count = 0;
        let fall = Fall { most: 4.0, secant: Some(Secant { by_turning: 0.0, rounding: 1e-16 }) };
        let first = first_minimum(0.0, fall, [0.0, 1.0], |time, _, _| {
            count += 1;
            let value = 0.1 + time;
            let sample = Sample { value, gradient: Vector::y(), feature: NONE };
            Some(Minimum { weights: [0.0; 4], point: Point::origin(), sample, lower: value, converged: true })
        });
        assert!(first.is_none() && count == 2, "{count}");
    }
}
