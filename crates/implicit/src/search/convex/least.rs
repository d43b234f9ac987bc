//! The search for the minimum of a convex function over a convex solid.

use super::corners::Corners;
use super::descent::descend;
use super::domain::ConvexDomain;
use super::objective::{Objective, Tangent};
use super::planes::Planes;
use super::progress::Progress;
use crate::function::ImplicitFunction;
use palpate_math::{Point, rounding};

/// The gap between bound and value to which a search gets if it can, relative to the size of the solid.
const FINEST_GAP: f64 = 1e-12;

/// Iteration limit of the projection to the function's own lowest places and to the solid.
const MOST_PROJECTIONS: usize = 4;

/// The least place of a convex function over a convex solid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeastOfConvex {
    /// The place.
    pub(crate) point: Point,
    /// The value there.
    pub(crate) value: f64,
    /// A certified lower bound of all values.
    pub(crate) lower: f64,
}

/// The search with its buffers, so that searching again does not touch the heap.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConvexSearch {
    planes: Planes,
}

impl ConvexSearch {
    /// Returns the minimum of a convex function over a solid, with a bound within `gap`, or a bound above the cutoff.
    /// `None` if it did not find that.
    pub(crate) fn least(
        &mut self,
        function: &dyn ImplicitFunction,
        domain: &ConvexDomain<'_>,
        cutoff: f64,
        gap: f64,
    ) -> Option<LeastOfConvex> {
        if !function.is_convex() {
            return None;
        }
        let function = &Objective::new(function);
        let rounding = domain.rounding() + rounding::length(function.largest_coordinate);
        let finest = (FINEST_GAP * domain.reach()).max(4.0 * rounding);
        let mut progress =
            Progress { best: None, lower: f64::NEG_INFINITY, cutoff, gap: finest.min(gap), rounding };
        progress.bound(function.floor);
        let mut corners = Corners::new(first_corner(function, domain, &mut progress));
        self.planes.clear();
        let done = progress.is_done()
            || descend(function, domain, &mut corners, &mut progress, &mut self.planes)
            || reach_deepest(function, domain, &mut progress)
            || self.planes.close(function, domain, &corners, &mut progress);
        progress.gap = gap.max(4.0 * rounding);
        if !done && !progress.is_done() {
            return None;
        }
        let best = progress.best.unwrap_or_else(|| function.tangent(&corners.place()));
        let Tangent { point, value, .. } = best;
        Some(LeastOfConvex { point, value, lower: progress.lower.min(value) })
    }
}

/// Tries the function's own lowest places, if they are known: one may be in the solid. Alternates between these and the solid.
fn reach_deepest(function: &Objective<'_>, domain: &ConvexDomain<'_>, progress: &mut Progress) -> bool {
    let mut last = None;
    for _ in 0..MOST_PROJECTIONS {
        let from = progress.best.map_or(domain.center(), |best| best.point);
        let deepest = function.deepest_near(&from);
        let Some(place) = deepest.filter(|_| deepest != last) else { return false };
        last = deepest;
        let tangent = function.tangent(&nearest(&place, domain, progress.rounding));
        progress.take(&tangent, f64::NEG_INFINITY);
        if progress.is_done() {
            return true;
        }
    }
    false
}

/// Returns the point of the solid that is closest to a point, about.
fn nearest(point: &Point, domain: &ConvexDomain<'_>, rounding: f64) -> Point {
    let distance = Objective::distance(point);
    let mut nearest =
        Progress { best: None, lower: 0.0, cutoff: f64::INFINITY, gap: rounding, rounding: 0.0 };
    let mut corners = Corners::new(first_corner(&distance, domain, &mut nearest));
    descend(&distance, domain, &mut corners, &mut nearest, &mut Planes::default());
    corners.place()
}

/// Returns the support point against the gradient at the centre.
fn first_corner(function: &Objective<'_>, domain: &ConvexDomain<'_>, progress: &mut Progress) -> Point {
    let tangent = function.tangent(&domain.center());
    let lowest = domain.support(&-tangent.gradient);
    progress.take(&tangent, tangent.at(&lowest));
    lowest
}
