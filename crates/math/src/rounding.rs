//! The tolerance of the crate: the effect of the coordinates' rounding error on a length.
//!
//! A coordinate of magnitude `m` is accurate to `m * f64::EPSILON / 2`, and a rigid motion changes it by a few times
//! that. A shape within [`length`] of its largest coordinate of a degenerate one (two parallel segments, a degenerate
//! triangle) is therefore treated as degenerate: otherwise the result would change when the shape is moved. As it is
//! relative to the coordinates, this is not an absolute tolerance, and it scales exactly.

use crate::Point;

/// The assumed error of a coordinate in units in the last place: a rigid motion costs about eight.
const UNITS_IN_THE_LAST_PLACE: f64 = 16.0;

/// Returns the rounding error of a length, given the largest magnitude of the coordinates.
#[inline]
pub fn length(largest_coordinate: f64) -> f64 {
    (UNITS_IN_THE_LAST_PLACE * f64::EPSILON) * largest_coordinate
}

/// Returns the largest magnitude of all coordinates of the points; zero if there are none.
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
