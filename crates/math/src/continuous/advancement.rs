//! Impact within a separation: conservative advancement along the direction between the closest points.
//!
//! Along a fixed direction, the gap between each vertex of the one feature and each of the other is linear in time, and
//! so it is known how long all gaps stay above the separation. The direction may be any: rounding it makes steps
//! shorter, never wrong. Whatever the features do, they are apart until then. The step is repeated from there.
//!
//! Source: B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", PhD thesis, UC Berkeley (1996),
//! section 2.3, with the direction's own rate of approach for each vertex, which is exact for linear motion.

use super::canonical::Vertex;
use super::features::Features;
use super::quadratic::UNDERFLOW;
use crate::continuous::{Certainty, Impact, Options, TimeInterval};
use crate::{Point, Vector};

/// Bound on the error of a gap, and of the distance between two weighted points, relative to the largest component of a vector
/// between two vertices: some 50 roundings of at most three such components each.
const ERROR: f64 = 128.0 * f64::EPSILON;

/// Times tried for an upper bound when the budget is used up, each half as late as the one before.
const PROBES: i32 = 24;

/// The vertices relative to the first, so that only the size of the query itself counts.
struct Motion<const N: usize> {
    features: Features,
    start: [Vector; N],
    end: [Vector; N],
    separation: f64,
    error: f64,
}

/// How far the features are proven to stay apart.
enum Advance {
    /// To the end of the step.
    Never,
    /// Until this time.
    Until(f64),
    /// Not even now.
    Stuck,
}

impl Advance {
    /// The later of two: each direction is a proof of its own.
    fn or_later(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Never => Self::Never,
            Self::Stuck => other(),
            Self::Until(time) => match other() {
                Self::Until(later) => Self::Until(time.max(later)),
                Self::Never => Self::Never,
                Self::Stuck => Self::Until(time),
            },
        }
    }
}

impl<const N: usize> Motion<N> {
    fn new(features: Features, v: &[Vertex; N], separation: f64) -> Self {
        let start = v.each_ref().map(|vertex| vertex.start - v[0].start);
        let end = v.each_ref().map(|vertex| vertex.end - v[0].end);
        let size = start.iter().chain(&end).fold(0.0_f64, |size, vector| size.max(vector.amax()));
        Self { features, start, end, separation, error: ERROR * size.max(separation) + UNDERFLOW }
    }

    fn positions(&self, time: f64) -> [Point; N] {
        std::array::from_fn(|i| Point::from(self.start[i] * (1.0 - time) + self.end[i] * time))
    }

    /// Returns the weights of the closest points, and the vectors between them.
    fn closest(&self, time: f64) -> ([f64; 4], [Vector; 2]) {
        let positions = self.positions(time);
        let weights = self.features.closest_weights(&positions);
        (weights, self.features.apart(&positions, &weights))
    }

    fn advance(&self, time: f64, along: &Vector) -> Advance {
        let length = along.norm();
        if length <= 0.0 || !length.is_finite() {
            return Advance::Stuck;
        }
        // The direction's length is one but for rounding.
        let direction = along / length;
        let needed = self.separation * (1.0 + 8.0 * f64::EPSILON) + self.error;
        let heights = |vectors: &[Vector; N]| vectors.each_ref().map(|vector| direction.dot(vector));
        let (start, end) = (heights(&self.start), heights(&self.end));
        let mut until = f64::INFINITY;
        let of_first = self.features.of_first();
        for i in 0..of_first {
            for j in of_first..N {
                let (at_start, at_end) = (start[j] - start[i], end[j] - end[i]);
                let now = at_start * (1.0 - time) + at_end * time;
                if now <= needed {
                    return Advance::Stuck;
                }
                if at_end <= needed {
                    let part = (now - needed) / (now - at_end) * (1.0 - 8.0 * f64::EPSILON);
                    until = f64::min(until, time + part * (1.0 - time));
                }
            }
        }
        if until.is_finite() { Advance::Until(until.min(1.0)) } else { Advance::Never }
    }

    /// Returns what is known after `lower`: the first of a few later times at which the features are within the separation.
    fn out_of_budget(&self, lower: f64, weights: [f64; 4]) -> Impact {
        let impact =
            |upper, certainty, weights| Impact { time: TimeInterval { lower, upper }, certainty, weights };
        for power in (0..=PROBES).rev() {
            let upper = (lower + (1.0 - lower) * 0.5_f64.powi(power)).min(1.0);
            let (weights, [between, _]) = self.closest(upper);
            if self.is_within(&between) {
                return impact(upper, Certainty::Late, weights);
            }
        }
        impact(1.0, Certainty::Open, weights)
    }

    /// Whether the two weighted points are proven to be within the separation.
    fn is_within(&self, between: &Vector) -> bool {
        between.norm() + self.error <= self.separation
    }
}

/// Returns the first impact, the weights in the order of `v`.
///
/// Each unit of the budget is one distance of two features. A distance within rounding error of the separation counts as
/// touching.
pub(super) fn first_impact<const N: usize>(
    features: Features,
    v: &[Vertex; N],
    separation: f64,
    options: &Options,
) -> Option<Impact> {
    let motion = Motion::new(features, v, separation);
    let tolerance = options.time_tolerance.max(Options::FINEST);
    let mut time = 0.0;
    let mut spent = 0;
    let mut last = [0.0; 4];
    while spent < options.budget {
        spent += 1;
        let (weights, [between, across]) = motion.closest(time);
        last = weights;
        let at = |upper, certainty, weights| {
            Some(Impact { time: TimeInterval { lower: time, upper }, certainty, weights })
        };
        if motion.is_within(&between) {
            return at(time, Certainty::Proven, weights);
        }
        let advance = motion.advance(time, &across).or_later(|| motion.advance(time, &between));
        let next = match advance {
            Advance::Never => return None,
            Advance::Until(next) => next,
            Advance::Stuck => time,
        };
        if next - time < tolerance {
            spent += 1;
            let upper = (time + tolerance).min(1.0);
            let (weights, [between, _]) = motion.closest(upper);
            if motion.is_within(&between) {
                return at(upper, Certainty::Proven, weights);
            }
        }
        if next <= time {
            if between.norm() <= separation + 4.0 * motion.error {
                return at(time, Certainty::Touching, weights);
            }
            break;
        }
        time = next;
    }
    Some(motion.out_of_budget(time, last))
}
