//! Errors of comparing contacts.

use crate::recording::RecordingError;
use crate::replay::ReplayError;
use crate::snapshot::SnapshotError;
use std::path::PathBuf;

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
    /// A snapshot cannot be taken or compared.
    #[error(transparent)]
    Snapshots(Box<SnapshotError>),
    /// A file with a snapshot cannot be read.
    #[error("{}: {reason}", path.display())]
    Snapshot {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
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

impl From<SnapshotError> for DiffError {
    fn from(error: SnapshotError) -> Self {
        Self::Snapshots(Box::new(error))
    }
}
