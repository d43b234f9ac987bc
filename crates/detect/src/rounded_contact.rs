//! Cores with radii: the contact of two spheres at their closest points.

use palpate_contact::NONE;
use palpate_math::nearest::SegmentFeature;
use palpate_math::{Point, Vector, separation};

/// The contact of two round bodies: each is a core (a point, a segment, a triangle) with a radius.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TouchingBalls {
    /// Unit direction that moves A out of B: from B's core toward A's.
    pub(crate) direction: Vector,
    /// Sum of the radii minus the distance of the cores.
    pub(crate) depth: f64,
    /// A's contact point: its deepest point in B.
    pub(crate) point_a: Point,
    /// B's contact point.
    pub(crate) point_b: Point,
}

/// Relative rounding error of a squared distance, with room to spare.
const ROUNDING: f64 = 1e-12;

/// Whether two points are surely farther apart than `reach`: an early out without a square root.
#[inline]
pub(crate) fn are_apart(a: &Point, b: &Point, reach: f64) -> bool {
    (a - b).norm_squared() > reach * reach * (1.0 + ROUNDING)
}

/// Returns the contact of two spheres around the closest points of two cores. If these coincide, so that no direction
/// is preferred, `fallback` (a unit vector) is used.
#[inline]
pub(crate) fn rounded_contact(
    core_a: &Point,
    radius_a: f64,
    core_b: &Point,
    radius_b: f64,
    fallback: impl FnOnce() -> Vector,
) -> TouchingBalls {
    let (direction, distance) = separation::between(core_b, core_a);
    let direction = direction.unwrap_or_else(fallback);
    TouchingBalls {
        direction,
        depth: radius_a + radius_b - distance,
        point_a: core_a - direction * radius_a,
        point_b: core_b + direction * radius_b,
    }
}

/// Returns the number of the capsule's end, or [`NONE`] for its straight part.
pub(crate) fn capsule_end(feature: SegmentFeature) -> u32 {
    match feature {
        SegmentFeature::Start => 0,
        SegmentFeature::End => 1,
        SegmentFeature::Interior => NONE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_points_lie_a_depth_apart_along_the_direction() {
        let balls = rounded_contact(&Point::new(0.0, 3.0, 0.0), 2.0, &Point::origin(), 1.5, Vector::x);
        assert_eq!((balls.depth, balls.direction), (0.5, Vector::y()));
        assert_eq!(balls.point_a + balls.direction * balls.depth, balls.point_b);
    }

    #[test]
    fn what_is_apart_is_beyond_reach_by_more_than_rounding() {
        let at = |x: f64| Point::new(x, 0.0, 0.0);
        assert!(!are_apart(&at(1.0), &at(4.0), 3.0) && !are_apart(&at(1.0), &at(4.0), 3.0_f64.next_down()));
        assert!(are_apart(&at(1.0), &at(4.0), 2.999_999) && !are_apart(&at(1.0), &at(1.0), 0.0));
    }

    #[test]
    fn coincident_cores_part_along_the_fallback() {
        let balls = rounded_contact(&Point::origin(), 2.0, &Point::origin(), 1.0, Vector::z);
        assert_eq!((balls.depth, balls.direction), (3.0, Vector::z()));
        assert_eq!(balls.point_a, Point::new(0.0, 0.0, -2.0));
    }
}
