//! The one tolerance of the crate: what the rounding of the coordinates themselves can do to a length.
//!
//! A coordinate of magnitude `m` is known to within `m * f64::EPSILON / 2`, and moving a shape rigidly changes it by a few
//! times that. A shape that differs from a degenerate one (two parallel segments, a flat triangle) by no more than
//! [`length`] of its largest coordinate is therefore answered as the degenerate one: otherwise the same shape, moved,
//! would get another answer. Being relative to the coordinates, this is no absolute tolerance, and it scales exactly.

use crate::Point;

/// How many units in the last place a coordinate may be off by: a rigid motion costs about eight.
const UNITS_IN_THE_LAST_PLACE: f64 = 16.0;

/// The length that rounding leaves undecided among coordinates of which `largest_coordinate` is the largest magnitude.
#[inline]
pub fn length(largest_coordinate: f64) -> f64 {
    (UNITS_IN_THE_LAST_PLACE * f64::EPSILON) * largest_coordinate
}

/// The largest magnitude among all coordinates of the points; zero if there are none.
#[inline]
pub fn largest_coordinate<'a>(points: impl IntoIterator<Item = &'a Point>) -> f64 {
    let mut largest = 0.0;
    for point in points {
        for coordinate in point.iter() {
            let magnitude = coordinate.abs();
            if magnitude > largest {
                largest = magnitude;
            }
        }
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_magnitude_may_be_negative() {
        assert_eq!(largest_coordinate(&[Point::new(1.0, -7.0, 2.0), Point::new(0.0, 3.0, 6.0)]), 7.0);
        assert_eq!(largest_coordinate(&[]), 0.0);
    }

    #[test]
    fn the_undecided_length_is_relative() {
        assert_eq!(length(8.0), 8.0 * length(1.0));
        assert_eq!(length(1.0), 2.0_f64.powi(-48));
    }
}
