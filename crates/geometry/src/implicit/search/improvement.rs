//! How a search looks for better places than it has found.

use super::incumbents::{Found, Incumbents, tangent};
use super::task::Task;
use palpate_math::{Point, Vector};

/// How far the first step downhill leads and the last, relative to what is searched: the value is good to the square.
const FIRST_STEP: f64 = 0.05;
const LAST_STEP: f64 = 1e-9;

/// Steps downhill after which the descent ends.
const STEPS_DOWNHILL: usize = 300;

impl Task<'_> {
    /// Takes a place when its value is lower than the best; brought to the constraint's surface first, where it is outside.
    pub(super) fn try_incumbent(&self, incumbents: &mut Incumbents, point: &Point, weights: &[f64; 4]) {
        let Some((point, limit)) = self.feasible(point) else { return };
        let sample = self.function.sample(&point);
        let tangent = if self.convex { tangent(&sample, limit.as_ref()) } else { (0.0, Vector::zeros()) };
        self.keep(incumbents, Found { weights: *weights, point, sample, tangent });
    }

    /// Keeps a place where it serves.
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

    /// Tries the place between the two best at which their tangents cross: on a crease that is where the value is least, and on
    /// a smooth floor it is nearer to that than both.
    pub(super) fn probe(&self, incumbents: &mut Incumbents) {
        let (true, Some(best), Some(opposed)) = (self.convex, incumbents.best, incumbents.opposed) else {
            return;
        };
        let way = opposed.point - best.point;
        // Both tangents along the way from the best place to the other.
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

    /// Tries a place that a step leads to: with a constraint itself, else the nearest place of the simplex. In a box alone, where
    /// about the deepest place is good enough, none.
    fn try_towards(&self, incumbents: &mut Incumbents, target: &Point) {
        if self.constraint.is_some() {
            self.try_incumbent(incumbents, target, &[0.0; 4]);
        } else if self.frame.is_none() {
            let (point, weights) = self.nearest(target);
            self.try_incumbent(incumbents, &point, &weights);
        }
    }

    /// From the best place a step downhill, as long as its slope would need to the floor, and from there to the nearest place of
    /// what is searched (Polyak 1969): so the deepest places of a body, where it falls from all sides like a cone, are met.
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

    /// From the best place downhill by steps that grow where they lead lower and are halved where they do not: to a least place
    /// near it, where nothing has an edge there.
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
