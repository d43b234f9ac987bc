//! Fatal errors of the command, and their exit status.

use palpate::mesh_io::MeshIoError;
use palpate::recording::RecordingError;
use palpate::replay::ReplayError;
use palpate::snapshot::SnapshotError;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Why the command failed. One line each: the item, the value found, the value wanted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    /// The operating system refused.
    #[error("{}: {action} failed: {source}", path.display())]
    Io { path: PathBuf, action: &'static str, source: io::Error },
    /// A path is a directory instead of a file.
    #[error("{}: is a directory, wanted a file", path.display())]
    IsDirectory { path: PathBuf },
    /// An argument that clap cannot validate.
    #[error("{argument}: found {found:?}, wanted {wanted}")]
    Argument { argument: &'static str, found: String, wanted: String },
    /// A recording that cannot be used.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// A mesh file that cannot be used.
    #[error(transparent)]
    Mesh(Box<MeshIoError>),
    /// A session that cannot be replayed.
    #[error(transparent)]
    Replay(Box<ReplayError>),
    /// A file that is not a valid snapshot.
    #[error("{}: {source}", path.display())]
    Snapshot { path: PathBuf, source: SnapshotError },
    /// A snapshot that cannot be taken.
    #[error(transparent)]
    TakingSnapshot(Box<SnapshotError>),
    /// Contacts are not those of the snapshot.
    #[error("{}: the contacts differ from the snapshot: {count}, the first: {first}", path.display())]
    Differs { path: PathBuf, count: String, first: String },
    /// A result would replace what it is made from.
    #[error("--out {}: is one of the files that are read, wanted another name", path.display())]
    OwnInput { path: PathBuf },
    /// The reader of standard output has gone: no message is printed.
    #[error("standard output was closed")]
    BrokenPipe,
    /// Some cases got an error line.
    #[error("{failed} of {total} cases got an error line, the first for line {first} of the input")]
    Cases { failed: u64, total: u64, first: u64 },
}

impl From<MeshIoError> for CommandError {
    /// Boxed: rare and large.
    fn from(error: MeshIoError) -> Self {
        Self::Mesh(Box::new(error))
    }
}

impl From<ReplayError> for CommandError {
    /// Boxed: rare and large.
    fn from(error: ReplayError) -> Self {
        Self::Replay(Box::new(error))
    }
}

impl From<SnapshotError> for CommandError {
    /// An error of taking a snapshot.
    fn from(error: SnapshotError) -> Self {
        match error {
            SnapshotError::Replay(error) => Self::Replay(error),
            error => Self::TakingSnapshot(Box::new(error)),
        }
    }
}

impl CommandError {
    /// An error of the operating system at `path`; a closed standard output is distinguished.
    pub(crate) fn io(path: &Path, action: &'static str, source: io::Error) -> Self {
        if source.kind() == io::ErrorKind::BrokenPipe {
            return Self::BrokenPipe;
        }
        Self::Io { path: path.to_owned(), action, source }
    }

    /// An error of writing to standard output.
    pub(crate) fn stdout(source: io::Error) -> Self {
        Self::io(Path::new("standard output"), "writing", source)
    }

    /// 1 if the command completed and found something wrong, 2 if it could not run.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Cases { .. } | Self::Differs { .. } => ExitCode::from(1),
            _ => ExitCode::from(2),
        }
    }
}
