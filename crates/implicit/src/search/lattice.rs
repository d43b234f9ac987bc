//! The search of a grid over a body, or of a function over the body of a grid: box by box, down from blocks of the grid's cells.
//!
//! Blocks are left out by their least samples, and bounded by the slopes in them. In a cell the value is a mean of that at the corners of
//! any box, with the same weights as a linear bound of the other function: [`least_within`]. Both errors fall with the square of the
//! box's size. Where the bound is attained the value is probably low: that place, moved into the body, is tried.

use super::incumbents::Pause;
use super::minimum::Minimum;
use super::open_cell::Open;
use super::task::feasible;
use crate::base::{Cell, CellValues, OrientedBounds, Pose, Sample};
use crate::bounds::{LeastMean, least_of, least_within, linear, mixed_with};
use crate::function::{ImplicitFunction, Structure};
use crate::functions::Posed;
use crate::grid::{GridBox, PlacedGrid};
use palpate_math::{Aabb, Point, Vector};
use std::collections::BinaryHeap;

/// Iteration limit: some ten to some hundred are typical.
const MOST_DIVISIONS: usize = 20_000;

/// Which of both functions is a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum GridIs {
    /// The one whose least value is searched.
    Function,
    /// The one that is not positive there.
    Body,
}

/// The search with its memory, so that searching again does not touch the heap.
#[derive(Clone, Debug, Default)]
pub(super) struct LatticeSearch {
    open: BinaryHeap<Open<Pending>>,
    /// Whether the last search gave up without a place to report, though there may be one.
    pub(super) undecided: bool,
}

/// An open box. At first its lower bound is that of the box it was divided from, or its least sample; linear bounds, which take longer,
/// are computed when it has the lowest bound of all.
#[derive(Clone, Copy, Debug)]
struct Pending {
    of: GridBox,
    is_bounded: bool,
}

/// A function, and a body in a box, of which one is a grid. Lengths in metres, world frame.
pub(super) struct Wanted<'a> {
    pub(super) function: &'a dyn ImplicitFunction,
    pub(super) body: &'a dyn ImplicitFunction,
    pub(super) root: &'a OrientedBounds,
    pub(super) cutoff: f64,
    pub(super) gap: f64,
    /// How far outside the body a place counts as in it.
    pub(super) outside: f64,
    /// A point to begin with.
    pub(super) seed: Option<&'a Point>,
}

/// The same in the frame of the grid, in its lengths.
struct Problem<'a> {
    placed: &'a PlacedGrid<'a>,
    grid_is: GridIs,
    other: &'a dyn ImplicitFunction,
    /// Whether the tangent in the middle of a box is bound enough: of a convex body.
    by_tangent: bool,
    cutoff: f64,
    gap: f64,
    outside: f64,
    /// What is subtracted from the grid's value.
    offset: f64,
    best: Option<(Point, f64)>,
    pause: Pause,
}

impl LatticeSearch {
    /// Returns the least value of a function over a body, if it is at most the cutoff.
    pub(super) fn least(
        &mut self,
        placed: &PlacedGrid<'_>,
        grid_is: GridIs,
        wanted: &Wanted<'_>,
    ) -> Option<Minimum> {
        let scale = placed.scale;
        let mut inverse = placed.pose;
        inverse.translation.vector /= scale;
        let other = if grid_is == GridIs::Function { wanted.body } else { wanted.function };
        let posed = Posed { pose: &inverse.inverse(), scale: 1.0 / scale, function: other };
        let mut problem = Problem {
            placed,
            grid_is,
            other: &posed,
            by_tangent: grid_is == GridIs::Function && other.is_convex(),
            cutoff: wanted.cutoff / scale,
            gap: wanted.gap / scale,
            outside: wanted.outside / scale,
            offset: placed.offset / scale,
            best: None,
            pause: Pause::default(),
        };
        if let Some(seed) = wanted.seed {
            problem.try_place(&(placed.pose.inverse_transform_point(seed) / scale));
        }
        let (lower, converged) = self.search(&mut problem, &region(&placed.pose, scale, wanted.root));
        self.undecided = problem.best.is_none() && !converged;
        let (place, _) = problem.best?;
        let point = placed.to_world(&place);
        let sample = wanted.function.sample(&point);
        let lower = (lower * scale).min(sample.value);
        (lower <= wanted.cutoff).then_some(Minimum { weights: [0.0; 4], point, sample, lower, converged })
    }

    /// Returns a lower bound of all values, and whether it is within the gap of the best.
    fn search(&mut self, problem: &mut Problem<'_>, region: &Aabb) -> (f64, bool) {
        let grid = problem.placed.grid;
        self.open.clear();
        let mut left_out = f64::INFINITY;
        let reach = match problem.grid_is {
            GridIs::Function => (problem.cutoff + problem.offset).max(0.0),
            GridIs::Body => (problem.offset + problem.outside).max(0.0),
        };
        let region = region.intersection(&grid.sublevel_bounds(reach));
        if region.is_empty() {
            return (f64::INFINITY, true);
        }
        problem.try_place(&region.center());
        grid.cover(&region, &mut |of| self.open_box(problem, of, f64::NEG_INFINITY, &mut left_out));
        for _ in 0..MOST_DIVISIONS {
            let Some((lower, of)) = self.lowest(problem, &mut left_out) else { return (left_out, true) };
            if problem.is_of_no_use(lower) {
                return (left_out.min(lower), true);
            }
            if !grid.divide(&of, &mut |part| self.open_box(problem, part, lower, &mut left_out)) {
                return (left_out.min(lower), false);
            }
        }
        let lower = self.open.peek().map_or(f64::INFINITY, |open| open.lower);
        (left_out.min(lower), false)
    }

