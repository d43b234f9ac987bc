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

mod across;
mod blade;
mod cautery;
mod complex;
mod crossing;
mod divisible;
mod division;
mod error;
mod event;
mod grasp;
mod matching;
mod part;
mod path;
mod search;
mod shaft;
mod sides;
mod sweep;
mod tracker;
mod tube;

pub use blade::{Blade, SweptCell, swept_cells};
pub use cautery::cauterize;
pub use complex::CutLimits;
pub use crossing::{Crossing, CrossingId, Passing, Stay, Tissue};
pub use divisible::Divisible;
pub use division::{Division, NewVertex};
pub use error::ProcedureError;
pub use event::{Candidate, Event, PunctureRule};
pub use grasp::{Grasp, GraspId, GraspTracker};
pub use shaft::{Shaft, ShaftPlace};
pub use sweep::{EdgeCut, Sweep};
pub use tracker::ShaftTracker;
pub use tube::{Centreline, CentrelinePlace, LumenContact, LumenLimits, lumen_contacts};
