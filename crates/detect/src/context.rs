//! The context that a step passes to every detector.

use crate::{DetectError, Executor, Serial};
use palpate_geometry::{LARGEST, SMALLEST};

/// The margin and the executor of one run.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    margin: f64,
    executor: &'a dyn Executor,
}

impl Default for Context<'_> {
    fn default() -> Self {
        Self { margin: 0.0, executor: &Serial }
    }
}

impl<'a> Context<'a> {
    /// Creates a context without margin, on the calling thread.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the margin in metres: pairs closer than this are also reported, with negative depth (constraint solvers
    /// call it the alarm distance).
    #[must_use]
    pub fn with_margin(self, margin: f64) -> Self {
        Self { margin, ..self }
    }

    /// Sets the executor for parallel loops.
    #[must_use]
    pub fn with_executor(self, executor: &'a dyn Executor) -> Self {
        Self { executor, ..self }
    }

    /// Returns the margin in metres.
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// Returns the executor.
    pub fn executor(&self) -> &'a dyn Executor {
        self.executor
    }

    /// Whether a contact of this depth is reported: touching counts, and so does separation within the margin.
    pub fn reports(&self, depth: f64) -> bool {
        depth >= -self.margin
    }

    /// Checks the margin. Errors: neither 0 nor from [`SMALLEST`] to [`LARGEST`].
    pub fn check(&self) -> Result<(), DetectError> {
        let margin = self.margin;
        let fits = margin == 0.0 || (SMALLEST..=LARGEST).contains(&margin);
        if fits { Ok(()) } else { Err(DetectError::Margin { margin }) }
    }
}
