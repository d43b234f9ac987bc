//! Errors of taking, reading and comparing snapshots.

use crate::replay::ReplayError;
use std::path::PathBuf;

/// Why there is no snapshot, or none to compare with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The session cannot be replayed.
    #[error(transparent)]
    Replay(Box<ReplayError>),
    /// A text is not a valid snapshot.
    #[error("line {line}: found {found:?}, wanted {wanted}")]
    Invalid {
        /// The line, from 1.
        line: usize,
        /// What it says.
        found: String,
        /// What it should say.
        wanted: &'static str,
    },
    /// A snapshot cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
}

impl From<ReplayError> for SnapshotError {
    fn from(error: ReplayError) -> Self {
        Self::Replay(Box::new(error))
    }
}
