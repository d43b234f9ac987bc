//! Minimum of a function along a segment, from what the function knows of itself there.
//!
//! Branch and bound over spans of the segment. The function is the maximum of several, each with a
//! [profile](SegmentProfile) along the span. A span is bounded in two ways: by the lines that these are nowhere below (the
//! tangents of a convex function, the chord of a concave one), which meet where one formula follows another; and by the
//! parabolas of each function alone, since where the second derivative is known to be positive a tangent at the minimum bounds
//! the whole span, and spans do not cluster around a smooth minimum (Du and Kearfott 1994, "The cluster problem in multivariate
//! global optimization").
//!
//! A span is divided where its bound is attained, or where the cubic through the values and slopes at its ends is least, by
//! turns, and at last only the latter: the first finds kinks, the second smooth minima, both faster than bisection. Every eighth
//! division is in the middle.

use super::minimum::Minimum;
use crate::implicit::{ImplicitFunction, SegmentJets, SegmentProfile, SegmentSpan};
use arrayvec::ArrayVec;
use palpate_math::{Point, Vector};

/// Maximum number of open spans; a handful is typical. Beyond it the general search takes over.
const MOST_SPANS: usize = 48;

/// Iteration limit; some ten divisions are typical.
const MOST_DIVISIONS: u32 = 256;

/// Maximum number of lines that bound a span. More are left out.
const MOST_LINES: usize = 24;

/// How close to an end of a span it may be divided, relative to its length.
const CLOSEST: f64 = 1e-6;

/// The length relative to the segment below which a span is not divided further.
const SHORTEST: f64 = 4.0 * f64::EPSILON;

/// From this number of divisions on, a span that falls from both ends is divided at the cubic's minimum: kinks are separated by then.
const SMOOTH: u32 = 4;

/// How much lower than computed a bound may be through rounding, relative to the gap.
const ROUNDED: f64 = 0.25;

/// A point of the segment.
#[derive(Clone, Copy)]
struct Place {
    /// The weight of the segment's second end.
    at: f64,
    /// The number of its first jet.
    first: usize,
}

/// A part of the segment.
#[derive(Clone, Copy)]
struct Span {
    ends: [Place; 2],
    /// The values at the ends, and the slopes by the weight of the span's second end.
    values: [f64; 2],
    slopes: [f64; 2],
    lower: f64,
    /// Where to divide it, from 0 to 1.
    best: f64,
    divisions: u32,
}

/// A search along a segment.
struct Segment<'a> {
    function: &'a dyn ImplicitFunction,
    ends: &'a [Point; 2],
    way: Vector,
    jets: &'a mut SegmentJets,
    /// Number of jets of a point.
    stride: usize,
    /// The lowest value, and the weight of the second end there.
    lowest: (f64, f64),
}

/// Returns the minimum between two points, if it is at most `cutoff`. `None` if the search does not terminate soon: then the
/// general one is to be used.
pub(super) fn along_segment(
    function: &dyn ImplicitFunction,
    ends: &[Point; 2],
    cutoff: f64,
    gap: f64,
    jets: &mut SegmentJets,
) -> Option<Option<Minimum>> {
    let mut least = None;
    let in_own_frame = function.over_own_frame(&mut |own, pose, scale| {
        let ends = ends.map(|end| pose.inverse_transform_point(&end) / scale);
        let found = least_along(own, &ends, cutoff / scale, gap / scale, jets);
        least = found.map(|LeastAlong { lower, at }| LeastAlong { lower: lower * scale, at });
    });
    let least = if in_own_frame { least } else { least_along(function, ends, cutoff, gap, jets) };
    let LeastAlong { lower, at } = least?;
    if lower > cutoff {
        return Some(None);
    }
    let point = point(ends, at);
    let sample = function.sample(&point);
    let lower = lower.min(sample.value) - ROUNDED * gap;
    let weights = [1.0 - at, at, 0.0, 0.0];
    Some((lower <= cutoff).then_some(Minimum { weights, point, sample, lower, converged: true }))
}

/// The lower bound of all values between two points, and the weight of the second point where the value is least.
struct LeastAlong {
    lower: f64,
    at: f64,
}

