//! The deepest point of a segment inside a closed surface.
//!
//! The depth of a point x is the distance to the nearest triangle, so it is at most the distance to any triangle T,
//! which is a convex function along a segment. On an interval the chords of two such functions bound the depth from
//! above by a concave piecewise linear function; the search samples at the highest peak of these bounds, and stops
//! when no bound exceeds the best sample by more than rounding error (a cutting-plane search, Piyavskii 1972, with
//! chords in place of Lipschitz cones, which are kept as a second bound).
//!
//! The deepest point is usually equidistant from two elements, and rounding error alone would choose between them: of
//! all elements that are equally near within the gap of the search, the one of the first triangle, by rank, is the exit.

use crate::mesh::ClearBalls;
use crate::mesh::vertex_surface::is_divided_by;
use crate::room::{self, make_room};
use crate::segment::line_samples::{Line, Sample};
use palpate_geometry::{SignedDistance, SurfaceMesh, SurfaceNearest};
use palpate_math::Point;

/// The maximum number of samples: chords converge quadratically, and a dozen is typical.
const MOST_SAMPLES: usize = 400;

/// More samples than most searches take.
const MANY_SAMPLES: usize = 64;

/// The deepest point found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deepest {
    /// The parameter along the segment: the weight of its end.
    pub(crate) t: f64,
    /// The point.
    pub(crate) point: Point,
    /// The signed distance of the point, negative inside.
    pub(crate) signed: SignedDistance,
    /// The closest point on the surface.
    pub(crate) nearest: SurfaceNearest,
    /// No inside point of the segment is deeper than this.
    pub(crate) upper: f64,
    /// Whether the bound converged to the sample.
    pub(crate) converged: bool,
}

/// What the segments of a thread leave to the next one, so that their common vertex is searched once. Only for one
/// surface, as long as it does not move.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    /// At the end of the last segment.
    last: Option<Sample>,
    clear: ClearBalls,
}

/// An end of a segment.
enum End {
    Inside(Sample),
    Outside,
    /// Within rounding error of the surface.
    Undecided,
}

#[derive(Clone, Copy, Debug)]
struct Interval {
    start: Sample,
    end: Sample,
    /// No inside point of the interval is deeper than this.
    upper: f64,
    /// The parameter where the bound is attained.
    peak: f64,
}

/// An interval between two crossings that is inside.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// The part of the surface through which its midpoint exits.
    part: u32,
    /// Its start, midpoint and end.
    samples: [Sample; 3],
}

/// The search and its reusable memory.
#[derive(Debug, Default)]
pub(crate) struct DeepestSearch {
    intervals: Vec<Interval>,
    breaks: Vec<f64>,
    stretches: Vec<Stretch>,
    /// Triangles and their distances.
    asked: Vec<(u32, f64)>,
}

impl DeepestSearch {
    /// Gives the lists their first room.
    pub(crate) fn open(&mut self) {
        self.intervals.clear();
        make_room(&mut self.intervals, MANY_SAMPLES);
        room::open(&mut self.breaks);
        room::open(&mut self.stretches);
        room::open(&mut self.asked);
    }

