//! Closest points of two segments.
//!
//! The minimum is either interior to both, from the common perpendicular of the two lines (D. H. Eberly, "Robust
//! Computation of Distance Between Line Segments", 2018, section 2), or at one of the four ends, by [`point_segment`].
//! The common perpendicular is computed from cross products: the usual difference of products (Ericson 2005, section
//! 5.1.9) loses twice as many digits as the segments become parallel.

use crate::nearest::{PointSegment, SegmentFeature, point_segment};
use crate::{Point, Vector, rounding};

/// The result of [`segment_segment`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentSegment {
    /// The weight of `a1` on the first segment, 0 to 1.
    pub s: f64,
    /// The weight of `b1` on the second segment, 0 to 1.
    pub t: f64,
    /// The closest point of the first segment.
    pub point_a: Point,
    /// The closest point of the second segment.
    pub point_b: Point,
    /// The feature of the first segment on which it lies.
    pub feature_a: SegmentFeature,
    /// The feature of the second segment on which it lies.
    pub feature_b: SegmentFeature,
    /// The squared distance between the two points.
    pub distance_squared: f64,
}

/// Above this squared sine of their angle, lines are far enough from parallel that an interior minimum needs no check.
const WELL_CROSSED: f64 = 1.0 / 65536.0;

/// Returns the closest points of the segments `a0 a1` and `b0 b1`.
///
/// Overlapping segments that are parallel, up to the [rounding error](rounding::length) of their coordinates, have a
/// whole interval of closest points: returns its middle. Ties between ends go to the first of `a0`, `a1`, `b0`, `b1`,
/// after an interior minimum. A degenerate segment is its start. The distance is accurate up to rounding error however
/// close to parallel the segments are; the points are as uncertain as the distance leaves them.
#[inline]
pub fn segment_segment(a0: &Point, a1: &Point, b0: &Point, b1: &Point) -> SegmentSegment {
    let (along_a, along_b) = (a1 - a0, b1 - b0);
    let across = along_a.cross(&along_b);
    let across_squared = across.norm_squared();
    let places = crossing_places(a0, &along_a, b0, &along_b, &across);
    let inside = places.map(|place| place > 0.0 && place < across_squared);
    let lengths_squared = [along_a.norm_squared(), along_b.norm_squared()];
    let well_crossed = across_squared > WELL_CROSSED * (lengths_squared[0] * lengths_squared[1]);
    if well_crossed && inside == [true; 2] {
        return crossing([a0, b0], [&along_a, &along_b], places.map(|place| place / across_squared));
    }
    let ends = [a0, a1, b0, b1];
    if parallel(ends, lengths_squared, across_squared)
        && let Some(found) = middle_of_overlap(a0, a1, b0, b1, &along_a)
    {
        return found;
    }
    if well_crossed {
        return from_the_nearer_side(ends, inside, places);
    }
    let from_ends = closest_from_ends(ends);
    if inside != [true; 2] {
        return from_ends;
    }
    // The errors of the feet along nearly parallel lines are large, and differ: one of them places the other.
    let found = near_place([a0, a1], [b0, b1], places[0] / across_squared);
    if found.distance_squared <= from_ends.distance_squared { found } else { from_ends }
}

/// Whether two segments are parallel within the rounding error of their coordinates, which rotates each by its size
/// over the length. `across_squared` is the square of their cross product.
#[inline]
pub(super) fn parallel(ends: [&Point; 4], lengths_squared: [f64; 2], across_squared: f64) -> bool {
    let undecided = rounding::length(rounding::largest_coordinate(ends));
    // The square of a sum is at most twice the sum of the squares, which needs no roots.
    if across_squared > 3.0 * undecided * undecided * (lengths_squared[0] + lengths_squared[1]) {
        return false;
    }
    let turned = undecided * (lengths_squared[0].sqrt() + lengths_squared[1].sqrt());
    across_squared <= turned * turned
}