/// Returns the minimum, or a bound above the cutoff. `None` if the search does not terminate soon.
fn least_along(
    function: &dyn ImplicitFunction,
    ends: &[Point; 2],
    cutoff: f64,
    gap: f64,
    jets: &mut SegmentJets,
) -> Option<LeastAlong> {
    jets.clear();
    let way = ends[1] - ends[0];
    let mut segment = Segment { function, ends, way, jets, stride: 0, lowest: (f64::INFINITY, 0.0) };
    let places = [0.0, 1.0].map(|at| segment.place(at));
    segment.stride = places[1].first;
    let mut open: ArrayVec<Span, MOST_SPANS> = ArrayVec::new();
    let mut lower = f64::INFINITY;
    open.push(segment.span(places, 0));
    for _ in 0..MOST_DIVISIONS {
        let enough = segment.lowest.0 - gap;
        // What is left out has no value below its bound.
        open.retain(|span| {
            let stays = span.lower < enough && span.lower - ROUNDED * gap <= cutoff;
            if !stays {
                lower = lower.min(span.lower);
            }
            stays
        });
        let Some(next) = (0..open.len()).reduce(|a, b| if open[b].lower < open[a].lower { b } else { a })
        else {
            return Some(LeastAlong { lower, at: segment.lowest.1 });
        };
        let span = open.swap_remove(next);
        let [from, to] = span.ends;
        let at = from.at + span.where_to_divide() * (to.at - from.at);
        if to.at - from.at < SHORTEST || !(at > from.at && at < to.at) {
            return None;
        }
        let middle = segment.place(at);
        for ends in [[from, middle], [middle, to]] {
            let half = segment.span(ends, span.divisions + 1);
            open.try_push(Span { lower: half.lower.max(span.lower), ..half }).ok()?;
        }
    }
    None
}

impl Segment<'_> {
    fn place(&mut self, at: f64) -> Place {
        let first = self.jets.begin(at);
        self.function.segment_jets(&point(self.ends, at), &self.way, self.jets);
        Place { at, first }
    }

    /// Bounds a span. Keeps the values at its ends that are lower than all before, of equals the first.
    fn span(&mut self, ends: [Place; 2], divisions: u32) -> Span {
        let mut lines: ArrayVec<[f64; 2], MOST_LINES> = ArrayVec::new();
        let (mut lower, mut best) = (f64::NEG_INFINITY, 0.5);
        let (mut values, mut slopes) = ([f64::NEG_INFINITY; 2], [0.0; 2]);
        let (weights, to_point) = (ends.map(|end| end.at), |at: f64| point(self.ends, at));
        let jets = ends.map(|end| self.jets.of_point(end.first, self.stride));
        let mut span = SegmentSpan::new(jets, weights, &to_point);
        let (mut count, mut alone) = (0, None);
        let is_greatest = self.function.segment_profiles_below(&mut span, &mut |profile: &SegmentProfile| {
            count += 1;
            // The parabolas of a single function are nowhere below its tangents: its lines count only beside others.
            let first = alone.take();
            if count == 1 {
                alone = Some(*profile);
            } else {
                for line in first.iter().chain([profile]).flat_map(SegmentProfile::lines_below) {
                    // Without a line the bound is only less tight.
                    let _ = lines.try_push(line);
                }
            }
            let lowest = profile.lowest();
            if lowest.lower > lower {
                (lower, best) = (lowest.lower, lowest.at);
            }
            for end in 0..2 {
                if profile.values[end] > values[end] {
                    (values[end], slopes[end]) = (profile.values[end], profile.slopes[end]);
                }
            }
        });
        if let Some((level, at)) = least_of_the_highest(&lines)
            && level > lower
        {
            (lower, best) = (level, at);
        }
        if !is_greatest {
            let way = self.way * (weights[1] - weights[0]);
            let samples = weights.map(|at| self.function.sample(&to_point(at)));
            values = [0, 1].map(|end| samples[end].value);
            slopes = [0, 1].map(|end| samples[end].gradient.dot(&way));
        }
        for end in 0..2 {
            if values[end] < self.lowest.0 || values[end] == self.lowest.0 && weights[end] < self.lowest.1 {
                self.lowest = (values[end], weights[end]);
            }
        }
        Span { ends, values, slopes, lower, best, divisions }
    }
}

impl Span {
    /// Returns where to divide the span, from 0 to 1.
    fn where_to_divide(&self) -> f64 {
        let ([first, last], [falling, rising]) = (self.values, self.slopes);
        let share = match self.divisions % 8 {
            7 => 0.5,
            turn if (turn % 2 == 1 || turn >= SMOOTH) && falling < 0.0 && rising > 0.0 => {
                // The cubic's minimum (Nocedal and Wright 2006, "Numerical Optimization", 3.59).
                let first_part = falling + rising - 3.0 * (last - first);
                let root = (first_part * first_part - falling * rising).sqrt();
                1.0 - (rising + root - first_part) / (rising - falling + 2.0 * root)
            }
            _ => self.best,
        };
        if share > CLOSEST && share < 1.0 - CLOSEST { share } else { share.clamp(0.125, 0.875) }
    }
}

/// Returns the point of a segment with this weight of the second end.
fn point(ends: &[Point; 2], at: f64) -> Point {
    if at == 1.0 { ends[1] } else { Point::from(ends[0].coords.lerp(&ends[1].coords, at)) }
}

