//! One difference between two snapshots.

use std::fmt;

/// What became of a part of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is another, beyond the tolerance.
    Changed,
}

/// One difference between two snapshots. Its text is one line: `+`, `-` or `~`, where, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// What became of it.
    pub change: Change,
    /// The number of the frame in its recording, from 0; `None` for what is not of a frame.
    pub frame: Option<usize>,
    /// The names of the pair, as `a : b`; `None` for what is not of a pair.
    pub pair: Option<String>,
    /// What it is; of a number that has changed also what it was, what it is, and by how much.
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
            Change::Added => '+',
            Change::Removed => '-',
            Change::Changed => '~',
        };
        write!(f, "{sign} ")?;
        match (self.frame, &self.pair) {
            (Some(frame), Some(pair)) => write!(f, "frame {frame}, {pair}: ")?,
            (Some(frame), None) => write!(f, "frame {frame}: ")?,
            (None, Some(pair)) => write!(f, "{pair}: ")?,
            (None, None) => {}
        }
        f.write_str(&self.what)
    }
}
