//! Unit directions that are never NaN.

use crate::Vector;
use std::ops::Range;

/// Squares of lengths that neither overflow nor lose digits.
const SQUARES: Range<f64> = 1e-200..1e200;

/// Returns the unit vector along `v`, or `fallback` if `v` is zero or not finite.
///
/// A very long or short `v` is first scaled to about one by a power of two, so that squaring its components neither overflows nor
/// underflows; otherwise a power of two does not affect the result bitwise.
#[inline]
pub fn unit_or(v: &Vector, fallback: &Vector) -> Vector {
    unit_or_else(v, || *fallback)
}

/// Returns the same as [`unit_or`], with a fallback that is computed only where it is needed.
#[inline]
pub fn unit_or_else(v: &Vector, fallback: impl FnOnce() -> Vector) -> Vector {
    let square = v.norm_squared();
    if SQUARES.contains(&square) {
        return v / square.sqrt();
    }
    scaled_to_unit(v).unwrap_or_else(fallback)
}

/// Returns the unit vector along a vector of any length; `None` if it is zero or not finite.
fn scaled_to_unit(v: &Vector) -> Option<Vector> {
    let largest = v.amax();
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let scaled = v * power_of_two_that_brings_to_one(largest);
    let length = scaled.norm();
    // Zero if another component is NaN.
    (length > 0.0).then(|| scaled / length)
}

/// Returns a unit vector perpendicular to `v`: `v` crossed with the axis along which its component is smallest in
/// magnitude; ties go to the lowest axis. For a zero `v` every direction is perpendicular: +x is returned.
#[inline]
pub fn any_perpendicular(v: &Vector) -> Vector {
    let magnitude = v.abs();
    let smallest_of_first_two = if magnitude.y < magnitude.x { 1 } else { 0 };
    let axis = if magnitude.z < magnitude[smallest_of_first_two] { 2 } else { smallest_of_first_two };
    let crossed = match axis {
        0 => Vector::new(0.0, v.z, -v.y),
        1 => Vector::new(-v.z, 0.0, v.x),
        _ => Vector::new(v.y, -v.x, 0.0),
    };
    unit_or(&crossed, &Vector::x())
}

/// Returns the component of a vector perpendicular to a unit axis. For a vector nearly along the axis the first
/// subtraction leaves rounding error, which may itself have a component along it; a second one removes that ("twice is
/// enough": W. Kahan, in B. Parlett, "The Symmetric Eigenvalue Problem", 1980, section 6.9).
#[inline]
pub fn across(v: &Vector, axis: &Vector) -> Vector {
    let once = v - axis * v.dot(axis);
    once - axis * once.dot(axis)
}

/// Returns the power of two whose product with a positive finite `size` lies in `[1, 2)` (in `[2^-52, 1)` for subnormal
/// sizes, and up to 4 for the very largest: squares of either are safe).
#[inline]
fn power_of_two_that_brings_to_one(size: f64) -> f64 {
    let biased_exponent = size.to_bits() >> 52;
    f64::from_bits((2046 - biased_exponent).max(1) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;

    /// Along the axis up to rounding error: the result is perpendicular to it, or zero.
    #[test]
    fn across_an_axis_nothing_of_it_is_left() {
        let mut left = 0;
        for k in 0..1000 {
            let angle = f64::from(k) * 0.37;
            let axis = Vector::new(libm::cos(angle), 0.6 * libm::sin(angle), 0.8 * libm::sin(angle));
            let across = across(&(axis * (0.1 + f64::from(k))), &axis);
            assert!(across.dot(&axis).abs() <= 1e-12 * across.norm(), "{across}");
            left += usize::from(across.norm() > 0.0);
        }
        assert!(left > 100, "{left}");
    }

    #[test]
    fn the_direction_of_three_four_zero() {
        assert_eq!(unit_or(&Vector::new(3.0, 4.0, 0.0), &Vector::x()), Vector::new(0.6, 0.8, 0.0));
    }

    #[test]
    fn zero_and_non_finite_vectors_fall_back() {
        let fallback = Vector::new(0.0, 0.0, -1.0);
        for v in [Vector::zeros(), Vector::new(f64::NAN, 1.0, 0.0), Vector::new(f64::INFINITY, 0.0, 0.0)] {
            assert_eq!(unit_or(&v, &fallback), fallback, "{v}");
        }
    }

    #[test]
    fn the_whole_range_of_numbers_is_normalised() {
        let diagonal = Vector::repeat(1.0 / 3.0_f64.sqrt());
        for size in [f64::MIN_POSITIVE, 5e-324, 1e-200, 1.0, 1e200, f64::MAX] {
            let unit = unit_or(&Vector::repeat(size), &Vector::x());
            assert!((unit - diagonal).norm() <= 4.0 * f64::EPSILON, "{size:e} gave {unit}");
        }
    }

    #[test]
    fn scaling_by_powers_of_two_changes_no_bit() {
        let mut sample = Sample::new(1);
        for _ in 0..1000 {
            let v = sample.vector();
            for power in [-30, 30] {
                assert_eq!(unit_or(&(v * 2.0_f64.powi(power)), &Vector::x()), unit_or(&v, &Vector::x()));
            }
        }
    }

    #[test]
    fn what_is_not_scaled_first_has_the_same_bits() {
        let (mut sample, mut direct) = (Sample::new(3), 0);
        for power in -1000..1000 {
            let v = sample.vector() * 2.0_f64.powi(power);
            direct += usize::from(SQUARES.contains(&v.norm_squared()));
            assert_eq!(Some(unit_or(&v, &Vector::x())), scaled_to_unit(&v), "{power}");
        }
        assert!((500..1500).contains(&direct), "{direct}");
    }

    #[test]
    fn perpendiculars_follow_the_stated_rule() {
        assert_eq!(any_perpendicular(&Vector::zeros()), Vector::x());
        assert_eq!(any_perpendicular(&Vector::x()), Vector::x().cross(&Vector::y()));
        assert_eq!(any_perpendicular(&Vector::y()), Vector::y().cross(&Vector::x()));
        assert_eq!(any_perpendicular(&Vector::z()), Vector::z().cross(&Vector::x()));
        assert_eq!(
            any_perpendicular(&Vector::new(-2.0, 2.0, 1.0)),
            Vector::new(-2.0, 2.0, 1.0).cross(&Vector::z()).normalize()
        );
    }

    #[test]
    fn perpendiculars_are_perpendicular_and_unit() {
        let mut sample = Sample::new(2);
        for _ in 0..1000 {
            let v = sample.vector();
            let p = any_perpendicular(&v);
            assert!((p.norm() - 1.0).abs() <= 4.0 * f64::EPSILON);
            assert!(p.dot(&v).abs() <= 4.0 * f64::EPSILON * v.norm());
        }
    }
}
