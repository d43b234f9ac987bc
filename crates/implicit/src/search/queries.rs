//! The searches that are asked for: over a simplex, and over a box with a constraint.

use super::convex::{ConvexDomain, ConvexSearch, LeastOfConvex};
use super::division::Division;
use super::maximum::{Answer, Maximum};
use super::minimum::{Lowest, Minimum};
use super::tolerance::Tolerance;
use crate::base::{OrientedBounds, Sample};
use crate::function::ImplicitFunction;
use palpate_math::Point;

/// How close to the lowest value of all the least of a convex function is, relative to the size of the solid, for the place to be
/// searched by division.
const DEEPEST: f64 = 1e-6;

/// The gap of a search by default, relative to the size of what is searched.
const DEFAULT_TOLERANCE: f64 = 1e-9;

/// The relative gap where an approximately deepest point suffices.
const COARSE_GAP: f64 = 1e-2;

/// The same for thinner bodies.
const THIN_GAPS: [f64; 3] = [1e-4, 1e-6, 1e-8];

/// The search with its buffers, so that repeated searches do not allocate.
#[derive(Clone, Debug)]
pub struct Search {
    /// The gap between bound and value at which a search converges, relative to the size of what is searched.
    pub(super) tolerance: Tolerance,
    pub(super) division: Division,
    convex: ConvexSearch,
    pub(super) maximum: Maximum,
}

/// With a tolerance of 1e-9.
impl Default for Search {
    fn default() -> Self {
        Self::with_tolerance(DEFAULT_TOLERANCE)
    }
}

impl Search {
    /// Creates a search that converges when the bound is this close to the best value, relative to the size of what is searched
    /// (the radius of the segment, triangle or solid), or as close as rounding errors allow.
    pub fn with_tolerance(tolerance: f64) -> Self {
        Self {
            tolerance: Tolerance::new(tolerance),
            division: Default::default(),
            convex: Default::default(),
            maximum: Default::default(),
        }
    }

    /// Sets the relative gap at which searches converge.
    pub fn set_tolerance(&mut self, tolerance: f64) {
        self.tolerance.relative = tolerance;
    }

    /// Returns the relative gap at which searches converge.
    pub fn tolerance(&self) -> f64 {
        self.tolerance.relative
    }

    /// Limits the size to which gaps are relative, in metres: to that of the body, where a larger domain is searched.
    pub fn relative_to(&mut self, largest: f64) {
        self.tolerance.largest = largest;
    }

    /// Returns the minimum over the simplex of one to four `corners`, if it is at most `cutoff`. Undecided cases (the
    /// bound is, the value is not, and the gap is below the tolerance) count as below: then `sample.value` is above the
    /// cutoff by rounding error, and `lower` is not. The function must have a Lipschitz constant, or be convex. The
    /// parts of a union are searched one by one.
    pub fn below(
        &mut self,
        function: &dyn ImplicitFunction,
        corners: &[Point],
        cutoff: f64,
    ) -> Option<Minimum> {
        let tolerance = self.tolerance;
        least_of_parts(function, cutoff, &mut |part, cutoff| {
            self.division.in_simplex(part, corners, cutoff, tolerance, false)
        })
    }

    /// Returns the minimum over a triangle as [`below`](Self::below), if it is not on a side: for a `cutoff` below which no
    /// value on the sides is. Where grids fall across the triangle this takes less time.
    pub fn below_inside(
        &mut self,
        function: &dyn ImplicitFunction,
        corners: &[Point; 3],
        cutoff: f64,
    ) -> Option<Minimum> {
        let tolerance = self.tolerance;
        least_of_parts(function, cutoff, &mut |part, cutoff| {
            self.division.in_simplex(part, corners, cutoff, tolerance, true)
        })
    }

