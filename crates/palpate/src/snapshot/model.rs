//! Contents of a snapshot.

use super::line::ContactLine;
use super::selection::Selection;
use super::tolerance::Tolerance;

/// The first line of every snapshot: the format and its version.
pub(super) const TITLE: &str = "palpate contacts 2";

/// The contacts of a session, with numbers rounded to the written digits: parsing the text of a snapshot gives an equal
/// snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSnapshot {
    pub(super) selection: Selection,
    pub(super) tolerance: Tolerance,
    pub(super) pairs: Vec<PairLine>,
    pub(super) frames: Vec<FrameRecord>,
}

/// A pair, its detector and its margin.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PairLine {
    /// Both names, as `a : b`.
    pub(super) names: String,
    pub(super) detector: String,
    /// Metres.
    pub(super) margin: f64,
}

/// The contacts of a frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FrameRecord {
    /// Its number in the recording, from 0.
    pub(super) number: usize,
    /// Seconds.
    pub(super) time: f64,
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