    /// Takes the box with the lowest bound, its own.
    fn lowest(&mut self, problem: &mut Problem<'_>, left_out: &mut f64) -> Option<(f64, GridBox)> {
        loop {
            let Open { lower, number, of: Pending { of, is_bounded } } = self.open.pop()?;
            if is_bounded || problem.is_of_no_use(lower) {
                return Some((lower, of));
            }
            let Some((own, place)) = problem.below(&of) else { continue };
            if let Some(place) = place.filter(|_| problem.best.is_none() || problem.pause.try_now()) {
                let before = problem.value();
                problem.try_place(&place);
                problem.pause.restart(problem.value() < before - problem.gap);
            }
            let lower = lower.max(own);
            if problem.is_of_no_use(lower) {
                *left_out = left_out.min(lower);
            } else {
                self.open.push(Open { lower, number, of: Pending { of, is_bounded: true } });
            }
        }
    }

    /// Opens a box, unless the bound that is known is of no use. Of equal bounds the one of the smallest box comes first: a sample may
    /// be the least of blocks of all sizes, and in a cell it is found.
    fn open_box(&mut self, problem: &Problem<'_>, of: GridBox, known: f64, left_out: &mut f64) {
        let Some(floor) = problem.floor(&of) else { return };
        let lower = floor.max(known);
        if problem.is_of_no_use(lower) {
            *left_out = left_out.min(lower);
        } else {
            self.open.push(Open { lower, number: of.level(), of: Pending { of, is_bounded: false } });
        }
    }
}

impl Problem<'_> {
    fn value(&self) -> f64 {
        self.best.map_or(f64::INFINITY, |(_, value)| value)
    }

    /// Whether a bound is above the cutoff, or so close to the best value that it is not made any tighter.
    fn is_of_no_use(&self, lower: f64) -> bool {
        lower > self.cutoff || lower >= self.value() - self.gap
    }

    /// Returns a lower bound of the values in a box that takes little time; `None` if the body is not in the box.
    fn floor(&self, of: &GridBox) -> Option<f64> {
        let floor = self.placed.grid.floor_in(of) - self.offset;
        match self.grid_is {
            GridIs::Function => Some(floor),
            GridIs::Body => (floor <= self.outside).then_some(f64::NEG_INFINITY),
        }
    }

    /// Returns a lower bound of the values in a box, and where it is attained, if that is known; `None` if the body is not in the box.
    fn below(&self, of: &GridBox) -> Option<(f64, Option<Point>)> {
        let grid = self.placed.grid;
        let corners = of.corners();
        let own = grid.below_in(of, &corners).map(|value| value - self.offset);
        if self.grid_is == GridIs::Body && least_of(&own) > self.outside {
            return None;
        }
        let least = self.below_other(of, &corners, &own)?;
        let place = || least.place(&corners);
        Some((least.lower, (!self.is_of_no_use(least.lower)).then(place)))
    }

    /// Returns a lower bound of the values in a box, given linear ones of both functions; `None` if the body is not in the box.
    fn least_within(&self, own: &CellValues, other: &CellValues) -> Option<LeastMean> {
        let (values, limits) = match self.grid_is {
            GridIs::Function => (own, other),
            GridIs::Body => (other, own),
        };
        least_within(values, &limits.map(|limit| limit - self.outside))
    }

    /// Returns a lower bound of the other function in a box, as tight as is of use (of a convex one the tangent in the middle), and what
    /// it shows; `None` if the body is not in the box.
    fn below_other(&self, of: &GridBox, corners: &[Point; 8], own: &CellValues) -> Option<LeastMean> {
        if self.by_tangent {
            let Sample { value, gradient, .. } = self.other.sample(&of.bounds.center());
            let bound = over(of, value, &gradient);
            return self.least_within(own, &bound);
        }
        let mut best: Option<(CellValues, Option<LeastMean>)> = None;
        self.other.bounds_below(&Cell::new(corners), &mut |bound| {
            let mixed = mixed_with(best.map(|(best, _)| best), bound, corners.len());
            let least = self.least_within(own, &mixed);
            best = Some((mixed, least));
            least.is_none_or(|least| self.is_of_no_use(least.lower))
        });
        best?.1
    }

    /// Tries a place, moved into the body if it is outside.
    fn try_place(&mut self, place: &Point) {
        let (grid, offset) = (self.placed.grid, self.offset);
        let value =
            match self.grid_is {
                GridIs::Function => feasible(self.other, place, self.outside)
                    .map(|place| (place, grid.value(&place) - offset)),
                GridIs::Body => feasible(grid, place, self.outside + offset)
                    .map(|place| (place, self.other.value(&place))),
            };
        if let Some(found) = value.filter(|found| found.1 < self.value()) {
            self.best = Some(found);
        }
    }
}

/// Returns a linear function over a box, given its value and its gradient in the middle.
fn over(of: &GridBox, value: f64, gradient: &Vector) -> CellValues {
    let rises = of.bounds.size().component_mul(gradient);
    linear(value - 0.5 * rises.sum(), rises.into())
}

/// Returns a box around another in the frame of a grid.
fn region(pose: &Pose, scale: f64, root: &OrientedBounds) -> Aabb {
    let local = |corner: Point| pose.inverse_transform_point(&corner) / scale;
    let bounds = Aabb::from_points(root.corners().map(local));
    bounds.grown(bounds.largest_coordinate() * (16.0 * f64::EPSILON))
}
