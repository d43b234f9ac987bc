//! Comparison of contacts: of two files of contacts, sessions or snapshots ([`compare_files`]), or of lists in memory.
//!
//! Contacts are matched within their frame and pair by their [key](crate::contact::Contact::key), then, where keys differ, by
//! place. A [`Policy`] says which differences count; the [`Report`] has them by frame and by pair, the first in time, and the
//! largest.
//!
//! ```no_run
//! # fn main() -> Result<(), palpate::diff::DiffError> {
//! use palpate::diff::{Options, Policy, Tolerance, compare, open};
//! use palpate::replay::ReplayOptions;
//!
//! let mut baseline = open("baseline-contacts.h5", &ReplayOptions::default())?;
//! let mut now = open("session.vtkhdf", &ReplayOptions::default())?;
//! let policy = Policy::Tolerance(Tolerance { length: 1e-6, ..Tolerance::default() });
//! let report = compare(&mut *baseline, &mut *now, &Options { policy, ..Options::default() })?;
//! assert!(report.agrees(), "{report}");
//! # Ok(())
//! # }
//! ```

mod changes;
mod compare;
mod error;
mod files;
mod frames;
mod junit;
mod matching;
mod of_snapshots;
mod options;
mod pairs;
mod report;
mod source;
mod tally;

pub use compare::compare;
pub use error::DiffError;
pub use files::compare_files;
pub use of_snapshots::compare_snapshots;
pub use options::{Options, Policy, Tolerance};
pub use report::{Finding, FrameReport, Kind, PairReport, Report};
pub use source::{ContactList, ContactSource, InputState, open};
