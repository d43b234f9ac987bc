//! The contacts of a recorded session as a stable text: what a simulator's own tests compare with.
//!
//! ```no_run
//! # fn main() -> Result<(), palpate::snapshot::SnapshotError> {
//! let text = palpate::snapshot::session("data/demo.vtkhdf")?;
//! insta::assert_snapshot!(text);
//! # Ok(())
//! # }
//! ```
//!
//! Counts and ids are exact. Lengths are printed to the power of ten at or below 1e-9 of the diagonal of the scene's
//! bounds in the first frame, directions and weights to six places; two snapshots agree when their numbers differ by no
//! more than the tolerances that the first of them states. Minus zero is printed as zero.

mod compare;
mod error;
mod line;
mod parse;
mod take;
mod write;

pub use error::SnapshotError;
pub use take::session;

use line::ContactLine;

/// The first line of every snapshot: the format and its version.
const TITLE: &str = "palpate contacts 1";

/// Lengths are compared to this part of the scene's diagonal.
const LENGTH_TOLERANCE: f64 = 1e-9;

/// Directions and weights are compared to this, relative to 1.
const UNIT_TOLERANCE: f64 = 1e-6;

/// Decimals of directions and weights: those that [`UNIT_TOLERANCE`] can tell apart.
const UNIT_DECIMALS: usize = 6;

/// The contacts of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The diagonal of the scene's bounds in the first frame, in metres; unbounded objects not counted.
    diagonal: f64,
    /// A line per pair: names, detector, margin.
    pairs: Vec<String>,
    frames: Vec<FrameLines>,
}

/// The contacts of a frame.
#[derive(Clone, Debug, PartialEq)]
struct FrameLines {
    /// Number, time, and what is exact of each pair: its count and flags.
    head: String,
    contacts: Vec<ContactLine>,
}
