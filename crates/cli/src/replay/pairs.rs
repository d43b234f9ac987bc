//! `--pair A:B[:DETECTOR]`.

use crate::error::CommandError;
use palpate::recording::PairInfo;

/// The pairs asked for. Errors: one that is not two or three words with colons between.
pub(crate) fn parse(pairs: &[String]) -> Result<Vec<PairInfo>, CommandError> {
    pairs.iter().map(|pair| parse_one(pair)).collect()
}

fn parse_one(text: &str) -> Result<PairInfo, CommandError> {
    let parts: Vec<&str> = text.split(':').collect();
    let (a, b, detector) = match parts[..] {
        [a, b] if !a.is_empty() && !b.is_empty() => (a, b, None),
        [a, b, detector] if !a.is_empty() && !b.is_empty() && !detector.is_empty() => {
            (a, b, Some(detector.to_owned()))
        }
        _ => {
            let wanted = "A:B or A:B:DETECTOR, names of two objects and of a detector".to_owned();
            return Err(CommandError::Argument { argument: "--pair", found: text.to_owned(), wanted });
        }
    };
    Ok(PairInfo { a: a.to_owned(), b: b.to_owned(), detector, ..PairInfo::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_or_three_words_are_a_pair() {
        let pairs = parse(&["a:b".to_owned(), "a:a:x".to_owned()]).unwrap();
        assert_eq!((pairs[0].a.as_str(), pairs[0].b.as_str(), &pairs[0].detector), ("a", "b", &None));
        assert_eq!((pairs[1].b.as_str(), pairs[1].detector.as_deref()), ("a", Some("x")));
        for text in ["", "a", "a:", ":b", "a:b:", "a:b:c:d"] {
            assert!(parse(&[text.to_owned()]).unwrap_err().to_string().contains("wanted A:B"), "{text}");
        }
    }
}