    /// Returns the minimum over the part of a box where `constraint` is not positive, if it is at most `cutoff`; as
    /// [`below`](Self::below). Both functions must have a Lipschitz constant, or be convex. The parts of a constraint
    /// that is a union are searched in their own boxes, if they have any.
    pub fn below_within(
        &mut self,
        function: &dyn ImplicitFunction,
        constraint: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
    ) -> Option<Minimum> {
        self.below_within_from(function, constraint, root, cutoff, None)
    }

    /// Like [`below_within`](Self::below_within), with an initial point.
    pub fn below_within_from(
        &mut self,
        function: &dyn ImplicitFunction,
        constraint: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
        seed: Option<&Point>,
    ) -> Option<Minimum> {
        self.division.undecided = false;
        let tolerance = self.tolerance;
        let mut lowest = Lowest::below(cutoff);
        let mut within = |constraint: &dyn ImplicitFunction, root: &OrientedBounds, cutoff: f64| {
            least_of_parts(function, cutoff, &mut |part, cutoff| {
                let known = match self.maximum.within(part, constraint, root, cutoff, tolerance) {
                    Answer::Settled(found) => return found,
                    Answer::Open(known) => known,
                };
                let seed = known.as_ref().map(|known| &known.point).or(seed);
                self.division.within(part, constraint, root, cutoff, tolerance, seed)
            })
        };
        let is_union = constraint.over_parts(&mut |part| {
            let own = part.oriented_bounds();
            lowest.take(within(part, own.as_ref().unwrap_or(root), lowest.cutoff()));
        });
        if is_union { lowest.found() } else { within(constraint, root, cutoff) }
    }

    /// Returns the minimum over a convex solid, if it is at most `cutoff`; as [`below`](Self::below). Convex functions are
    /// searched by support points, maxima of convex functions and of their negatives by outer
    /// approximation; what that does not settle is left to `otherwise`, part by part. So is a convex body whose middle is in
    /// the solid.
    pub fn below_in_convex(
        &mut self,
        function: &dyn ImplicitFunction,
        domain: &ConvexDomain<'_>,
        cutoff: f64,
        otherwise: &mut dyn FnMut(&mut Self, &dyn ImplicitFunction, f64) -> Option<Minimum>,
    ) -> Option<Minimum> {
        self.division.undecided = false;
        let (mut lowest, mut undecided) = (Lowest::below(cutoff), false);
        over_parts(function, &mut |part| {
            self.division.undecided = false;
            lowest.take(self.part_below_in_convex(part, domain, lowest.cutoff(), otherwise));
            undecided |= self.division.undecided;
        });
        self.division.undecided = undecided;
        lowest.found().map(|found| sampled(function, &found))
    }

    fn part_below_in_convex(
        &mut self,
        function: &dyn ImplicitFunction,
        domain: &ConvexDomain<'_>,
        cutoff: f64,
        otherwise: &mut dyn FnMut(&mut Self, &dyn ImplicitFunction, f64) -> Option<Minimum>,
    ) -> Option<Minimum> {
        let gap = self.tolerance.of(domain.reach());
        let Some(least) = self.convex.least(function, domain, cutoff, gap) else {
            let known = match self.maximum.over(function, domain, cutoff, self.tolerance) {
                Answer::Settled(found) => return found,
                Answer::Open(known) => known,
            };
            let mut lowest = Lowest::below(cutoff);
            lowest.take(known);
            self.division.undecided = false;
            lowest.take(otherwise(self, function, lowest.cutoff()));
            let found = lowest.found();
            if self.division.undecided && found.is_some() {
                // There may be a lower value than the one known.
                self.division.undecided = false;
                let lower = function.floor();
                return found.map(|found| Minimum { lower, converged: false, ..found });
            }
            return found;
        };
        // Beside the middle of a body the direction from it is a quotient of small numbers.
        if function.is_convex()
            && least.value - function.floor() <= DEEPEST * domain.reach()
            && !is_lowest(function, &least, gap)
        {
            return otherwise(self, function, cutoff);
        }
        let LeastOfConvex { point, value, lower } = least;
        let sample = Sample { value, ..function.sample(&point) };
        (lower <= cutoff).then_some(Minimum { weights: [0.0; 4], point, sample, lower, converged: true })
    }

