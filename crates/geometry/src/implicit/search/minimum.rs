//! What a search finds, and the lowest of what several find.

use crate::implicit::Sample;
use palpate_math::Point;

/// The least value found.
#[derive(Clone, Copy, Debug)]
pub struct Minimum {
    /// The weights of the corners at its place; zero past their count. Of a search with a constraint all zero.
    pub weights: [f64; 4],
    /// The place.
    pub point: Point,
    /// The value there, its gradient and its feature.
    pub sample: Sample,
    /// No place has a lower value than this.
    pub lower: f64,
    /// Whether bound and value met; otherwise the search gave up.
    pub converged: bool,
}

/// The lowest of several searches, each below what those before it found.
#[derive(Clone, Copy, Debug)]
pub struct Lowest {
    cutoff: f64,
    best: Option<Minimum>,
}

impl Lowest {
    /// Before the first search.
    pub fn below(cutoff: f64) -> Self {
        Self { cutoff, best: None }
    }

    /// Below what the next search must find to matter.
    pub fn cutoff(&self) -> f64 {
        self.best.map_or(self.cutoff, |best| best.sample.value.min(self.cutoff))
    }

    /// Takes the next search's answer. Of equal values the first stays.
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

    /// The lowest of all, with a bound for all.
    pub fn found(&self) -> Option<Minimum> {
        self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::Vector;

    /// The second is lower, but the first may be lower still.
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
