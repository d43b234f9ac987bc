//! Tolerances of a snapshot, and the number of digits written.

use std::fmt;

/// The default tolerance of lengths is the power of ten at or above this fraction of the scene's diagonal: far above
/// rounding differences between machines, far below the differences between methods.
const PART_OF_DIAGONAL: f64 = 1e-9;

/// The number of decimals of the smallest positive double.
const MOST_DECIMALS: f64 = 1074.0;

/// Units of the last written digit by which numbers may differ beyond the tolerance: both are rounded by up to half a
/// unit, and another half unit separates this limit from the next multiple.
const ALLOWED_STEPS: f64 = 1.5;

/// Largest differences at which numbers agree.
///
/// Numbers are written with one digit more than the tolerance resolves. Numbers that differ by no more than the
/// tolerance therefore always agree after rounding; numbers that differ by 1.25 times the tolerance or more never
/// agree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tolerance {
    /// Metres, finite, not negative. Zero: all digits are written and must be equal.
    pub(super) lengths: f64,
    /// The tolerance of directions, weights and times of impact, which have no unit; finite, not negative.
    pub(super) units: f64,
}

impl Tolerance {
    /// The default for lengths in a scene with a bounding box of this diagonal, both in metres.
    pub(super) fn of_scene(diagonal: f64) -> f64 {
        // Only planes: the scene has no size, and lengths are compared exactly.
        if diagonal > 0.0 { power_of_ten_above(PART_OF_DIAGONAL * diagonal) } else { 0.0 }
    }

    /// The tolerances for comparing two snapshots: the larger of each.
    pub(super) fn coarser(&self, other: &Self) -> Self {
        Self { lengths: self.lengths.max(other.lengths), units: self.units.max(other.units) }
    }

    /// A length rounded to the written digits.
    pub(super) fn length(&self, value: f64) -> f64 {
        rounded(value, self.lengths)
    }

    /// A number without unit rounded to the written digits.
    pub(super) fn unit(&self, value: f64) -> f64 {
        rounded(value, self.units)
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "lengths to {:e} m, directions and weights to {:e}", self.lengths, self.units)
    }
}

impl Tolerance {
    /// Parses the text written by [`Display`](fmt::Display).
    pub(super) fn parse(line: &str) -> Option<Self> {
        let (lengths, units) =
            line.strip_prefix("lengths to ")?.split_once(" m, directions and weights to ")?;
        let tolerance = |text: &str| text.parse().ok().filter(|&value| is_tolerance(value));
        Some(Self { lengths: tolerance(lengths)?, units: tolerance(units)? })
    }
}

/// Whether a number is a valid tolerance.
pub(super) fn is_tolerance(value: f64) -> bool {
    value.is_finite() && value >= 0.0
}

/// Whether two rounded numbers agree within a tolerance. A NaN, which should not occur, agrees only with a NaN.
pub(super) fn agree(a: f64, b: f64, tolerance: f64) -> bool {
    let step = decimals(tolerance).map_or(0.0, |decimals| 10.0_f64.powi(-(decimals as i32)));
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance + ALLOWED_STEPS * step
}

fn rounded(value: f64, tolerance: f64) -> f64 {
    let Some(decimals) = decimals(tolerance) else { return value };
    // A formatted number can always be parsed. Adding 0 removes the sign of -0.
    format!("{value:.decimals$}").parse::<f64>().map_or(value, |rounded| rounded + 0.0)
}

/// Number of written decimals: one more than the tolerance resolves. `None` (all digits) if it is zero.
fn decimals(tolerance: f64) -> Option<usize> {
    (tolerance > 0.0).then(|| (1.0 - libm::floor(exponent(tolerance))).clamp(0.0, MOST_DECIMALS) as usize)
}

fn power_of_ten_above(value: f64) -> f64 {
    10.0_f64.powi(libm::ceil(exponent(value)) as i32)
}

/// The logarithm to base ten, exact for powers of ten.
fn exponent(value: f64) -> f64 {
    let logarithm = libm::log10(value);
    let nearest = libm::round(logarithm);
    // Far more than the error of the logarithm, far less than a noticeable change of a tolerance.
    if (logarithm - nearest).abs() < 1e-9 { nearest } else { logarithm }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_follows_the_size_of_the_scene() {
        for (diagonal, lengths) in [(0.27, 1e-9), (1.0, 1e-9), (15.0, 1e-7), (1e12, 1e3), (0.0, 0.0)] {
            assert_eq!(Tolerance::of_scene(diagonal), lengths, "{diagonal}");
        }
    }

    #[test]
    fn one_digit_more_than_the_tolerance_is_written() {
        assert_eq!(rounded(1.0 / 3.0, 1e-3), 0.3333);
        assert_eq!(rounded(1.0 / 3.0, 2.5e-3), 0.3333);
        assert_eq!(rounded(1234.56, 100.0), 1235.0);
        assert_eq!(rounded(1.0 / 3.0, 0.0), 1.0 / 3.0);
        assert!(rounded(-1e-9, 1e-6).is_sign_positive());
        assert!(rounded(f64::NAN, 1e-6).is_nan());
    }

    #[test]
    fn numbers_within_the_tolerance_agree_after_rounding_and_those_beyond_do_not() {
        for tolerance in [1e-9, 2.5e-4, 7.7e-3] {
            for offset in 0..1000 {
                // Positions throughout one unit of the last digit, with differences of both signs.
                let a = 0.25 + tolerance * f64::from(offset) / 5000.0;
                for (part, agrees) in
                    [(0.0, true), (0.999, true), (-0.999, true), (1.25, false), (-1.25, false)]
                {
                    let b = a + part * tolerance;
                    let told = agree(rounded(a, tolerance), rounded(b, tolerance), tolerance);
                    assert_eq!(told, agrees, "{a} {b} {tolerance}");
                }
            }
        }
        assert!(agree(1.0, 1.0, 0.0) && !agree(1.0, 1.0 + f64::EPSILON, 0.0));
        assert!(agree(f64::NAN, f64::NAN, 1.0) && !agree(f64::NAN, 0.0, 1.0));
    }

    #[test]
    fn a_tolerance_is_read_as_it_is_written() {
        let tolerance = Tolerance { lengths: 2.5e-4, units: 1e-6 };
        assert_eq!(tolerance.to_string(), "lengths to 2.5e-4 m, directions and weights to 1e-6");
        assert_eq!(Tolerance::parse(&tolerance.to_string()), Some(tolerance));
        for text in [
            "",
            "lengths to -1 m, directions and weights to 1e-6",
            "lengths to 1e-9 of 2 m, directions and weights to 1e-6",
        ] {
            assert_eq!(Tolerance::parse(text), None, "{text}");
        }
        let other = Tolerance { lengths: 1e-9, units: 1e-3 };
        assert_eq!(tolerance.coarser(&other), Tolerance { lengths: 2.5e-4, units: 1e-3 });
    }
}
