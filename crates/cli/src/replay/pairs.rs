//! `--pair A:B[:DETECTOR]`: the requested pairs, completed by those of the session.
//!
//! In a name `\:` is a colon and `\\` a backslash; a backslash before any other character is itself.

use crate::error::CommandError;
use palpate::detect::Registry;
use palpate::recording::PairInfo;
use palpate::replay::{Replay, ReplayOptions, SessionFiles};
use std::path::Path;

/// A replay of the session in these files with the requested pairs, or those of `options` if none are requested.
/// Errors: an invalid pair; a session that cannot be replayed.
pub(crate) fn replay<P: AsRef<Path>>(
    files: &[P],
    pairs: &[String],
    options: ReplayOptions,
) -> Result<Replay, CommandError> {
    let mut pairs = parse(pairs)?;
    let files = SessionFiles::open(files, &options)?;
    crate::notes::print(files.notes());
    pairs.iter_mut().for_each(|pair| complete(pair, files.pairs()));
    let pairs = if pairs.is_empty() { options.pairs.clone() } else { pairs };
    Ok(Replay::new(files, Registry::standard(), &ReplayOptions { pairs, ..options })?)
}

/// Completes a pair that the session names, in either order, with the session's margin and, unless another detector is
/// requested, its detector. If the session names the pair several times, the one with the requested detector is used,
/// else the first.
fn complete(pair: &mut PairInfo, named: &[PairInfo]) {
    let is_same = |other: &&PairInfo| {
        (&other.a, &other.b) == (&pair.a, &pair.b) || (&other.b, &other.a) == (&pair.a, &pair.b)
    };
    let has_detector = |other: &&PairInfo| pair.detector.is_some() && other.detector == pair.detector;
    let same = || named.iter().filter(is_same);
    let Some(found) = same().find(has_detector).or_else(|| same().next()) else { return };
    // Settings and orders are specific to a detector.
    if pair.detector.is_none() || pair.detector == found.detector {
        pair.settings = found.settings.clone();
        if pair.a == found.a {
            pair.exchanged.clone_from(&found.exchanged);
        }
    }
    pair.detector = pair.detector.take().or_else(|| found.detector.clone());
    pair.margin = found.margin;
}

fn parse(pairs: &[String]) -> Result<Vec<PairInfo>, CommandError> {
    pairs.iter().map(|pair| parse_one(pair)).collect()
}

fn parse_one(text: &str) -> Result<PairInfo, CommandError> {
    let parts = parts(text);
    let (a, b, detector) = match &parts[..] {
        _ if parts.iter().any(String::is_empty) => ("", "", None),
        [a, b] => (a.as_str(), b.as_str(), None),
        [a, b, detector] => (a.as_str(), b.as_str(), Some(detector.clone())),
        _ => ("", "", None),
    };
    let (a, b, detector) = match (a, b, detector) {
        (a, b, detector) if !a.is_empty() => (a, b, detector),
        _ => {
            let wanted =
                "A:B or A:B:DETECTOR, names of two objects and of a detector (a colon in a name is \\:)"
                    .to_owned();
            return Err(CommandError::Argument { argument: "--pair", found: text.to_owned(), wanted });
        }
    };
    Ok(PairInfo { a: a.to_owned(), b: b.to_owned(), detector, ..PairInfo::default() })
}

/// The parts between the colons, with the escapes replaced.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = letters.peek().copied().filter(|next| letter == '\\' && matches!(next, ':' | '\\'));
        match (letter, escaped, parts.last_mut()) {
            (_, Some(next), Some(part)) => {
                part.push(next);
                letters.next();
            }
            (':', None, _) => parts.push(String::new()),
            (letter, None, Some(part)) => part.push(letter),
            (_, _, None) => {}
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::quoted;

    #[test]
    fn two_or_three_words_are_a_pair() {
        let pairs = parse(&["a:b".to_owned(), "a:a:x".to_owned()]).unwrap();
        assert_eq!((pairs[0].a.as_str(), pairs[0].b.as_str(), &pairs[0].detector), ("a", "b", &None));
        assert_eq!((pairs[1].b.as_str(), pairs[1].detector.as_deref()), ("a", Some("x")));
        for text in ["", "a", "a:", ":b", "a:b:", "a:b:c:d"] {
            assert!(parse(&[text.to_owned()]).unwrap_err().to_string().contains("wanted A:B"), "{text}");
        }
    }

    #[test]
    fn names_with_colons_and_backslashes_are_escaped() {
        for name in ["a:b", "a\\:b", "\\", "::", "a\\b", "a"] {
            let pair = parse_one(&format!("{}:{}:x", quoted(name), quoted(name))).unwrap();
            assert_eq!((pair.a.as_str(), pair.b.as_str(), pair.detector.as_deref()), (name, name, Some("x")));
        }
        let pair = parse_one("C\\mesh:b").unwrap();
        assert_eq!((pair.a.as_str(), pair.b.as_str()), ("C\\mesh", "b"), "other backslashes stay");
    }

    #[test]
    fn a_pair_of_the_session_keeps_its_detector_and_margin() {
        let pair = |a: &str, b: &str, detector: Option<&str>, margin: f64| PairInfo {
            a: a.to_owned(),
            b: b.to_owned(),
            detector: detector.map(str::to_owned),
            margin,
            ..PairInfo::default()
        };
        let named =
            [pair("a", "b", Some("x"), 0.25), pair("a", "b", Some("y"), 0.5), pair("c", "c", None, 1.0)];
        for (asked, wanted) in [
            (pair("a", "b", None, 0.0), pair("a", "b", Some("x"), 0.25)),
            (pair("b", "a", None, 0.0), pair("b", "a", Some("x"), 0.25)),
            (pair("a", "b", Some("y"), 0.0), pair("a", "b", Some("y"), 0.5)),
            (pair("a", "b", Some("z"), 0.0), pair("a", "b", Some("z"), 0.25)),
            (pair("c", "c", None, 0.0), pair("c", "c", None, 1.0)),
            (pair("a", "c", None, 0.0), pair("a", "c", None, 0.0)),
        ] {
            let mut completed = asked;
            complete(&mut completed, &named);
            assert_eq!(completed, wanted);
        }
    }
}
