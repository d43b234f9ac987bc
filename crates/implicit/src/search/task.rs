//! Search problem: the function, its constraint, and the domain.

use super::incumbents::Incumbents;
use super::minimum::Minimum;
use super::open_cell::Simplex;
use crate::base::{Cell, CellValues, EdgeSplit, OrientedBounds};
use crate::bounds::{
    Attained, Several, VALUES, below_the_higher, below_where_not_positive, least, least_of_the_higher_within,
    least_on_segment, mixed_with,
};
use crate::function::ImplicitFunction;
use palpate_math::nearest::{point_segment, point_tetrahedron, point_triangle};
use palpate_math::{Point, Vector, direction};

/// The least fraction of a segment that is cut off.
const NEAR_AN_END: f64 = 1.0 / 16.0;

/// Iteration limit of the projection to the surface of the constraint along its gradient.
const STEPS_TO_THE_SURFACE: usize = 8;

/// The search problem.
pub(super) struct Task<'a> {
    pub(super) function: &'a dyn ImplicitFunction,
    pub(super) constraint: Option<&'a dyn ImplicitFunction>,
    pub(super) count: usize,
    /// Unit vectors that span the segment or triangle; the axes for a solid.
    pub(super) along: [Vector; 3],
    /// The corners of a segment, triangle or tetrahedron.
    pub(super) root: [Point; 4],
    /// The box searched, if the domain is a box.
    pub(super) frame: Option<OrientedBounds>,
    /// The radius of the domain about its centre.
    pub(super) reach: f64,
    /// Lower bound of all values.
    pub(super) floor: f64,
    /// The gap between bound and value at which the search converges.
    pub(super) gap: f64,
    /// How far outside the constraint a place counts as feasible: rounding error.
    pub(super) outside: f64,
}

