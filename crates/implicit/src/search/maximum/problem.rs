//! The functions of which the maximum is minimized, and the best place so far.

use super::clipped::{Clipped, Corner, HOLES, Side};
use crate::base::{CylinderDomain, OrientedBounds, Sample};
use crate::function::ImplicitFunction;
use crate::functions::term::{Term, terms_of};
use crate::search::convex::{ConvexDomain, Shape};
use arrayvec::ArrayVec;
use palpate_math::{Point, Vector, direction, rounding};

/// The most convex functions.
pub(super) const LIMITS: usize = 8;

/// How much more than the rounding error of a coordinate the planes are moved out, so that no point that is below them is lost
/// where they are intersected.
const SLACK: f64 = 2.0;

/// The least gap in units of that.
const LEAST_GAP: f64 = 8.0;

/// A convex function that is limited: by the level, or by zero.
#[derive(Clone, Copy)]
pub(super) struct Limit<'a> {
    function: Convex<'a>,
    /// 1 if the level limits it, as it is part of the maximum; 0 if it is part of the solid.
    pub(super) rate: f64,
}

#[derive(Clone, Copy)]
enum Convex<'a> {
    Term(Term<'a>),
    /// The distance from the axis of a cylinder, minus its radius.
    Wall(CylinderDomain),
}

impl Limit<'_> {
    pub(super) fn sample(&self, point: &Point) -> Sample {
        match &self.function {
            Convex::Term(term) => term.sample(point),
            Convex::Wall(CylinderDomain { center, axis, radius, .. }) => {
                let sideways = direction::across(&(point - center), axis);
                let distance = sideways.norm();
                let gradient = if distance > 0.0 { sideways / distance } else { Vector::zeros() };
                Sample { value: distance - radius, gradient, feature: palpate_contact::NONE }
            }
        }
    }

    pub(super) fn pieces(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        if let Convex::Term(term) = &self.function {
            term.pieces(point, visit);
        }
    }
}

/// The best place so far, and what is searched below it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    pub(super) best: Option<(Point, f64)>,
    /// No value below this level is missed: below the best by the gap, and not above the cutoff.
    pub(super) level: f64,
}

impl Progress {
    pub(super) fn below(cutoff: f64) -> Self {
        Self { best: None, level: cutoff }
    }

    /// Takes a better place.
    fn take(&mut self, point: &Point, value: f64, gap: f64) {
        self.best = Some((*point, value));
        self.level = self.level.min(value - gap);
    }

    pub(super) fn value(&self) -> f64 {
        self.best.map_or(f64::INFINITY, |(_, value)| value)
    }
}

/// What a search has found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    /// The best place in the solid.
    pub(super) best: Option<Point>,
    /// A lower bound of all values, if that is within the gap of the best, or not below the cutoff; otherwise the search gave up.
    pub(super) lower: Option<f64>,
}

/// The minimization of a maximum over a convex solid.
pub(super) struct Problem<'a> {
    /// The convex functions of the maximum, and those of the solid.
    pub(super) limits: ArrayVec<Limit<'a>, LIMITS>,
    /// The convex functions of which the negatives are in the maximum, or are of the solid.
    pub(super) holes: ArrayVec<Limit<'a>, HOLES>,
    /// A lower bound of all values.
    pub(super) floor: f64,
    pub(super) center: Point,
    pub(super) gap: f64,
    pub(super) slack: f64,
    /// How many sides of the polytope are the solid's own: the first.
    pub(super) own_sides: usize,
}

impl<'a> Problem<'a> {
    /// Creates the problem over a convex solid, which becomes the polytope. `None` if the function is not a maximum of a few
    /// convex functions and negatives of convex ones, or the solid has no interior.
    pub(super) fn over(
        function: &'a dyn ImplicitFunction,
        domain: &ConvexDomain<'a>,
        gap: f64,
        polytope: &mut Clipped,
    ) -> Option<Self> {
        let (center, reach) = (domain.center(), domain.reach());
        let mut problem = Self::new(function, center, reach, gap, domain.rounding())?;
        let has_interior = match domain.shape() {
            Shape::Triangle(_) | Shape::Body(_) => false,
            Shape::Box(half) => polytope.begin_with_box(&center, half),
            Shape::Hull { hull, turn, shift } => {
                let points = hull.points().iter().map(|point| Point::from(turn * point + shift));
                polytope.begin_with_hull(points, hull.triangles(), reach)
            }
            Shape::Cylinder(cylinder) => {
                let wall = Limit { function: Convex::Wall(*cylinder), rate: 0.0 };
                let [first, second] = across(&cylinder.axis);
                let half =
                    [first * cylinder.radius, cylinder.axis * cylinder.half_height, second * cylinder.radius];
                problem.limits.try_push(wall).is_ok() && polytope.begin_with_box(&center, &half)
            }
        };
        problem.own_sides = polytope.sides.len();
        has_interior.then_some(problem)
    }

    /// Creates the problem over the part of a box where a second such function is not positive.
    pub(super) fn within(
        function: &'a dyn ImplicitFunction,
        constraint: &'a dyn ImplicitFunction,
        root: &OrientedBounds,
        gap: f64,
        polytope: &mut Clipped,
    ) -> Option<Self> {
        let mut problem = Self::new(function, root.center, root.reach(), gap, 0.0)?;
        if !problem.take(constraint, 0.0) || !polytope.begin_with_box(&root.center, &root.half) {
            return None;
        }
        problem.own_sides = polytope.sides.len();
        Some(problem)
    }

