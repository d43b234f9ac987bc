//! Minimum of a body's function over another body, each a rod, a ball, or a blend of two of these.
//!
//! Over the points where `B` is not positive, `A` is nowhere below the least value of `A + v B` anywhere, for any `v` that is
//! not negative (Lagrange). With both as minima over their [shares](super::super::shares) `s` and `t` that is the minimum
//! of `h(s, t) - r s (1 - s) - v q t (1 - t)`, where `h` is the least value of a sum of up to four convex functions: a
//! concave function of both shares. So over a rectangle of shares `h` is above the bilinear mean of its values at the
//! corners, and the minimum of the total with that mean is known in closed form. The rectangle with the lowest
//! bound is divided.
//!
//! The best place is found first: from the closest places of all parts, the shares and `v` follow those at the place, which
//! is moved to the minimum for these, and to the surface of `B`. Where a part of `A` has its axis in `B`, no more is needed:
//! that is the lowest value of all.

use super::domain::ConvexDomain;
use super::least::{ConvexSearch, LeastOfConvex};
use super::mixture::{Mixed, Pair, Part, Tangent};
use super::rectangle::{Rectangle, least_of_quadratic};
use crate::implicit::function::share_of_second;
use crate::implicit::{Blend, ImplicitFunction};
use palpate_math::{Point, Vector, direction, rounding};

/// Limit of the corners evaluated.
const MOST_CORNERS: usize = 60;

/// Limit of the places that are proven to be the best.
const MOST_PASSES: usize = 4;

/// Limit of the steps to the best place, and of those to a body's surface.
const MOST_MOVES: usize = 8;

/// How close to the place of the last step the best place is, relative to the size of the domain.
const SETTLED: f64 = 1e-10;

/// A convex body or a blend of two.
#[derive(Clone, Copy)]
struct Body<'a> {
    pair: Pair<'a>,
    /// Zero if the body is convex.
    radius: f64,
    offset: f64,
}

impl<'a> Body<'a> {
    /// Calls `visit` with a body, if it is a rod or a ball, or a blend of two.
    fn over(function: &'a dyn ImplicitFunction, visit: &mut dyn FnMut(&Body<'_>)) {
        let is_rod = |part: &&dyn ImplicitFunction| part.rounded_segment().is_some();
        if function.is_convex() {
            if is_rod(&function) {
                visit(&Body { pair: Pair::new([Part::new(function); 2]), radius: 0.0, offset: 0.0 });
            }
            return;
        }
        function.over_blend(&mut |Blend { parts, radius, offset }| {
            if parts.iter().all(is_rod) {
                visit(&Body { pair: Pair::new(parts.map(Part::new)), radius: *radius, offset: *offset });
            }
        });
    }

    /// Returns the share at a place where the two parts have these values.
    fn share(&self, values: [f64; 2]) -> f64 {
        if self.radius > 0.0 { share_of_second(self.radius, values) } else { 0.0 }
    }

    /// Returns what is subtracted from the mixture.
    fn lowered(&self, share: f64) -> f64 {
        self.radius * share * (1.0 - share) + self.offset
    }

    /// Returns the value, the gradient and the share at a point.
    fn at(&self, point: &Point) -> (f64, Vector, f64) {
        let share = self.share(self.pair.values(point));
        let tangent = self.pair.mixed(share).tangent(point);
        (tangent.value - self.lowered(share), tangent.gradient, share)
    }

    /// Returns a lower bound of all values: the bound of the mixture is linear between the shares zero, half and one.
    fn floor(&self) -> f64 {
        let halves = [[0.0, 0.5], [0.5, 1.0]].map(|[low, high]| {
            let ends = [low, high].map(|share| self.pair.floor(share) - self.lowered(share));
            least_of_quadratic(ends, self.radius * 0.25).1
        });
        halves[0].min(halves[1])
    }

    fn shares(&self) -> [f64; 2] {
        if self.radius > 0.0 { [0.0, 1.0] } else { [0.0, 0.0] }
    }
}

