//! `--frames A:B`, as slices of Python.

use crate::error::CommandError;
use std::ops::Range;

/// The frames of a session of `count` that `text` selects: `A:B` (or `A..B`), `B` excluded; either end may be left out, a
/// negative one counts from the end of the session, and what is beyond the session is clipped. Errors: not a range, one
/// without frames.
pub(crate) fn parse(text: &str, count: usize) -> Result<Range<usize>, CommandError> {
    let wrong =
        |wanted: String| CommandError::Argument { argument: "--frames", found: text.to_owned(), wanted };
    let ends = text.split_once("..").or_else(|| text.split_once(':'));
    let parts = ends.and_then(|(start, end)| Some((clipped(start, 0, count)?, clipped(end, count, count)?)));
    let (start, end) = parts.ok_or_else(|| wrong("a range such as 10:20, :20, 10: or -10:".to_owned()))?;
    if start >= end {
        return Err(wrong(format!("a range with one of the {count} frames")));
    }
    Ok(start..end)
}

/// An end of the range within the session; `default` if it is left out.
fn clipped(text: &str, default: usize, count: usize) -> Option<usize> {
    if text.is_empty() {
        return Some(default);
    }
    let count_all = i128::try_from(count).ok()?;
    let number: i128 = text.parse().ok()?;
    let from_start = if number < 0 { number.saturating_add(count_all) } else { number };
    usize::try_from(from_start.clamp(0, count_all)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_slices_of_python() {
        for (text, wanted) in [
            (":", 0..9),
            ("..", 0..9),
            ("2:", 2..9),
            (":3", 0..3),
            ("8:9", 8..9),
            ("8..9", 8..9),
            ("0:100", 0..9),
            ("-3:", 6..9),
            (":-3", 0..6),
            ("-100:-1", 0..8),
            ("-99999999999999999999:99999999999999999999", 0..9),
        ] {
            assert_eq!(parse(text, 9).unwrap(), wanted, "{text}");
        }
    }

    #[test]
    fn invalid_and_empty_ranges_are_refused() {
        for text in ["", "3", "a:b", "1:2:3", "3:3", "5:4", "9:", ":-9", "1..2..3", "0x1:"] {
            let message = parse(text, 9).unwrap_err().to_string();
            assert!(message.starts_with(&format!("--frames: found {text:?}, wanted a range")), "{message}");
        }
    }
}
