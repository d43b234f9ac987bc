//! GJK distance between two convex cores (Gilbert, Johnson, Keerthi 1988; van den Bergen 1999).
//!
//! The loop maintains a simplex of vertices of the Minkowski difference and `v`, its closest point to the origin. A
//! support point `w` along `-v` bounds the distance from both sides:
//!
//! ```text
//!   v·w / |v|  <=  distance  <=  |v|
//! ```
//!
//! Termination:
//! - **converged** when the bounds differ by no more than the tolerance times the size of the input, or when a bound
//!   answers the query (the distance is known to be above or below the caller's threshold);
//! - **inside** when the simplex contains the origin, or `|v|` is within rounding error: the cores touch or overlap,
//!   and EPA continues from the simplex;
//! - **stalled** when a support point makes no progress while the bounds still differ, which only rounding error
//!   causes;
//! - **limit** when the iterations are used up.
//!
//! Both bounds are valid in every case.

use crate::dimension::Dimension;
use crate::minkowski_difference::{Difference, MinkowskiDifference};
use crate::simplex::Simplex;
use crate::simplex_reduction::Reduced;
use crate::support::{Core, NO_ID};
use crate::trace::{GjkStep, Tracer};
use crate::vector::VectorSpace;

/// Early outs and limits of GJK: it may stop once the distance is known to exceed `beyond`, or not to exceed `within`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StopCriteria {
    pub(crate) beyond: f64,
    pub(crate) within: f64,
    /// The gap between the bounds at which GJK has converged, a length.
    pub(crate) gap: f64,
    pub(crate) iterations: u32,
}

/// Why the loop terminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Converged,
    /// One of the two bounds answered the query.
    Settled,
    Inside,
    Stalled,
    Limit,
}

/// Result of the loop; the simplex holds the witness points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<V> {
    pub(crate) ended: Ended,
    /// The closest point of the difference to the origin found so far; points from B to A.
    pub(crate) nearest: V,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) iterations: u32,
}

/// Runs GJK from a simplex, which may be empty; then the first support is taken along `direction`, a guess of the
/// direction from B to A of any non-zero length.
#[inline(always)]
pub(crate) fn gjk<V: Dimension, A: Core<V>, B: Core<V>, R: Tracer<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    simplex: &mut Simplex<V>,
    direction: V,
    question: &StopCriteria,
    recorder: &mut R,
) -> Found<V> {
    run::<V, MinkowskiDifference<'_, V, A, B>, R, false>(difference, simplex, direction, question, recorder)
}

/// Like `gjk`, but tracks the best lower bound of all iterations with its direction, and returns it if the search does
/// not converge. Slightly slower; only useful for a search that has stalled before.
#[inline(never)]
pub(crate) fn gjk_careful<V: Dimension, R: Tracer<V>>(
    difference: &dyn Difference<V>,
    simplex: &mut Simplex<V>,
    direction: V,
    question: &StopCriteria,
    recorder: &mut R,
) -> Found<V> {
    run::<V, dyn Difference<V> + '_, R, true>(difference, simplex, direction, question, recorder)
}

