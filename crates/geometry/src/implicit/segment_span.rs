//! Points of a segment, and the spans between them, along which functions are bounded.

use super::rod_along::{RodAlong, RodAt};
use super::{Sample, SegmentProfile};
use palpate_math::{Point, Vector};

/// A convex function at a point of a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jet {
    value: f64,
    /// The derivative by the weight of the segment's second end.
    slope: f64,
    /// For a distance from a segment or a point: the least square that may stand in its second derivative, see
    /// [`RodAt::across`], and the distance. Else zero and one.
    across: f64,
    distance: f64,
}

/// What functions know of one point of a segment, in the order in which they are asked.
#[derive(Clone, Debug, Default)]
pub struct SegmentJets {
    list: Vec<Jet>,
    /// The distances from segments along the searched one, in the order in which they are asked at every point.
    rods: Vec<RodAlong>,
    next_rod: usize,
    /// The weight of the second end at the current point.
    at: f64,
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

    /// Adds the distance from a segment (or from a point, which has both ends equal) minus a radius. `rod` gives the ends and the radius;
    /// it is asked at the first point only.
    pub(super) fn push_rounded_segment(
        &mut self,
        point: &Point,
        way: &Vector,
        rod: impl FnOnce() -> ([Point; 2], f64),
    ) {
        if self.next_rod == self.rods.len() {
            let (ends, radius) = rod();
            self.rods.push(RodAlong::new(&ends, radius, point, way, self.at));
        }
        let RodAt { value, slope, distance, across } = self.rods[self.next_rod].at(self.at);
        self.next_rod += 1;
        self.list.push(Jet { value, slope, across, distance });
    }

    /// Forgets all points.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.rods.clear();
    }

    /// Begins a point of the segment, given the weight of the second end; returns the number of its first jet.
    pub(super) fn begin(&mut self, at: f64) -> usize {
        (self.at, self.next_rod) = (at, 0);
        self.list.len()
    }

    /// Returns some jets, given the number of the first.
    pub(super) fn of_point(&self, first: usize, count: usize) -> &[Jet] {
        &self.list[first..first + count]
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
