//! The rows of all contacts of a step.

use super::body::State;
use super::row::{Entry, Link, Row};
use crate::RowKey;
use crate::warm::{Memory, Previous};

/// The rows of all contacts of a step, and the multipliers of the previous step. Reuse it: once its lists are as long as
/// needed, nothing touches the heap.
#[derive(Clone, Debug)]
pub struct Rows {
    pub(super) rows: Vec<Row>,
    pub(super) entries: Vec<Entry>,
    pub(super) links: Vec<Link>,
    pub(super) previous: Previous,
    pub(super) step: f64,
}

impl Rows {
    /// No rows, for steps (or substeps) of `step` seconds.
    pub fn new(step: f64) -> Self {
        Self { rows: Vec::new(), entries: Vec::new(), links: Vec::new(), previous: Previous::default(), step }
    }

    /// Changes the length of the step, in seconds, from the next [`gather`](Self::gather) on.
    pub fn set_step(&mut self, step: f64) {
        self.step = step;
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Starts the rows with `factor` times the multipliers that the rows of the same keys had in the previous step, and
    /// moves the particles and bodies accordingly. A factor of 1 suits steps of equal length; multipliers scale with the
    /// square of the step. Rows are matched by key, in whatever order they are; new ones start from 0.
    pub fn warm_start(&mut self, state: &mut State<'_>, factor: f64) {
        for row in &mut self.rows {
            let key: RowKey = row.key;
            if let Some(memory) = self.previous.find(&key) {
                row.multipliers = memory.multipliers;
                row.warm_start(&self.entries[row.range()], state, factor);
            }
        }
    }

    /// Begins another substep with the same contacts: multipliers start from 0 and the speed of approach is measured again.
    /// Without it a row could take back in this substep what it pushed in the one before: it would pull. Call it before
    /// [`reproject`](Self::reproject).
    pub fn begin_substep(&mut self) {
        for row in &mut self.rows {
            row.multipliers = [0.0; 3];
            row.approach = f64::NAN;
        }
    }

    /// Makes the rows those of the previous step, and clears them.
    pub(super) fn turn_over(&mut self) {
        self.previous.replace(self.rows.iter().map(|row| Memory {
            key: row.key,
            direction: row.direction,
            tangents: row.tangents,
            multipliers: row.multipliers,
        }));
        self.rows.clear();
        self.entries.clear();
        self.links.clear();
    }
}
