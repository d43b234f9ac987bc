//! Recorded sessions and contacts of palpate in HDF5, in VTK's own VTKHDF layout: what ParaView opens as it is.
//!
//! [`Writer`] records a session frame by frame, [`Reader`] plays it back, be it palpate's own or VTKHDF by others. The
//! layout of the files is in `docs/recording.md`. Lengths are metres, times seconds, the frame is the world's.

mod contacts;
mod container;
mod convert;
mod display;
mod error;
mod frame;
mod header;
mod journal;
mod paths;
mod reader;
mod session;
mod sources;
mod validate;
mod vtkhdf;
mod writer;

pub use contacts::{ContactFrame, ContactPair, ContactsOptions, ContactsReader, ContactsWriter};
pub use container::Library;
pub use error::RecordingError;
pub use frame::{Frame, Placement, Primitive, ShapeChange, State, TopologyChange};
pub use palpate_math::Point;
pub use reader::{Reader, Verified};
pub use session::{ObjectInfo, PairInfo, PartOf, SessionInfo, Topology};
pub use writer::{Durability, Recovered, Writer, WriterOptions, recover};
