//! Fatal errors of the command, and their exit status.

use crate::text::quoted;
use palpate::detect::did_you_mean;
use palpate::diff::DiffError;
use palpate::mesh_io::MeshIoError;
use palpate::recording::RecordingError;
use palpate::replay::ReplayError;
use palpate::snapshot::SnapshotError;
use std::io;
use std::path::{Path, PathBuf};

/// Reason why the command failed. Each message is one line: the item, the value found, the value wanted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    /// An operation of the operating system failed.
    #[error("{}: {action} failed: {source}", path.display())]
    Io { path: PathBuf, action: &'static str, source: io::Error },
    /// A path is a directory instead of a file.
    #[error("{}: is a directory, wanted a file", path.display())]
    IsDirectory { path: PathBuf },
    /// An argument that clap cannot validate.
    #[error("{argument}: found {found:?}, wanted {wanted}")]
    Argument { argument: &'static str, found: String, wanted: String },
    /// A number of threads beyond the limit.
    #[error("--threads: found {found}, wanted at most {limit} (the limit `threads`)")]
    Threads { found: usize, limit: u64 },
    /// A word that names nothing.
    #[error("{argument}: found {found:?}, {}wanted one of {known}", did_you_mean(nearest))]
    Unknown { argument: &'static str, found: String, known: String, nearest: Option<String> },
    /// An output that a library cannot write; the message names it.
    #[error("{0}")]
    Writing(String),
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
    /// The contacts differ from the snapshot.
    #[error("{}: {what} from the snapshot: {count}, the first: {first}", path.display())]
    Differs { path: PathBuf, what: &'static str, count: String, first: String },
    /// Contacts that cannot be compared.
    #[error(transparent)]
    Diff(#[from] DiffError),
    /// The contacts of two files differ.
    #[error("{} and {}: {what}", was.display(), is.display())]
    DiffersFrom { was: PathBuf, is: PathBuf, what: String },
    /// The contacts of a packed session are others.
    #[error("{}: {what}", path.display())]
    OtherContacts { path: PathBuf, what: String },
    /// A recording of which something is refused.
    #[error("{}: {count} refused, the first: {first}", path.display())]
    Refused { path: PathBuf, count: usize, first: String },
    /// The output would overwrite an input.
    #[error("--out {}: is an input file, wanted another name", path.display())]
    OwnInput { path: PathBuf },
    /// Standard output was closed by its reader: no message is printed.
    #[error("standard output was closed")]
    BrokenPipe,
    /// Some cases got an error line.
    #[error("{failed} of {total} cases got an error line, the first for line {first} of the input")]
    Cases { failed: u64, total: u64, first: u64 },
    /// Some cases ended in a panic.
    #[error(
        "{panicked} of {total} cases ended in a panic, which is a fault of palpate; the first of {failed} error lines is for line \
         {first} of the input"
    )]
    Panicked { panicked: u64, failed: u64, total: u64, first: u64 },
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

    /// What to try instead, if that is known.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::Threads { .. } => Some("--limit threads=N allows more".to_owned()),
            Self::Replay(error) => match error.as_ref() {
                ReplayError::SingleObject { name } => {
                    let name = quoted(name);
                    Some(format!("--pair {name}:{name} finds the contacts of the object with itself"))
                }
                ReplayError::NothingToDetect { .. } => {
                    Some("palpate detectors KIND lists which detectors take a kind".to_owned())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// 1 if the command completed and found something wrong, 2 if it could not run.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Cases { .. }
            | Self::Panicked { .. }
            | Self::Differs { .. }
            | Self::DiffersFrom { .. }
            | Self::OtherContacts { .. }
            | Self::Refused { .. } => 1,
            _ => 2,
        }
    }
}