/// Returns the parameters of the common perpendicular's feet on the two lines, times the square of their cross product.
#[inline]
fn crossing_places(a0: &Point, along_a: &Vector, b0: &Point, along_b: &Vector, across: &Vector) -> [f64; 2] {
    let between = b0 - a0;
    [between.cross(along_b).dot(across), between.cross(along_a).dot(across)]
}

/// Returns the feet of the common perpendicular of the two lines.
#[inline]
fn crossing([a0, b0]: [&Point; 2], [along_a, along_b]: [&Vector; 2], [s, t]: [f64; 2]) -> SegmentSegment {
    let (point_a, point_b) = (a0 + along_a * s, b0 + along_b * t);
    SegmentSegment {
        s,
        t,
        point_a,
        point_b,
        feature_a: SegmentFeature::at(s),
        feature_b: SegmentFeature::at(t),
        distance_squared: (point_a - point_b).norm_squared(),
    }
}

/// Returns the closest pair of two segments far from parallel, with at least one point an end: from the end closer to
/// the foot, and from there to the end of the other where that is left (Ericson 2005, section 5.1.9).
#[inline]
fn from_the_nearer_side(
    [a0, a1, b0, b1]: [&Point; 4],
    [inside_a, _]: [bool; 2],
    [place_a, place_b]: [f64; 2],
) -> SegmentSegment {
    let mut end_of_b = end([b0, b1], place_b > 0.0);
    if !inside_a {
        let found = from_end_of_a(end([a0, a1], place_a > 0.0), [b0, b1]);
        if found.feature_b == SegmentFeature::Interior {
            return found;
        }
        end_of_b = end([b0, b1], found.feature_b == SegmentFeature::End);
    }
    from_end_of_b(end_of_b, [a0, a1])
}

/// Returns the middle of the part of the first segment that overlaps the second, and the point opposite; `None` if
/// there is no such part, or the first is degenerate.
#[inline(never)]
fn middle_of_overlap(
    a0: &Point,
    a1: &Point,
    b0: &Point,
    b1: &Point,
    along_a: &Vector,
) -> Option<SegmentSegment> {
    let length_squared = along_a.norm_squared();
    let (from, to) = ((b0 - a0).dot(along_a), (b1 - a0).dot(along_a));
    let first = from.min(to).max(0.0);
    let last = from.max(to).min(length_squared);
    if length_squared == 0.0 || first > last {
        return None;
    }
    // Snaps to the ends of the segments themselves where the overlap is one point.
    Some(near_place([a0, a1], [b0, b1], (first + last) / (2.0 * length_squared)))
}

/// Returns the point of the second segment closest to a place on the first, and the point of the first closest to that.
#[inline(never)]
fn near_place([a0, a1]: [&Point; 2], [b0, b1]: [&Point; 2], s: f64) -> SegmentSegment {
    let on_a = a0 + (a1 - a0) * s;
    let on_b = point_segment(&on_a, b0, b1);
    let on_a = point_segment(&on_b.point, a0, a1);
    SegmentSegment {
        s: on_a.t,
        t: on_b.t,
        point_a: on_a.point,
        point_b: on_b.point,
        feature_a: on_a.feature,
        feature_b: on_b.feature,
        distance_squared: on_a.distance_squared,
    }
}

/// An end of a segment, with its weight and its feature.
type End<'p> = (&'p Point, f64, SegmentFeature);

#[inline]
fn end([start, end]: [&Point; 2], last: bool) -> End<'_> {
    if last { (end, 1.0, SegmentFeature::End) } else { (start, 0.0, SegmentFeature::Start) }
}

#[inline]
fn from_end_of_a((end, s, feature_a): End<'_>, [b0, b1]: [&Point; 2]) -> SegmentSegment {
    let PointSegment { t, point, feature: feature_b, distance_squared } = point_segment(end, b0, b1);
    SegmentSegment { s, t, point_a: *end, point_b: point, feature_a, feature_b, distance_squared }
}

#[inline]
fn from_end_of_b((end, t, feature_b): End<'_>, [a0, a1]: [&Point; 2]) -> SegmentSegment {
    let PointSegment { t: s, point, feature: feature_a, distance_squared } = point_segment(end, a0, a1);
    SegmentSegment { s, t, point_a: point, point_b: *end, feature_a, feature_b, distance_squared }
}

