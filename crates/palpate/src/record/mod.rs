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
mod recorder;

pub use error::RecordError;
pub use recorder::Recorder;
