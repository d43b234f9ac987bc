//! The contacts of a recorded session as a stable text: what a simulator's own tests compare with.
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
//! Contacts are matched by their key ([`Contact::key`](crate::contact::Contact::key)) within their frame and pair: one that
//! comes in between shifts no other. Counts, keys, elements, names and the order of the contacts are exact. Lengths agree
//! up to a tolerance in metres, directions and weights up to one without unit; both are stated in the text, as are the
//! [options](SnapshotOptions) that say which frames and contacts are in it.

mod assert_contacts;
mod compare;
mod compare_pair;
mod difference;
mod error;
mod line;
mod line_text;
mod matching;
mod model;
mod options;
mod parse;
mod selection;
mod take;
mod tolerance;
mod write;

pub use assert_contacts::text_differences;
pub use difference::{Change, Difference};
pub use error::SnapshotError;
pub use model::Snapshot;
pub use options::SnapshotOptions;
pub use selection::Detail;
pub use take::session;
