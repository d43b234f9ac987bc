//! The benchmarks of palpate: inputs from fixed seeds, the detectors bound to them, and parry for comparison where
//! it has the same query.
//!
//! Instructions and the meaning of the figures are in `docs/benchmark-tables.md`.

pub mod cases;
pub mod command;
pub mod figures;
pub mod generated;
pub mod imstk;
mod inputs;
mod parry;
mod sample;
pub mod soak;
mod table;
mod timing;
pub mod w1;
pub mod w2;
pub mod w3;
pub mod w4;
pub mod w5;
mod workload;

pub use table::{Row, header};
pub use timing::{PeerTiming, Timing, measure, measure_pairs};
pub use workload::{Case, Peer, Question, Workload};

/// A result whose error is only to be shown.
pub type Fallible<T> = Result<T, Box<dyn std::error::Error>>;