    /// Finds the deepest points of the segment from `start` to `end` inside `surface` (prepared, closed): one per
    /// part of the surface through which an inside interval exits, the deepest first. `crossings` are the parameters
    /// where the segment crosses the surface. Leaves `deepest` empty if no interval between them is inside. The result
    /// does not depend on `chain`.
    pub(crate) fn along(
        &mut self,
        surface: &SurfaceMesh,
        [start, end]: [&Point; 2],
        crossings: impl IntoIterator<Item = f64>,
        chain: &mut Chain,
        deepest: &mut Vec<Deepest>,
    ) {
        deepest.clear();
        self.breaks.clear();
        room::extend(&mut self.breaks, [0.0, 1.0].into_iter().chain(crossings));
        self.breaks.sort_unstable_by(f64::total_cmp);
        let line = Line { surface, start, end, length: (end - start).norm(), known_inside: false };
        let is_crossed = self.breaks.len() > 2;
        if !is_crossed && self.is_on_one_side(&line, chain, deepest) {
            return;
        }
        self.stretches.clear();
        for index in 1..self.breaks.len() {
            let (from, to) = (self.breaks[index - 1], self.breaks[index]);
            let samples = [from + (to - from) * 0.5, from, to];
            let Some(middle) = line.sample(samples[0]).filter(|middle| middle.signed.distance < 0.0) else {
                continue;
            };
            let near = |t| line.sample_within(t, line.distance_squared(middle.triangle, &line.point(t)));
            if let (Some(from), Some(to)) = (near(samples[1]), near(samples[2])) {
                let part = surface.adjacency().part_of(middle.triangle);
                room::push(&mut self.stretches, Stretch { part, samples: [from, middle, to] });
            }
        }
        // In the order along the segment within a part; a stable sort of many would touch the heap.
        let along = |stretch: &Stretch| stretch.samples.map(|sample| sample.t);
        self.stretches.sort_unstable_by(|x, y| {
            let ([a, _, b], [c, _, d]) = (along(x), along(y));
            x.part.cmp(&y.part).then(a.total_cmp(&c)).then(b.total_cmp(&d))
        });
        let mut next = 0;
        while next < self.stretches.len() {
            let first = next;
            let part = self.stretches[first].part;
            let mut best: Option<Sample> = None;
            self.intervals.clear();
            while let Some(Stretch { samples, .. }) = self.stretches.get(next).filter(|s| s.part == part) {
                let [from, middle, to] = *samples;
                for sample in [from, middle, to] {
                    keep_deeper(&mut best, sample);
                }
                self.divide(&line, [from, middle, to]);
                next += 1;
            }
            if let Some(found) = best.and_then(|best| self.refine(&line, best, f64::NEG_INFINITY)) {
                // Sorted by signed distance; equal ones stay in the order of their parts.
                let place = deepest.partition_point(|other: &Deepest| {
                    other.signed.distance.total_cmp(&found.signed.distance).is_le()
                });
                make_room(deepest, 1);
                deepest.insert(place, found);
            }
        }
    }

    /// Finds the deepest point of a segment that crosses nothing, if both ends are on the same side; returns whether
    /// they are.
    fn is_on_one_side(&mut self, line: &Line<'_>, chain: &mut Chain, deepest: &mut Vec<Deepest>) -> bool {
        if !is_divided_by(line.surface) {
            return false;
        }
        let ends = [0.0, 1.0].map(|t| self.end(line, t, chain));
        if let [End::Inside(from), End::Inside(to)] = ends {
            self.intervals.clear();
            room::push(&mut self.intervals, line.interval(from, to));
            let best = if depth(&to) > depth(&from) { to } else { from };
            room::extend(deepest, self.refine(line, best, f64::NEG_INFINITY));
        }
        matches!(ends, [End::Inside(_), End::Inside(_)] | [End::Outside, End::Outside])
    }

    /// Finds the side of an end of a segment.
    fn end(&mut self, line: &Line<'_>, t: f64, chain: &mut Chain) -> End {
        let point = line.point(t);
        if chain.clear.hold(&point) {
            return End::Outside;
        }
        let known = chain.last.filter(|last| last.point == point).map(|last| last.at(t));
        let near = chain.last.map(|last| last.triangle);
        let Some(sample) = known.or_else(|| line.sample_with_ties(t, near, &mut self.asked)) else {
            return End::Undecided;
        };
        chain.last = Some(sample);
        chain.clear.add(&point, sample.signed.distance, 0.0);
        match sample.signed.distance {
            distance if distance < 0.0 => End::Inside(sample),
            _ if chain.clear.hold(&point) => End::Outside,
            _ => End::Undecided,
        }
    }

    /// Returns the deepest point between `from` and `to`, an interval known to be inside.
    pub(crate) fn between(
        &mut self,
        surface: &SurfaceMesh,
        segment: [&Point; 2],
        from: f64,
        to: f64,
    ) -> Option<Deepest> {
        self.within(surface, segment, [from, to], ([None; 2], f64::NEG_INFINITY), true)
    }