impl Task<'_> {
    pub(super) fn mean(&self, weights: &[[f64; 4]; 4]) -> [f64; 4] {
        let share = 1.0 / self.count as f64;
        std::array::from_fn(|k| weights[..self.count].iter().map(|row| row[k]).sum::<f64>() * share)
    }

    /// Returns the point of the segment, triangle or tetrahedron closest to a point, and its weights.
    pub(super) fn nearest(&self, point: &Point) -> (Point, [f64; 4]) {
        let [a, b, c, d] = &self.root;
        match self.count {
            1 => (*a, [1.0, 0.0, 0.0, 0.0]),
            2 => {
                let found = point_segment(point, a, b);
                (found.point, [1.0 - found.t, found.t, 0.0, 0.0])
            }
            3 => {
                let found = point_triangle(point, a, b, c);
                let [first, second, third] = found.weights;
                (found.point, [first, second, third, 0.0])
            }
            _ => {
                let found = point_tetrahedron(point, [a, b, c, d]);
                (found.point, found.weights)
            }
        }
    }

    /// Returns the minimum at a place that is known, with its weights, given the lower bound that its value shows.
    pub(super) fn at(
        &self,
        (point, weights): (Point, [f64; 4]),
        cutoff: f64,
        lower: impl FnOnce(f64) -> f64,
    ) -> Option<Minimum> {
        let sample = self.function.sample(&point);
        let lower = lower(sample.value);
        (lower <= cutoff).then_some(Minimum { weights, point, sample, lower, converged: true })
    }

    /// Whether an approximately deepest point suffices, so that bounds are not made tighter: in a box without constraint.
    pub(super) fn is_approximate(&self) -> bool {
        self.frame.is_some() && self.constraint.is_none()
    }

    /// Returns the component of a gradient along the domain.
    pub(super) fn slopes(&self, gradient: &Vector) -> Vector {
        self.along.iter().map(|unit| unit * unit.dot(gradient)).sum()
    }

    /// Returns the point itself, or its projection to the constraint's surface.
    pub(super) fn feasible(&self, point: &Point) -> Option<Point> {
        self.constraint.map_or(Some(*point), |constraint| feasible(constraint, point, self.outside))
    }

    /// Returns a lower bound of the values in a cell; infinite if no point of it is feasible. Bounds above the best value
    /// or above the cutoff are not made any tighter.
    pub(super) fn lower_bound(&self, cell: &Cell<'_>, incumbents: &Incumbents, cutoff: f64) -> Attained {
        if let Some(constraint) = self.constraint {
            return self.lower_bound_by_several(cell, incumbents, cutoff, constraint);
        }
        if self.count == 2 {
            return self.lower_bound_on_segment(cell, incumbents, cutoff);
        }
        Attained::somewhere(self.lower_bound_by_one(cell, incumbents))
    }

    /// Bounds by several linear bounds of the function, of which the highest counts at each place. Where it is attained the segment is
    /// divided: tangents and chords meet there as in the methods of Newton and of secants.
    fn lower_bound_on_segment(&self, cell: &Cell<'_>, incumbents: &Incumbents, cutoff: f64) -> Attained {
        let mut values = Several::<VALUES>::default();
        let mut best = (f64::NEG_INFINITY, 0.0);
        let is_enough = |lower: f64| lower >= incumbents.value() - self.gap || lower > cutoff;
        self.function.bounds_below(cell, &mut |bound| {
            values.take(bound, 2);
            best = least_on_segment(values.get());
            is_enough(best.0)
        });
        if let Some(found) = incumbents.best.filter(|found| !is_enough(best.0) && is_near(cell, &found.point))
            && let Some(bound) = self.function.bound_about(cell, &found.point)
        {
            values.take(bound, 2);
            best = least_on_segment(values.get());
        }
        let (lower, t) = best;
        let mut weights = cell.constant(0.0);
        (weights[0], weights[1]) = (1.0 - t, t);
        Attained { lower, weights: Some(weights) }
    }

    /// Bounds by one linear bound of the function, and near the best point by one about it.
    fn lower_bound_by_one(&self, cell: &Cell<'_>, incumbents: &Incumbents) -> f64 {
        let bound = self.function.bound_below(cell);
        let lower = least(&bound, self.count);
        let Some(best) = incumbents.best else { return lower };
        let is_open =
            !self.is_approximate() && lower < best.sample.value - self.gap && is_near(cell, &best.point);
        let about = is_open.then(|| self.function.bound_about(cell, &best.point)).flatten();
        about.map_or(lower, |about| least(&below_the_higher(&bound, &about, self.count), self.count))
    }

    /// Bounds by several linear bounds of the function, and by one of the constraint; if that is not enough, by several
    /// of the constraint too, all mixed optimally.
    fn lower_bound_by_several(
        &self,
        cell: &Cell<'_>,
        incumbents: &Incumbents,
        cutoff: f64,
        constraint: &dyn ImplicitFunction,
    ) -> Attained {
        let mut limits = Several::default();
        let mut limit: Option<CellValues> = None;
        constraint.bounds_below(cell, &mut |bound| {
            let bound = bound.map(|value| value - self.outside);
            limit = Some(mixed_with(limit, bound, self.count));
            // One that is nowhere positive in the cell limits nothing.
            if bound[..self.count].iter().any(|value| *value > 0.0) {
                limits.take(bound, self.count);
            }
            false
        });
        let limit = limit.unwrap_or(cell.constant(f64::NEG_INFINITY));
        if least(&limit, self.count) > 0.0 {
            return Attained::somewhere(f64::INFINITY);
        }
        let mut values = Several::default();
        let mut bound: Option<CellValues> = None;
        let mut lower = f64::NEG_INFINITY;
        let is_enough = |lower: f64| lower >= incumbents.value() - self.gap || lower > cutoff;
        self.function.bounds_below(cell, &mut |below| {
            values.take(below, self.count);
            let mixed = mixed_with(bound, below, self.count);
            bound = Some(mixed);
            let constrained = below_where_not_positive(&mixed, &limit, self.count);
            lower = constrained.map_or(f64::INFINITY, |constrained| least(&constrained, self.count));
            is_enough(lower)
        });
        if bound.is_none() || is_enough(lower) {
            return Attained::somewhere(lower);
        }
        // Near the best point, tangents there are tighter than those at the centre of the cell.
        if let Some(best) = &incumbents.best {
            if is_near(cell, &best.point) {
                // Of a convex constraint it is a tangent, as below.
                let limit = (!constraint.is_convex()).then(|| constraint.bound_about(cell, &best.point));
                if let Some(limit) = limit.flatten().map(|limit| limit.map(|value| value - self.outside))
                    && limit[..self.count].iter().any(|value| *value > 0.0)
                {
                    limits.take(limit, self.count);
                }
                if let Some(bound) = self.function.bound_about(cell, &best.point) {
                    values.take(bound, self.count);
                }
            }
            constraint.tangents(&best.point, &mut |value, gradient| {
                let value = value - self.outside;
                let in_middle = value + gradient.dot(&(cell.center - best.point));
                if in_middle > 0.0
                    || in_middle * in_middle < gradient.norm_squared() * cell.radius * cell.radius
                {
                    let tangent = cell.at_corners(|corner| value + gradient.dot(&(corner - best.point)));
                    limits.take(tangent, self.count);
                }
            });
        }
        let mixed = least_of_the_higher_within(&values, &limits, self.count);
        Attained { lower: lower.max(mixed.lower), ..mixed }
    }

    /// Returns where the formula changes, or where the bound of a segment is attained, or the middle of the longest edge; `None` if
    /// rounding leaves no point between its ends.
    pub(super) fn where_to_divide(&self, open: &Simplex) -> Option<EdgeSplit> {
        let corners = &open.corners[..self.count];
        let cell = Cell::new(corners);
        let of_constraint = || self.constraint.and_then(|constraint| constraint.edge_split(&cell));
        if let Some(crossing) = self.function.edge_split(&cell).or_else(of_constraint) {
            return Some(crossing);
        }
        let mut longest = (0.0, [0, 0]);
        for j in 1..corners.len() {
            for i in 0..j {
                let length = (corners[i] - corners[j]).norm_squared();
                if length > longest.0 {
                    longest = (length, [i, j]);
                }
            }
        }
        let [i, j] = longest.1;
        if self.count == 2 && open.lowest > 0.0 && open.lowest < 1.0 {
            let t = open.lowest.clamp(NEAR_AN_END, 1.0 - NEAR_AN_END);
            let place = corners[0] + (corners[1] - corners[0]) * t;
            if place != corners[0] && place != corners[1] {
                return Some(EdgeSplit { edge: [0, 1], t });
            }
        }
        let middle: Vector = (corners[i].coords + corners[j].coords) * 0.5;
        (longest.0 > 0.0 && middle != corners[i].coords && middle != corners[j].coords)
            .then_some(EdgeSplit { edge: [i, j], t: 0.5 })
    }
}

