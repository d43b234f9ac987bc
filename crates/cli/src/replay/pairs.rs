//! `--pair A:B[:DETECTOR]`: the pairs that are asked for, and what the session says of them.

use crate::error::CommandError;
use palpate::detect::Registry;
use palpate::recording::{PairInfo, Reader};
use palpate::replay::{Replay, ReplayOptions};
use std::path::Path;

/// A replay of the session in these files with the pairs that are asked for, or those of `options` when none are. Errors:
/// words that are no pair; a session that cannot be replayed.
pub(crate) fn replay<P: AsRef<Path>>(
    files: &[P],
    pairs: &[String],
    options: ReplayOptions,
) -> Result<Replay, CommandError> {
    let mut pairs = parse(pairs)?;
    let reader = Reader::open_many(files)?;
    pairs.iter_mut().for_each(|pair| complete(pair, &reader.info().pairs));
    let pairs = if pairs.is_empty() { options.pairs } else { pairs };
    Ok(Replay::new(reader, Registry::standard(), &ReplayOptions { pairs, ..options })?)
}

/// Gives a pair that the session names, in either order, its margin and, unless another is asked for, its detector. Where
/// the session names the pair several times, by the detector that is asked for; else the first.
fn complete(pair: &mut PairInfo, named: &[PairInfo]) {
    let is_same = |other: &&PairInfo| {
        (&other.a, &other.b) == (&pair.a, &pair.b) || (&other.b, &other.a) == (&pair.a, &pair.b)
    };
    let has_detector = |other: &&PairInfo| pair.detector.is_some() && other.detector == pair.detector;
    let same = || named.iter().filter(is_same);
    let Some(found) = same().find(has_detector).or_else(|| same().next()) else { return };
    // Settings and orders are those of one detector.
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
