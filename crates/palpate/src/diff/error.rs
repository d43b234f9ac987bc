//! Errors of comparing contacts.

use crate::recording::RecordingError;
use crate::replay::ReplayError;

/// Reason why contacts cannot be compared. That they differ is not an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiffError {
    /// A file of contacts cannot be read.
    #[error(transparent)]
    Recording(Box<RecordingError>),
    /// A session cannot be replayed.
    #[error(transparent)]
    Replay(Box<ReplayError>),
    /// An invalid option.
    #[error("{option}: found {found}, wanted a finite number that is not negative")]
    Option {
        /// The name of the option.
        option: &'static str,
        /// Its value.
        found: f64,
    },
}

impl From<RecordingError> for DiffError {
    fn from(error: RecordingError) -> Self {
        Self::Recording(Box::new(error))
    }
}

impl From<ReplayError> for DiffError {
    fn from(error: ReplayError) -> Self {
        Self::Replay(Box::new(error))
    }
}