/// Two bodies, and the domain that contains the second.
struct Task<'a> {
    a: Body<'a>,
    b: Body<'a>,
    domain: &'a ConvexDomain<'a>,
    /// The closest places of the axes of two rods, one of each body.
    nearest: [[Option<[Point; 2]>; 2]; 2],
    cutoff: f64,
    gap: f64,
    rounding: f64,
}

/// The best place found.
#[derive(Clone, Copy)]
struct Best {
    point: Point,
    value: f64,
}

impl<'a> Task<'a> {
    fn new(a: Body<'a>, b: Body<'a>, domain: &'a ConvexDomain<'a>, cutoff: f64, gap: f64) -> Self {
        let nearest = a.pair.parts.map(|of_a| b.pair.parts.map(|of_b| of_a.nearest(&of_b)));
        let largest = a.pair.largest_coordinate.max(b.pair.largest_coordinate);
        let rounding = domain.rounding() + rounding::length(largest);
        Self { a, b, domain, nearest, cutoff, gap: gap.max(8.0 * rounding), rounding }
    }

    /// Returns `A + v B` for fixed shares, without what is subtracted. Of the distances between the axes of rods, shares
    /// of both weights are a lower bound.
    fn sum(&self, [s, t]: [f64; 2], v: f64) -> Mixed<'a> {
        let ([a, b], [c, d]) = (self.a.pair.parts, self.b.pair.parts);
        let (of_a, of_b) = ([1.0 - s, s], [1.0 - t, t]);
        let mut floor = self.a.pair.floor(s) + v * self.b.pair.floor(t);
        let (mut of_distances, mut deepest) = (0.0, None);
        for (row, weight_a) in self.nearest.iter().zip(of_a) {
            for (places, weight_b) in row.iter().zip(of_b) {
                if let Some([on_a, on_b]) = places {
                    of_distances += weight_a * weight_b * v.min(1.0) * (on_b - on_a).norm();
                    if weight_a * weight_b == 1.0 {
                        deepest = Some(if v > 1.0 { *on_b } else { *on_a });
                    }
                }
            }
        }
        let own = |pair: &Pair<'_>, share: f64| {
            let of = |floor: f64, share: f64| if share > 0.0 { share * floor } else { 0.0 };
            of(pair.floors[0], 1.0 - share) + of(pair.floors[1], share)
        };
        floor = floor.max(own(&self.a.pair, s) + v * own(&self.b.pair, t) + of_distances);
        Mixed {
            parts: [a, b, c, d],
            weights: [of_a[0], of_a[1], v * of_b[0], v * of_b[1]],
            floor,
            deepest,
            is_single: false,
            largest_coordinate: self.a.pair.largest_coordinate.max(self.b.pair.largest_coordinate),
        }
    }

    /// Creates a rectangle of shares, with the better of two bounds: that of `A + v B`, and the one of `A` alone.
    fn rectangle(
        &self,
        low: [f64; 2],
        high: [f64; 2],
        bounds: [f64; 4],
        curves: [f64; 2],
        constant: f64,
    ) -> Rectangle {
        let whole = Rectangle::new(low, high, bounds, curves);
        let lower = whole.lower - constant;
        let ends = [low[0], high[0]].map(|share| self.a.pair.floor(share) - self.a.lowered(share));
        let width = high[0] - low[0];
        let (at, alone) = least_of_quadratic(ends, self.a.radius * width * width);
        let alone = alone - self.rounding;
        if alone > lower {
            Rectangle { at: [low[0] + width * at, whole.at[1]], lower: alone, ..whole }
        } else {
            Rectangle { lower, ..whole }
        }
    }

    /// Tries a place, and where it is moved to the surface of the second body.
    fn consider(&self, place: &Point, best: &mut Option<Best>) {
        let mut point = *place;
        for _ in 0..MOST_MOVES {
            let (height, gradient, _) = self.b.at(&point);
            if height <= self.rounding {
                let value = self.a.at(&point).0;
                if best.is_none_or(|best| value < best.value) {
                    *best = Some(Best { point, value });
                }
            }
            let square = gradient.norm_squared();
            if height.abs() <= self.rounding || square == 0.0 {
                return;
            }
            point -= gradient * (height / square);
        }
    }

    /// Returns the lowest place of all of the first body, if it is on the axis of a rod that passes through the second.
    fn deepest(&self, floor: f64) -> Option<Best> {
        let mut places = self.nearest.iter().flatten().flatten();
        places.find_map(|&[on_axis, _]| {
            let value = self.a.at(&on_axis).0;
            let is_inside = value - floor <= self.gap && self.b.at(&on_axis).0 <= 0.0;
            is_inside.then_some(Best { point: on_axis, value })
        })
    }

    /// Returns the shares at a place, and how many times the gradient of the second body that of the first is.
    fn multipliers(&self, point: &Point) -> ([f64; 2], f64) {
        let ((_, of_a, s), (_, of_b, t)) = (self.a.at(point), self.b.at(point));
        let ratio = of_a.norm() / of_b.norm();
        ([s, t], if ratio.is_finite() && ratio > 0.0 { ratio } else { 1.0 })
    }
}

