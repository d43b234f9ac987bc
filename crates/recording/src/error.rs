//! What can be wrong with a recording.

use std::path::{Path, PathBuf};

/// An error of reading or writing a recording. Every message names the file, the thing in it, and where it makes
/// sense the value found and the value wanted, in one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// There is no file of this name.
    #[error("{}: no such file", path.display())]
    Missing {
        /// The file asked for.
        path: PathBuf,
    },
    /// The path is a directory.
    #[error("{}: is a directory, a recording is a file", path.display())]
    IsDirectory {
        /// The path asked for.
        path: PathBuf,
    },
    /// The file has no bytes.
    #[error("{}: the file is empty", path.display())]
    Empty {
        /// The file asked for.
        path: PathBuf,
    },
    /// The file is not HDF5 and not the journal of an unfinished session either.
    #[error("{}: not an HDF5 file ({reason})", path.display())]
    NotHdf5 {
        /// The file asked for.
        path: PathBuf,
        /// What the HDF5 library says.
        reason: String,
    },
    /// The file is HDF5, but holds neither a session nor the wanted contacts.
    #[error("{}: HDF5, but it has no {wanted}", path.display())]
    NoSession {
        /// The file asked for.
        path: PathBuf,
        /// The group or dataset that was looked for.
        wanted: String,
    },
    /// A file that would be overwritten exists.
    #[error("{}: exists already; allow overwriting, or choose another name", path.display())]
    Exists {
        /// The file that exists.
        path: PathBuf,
    },
    /// The operating system could not do what it was asked to.
    #[error("{}: {action} failed: {source}", path.display())]
    Io {
        /// The file in question.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// The system's answer.
        source: std::io::Error,
    },
    /// The HDF5 library could not read or write something.
    #[error("{}: {place}: {reason}", path.display())]
    Hdf5 {
        /// The file in question.
        path: PathBuf,
        /// The group or dataset.
        place: String,
        /// What the library says.
        reason: String,
    },
    /// Something is there, and is not what the layout asks for.
    #[error("{}: {place}: found {found}, wanted {wanted}", path.display())]
    Invalid {
        /// The file in question.
        path: PathBuf,
        /// The object, group or dataset.
        place: String,
        /// What was found.
        found: String,
        /// What the layout asks for.
        wanted: String,
    },
    /// A cell names a vertex that is not there.
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
        /// How many points the object has in this frame.
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
    /// A cell of a kind that palpate has no geometry for.
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
        /// What kind of cell was found.
        found: String,
    },
    /// The bytes do not have the checksum that was stored with them.
    #[error("{}: {what}: checksum {computed:#010x}, stored {stored:#010x}: the file is damaged", path.display())]
    Checksum {
        /// The file in question.
        path: PathBuf,
        /// What was checked: the session header, a topology, a frame.
        what: String,
        /// The CRC-32 in the file.
        stored: u32,
        /// The CRC-32 of what was read.
        computed: u32,
    },
    /// A frame beyond the end was asked for.
    #[error("{}: frame {frame} asked for, it has {count} frames", path.display())]
    FrameOutOfRange {
        /// The file in question.
        path: PathBuf,
        /// The frame asked for, counted from 0.
        frame: usize,
        /// How many there are.
        count: usize,
    },
    /// Two files of one session do not tell the same times.
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
