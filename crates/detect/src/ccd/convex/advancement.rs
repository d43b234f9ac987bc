//! First impact of two moving convex sets by conservative advancement.
//!
//! While the two are apart, GJK returns the direction between their closest points. Along that fixed direction, two support
//! points give the gap at any other time, and the second derivative of every point's path is bounded. So between two times
//! the gap is at least a parabola through its values at both:
//!
//! ```text
//!   gap(t0 + u s) >= g0 (1 - u) + g1 u - (bend s^2 / 2) u (1 - u),     0 <= u <= 1
//! ```
//!
//! The two are apart until that parabola falls to the target. Straight motions have no bend, and the bound is exact. From the
//! time that is reached the step is repeated. Only the direction and support points enter the proof; whatever GJK returns, the
//! steps are right, if short.
//!
//! Termination:
//! - **apart** when the proven steps reach the end of the motion;
//! - **impact** when the distance is within the tolerance of the separation;
//! - **open** when the budget is used up, or rounding leaves no progress: the two are apart before the time returned, and it
//!   is not known whether they meet after it.
//!
//! Source: B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", PhD thesis, UC Berkeley (1996), section 2.3;
//! X. Zhang, M. Lee, Y. J. Kim, "Interactive continuous collision detection for non-convex polyhedra", The Visual Computer 22
//! (2006), for bounds on the motion along a direction. The bound on the curvature of the paths replaces their bound on the
//! speed: its error is of second order in the step.

use palpate_convex::QueryResult;
use palpate_math::Vector;

/// Two convex sets in motion over the times 0 to 1.
pub(crate) trait MovingPair {
    /// Returns the distance or the depth at a time.
    fn query(&mut self, time: f64) -> QueryResult<Vector>;

    /// Returns the gap at a time along a unit direction from B to A: the lowest point of A less the highest of B.
    fn gap(&self, along: &Vector, time: f64) -> f64;

    /// Returns a bound on the second derivative of the path of any point of A relative to any of B along a unit direction, by
    /// the time.
    fn bend(&self, along: &Vector) -> f64;

    /// Returns the length to which the tolerance is relative, metres.
    fn size(&self) -> f64;

    /// Returns a bound on the rounding error of a gap, metres.
    fn error(&self) -> f64;

    /// Returns a unit direction that may separate the two throughout; tried before the first query.
    fn guess(&self) -> Option<Vector> {
        None
    }
}

/// The first impact of two sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstImpact {
    /// The two are apart before it.
    pub(crate) time: f64,
    /// The closest points, or the depth, at that time.
    pub(crate) found: QueryResult<Vector>,
    /// Whether it is not known that there is an impact.
    pub(crate) open: bool,
}

/// Sets that are no farther apart than this, relative to the size of the smaller, are in contact.
pub(crate) const TOLERANCE: f64 = 1.0 / (1 << 20) as f64;

/// Maximum number of distance queries of a pair. Only bodies that turn while the gap stays near the tolerance need more than
/// about ten.
const BUDGET: u32 = 2048;

/// Shortens a proven step by the rounding of its computation.
const SHORTENED: f64 = 1.0 - 32.0 * f64::EPSILON;

/// Returns the first impact: the first time at which the distance is at most the separation, or exceeds it by no more than
/// the tolerance. Returns `None` only if the pair is proven to have no impact.
pub(crate) fn first_impact(pair: &mut impl MovingPair, separation: f64) -> Option<FirstImpact> {
    let slack = TOLERANCE * pair.size();
    // Steps end halfway to the tolerance, where the direction between the closest points is still accurate.
    let target = separation + (0.5 * slack).max(pair.error());
    let reached = target + 0.5 * slack;
    if let Some(along) = pair.guess()
        && apart_until(pair, 0.0, &along, target) >= 1.0
    {
        return None;
    }
    let mut time = 0.0;
    let mut spent = 0;
    loop {
        let found = pair.query(time);
        spent += 1;
        if -found.depth <= reached {
            return Some(FirstImpact { time, found, open: false });
        }
        let until = apart_until(pair, time, &found.direction, target);
        if until >= 1.0 {
            return None;
        }
        if until <= time || spent == BUDGET {
            return Some(FirstImpact { time, found, open: true });
        }
        time = until;
    }
}

/// Returns the time until which the direction proves the two to be more than `target` apart: 1 for all of the rest of the
/// motion, the time itself if it proves nothing.
fn apart_until(pair: &impl MovingPair, time: f64, along: &Vector, target: f64) -> f64 {
    let above = pair.gap(along, time) - target;
    if above <= 0.0 {
        return time;
    }
    let rest = 1.0 - time;
    let bend = pair.bend(along) * (1.0 + 16.0 * f64::EPSILON);
    // Whether the span ends with the motion is a matter of the span, not of rounding.
    let end_of = |span: f64| if span == rest { 1.0 } else { time + span };
    let proven = |span: f64| {
        let after = pair.gap(along, end_of(span)) - target;
        match first_root(above, after, 0.5 * bend * span * span) {
            None => span,
            Some(root) => span * (root * SHORTENED),
        }
    };
    let mut best = proven(rest);
    if best == rest {
        return 1.0;
    }
    if bend > 0.0 {
        // The span over which paths bend by as much as the gap; then spans about what was proven by it.
        let mut span = (8.0 * above / bend).sqrt();
        for _ in 0..TRIALS {
            span = span.min(0.5 * rest);
            let found = proven(span);
            best = best.max(found);
            if found > 0.75 * span {
                break;
            }
            span = 2.0 * found;
        }
    }
    (time + best * SHORTENED).min(1.0)
}

/// Spans tried for one step.
const TRIALS: u32 = 3;

/// Returns where the parabola with these values at 0 and 1, the first positive, lowered by `sag * u * (1 - u)`, first falls to
/// zero; `None` if it stays above.
fn first_root(start: f64, end: f64, sag: f64) -> Option<f64> {
    // start - fall u + sag u^2
    let fall = start - end + sag;
    if fall <= 0.0 {
        return None;
    }
    let discriminant = fall * fall - 4.0 * sag * start;
    if discriminant < 0.0 {
        return None;
    }
    // The smaller root, without cancellation.
    let root = 2.0 * start / (fall + discriminant.sqrt());
    (root <= 1.0).then_some(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_root_of_a_parabola() {
        assert_eq!(first_root(1.0, -1.0, 0.0), Some(0.5), "a line");
        assert_eq!(first_root(1.0, 0.5, 0.0), None);
        assert_eq!(first_root(1.0, 0.0, 0.0), Some(1.0));
        // 1 - 5 u + 4 u^2 = (1 - u)(1 - 4 u)
        assert_eq!(first_root(1.0, 0.0, 4.0), Some(0.25));
        // 1 - 4 u + 4 u^2 touches zero at the middle; any less sag stays above.
        assert_eq!(first_root(1.0, 1.0, 4.0), Some(0.5));
        assert_eq!(first_root(1.0, 1.0, 3.9), None);
    }
}