impl ConvexSearch {
    /// Returns the minimum of a function over a body in a domain, with a bound within `gap`, or a bound above the
    /// cutoff. `None` if it did not find that: both are to be rods or balls, or blends of two.
    pub(in crate::implicit::search) fn least_over_body(
        &mut self,
        function: &dyn ImplicitFunction,
        body: &dyn ImplicitFunction,
        domain: &ConvexDomain<'_>,
        cutoff: f64,
        gap: f64,
    ) -> Option<LeastOfConvex> {
        let mut found = None;
        Body::over(function, &mut |a| {
            Body::over(body, &mut |b| {
                found = self.least_over(&Task::new(*a, *b, domain, cutoff, gap));
            });
        });
        found
    }

    fn least_over(&mut self, task: &Task<'_>) -> Option<LeastOfConvex> {
        let floor = task.a.floor() - task.rounding;
        let found = |best: &Best, lower: f64| {
            let Best { point, value } = *best;
            Some(LeastOfConvex { point, value, lower: lower.min(value) })
        };
        if floor > task.cutoff {
            return Some(LeastOfConvex { point: task.domain.center(), value: f64::INFINITY, lower: floor });
        }
        if let Some(best) = task.deepest(floor) {
            return found(&best, floor);
        }
        self.forget();
        let mut best = None;
        for s in task.a.shares() {
            for t in task.b.shares() {
                self.bound(task, [s, t], 1.0, &mut best)?;
            }
        }
        for _ in 0..MOST_PASSES {
            let (shares, v) = self.settle(task, &mut best)?;
            let before = best?.value;
            let mut rectangles = std::mem::take(&mut self.rectangles);
            let lower = self.prove(task, shares, v, &mut best, &mut rectangles);
            self.rectangles = rectangles;
            let lower = lower?;
            if lower > task.cutoff || best?.value - lower <= task.gap {
                return found(&best?, lower);
            }
            // A place that is much lower has multipliers of its own.
            if best?.value >= before - task.gap {
                break;
            }
        }
        None
    }

    /// Moves the best place to the minimum for its own shares and its own `v`, which it returns.
    fn settle(&mut self, task: &Task<'_>, best: &mut Option<Best>) -> Option<([f64; 2], f64)> {
        let (mut shares, mut v) = task.multipliers(&(*best)?.point);
        for _ in 0..MOST_MOVES {
            let is_corner = |share: f64| share == 0.0 || share == 1.0;
            if shares.into_iter().all(is_corner) {
                break;
            }
            let before = (*best)?.point;
            self.bound(task, shares, v, best)?;
            (shares, v) = task.multipliers(&(*best)?.point);
            if ((*best)?.point - before).norm() <= SETTLED * task.domain.reach() {
                break;
            }
        }
        Some((shares, v))
    }