/// Whether a point is in the ball around a cell, so that tangents at the point are good bounds in the cell.
fn is_near(cell: &Cell<'_>, point: &Point) -> bool {
    (point - cell.center).norm_squared() <= cell.radius * cell.radius
}

/// Returns the point itself, or its projection to the surface of a constraint along the gradient. `None` if that stays outside by
/// more than `outside`.
pub(super) fn feasible(constraint: &dyn ImplicitFunction, point: &Point, outside: f64) -> Option<Point> {
    let mut point = *point;
    for _ in 0..STEPS_TO_THE_SURFACE {
        let sample = constraint.sample(&point);
        if sample.value <= outside {
            return Some(point);
        }
        let square = sample.gradient.norm_squared();
        if square == 0.0 {
            return None;
        }
        point -= sample.gradient * (sample.value / square);
    }
    None
}

/// Returns unit vectors that span a segment or triangle, padded with zeros; the axes for a solid.
pub(super) fn along(corners: &[Point]) -> [Vector; 3] {
    let unit = |v: Vector| direction::unit_or(&v, &Vector::zeros());
    match corners {
        [a, b] => [unit(b - a), Vector::zeros(), Vector::zeros()],
        [a, b, c] => {
            let first = unit(b - a);
            let aside = (c - a) - first * first.dot(&(c - a));
            [first, unit(aside), Vector::zeros()]
        }
        _ => [Vector::x(), Vector::y(), Vector::z()],
    }
}
