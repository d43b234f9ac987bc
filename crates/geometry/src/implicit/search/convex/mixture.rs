//! Convex function as a sum of a few convex ones, each with its weight.

use crate::implicit::{ImplicitFunction, Sample};
use palpate_math::nearest::point_segment;
use palpate_math::{Point, Vector};

/// A part of a sum.
#[derive(Clone, Copy)]
pub(in crate::implicit::search) enum Part<'a> {
    /// The distance from a segment, minus a radius.
    Rounded { ends: [Point; 2], radius: f64 },
    /// The signed distance of a convex body with a support map.
    Distance(&'a dyn ImplicitFunction),
    /// Any convex function.
    Other(&'a dyn ImplicitFunction),
}

impl<'a> Part<'a> {
    /// Wraps a convex function.
    pub(in crate::implicit::search) fn new(function: &'a dyn ImplicitFunction) -> Self {
        match function.rounded_segment() {
            Some((ends, radius)) => Self::Rounded { ends, radius },
            None if function.exactness().is_distance() && function.support_point(&Vector::y()).is_some() => {
                Self::Distance(function)
            }
            None => Self::Other(function),
        }
    }

    /// Returns a lower bound of all values.
    fn floor(&self) -> f64 {
        match self {
            Self::Rounded { radius, .. } => -radius,
            Self::Distance(function) | Self::Other(function) => function.floor(),
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

/// `(1 - share) a + share b`, both convex.
#[derive(Clone, Copy)]
pub(in crate::implicit::search) struct Mixed<'a> {
    pub(super) parts: [Part<'a>; 2],
    pub(super) share: f64,
}

/// The value and a gradient of a convex function at a point: its tangent there.
#[derive(Clone, Copy, Debug)]
pub(in crate::implicit::search) struct Tangent {
    pub(in crate::implicit::search) point: Point,
    pub(in crate::implicit::search) value: f64,
    /// What the tangent certainly has at the point: the value, less rounding.
    pub(super) height: f64,
    pub(in crate::implicit::search) gradient: Vector,
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
    pub(in crate::implicit::search) fn single(part: Part<'a>) -> Self {
        Self { parts: [part; 2], share: 0.0 }
    }

    /// Two functions, the second with its share.
    pub(in crate::implicit::search) fn new(parts: [Part<'a>; 2], share: f64) -> Self {
        Self { parts, share }
    }

    /// Returns a lower bound of all values.
    pub(super) fn floor(&self) -> f64 {
        let of = |part: &Part<'_>, share: f64| if share > 0.0 { share * part.floor() } else { 0.0 };
        of(&self.parts[0], 1.0 - self.share) + of(&self.parts[1], self.share)
    }

    /// Returns a factor of the gradient, with which it is the gradient of a function that has the same minima and is
    /// smoother: of the square of the distance from a segment, as long as that is the only part.
    fn factor(&self, value: f64) -> f64 {
        let of = |part: &Part<'_>| match part {
            Part::Rounded { radius, .. } => value + radius,
            _ => 1.0,
        };
        if self.share == 0.0 {
            of(&self.parts[0])
        } else if self.share == 1.0 {
            of(&self.parts[1])
        } else {
            1.0
        }
    }

    /// Returns the tangent at a point.
    pub(super) fn tangent(&self, point: &Point) -> Tangent {
        let [a, b] = &self.parts;
        let (value, height, gradient) = if self.share == 0.0 {
            a.at(point)
        } else if self.share == 1.0 {
            b.at(point)
        } else {
            let ((a, low_a, along_a), (b, low_b, along_b)) = (a.at(point), b.at(point));
            let rest = 1.0 - self.share;
            let mix = |a: f64, b: f64| rest * a + self.share * b;
            (mix(a, b), mix(low_a, low_b), along_a * rest + along_b * self.share)
        };
        let smooth = gradient * self.factor(value);
        Tangent { point: *point, value, height, gradient, smooth }
    }
}
