//! Result of a search, and the lowest of several.

use crate::base::Sample;
use palpate_math::Point;

/// The minimum found.
#[derive(Clone, Copy, Debug)]
pub struct Minimum {
    /// The barycentric weights of its point; zero beyond the corner count. All zero for a search with a constraint.
    pub weights: [f64; 4],
    /// The point.
    pub point: Point,
    /// The value there, its gradient and its feature.
    pub sample: Sample,
    /// Certified lower bound of the value.
    pub lower: f64,
    /// Whether bound and value met; otherwise the search gave up.
    pub converged: bool,
}

/// The lowest result of several searches, each below the best so far.
#[derive(Clone, Copy, Debug)]
pub struct Lowest {
    cutoff: f64,
    best: Option<Minimum>,
}

impl Lowest {
    /// Creates the state before the first search.
    pub fn below(cutoff: f64) -> Self {
        Self { cutoff, best: None }
    }

    /// Returns the cutoff of the next search: only lower values matter.
    pub fn cutoff(&self) -> f64 {
        self.best.map_or(self.cutoff, |best| best.sample.value.min(self.cutoff))
    }

    /// Adds the result of the next search. Ties go to the first.
    pub fn take(&mut self, found: Option<Minimum>) {
        let Some(found) = found else { return };
        let Some(best) = self.best else {
            self.best = Some(found);
            return;
        };
        let lowest = if found.sample.value < best.sample.value { found } else { best };
        let lower = best.lower.min(found.lower);
        self.best = Some(Minimum { lower, converged: best.converged && found.converged, ..lowest });
    }

    /// Returns the lowest of all, with a common lower bound.
    pub fn found(&self) -> Option<Minimum> {
        self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::Vector;

    /// The second is lower, but the lower bound of the first may be lower still.
    #[test]
    fn of_several_searches_the_bound_is_the_lowest() {
        let minimum = |value: f64, lower: f64, converged: bool| {
            let sample = Sample { value, gradient: Vector::y(), feature: 0 };
            Some(Minimum { weights: [0.0; 4], point: Point::origin(), sample, lower, converged })
        };
        let mut lowest = Lowest::below(f64::INFINITY);
        for found in [minimum(1.0, -1.2, false), minimum(-1.0, -1.5, true), minimum(-0.5, -3.0, true)] {
            lowest.take(found);
        }
        let found = lowest.found().unwrap();
        assert_eq!((found.sample.value, found.lower, found.converged), (-1.0, -3.0, false));
        assert_eq!(lowest.cutoff(), -1.0);
    }
}
