//! The contacts of a procedure: a needle that goes in and comes out again, and the thread that follows it.
//!
//! ```text
//! needle, thread ─► Shaft ─┐
//!                          ├─► ShaftTracker::update ─► crossings with ids, path through cells, events
//! organ ──────────► Tissue ┘            ▲
//!                            host: allow (the decision to puncture)
//! ```
//!
//! A [`ShaftTracker`] says where a shaft passes through the surface of a tissue, in order, each place with an id that lasts,
//! which tetrahedra it passes through, and what changed. Everything here is geometry: forces, and the decision whether a tip
//! punctures, are the host's ([`PunctureRule`] is one as data).

mod crossing;
mod error;
mod event;
mod matching;
mod path;
mod search;
mod shaft;
mod sides;
mod tracker;

pub use crossing::{Crossing, CrossingId, Passing, Stay, Tissue};
pub use error::ProcedureError;
pub use event::{Candidate, Event, PunctureRule};
pub use shaft::{Shaft, ShaftPlace};
pub use tracker::ShaftTracker;
