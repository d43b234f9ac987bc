//! Errors of taking, reading and comparing snapshots.

use crate::replay::ReplayError;
use std::path::PathBuf;

/// Reason why a snapshot cannot be taken, read or compared.
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
        /// The text found.
        found: String,
        /// The text wanted.
        wanted: &'static str,
    },
    /// An invalid option.
    #[error("{option}: found {found}, wanted {wanted}")]
    Option {
        /// The name of the option.
        option: &'static str,
        /// Its value.
        found: String,
        /// The valid values.
        wanted: &'static str,
    },
    /// The two snapshots were taken with different options and cannot be compared.
    #[error("options: found {found:?}, wanted {wanted:?} as in the other snapshot")]
    OtherOptions {
        /// The options of the second snapshot.
        found: String,
        /// The options of the first snapshot.
        wanted: String,
    },
    /// A snapshot cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
}

impl From<ReplayError> for SnapshotError {
    fn from(error: ReplayError) -> Self {
        Self::Replay(Box::new(error))
    }
}