#[inline(always)]
fn run<V: Dimension, D: Difference<V> + ?Sized, R: Tracer<V>, const CAREFUL: bool>(
    difference: &D,
    simplex: &mut Simplex<V>,
    direction: V,
    question: &StopCriteria,
    recorder: &mut R,
) -> Found<V> {
    let mut best = (f64::NEG_INFINITY, direction);
    let touching = difference.rounding_error() * difference.rounding_error();
    let mut near = [NO_ID; 2];
    let mut iterations = 0;
    let mut state = Reduced { nearest: direction, weights: [0.0; 4], inside: false };
    // With an empty simplex the guess stands in for the closest point; only its direction is used.
    let mut upper = f64::INFINITY;
    let mut squared = f64::INFINITY;
    if simplex.count > 0 {
        state = simplex.reduced();
        simplex.keep(&state.weights);
        squared = state.nearest.squared();
    }
    loop {
        let nearest = state.nearest;
        let found = |ended, nearest: V, lower: f64, upper: f64, iterations| Found {
            ended,
            nearest,
            lower: if lower < upper { lower } else { upper },
            upper,
            iterations,
        };
        if state.inside || squared <= touching {
            return found(Ended::Inside, nearest, 0.0, 0.0, iterations);
        }
        let length = nearest.length();
        if simplex.count > 0 {
            upper = length;
        }
        if upper <= question.within {
            return found(Ended::Settled, nearest, f64::NEG_INFINITY, upper, iterations);
        }
        if iterations == question.iterations {
            return found(Ended::Limit, best.1, best.0, upper, iterations);
        }
        iterations += 1;
        let vertex = difference.support(-nearest, near);
        near = vertex.ids;
        // The lower bound times the length; divided only where it is returned. It holds for this direction alone: the
        // returned direction certifies it.
        let reach = nearest.inner(vertex.point);
        if R::ACTIVE {
            recorder.gjk(GjkStep::of(simplex, &state, &vertex, reach / length, upper));
        }
        if CAREFUL && reach > best.0 * length {
            best = (reach / length, nearest);
        }
        // Test for known vertices first: it is available earliest and terminates most searches of polyhedra.
        let known = simplex.contains(&vertex);
        if known || (upper - question.gap) * length <= reach {
            let lower = reach / length;
            if upper - lower <= question.gap {
                return found(Ended::Converged, nearest, lower, upper, iterations);
            }
            if known {
                if CAREFUL {
                    try_normals(difference, simplex, &mut best);
                    return found(
                        ended_by(upper - best.0 <= question.gap),
                        best.1,
                        best.0,
                        upper,
                        iterations,
                    );
                }
                return found(Ended::Stalled, nearest, lower, upper, iterations);
            }
        }
        if reach > question.beyond * length {
            return found(Ended::Settled, nearest, reach / length, upper, iterations);
        }
        let next = simplex.reduced_with(vertex.point, difference.is_straight());
        let next_squared = next.nearest.squared();
        if !next.inside && next_squared >= squared {
            if CAREFUL {
                simplex.push(vertex);
                try_normals(difference, simplex, &mut best);
                simplex.count -= 1;
                return found(ended_by(upper - best.0 <= question.gap), best.1, best.0, upper, iterations);
            }
            return found(Ended::Stalled, nearest, reach / length, upper, iterations);
        }
        simplex.join(vertex, &next.weights);
        state = next;
        squared = next_squared;
    }
}

fn ended_by(met: bool) -> Ended {
    if met { Ended::Converged } else { Ended::Stalled }
}

/// Tries the normals of the simplex's faces (edges in 2D) as directions, and keeps the best lower bound.
///
/// Where the closest point lies on an edge within a face, its direction has an error of rounding over the distance,
/// which is large for shapes that nearly touch; the error of the face normal does not depend on the distance.
#[inline(never)]
fn try_normals<V: VectorSpace, D: Difference<V> + ?Sized>(
    difference: &D,
    simplex: &Simplex<V>,
    best: &mut (f64, V),
) {
    let points = &simplex.points[..simplex.count];
    for (first, base) in points.iter().enumerate() {
        for (second, one) in points.iter().enumerate().skip(first + 1) {
            let others = if V::DIMENSION == 2 { &points[second..=second] } else { &points[second + 1..] };
            for other in others {
                let normal = V::normal_of(*one - *base, *other - *base);
                let length = normal.length();
                if length > 0.0 {
                    let unit = normal * (1.0 / length);
                    let towards = if unit.inner(*base) < 0.0 { -unit } else { unit };
                    let reach = towards.inner(difference.support(-towards, [NO_ID; 2]).point);
                    if reach > best.0 {
                        *best = (reach, towards);
                    }
                }
            }
        }
    }
}
