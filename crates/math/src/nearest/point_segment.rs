//! Closest point of a segment to a point.
//!
//! Source: C. Ericson, "Real-Time Collision Detection" (2005), section 5.1.2.

use crate::Point;

/// The feature of a segment on which a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SegmentFeature {
    /// The first point.
    Start,
    /// The second point.
    End,
    /// Strictly between the two.
    Interior,
}

impl SegmentFeature {
    /// Returns the feature at parameter `t`, the weight of the second point.
    #[inline]
    pub(crate) fn at(t: f64) -> Self {
        if t <= 0.0 {
            Self::Start
        } else if t >= 1.0 {
            Self::End
        } else {
            Self::Interior
        }
    }

    /// Whether an offset from the closest point has a component toward the rest of the segment, given its dot product with the
    /// segment's direction. Exact arithmetic has none; near the segment rounding error may. As the gradient of the distance such an
    /// offset gives a tangent plane that is not below the distance: use its component perpendicular to the segment instead.
    #[inline]
    pub fn is_inward(self, along: f64) -> bool {
        match self {
            Self::Start => along > 0.0,
            Self::End => along < 0.0,
            Self::Interior => true,
        }
    }
}

/// The result of [`point_segment`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointSegment {
    /// The weight of the segment's second point, 0 to 1; that of the first is the complement.
    pub t: f64,
    /// The closest point of the segment.
    pub point: Point,
    /// The feature of the segment on which it lies.
    pub feature: SegmentFeature,
    /// The squared distance between the two points.
    pub distance_squared: f64,
}

/// Returns the point of the segment from `a` to `b` closest to `p`.
///
/// A degenerate segment returns its start. Exchanging `a` and `b` returns the same point bitwise (except at the exact
/// middle, where it may be the adjacent number).
#[inline]
pub fn point_segment(p: &Point, a: &Point, b: &Point) -> PointSegment {
    let along = b - a;
    // Distances along the segment from either end, times its own length. Each is accurate relative to its own size, so
    // that measuring from the closer end loses no digits there.
    let from_start = (p - a).dot(&along);
    let from_end = (b - p).dot(&along);
    let length_squared = along.norm_squared();
    let (t, point, feature) = if from_start <= 0.0 || length_squared == 0.0 {
        (0.0, *a, SegmentFeature::Start)
    } else if from_end <= 0.0 {
        (1.0, *b, SegmentFeature::End)
    } else if from_start <= from_end {
        let t = from_start / length_squared;
        (t, a + along * t, SegmentFeature::Interior)
    } else {
        let rest = from_end / length_squared;
        (1.0 - rest, b - along * rest, SegmentFeature::Interior)
    };
    PointSegment { t, point, feature, distance_squared: (p - point).norm_squared() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, scaled};

    const A: Point = Point::new(1.0, 1.0, 0.0);
    const B: Point = Point::new(5.0, 1.0, 0.0);

    #[test]
    fn one_case_per_branch() {
        let at = |x: f64| point_segment(&Point::new(x, 4.0, 4.0), &A, &B);
        let expect = |t: f64, point: Point, feature: SegmentFeature, distance_squared: f64| PointSegment {
            t,
            point,
            feature,
            distance_squared,
        };
        assert_eq!(at(-3.0), expect(0.0, A, SegmentFeature::Start, 41.0));
        assert_eq!(at(1.0), expect(0.0, A, SegmentFeature::Start, 25.0));
        assert_eq!(at(2.0), expect(0.25, Point::new(2.0, 1.0, 0.0), SegmentFeature::Interior, 25.0));
        assert_eq!(at(3.0), expect(0.5, Point::new(3.0, 1.0, 0.0), SegmentFeature::Interior, 25.0));
        assert_eq!(at(4.0), expect(0.75, Point::new(4.0, 1.0, 0.0), SegmentFeature::Interior, 25.0));
        assert_eq!(at(5.0), expect(1.0, B, SegmentFeature::End, 25.0));
        assert_eq!(at(8.0), expect(1.0, B, SegmentFeature::End, 34.0));
    }

    #[test]
    fn a_segment_of_no_length_is_its_start() {
        let found = point_segment(&Point::new(1.0, 1.0, 2.0), &A, &A);
        assert_eq!(
            found,
            PointSegment { t: 0.0, point: A, feature: SegmentFeature::Start, distance_squared: 4.0 }
        );
        assert_eq!(point_segment(&A, &A, &A).distance_squared, 0.0);
    }

    #[test]
    fn no_sampled_point_is_closer() {
        let mut sample = Sample::new(7);
        let mut interior = 0;
        for _ in 0..1000 {
            let [p, a, b] = [sample.point(), sample.point(), sample.point()];
            let found = point_segment(&p, &a, &b);
            for step in 0..=200 {
                let other = a + (b - a) * (f64::from(step) / 200.0);
                assert!(found.distance_squared <= (p - other).norm_squared() * (1.0 + 1e-14));
            }
            assert!((a + (b - a) * found.t - found.point).norm() <= 1e-15);
            assert!((found.distance_squared - (p - found.point).norm_squared()).abs() <= 1e-15);
            interior += i32::from(found.feature == SegmentFeature::Interior);
            assert_eq!(found.feature, SegmentFeature::at(found.t));
        }
        assert!((300..900).contains(&interior), "{interior} of 1000 in the interior");
    }

    #[test]
    fn exchanging_the_ends_and_scaling_change_no_bit() {
        let mut sample = Sample::new(8);
        for _ in 0..1000 {
            let [p, a, b] = [sample.point(), sample.point(), sample.point()];
            let (found, back) = (point_segment(&p, &a, &b), point_segment(&p, &b, &a));
            assert_eq!(found.point, back.point);
            for power in [-30, 30] {
                let big = point_segment(&scaled(&p, power), &scaled(&a, power), &scaled(&b, power));
                assert_eq!(big.point, scaled(&found.point, power));
                assert_eq!((big.t, big.feature), (found.t, found.feature));
                assert_eq!(big.distance_squared, found.distance_squared * 4.0_f64.powi(power));
            }
        }
    }
}
