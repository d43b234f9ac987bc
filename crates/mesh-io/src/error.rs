//! Why a mesh file could not be read or written.

use palpate_geometry::GeometryError;
use std::fmt;
use std::io;

/// Where in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line, counted from 1.
    Line(usize),
    /// A byte, counted from 0.
    Byte(usize),
    /// It is not known where.
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

/// Why a mesh file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshIoError {
    /// The operating system refused.
    #[error("{file}: {action} failed: {source}")]
    Io {
        /// The file.
        file: String,
        /// What was tried.
        action: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// The name of the file does not tell its format.
    #[error("{file}: the ending is {found:?}: wanted one of {}", crate::Format::ENDINGS.join(", "))]
    UnknownFormat {
        /// The file.
        file: String,
        /// Its ending.
        found: String,
    },
    /// The file is not what its format says.
    #[error("{file}{place}: {what} is {found}: wanted {wanted}")]
    Syntax {
        /// The file.
        file: String,
        /// Where.
        place: Place,
        /// Which part.
        what: String,
        /// What is there.
        found: String,
        /// What should be there.
        wanted: String,
    },
    /// The file is whole, and uses a part of its format that is not read, or not written.
    #[error("{file}: {what} is {found}: wanted {wanted}")]
    Unsupported {
        /// The file.
        file: String,
        /// Which part.
        what: &'static str,
        /// What is there.
        found: String,
        /// What can be used.
        wanted: &'static str,
    },
    /// The file does not hold the cells that were asked for.
    #[error("{file}: holds {found}: wanted {wanted}")]
    Missing {
        /// The file.
        file: String,
        /// What it holds.
        found: String,
        /// What was asked for.
        wanted: &'static str,
    },
    /// The numbers make no mesh.
    #[error("{file}: {source}")]
    Geometry {
        /// The file.
        file: String,
        /// What is wrong with them.
        source: GeometryError,
    },
}
