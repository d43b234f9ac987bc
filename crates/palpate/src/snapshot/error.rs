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
    /// An option that no snapshot can be taken with.
    #[error("{option}: found {found}, wanted {wanted}")]
    Option {
        /// Which.
        option: &'static str,
        /// Its value.
        found: String,
        /// What it can be.
        wanted: &'static str,
    },
    /// Two snapshots hold different parts of their sessions, and cannot be compared.
    #[error("options: found {found:?}, wanted {wanted:?}, as the other snapshot was taken")]
    OtherOptions {
        /// Those of the later snapshot.
        found: String,
        /// Those of the earlier.
        wanted: String,
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
