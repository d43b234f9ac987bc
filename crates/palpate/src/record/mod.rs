//! Recording a scene: its geometries and pairs once, then a frame for every step.
//!
//! ```text
//! Scene ──► Recorder ── ObjectInfo, PairInfo; Frame ──► Writer
//! ```
//!
//! A [`Replay`](crate::replay::Replay) of the recording has the contacts of the recorded steps, to the last bit.

mod error;
mod object;
mod objects;
mod pairs;
mod precision;
mod recorder;
mod ring;
mod ring_frames;
mod trigger;

pub use error::RecordError;
pub(crate) use object::{shape as object_shape, take_state as object_state, topology as object_cells};
pub(crate) use objects::{NamedGeometry, named_geometries};
pub use precision::Precision;
pub use recorder::{Recorder, RecorderOptions};
pub use ring::{RecordRing, RingOptions, RingRecorder};
pub use trigger::Trigger;
