//! Minimum over the body of a blend of two, member by member.
//!
//! The blend is the minimum of a family of convex functions over the share `t`: `b(t) = (1 - t) b₁ + t b₂ - r t (1 - t)`. Its body is what
//! their convex bodies cover. Between two shares `t₀ < t₁` no member reaches far beyond these two: `r t (1 - t)` is below its tangent
//! at any `c`, and with that in its place a member is linear in the share, so that where one is not positive, one of both ends is
//! at most `r (t₀ - c)²`, or `r (t₁ - c)²`. How much lower a minimum is over a body that is so much larger is known from the
//! weight with which the body's function takes part in the proof of the minimum (Lagrange): no lower than by the weight times that.
//!
//! A wide interval is left out at once if no value is lower than the best over the member between its ends, grown until it and both ends
//! cover the interval: mostly that is known after few steps. Otherwise the interval with the lowest bound is divided, where the slope over
//! the share, which the weight tells too (the envelope theorem), may vanish, until all bounds are above the best value.

use super::convex::{LeastOfConvex, least_of_shares};
use super::interval::{Interval, Member};
use super::maximum::{Aim, LeastWithin};
use super::mixture::Mixture;
use super::queries::Search;
use crate::implicit::{Blend, ImplicitFunction, OrientedBounds};
use palpate_math::Point;

/// Iteration limit: one is typical where the minimum is elsewhere, some twenty where it is in the fillet.
const MOST_MEMBERS: usize = 100;

/// Shares closer together than this are not divided.
const NARROWEST: f64 = 1e-9;

/// Up to this width intervals are divided without a search over a grown member; and the gap of that search, relative to how much it is
/// grown.
const NARROW: f64 = 0.03;
const OF_BEYOND: f64 = 0.1;

/// The weight of a body's function is seldom larger than this, if both are distances.
const USUAL_WEIGHT: f64 = 1.5;

/// The gap to which the minimum over one member is searched, relative to the gap of the result.
const OF_ONE: f64 = 0.5;

/// The gap to which the minimum for one share of the function is searched, relative to the gap over the member.
const OF_A_SHARE: f64 = 0.25;

impl Search {
    /// Returns the minimum over the part of a box where a convex function is not positive, of a convex function or a blend of two: by
    /// Newton's method, with a bound as it is aimed at. `None` for other functions, and if it did not find that.
    pub(super) fn least_within(
        &mut self,
        function: &dyn ImplicitFunction,
        constraint: &dyn ImplicitFunction,
        root: &OrientedBounds,
        aim: &Aim,
    ) -> Option<LeastWithin> {
        let (mut found, mut most) = (None, 0.0_f64);
        let (shares, maximum) = (&mut self.shares, &mut self.maximum);
        let is_blend = function.over_blend(&mut |blend| {
            let gap = aim.gap;
            found = least_of_shares(shares, blend, aim.above, gap, &mut |at, enough, _| {
                let mixture = Mixture::new(blend, at);
                let lowered = mixture.lowered;
                let (above, gap) = (enough - lowered, OF_A_SHARE * aim.gap);
                let turn = if at > 0.0 && at < 1.0 { 2 } else { at as usize };
                let aim = Aim { above, gap, turn, ..*aim };
                let LeastWithin { least, weight } = maximum.least_within(&mixture, constraint, root, &aim)?;
                most = most.max(weight);
                let values = blend.parts.map(|part| part.sample(&least.point).value);
                Some((
                    LeastOfConvex { value: least.value + lowered, lower: least.lower + lowered, ..least },
                    values,
                ))
            });
        });
        if is_blend {
            return found.map(|least| LeastWithin { least, weight: most });
        }
        maximum.least_within(function, constraint, root, aim)
    }

