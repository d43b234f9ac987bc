//! From one point to another: how far, and which way, when rounding leaves a way to tell.

use crate::{Point, Vector};

/// Two points whose distance is below this many units in the last place of their coordinates are taken as one: their
/// difference is what rounding left, and has no direction. (A closest point carries a few roundings of its own.)
const ULPS: f64 = 8.0;

/// The unit direction from `from` to `to` (none when rounding leaves no way to tell) and the distance in metres.
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
