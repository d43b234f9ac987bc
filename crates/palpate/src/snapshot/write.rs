//! A snapshot as text.

use super::model::{FrameRecord, PairLine, Snapshot, TITLE};
use std::fmt;

/// What the columns of a contact's line are.
const COLUMNS: &str =
    "pair: element of a ~ element of b, id | depth, point of a, point of b, metres | direction, weights";

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}")?;
        writeln!(f, "{}", self.tolerance)?;
        writeln!(f, "{COLUMNS}")?;
        for (number, pair) in self.pairs.iter().enumerate() {
            writeln!(f, "pair {number}: {pair}")?;
        }
        self.frames.iter().try_for_each(|frame| write!(f, "{frame}"))
    }
}

impl fmt::Display for PairLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {} margin {}", self.names, self.detector, self.margin)
    }
}

impl fmt::Display for FrameRecord {
    /// A line with the number, the time, and the count and the flags of each pair; a line per contact.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "frame {} at {} s:", self.number, self.time)?;
        for pair in &self.pairs {
            write!(f, " {}", pair.count)?;
            if !pair.flags.is_empty() {
                write!(f, " ({})", pair.flags)?;
            }
        }
        writeln!(f)?;
        for (number, pair) in self.pairs.iter().enumerate() {
            pair.contacts.iter().try_for_each(|line| writeln!(f, "  {number}: {line}"))?;
        }
        Ok(())
    }
}
