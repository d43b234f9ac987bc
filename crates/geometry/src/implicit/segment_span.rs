//! Points of a segment, and the spans between them, along which functions are bounded.

use super::{Sample, SegmentProfile};
use palpate_math::nearest::point_segment;
use palpate_math::{Point, Vector};

/// Rounding error of the squares whose difference bounds the curvature, relative to the segment's.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// A convex function at a point of a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jet {
    value: f64,
    /// The derivative by the weight of the segment's second end.
    slope: f64,
    /// For a distance from a segment or a point: the least square that may stand in its second derivative, see
    /// [`SegmentJets::push_rounded_segment`], and the distance. Else zero and one.
    across: f64,
    distance: f64,
}

/// What functions know of one point of a segment, in the order in which they are asked.
#[derive(Clone, Debug, Default)]
pub struct SegmentJets {
    pub(super) list: Vec<Jet>,
}

impl SegmentJets {
    /// Adds a convex function, given its sample at the point, along a segment that is `way` from end to end.
    pub fn push(&mut self, sample: &Sample, way: &Vector) {
        self.push_linear(sample.value, sample.gradient.dot(way));
    }

    /// Adds a convex function, given its value and its derivative.
    pub(super) fn push_linear(&mut self, value: f64, slope: f64) {
        self.list.push(Jet { value, slope, across: 0.0, distance: 1.0 });
    }

    /// Adds the distance from a segment (or from a point, which has both ends equal) minus a radius.
    ///
    /// Where the closest point is an end, the second derivative of the distance d is (|w|² − d′²) / d, with w from one end of
    /// the searched segment to the other; elsewhere the component of w across the body's segment takes its place, which is
    /// shorter.
    pub(super) fn push_rounded_segment(
        &mut self,
        point: &Point,
        way: &Vector,
        ends: &[Point; 2],
        radius: f64,
    ) {
        let axis = ends[1] - ends[0];
        let (square, length) = (axis.norm_squared(), way.norm_squared());
        let per_square = if square > 0.0 { 1.0 / square } else { 0.0 };
        let on_axis = point_segment(point, &ends[0], &ends[1]);
        let mut outward = point - on_axis.point;
        let distance = outward.norm();
        let along = outward.dot(&axis);
        let mut toward = distance;
        if on_axis.feature.is_inward(along) {
            outward -= axis * (along * per_square);
            outward -= axis * (outward.dot(&axis) * per_square);
            toward = outward.norm();
        }
        let slope = if toward > 0.0 { outward.dot(way) / toward } else { 0.0 };
        let along = way.dot(&axis);
        let across = length - along * along * per_square - ROUNDING * length;
        self.list.push(Jet { value: distance - radius, slope, across, distance });
    }
}

/// A span of a segment between two of its points, with what functions know of these.
pub struct SegmentSpan<'a> {
    jets: [&'a [Jet]; 2],
    /// Number of jets taken.
    taken: usize,
    /// The weights of the segment's second end.
    weights: [f64; 2],
    /// Returns the point with such a weight, in the function's frame.
    point: &'a dyn Fn(f64) -> Point,
}

impl<'a> SegmentSpan<'a> {
    pub(super) fn new(jets: [&'a [Jet]; 2], weights: [f64; 2], point: &'a dyn Fn(f64) -> Point) -> Self {
        Self { jets, taken: 0, weights, point }
    }

    /// Returns the ends.
    pub fn ends(&self) -> [Point; 2] {
        self.weights.map(self.point)
    }

    /// Takes the next jet of both ends and returns the profile of that convex function.
    pub fn next_profile(&mut self) -> SegmentProfile {
        let [a, b] = self.next_jets();
        let length = self.weights[1] - self.weights[0];
        // The slope of a convex function is steepest at an end, and its value greatest.
        let steepest = a.slope.abs().max(b.slope.abs());
        let (across, farthest) = (a.across - steepest * steepest, a.distance.max(b.distance));
        let bend = if across > 0.0 && farthest > 0.0 { across * (length * length) / farthest } else { 0.0 };
        SegmentProfile {
            values: [a.value, b.value],
            slopes: [a.slope * length, b.slope * length],
            curvature: [bend, f64::INFINITY],
        }
    }

    /// Takes the next jet of both ends and returns the profile of that linear function.
    pub(super) fn next_line(&mut self) -> SegmentProfile {
        SegmentProfile::linear(self.next_jets().map(|jet| jet.value))
    }

    /// Takes some jets without looking at them.
    pub(super) fn skip(&mut self, count: usize) {
        self.taken += count;
    }

    /// Calls `ask` with the span in the frame of a function that is placed in this one's, given how points get there.
    pub(super) fn in_frame<T>(
        &mut self,
        to_local: impl Fn(Point) -> Point,
        ask: impl FnOnce(&mut SegmentSpan<'_>) -> T,
    ) -> T {
        let point = |weight: f64| to_local((self.point)(weight));
        let mut span = SegmentSpan { point: &point, ..*self };
        let answer = ask(&mut span);
        self.taken = span.taken;
        answer
    }

    fn next_jets(&mut self) -> [&'a Jet; 2] {
        let jets = self.jets.map(|jets| &jets[self.taken]);
        self.taken += 1;
        jets
    }
}
