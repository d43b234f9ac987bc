//! Newton's method over mixtures of support points.
//!
//! The place is a mixture of up to four support points, found one by one as in the method of Frank and Wolfe: the next is
//! the solid's support point along minus the gradient. Within their hull the function is minimized by Newton's method over
//! the weights; a point whose weight vanishes is dropped (simplicial decomposition: Holloway 1974, "An extension of the
//! Frank and Wolfe method of feasible directions"; von Hohenbalken 1977). For the distance from the origin that would
//! be the method of Gilbert, Johnson and Keerthi.
//!
//! Second derivatives, but for the distance from a segment, are differences of gradients: an error of them costs steps, but no
//! accuracy. Where the function has a crease at its minimum the method stalls, and says so.

use super::corners::Corners;
use super::domain::ConvexDomain;
use super::objective::{Objective, Tangent};
use super::planes::Planes;
use super::progress::Progress;
use crate::base::Factors;
use nalgebra::{Matrix3, Vector3};
use palpate_math::Vector;

/// Iteration limit; five to ten are typical.
const MOST_STEPS: usize = 48;

/// How far apart the gradients are whose difference is the second derivative, relative to the size of the solid.
const APART: f64 = 1.0 / (1 << 22) as f64;

/// A support point joins if it is lower than those known, by this factor.
const LOWER: f64 = 1.5;

/// Added to the second derivatives, relative to their trace, so that they can be divided by.
const LIFTED: f64 = 1e-10;

/// The same, relative to the slopes: the weights change by no more than the inverse.
const SHORTEST: f64 = 0.25;

/// The difference of gradients on a flat face: rounding error.
const FLAT: f64 = 1e-12;

/// A step is accepted if the slope at its end is no more than this share of the slope at its beginning.
const FLATTER: f64 = 0.5;

/// Limit of the trials of one step.
const MOST_TRIALS: usize = 6;

/// Improves the place of `corners` until the bound is met, or nothing is below the cutoff: then returns true.
pub(super) fn descend(
    function: &Objective<'_>,
    domain: &ConvexDomain<'_>,
    corners: &mut Corners,
    progress: &mut Progress,
    planes: &mut Planes,
) -> bool {
    let mut tangent = function.tangent(&corners.place());
    for _ in 0..MOST_STEPS {
        let lowest = domain.support(&-tangent.gradient);
        progress.take(&tangent, tangent.at(&lowest));
        planes.keep(&tangent);
        if progress.is_done() {
            return true;
        }
        let fall = |point| tangent.value - tangent.at(point);
        let within = corners.points().iter().map(fall).fold(0.0, f64::max);
        if fall(&lowest) > LOWER * within {
            corners.add(lowest);
        }
        if corners.points().len() == 1 {
            return false;
        }
        let (mut step, is_flat) = newton_step(function, &tangent, corners, APART * domain.reach());
        if corners.room(&step).0 == 0.0 {
            // The step would take a weight from where there is none: straight to that point is downhill, too.
            step = corners.toward_last();
        }
        let Some(next) = advance(function, &tangent, corners, &step, is_flat, progress.rounding(), planes)
        else {
            return false;
        };
        tangent = next;
    }
    false
}

/// Returns the change of the weights of all points but the first, and whether the function is flat.
fn newton_step(
    function: &Objective<'_>,
    tangent: &Tangent,
    corners: &Corners,
    apart: f64,
) -> ([f64; 3], bool) {
    let edges = corners.edges();
    let count = corners.points().len() - 1;
    let slopes = Vector3::from_fn(|k, _| edges[k].dot(&tangent.smooth));
    let hessian = function.hessian(&tangent.point);
    let smooth = hessian.map(|hessian| function.smooth_hessian(tangent, &hessian));
    let mut bends = Matrix3::zeros();
    let mut is_flat = true;
    for k in 0..count {
        let length = edges[k].norm();
        if length > 0.0 {
            let (turn, change): (Vector, Vector) = match hessian.zip(smooth) {
                Some((hessian, smooth)) => (smooth * edges[k], hessian * edges[k] * (apart / length)),
                None => {
                    let beside = function.tangent(&(tangent.point + edges[k] * (apart / length)));
                    let turn = (beside.smooth - tangent.smooth) * (length / apart);
                    (turn, beside.gradient - tangent.gradient)
                }
            };
            is_flat &= change.norm() <= FLAT;
            for j in 0..count {
                bends[(j, k)] = edges[j].dot(&turn);
            }
        }
    }
    let bends = (bends + bends.transpose()) * 0.5;
    let lift = (LIFTED * bends.trace()).max(SHORTEST * slopes.norm());
    let mut lifted = bends;
    for k in 0..3 {
        lifted[(k, k)] += lift;
    }
    let step = match Factors::of(&lifted) {
        Some(factors) => -factors.solve(&slopes),
        None => -slopes / slopes.norm(),
    };
    ([step.x, step.y, step.z], is_flat)
}

/// Moves the weights by a step, or by the part of it after which the slope is about zero; returns the tangent there. `None`
/// if there is no lower place along it, or a crease between flat faces on the way.
fn advance(
    function: &Objective<'_>,
    tangent: &Tangent,
    corners: &mut Corners,
    step: &[f64; 3],
    is_flat: bool,
    rounding: f64,
    planes: &mut Planes,
) -> Option<Tangent> {
    let edges = corners.edges();
    let way: Vector = (0..3).map(|k| edges[k] * step[k]).sum();
    let falls = -way.dot(&tangent.smooth);
    if falls.is_nan() || falls <= 0.0 {
        return None;
    }
    let (mut part, mut dropped) = corners.room(step);
    for _ in 0..MOST_TRIALS {
        let moved = corners.moved(step, part).without(dropped);
        let next = function.tangent(&moved.place());
        let rises = way.dot(&next.smooth);
        if rises <= FLATTER * falls && next.value <= tangent.value + rounding {
            *corners = moved;
            return Some(next);
        }
        planes.keep(&next);
        if is_flat {
            return None;
        }
        dropped = None;
        part *= if rises > 0.0 { (falls / (falls + rises)).clamp(0.1, 0.9) } else { 0.5 };
    }
    None
}
