//! The middle of a shell, where the value is as low as anywhere.

use super::clipped::Clipped;
use super::problem::{Limit, Problem, Progress};
use palpate_math::{Point, Vector};

/// How far towards the middle of the solid the search begins, one after the other: away from the solid's sides, as it may leave
/// the solid.
const TOWARDS_THE_MIDDLE: [f64; 3] = [0.0, 0.03, 0.2];

/// The most searches.
const MOST_DIVES: usize = 3;

/// How close to the lowest of all values, relative to it, the first place of a search has to be for others to be tried.
const NEAR: f64 = 1e-6;

/// Iteration limit of Newton's method.
const MOST_STEPS: usize = 4;

impl Problem<'_> {
    /// Moves a place to where the highest of the convex functions and the highest of the negatives are equal, and tries it.
    pub(super) fn dive(&self, polytope: &Clipped, from: &Point, progress: &mut Progress) {
        if !self.floor.is_finite() || progress.dives == MOST_DIVES {
            return;
        }
        progress.dives += 1;
        for share in TOWARDS_THE_MIDDLE {
            let Some((point, value)) = self.balanced(from + (self.center - from) * share) else { return };
            if value - self.floor > NEAR * self.floor.abs() + self.gap {
                // It is no shell, or not everywhere as thick.
                progress.dives = MOST_DIVES;
                return;
            }
            let is_better = self.is_inside(polytope, &point) && self.try_point(&point, progress);
            if is_better && self.is_at_floor(progress) {
                return;
            }
        }
    }

    /// Returns a place near a point where the two are equal, and their value.
    fn balanced(&self, mut point: Point) -> Option<(Point, f64)> {
        let mut value = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let (g, up) = highest(&self.limits, &point, 1.0)?;
            let (h, out) = highest(&self.holes, &point, -1.0)?;
            value = g.max(h);
            let across = up - out;
            let square = across.norm_squared();
            if square == 0.0 || (g - h).abs() <= self.slack {
                break;
            }
            point -= across * ((g - h) / square);
        }
        Some((point, value))
    }
}

/// Returns the highest of the maximum's functions, with its gradient.
fn highest(limits: &[Limit<'_>], point: &Point, sign: f64) -> Option<(f64, Vector)> {
    let samples = limits.iter().filter(|limit| limit.rate > 0.0).map(|limit| limit.sample(point));
    let samples = samples.map(|sample| (sign * sample.value, sample.gradient * sign));
    samples.reduce(|a, b| if b.0 > a.0 { b } else { a })
}