    /// Returns the deepest point of an inside interval, if it may be deeper than `least`; the surface's normals decide what is
    /// inside unless `known_inside`. `nearest` are the triangles nearest to its ends, where they are known.
    pub(crate) fn within(
        &mut self,
        surface: &SurfaceMesh,
        segment: [&Point; 2],
        ends: [f64; 2],
        (nearest, least): ([Option<u32>; 2], f64),
        known_inside: bool,
    ) -> Option<Deepest> {
        let [start, end] = segment;
        let line = Line { surface, start, end, length: (end - start).norm(), known_inside };
        let sample = |k: usize| match nearest[k] {
            Some(triangle) => Some(line.sample_on(ends[k], triangle)),
            None => line.sample(ends[k]),
        };
        let (from, to) = (sample(0)?, sample(1)?);
        let mut best = None;
        keep_deeper(&mut best, from);
        keep_deeper(&mut best, to);
        self.intervals.clear();
        room::push(&mut self.intervals, line.interval(from, to));
        self.refine(&line, best?, least)
    }

    /// `None` once nothing is deeper than `least`.
    fn refine(&mut self, line: &Line<'_>, mut best: Sample, least: f64) -> Option<Deepest> {
        let mut samples = 0;
        loop {
            let gap = line.gap(depth(&best));
            let highest = self.highest();
            let upper = highest.map_or(depth(&best), |index| self.intervals[index].upper.max(depth(&best)));
            if upper <= least {
                return None;
            }
            let converged = upper <= depth(&best) + gap;
            let Some(index) = highest.filter(|_| !converged && samples < MOST_SAMPLES) else {
                let Sample { t, point, signed, nearest, .. } = line.settled(best);
                let upper = upper.max(-signed.distance);
                return Some(Deepest { t, point, signed, nearest, upper, converged });
            };
            let Interval { start, end, peak, .. } = self.intervals.swap_remove(index);
            let sample = line.sample_between(&start, &end, inner(start.t, end.t, peak))?;
            samples += 1;
            if depth(&sample) > depth(&best) || (depth(&sample) == depth(&best) && sample.t < best.t) {
                best = sample;
            }
            if start.t < sample.t && sample.t < end.t {
                self.divide(line, [start, sample, end]);
            }
        }
    }

    /// Adds the two intervals between three samples.
    fn divide(&mut self, line: &Line<'_>, [start, middle, end]: [Sample; 3]) {
        room::extend(&mut self.intervals, [line.interval(start, middle), line.interval(middle, end)]);
    }

    /// Returns the interval with the highest bound; ties go to the first along the segment.
    fn highest(&self) -> Option<usize> {
        let rank = |interval: &Interval| (interval.upper, -interval.start.t);
        (0..self.intervals.len()).reduce(|best, other| {
            if rank(&self.intervals[other]) > rank(&self.intervals[best]) { other } else { best }
        })
    }
}

impl Line<'_> {
    fn interval(&self, start: Sample, end: Sample) -> Interval {
        // Chords over the interval's parameter u in [0, 1]: of the distance to the start's triangle, and to the
        // end's.
        let first = [start.signed.distance.abs(), self.distance(start.triangle, &end.point)];
        let second = [self.distance(end.triangle, &start.point), end.signed.distance.abs()];
        let (chord, peak) = peak_of_lower_line(first, second);
        // Depth is 1-Lipschitz along the segment.
        let way = (end.t - start.t) * self.length;
        let cone = 0.5 * (depth(&start) + depth(&end) + way);
        Interval { start, end, upper: chord.min(cone), peak: start.t + (end.t - start.t) * peak }
    }
}

fn depth(sample: &Sample) -> f64 {
    -sample.signed.distance
}

fn keep_deeper(best: &mut Option<Sample>, sample: Sample) {
    let deeper = best.is_none_or(|best| depth(&sample) > depth(&best));
    if deeper {
        *best = Some(sample);
    }
}

/// Returns the maximum of the lower of two lines over [0, 1], and where it is attained.
fn peak_of_lower_line(first: [f64; 2], second: [f64; 2]) -> (f64, f64) {
    let lower = |u: f64| {
        let at = |line: [f64; 2]| line[0] + (line[1] - line[0]) * u;
        at(first).min(at(second))
    };
    let mut peak = (lower(0.0), 0.0);
    let difference = [first[0] - second[0], first[1] - second[1]];
    let crossing = difference[0] / (difference[0] - difference[1]);
    for u in [crossing, 1.0] {
        if (0.0..=1.0).contains(&u) && lower(u) > peak.0 {
            peak = (lower(u), u);
        }
    }
    peak
}

