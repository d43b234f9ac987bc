//! Distance and direction between two points, if resolved beyond rounding error.

use crate::{Point, Vector};

/// Two points closer than this many units in the last place of their coordinates coincide: their difference is rounding
/// error, and has no direction. (A closest point has a few rounding errors of its own.)
const ULPS: f64 = 8.0;

/// Returns the unit direction from `from` to `to` (`None` within rounding error) and the distance in metres.
#[inline]
pub fn between(from: &Point, to: &Point) -> (Option<Vector>, f64) {
    let offset = to - from;
    let length = offset.norm();
    let coordinate = from.coords.amax().max(to.coords.amax());
    let resolved = length > ULPS * f64::EPSILON * coordinate;
    (resolved.then(|| offset / length), length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_real_distance_has_a_direction_at_any_scale() {
        for scale in [2f64.powi(-30), 1.0, 2f64.powi(30)] {
            let (direction, length) =
                between(&Point::new(scale, 0.0, 0.0), &Point::new(scale, 3.0 * scale, 0.0));
            assert_eq!((direction, length), (Some(Vector::y()), 3.0 * scale));
        }
    }

    #[test]
    fn what_rounding_left_has_none() {
        assert_eq!(between(&Point::new(1.0, 2.0, 3.0), &Point::new(1.0, 2.0, 3.0)), (None, 0.0));
        let (direction, length) =
            between(&Point::new(1.0, 0.0, 0.0), &Point::new(1.0 + f64::EPSILON, 0.0, 0.0));
        assert_eq!((direction, length), (None, f64::EPSILON));
    }

    #[test]
    fn a_tiny_distance_at_the_origin_is_real() {
        let (direction, _) = between(&Point::origin(), &Point::new(1e-12, 0.0, 0.0));
        assert_eq!(direction, Some(Vector::x()));
    }
}
