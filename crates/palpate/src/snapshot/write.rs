//! A snapshot as text.

use super::{LENGTH_TOLERANCE, Snapshot, TITLE, UNIT_DECIMALS, UNIT_TOLERANCE};
use std::fmt;

/// What the columns of a contact's line are.
const COLUMNS: &str =
    "pair: element of a ~ element of b, id | depth, point of a, point of b, metres | direction, weights";

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}")?;
        writeln!(
            f,
            "lengths to {LENGTH_TOLERANCE:e} of {} m, directions and weights to {UNIT_TOLERANCE:e}",
            self.diagonal
        )?;
        writeln!(f, "{COLUMNS}")?;
        for (number, pair) in self.pairs.iter().enumerate() {
            writeln!(f, "pair {number}: {pair}")?;
        }
        let decimals = length_decimals(self.diagonal);
        for frame in &self.frames {
            writeln!(f, "{}", frame.head)?;
            for line in &frame.contacts {
                let lengths = numbers(&line.lengths, decimals);
                let units = numbers(&line.units, Some(UNIT_DECIMALS));
                writeln!(f, "  {} | {lengths} | {units}", line.exact)?;
            }
        }
        Ok(())
    }
}

/// The decimals of a length: the power of ten at or below the tolerance. `None` (all digits) when there is no size.
fn length_decimals(diagonal: f64) -> Option<usize> {
    // The most decimals that a double of the smallest size has.
    const MOST: f64 = 1074.0;
    let tolerance = LENGTH_TOLERANCE * diagonal;
    (tolerance > 0.0).then(|| (-libm::floor(libm::log10(tolerance))).clamp(0.0, MOST) as usize)
}

fn numbers(values: &[f64], decimals: Option<usize>) -> String {
    let words: Vec<_> = values.iter().map(|&value| rounded(value, decimals)).collect();
    words.join(" ")
}

/// A number without trailing zeros and without the sign of zero.
fn rounded(value: f64, decimals: Option<usize>) -> String {
    let text = match decimals {
        Some(decimals) => format!("{value:.decimals$}"),
        None => format!("{value}"),
    };
    let short = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minus_zero_and_trailing_zeros_are_dropped() {
        assert_eq!(rounded(-0.0, Some(3)), "0");
        assert_eq!(rounded(-0.0001, Some(3)), "0");
        assert_eq!(rounded(0.1, Some(6)), "0.1");
        assert_eq!(rounded(-1200.0, Some(0)), "-1200");
        assert_eq!(rounded(100.0, None), "100");
    }

    #[test]
    fn decimals_follow_the_size_of_the_scene() {
        assert_eq!(length_decimals(0.3), Some(10));
        assert_eq!(length_decimals(300.0), Some(7));
        assert_eq!(length_decimals(1e12), Some(0));
        assert_eq!(length_decimals(0.0), None);
    }
}
