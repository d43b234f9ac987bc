//! Convex function as a sum of up to four convex ones, each with its weight.

use crate::implicit::{ImplicitFunction, Sample, hessians};
use nalgebra::Matrix3;
use palpate_math::nearest::{SegmentSegment, point_segment, segment_segment};
use palpate_math::{Point, Vector, rounding};

/// A part of a sum.
#[derive(Clone, Copy)]
pub(super) enum Part<'a> {
    /// The distance from a segment, minus a radius.
    Rounded { ends: [Point; 2], radius: f64 },
    /// The signed distance of a convex body with a support map.
    Distance(&'a dyn ImplicitFunction),
    /// Any convex function.
    Other(&'a dyn ImplicitFunction),
}

impl<'a> Part<'a> {
    /// Wraps a convex function.
    pub(super) fn new(function: &'a dyn ImplicitFunction) -> Self {
        match function.rounded_segment() {
            Some((ends, radius)) => Self::Rounded { ends, radius },
            None if function.exactness().is_distance() && function.support_point(&Vector::y()).is_some() => {
                Self::Distance(function)
            }
            None => Self::Other(function),
        }
    }

    /// Returns the closest places on the axes of two rods.
    pub(super) fn nearest(&self, other: &Self) -> Option<[Point; 2]> {
        let (Self::Rounded { ends: [a, b], .. }, Self::Rounded { ends: [c, d], .. }) = (self, other) else {
            return None;
        };
        let SegmentSegment { point_a, point_b, .. } = segment_segment(a, b, c, d);
        Some([point_a, point_b])
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

    /// Returns the value at a point.
    pub(super) fn value(&self, point: &Point) -> f64 {
        match self {
            Self::Rounded { ends: [start, end], radius } => {
                (point - point_segment(point, start, end).point).norm() - radius
            }
            Self::Distance(function) | Self::Other(function) => function.sample(point).value,
        }
    }

    /// Returns the Hessian at a point, if it is known.
    fn hessian(&self, point: &Point) -> Option<Matrix3<f64>> {
        match self {
            Self::Rounded { ends, .. } => Some(hessians::of_segment(ends, point)),
            Self::Distance(function) | Self::Other(function) => function.hessian(point, 0),
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

/// Two convex functions.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) parts: [Part<'a>; 2],
    pub(super) floors: [f64; 2],
    /// A lower bound of the sum of both, less both floors.
    apart: f64,
    /// Where the sum is that, one place on each body.
    between: Option<[Point; 2]>,
    pub(super) largest_coordinate: f64,
}

impl<'a> Pair<'a> {
    pub(super) fn new(parts: [Part<'a>; 2]) -> Self {
        let floors = parts.map(|part| part.floor());
        let largest_coordinate = parts.iter().map(Part::largest_coordinate).fold(0.0, f64::max);
        let [a, b] = &parts;
        let nearest = a.nearest(b);
        let apart = nearest.map_or(0.0, |[a, b]| (b - a).norm());
        Self { parts, floors, apart, between: nearest, largest_coordinate }
    }

    /// Returns both values at a point.
    pub(super) fn values(&self, point: &Point) -> [f64; 2] {
        self.parts.map(|part| part.value(point))
    }

    /// Returns a lower bound of the mixture with a share: besides both floors the smaller share of the distance.
    pub(super) fn floor(&self, share: f64) -> f64 {
        let of = |floor: f64, share: f64| if share > 0.0 { share * floor } else { 0.0 };
        of(self.floors[0], 1.0 - share) + of(self.floors[1], share) + share.min(1.0 - share) * self.apart
    }

    /// Returns the mixture `(1 - share) a + share b`.
    pub(super) fn mixed(&self, share: f64) -> Mixed<'a> {
        let [a, b] = self.parts;
        let floor = self.floor(share);
        let is_single = share == 0.0 || share == 1.0;
        let deepest = self.between.filter(|_| !is_single).map(|places| places[usize::from(share > 0.5)]);
        Mixed {
            parts: [a, b, a, b],
            weights: [1.0 - share, share, 0.0, 0.0],
            floor,
            deepest,
            is_single,
            largest_coordinate: self.largest_coordinate,
        }
    }
}

/// A sum of convex functions with weights that are not negative.
#[derive(Clone, Copy)]
pub(super) struct Mixed<'a> {
    pub(super) parts: [Part<'a>; 4],
    pub(super) weights: [f64; 4],
    /// A lower bound of all values.
    pub(super) floor: f64,
    /// Where the value is the lower bound, if that is known of a mixture of two.
    pub(super) deepest: Option<Point>,
    /// Whether only one weight is not zero, and is one.
    pub(super) is_single: bool,
    /// The largest coordinate of all bodies.
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

impl<'a> Mixed<'a> {
    /// A single function.
    pub(super) fn single(part: Part<'a>) -> Self {
        Pair::new([part; 2]).mixed(0.0)
    }

    /// Returns the sum of all others.
    pub(super) fn without(&self, part: usize) -> Self {
        let mut others = Self { floor: f64::NEG_INFINITY, deepest: None, is_single: false, ..*self };
        others.weights[part] = 0.0;
        others
    }

    /// Returns a factor of the gradient, with which it is the gradient of a function that has the same minima and is
    /// smoother: of the square of the height over the lowest value of a single function. From the axis of a rod that is
    /// the square of the distance, which has no tip.
    fn factor(&self, value: f64) -> f64 {
        if self.is_single && self.floor.is_finite() { value - self.floor } else { 1.0 }
    }

    /// Returns where the value is probably the lower bound, close to a point, if that is known.
    pub(super) fn deepest_near(&self, point: &Point) -> Option<Point> {
        if self.is_single {
            let (part, _) = self.parts.iter().zip(self.weights).find(|(_, weight)| *weight > 0.0)?;
            return part.lowest_near(point);
        }
        self.deepest
    }

    /// Returns the Hessian at a point, if it is known and finite.
    pub(super) fn hessian(&self, point: &Point) -> Option<Matrix3<f64>> {
        let mut sum = Matrix3::zeros();
        for (part, &weight) in self.parts.iter().zip(&self.weights).filter(|(_, weight)| **weight > 0.0) {
            sum += part.hessian(point)? * weight;
        }
        sum.iter().all(|entry| entry.is_finite()).then_some(sum)
    }

    /// Returns the Hessian of the function whose gradient is [`Tangent::smooth`], given a tangent and the Hessian of this function there.
    pub(super) fn smooth_hessian(&self, tangent: &Tangent, hessian: &Matrix3<f64>) -> Matrix3<f64> {
        let smooth = hessian * self.factor(tangent.value);
        let is_square = self.is_single && self.floor.is_finite();
        if is_square { smooth + tangent.gradient * tangent.gradient.transpose() } else { smooth }
    }

    /// Returns the tangent at a point.
    pub(super) fn tangent(&self, point: &Point) -> Tangent {
        let mut sum = Tangent {
            point: *point,
            value: 0.0,
            height: 0.0,
            gradient: Vector::zeros(),
            smooth: Vector::zeros(),
        };
        for (part, &weight) in self.parts.iter().zip(&self.weights).filter(|(_, weight)| **weight > 0.0) {
            let (value, height, gradient) = part.at(point);
            sum.value += weight * value;
            sum.height += weight * height;
            sum.gradient += gradient * weight;
        }
        Tangent { smooth: sum.gradient * self.factor(sum.value), ..sum }
    }
}
