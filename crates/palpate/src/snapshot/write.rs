//! Writing of a snapshot as text.

use super::model::{ContactSnapshot, FrameRecord, PairLine, TITLE, VERSION};
use super::selection::Detail;
use std::fmt;

/// The columns of a contact's line.
const CONTACT: &str =
    "pair: element of a ~ element of b, id | depth, point of a, point of b, metres | direction, weights";

/// The columns of a frame's line if no contacts are listed.
const COUNTS: &str = "frame: number of contacts of each pair, their greatest depth in metres";

impl fmt::Display for ContactSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}")?;
        writeln!(f, "{}", self.selection)?;
        writeln!(f, "{}", self.tolerance)?;
        writeln!(f, "{}", if self.selection.detail == Detail::Counts { COUNTS } else { CONTACT })?;
        if let Some(version) = &self.version {
            writeln!(f, "{VERSION}{version}")?;
        }
        for (number, object) in self.objects.iter().enumerate() {
            writeln!(f, "object {number}: {object}")?;
        }
        for (number, pair) in self.pairs.iter().enumerate() {
            writeln!(f, "pair {number}: {pair}")?;
        }
        self.frames.iter().try_for_each(|frame| write!(f, "{frame}"))
    }
}

impl fmt::Display for PairLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {} margin {}", self.names, self.detector, self.margin)?;
        if self.settings.is_null() { Ok(()) } else { write!(f, " settings {}", self.settings) }
    }
}

impl fmt::Display for FrameRecord {
    /// Writes a line with the index, the time, the states of the objects, and the count, flags and greatest depth of each pair, then a line per contact.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "frame {} at {} s", self.number, self.time)?;
        for (number, state) in self.states.iter().enumerate() {
            write!(f, "{}{state}", if number == 0 { ", " } else { " " })?;
        }
        write!(f, ":")?;
        for pair in &self.pairs {
            write!(f, " {}", pair.count)?;
            if !pair.flags.is_empty() {
                write!(f, " ({})", pair.flags)?;
            }
            if let Some(depth) = pair.greatest_depth {
                write!(f, " deepest {depth}")?;
            }
        }
        writeln!(f)?;
        for (number, pair) in self.pairs.iter().enumerate() {
            pair.contacts.iter().try_for_each(|line| writeln!(f, "  {number}: {line}"))?;
        }
        Ok(())
    }
}