    /// Returns a lower bound of `A + v B` for fixed shares, without what is subtracted, and tries the place where it is
    /// attained.
    fn bound(&mut self, task: &Task<'_>, shares: [f64; 2], v: f64, best: &mut Option<Best>) -> Option<f64> {
        let sum = task.sum(shares, v);
        if let Some(place) = &sum.deepest {
            task.consider(place, best);
            return Some(sum.floor - (1.0 + v) * task.rounding);
        }
        let mut order = [0, 1, 2, 3];
        order.sort_unstable_by(|&j, &k| sum.weights[k].total_cmp(&sum.weights[j]).then(j.cmp(&k)));
        for k in order {
            let (Part::Rounded { ends, radius }, true) = (sum.parts[k], sum.weights[k] > 0.0) else {
                continue;
            };
            let Some((least, tangent)) = self.on_axis(&sum.without(k), &ends, sum.weights[k], task.gap)
            else {
                continue;
            };
            // From within a rod of the second body the way out is along the first body's gradient.
            let outward = direction::unit_or(&tangent.gradient, &Vector::zeros());
            let beyond = if k >= 2 { radius } else { 0.0 };
            task.consider(&(tangent.point - outward * beyond), best);
            return Some(least - sum.weights[k] * radius);
        }
        let found = self.least_of_mixed(&sum, task.domain, f64::INFINITY, task.gap)?;
        task.consider(&found.point, best);
        Some(found.lower)
    }

    /// Returns a lower bound of a function plus `weight` times the distance from a segment, and the tangent where that is
    /// attained, if it is attained on the segment: it is, where the function is no steeper than the weight, since from
    /// there it falls by no more than the distance rises.
    fn on_axis(
        &mut self,
        function: &Mixed<'_>,
        axis: &[Point; 2],
        weight: f64,
        gap: f64,
    ) -> Option<(f64, Tangent)> {
        let domain = ConvexDomain::of_segment(axis);
        self.forget();
        let found = self.least_of_mixed(function, &domain, f64::INFINITY, gap);
        self.forget();
        let LeastOfConvex { point, .. } = found?;
        let tangent = function.tangent(&point);
        let rounding = domain.rounding() + rounding::length(function.largest_coordinate);
        let lower = axis.iter().map(|end| tangent.at(end)).fold(f64::INFINITY, f64::min) - rounding;
        (tangent.gradient.norm() <= weight).then_some((lower, tangent))
    }

