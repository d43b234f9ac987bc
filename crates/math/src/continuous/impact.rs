//! What a continuous query is asked, and what it answers.

use crate::{Point, Vector};

/// A vertex that moves at constant velocity from `start` at time 0 to `end` at time 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingPoint {
    /// The position at time 0.
    pub start: Point,
    /// The position at time 1.
    pub end: Point,
}

impl MovingPoint {
    /// A vertex that moves from `start` to `end`.
    #[inline]
    pub const fn new(start: Point, end: Point) -> Self {
        Self { start, end }
    }

    /// A vertex at rest.
    #[inline]
    pub const fn at_rest(position: Point) -> Self {
        Self { start: position, end: position }
    }

    /// Returns the position at `time`, rounded; at 0 and 1 exactly `start` and `end`.
    #[inline]
    pub fn at(&self, time: f64) -> Point {
        Point::from(self.start.coords * (1.0 - time) + self.end.coords * time)
    }

    /// Returns the displacement over the step.
    #[inline]
    pub fn displacement(&self) -> Vector {
        self.end - self.start
    }
}

/// An interval of time within the step, `0 <= lower <= upper <= 1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeInterval {
    /// Before this time the features are apart: proven.
    pub lower: f64,
    /// The first impact is no later than this.
    pub upper: f64,
}

/// What a continuous query asks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The features are in contact when their distance is at most this. In the unit of the coordinates; not negative.
    /// Zero (the default) asks for touching itself, which is decided exactly.
    pub separation: f64,
    /// The greatest width of the interval of time of a proven impact, as a fraction of the step. It decides how well
    /// the time is known, never whether there is an impact. Values below [`Self::FINEST`] count as that. By default
    /// 2^-20, about 1e-6.
    pub time_tolerance: f64,
    /// With a separation: the greatest number of distance computations (about 0.1 µs each). By default 512. Without a
    /// separation the work is bounded by the number of bits of the coordinates, and this is not used.
    pub budget: u32,
}

impl Options {
    /// The finest tolerance of time.
    pub const FINEST: f64 = f64::from_bits((1023 - 40) << 52);

    /// The default options.
    pub const DEFAULT: Self =
        Self { separation: 0.0, time_tolerance: f64::from_bits((1023 - 20) << 52), budget: 512 };

    /// The default options with that separation.
    #[inline]
    pub const fn with_separation(separation: f64) -> Self {
        Self { separation, ..Self::DEFAULT }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// How far an impact is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// The distance is at most the separation at some time in the interval, which is no wider than the tolerance.
    Proven,
    /// At `upper` the distance exceeds the separation by no more than rounding error. Only with a separation.
    Touching,
    /// The budget was used up: apart before `lower`, and within the separation at `upper`, but there may be an earlier impact:
    /// the interval may be wider than the tolerance.
    Late,
    /// The budget was used up, or the input was not finite: apart before `lower`; after that nothing is known, and
    /// `upper` is 1.
    Open,
}

/// The first impact of two features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// When.
    pub time: TimeInterval,
    /// How far it is proven.
    pub certainty: Certainty,
    /// The weights of the vertices, in the order of the query's arguments, at the closest points at time `upper`. Those of each
    /// feature are not negative and have the sum one; unused places are zero. Rounded; where many pairs of points are
    /// closest (parallel features), one of them.
    pub weights: [f64; 4],
}
