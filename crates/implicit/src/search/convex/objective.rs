//! The convex function that is minimized, and its tangents.

use crate::base::Sample;
use crate::function::ImplicitFunction;
use nalgebra::Matrix3;
use palpate_math::nearest::point_segment;
use palpate_math::{Point, Vector, rounding};

/// What the function is.
#[derive(Clone, Copy)]
enum Part<'a> {
    /// The distance from a segment, minus a radius.
    Rounded { ends: [Point; 2], radius: f64 },
    /// The signed distance of a convex body with a support map.
    Distance(&'a dyn ImplicitFunction),
    /// Any convex function.
    Other(&'a dyn ImplicitFunction),
}

impl<'a> Part<'a> {
    /// Wraps a convex function.
    fn new(function: &'a dyn ImplicitFunction) -> Self {
        match function.rounded_segment() {
            Some((ends, radius)) => Self::Rounded { ends, radius },
            None if function.exactness().is_distance() && function.support_point(&Vector::y()).is_some() => {
                Self::Distance(function)
            }
            None => Self::Other(function),
        }
    }

    /// Returns where the value is probably least of all, close to a point, if that is known.
    fn lowest_near(&self, point: &Point) -> Option<Point> {
        match self {
            Self::Rounded { ends: [start, end], .. } => Some(point_segment(point, start, end).point),
            Self::Distance(function) | Self::Other(function) => function.lowest_near(point),
        }
    }

    /// Returns a lower bound of all values.
    fn floor(&self) -> f64 {
        match self {
            Self::Rounded { radius, .. } => -radius,
            Self::Distance(function) | Self::Other(function) => function.floor(),
        }
    }

    /// Returns the largest coordinate of the body; zero if it is unbounded.
    fn largest_coordinate(&self) -> f64 {
        match self {
            Self::Rounded { ends, .. } => rounding::largest_coordinate(ends),
            Self::Distance(function) | Self::Other(function) => {
                let largest = function.sublevel_bounds(0.0).largest_coordinate();
                if largest.is_finite() { largest } else { 0.0 }
            }
        }
    }

    /// Returns the Hessian at a point, if it is known.
    fn hessian(&self, point: &Point) -> Option<Matrix3<f64>> {
        match self {
            Self::Rounded { ends, .. } => Some(hessian_of_segment(ends, point)),
            Self::Distance(_) | Self::Other(_) => None,
        }
    }

    /// Returns the value and a gradient at a point, and what a tangent with this gradient certainly has there.
    ///
    /// Close to an edge the direction from it is a quotient of small numbers. But whatever unit `e` is, no point is
    /// closer to a body than `e·(x - s)`, where `s` is the body's support point along `e`.
    fn at(&self, point: &Point) -> (f64, f64, Vector) {
        match self {
            Self::Rounded { ends: [start, end], radius } => {
                let offset = point - point_segment(point, start, end).point;
                let length = offset.norm();
                let gradient = if length > 0.0 { offset / length } else { Vector::zeros() };
                let beyond = gradient.dot(&(point - start)).min(gradient.dot(&(point - end)));
                (length - radius, beyond.min(length) - radius, gradient)
            }
            Self::Distance(function) => {
                let Sample { value, gradient, .. } = function.sample(point);
                let beyond =
                    function.support_point(&gradient).map(|farthest| gradient.dot(&(point - farthest)));
                (value, beyond.map_or(value, |beyond| beyond.min(value)), gradient)
            }
            Self::Other(function) => {
                let Sample { value, gradient, .. } = function.sample(point);
                (value, value, gradient)
            }
        }
    }
}

/// A convex function.
#[derive(Clone, Copy)]
pub(super) struct Objective<'a> {
    part: Part<'a>,
    /// A lower bound of all values.
    pub(super) floor: f64,
    /// The largest coordinate of its body.
    pub(super) largest_coordinate: f64,
}

/// The value and a gradient of a convex function at a point: its tangent there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tangent {
    pub(super) point: Point,
    pub(super) value: f64,
    /// What the tangent certainly has at the point: the value, less rounding.
    pub(super) height: f64,
    pub(super) gradient: Vector,
    /// The gradient of a smoother function with the same minima.
    pub(super) smooth: Vector,
}

impl Tangent {
    /// Returns the tangent's value at another point.
    pub(super) fn at(&self, other: &Point) -> f64 {
        self.height + self.gradient.dot(&(other - self.point))
    }
}

impl<'a> Objective<'a> {
    /// Wraps a convex function.
    pub(super) fn new(function: &'a dyn ImplicitFunction) -> Self {
        Self::of(Part::new(function))
    }

    /// The distance from a point.
    pub(super) fn distance(point: &Point) -> Self {
        Self::of(Part::Rounded { ends: [*point; 2], radius: 0.0 })
    }

    fn of(part: Part<'a>) -> Self {
        Self { part, floor: part.floor(), largest_coordinate: part.largest_coordinate() }
    }

    /// Returns a factor of the gradient, with which it is the gradient of a function that has the same minima and is
    /// smoother: of the square of the height over the lowest value. From the axis of a rod that is the square of the
    /// distance, which has no tip.
    fn factor(&self, value: f64) -> f64 {
        if self.floor.is_finite() { value - self.floor } else { 1.0 }
    }

    /// Returns where the value is probably the lower bound, close to a point, if that is known.
    pub(super) fn deepest_near(&self, point: &Point) -> Option<Point> {
        self.part.lowest_near(point)
    }

    /// Returns the Hessian at a point, if it is known and finite.
    pub(super) fn hessian(&self, point: &Point) -> Option<Matrix3<f64>> {
        self.part.hessian(point).filter(|hessian| hessian.iter().all(|entry| entry.is_finite()))
    }

    /// Returns the Hessian of the function whose gradient is [`Tangent::smooth`], given a tangent and the Hessian of this function there.
    pub(super) fn smooth_hessian(&self, tangent: &Tangent, hessian: &Matrix3<f64>) -> Matrix3<f64> {
        let smooth = hessian * self.factor(tangent.value);
        if self.floor.is_finite() { smooth + tangent.gradient * tangent.gradient.transpose() } else { smooth }
    }

    /// Returns the tangent at a point.
    pub(super) fn tangent(&self, point: &Point) -> Tangent {
        let (value, height, gradient) = self.part.at(point);
        Tangent { point: *point, value, height, gradient, smooth: gradient * self.factor(value) }
    }
}

/// Returns the Hessian of the distance from a segment; from a point, if both ends are equal.
fn hessian_of_segment([start, end]: &[Point; 2], place: &Point) -> Matrix3<f64> {
    let on_axis = point_segment(place, start, end);
    let offset = place - on_axis.point;
    let distance = offset.norm();
    let unit = offset / distance;
    let mut hessian = Matrix3::identity() - unit * unit.transpose();
    let axis = end - start;
    if on_axis.feature.is_inward(offset.dot(&axis)) && start != end {
        hessian -= axis * axis.transpose() / axis.norm_squared();
    }
    hessian / distance
}
