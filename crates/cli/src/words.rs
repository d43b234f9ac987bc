//! Numbers formatted for reading.

/// A length in a suitable unit.
pub(crate) fn length(metres: f64) -> String {
    let (factor, unit) = match metres.abs() {
        size if size >= 1.0 || size == 0.0 => (1.0, "m"),
        size if size >= 1e-3 => (1e3, "mm"),
        _ => (1e6, "um"),
    };
    format!("{} {unit}", significant(metres * factor, 4))
}

/// A time span in a suitable unit.
pub(crate) fn seconds(seconds: f64) -> String {
    let (factor, unit) = match seconds {
        span if span >= 1.0 => (1.0, "s"),
        span if span >= 1e-3 => (1e3, "ms"),
        _ => (1e6, "us"),
    };
    format!("{} {unit}", significant(seconds * factor, 3))
}

/// A number with this many significant digits, without trailing zeros.
pub(crate) fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let magnitude = libm::floor(libm::log10(value.abs())) as i32;
    let decimals = usize::try_from(digits as i32 - 1 - magnitude).unwrap_or(0);
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A count with thousands separators.
pub(crate) fn count(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().map_or_else(|_| String::from("?"), |number: u64| number.to_string());
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count and its noun: `1 frame`, `2 frames`.
pub(crate) fn plural(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", count(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_in_the_right_unit() {
        assert_eq!(length(0.0032149), "3.215 mm");
        assert_eq!(length(-2e-6), "-2 um");
        assert_eq!(length(0.0), "0 m");
        assert_eq!(seconds(0.25), "250 ms");
        assert_eq!(seconds(3.0e-5), "30 us");
        assert_eq!(significant(12345.6, 3), "12346");
        assert_eq!(count(1234567_u64), "1,234,567");
        assert_eq!(count(12_u64), "12");
        assert_eq!(plural(1, "frame") + &plural(0, "pair"), "1 frame0 pairs");
    }
}