    /// Returns the minimum over the body of a blend, if it is at most `level`, given lower bounds over the bodies of both its parts, and the
    /// best place in these, if one is known. `None` if the function is not one that can be searched so, or the search gave up.
    pub(super) fn least_in_family(
        &mut self,
        function: &dyn ImplicitFunction,
        blend: &Blend<'_>,
        bounds: [f64; 2],
        from: Option<&Point>,
        level: f64,
    ) -> Option<Option<LeastOfConvex>> {
        let reach = blend.parts.map(|part| part.sublevel_bounds(0.25 * blend.radius));
        let root = OrientedBounds::from(reach[0].merged(&reach[1]));
        let gap = self.tolerance.of(root.reach());
        let radius = blend.radius;
        let end = |share: f64, lower: f64| Member { share, lower, weight: f64::INFINITY, slope: f64::NAN };
        let mut best = LeastOfConvex { point: root.center, value: f64::INFINITY, lower: level };
        let mut intervals = std::mem::take(&mut self.intervals);
        intervals.clear();
        intervals.push(Interval {
            lower: f64::NEG_INFINITY,
            ..Interval::new([end(0.0, bounds[0]), end(1.0, bounds[1])], radius)
        });
        self.maximum.begin_at(from);
        let mut is_done = false;
        for _ in 0..MOST_MEMBERS {
            let lowest = |a: usize, b: usize| if intervals[b].lower < intervals[a].lower { b } else { a };
            let Some(next) = (0..intervals.len()).reduce(lowest) else { break };
            let interval = intervals[next];
            let enough = level.min(best.value - gap);
            if interval.lower >= enough {
                best.lower = interval.lower.min(best.value);
                is_done = true;
                break;
            }
            let share = interval.between();
            let [low, high] = interval.ends;
            if high.share - low.share < NARROWEST {
                break;
            }
            // Both ends, and the member between grown by this, cover all members of the interval.
            let width = (high.share - share).max(share - low.share);
            let beyond = radius * width * width;
            let of_ends = low.lower.min(high.lower);
            if width > NARROW && of_ends >= enough {
                let grown = Mixture::new(blend, share).lowered_by(beyond);
                let aim = Aim { above: enough, below: enough, gap: OF_BEYOND * beyond, turn: 0 };
                let found = self.least_within(function, &grown, &root, &aim);
                if let Some(found) = found
                    && found.least.lower > enough
                {
                    intervals[next].lower = found.least.lower.min(of_ends);
                    continue;
                }
            }
            let member = Mixture::new(blend, share);
            // Above this both parts of the interval are, if the weight is as usual.
            let above = enough + USUAL_WEIGHT * beyond;
            let aim = Aim { above, below: f64::NEG_INFINITY, gap: OF_ONE * gap, turn: 0 };
            let found = self.least_within(function, &member, &root, &aim);
            let Some(found) = found else { break };
            let LeastWithin { least, weight } = found;
            if least.value < best.value {
                best = least;
            }
            let [a, b] = blend.parts.map(|part| part.sample(&least.point).value);
            let slope = weight * (b - a - radius * (1.0 - 2.0 * share));
            let middle = Member { share, lower: least.lower, weight, slope };
            intervals[next] = Interval::new([low, middle], radius);
            intervals.push(Interval::new([middle, high], radius));
        }
        self.intervals = intervals;
        is_done.then(|| (best.value <= level).then_some(best))
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_bodies::Random;
    use super::*;
    use crate::implicit::{Intersection, SmoothUnion};
    use crate::{Capsule, Ellipsoid, OrientedBox, Pose, Sphere};
    use palpate_math::Vector;
    use std::sync::Arc;

    type Function = Arc<dyn ImplicitFunction>;

    fn solid(random: &mut Random, kind: usize) -> Function {
        let pose = Pose::new(random.vector() * 0.3, random.vector() * 2.0);
        match kind % 4 {
            0 => Arc::new(Capsule::new(pose, 0.25, 1.2).unwrap()),
            1 => Arc::new(OrientedBox::new(pose, Vector::new(0.7, 0.3, 0.25)).unwrap()),
            2 => Arc::new(Ellipsoid::new(pose, Vector::new(0.7, 0.3, 0.4)).unwrap()),
            _ => {
                let ball = |x: f64| -> Function {
                    Arc::new(Sphere::new(pose * Point::new(x, 0.0, 0.0), 0.8).unwrap())
                };
                Arc::new(Intersection::new(vec![ball(0.4), ball(-0.4)]).unwrap())
            }
        }
    }

    fn blend(random: &mut Random, kind: usize) -> SmoothUnion {
        let parts = vec![solid(random, kind), solid(random, kind / 4)];
        SmoothUnion::new(parts, 0.2 + 0.1 * random.next()).unwrap()
    }

    /// The minimum over the whole body by division, for convex functions and for blends; both where it is in a fillet and elsewhere.
    #[test]
    fn member_by_member_the_minimum_is_that_over_the_body() {
        let mut random = Random(41);
        let (mut in_fillet, mut elsewhere, mut open) = (0, 0, 0);
        for case in 0..160 {
            let shift = Pose::new(random.vector() * 1.3, random.vector());
            let part: Function =
                if case % 2 == 0 { solid(&mut random, case / 2) } else { Arc::new(blend(&mut random, case)) };
            let function = crate::ImplicitBody::new(shift, part).unwrap();
            let body = blend(&mut random, case / 3);
            let root = OrientedBounds::from(body.sublevel_bounds(0.0));
            let mut search = Search::with_tolerance(1e-12);
            let Some(slow) = search.below_within(&function, &body, &root, f64::INFINITY) else { continue };
            if !slow.converged || search.undecided() {
                continue;
            }
            body.over_blend(&mut |blend| {
                let bounds = blend.parts.map(|part| {
                    let root = part.oriented_bounds().unwrap_or_else(|| part.sublevel_bounds(0.0).into());
                    search.below_within(&function, part, &root, f64::INFINITY).map(|found| found.lower)
                });
                let [Some(a), Some(b)] = bounds else { return };
                let level = a.min(b) - 1e-9;
                if case % 8 == 0 {
                    // Over a part whose own bound is too low there may be lower values.
                    let found = search.least_in_family(&function, blend, [a, level - 1.0], None, level);
                    let is_open = match found {
                        None => true,
                        Some(found) => found.is_some_and(|found| found.lower < level),
                    };
                    assert!(is_open, "{case}: {found:?}");
                }
                let Some(found) = search.least_in_family(&function, blend, [a, b], None, level) else {
                    open += 1;
                    return;
                };
                let lowest = slow.sample.value;
                let Some(found) = found else {
                    elsewhere += 1;
                    assert!(slow.lower >= level - 1e-9, "{case}: {level} {slow:?}");
                    return;
                };
                in_fillet += 1;
                assert!((found.value - lowest).abs() < 2e-9, "{case}: {found:?} {slow:?}");
                assert!(
                    found.lower <= lowest + 1e-9 && found.value - found.lower < 1e-9,
                    "{case}: {found:?}"
                );
                assert!((function.sample(&found.point).value - found.value).abs() < 1e-14, "{case}");
                assert!(body.sample(&found.point).value < 1e-9, "{case}: {found:?}");
            });
        }
        assert!(
            in_fillet > 20 && elsewhere > 40 && 2 * open < in_fillet + elsewhere,
            "{in_fillet} {elsewhere} {open}"
        );
    }
}
