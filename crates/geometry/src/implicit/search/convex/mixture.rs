//! Convex function as a sum of a few convex ones, each with its weight.

use crate::implicit::{ImplicitFunction, Sample};
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
    fn value(&self, point: &Point) -> f64 {
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

/// Two convex functions.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    parts: [Part<'a>; 2],
    floors: [f64; 2],
    /// A lower bound of the sum of both.
    apart: f64,
    /// Where the sum is that, one place on each body.
    between: Option<[Point; 2]>,
    largest_coordinate: f64,
}

impl<'a> Pair<'a> {
    pub(super) fn new(parts: [Part<'a>; 2]) -> Self {
        let floors = parts.map(|part| part.floor());
        let largest_coordinate = parts.iter().map(Part::largest_coordinate).fold(0.0, f64::max);
        let (mut apart, mut between) = (floors[0] + floors[1], None);
        if let [Part::Rounded { ends: [a, b], .. }, Part::Rounded { ends: [c, d], .. }] = &parts {
            let SegmentSegment { point_a, point_b, .. } = segment_segment(a, b, c, d);
            apart += (point_b - point_a).norm();
            between = Some([point_a, point_b]);
        }
        Self { parts, floors, apart, between, largest_coordinate }
    }

    /// Returns both values at a point.
    pub(super) fn values(&self, point: &Point) -> [f64; 2] {
        self.parts.map(|part| part.value(point))
    }
}

/// `(1 - share) a + share b`, both convex.
#[derive(Clone, Copy)]
pub(super) struct Mixed<'a> {
    pair: Pair<'a>,
    share: f64,
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
        Self { pair: Pair::new([part; 2]), share: 0.0 }
    }

    /// Two functions, the second with its share.
    pub(super) fn new(pair: Pair<'a>, share: f64) -> Self {
        Self { pair, share }
    }

    /// Returns the largest coordinate of both bodies.
    pub(super) fn largest_coordinate(&self) -> f64 {
        self.pair.largest_coordinate
    }

    /// Returns a lower bound of all values: the smaller share of the sum of both, and the rest of the one with the
    /// larger share.
    pub(super) fn floor(&self) -> f64 {
        let smaller = self.share.min(1.0 - self.share);
        let dominant = self.pair.floors[usize::from(self.share > 0.5)];
        let of_sum = if smaller > 0.0 { smaller * self.pair.apart } else { 0.0 };
        of_sum + (1.0 - 2.0 * smaller) * dominant
    }

    /// Returns a place where the value is the lower bound, if one is known.
    pub(super) fn deepest(&self) -> Option<Point> {
        let [a, b] = self.pair.between?;
        let is_single = self.share == 0.0 || self.share == 1.0;
        (!is_single).then_some(if self.share > 0.5 { b } else { a })
    }

    /// Returns a factor of the gradient, with which it is the gradient of a function that has the same minima and is
    /// smoother: of the square of the height over the lowest value of a single function. From the axis of a rod that is
    /// the square of the distance, which has no tip.
    fn factor(&self, value: f64) -> f64 {
        let is_single = self.share == 0.0 || self.share == 1.0;
        let floor = self.pair.floors[usize::from(self.share > 0.5)];
        if is_single && floor.is_finite() { value - floor } else { 1.0 }
    }

    /// Returns the tangent at a point.
    pub(super) fn tangent(&self, point: &Point) -> Tangent {
        let [a, b] = &self.pair.parts;
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