/// Clamps `peak` away from the interval's ends so that both halves shrink.
fn inner(start: f64, end: f64, peak: f64) -> f64 {
    let edge = (end - start) * 0.0625;
    peak.clamp(start + edge, end - edge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::implicit::surface_samples::blocks;
    use palpate_geometry::{Geometry, Needs};
    use palpate_math::intersect;

    /// A box from -half to half.
    fn block(half: [f64; 3]) -> SurfaceMesh {
        blocks(&[[half.map(|x| -x), half]])
    }

    /// The deepest points of a segment, given where it crosses the surface.
    fn along(surface: &SurfaceMesh, ends: &[Point; 2], crossings: &[f64], chain: &mut Chain) -> Vec<Deepest> {
        let mut found = Vec::new();
        let crossings = crossings.iter().copied();
        DeepestSearch::default().along(surface, ends.each_ref(), crossings, chain, &mut found);
        found
    }

    fn deepest(start: [f64; 3], end: [f64; 3], crossings: &[f64]) -> Option<Deepest> {
        let ends = [start, end].map(Point::from);
        along(&block([1.0, 2.0, 4.0]), &ends, crossings, &mut Chain::default()).first().copied()
    }

    /// Along x through the box the depth rises to 1 in the middle and falls again.
    #[test]
    fn a_segment_through_the_box_is_deepest_in_the_middle() {
        let deepest = deepest([-2.0, 0.25, 0.5], [2.0, 0.25, 0.5], &[0.25, 0.75]).unwrap();
        assert!(
            (deepest.signed.distance + 1.0).abs() < 1e-12 && (deepest.t - 0.5).abs() < 1e-12,
            "{deepest:?}"
        );
        assert!(deepest.converged && deepest.upper >= 1.0 && deepest.upper < 1.0 + 1e-11);
    }

    /// Halfway between two faces either is an exit: rounding error must not choose, whatever the segment's direction.
    #[test]
    fn of_equally_near_faces_the_lowest_is_the_way_out() {
        let mut halfway = 0;
        for k in 0..50 {
            let s = f64::from(k) / 50.0;
            let (start, end) = ([-0.7 - 0.1 * s, 0.3, 0.2 + s], [0.9, 0.4 - 0.3 * s, 0.7]);
            let one_way = deepest(start, end, &[]).unwrap();
            let other_way = deepest(end, start, &[]).unwrap();
            assert_eq!(one_way.nearest.feature, other_way.nearest.feature);
            halfway += usize::from(one_way.point.x.abs() < 1e-9);
        }
        assert_eq!(halfway, 50, "all are halfway between the two sides");
    }

    /// One triangle has the wrong winding, so the normals report some of the inside as outside.
    #[test]
    fn a_stretch_known_to_be_inside_is_so_whatever_the_normals_say() {
        let good = block([1.0, 2.0, 4.0]);
        let mut triangles = good.triangles().to_vec();
        triangles[8].swap(0, 1);
        let mut torn = SurfaceMesh::new(good.points().positions().to_vec(), triangles).unwrap();
        torn.prepare(Needs::TREE | Needs::NORMALS);
        let (start, end) = (Point::new(-0.75, 0.25, 3.0), Point::new(-0.25, 0.5, 3.0));
        let search = |surface| DeepestSearch::default().between(surface, [&start, &end], 0.0, 1.0).unwrap();
        assert_eq!(search(&torn).signed.distance, -0.75);
        assert_eq!(search(&torn).signed.distance, search(&good).signed.distance);
    }

    /// Parallel to a face all points are equally deep: the bound is tight at once.
    #[test]
    fn a_segment_inside_parallel_to_the_faces() {
        let deepest = deepest([0.5, -0.5, -1.0], [0.5, -0.5, 1.0], &[]).unwrap();
        assert_eq!((deepest.signed.distance, deepest.t, deepest.upper), (-0.5, 0.0, 0.5));
    }

    #[test]
    fn a_segment_outside_has_no_deepest_point() {
        assert!(deepest([-2.0, 5.0, 0.5], [2.0, 5.0, 0.5], &[]).is_none());
        assert!(
            deepest([1.0, -5.0, 0.0], [1.0, 5.0, 0.0], &[0.3, 0.7]).is_none(),
            "along a face: touching only"
        );
    }

    /// A thread that wanders through two boxes: what one segment leaves to the next changes nothing, and a segment that
    /// crosses nothing is as deep as its two halves.
    #[test]
    fn what_a_segment_leaves_to_the_next_does_not_matter() {
        let surface = crate::pairs::implicit::surface_samples::blocks(&[
            [[-1.0, -2.0, -4.0], [1.0, 2.0, 4.0]],
            [[1.5, -2.0, -4.0], [3.0, 2.0, 4.0]],
        ]);
        let at = |k: u32| {
            let s = f64::from(k) * 0.05;
            Point::new(1.0 + 2.4 * (1.3 * s).sin(), 2.2 * (0.7 * s).cos(), 4.2 * (0.31 * s).sin())
        };
        let mut chain = Chain::default();
        let (mut inside, mut outside, mut crossing, mut later) = (0, 0, 0, 0);
        for k in 0..2000 {
            let ends = [at(k), at(k + 1)];
            let crossings: Vec<f64> = (0..surface.triangles().len() as u32)
                .filter_map(|triangle| {
                    let [a, b, c] = surface.corners(triangle);
                    Some(intersect::segment_triangle(&ends[0], &ends[1], &a, &b, &c)?.t)
                })
                .collect();
            let alone = along(&surface, &ends, &crossings, &mut Chain::default());
            later += usize::from(chain.last.is_some_and(|last| last.point == ends[0]));
            let chained = along(&surface, &ends, &crossings, &mut chain);
            assert_eq!(format!("{chained:?}"), format!("{alone:?}"), "{k}");
            if crossings.is_empty() {
                let halves = along(&surface, &ends, &[0.375], &mut Chain::default());
                assert_eq!((halves.len(), alone.len()), (alone.len(), alone.len().min(1)), "{k}");
                for (whole, of_halves) in alone.iter().zip(&halves) {
                    let (depth, other) = (-whole.signed.distance, -of_halves.signed.distance);
                    assert!((depth - other).abs() < 1e-11 && (whole.upper - depth).abs() < 1e-11, "{k}");
                }
            }
            inside += usize::from(crossings.is_empty() && !alone.is_empty());
            outside += usize::from(alone.is_empty());
            crossing += usize::from(!crossings.is_empty());
        }
        let counts = [inside, outside, crossing, later];
        assert!(counts[0] > 300 && counts[1] > 300 && counts[2] > 50 && counts[3] > 300, "{counts:?}");
    }

    /// Slanted segments against dense sampling.
    #[test]
    fn no_sample_is_deeper_than_the_answer() {
        let surface = block([1.0, 2.0, 4.0]);
        for k in 0..40 {
            let s = f64::from(k) / 40.0;
            let start = Point::new(-0.9 + s, 1.9 - 3.0 * s, -3.9 + s);
            let end = Point::new(0.9 - 0.3 * s, -1.9 + s, 3.9 - 5.0 * s);
            let answer = along(&surface, &[start, end], &[], &mut Chain::default())[0];
            let depth_at = |t: f64| {
                let point = start + (end - start) * t;
                -surface.signed_distance(&point, f64::INFINITY).unwrap().0.distance
            };
            let sampled = (0..=2000).map(|n| depth_at(f64::from(n) / 2000.0)).fold(0.0, f64::max);
            assert!(answer.converged && -answer.signed.distance >= sampled - 1e-12);
            assert!(-answer.signed.distance <= sampled + 4e-3 && answer.upper >= sampled);
        }
    }

    /// Half a unit into the first block, one unit into the second.
    #[test]
    fn of_two_parts_the_deeper_comes_first() {
        let surface = crate::pairs::implicit::surface_samples::blocks(&[
            [[0.0, -4.0, -4.0], [1.0, 4.0, 4.0]],
            [[3.0, -4.0, -4.0], [5.0, 4.0, 4.0]],
        ]);
        let ends = [Point::new(-1.0, 0.0, 0.25), Point::new(7.0, 0.0, 0.25)];
        let crossings = [1.0, 2.0, 4.0, 6.0].map(|x| x / 8.0);
        let found = along(&surface, &ends, &crossings, &mut Chain::default());
        let depths: Vec<f64> = found.iter().map(|deepest| -deepest.signed.distance).collect();
        assert_eq!(depths.len(), 2);
        assert!((depths[0] - 1.0).abs() < 1e-9 && (depths[1] - 0.5).abs() < 1e-9, "{depths:?}");
    }
}
