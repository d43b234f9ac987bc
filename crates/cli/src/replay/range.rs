//! `--frames a..b`.

use crate::error::CommandError;
use std::ops::Range;

/// The range of `count` frames that `text` specifies; either end may be omitted. Errors: not a range, an empty one,
/// one that ends after the last frame.
pub(crate) fn parse(text: &str, count: usize) -> Result<Range<usize>, CommandError> {
    let wrong =
        |wanted: String| CommandError::Argument { argument: "--frames", found: text.to_owned(), wanted };
    let parts = text.split_once("..").and_then(|(start, end)| Some((number(start, 0)?, number(end, count)?)));
    let (start, end) = parts.ok_or_else(|| wrong("a range such as 10..20, ..20 or 10..".to_owned()))?;
    if start >= end || end > count {
        return Err(wrong(format!("a range within 0..{count} that is not empty")));
    }
    Ok(start..end)
}

fn number(text: &str, default: usize) -> Option<usize> {
    if text.is_empty() { Some(default) } else { text.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_end_may_be_left_out() {
        assert_eq!(parse("..", 9).unwrap(), 0..9);
        assert_eq!(parse("2..", 9).unwrap(), 2..9);
        assert_eq!(parse("..3", 9).unwrap(), 0..3);
        assert_eq!(parse("8..9", 9).unwrap(), 8..9);
    }

    #[test]
    fn what_is_no_range_of_the_recording_is_refused() {
        for text in ["", "3", "a..b", "-1..3", "3..3", "5..4", "0..10", "9.."] {
            let message = parse(text, 9).unwrap_err().to_string();
            assert!(message.starts_with(&format!("--frames: found {text:?}, wanted a range")), "{message}");
        }
    }
}