/// Returns the least value of the highest of several lines, given by their values at both ends, and where it is attained.
fn least_of_the_highest(lines: &[[f64; 2]]) -> Option<(f64, f64)> {
    let at = |line: &[f64; 2], t: f64| (1.0 - t) * line[0] + t * line[1];
    let highest = |t: f64| lines.iter().copied().reduce(|a, b| if at(&b, t) > at(&a, t) { b } else { a });
    let (mut falling, mut rising) = (highest(0.0)?, highest(1.0)?);
    if falling[1] >= falling[0] {
        return Some((falling[0], 0.0));
    }
    if rising[0] >= rising[1] {
        return Some((rising[1], 1.0));
    }
    let mut least = (f64::NEG_INFINITY, 0.5);
    for _ in 0..lines.len() {
        let (before, after) = (falling[0] - rising[0], rising[1] - falling[1]);
        let meet = before / (before + after);
        if !(meet > 0.0 && meet < 1.0) {
            break;
        }
        let level = at(&falling, meet).min(at(&rising, meet));
        if level <= least.0 {
            break;
        }
        // Two lines alone bound the values.
        least = (level, meet);
        let next = highest(meet)?;
        if at(&next, meet) <= level {
            break;
        }
        if next[1] < next[0] { falling = next } else { rising = next }
    }
    if least.0 > f64::NEG_INFINITY {
        return Some(least);
    }
    let floors = lines.iter().map(|line| if line[1] < line[0] { (line[1], 1.0) } else { (line[0], 0.0) });
    floors.reduce(|a, b| if b.0 > a.0 { b } else { a })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::{Intersection, Offset, SmoothUnion, Union};
    use crate::{Capsule, Cone, Convex, Cylinder, Ellipsoid, ImplicitBody, OrientedBox, Pose, Sphere};
    use palpate_math::Vector;
    use std::sync::Arc;

    type Part = Arc<dyn ImplicitFunction>;

    struct Random(u64);

    impl Random {
        fn next(&mut self, reach: f64) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            reach * ((self.0 >> 40) as f64 / f64::from(1 << 23) - 1.0)
        }

        fn vector(&mut self, reach: f64) -> Vector {
            Vector::from_fn(|_, _| self.next(reach))
        }

        fn size(&mut self) -> f64 {
            0.2 + self.next(0.15)
        }

        /// A convex body, all lengths times `scale`.
        fn solid(&mut self, kind: usize, scale: f64) -> Part {
            let pose = Pose::new(self.vector(0.4) * scale, self.vector(2.0));
            let [a, b, c] = [self.size() * scale, self.size() * scale, self.size() * scale];
            match kind % 7 {
                0 => Arc::new(Sphere::new(Point::from(pose.translation.vector), a).unwrap()),
                1 => Arc::new(Capsule::new(pose, 0.5 * a, 2.0 * b).unwrap()),
                2 => Arc::new(OrientedBox::new(pose, Vector::new(a, b, c)).unwrap()),
                3 => Arc::new(Cylinder::new(pose, a, 2.0 * b).unwrap()),
                4 => Arc::new(Ellipsoid::new(pose, Vector::new(a, b, c)).unwrap()),
                5 => Arc::new(Cone::new(pose, a, 2.0 * b).unwrap()),
                _ => {
                    let points: Vec<Point> =
                        (0..12).map(|_| Point::from(self.vector(1.0).normalize() * (1.5 * a))).collect();
                    Arc::new(Convex::new(pose, &points).unwrap())
                }
            }
        }

        fn body(&mut self, kind: usize, scale: f64) -> Part {
            let first = self.solid(kind / 10, scale);
            let second = self.solid(kind / 70 + 1, scale);
            let third = self.solid(kind / 30, scale);
            let radius = self.size() * scale;
            let both = |a: Part, b: Part| vec![a, b];
            match kind % 10 {
                0 => first,
                1 => Arc::new(Intersection::difference(both(first, second)).unwrap()),
                2 => Arc::new(Intersection::difference(vec![first, second, third]).unwrap()),
                3 => Arc::new(Intersection::new(both(first, second)).unwrap()),
                4 => Arc::new(SmoothUnion::new(both(first, second), radius).unwrap()),
                5 => Arc::new(SmoothUnion::new(vec![first, second, third], radius).unwrap()),
                6 => Arc::new(Offset::new(first, 0.2 * radius).unwrap()),
                7 => {
                    let union = Arc::new(Union::new(both(second, third)).unwrap());
                    Arc::new(Intersection::difference(both(first, union)).unwrap())
                }
                8 => {
                    let blend = Arc::new(SmoothUnion::new(both(first, second), radius).unwrap());
                    Arc::new(Intersection::new(both(blend, third)).unwrap())
                }
                _ => {
                    let hollow = Arc::new(Offset::new(first.clone(), -0.3 * radius).unwrap());
                    let shell = Arc::new(Intersection::difference(both(first, hollow)).unwrap());
                    let pose = Pose::new(self.vector(0.3) * scale, self.vector(2.0));
                    Arc::new(ImplicitBody::new(pose, shell).unwrap().with_scale(1.5).unwrap())
                }
            }
        }
    }

    fn least(body: &Part, ends: &[Point; 2], cutoff: f64, gap: f64) -> Option<Option<Minimum>> {
        along_segment(body.as_ref(), ends, cutoff, gap, &mut SegmentJets::default())
    }

    /// Against samples all along the segment, and ever closer ones on both sides of the place found.
    #[test]
    fn no_sample_is_below_the_bound() {
        let mut random = Random(5);
        let (mut inside, mut at_ends, mut given_up) = (0, 0, [0; 10]);
        for case in 0..4200 {
            let body = random.body(case, 1.0);
            let reach = [0.05, 0.4, 2.0][case / 10 % 3];
            let middle = Point::from(random.vector(0.6));
            let ends = [middle + random.vector(reach), middle + random.vector(reach)];
            let gap = 1e-12 * (ends[1] - ends[0]).norm() + 1e-15;
            let Some(found) = least(&body, &ends, f64::INFINITY, gap) else {
                given_up[case % 10] += 1;
                continue;
            };
            let found = found.unwrap();
            let at = found.weights[1];
            assert!(found.lower <= found.sample.value, "{case}: {found:?}");
            assert!(found.sample.value - found.lower <= 1.3 * gap, "{case}: {found:?}");
            let lowest = |t: f64| {
                let value = body.sample(&Point::from(ends[0].coords.lerp(&ends[1].coords, t))).value;
                assert!(value >= found.lower - 1e-15, "{case}: {value} at {t} is below {found:?}");
            };
            (0..=400).for_each(|step| lowest(f64::from(step) / 400.0));
            let mut away = 0.25;
            while away > 1e-9 {
                [at - away, at + away].into_iter().filter(|t| (0.0..=1.0).contains(t)).for_each(lowest);
                away *= 0.5;
            }
            if at > 0.0 && at < 1.0 { inside += 1 } else { at_ends += 1 }
        }
        assert!(inside > 1500 && at_ends > 800, "{inside} {at_ends}");
        assert!(given_up.iter().sum::<i32>() < 42, "{given_up:?}");
    }

    /// The same bits, all lengths multiplied by a power of two.
    #[test]
    fn the_scale_changes_nothing() {
        for case in 0..300 {
            let ends_at =
                |random: &mut Random, scale: f64| [0, 1].map(|_| Point::from(random.vector(1.0) * scale));
            let at = |scale: f64| {
                let mut random = Random(case as u64);
                let body = random.body(case, scale);
                let ends = ends_at(&mut random, scale);
                least(&body, &ends, f64::INFINITY, 1e-12 * scale).flatten().map(|found| {
                    (found.weights, found.sample.value / scale, found.lower / scale, found.point / scale)
                })
            };
            let wanted = at(1.0);
            assert!(wanted.is_some(), "{case}");
            for exponent in [-30, -3, 30] {
                assert_eq!(at(libm::ldexp(1.0, exponent)), wanted, "{case}, 2^{exponent}");
            }
        }
    }

    /// Lines in random position, and several through one point: against the values where any two of them meet.
    #[test]
    fn the_highest_of_lines_is_least_where_two_meet() {
        let mut random = Random(9);
        let mut inside = 0;
        for case in 0..2000 {
            let count = 1 + case % 7;
            let lines: Vec<[f64; 2]> = (0..count).map(|_| [random.next(1.0), random.next(1.0)]).collect();
            let highest = |t: f64| {
                lines.iter().map(|line| line[0] + t * (line[1] - line[0])).fold(f64::NEG_INFINITY, f64::max)
            };
            let meet = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]) / ((a[0] - b[0]) - (a[1] - b[1]));
            let pairs = lines.iter().flat_map(|a| lines.iter().map(move |b| meet(a, b)));
            let places = pairs.filter(|t| *t > 0.0 && *t < 1.0).chain([0.0, 1.0]);
            let wanted = places.map(highest).fold(f64::INFINITY, f64::min);
            let (level, at) = least_of_the_highest(&lines).unwrap();
            assert!(
                (level - wanted).abs() < 1e-14 && highest(at) <= level + 1e-14,
                "{case}: {level} {wanted}"
            );
            inside += usize::from(at > 0.0 && at < 1.0);
        }
        assert!(inside > 500, "{inside}");
    }
}
