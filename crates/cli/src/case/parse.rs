//! Parses a line of JSON, including non-standard numbers that some writers produce.

use super::CaseError;
use serde_json::Value;

/// The value of a line. `NaN`, `Infinity` and numbers too large for a double are not valid JSON, but some writers
/// produce them; they are read as strings, so that the error can name their field.
pub(crate) fn parse(line: &[u8]) -> Result<Value, CaseError> {
    match serde_json::from_slice(line) {
        Ok(value) => Ok(value),
        Err(error) => {
            quote_foreign_numbers(line).and_then(|line| serde_json::from_slice(&line).ok()).ok_or_else(|| {
                // A case is one line, and its line number is reported with the error.
                let reason = error.to_string();
                CaseError::Json(reason.replace(" at line 1 column ", " at column "))
            })
        }
    }
}

/// The line with every bare word and every infinite number in quotes; `None` if there are none.
fn quote_foreign_numbers(line: &[u8]) -> Option<Vec<u8>> {
    let mut quoted = Vec::with_capacity(line.len() + 16);
    let mut changed = false;
    let mut rest = line;
    while let Some(&first) = rest.first() {
        let length = match first {
            b'"' => text_length(rest),
            b'-' | b'+' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => word_length(rest),
            _ => 1,
        };
        let (token, after) = rest.split_at(length);
        if is_foreign(token) {
            changed = true;
            quoted.push(b'"');
            quoted.extend_from_slice(token);
            quoted.push(b'"');
        } else {
            quoted.extend_from_slice(token);
        }
        rest = after;
    }
    changed.then_some(quoted)
}

/// The length of the quoted string at the start of `rest`.
fn text_length(rest: &[u8]) -> usize {
    let mut escaped = false;
    for (index, &byte) in rest.iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return index + 1,
            _ => {}
        }
    }
    rest.len()
}

fn word_length(rest: &[u8]) -> usize {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
    rest.iter().position(|byte| !is_word(byte)).unwrap_or(rest.len())
}

fn is_foreign(token: &[u8]) -> bool {
    let Ok(word) = std::str::from_utf8(token) else { return false };
    // "nan", "inf" and "infinity" in any case are numbers to Rust.
    word.parse::<f64>().is_ok_and(|number| !number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_that_are_not_valid_json_become_strings() {
        let value =
            parse(br#"{"a": [NaN, -Infinity, 1e999, 1.5], "text": "NaN \" NaN", "t": true}"#).unwrap();
        assert_eq!(value, json!({"a": ["NaN", "-Infinity", "1e999", 1.5], "text": "NaN \" NaN", "t": true}));
    }

    #[test]
    fn invalid_json_is_an_error() {
        for line in ["{", "{\"a\": nul}", "{\"a\": NaN", "\"open", "{\"a\": 1} x", "\\", ""] {
            let error = parse(line.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with("not valid JSON: ") && !error.contains('\n'), "{error}");
        }
        assert!(parse(b"{\"a\": \xff}").is_err());
    }
}