    /// The planes are moved out for errors of the solid's points up to `rounding`, and no less than for coordinates of their size.
    fn new(
        function: &'a dyn ImplicitFunction,
        center: Point,
        reach: f64,
        gap: f64,
        rounding: f64,
    ) -> Option<Self> {
        let corner = center + Vector::repeat(reach);
        let largest = rounding::largest_coordinate([&center, &corner]);
        let slack = SLACK * rounding::length(largest + reach).max(rounding);
        let gap = gap.max(4.0 * rounding::length(largest)).max(LEAST_GAP * slack);
        let floor = function.floor();
        let (limits, holes) = (ArrayVec::new(), ArrayVec::new());
        let mut problem = Self { limits, holes, floor, center, gap, slack, own_sides: 0 };
        (reach.is_finite() && problem.take(function, 1.0)).then_some(problem)
    }

    /// Takes the terms of a function; returns false if it is no maximum of such terms, or has too many.
    fn take(&mut self, function: &'a dyn ImplicitFunction, rate: f64) -> bool {
        let mut has_room = true;
        terms_of(function, false, &mut |term| {
            let limit = Limit { function: Convex::Term(term), rate };
            has_room &= if term.is_taken() {
                self.holes.try_push(limit).is_ok()
            } else {
                self.limits.try_push(limit).is_ok()
            };
        }) && has_room
    }

    /// Returns a tangent at a point that is above the level there: of a flat piece, if one is at least half as high.
    pub(super) fn tangent(&self, number: usize, point: &Point, level: f64) -> Side {
        let limit = &self.limits[number];
        let sample = limit.sample(point);
        let highest = limit.rate * level;
        let (mut value, mut normal) = (sample.value, sample.gradient);
        let mut least = highest + 0.5 * (sample.value - highest);
        limit.pieces(point, &mut |of_piece, gradient| {
            if of_piece > least {
                (least, value, normal) = (of_piece, of_piece, gradient);
            }
        });
        self.side(number, point, value, normal)
    }

    /// Returns the side of a linear function through a value at a point.
    pub(super) fn side(&self, number: usize, point: &Point, value: f64, normal: Vector) -> Side {
        let offset = normal.dot(&point.coords) - value + self.slack;
        Side { normal, offset, rate: self.limits[number].rate, is_guide: false }
    }

    /// Evaluates the holes at a corner.
    pub(super) fn fill(&self, corner: &mut Corner) {
        if corner.holes.is_empty() {
            corner.holes.extend(self.holes.iter().map(|hole| hole.sample(&corner.point).value));
        }
    }

    /// Returns by how much a corner is outside a hole, negative inside.
    pub(super) fn beyond(&self, corner: &Corner, hole: usize, level: f64) -> f64 {
        corner.holes[hole] + self.holes[hole].rate * level
    }

    /// Returns by how much a corner is outside every hole.
    pub(super) fn uncovered(&self, corner: &Corner, level: f64) -> f64 {
        (0..self.holes.len()).map(|hole| self.beyond(corner, hole, level)).fold(f64::INFINITY, f64::min)
    }

    /// Returns how far above the level, or outside the solid, a corner may be, as its planes are moved out by the slack.
    pub(super) fn above_planes(&self) -> f64 {
        2.0 * self.slack
    }

    /// Returns the value at a point, if that is in the solid but for its own sides, and better than the best.
    fn value(&self, point: &Point, best: f64) -> Option<f64> {
        let mut value = f64::NEG_INFINITY;
        let outside = self.above_planes();
        for (limit, sign) in
            self.holes.iter().map(|hole| (hole, -1.0)).chain(self.limits.iter().map(|g| (g, 1.0)))
        {
            let own = sign * limit.sample(point).value;
            if limit.rate > 0.0 {
                value = value.max(own);
            } else if own > outside {
                return None;
            }
            if value >= best {
                return None;
            }
        }
        Some(value)
    }

    /// Tries a point that is below the solid's own sides; returns whether it is the best.
    pub(super) fn try_point(&self, point: &Point, progress: &mut Progress) -> bool {
        let Some(value) = self.value(point, progress.value()) else { return false };
        progress.take(point, value, self.gap);
        true
    }

    /// Tries a point, moved back into a curved solid.
    pub(super) fn try_inside(&self, polytope: &Clipped, point: &Point, progress: &mut Progress) -> bool {
        let mut point = *point;
        for limit in self.limits.iter().filter(|limit| limit.rate == 0.0) {
            let sample = limit.sample(&point);
            let square = sample.gradient.norm_squared();
            if sample.value > self.slack && square > 0.0 {
                point -= sample.gradient * (sample.value / square);
            }
        }
        self.is_inside(polytope, &point) && self.try_point(&point, progress)
    }

    /// Whether a point is below the solid's own sides.
    pub(super) fn is_inside(&self, polytope: &Clipped, point: &Point) -> bool {
        polytope.sides[..self.own_sides].iter().all(|side| side.height(point, 0.0) <= self.slack)
    }

    /// Whether the best is as low as any value may be.
    pub(super) fn is_at_floor(&self, progress: &Progress) -> bool {
        progress.value() <= self.floor + self.gap
    }
}

/// Returns two unit vectors across an axis, and across one another.
fn across(axis: &Vector) -> [Vector; 2] {
    let least = axis.map(f64::abs).imin();
    let first = direction::unit_or(&direction::across(&Vector::ith(least, 1.0), axis), &Vector::zeros());
    [first, axis.cross(&first)]
}
