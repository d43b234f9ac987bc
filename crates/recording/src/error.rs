//! Errors of recordings.

use std::path::{Path, PathBuf};

/// An error of reading or writing a recording. Every message names the file, the item in it, and, where it makes
/// sense, the value found and the value wanted, in one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// There is no file of this name.
    #[error("{}: no such file", path.display())]
    Missing {
        /// The requested file.
        path: PathBuf,
    },
    /// The path is a directory.
    #[error("{}: is a directory, a recording is a file", path.display())]
    IsDirectory {
        /// The requested path.
        path: PathBuf,
    },
    /// The path is a pipe, a device or a socket.
    #[error("{}: is no regular file, a recording is a file", path.display())]
    NotRegular {
        /// The requested path.
        path: PathBuf,
    },
    /// The file has no bytes.
    #[error("{}: the file is empty", path.display())]
    Empty {
        /// The requested file.
        path: PathBuf,
    },
    /// The file is neither HDF5 nor the journal of an unfinished session.
    #[error("{}: not an HDF5 file ({reason})", path.display())]
    NotHdf5 {
        /// The requested file.
        path: PathBuf,
        /// What the HDF5 library says.
        reason: String,
    },
    /// The file is HDF5, but contains neither a session nor the requested contacts.
    #[error("{}: HDF5, but it has no {wanted}", path.display())]
    NoSession {
        /// The requested file.
        path: PathBuf,
        /// The missing group or dataset.
        wanted: String,
    },
    /// The file has more than a limit accepts.
    #[error("{}: {what}: found {found}, the limit {limit} is {value}", path.display())]
    Limit {
        /// The file in question.
        path: PathBuf,
        /// What was counted.
        what: String,
        /// How many were found.
        found: u64,
        /// The limit by its name in [`Limits::TABLE`](palpate_math::Limits::TABLE).
        limit: &'static str,
        /// The limit's value.
        value: u64,
    },
    /// A file exists that would be overwritten.
    #[error("{}: exists already; allow overwriting, or choose another name", path.display())]
    Exists {
        /// The file that exists.
        path: PathBuf,
    },
    /// The session is being recorded by another writer, in this process or in another.
    #[error("{}: another writer is recording it; wait until it ends, or choose another name", path.display())]
    Busy {
        /// The journal of the session.
        path: PathBuf,
    },
    /// After an earlier failure no more frames can be appended.
    #[error("{}: no more frames are appended, since {reason}; finish or recover those before", path.display())]
    Stopped {
        /// The journal of the session.
        path: PathBuf,
        /// The earlier failure.
        reason: String,
    },
    /// An operation of the operating system failed.
    #[error("{}: {action} failed: {source}", path.display())]
    Io {
        /// The file in question.
        path: PathBuf,
        /// The operation.
        action: &'static str,
        /// The system's error.
        source: std::io::Error,
    },
    /// The HDF5 library could not read or write something.
    #[error("{}: {place}: {reason}", path.display())]
    Hdf5 {
        /// The file in question.
        path: PathBuf,
        /// The group or dataset.
        place: String,
        /// The library's message.
        reason: String,
    },
    /// An item does not match the layout.
    #[error("{}: {place}: found {found}, wanted {wanted}", path.display())]
    Invalid {
        /// The file in question.
        path: PathBuf,
        /// The object, group or dataset.
        place: String,
        /// What was found.
        found: String,
        /// What the layout requires.
        wanted: String,
    },
    /// A cell refers to a vertex that does not exist.
    #[error("{}: object '{object}', frame {frame}, cell {cell}: vertex {index} of {points} points", path.display())]
    IndexOutOfRange {
        /// The file in question.
        path: PathBuf,
        /// The object.
        object: String,
        /// The frame, counted from 0.
        frame: usize,
        /// The cell, counted from 0.
        cell: usize,
        /// The index found.
        index: i64,
        /// The object's number of points in this frame.
        points: usize,
    },
    /// A coordinate, size or rotation is NaN or infinite.
    #[error("{}: object '{object}', frame {frame}: {what} is {value}, wanted a finite number", path.display())]
    NotFinite {
        /// The file in question.
        path: PathBuf,
        /// The object.
        object: String,
        /// The frame, counted from 0.
        frame: usize,
        /// The vertex and coordinate, or the component of the pose.
        what: String,
        /// The value found.
        value: f64,
    },
    /// A cell type without a palpate geometry.
    #[error(
        "{}: object '{object}', cell {cell}: {found}; wanted vertices, lines, triangles or tetrahedra, one kind \
         per object", path.display()
    )]
    UnsupportedCell {
        /// The file in question.
        path: PathBuf,
        /// The object.
        object: String,
        /// The cell, counted from 0.
        cell: usize,
        /// The type of cell found.
        found: String,
    },
    /// The bytes do not match their stored checksum.
    #[error("{}: {what}: checksum {computed:#010x}, stored {stored:#010x}: the file is damaged", path.display())]
    Checksum {
        /// The file in question.
        path: PathBuf,
        /// What was checked: the session header, a topology, a frame.
        what: String,
        /// The CRC-32 in the file.
        stored: u32,
        /// The CRC-32 of the bytes read.
        computed: u32,
    },
    /// A frame beyond the end was requested.
    #[error("{}: frame {frame} asked for, it has {count} frames", path.display())]
    FrameOutOfRange {
        /// The file in question.
        path: PathBuf,
        /// The requested frame, counted from 0.
        frame: usize,
        /// The number of frames.
        count: usize,
    },
    /// Two files of one session have different times.
    #[error("{}: {what} is {found}, but {} has {wanted}", path.display(), other.display())]
    FilesDiffer {
        /// The file that differs.
        path: PathBuf,
        /// The file it was compared with.
        other: PathBuf,
        /// What differs: the number of frames, the time of a frame.
        what: String,
        /// The value in `path`.
        found: String,
        /// The value in `other`.
        wanted: String,
    },
}

impl RecordingError {
    pub(crate) fn invalid(
        path: &Path,
        place: impl Into<String>,
        found: impl ToString,
        wanted: impl Into<String>,
    ) -> Self {
        Self::Invalid {
            path: path.to_path_buf(),
            place: place.into(),
            found: found.to_string(),
            wanted: wanted.into(),
        }
    }

    pub(crate) fn io(path: &Path, action: &'static str, source: std::io::Error) -> Self {
        Self::Io { path: path.to_path_buf(), action, source }
    }

    pub(crate) fn hdf5(path: &Path, place: &str, reason: impl ToString) -> Self {
        let reason = reason.to_string().replace('\n', " ");
        Self::Hdf5 { path: path.to_path_buf(), place: place.to_string(), reason }
    }
}
