//! Parsing of a snapshot from text.

use super::error::SnapshotError;
use super::input_line::{Fingerprint, ObjectLine};
use super::line::ContactLine;
use super::model::{ContactSnapshot, FrameRecord, PairLine, PairRecord, TITLE, VERSION};
use super::selection::{Detail, Selection};
use super::tolerance::Tolerance;
use std::str::FromStr;

/// The title of the format that identifies contacts by their position in the list.
const OLD_TITLE: &str = "palpate contacts 1";

/// The title of the format without the input, which is read.
const SECOND_TITLE: &str = "palpate contacts 2";

/// Number of lines before the pairs.
const HEADER_LINES: usize = 4;

/// Description of a complete frame, for errors.
const WHOLE_FRAME: &str = "a count for each pair, and below it the contacts that the options ask for";

impl FromStr for ContactSnapshot {
    type Err = SnapshotError;

    /// Parses the text written by a [`ContactSnapshot`]. Errors: the first invalid line; a frame whose number of contacts
    /// differs from its count; a snapshot in an older format.
    fn from_str(text: &str) -> Result<Self, SnapshotError> {
        let lines: Vec<&str> = text.lines().collect();
        let invalid = |line: usize, wanted| {
            let found = lines.get(line).copied().unwrap_or("the end of the text").to_owned();
            SnapshotError::Invalid { line: line + 1, found, wanted }
        };
        match lines.first() {
            Some(&(TITLE | SECOND_TITLE)) => {}
            Some(&OLD_TITLE) => return Err(invalid(0, "\"palpate contacts 3\": take the snapshot again")),
            _ => return Err(invalid(0, "the title of a snapshot, \"palpate contacts 3\"")),
        }
        let selection = lines.get(1).and_then(|line| Selection::parse(line));
        let selection = selection.ok_or_else(|| invalid(1, "the options"))?;
        let tolerance = lines.get(2).and_then(|line| Tolerance::parse(line));
        let tolerance = tolerance.ok_or_else(|| invalid(2, "the tolerances"))?;
        if lines.len() < HEADER_LINES {
            return Err(invalid(HEADER_LINES - 1, "the columns"));
        }
        let mut snapshot = Self {
            selection,
            tolerance,
            version: None,
            objects: Vec::new(),
            pairs: Vec::new(),
            frames: Vec::new(),
        };
        let mut frame_line = 0;
        for (number, line) in lines.iter().enumerate().skip(HEADER_LINES) {
            if line.starts_with("frame ") {
                snapshot.check_counts().ok_or_else(|| invalid(frame_line, WHOLE_FRAME))?;
                frame_line = number;
            }
            snapshot.read(line).ok_or_else(|| invalid(number, "a pair, a frame or a contact"))?;
        }
        snapshot.check_counts().ok_or_else(|| invalid(frame_line, WHOLE_FRAME))?;
        Ok(snapshot)
    }
}

impl ContactSnapshot {
    fn read(&mut self, line: &str) -> Option<()> {
        if let Some(version) = line.strip_prefix(VERSION) {
            self.version = Some(version.to_owned());
        } else if let Some(line) = line.strip_prefix("object ") {
            self.objects.push(ObjectLine::parse(line.split_once(": ")?.1)?);
        } else if let Some(line) = line.strip_prefix("pair ") {
            self.pairs.push(pair(line.split_once(": ")?.1)?);
        } else if let Some(line) = line.strip_prefix("frame ") {
            self.frames.push(frame(line)?);
        } else {
            let (number, line) = line.strip_prefix("  ")?.split_once(": ")?;
            let pairs = &mut self.frames.last_mut()?.pairs;
            pairs.get_mut(number.parse::<usize>().ok()?)?.contacts.push(ContactLine::parse(line)?);
        }
        Some(())
    }

    /// Checks that the last frame is complete.
    fn check_counts(&self) -> Option<()> {
        let Some(frame) = self.frames.last() else { return Some(()) };
        let is_whole = |pair| is_whole(pair, self.selection.detail);
        let has_states = frame.states.is_empty() || frame.states.len() == self.objects.len();
        (has_states && frame.pairs.len() == self.pairs.len() && frame.pairs.iter().all(is_whole))
            .then_some(())
    }
}

/// Whether a pair's record in a frame has the contacts that its count requires.
fn is_whole(pair: &PairRecord, detail: Detail) -> bool {
    let contacts = match detail {
        Detail::Contacts => pair.count,
        Detail::Deepest(most) => pair.count.min(most),
        Detail::Counts => 0,
    };
    let has_depth = detail == Detail::Counts && pair.count > 0;
    pair.contacts.len() == contacts && pair.greatest_depth.is_some() == has_depth
}

/// `a : b by detector margin 0 settings {}`; names may contain anything, detectors and numbers contain no spaces.
fn pair(line: &str) -> Option<PairLine> {
    let (rest, numbers) = line.rsplit_once(" margin ")?;
    let (margin, settings) = match numbers.split_once(" settings ") {
        Some((margin, settings)) => (margin, serde_json::from_str(settings).ok()?),
        None => (numbers, serde_json::Value::Null),
    };
    let (names, detector) = rest.rsplit_once(" by ")?;
    let (names, detector, margin) = (names.to_owned(), detector.to_owned(), margin.parse().ok()?);
    Some(PairLine { names, detector, margin, settings })
}

