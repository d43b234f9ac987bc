//! The evidence that a medical team asks for, made from the sources and from a run of the tests.
//!
//! ```text
//! data/requirements.json ── with the pages that it points into ──► Requirement
//! `// Proves: REQ-…` above a test ───────────────────────────────► Mark
//! output of `cargo test` ────────────────────────────────────────► Run (results and counts)
//! data/anomalies.json ───────────────────────────────────────────► Anomaly
//! ```
//!
//! [`check`] lists what does not fit together; [`pages`] are the pages of `docs/evidence/`.

mod anomalies;
mod check;
mod error;
mod marks;
mod pages;
mod requirements;
mod run;

pub use anomalies::{Anomaly, State, anomalies, anomalies_page};
pub use check::{Evidence, check};
pub use error::EvidenceError;
pub use marks::{Mark, marks};
pub use pages::{LongRun, fields_page, long_runs, pages, requirements_page, testing_page};
pub use requirements::{Requirement, requirements};
pub use run::{Outcome, Run};
