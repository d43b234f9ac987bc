//! The rows of all contacts of a step.

use super::body::Velocity;
use super::row::{Row, RowMut, RowRef};
use crate::warm::{Memory, Previous};

/// How penetration is corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stabilization {
    /// By the velocity of the bodies (Baumgarte): simple, and adds kinetic energy.
    Baumgarte,
    /// By pseudo-velocities ([`RowMut::solve_push`]): adds none.
    SplitImpulse,
}

/// The bound of the friction impulses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrictionBound {
    /// Coulomb's cone: the same in every direction.
    Cone,
    /// Each tangent by itself: up to √2 more along the diagonals; linear, for LCP solvers.
    Pyramid,
}

/// Settings of the rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Seconds.
    pub step: f64,
    /// Metres of penetration that are left alone; 0 by default. A little keeps contacts in touch.
    pub slop: f64,
    /// The fraction of the penetration beyond the slop that is corrected in a step; 0.2 by default.
    pub push_rate: f64,
    /// Metres per second: the largest speed of that correction; unlimited by default.
    pub most_push_speed: f64,
    /// Baumgarte by default.
    pub stabilization: Stabilization,
    /// A cone by default.
    pub friction_bound: FrictionBound,
}

impl Settings {
    /// The defaults, for steps of `step` seconds.
    pub const fn new(step: f64) -> Self {
        Self {
            step,
            slop: 0.0,
            push_rate: 0.2,
            most_push_speed: f64::INFINITY,
            stabilization: Stabilization::Baumgarte,
            friction_bound: FrictionBound::Cone,
        }
    }

    /// The velocities along the normal, of the bodies and of the split impulse, that a gap asks for: the velocity that
    /// closes it within the step, or that corrects penetration.
    pub(super) fn targets(&self, gap: f64) -> [f64; 2] {
        if gap >= 0.0 {
            return [-gap / self.step, 0.0];
        }
        let push = self.push_rate * (-gap - self.slop).max(0.0) / self.step;
        let push = push.min(self.most_push_speed);
        match self.stabilization {
            Stabilization::Baumgarte => [push, 0.0],
            Stabilization::SplitImpulse => [0.0, push],
        }
    }
}

/// The rows of all contacts of a step, and the impulses of the previous step. Reuse it: once its lists are as long as
/// needed, nothing touches the heap.
#[derive(Clone, Debug)]
pub struct Rows {
    pub(super) rows: Vec<Row>,
    pub(super) previous: Previous,
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
        for row in &mut self.rows {
            if let Some(memory) = self.previous.find(&row.key) {
                row.impulses = memory.multipliers.map(|impulse| impulse * factor);
                row.warm_start(velocities);
            }
        }
    }

    /// Makes the rows those of the previous step, and clears them.
    pub(super) fn turn_over(&mut self) {
        self.previous.replace(self.rows.iter().map(|row| Memory {
            key: row.key,
            direction: row.along[0],
            tangents: [row.along[1], row.along[2]],
            multipliers: row.impulses,
        }));
        self.rows.clear();
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
