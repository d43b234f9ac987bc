//! One difference between two snapshots.

use std::fmt;

/// The kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Not a contact differs, but what the contacts are computed from: geometry, settings, the version.
    Input,
    /// Present only in the second snapshot.
    Added,
    /// Present only in the first snapshot.
    Removed,
    /// In both, but different beyond the tolerance.
    Changed,
}

/// One difference between two snapshots. `Display` writes one line: `+`, `-`, `~` or `!`, the location, and the difference.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The kind of the difference.
    pub change: Change,
    /// The index of the frame in the recording, from 0; `None` if the difference is not specific to a frame.
    pub frame: Option<usize>,
    /// The names of the pair, as `a : b`; `None` if the difference is not specific to a pair.
    pub pair: Option<String>,
    /// A description; for a changed number with the old value, the new value and the change.
    pub what: String,
}

impl Difference {
    pub(super) fn new(change: Change, frame: Option<usize>, pair: Option<&str>, what: String) -> Self {
        Self { change, frame, pair: pair.map(str::to_owned), what }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.change {
            Change::Input => '!',
            Change::Added => '+',
            Change::Removed => '-',
            Change::Changed => '~',
        };
        write!(f, "{sign} ")?;
        if self.change == Change::Input {
            match self.frame {
                Some(frame) => write!(f, "input, frame {frame}: ")?,
                None => write!(f, "input: ")?,
            }
            return f.write_str(&self.what);
        }
        match (self.frame, &self.pair) {
            (Some(frame), Some(pair)) => write!(f, "frame {frame}, {pair}: ")?,
            (Some(frame), None) => write!(f, "frame {frame}: ")?,
            (None, Some(pair)) => write!(f, "{pair}: ")?,
            (None, None) => {}
        }
        f.write_str(&self.what)
    }
}
