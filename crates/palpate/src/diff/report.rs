//! The result of a comparison.

use crate::snapshot::Difference;
use serde::Serialize;
use std::fmt;

/// The kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Kind {
    /// The baseline has no contacts, and that was not allowed.
    EmptyBaseline,
    /// A pair, or a name or the detector of one, is another.
    Pair,
    /// A frame is in one source only, or its time is another.
    Frame,
    /// A contact is only in the second.
    Added,
    /// A contact is only in the first.
    Lost,
    /// The id, a child or an element is another.
    Renamed,
    /// Sides A and B are exchanged.
    Exchanged,
    /// The same contacts in another order.
    Reordered,
    /// A point is elsewhere.
    Moved,
    /// The direction is another.
    Turned,
    /// The depth is greater.
    Deeper,
    /// The depth is less.
    Shallower,
    /// A bound of the depth, a weight or a time of impact is another.
    Values,
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Self; 13] = [
        Self::EmptyBaseline,
        Self::Pair,
        Self::Frame,
        Self::Added,
        Self::Lost,
        Self::Renamed,
        Self::Exchanged,
        Self::Reordered,
        Self::Moved,
        Self::Turned,
        Self::Deeper,
        Self::Shallower,
        Self::Values,
    ];

    /// The kind in a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::EmptyBaseline => "empty baseline",
            Self::Pair => "pair",
            Self::Frame => "frame",
            Self::Added => "added",
            Self::Lost => "lost",
            Self::Renamed => "renamed",
            Self::Exchanged => "exchanged",
            Self::Reordered => "reordered",
            Self::Moved => "moved",
            Self::Turned => "turned",
            Self::Deeper => "deeper",
            Self::Shallower => "shallower",
            Self::Values => "values",
        }
    }
}

/// One difference that counts. `Display` writes it in one line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// What kinds of differences it is: a contact may have moved and be deeper.
    pub kinds: Vec<Kind>,
    /// The number of the frame; `None` if it is not of one frame.
    pub frame: Option<u64>,
    /// The pair, as `a : b`; `None` if it is not of one pair.
    pub pair: Option<String>,
    /// The contact and what differs, in words.
    pub what: String,
    /// Metres: how far a point has moved or the depth has changed; of a contact that is added or lost its depth.
    pub size: f64,
}

/// The differences of a pair.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PairReport {
    /// The pair, as `a : b`.
    pub pair: String,
    /// Contacts of the pair in the first and the second source.
    pub contacts: [u64; 2],
    /// How many of each kind; kinds without any are absent.
    pub counts: std::collections::BTreeMap<Kind, u64>,
    /// The first frame that differs.
    pub first_frame: Option<u64>,
    /// The last frame that differs.
    pub last_frame: Option<u64>,
    /// Frames that differ.
    pub frames: u64,
    /// Metres: the largest [`Finding::size`].
    pub largest: f64,
}

/// A frame that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FrameReport {
    /// Its number.
    pub frame: u64,
    /// Differences of contacts in it.
    pub differences: u64,
}

/// The result of a comparison. `Display` writes the verdict, the changes of the input, the first and the worst difference,
/// and a line for each pair that differs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// Frames in both.
    pub frames: u64,
    /// Contacts of the first and of the second source.
    pub contacts: [u64; 2],
    /// Differences that count.
    pub differences: u64,
    /// What the contacts were computed from and differs, where both sources know it: a line each.
    pub input: Vec<String>,
    /// Whether a difference of the input counts as one: under [`Policy::Exact`](super::Policy::Exact).
    pub input_counts: bool,
    /// The first difference in time.
    pub first: Option<Finding>,
    /// The one of the largest size.
    pub worst: Option<Finding>,
    /// By pair, with those that agree.
    pub pairs: Vec<PairReport>,
    /// Frames that differ.
    pub differing_frames: Vec<FrameReport>,
    /// The first differences one by one, as many as were asked for.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Whether nothing that counts differs.
    pub fn agrees(&self) -> bool {
        self.counted() == 0
    }

    /// All differences that count, those of the input among them if they do.
    pub fn counted(&self) -> u64 {
        self.differences + if self.input_counts { self.input.len() as u64 } else { 0 }
    }

    pub(super) fn add_input(&mut self, found: Vec<Difference>) {
        self.input.extend(found.into_iter().map(|difference| difference.to_string()));
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<&str> = self.kinds.iter().map(|kind| kind.name()).collect();
        write!(f, "{}", kinds.join(", "))?;
        if let Some(frame) = self.frame {
            write!(f, ", frame {frame}")?;
        }
        if let Some(pair) = &self.pair {
            write!(f, ", {pair}")?;
        }
        write!(f, ": {}", self.what)
    }
}

impl fmt::Display for PairReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} contacts, now {}", self.pair, self.contacts[0], self.contacts[1])?;
        for (kind, count) in &self.counts {
            write!(f, ", {count} {}", kind.name())?;
        }
        if let (Some(first), Some(last)) = (self.first_frame, self.last_frame) {
            write!(f, "; in {} frames, {first} to {last}; largest {:.3e} m", self.frames, self.largest)?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.input {
            writeln!(f, "{line}")?;
        }
        let [was, is] = self.contacts;
        if self.differences == 0 {
            return writeln!(f, "{} frames, {was} contacts: the contacts agree", self.frames);
        }
        writeln!(f, "{} differences in {} frames, {was} contacts and {is}", self.differences, self.frames)?;
        for (name, finding) in [("first", &self.first), ("worst", &self.worst)] {
            if let Some(finding) = finding {
                writeln!(f, "{name}: {finding}")?;
            }
        }
        self.pairs.iter().filter(|pair| !pair.counts.is_empty()).try_for_each(|pair| writeln!(f, "{pair}"))
    }
}