    /// Returns the minimum over a body in a box, if it is at most `cutoff`; as [`below_within`](Self::below_within). The
    /// parts of both are searched one by one.
    pub fn below_in_body(
        &mut self,
        function: &dyn ImplicitFunction,
        body: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
    ) -> Option<Minimum> {
        let (mut lowest, mut undecided) = (Lowest::below(cutoff), false);
        over_parts(body, &mut |body| {
            let own = body.oriented_bounds();
            let root = own.as_ref().unwrap_or(root);
            over_parts(function, &mut |part| {
                let cutoff = lowest.cutoff();
                lowest.take(self.part_below_in_body(part, body, root, cutoff));
                undecided |= self.division.undecided;
            });
        });
        self.division.undecided = undecided;
        lowest.found().map(|found| sampled(function, &found))
    }

    /// Searches over a solid with a support map, or by dividing space.
    fn part_below_in_body(
        &mut self,
        function: &dyn ImplicitFunction,
        body: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
    ) -> Option<Minimum> {
        self.division.undecided = false;
        let domain = ConvexDomain::of_body(body, root).filter(|_| function.rounded_circle().is_none());
        let Some(domain) = domain else {
            return self.below_within(function, body, root, cutoff);
        };
        self.part_below_in_convex(function, &domain, cutoff, &mut |search, part, cutoff| {
            search.below_within(part, body, root, cutoff)
        })
    }

    /// Whether the last search within a constraint gave up without a point to report, though there may be one.
    pub fn undecided(&self) -> bool {
        self.division.undecided
    }

    /// Sets whether the last search gave up without a point to report.
    pub fn set_undecided(&mut self, undecided: bool) {
        self.division.undecided = undecided;
    }

    /// Returns approximately the deepest point of a function in a box, if it has an interior point: a coarse search.
    /// For a body thinner than its tolerance the search is repeated from the body's surface, with smaller tolerances.
    pub fn deepest_in(&mut self, function: &dyn ImplicitFunction, root: &OrientedBounds) -> Option<Point> {
        let found = self.division.in_box(function, None, root, 0.0, Tolerance::new(COARSE_GAP), None)?;
        if found.sample.value < 0.0 {
            return Some(found.point);
        }
        for gap in THIN_GAPS {
            let found =
                self.division.in_box(function, Some(function), root, 0.0, Tolerance::new(gap), None)?;
            if found.sample.value < 0.0 {
                return Some(found.point);
            }
        }
        None
    }
}

/// Whether the point found is a minimizer of a convex function over all of space, to within the gap.
fn is_lowest(function: &dyn ImplicitFunction, least: &LeastOfConvex, gap: f64) -> bool {
    let lowest = function.lowest_near(&least.point);
    lowest.is_some_and(|lowest| (lowest - least.point).norm() <= gap) && least.value - function.floor() <= gap
}

/// Searches the parts of a union one by one, each below the best so far, or the function itself.
fn least_of_parts(
    function: &dyn ImplicitFunction,
    cutoff: f64,
    search: &mut dyn FnMut(&dyn ImplicitFunction, f64) -> Option<Minimum>,
) -> Option<Minimum> {
    let mut lowest = Lowest::below(cutoff);
    if function.over_parts(&mut |part| lowest.take(search(part, lowest.cutoff()))) {
        return lowest.found().map(|found| sampled(function, &found));
    }
    search(function, cutoff)
}

/// Returns the minimum of a part as that of the whole function.
fn sampled(function: &dyn ImplicitFunction, found: &Minimum) -> Minimum {
    let sample = function.sample(&found.point);
    Minimum { sample, lower: found.lower.min(sample.value), ..*found }
}

/// Calls `visit` with every part of a union, or with the function itself.
pub fn over_parts(function: &dyn ImplicitFunction, visit: &mut dyn FnMut(&dyn ImplicitFunction)) {
    if !function.over_parts(visit) {
        visit(function);
    }
}