/// Returns the closest pair that includes an end of a segment; ties go to the first in the order `a0`, `a1`, `b0`,
/// `b1`.
fn closest_from_ends([a0, a1, b0, b1]: [&Point; 4]) -> SegmentSegment {
    let (a, b) = ([a0, a1], [b0, b1]);
    let mut best = from_end_of_a(end(a, false), b);
    for candidate in
        [from_end_of_a(end(a, true), b), from_end_of_b(end(b, false), a), from_end_of_b(end(b, true), a)]
    {
        if candidate.distance_squared < best.distance_squared {
            best = candidate;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, scaled};
    use SegmentFeature::{End, Interior, Start};

    fn at(a: [[f64; 3]; 2], b: [[f64; 3]; 2]) -> SegmentSegment {
        let ([a0, a1], [b0, b1]) = (a.map(Point::from), b.map(Point::from));
        let found = segment_segment(&a0, &a1, &b0, &b1);
        assert_eq!(found.feature_a, SegmentFeature::at(found.s));
        assert_eq!(found.feature_b, SegmentFeature::at(found.t));
        found
    }

    fn weights_and_distance(found: SegmentSegment) -> (f64, f64, f64) {
        (found.s, found.t, found.distance_squared)
    }

    const ALONG_X: [[f64; 3]; 2] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0]];

    #[test]
    fn crossing_inside_both() {
        let found = at(ALONG_X, [[1.0, -1.0, 2.0], [1.0, 3.0, 2.0]]);
        assert_eq!(weights_and_distance(found), (0.25, 0.25, 4.0));
        assert_eq!((found.point_a, found.point_b), (Point::new(1.0, 0.0, 0.0), Point::new(1.0, 0.0, 2.0)));
        let through = at(ALONG_X, [[1.0, -1.0, 0.0], [1.0, 3.0, 0.0]]);
        assert_eq!(weights_and_distance(through), (0.25, 0.25, 0.0));
    }

    /// The distance of a place on one segment from the other is convex: its minimum by halving needs no cross product.
    #[test]
    fn the_distance_of_nearly_parallel_segments_is_exact_up_to_rounding() {
        let mut sample = Sample::new(44);
        let mut inside = 0;
        for round in 0..12_000 {
            let (along, middle) = (sample.vector(), sample.point());
            let aside = along.cross(&sample.vector()) * 10.0_f64.powi(-(round % 13));
            let gap = along.cross(&aside).normalize() * 1e-9 * sample.fraction();
            let [a0, a1] = [middle - along, middle + along];
            let [b0, b1] = [-0.9, 0.8].map(|t| middle + along * t + aside * t + gap);
            let far = |s: f64| point_segment(&(a0 + (a1 - a0) * s), &b0, &b1).distance_squared.sqrt();
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..120 {
                let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                if far(left) < far(right) { high = right } else { low = left }
            }
            let found = segment_segment(&a0, &a1, &b0, &b1);
            let error = rounding::length(rounding::largest_coordinate([&a0, &a1, &b0, &b1]));
            let least = far(0.5 * (low + high));
            assert!((found.distance_squared.sqrt() - least).abs() <= error, "{round}: {found:?} {least}");
            inside += usize::from(found.feature_a == Interior && found.feature_b == Interior);
        }
        assert!(inside > 8_000, "{inside}");
    }

    /// The distance is from arithmetic of 256 bits; four times as much was returned.
    #[test]
    fn two_threads_side_by_side() {
        let a0 = Point::new(-0.522690198824956, -0.861811753999709, -0.695888865222271);
        let a1 = Point::new(0.33080644743290616, 0.545433768104843, 0.4404224985083166);
        let b0 = Point::new(-0.4267483274238027, -0.7036227576984116, -0.5681556827929024);
        let b1 = Point::new(0.42674832618944486, 0.7036227571828967, 0.5681556843584736);
        let found = segment_segment(&a0, &a1, &b0, &b1).distance_squared.sqrt();
        assert!((found - 1.0296e-9).abs() <= 1e-13 + rounding::length(1.0), "{found}");
    }

    #[test]
    fn ends_against_the_inside_and_against_ends() {
        let found = at(ALONG_X, [[1.0, 3.0, 0.0], [1.0, 9.0, 1.0]]);
        assert_eq!((found.feature_a, found.feature_b, found.distance_squared), (Interior, Start, 9.0));
        let found = at([[1.0, 9.0, 0.0], [1.0, 3.0, 0.0]], ALONG_X);
        assert_eq!((found.feature_a, found.feature_b, found.distance_squared), (End, Interior, 9.0));
        let found = at(ALONG_X, [[7.0, 9.0, 0.0], [7.0, 4.0, 0.0]]);
        assert_eq!((found.feature_a, found.feature_b, found.distance_squared), (End, End, 25.0));
        let found = at(ALONG_X, [[-3.0, 4.0, 0.0], [-3.0, 9.0, 9.0]]);
        assert_eq!((found.feature_a, found.feature_b, found.distance_squared), (Start, Start, 25.0));
    }

    #[test]
    fn parallel_ones_answer_with_the_middle_of_their_overlap() {
        assert_eq!(
            weights_and_distance(at(ALONG_X, [[2.0, 3.0, 0.0], [10.0, 3.0, 0.0]])),
            (0.75, 0.125, 9.0)
        );
        assert_eq!(
            weights_and_distance(at(ALONG_X, [[10.0, 3.0, 0.0], [2.0, 3.0, 0.0]])),
            (0.75, 0.875, 9.0)
        );
        assert_eq!(weights_and_distance(at(ALONG_X, [[1.0, 3.0, 0.0], [2.0, 3.0, 0.0]])), (0.375, 0.5, 9.0));
        // Collinear, overlapping and end to end.
        assert_eq!(
            weights_and_distance(at(ALONG_X, [[2.0, 0.0, 0.0], [10.0, 0.0, 0.0]])),
            (0.75, 0.125, 0.0)
        );
        assert_eq!(weights_and_distance(at(ALONG_X, [[4.0, 0.0, 0.0], [8.0, 0.0, 0.0]])), (1.0, 0.0, 0.0));
        // Not overlapping: the ends, whose closest points are unique.
        assert_eq!(weights_and_distance(at(ALONG_X, [[7.0, 4.0, 0.0], [9.0, 4.0, 0.0]])), (1.0, 0.0, 25.0));
        assert_eq!(weights_and_distance(at(ALONG_X, [[-9.0, 4.0, 0.0], [-3.0, 4.0, 0.0]])), (0.0, 1.0, 25.0));
    }

    #[test]
    fn segments_of_no_length_are_their_start() {
        let point = [[1.0, 3.0, 0.0]; 2];
        assert_eq!(weights_and_distance(at(ALONG_X, point)), (0.25, 0.0, 9.0));
        assert_eq!(weights_and_distance(at(point, ALONG_X)), (0.0, 0.25, 9.0));
        assert_eq!(weights_and_distance(at(point, [[1.0, 0.0, 4.0]; 2])), (0.0, 0.0, 25.0));
        assert_eq!(weights_and_distance(at(point, point)), (0.0, 0.0, 0.0));
    }

    /// Rotated out of parallel by less than the coordinates resolve, and moved: still the middle.
    #[test]
    fn parallel_survives_rotation() {
        let mut sample = Sample::new(16);
        for _ in 0..500 {
            let along = sample.vector();
            let beside = along.cross(&sample.vector());
            let shift = sample.vector();
            let a = [0.0, 1.0].map(|s| Point::from(shift + along * s));
            let b = [1.75, 0.25].map(|s| Point::from(shift + beside + along * s));
            let found = segment_segment(&a[0], &a[1], &b[0], &b[1]);
            let tolerance = 1e-14 / along.norm().min(1.0);
            assert!((found.s - 0.625).abs() <= tolerance && (found.t - 0.75).abs() <= tolerance, "{found:?}");
        }
    }

    /// The two ends tried where segments are far from parallel are the right ones of the four.
    #[test]
    fn the_nearer_side_is_the_nearest() {
        let mut sample = Sample::new(19);
        let mut looked = 0;
        for _ in 0..20_000 {
            let [a0, a1, b0, b1] = [(); 4].map(|()| sample.point());
            let found = segment_segment(&a0, &a1, &b0, &b1);
            if found.feature_a == Interior && found.feature_b == Interior {
                continue;
            }
            let of_all = closest_from_ends([&a0, &a1, &b0, &b1]);
            let (near, nearest) = (found.distance_squared.sqrt(), of_all.distance_squared.sqrt());
            assert!(near <= nearest + 1e-15, "{near} {nearest}");
            assert!((found.point_a - of_all.point_a).norm() <= 1e-9, "{found:?} {of_all:?}");
            looked += 1;
        }
        assert!(looked > 10_000, "{looked}");
    }

    /// Compares with the minimum over all four sides of the parameter square and a descent within it, at every angle
    /// from crossed to parallel: the distance is accurate up to rounding error.
    #[test]
    fn no_descent_finds_closer_points() {
        let mut sample = Sample::new(17);
        let mut hits = [0; 3];
        for round in 0..4000 {
            let [a0, a1, b0] = [sample.point(), sample.point(), sample.point()];
            let angle = 10.0_f64.powi(-(round % 19));
            let b1 = b0 + (a1 - a0) * (2.0 * sample.number()) + sample.vector() * angle;
            let found = segment_segment(&a0, &a1, &b0, &b1);
            let mut best = f64::INFINITY;
            for start in 0..=20 {
                // Alternating projections: each step comes closer, from any start, to the minimum of a convex function.
                let mut on_a = a0 + (a1 - a0) * (f64::from(start) / 20.0);
                for _ in 0..20 {
                    let on_b = point_segment(&on_a, &b0, &b1);
                    best = best.min(on_b.distance_squared);
                    on_a = point_segment(&on_b.point, &a0, &a1).point;
                }
            }
            let distance = found.distance_squared.sqrt();
            assert!(distance <= best.sqrt() + 8e-15, "{distance} against {} at angle {angle:e}", best.sqrt());
            assert!((a0 + (a1 - a0) * found.s - found.point_a).norm() <= 1e-15);
            assert!((b0 + (b1 - b0) * found.t - found.point_b).norm() <= 2e-15);
            assert!((distance - (found.point_a - found.point_b).norm()).abs() <= 1e-15);
            hits[usize::from(found.feature_a == Interior) + usize::from(found.feature_b == Interior)] += 1;
        }
        assert!(hits.iter().all(|&hit| hit > 300), "none, one, both in the interior: {hits:?}");
    }

    #[test]
    fn exchanging_the_segments_exchanges_the_points_and_scale_changes_no_bit() {
        let mut sample = Sample::new(18);
        for round in 0..2000 {
            // Every other pair on a small grid, with many that are parallel, touch or are degenerate.
            let [a0, a1, b0, b1] =
                [(); 4].map(|()| if round % 2 == 0 { sample.point() } else { sample.grid_point(2) });
            let found = segment_segment(&a0, &a1, &b0, &b1);
            let back = segment_segment(&b0, &b1, &a0, &a1);
            assert!((found.distance_squared.sqrt() - back.distance_squared.sqrt()).abs() <= 1e-14);
            if round % 2 == 0 {
                assert!((found.point_a - back.point_b).norm() <= 1e-13);
            }
            for power in [-30, 30] {
                let [a0, a1, b0, b1] = [a0, a1, b0, b1].map(|p| scaled(&p, power));
                let big = segment_segment(&a0, &a1, &b0, &b1);
                assert_eq!(
                    (big.point_a, big.point_b),
                    (scaled(&found.point_a, power), scaled(&found.point_b, power))
                );
                assert_eq!((big.s, big.t, big.feature_a), (found.s, found.t, found.feature_a));
                assert_eq!(big.distance_squared, found.distance_squared * 4.0_f64.powi(power));
            }
        }
    }
}
