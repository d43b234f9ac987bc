//! Contents of a snapshot.

use super::input_line::{Fingerprint, ObjectLine};
use super::line::ContactLine;
use super::selection::Selection;
use super::tolerance::Tolerance;

/// The first line of every snapshot: the format and its version.
pub(super) const TITLE: &str = "palpate contacts 3";

/// The start of the line with the version of palpate.
pub(super) const VERSION: &str = "by palpate ";

/// The contacts of a session, with numbers rounded to the written digits: parsing the text of a snapshot gives an equal
/// snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSnapshot {
    pub(super) selection: Selection,
    pub(super) tolerance: Tolerance,
    /// The version of palpate; `None` if the text does not say it.
    pub(super) version: Option<String>,
    /// What the pairs are made of; empty if the text does not say it.
    pub(super) objects: Vec<ObjectLine>,
    pub(super) pairs: Vec<PairLine>,
    pub(super) frames: Vec<FrameRecord>,
}

impl ContactSnapshot {
    /// The number of frames in it.
    pub fn frame_count(&self) -> usize {
        self.frames.len()
    }

    /// The number of contacts of all its frames, listed or not.
    pub fn contact_count(&self) -> u64 {
        self.frames.iter().flat_map(|frame| &frame.pairs).map(|pair| pair.count as u64).sum()
    }

    /// The pairs, as `a : b`.
    pub(crate) fn pair_names(&self) -> impl Iterator<Item = &str> {
        self.pairs.iter().map(|pair| pair.names.as_str())
    }

    /// The number of contacts of the pairs of this name in all frames.
    pub(crate) fn contacts_of(&self, names: &str) -> u64 {
        let own: Vec<usize> =
            (0..self.pairs.len()).filter(|&number| self.pairs[number].names == names).collect();
        let counts = self.frames.iter().flat_map(|frame| own.iter().map(|&number| frame.pairs[number].count));
        counts.map(|count| count as u64).sum()
    }
}

/// A pair, its detector and its margin.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PairLine {
    /// Both names, as `a : b`.
    pub(super) names: String,
    pub(super) detector: String,
    /// Metres.
    pub(super) margin: f64,
    /// All settings of the detector; null if the text does not say them.
    pub(super) settings: serde_json::Value,
}

/// The contacts of a frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FrameRecord {
    /// Its number in the recording, from 0.
    pub(super) number: usize,
    /// Seconds.
    pub(super) time: f64,
    /// In the order of [`ContactSnapshot::objects`]; empty if the text does not say them.
    pub(super) states: Vec<Fingerprint>,
    /// In the order of [`ContactSnapshot::pairs`].
    pub(super) pairs: Vec<PairRecord>,
}

/// The contacts of a pair in a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PairRecord {
    /// How many contacts the pair has.
    pub(super) count: usize,
    /// The names of the detector's flags, separated by spaces; may be empty.
    pub(super) flags: String,
    /// Metres; only with [`Detail::Counts`](super::Detail::Counts) and at least one contact.
    pub(super) greatest_depth: Option<f64>,
    /// The contacts chosen by the [`Selection`], in the order of the detector.
    pub(super) contacts: Vec<ContactLine>,
}
