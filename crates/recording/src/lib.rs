//! Recorded sessions and contacts of palpate in HDF5, in VTK's own VTKHDF layout, which ParaView opens directly.
//!
//! [`Writer`] records a session frame by frame, [`Reader`] plays back palpate sessions and foreign VTKHDF files.
//! The layout of the files is in `docs/recording.md`. Lengths are in metres, times in seconds, coordinates in the
//! world frame.

mod compact;
mod compaction;
mod contacts;
mod container;
mod convert;
mod display;
mod error;
#[cfg(test)]
mod faults;
mod frame;
mod header;
mod journal;
mod limits;
mod missing;
mod note;
mod paths;
mod reader;
mod session;
mod sources;
mod validate;
mod vtkhdf;
mod writer;

pub use compaction::{CompactOptions, CompactReport, compact, compact_with};
pub use contacts::{ContactFrame, ContactPair, ContactsOptions, ContactsReader, ContactsWriter};
pub use container::{Library, ReadOptions};
pub use error::RecordingError;
pub use frame::{Frame, Placement, Primitive, ShapeChange, State, TopologyChange};
pub use missing::Missing;
pub use note::Note;
pub use palpate_files::Replacement;
pub use palpate_math::{Limits, Point};
pub use reader::{Reader, Verified};
pub use session::{ObjectInfo, PairInfo, PartOf, SessionInfo, Topology};
pub use writer::{Durability, Recovered, Writer, WriterOptions, discard, recover};