/// `3 at 0.5 s, 1a2b3c4d: 2 (open_surface) deepest 0.25 0`.
fn frame(line: &str) -> Option<FrameRecord> {
    let (number, rest) = line.split_once(" at ")?;
    let (head, mut rest) = rest.split_once(':')?;
    let (time, states) = head.split_once(" s")?;
    let states = match states.strip_prefix(", ") {
        Some(states) => states.split(' ').map(Fingerprint::parse).collect::<Option<_>>()?,
        None if states.is_empty() => Vec::new(),
        None => return None,
    };
    let mut pairs = Vec::<PairRecord>::new();
    while let Some(next) = rest.strip_prefix(' ') {
        if let Some(flags) = next.strip_prefix('(') {
            let (flags, after) = flags.split_once(')')?;
            pairs.last_mut()?.flags = flags.to_owned();
            rest = after;
        } else if let Some(depth) = next.strip_prefix("deepest ") {
            let (depth, after) = word(depth);
            pairs.last_mut()?.greatest_depth = Some(depth.parse().ok()?);
            rest = after;
        } else {
            let (count, after) = word(next);
            pairs.push(PairRecord { count: count.parse().ok()?, ..PairRecord::default() });
            rest = after;
        }
    }
    let frame = FrameRecord { number: number.parse().ok()?, time: time.parse().ok()?, states, pairs };
    rest.is_empty().then_some(frame)
}

/// The text before the next space, and the rest.
fn word(text: &str) -> (&str, &str) {
    text.split_at(text.find(' ').unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{ContactKey, NONE};

    const TEXT: &str = "palpate contacts 3
every 1, all contacts
lengths to 1e-9 m, directions and weights to 1e-6
pair: element of a ~ element of b, id | depth, point of a, point of b, metres | direction, weights
pair 0: a by margin : b by x margin 0.25
pair 1: a : a by y margin 0
frame 0 at 0 s: 0 0
frame 10 at 0.5 s: 1 (open_surface winding_number) 2
  0: edge 1 7 cell 4 child 2 ~ point id 9 | 0.5 1 2 3 1 2.5 3 0.75 | 0 1 0 0.25 0.75
  1: point ~ point id 0 | 0.5 1 2 3 1 2.5 3 | 0 1 0 0.5
  1: point ~ point child 3 id 0 | 0.5 1 2 3 1 2.5 3 | 0 1 0
";

    #[test]
    fn a_parsed_snapshot_is_written_unchanged() {
        let snapshot: ContactSnapshot = TEXT.parse().unwrap();
        assert_eq!(snapshot.to_string(), TEXT);
        assert_eq!(snapshot.pairs[0].names, "a by margin : b");
        let pairs = &snapshot.frames[1].pairs;
        assert_eq!(pairs[0].flags, "open_surface winding_number");
        assert_eq!(pairs[0].contacts[0].key, ContactKey { id: 9, children: [2, NONE] });
        assert_eq!(pairs[0].contacts[0].depth_upper, Some(0.75));
        assert_eq!(pairs[1].contacts[0].time_of_impact, Some(0.5));
        assert_eq!(pairs[1].contacts[1].key, ContactKey { id: 0, children: [NONE, 3] });
    }

    #[test]
    fn frames_are_checked_against_the_options() {
        let counts = "palpate contacts 3
every 10, counts
lengths to 1e-3 m, directions and weights to 1e-6
frame: number of contacts of each pair, their greatest depth in metres
pair 0: a : b by x margin 0.25
pair 1: a : a by y margin 0
frame 0 at 0 s: 0 0
frame 10 at 0.5 s: 1 (open_surface) deepest -0.25 12 deepest 0.5
";
        let snapshot: ContactSnapshot = counts.parse().unwrap();
        assert_eq!(snapshot.to_string(), counts);
        assert_eq!(snapshot.frames[1].pairs[0].greatest_depth, Some(-0.25));
        let deepest =
            TEXT.replace("every 1, all contacts", "every 1, deepest 2").replace("number) 2", "number) 9");
        assert_eq!(deepest.parse::<ContactSnapshot>().unwrap().to_string(), deepest);
        for text in [counts.replace(" deepest 0.5", ""), deepest.replace("deepest 2", "deepest 3")] {
            assert!(text.parse::<ContactSnapshot>().unwrap_err().to_string().contains("the options ask for"));
        }
    }

    #[test]
    fn errors_name_the_invalid_line() {
        let error = |text: &str| text.parse::<ContactSnapshot>().unwrap_err().to_string();
        assert!(error("").starts_with("line 1: found \"the end of the text\""));
        assert!(error("palpate contacts 4\n").starts_with("line 1: found \"palpate contacts 4\""));
        for (from, to, line) in [
            ("all contacts", "some contacts", 2),
            ("lengths to 1e-9 m", "lengths to x m", 3),
            (" margin 0\n", " margin x\n", 6),
            ("0 s: 0 0", "0 s: 0", 7),
            ("0 s: 0 0", "0 s: 0  0", 7),
            ("0 s: 0 0", "0 s: 0 deepest 1 0", 7),
            ("number) 2", "number) 3", 8),
            ("number) 2", "number 2", 8),
            ("| 0.5 1 2 3 1 2.5 3 0.75 |", "| x 1 2 3 1 2.5 3 |", 9),
            ("0 1 0 0.5\n", "0 1\n", 10),
            ("child 3 id 0", "child x id 0", 11),
            ("  1: point ~ point child", "  2: point ~ point child", 11),
        ] {
            let error = error(&TEXT.replace(from, to));
            assert!(error.starts_with(&format!("line {line}: found")), "{from}: {error}");
        }
    }

    #[test]
    fn an_older_format_is_named_in_the_error() {
        let error = "palpate contacts 1\nlengths\n".parse::<ContactSnapshot>().unwrap_err().to_string();
        assert_eq!(
            error,
            "line 1: found \"palpate contacts 1\", wanted \"palpate contacts 3\": take the snapshot again"
        );
    }
}
