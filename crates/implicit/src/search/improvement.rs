//! Local improvement of the incumbents of a search.

use super::incumbents::{Found, Incumbents};
use super::task::Task;
use palpate_math::{Point, Vector};

/// The first and the last step of the descent, relative to the domain: the error of the value is quadratic in the step.
const FIRST_STEP: f64 = 0.05;
const LAST_STEP: f64 = 1e-9;

/// Iteration limit of the descent.
const STEPS_DOWNHILL: usize = 300;

impl Task<'_> {
    /// Tries a point, which becomes the best if its value is lower; if infeasible, it is first projected to the
    /// constraint's surface.
    pub(super) fn try_incumbent(&self, incumbents: &mut Incumbents, point: &Point, weights: &[f64; 4]) {
        let Some(point) = self.feasible(point) else { return };
        let sample = self.function.sample(&point);
        if sample.value < incumbents.value() || incumbents.best.is_none() {
            incumbents.best = Some(Found { weights: *weights, point, sample });
        }
    }

    /// Tries a place outside of a convex constraint where the way to the middle of its support points enters it: at a sharp edge steps
    /// along the normals of the constraint's surface do not end.
    pub(super) fn try_inward(&self, incumbents: &mut Incumbents, place: &Point) {
        let Some(constraint) = self.constraint.filter(|constraint| constraint.is_convex()) else { return };
        let outside = constraint.value(place);
        if outside <= self.outside {
            return;
        }
        let mut ways = self.along.iter().flat_map(|axis| [*axis, -axis]);
        let sum =
            ways.try_fold(Vector::zeros(), |sum, way| Some(sum + constraint.support_point(&way)?.coords));
        let Some(sum) = sum else { return };
        let middle = Point::from(sum / 6.0);
        let inside = -constraint.value(&middle);
        if inside > 0.0 {
            let point = place + (middle - place) * (outside / (outside + inside));
            self.try_incumbent(incumbents, &point, &[0.0; 4]);
        }
    }

    /// Tries the target of a step: the point itself with a constraint, else its projection to the simplex. Skipped in a
    /// box without constraint, where an approximately deepest point suffices.
    fn try_towards(&self, incumbents: &mut Incumbents, target: &Point) {
        if self.constraint.is_some() {
            self.try_incumbent(incumbents, target, &[0.0; 4]);
        } else if !self.is_approximate() {
            let (point, weights) = self.nearest(target);
            self.try_incumbent(incumbents, &point, &weights);
        }
    }

    /// Takes a step from the best point downhill whose length would reach `lower`, a lower bound of all values, at its slope, and projects
    /// it to the domain (Polyak 1969): finds the deepest points of bodies that are cone-shaped there.
    pub(super) fn dive(&self, incumbents: &mut Incumbents, lower: f64) {
        let Some(best) = incumbents.best.filter(|_| lower.is_finite()) else { return };
        let slope = self.slopes(&best.sample.gradient);
        let steepness = slope.norm_squared();
        if steepness == 0.0 {
            return;
        }
        let step = slope * ((best.sample.value - lower) / steepness);
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
