//! The contacts of a recorded session as stable text, for regression tests of a simulator.
//!
//! ```no_run
//! # fn main() -> Result<(), palpate::snapshot::SnapshotError> {
//! use palpate::snapshot::{SnapshotOptions, session};
//!
//! palpate::assert_contacts!(session("data/demo.vtkhdf", &SnapshotOptions::default())?);
//! # Ok(())
//! # }
//! ```
//!
//! Contacts are matched by their key ([`Contact::key`](crate::contact::Contact::key)) within their frame and pair, so
//! an additional contact does not affect the others. Counts, keys, elements, names and the order of the contacts are
//! compared exactly. Lengths are compared with a tolerance in metres, directions and weights with a tolerance without
//! unit. The text also says what the contacts were computed from, so that a changed input is told from changed contacts.
//! It contains both tolerances and the [options](SnapshotOptions) that select frames and contacts.

mod assert_contacts;
mod compare;
mod compare_pair;
mod difference;
mod error;
mod input;
mod input_line;
mod line;
mod line_text;
mod matching;
mod model;
mod options;
mod parse;
mod selection;
mod take;
mod take_input;
mod tolerance;
mod value_changes;
mod write;

pub use assert_contacts::text_differences;
pub(crate) use input::{object_differences, settings_difference};
pub(crate) use input_line::{Fingerprint, ObjectLine};
pub(crate) use take_input::{fingerprints, object_lines};

pub use difference::{Change, Difference};
pub use error::SnapshotError;
pub use model::ContactSnapshot;
pub use options::SnapshotOptions;
pub use selection::Detail;
pub use take::session;
