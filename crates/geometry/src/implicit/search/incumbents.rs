//! Incumbents: the best points of a search, and heuristics that improve them.

use super::task::Task;
use crate::implicit::Sample;
use palpate_math::{Point, Vector};

/// The first and the last step of the descent, relative to the domain: the error of the value is quadratic in the step.
const FIRST_STEP: f64 = 0.05;
const LAST_STEP: f64 = 1e-9;

/// Iteration limit of the descent.
const STEPS_DOWNHILL: usize = 300;

/// A point and its value.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) weights: [f64; 4],
    pub(super) point: Point,
    pub(super) sample: Sample,
    /// If all is convex: the value at the point and the gradient of a linear lower bound of the function (under the
    /// constraint).
    pub(super) tangent: (f64, Vector),
}

/// The best points found.
#[derive(Clone, Copy, Default)]
pub(super) struct Incumbents {
    pub(super) best: Option<Found>,
    /// The best of those whose tangent descends in the opposite direction.
    pub(super) opposed: Option<Found>,
}

impl Incumbents {
    pub(super) fn value(&self) -> f64 {
        self.best.map_or(f64::INFINITY, |best| best.sample.value)
    }
}

impl Task<'_> {
    /// Tries a point, which becomes the best if its value is lower; if infeasible, it is first projected to the
    /// constraint's surface.
    pub(super) fn try_incumbent(&self, incumbents: &mut Incumbents, point: &Point, weights: &[f64; 4]) {
        let Some((point, limit)) = self.feasible(point) else { return };
        let sample = self.function.sample(&point);
        let tangent = if self.convex { tangent(&sample, limit.as_ref()) } else { (0.0, Vector::zeros()) };
        self.keep(incumbents, Found { weights: *weights, point, sample, tangent });
    }

    /// Keeps a point if it is useful.
    pub(super) fn keep(&self, incumbents: &mut Incumbents, found: Found) {
        let sample = found.sample;
        let Incumbents { best, opposed } = *incumbents;
        let Some(best) = best else {
            incumbents.best = Some(found);
            return;
        };
        let lowest_opposed = |to: &Found, candidates: [Option<Found>; 2]| {
            let falls_otherwise =
                |other: &Found| self.slopes(&to.tangent.1).dot(&self.slopes(&other.tangent.1)) < 0.0;
            let candidates = candidates.into_iter().flatten().filter(falls_otherwise);
            candidates.reduce(|a, b| if b.sample.value < a.sample.value { b } else { a })
        };
        if sample.value < best.sample.value {
            *incumbents =
                Incumbents { best: Some(found), opposed: lowest_opposed(&found, [Some(best), opposed]) };
        } else if self.convex {
            incumbents.opposed = lowest_opposed(&best, [opposed, Some(found)]);
        }
    }

    /// Tries the point between the two best at which their tangents intersect: on a crease that is the minimum, and on
    /// a smooth floor it is closer to the minimum than both.
    pub(super) fn probe(&self, incumbents: &mut Incumbents) {
        let (true, Some(best), Some(opposed)) = (self.convex, incumbents.best, incumbents.opposed) else {
            return;
        };
        let way = opposed.point - best.point;
        // Both tangents along the line from the best point to the other.
        let falls = best.tangent.1.dot(&way);
        let rises = opposed.tangent.1.dot(&way);
        let crossing = (opposed.tangent.0 - rises - best.tangent.0) / (falls - rises);
        if crossing > 0.0 && crossing < 1.0 {
            let mix = |a: f64, b: f64| a + crossing * (b - a);
            let point = best.point + way * crossing;
            let weights = std::array::from_fn(|k| mix(best.weights[k], opposed.weights[k]));
            self.try_incumbent(incumbents, &point, &weights);
        }
    }

    /// Tries the target of a step: the point itself with a constraint, else its projection to the simplex. Skipped in a
    /// box without constraint, where an approximately deepest point suffices.
    fn try_towards(&self, incumbents: &mut Incumbents, target: &Point) {
        if self.constraint.is_some() {
            self.try_incumbent(incumbents, target, &[0.0; 4]);
        } else if self.frame.is_none() {
            let (point, weights) = self.nearest(target);
            self.try_incumbent(incumbents, &point, &weights);
        }
    }

    /// Takes a step from the best point downhill whose length would reach the floor at its slope, and projects it to
    /// the domain (Polyak 1969): finds the deepest points of bodies that are cone-shaped there.
    pub(super) fn dive(&self, incumbents: &mut Incumbents) {
        let Some(best) = incumbents.best.filter(|_| self.floor.is_finite()) else { return };
        let slope = self.slopes(&best.sample.gradient);
        let steepness = slope.norm_squared();
        if steepness == 0.0 {
            return;
        }
        let step = slope * ((best.sample.value - self.floor) / steepness);
        self.try_towards(incumbents, &(best.point - step));
    }

    /// Descends from the best point by steps that grow on success and are halved on failure: to a local minimum, where
    /// the function is smooth.
    pub(super) fn descend(&self, incumbents: &mut Incumbents) {
        let mut step = FIRST_STEP * self.reach;
        for _ in 0..STEPS_DOWNHILL {
            let Some(best) = incumbents.best.filter(|_| step > LAST_STEP * self.reach) else { return };
            let Some(downhill) = self.slopes(&best.sample.gradient).try_normalize(0.0) else { return };
            self.try_towards(incumbents, &(best.point - downhill * step));
            step *= if incumbents.value() < best.sample.value { 1.5 } else { 0.5 };
        }
    }
}

/// Returns a linear function through the value at a point that bounds a convex function from below wherever a convex
/// constraint is not positive: its gradient, minus the component normal to the constraint's surface.
pub(super) fn tangent(sample: &Sample, limit: Option<&Sample>) -> (f64, Vector) {
    let Some(limit) = limit else { return (sample.value, sample.gradient) };
    let square = limit.gradient.norm_squared();
    let outward = -sample.gradient.dot(&limit.gradient);
    if outward <= 0.0 || square == 0.0 {
        return (sample.value, sample.gradient);
    }
    let share = outward / square;
    (sample.value + share * limit.value, sample.gradient + limit.gradient * share)
}
