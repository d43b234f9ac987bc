//! The laws by which a single case is judged: functions of the detectors (mutated or not) and the case.

mod bounds;
mod memory;
mod mirror;
mod motion;
mod once;
mod order;
pub mod outcome;
mod record;
mod scale;
mod separation;
pub mod sheets;
pub mod solids;
mod truth;

use crate::{Case, Subject};

pub use order::refitted;
pub use truth::{Measured, TRUTH, matches, measured};

/// Judges one case: the number of contacts judged, or the violation.
pub type Judge = fn(&Subject<'_>, &Case) -> Result<usize, String>;

/// A law by name.
#[derive(Clone, Copy)]
pub struct Law {
    /// The name.
    pub name: &'static str,
    /// The judge.
    pub judge: Judge,
    /// Whether it also holds in the degenerate regime.
    pub degenerate: bool,
}

/// All laws that judge a case.
pub const LAWS: [Law; 10] = [
    Law { name: "mirror", judge: mirror::mirror, degenerate: true },
    Law { name: "motion", judge: motion::motion, degenerate: false },
    Law { name: "scale", judge: scale::scale, degenerate: true },
    Law { name: "order", judge: order::order, degenerate: true },
    Law { name: "once", judge: once::once, degenerate: true },
    Law { name: "separation", judge: separation::separation, degenerate: true },
    Law { name: "record", judge: record::record, degenerate: true },
    Law { name: "bounds", judge: bounds::bounds, degenerate: true },
    Law { name: "truth", judge: truth::truth, degenerate: true },
    Law { name: "memory", judge: memory::memory, degenerate: true },
];

/// The law of this name.
pub fn law(name: &str) -> Option<Law> {
    LAWS.into_iter().find(|law| law.name == name)
}
