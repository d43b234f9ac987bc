//! What searches know of palpate's own functions beyond what a user says of one.

use super::ImplicitFunction;
use crate::base::{Cell, CellValues, Circle, CylinderDomain, EdgeSplit, OrientedBounds, Sample};
use palpate_math::{Point, Vector};
use std::any::Any;

/// Further properties of an implicit function, by which searches take less time. All have defaults, which are those of a function
/// of which no more is known than [`ImplicitFunction`] says: so are those of users searched.
pub trait Structure: ImplicitFunction {
    /// Returns the function itself, if others may ask what it is.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }

    /// Returns the value alone, which may take less time.
    fn value(&self, point: &Point) -> f64 {
        self.sample(point).value
    }

    /// Computes the values at several points, which may take less time than one by one.
    fn values(&self, points: &[Point], values: &mut [f64]) {
        for (value, point) in values.iter_mut().zip(points) {
            *value = self.value(point);
        }
    }

    /// Whether the body is known to be connected: a convex one is.
    fn is_connected(&self) -> bool {
        self.is_convex()
    }

    /// Calls `visit` with linear lower bounds of the function in the cell: by default with
    /// [`bound_below`](ImplicitFunction::bound_below). A maximum of several functions has one for each: a search combines them
    /// better when it knows the other constraints. May stop once `visit` returns true, since the bounds so far are enough.
    fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut(CellValues) -> bool) {
        visit(self.bound_below(cell));
    }

    /// Returns the values at the corners of a linear upper bound of the function in the cell: by default the function's
    /// own values if it is convex, else a constant.
    fn bound_above(&self, cell: &Cell<'_>) -> CellValues {
        if self.is_convex() {
            return cell.at_corners(|corner| self.sample(corner).value);
        }
        let value = self.sample(&cell.center).value;
        cell.constant(self.lipschitz().map_or(f64::INFINITY, |rate| value + rate * cell.radius))
    }

    /// Returns where the cell is best split; `None` (the default) for the middle of its longest edge.
    fn edge_split(&self, _cell: &Cell<'_>) -> Option<EdgeSplit> {
        None
    }

    /// Returns a lower bound of all values: that of the deepest point, ideally. Minus infinity (the default) if
    /// unknown.
    fn floor(&self) -> f64 {
        f64::NEG_INFINITY
    }

    /// Returns where the function is probably least of all, close to a point: in the middle of the body. `None` (the default) if
    /// that is unknown.
    fn lowest_near(&self, _point: &Point) -> Option<Point> {
        None
    }

    /// For the distance from a segment (or a point) minus a radius: returns the ends and the radius. Used for shells of
    /// two such bodies. `None` (the default) for everything else.
    fn rounded_segment(&self) -> Option<([Point; 2], f64)> {
        None
    }

    /// For the distance from a circle minus a radius: returns the circle and the radius. Searches then follow the
    /// circle. `None` (the default) for everything else.
    fn rounded_circle(&self) -> Option<(Circle, f64)> {
        None
    }

    /// Returns the cylinder that the function is the signed distance of; `None` (the default) if it is of no cylinder.
    fn cylinder(&self) -> Option<CylinderDomain> {
        None
    }

    /// Returns the rounding radius: outside a connected set, the core, the value is the distance from the core minus this
    /// radius. By default the radius of a [rounded segment](Self::rounded_segment) or [circle](Self::rounded_circle); 0 if the
    /// body is not known to be rounded.
    fn rounding(&self) -> f64 {
        let of_segment = self.rounded_segment().map(|(_, radius)| radius);
        of_segment.or_else(|| self.rounded_circle().map(|(_, radius)| radius)).unwrap_or(0.0)
    }

    /// Returns a bound of the concavity within `reach` of a point: with half that number times the squared distance from
    /// any point added, the value is convex there. In 1/metres; 0 for a convex function, infinity if unknown (both by
    /// default).
    fn concavity(&self, _point: &Point, _reach: f64) -> f64 {
        if self.is_convex() { 0.0 } else { f64::INFINITY }
    }

    /// Returns the support point of the body along a direction of any non-zero length, if there is a closed form.
    /// `None` (the default) leaves it to a search.
    fn support_point(&self, _direction: &Vector) -> Option<Point> {
        None
    }

    /// Returns a tight box of any orientation that contains the body: one aligned with the body's own faces makes a
    /// search much cheaper. `None` (the default) uses [`sublevel_bounds`](ImplicitFunction::sublevel_bounds).
    fn oriented_bounds(&self) -> Option<OrientedBounds> {
        None
    }

    /// Calls `visit` with every part of a union and returns true; `false` (the default), without a call, for other
    /// bodies. The value must be the minimum of the parts everywhere, so that a search may process them one by one.
    fn over_parts(&self, _visit: &mut dyn FnMut(&dyn ImplicitFunction)) -> bool {
        false
    }

    /// Calls `visit` with the values at a point and the gradients of linear functions that are nowhere above this one, or are
    /// nowhere positive in the body: by default the tangent of a convex function, and its [pieces](Self::pieces).
    fn tangents(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        if self.is_convex() {
            let sample = self.sample(point);
            visit(sample.value, sample.gradient);
            self.pieces(point, visit);
        }
    }

    /// Returns a linear lower bound of the function in the cell, made of tangents at a place, in the cell or not, if there is one: by
    /// default the tangent of a convex function.
    fn bound_about(&self, cell: &Cell<'_>, place: &Point) -> Option<CellValues> {
        self.is_convex().then(|| {
            let sample = self.sample(place);
            let height = self.tangent_height(place, &sample);
            cell.at_corners(|corner| height + sample.gradient.dot(&(corner - place)))
        })
    }

    /// For a convex function: returns what a linear function with the gradient of a sample, which is to be nowhere above this one, certainly
    /// has at the sample's point: the value, less what rounding of the gradient may amount to. Close to an edge the direction from it is
    /// a quotient of small numbers; but whatever unit `e` is, no point is closer to a body than `e·(x - s)`, where `s` is the
    /// body's support point along `e`. By default that, where the value is the distance and there is a support map.
    fn tangent_height(&self, point: &Point, sample: &Sample) -> f64 {
        let farthest =
            if self.exactness().is_distance() { self.support_point(&sample.gradient) } else { None };
        farthest.map_or(sample.value, |farthest| sample.gradient.dot(&(point - farthest)).min(sample.value))
    }

    /// For a convex function: calls `visit` with the values at a point and the gradients of further linear functions that are
    /// nowhere above this one, and hold more of it than the tangent does: the faces of a box, the wall of a cylinder. None by
    /// default.
    fn pieces(&self, _point: &Point, _visit: &mut dyn FnMut(f64, Vector)) {}

    /// Calls `visit` with a convex function that is nowhere above this one, and is the same over much of the body's surface: the first
    /// convex part of an intersection or difference. None by default.
    fn convex_part(&self, _visit: &mut dyn FnMut(&dyn ImplicitFunction)) {}

    /// Returns where the value is least along the segment between two points, as the weight of the second, if there is a
    /// closed form; of several such places the first. `None` (the default) leaves it to a search.
    fn least_on_segment(&self, _ends: &[Point; 2]) -> Option<f64> {
        None
    }
}