    /// Returns a lower bound of the function over the body, close to the best value or above the cutoff if possible.
    fn prove(
        &mut self,
        task: &Task<'_>,
        shares: [f64; 2],
        v: f64,
        best: &mut Option<Best>,
        rectangles: &mut Vec<Rectangle>,
    ) -> Option<f64> {
        let curves = [task.a.radius, v * task.b.radius];
        let constant = task.a.offset + v * task.b.offset;
        let lines = [0, 1].map(|k| {
            let [low, high] = [task.a.shares(), task.b.shares()][k];
            [low, shares[k].clamp(low, high), high]
        });
        rectangles.clear();
        let mut bounds = [[0.0; 3]; 3];
        let is_again = |line: usize, k: usize| k > 0 && lines[line][k] == lines[line][k - 1];
        for i in 0..3 {
            for j in 0..3 {
                bounds[i][j] = if is_again(0, i) {
                    bounds[i - 1][j]
                } else if is_again(1, j) {
                    bounds[i][j - 1]
                } else {
                    self.bound(task, [lines[0][i], lines[1][j]], v, best)?
                };
            }
        }
        // Of no width are those beside a place at the end of a line, unless that is a point.
        let is_empty = |line: usize, k: usize| is_again(line, k + 1) && (k == 1 || !is_again(line, 2));
        for i in 0..2 {
            for j in (0..2).filter(|&j| !is_empty(0, i) && !is_empty(1, j)) {
                let corners = [bounds[i][j], bounds[i][j + 1], bounds[i + 1][j], bounds[i + 1][j + 1]];
                let (low, high) = ([lines[0][i], lines[1][j]], [lines[0][i + 1], lines[1][j + 1]]);
                rectangles.push(task.rectangle(low, high, corners, curves, constant));
            }
        }
        let mut lower = f64::NEG_INFINITY;
        for _ in 0..MOST_CORNERS / 2 {
            let index = (0..rectangles.len())
                .reduce(|a, b| if rectangles[b].lower < rectangles[a].lower { b } else { a })?;
            let whole = rectangles[index];
            lower = lower.max(whole.lower);
            if lower > task.cutoff || best.is_some_and(|best| best.value - lower <= 0.1 * task.gap) {
                break;
            }
            let Some((along, at)) = whole.division(curves) else { break };
            let (mut low, mut high) = (whole.low, whole.high);
            (low[along], high[along]) = (at, at);
            let ends = [low, high];
            let middle = [self.bound(task, ends[0], v, best)?, self.bound(task, ends[1], v, best)?];
            let [b00, b01, b10, b11] = whole.bounds;
            let (first, second) = if along == 0 {
                ([b00, b01, middle[0], middle[1]], [middle[0], middle[1], b10, b11])
            } else {
                ([b00, middle[0], b10, middle[1]], [middle[0], b01, middle[1], b11])
            };
            rectangles[index] = task.rectangle(whole.low, high, first, curves, constant);
            rectangles.push(task.rectangle(low, whole.high, second, curves, constant));
        }
        Some(lower)
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_cases::{Random, function};
    use super::*;
    use crate::implicit::{OrientedBounds, Search, SmoothUnion};

    use std::sync::Arc;

    fn blend(kinds: [usize; 2], random: &mut Random, reach: f64) -> Arc<dyn ImplicitFunction> {
        let parts = kinds.map(|kind| function(kind, random, 0.7, reach));
        Arc::new(SmoothUnion::new(parts.to_vec(), random.size(0.05)).unwrap())
    }

    /// Two random bodies, each convex or a blend, across each other and beside.
    #[test]
    fn branch_and_bound_finds_the_same_minimum() {
        let mut random = Random(23);
        let mut search = ConvexSearch::default();
        let (mut closed, mut of_rods, mut rods, mut nothing, mut inside) = (0, 0, 0, 0, 0);
        const CASES: usize = 600;
        for case in 0..CASES {
            let reach = [0.5, 1.0, 1.5][case % 3];
            let kinds = [case / 3 % 2, case / 6 % 2, case / 12 % 2, case / 24 % 2];
            let kinds = if case % 4 == 3 { kinds.map(|kind| kind + 1) } else { kinds };
            let is_rods = kinds.iter().all(|kind| *kind < 2);
            rods += usize::from(is_rods);
            let a = blend([kinds[0], kinds[1]], &mut random, reach);
            let b = match case % 5 {
                0 => function(kinds[2], &mut random, 0.7, reach),
                _ => blend([kinds[2], kinds[3]], &mut random, reach),
            };
            let root: OrientedBounds = b.oriented_bounds().unwrap_or_else(|| b.sublevel_bounds(0.0).into());
            let domain = ConvexDomain::of_bounds(&root);
            let gap = 1e-10 * domain.reach();
            let cutoff = [0.0, f64::INFINITY][case % 2];
            let Some(found) = search.least_over_body(a.as_ref(), b.as_ref(), &domain, cutoff, gap) else {
                continue;
            };
            closed += 1;
            of_rods += usize::from(is_rods);
            let slow = Search::with_tolerance(1e-12).below_within(a.as_ref(), b.as_ref(), &root, cutoff);
            let Some(slow) = slow else {
                assert!(found.lower > cutoff - 2.0 * gap, "{case}: {found:?}");
                nothing += 1;
                continue;
            };
            assert!(found.lower <= slow.sample.value + 2.0 * gap, "{case}: {found:?} {slow:?}");
            assert!(
                (found.value - slow.sample.value).abs() < 3.0 * gap + slow.sample.value - slow.lower,
                "{case}: {found:?} {slow:?}"
            );
            assert!(found.value - found.lower <= 1.01 * gap, "{case}: {found:?}");
            assert!((a.sample(&found.point).value - found.value).abs() < 1e-14, "{case}: {found:?}");
            let height = b.sample(&found.point).value;
            assert!(height < 1e-13, "{case}: {found:?} is outside by {height}");
            inside += usize::from(height < -1e-6);
        }
        assert!(
            closed > 240 && of_rods > 230 && nothing > 50,
            "{closed} {rods} {of_rods} {nothing} {inside}"
        );
    }
}
