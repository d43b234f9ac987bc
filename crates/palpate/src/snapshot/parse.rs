//! A snapshot from its text.

use super::line::ContactLine;
use super::{FrameLines, LENGTH_TOLERANCE, Snapshot, SnapshotError, TITLE};
use std::str::FromStr;

/// Lines before the pairs.
const HEADER_LINES: usize = 3;

impl FromStr for Snapshot {
    type Err = SnapshotError;

    /// Reads what [`Snapshot`] writes. Errors: the first line that is not of a snapshot.
    fn from_str(text: &str) -> Result<Self, SnapshotError> {
        let lines: Vec<&str> = text.lines().collect();
        if lines.first() != Some(&TITLE) {
            return Err(invalid(0, &lines, "the title of a snapshot, \"palpate contacts 1\""));
        }
        let diagonal = diagonal(lines.get(1).copied().unwrap_or_default())
            .ok_or_else(|| invalid(1, &lines, "the tolerances"))?;
        if lines.len() < HEADER_LINES {
            return Err(invalid(2, &lines, "the columns"));
        }
        let mut snapshot = Self { diagonal, pairs: Vec::new(), frames: Vec::new() };
        for (number, line) in lines.iter().enumerate().skip(HEADER_LINES) {
            snapshot.read(line).ok_or_else(|| invalid(number, &lines, "a pair, a frame or a contact"))?;
        }
        Ok(snapshot)
    }
}

impl Snapshot {
    fn read(&mut self, line: &str) -> Option<()> {
        if let Some(pair) = line.strip_prefix("pair ") {
            self.pairs.push(pair.split_once(": ")?.1.to_owned());
        } else if line.starts_with("frame ") {
            self.frames.push(FrameLines { head: line.to_owned(), contacts: Vec::new() });
        } else {
            self.frames.last_mut()?.contacts.push(contact(line.strip_prefix("  ")?)?);
        }
        Some(())
    }
}

fn diagonal(line: &str) -> Option<f64> {
    let rest = line.strip_prefix(&format!("lengths to {LENGTH_TOLERANCE:e} of "))?;
    rest.split_once(" m, ")?.0.parse().ok().filter(|diagonal: &f64| diagonal.is_finite())
}

fn contact(line: &str) -> Option<ContactLine> {
    let mut parts = line.split(" | ");
    let (exact, lengths, units) = (parts.next()?, parts.next()?, parts.next()?);
    let line = ContactLine { exact: exact.to_owned(), lengths: numbers(lengths)?, units: numbers(units)? };
    parts.next().is_none().then_some(line)
}

fn numbers(text: &str) -> Option<Vec<f64>> {
    text.split(' ').map(|word| word.parse().ok()).collect()
}

fn invalid(line: usize, lines: &[&str], wanted: &'static str) -> SnapshotError {
    let found = lines.get(line).copied().unwrap_or("the end of the text").to_owned();
    SnapshotError::Invalid { line: line + 1, found, wanted }
}
