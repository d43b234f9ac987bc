//! Contents of a snapshot.

use super::line::ContactLine;
use super::selection::Selection;
use super::tolerance::Tolerance;

/// The first line of every snapshot: the format and its version.
pub(super) const TITLE: &str = "palpate contacts 2";

/// The contacts of a session, with the numbers rounded as they are written: a snapshot that is read from the text of
/// another is equal to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    pub(super) selection: Selection,
    pub(super) tolerance: Tolerance,
    pub(super) pairs: Vec<PairLine>,
    pub(super) frames: Vec<FrameRecord>,
}

/// Which pair, and how it is detected.
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
    /// In the order of [`Snapshot::pairs`].
    pub(super) pairs: Vec<PairRecord>,
}

/// The contacts of a pair in a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PairRecord {
    /// How many contacts the pair has.
    pub(super) count: usize,
    /// The words of the detector's flags, with blanks between; empty without any.
    pub(super) flags: String,
    /// Metres; where [`Detail::Counts`](super::Detail::Counts) asks for it and there is a contact.
    pub(super) greatest_depth: Option<f64>,
    /// Those that the [`Selection`] asks for, in the order of the detector.
    pub(super) contacts: Vec<ContactLine>,
}
