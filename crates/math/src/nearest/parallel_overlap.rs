//! Overlap of two parallel segments.

use crate::nearest::segment_segment::parallel;
use crate::nearest::{SegmentFeature, point_segment};
use crate::{Point, Vector, rounding};

/// An end of the overlap of two parallel segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverlapEnd {
    /// Which of `a0`, `a1`, `b0`, `b1` it is: 0 to 3.
    pub end: u32,
    /// Its point on the first segment.
    pub point_a: Point,
    /// Its point on the second segment.
    pub point_b: Point,
    /// The feature of the first segment there.
    pub feature_a: SegmentFeature,
    /// The feature of the second segment there.
    pub feature_b: SegmentFeature,
}

/// Returns the two ends of the overlap of the segments `a0 a1` and `b0 b1`, in the order of their numbers; `None` if
/// the segments are not parallel up to the [rounding error](rounding::length) of their coordinates, or the overlap is
/// no more than a point.
#[inline]
pub fn parallel_overlap(a0: &Point, a1: &Point, b0: &Point, b1: &Point) -> Option<[OverlapEnd; 2]> {
    let (along_a, along_b) = (a1 - a0, b1 - b0);
    let (length_squared, across) = (along_a.norm_squared(), along_a.cross(&along_b));
    if !parallel([a0, a1, b0, b1], [length_squared, along_b.norm_squared()], across.norm_squared()) {
        return None;
    }
    overlap([a0, a1, b0, b1], &along_a)
}

/// Computes the ends of the overlap of two parallel segments. Not inlined, so that the test for parallel segments stays
/// small.
#[inline(never)]
fn overlap(ends: [&Point; 4], along_a: &Vector) -> Option<[OverlapEnd; 2]> {
    let [a0, a1, b0, b1] = ends;
    let length_squared = along_a.norm_squared();
    let places = [0.0, length_squared, (b0 - a0).dot(along_a), (b1 - a0).dot(along_a)];
    let (low, high) = if places[2] <= places[3] { (2, 3) } else { (3, 2) };
    let first = if places[low] > 0.0 { low } else { 0 };
    let last = if places[high] < length_squared { high } else { 1 };
    let undecided = rounding::length(rounding::largest_coordinate(ends));
    if places[last] - places[first] <= undecided * length_squared.sqrt() {
        return None;
    }
    let end = |number: usize| {
        let place = ends[number];
        let (on_a, on_b) = (point_segment(place, a0, a1), point_segment(place, b0, b1));
        OverlapEnd {
            end: number as u32,
            point_a: on_a.point,
            point_b: on_b.point,
            feature_a: on_a.feature,
            feature_b: on_b.feature,
        }
    };
    Some([end(first.min(last)), end(first.max(last))])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(a: [[f64; 3]; 2], b: [[f64; 3]; 2]) -> Option<[(u32, f64, f64); 2]> {
        let ([a0, a1], [b0, b1]) = (a.map(Point::from), b.map(Point::from));
        let ends = parallel_overlap(&a0, &a1, &b0, &b1)?;
        Some(ends.map(|end| (end.end, end.point_a.x, end.point_b.x)))
    }

    const ALONG_X: [[f64; 3]; 2] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0]];

    #[test]
    fn the_ends_of_what_lies_beside_one_another() {
        assert_eq!(ends(ALONG_X, [[2.0, 3.0, 0.0], [9.0, 3.0, 0.0]]), Some([(1, 4.0, 4.0), (2, 2.0, 2.0)]));
        assert_eq!(ends(ALONG_X, [[9.0, 3.0, 0.0], [2.0, 3.0, 0.0]]), Some([(1, 4.0, 4.0), (3, 2.0, 2.0)]));
        assert_eq!(ends(ALONG_X, [[1.0, 3.0, 0.0], [3.0, 3.0, 0.0]]), Some([(2, 1.0, 1.0), (3, 3.0, 3.0)]));
        assert_eq!(ends([[1.0, 0.0, 0.0], [3.0, 0.0, 0.0]], ALONG_X), Some([(0, 1.0, 1.0), (1, 3.0, 3.0)]));
    }

    #[test]
    fn none_where_they_cross_follow_one_another_or_have_no_length() {
        assert_eq!(ends(ALONG_X, [[2.0, 3.0, 0.0], [9.0, 3.0, 1e-6]]), None);
        assert_eq!(ends(ALONG_X, [[5.0, 3.0, 0.0], [9.0, 3.0, 0.0]]), None);
        assert_eq!(ends(ALONG_X, [[4.0, 3.0, 0.0], [9.0, 3.0, 0.0]]), None);
        assert_eq!(ends(ALONG_X, [[2.0, 3.0, 0.0]; 2]), None);
        assert_eq!(ends([[2.0, 3.0, 0.0]; 2], ALONG_X), None);
    }
}
