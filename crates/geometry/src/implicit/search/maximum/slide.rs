//! The least place along a curved edge.

use super::clipped::{Clipped, Side};
use super::problem::{Limit, Problem, Progress};
use crate::implicit::Sample;
use palpate_math::{Point, Vector};

/// The most searches.
const MOST_SLIDES: usize = 6;

/// Iteration limits: of the slopes, and of the steps back to the edge.
const MOST_STEPS: usize = 12;
const STEPS_TO_THE_EDGE: usize = 3;

/// The steps along the edge: the first, the longest, the last, and the longest last one, relative to the solid.
const FIRST_STEP: f64 = 1e-3;
const LONGEST_STEP: f64 = 0.2;
const LAST_STEP: f64 = 1e-7;
const SETTLED: f64 = 1e-3;

/// Tangents of one function whose normals have at least this product are of one curved side.
const ALIKE: f64 = 0.5;

/// Two surfaces that meet at a smaller angle have no edge; the square of its sine.
const FLAT: f64 = 1e-9;

/// A function that is zero on the edge, and its gradient.
type Equation = (f64, Vector);

/// A curved side that meets another side, or a second hole, at a hole.
pub(super) struct Edge {
    sides: [Side; 2],
    hole: usize,
}

impl Edge {
    /// Returns the edge of three sides at a hole, if two of them are tangents of one curved side.
    pub(super) fn among(sides: [Side; 3], hole: usize) -> Option<Self> {
        let alike = |a: usize, b: usize| {
            let (a, b) = (&sides[a], &sides[b]);
            let is_limit = a.limit.is_some() && !a.is_guide && !b.is_guide;
            is_limit && a.limit == b.limit && a.normal.dot(&b.normal) > ALIKE
        };
        let pairs = [(0, 1, 2), (0, 2, 1), (1, 2, 0)];
        let (curved, _, other) = pairs.into_iter().find(|(a, b, _)| alike(*a, *b))?;
        let is_same = sides[other].is_guide && sides[other].limit == Some(hole);
        (!is_same).then_some(Self { sides: [sides[curved], sides[other]], hole })
    }
}

impl Problem<'_> {
    /// Follows an edge, where its sides' functions and the hole's negative have the same value, to where that is least. The slope
    /// along the edge is zero there: a secant's method.
    pub(super) fn slide(&self, edge: &Edge, from: &Point, polytope: &Clipped, progress: &mut Progress) {
        let hole = &self.holes[edge.hole];
        if progress.slides == MOST_SLIDES || hole.rate == 0.0 {
            return;
        }
        progress.slides += 1;
        if let Some(point) = self.along_edge(&edge.sides, hole, *from)
            && self.try_inside(polytope, &point, progress)
        {
            progress.touched = Some(point);
        }
    }

    fn along_edge(&self, sides: &[Side; 2], hole: &Limit<'_>, mut point: Point) -> Option<Point> {
        let (mut way, mut at, mut step) = (Vector::zeros(), 0.0, f64::INFINITY);
        let mut before: Option<(f64, f64)> = None;
        for _ in 0..MOST_STEPS {
            let ([e, f], sample) = self.onto_edge(sides, hole, &mut point)?;
            let along = e.1.cross(&f.1).try_normalize(0.0)?;
            way = if along.dot(&way) < 0.0 { -along } else { along };
            let slope = -sample.gradient.dot(&way);
            step = match before {
                None => -FIRST_STEP * self.reach * slope.signum(),
                Some((_, last)) if last == slope => break,
                Some((last_at, last)) => {
                    let longest = LONGEST_STEP * self.reach;
                    (-slope * (at - last_at) / (slope - last)).clamp(-longest, longest)
                }
            };
            if slope == 0.0 || step.abs() <= LAST_STEP * self.reach {
                step = 0.0;
                break;
            }
            before = Some((at, slope));
            at += step;
            point += way * step;
        }
        (step.abs() <= SETTLED * self.reach).then_some(point)
    }

    /// Moves a point to the edge; returns its equations and the hole's function there.
    fn onto_edge(
        &self,
        sides: &[Side; 2],
        hole: &Limit<'_>,
        point: &mut Point,
    ) -> Option<([Equation; 2], Sample)> {
        let mut sample = hole.sample(point);
        let mut both = sides.each_ref().map(|side| self.equation(side, &sample, point));
        for _ in 0..STEPS_TO_THE_EDGE {
            let [(e, p), (f, q)] = both;
            if e.abs().max(f.abs()) <= self.slack {
                break;
            }
            let (a, b, c) = (p.norm_squared(), p.dot(&q), q.norm_squared());
            let volume = a * c - b * b;
            if volume <= FLAT * a * c {
                return None;
            }
            *point -= p * ((e * c - f * b) / volume) + q * ((f * a - e * b) / volume);
            sample = hole.sample(point);
            both = sides.each_ref().map(|side| self.equation(side, &sample, point));
        }
        Some((both, sample))
    }

    /// Returns what is zero where a side of the solid is reached, or the hole's negative is equal to a function of the maximum.
    fn equation(&self, side: &Side, hole: &Sample, point: &Point) -> Equation {
        let Some(number) = side.limit else {
            return (side.height(point, -hole.value), side.normal + hole.gradient * side.rate);
        };
        if side.is_guide {
            let other = self.holes[number].sample(point);
            let value = other.value - hole.value * self.holes[number].rate;
            return (value, other.gradient - hole.gradient * self.holes[number].rate);
        }
        // The piece that is most like the side.
        let limit = &self.limits[number];
        let sample = limit.sample(point);
        let mut best = (sample.gradient.dot(&side.normal), sample.value, sample.gradient);
        limit.pieces(point, &mut |value, gradient| {
            let alike = gradient.dot(&side.normal);
            if alike > best.0 + FLAT {
                best = (alike, value, gradient);
            }
        });
        let (_, value, gradient) = best;
        (value + limit.rate * hole.value, gradient + hole.gradient * limit.rate)
    }
}
