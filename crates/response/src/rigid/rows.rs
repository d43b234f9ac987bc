//! The rows of all contacts of a step.

use super::body::Velocity;
use super::row::{Row, RowMut, RowRef};
use super::settings::Settings;
use crate::warm::Previous;

/// The rows of all contacts of a step, and the impulses of the previous step. Reuse it: once its lists are as long as
/// needed, nothing touches the heap.
#[derive(Clone, Debug)]
pub struct Rows {
    pub(super) rows: Vec<Row>,
    pub(super) previous: Previous<Row>,
    pub(super) settings: Settings,
    /// The number of bodies at the last gathering.
    pub(super) body_count: usize,
}

impl Rows {
    /// No rows.
    pub fn new(settings: Settings) -> Self {
        Self { rows: Vec::new(), previous: Previous::default(), settings, body_count: 0 }
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
        Iter(self.rows.iter())
    }

    /// Iterates over the rows, to solve them.
    pub fn iter_mut(&mut self) -> IterMut<'_> {
        IterMut(self.rows.iter_mut())
    }

    /// A row by its number.
    pub fn get(&self, index: usize) -> Option<RowRef<'_>> {
        self.rows.get(index).map(RowRef)
    }

    /// Starts the rows with `factor` times the impulses that the rows of the same keys had in the previous step, and applies
    /// them. Impulses are along the world's axes of the previous step as far as the new tangents are parallel to its
    /// tangents. Rows are matched by key, in whatever order they are; new ones start from 0.
    pub fn warm_start(&mut self, velocities: &mut [Velocity], factor: f64) {
        self.previous.rewind();
        for row in &mut self.rows {
            if row.is_known
                && let Some(previous) = self.previous.find(&row.key)
            {
                row.impulses = previous.impulses.map(|impulse| impulse * factor);
                row.warm_start(velocities);
            }
        }
    }
}

/// Iterates over rows to be read.
#[derive(Clone, Debug)]
pub struct Iter<'a>(std::slice::Iter<'a, Row>);

/// Iterates over rows to be solved.
#[derive(Debug)]
pub struct IterMut<'a>(std::slice::IterMut<'a, Row>);

impl<'a> Iterator for Iter<'a> {
    type Item = RowRef<'a>;

    fn next(&mut self) -> Option<RowRef<'a>> {
        self.0.next().map(RowRef)
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
        self.0.next().map(RowMut)
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
