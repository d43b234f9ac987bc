//! Triangles: area, normal and degeneracy.

use crate::direction::unit_or;
use crate::{Point, Vector, rounding};

/// Returns the vector `(b - a) × (c - a)`: along the normal (counter-clockwise seen from its tip), with twice the area
/// as length.
#[inline]
pub fn area_vector(a: &Point, b: &Point, c: &Point) -> Vector {
    (b - a).cross(&(c - a))
}

/// Returns the unit normal, toward the side from which `a b c` is counter-clockwise; `None` for a [degenerate](is_flat)
/// triangle.
#[inline]
pub fn unit_normal(a: &Point, b: &Point, c: &Point) -> Option<Vector> {
    (!is_flat(a, b, c)).then(|| unit_or(&area_vector(a, b, c), &Vector::x()))
}

/// Whether the height over the longest edge is within the [rounding error](rounding::length) of the coordinates: such a
/// triangle has no meaningful normal, and is handled through its edges.
#[inline]
pub fn is_flat(a: &Point, b: &Point, c: &Point) -> bool {
    let longest_squared = longest_edge_squared(a, b, c);
    let undecided = rounding::length(rounding::largest_coordinate([a, b, c]));
    area_vector(a, b, c).norm_squared() <= longest_squared * (undecided * undecided)
}

/// Returns the squared length of the longest edge.
#[inline]
pub fn longest_edge_squared(a: &Point, b: &Point, c: &Point) -> f64 {
    (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::scaled;

    const A: Point = Point::new(1.0, 0.0, 0.0);
    const B: Point = Point::new(3.0, 0.0, 0.0);
    const C: Point = Point::new(1.0, 4.0, 0.0);

    #[test]
    fn a_right_triangle() {
        assert_eq!(area_vector(&A, &B, &C), Vector::new(0.0, 0.0, 8.0));
        assert_eq!(unit_normal(&A, &B, &C), Some(Vector::z()));
        assert_eq!(unit_normal(&B, &A, &C), Some(-Vector::z()));
        assert_eq!(longest_edge_squared(&A, &B, &C), 20.0);
    }

    #[test]
    fn points_on_a_line_and_in_one_place_are_flat() {
        assert!(is_flat(&A, &A, &A) && is_flat(&A, &B, &B) && is_flat(&A, &B, &A));
        let third = |k: f64| Point::new(0.1 * k, 0.7 * k, -0.3 * k);
        assert!(is_flat(&third(1.0), &third(3.0), &third(7.0)));
        assert_eq!(unit_normal(&third(1.0), &third(3.0), &third(7.0)), None);
    }

    #[test]
    fn needles_are_not_flat_and_scale_decides_nothing() {
        let tip = Point::new(2.0, 1e-12, 0.0);
        for power in [-30, 0, 30] {
            let [a, b, tip] = [A, B, tip].map(|p| scaled(&p, power));
            assert!(!is_flat(&a, &b, &tip));
            assert_eq!(unit_normal(&a, &b, &tip), Some(Vector::z()));
        }
    }
}
