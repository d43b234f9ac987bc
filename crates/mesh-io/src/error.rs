//! Errors of reading and writing mesh files.

use palpate_geometry::GeometryError;
use std::fmt;
use std::io;

/// A position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line, counted from 1.
    Line(usize),
    /// A byte, counted from 0.
    Byte(usize),
    /// Unknown position.
    Unknown,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, ", line {line}"),
            Self::Byte(byte) => write!(f, ", byte {byte}"),
            Self::Unknown => Ok(()),
        }
    }
}

/// An error of reading or writing a mesh file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshIoError {
    /// An operation of the operating system failed.
    #[error("{file}: {action} failed: {source}")]
    Io {
        /// The file.
        file: String,
        /// The operation.
        action: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The file name does not determine a format.
    #[error("{file}: the ending is {found:?}{looks_like}: wanted one of {}{advice}", crate::Format::ENDINGS.join(", "))]
    UnknownFormat {
        /// The file.
        file: String,
        /// Its extension.
        found: String,
        /// What such a file is, or begins like; empty if that is not known.
        looks_like: String,
        /// The nearest way to a mesh; empty if none is known.
        advice: String,
    },
    /// The file violates its format.
    #[error("{file}{place}: {what} is {found}: wanted {wanted}")]
    Syntax {
        /// The file.
        file: String,
        /// The position.
        place: Place,
        /// The part of the file.
        what: String,
        /// The value found.
        found: String,
        /// The value wanted.
        wanted: String,
    },
    /// The file is valid, but uses a part of its format that is not read, or not written.
    #[error("{file}: {what} is {found}: wanted {wanted}")]
    Unsupported {
        /// The file.
        file: String,
        /// The part of the file.
        what: &'static str,
        /// The value found.
        found: String,
        /// The supported values.
        wanted: &'static str,
    },
    /// The file holds more than a [limit](palpate_math::Limits) allows.
    #[error("{file}{what} is {found}: wanted at most {value}, the limit {limit}")]
    Limit {
        /// The file.
        file: String,
        /// The part of the file, behind its place.
        what: String,
        /// The value found.
        found: u64,
        /// The name of the limit.
        limit: &'static str,
        /// The value of the limit.
        value: u64,
    },
    /// The file does not contain the requested cells.
    #[error("{file}: holds {found}: wanted {wanted}")]
    Missing {
        /// The file.
        file: String,
        /// What it contains.
        found: String,
        /// What was requested.
        wanted: &'static str,
    },
    /// The data do not form a valid mesh.
    #[error("{file}: {source}")]
    Geometry {
        /// The file.
        file: String,
        /// The geometry's error.
        source: GeometryError,
    },
}
