//! Values as JSON text, which commands no terminal.

use crate::text::is_printed;
use serde::Serialize;

/// A value on one line, without a line feed.
pub(crate) fn line(value: &impl Serialize) -> String {
    escaped(serde_json::to_string(value).expect("a record has text keys and no value that JSON lacks"))
}

/// A value on lines of its own, with a line feed at the end.
pub(crate) fn lines(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value);
    let mut text = escaped(text.expect("a record has text keys and no value that JSON lacks"));
    text.push('\n');
    text
}

/// JSON with the control characters that it may have in strings (delete, and those from 128 to 159), separators of lines, and
/// characters that change the direction of text as `\u` escapes: the same values.
fn escaped(json: String) -> String {
    // Line feeds are the layout: in strings they are escaped already.
    let is_kept = |letter: char| letter == '\n' || is_printed(letter);
    if json.chars().all(is_kept) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 16);
    for letter in json.chars() {
        if is_kept(letter) {
            out.push(letter);
        } else {
            // One unit of UTF-16: none of them is beyond U+FEFF.
            out.push_str(&format!("\\u{:04x}", u32::from(letter)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_commands_a_terminal_is_escaped_and_the_same_value() {
        let every: String =
            (0..=0xffff_u32).filter_map(char::from_u32).filter(|&letter| !is_printed(letter)).collect();
        assert!(every.contains(['\u{7f}', '\u{9b}', '\u{202e}', '\u{2028}', '\u{feff}']));
        let value = serde_json::json!({ every.as_str(): [every.as_str(), "größe 面 👩‍⚕️", 0.5] });
        for (text, layout) in [(line(&value), 0), (lines(&value), 7)] {
            assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
            assert_eq!(text.chars().filter(|&letter| !is_printed(letter)).count(), layout, "{text}");
            assert!(text.contains("größe 面 👩‍⚕️") && text.contains("\\u007f\\u0080"), "{text}");
        }
    }
}
