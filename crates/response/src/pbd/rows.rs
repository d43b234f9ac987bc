//! The rows of all contacts of a step.

use super::body::State;
use super::row::{Anchor, Entry, Link, Lists, Row, Terms};
use crate::warm::Previous;

/// The rows of all contacts of a step, and the multipliers of the previous step. Reuse it: once its lists are as long as
/// needed, nothing touches the heap.
#[derive(Debug)]
pub struct Rows {
    pub(super) rows: Vec<Row>,
    pub(super) entries: Vec<Entry>,
    pub(super) links: Vec<Link>,
    pub(super) anchors: Vec<Anchor>,
    pub(super) terms: Vec<Terms>,
    pub(super) previous: Previous<Row>,
    pub(super) step: f64,
}

impl Clone for Rows {
    fn clone(&self) -> Self {
        let mut rows = Self::new(self.step);
        rows.clone_from(self);
        rows
    }

    /// Keeps the memory of the lists.
    fn clone_from(&mut self, source: &Self) {
        let Self { rows, entries, links, anchors, terms, previous, step } = source;
        self.rows.clone_from(rows);
        self.entries.clone_from(entries);
        self.links.clone_from(links);
        self.anchors.clone_from(anchors);
        self.terms.clone_from(terms);
        self.previous.clone_from(previous);
        self.step = *step;
    }
}

impl Rows {
    /// No rows, for steps (or substeps) of `step` seconds.
    pub fn new(step: f64) -> Self {
        Self {
            rows: Vec::new(),
            entries: Vec::new(),
            links: Vec::new(),
            anchors: Vec::new(),
            terms: Vec::new(),
            previous: Previous::default(),
            step,
        }
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
        self.previous.rewind();
        let lists = Lists { entries: &self.entries, anchors: &self.anchors, terms: &self.terms };
        for row in &mut self.rows {
            if row.is_known
                && let Some(previous) = self.previous.find(&row.key)
            {
                row.multipliers = previous.multipliers;
                row.warm_start(&lists.of(row), state, factor);
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

    /// Removes all rows and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.entries.clear();
        self.links.clear();
        self.anchors.clear();
        self.terms.clear();
    }
}
