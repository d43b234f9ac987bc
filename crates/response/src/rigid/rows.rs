//! The rows of all contacts of a step.

use super::body::Velocity;
use super::rolling::Rolling;
use super::row::{Row, RowMut, RowRef};
use super::settings::Settings;
use super::solver_row::SolverRow;
use crate::warm::Previous;
use std::iter::Zip;
use std::slice;

/// The rows of all contacts of a step, and the impulses of the previous step. Reuse it: once its lists are as long as
/// needed, nothing touches the heap.
#[derive(Debug)]
pub struct Rows {
    pub(super) rows: Vec<Row>,
    /// As many as there are rows.
    pub(super) solver_rows: Vec<SolverRow>,
    /// Of the rows whose material has it.
    pub(super) rolling: Vec<Rolling>,
    pub(super) previous: Previous<Row>,
    pub(super) settings: Settings,
    /// The number of bodies at the last gathering.
    pub(super) body_count: usize,
}

impl Clone for Rows {
    fn clone(&self) -> Self {
        let mut rows = Self::new(self.settings);
        rows.clone_from(self);
        rows
    }

    /// Keeps the memory of the lists.
    fn clone_from(&mut self, source: &Self) {
        let Self { rows, solver_rows, rolling, previous, settings, body_count } = source;
        self.rows.clone_from(rows);
        self.solver_rows.clone_from(solver_rows);
        self.rolling.clone_from(rolling);
        self.previous.clone_from(previous);
        (self.settings, self.body_count) = (*settings, *body_count);
    }
}

impl Rows {
    /// No rows.
    pub fn new(settings: Settings) -> Self {
        let (rows, solver_rows, rolling) = (Vec::new(), Vec::new(), Vec::new());
        Self { rows, solver_rows, rolling, previous: Previous::default(), settings, body_count: 0 }
    }

    /// The settings, which apply from the next [`gather`](Self::gather) on.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// The number of rows: one per contact.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Iterates over the rows, in the order of the pairs and of their contacts.
    pub fn iter(&self) -> Iter<'_> {
        Iter(self.rows.iter().zip(&self.solver_rows))
    }

    /// Iterates over the rows, to solve them.
    pub fn iter_mut(&mut self) -> IterMut<'_> {
        IterMut(self.rows.iter().zip(&mut self.solver_rows))
    }

    /// A row by its number.
    pub fn get(&self, index: usize) -> Option<RowRef<'_>> {
        Some(RowRef { row: self.rows.get(index)?, solver: self.solver_rows.get(index)? })
    }

    /// One step of projected Gauss–Seidel of [rolling friction](crate::Material::rolling_friction): call it after the rows of an
    /// iteration. The moment is across the normal (what spins about it does not roll), and no greater than the coefficient times the
    /// normal impulse. Nothing without rows that have a coefficient.
    ///
    /// Source: J. Ai, J.-F. Chen, J. M. Rotter, J. Y. Ooi, "Assessment of rolling resistance models in discrete element simulations" (2011),
    /// section 2.1: a moment of constant size against the relative rotation.
    pub fn solve_rolling(&mut self, velocities: &mut [Velocity]) {
        for rolling in &mut self.rolling {
            let normal_impulse = self.solver_rows[rolling.row].impulses[0];
            rolling.solve(&self.rows[rolling.row].along[0], normal_impulse, velocities);
        }
    }

    /// Starts the rows with `factor` times the impulses that the rows of the same keys had in the previous step, and applies
    /// them. Impulses are along the world's axes of the previous step as far as the new tangents are parallel to its
    /// tangents. Rows are matched by key, in whatever order they are; new ones start from 0.
    pub fn warm_start(&mut self, velocities: &mut [Velocity], factor: f64) {
        self.previous.rewind();
        for (row, solver) in self.rows.iter().zip(&mut self.solver_rows) {
            if row.is_known
                && let Some(previous) = self.previous.find(&row.key)
            {
                solver.impulses = previous.last_impulses.map(|impulse| impulse * factor);
                solver.warm_start(velocities);
            }
        }
    }
}

/// Iterates over rows to be read.
#[derive(Clone, Debug)]
pub struct Iter<'a>(Zip<slice::Iter<'a, Row>, slice::Iter<'a, SolverRow>>);

/// Iterates over rows to be solved.
#[derive(Debug)]
pub struct IterMut<'a>(Zip<slice::Iter<'a, Row>, slice::IterMut<'a, SolverRow>>);

impl<'a> Iterator for Iter<'a> {
    type Item = RowRef<'a>;

    fn next(&mut self) -> Option<RowRef<'a>> {
        self.0.next().map(|(row, solver)| RowRef { row, solver })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'a> Iterator for IterMut<'a> {
    type Item = RowMut<'a>;

    #[inline]
    fn next(&mut self) -> Option<RowMut<'a>> {
        self.0.next().map(|(row, solver)| RowMut { row, solver })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for IterMut<'_> {}

impl<'a> IntoIterator for &'a Rows {
    type Item = RowRef<'a>;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Rows {
    type Item = RowMut<'a>;
    type IntoIter = IterMut<'a>;

    fn into_iter(self) -> IterMut<'a> {
        self.iter_mut()
    }
}
