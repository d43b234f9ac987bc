//! What a reader accepts, but a caller should know.

use std::fmt::{Display, Formatter, Result};
use std::path::PathBuf;

/// Something unusual in a recording that does not stop it from being read: [`Reader::notes`](crate::Reader::notes). Its
/// text is one line that names the file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// The file is of a version of VTKHDF that came after those palpate knows: something in it may have another meaning.
    NewerVersion {
        /// The file.
        path: PathBuf,
        /// The first number of its version.
        major: u8,
    },
    /// The time of a frame is before that of the frame before it.
    TimesRunBack {
        /// The file whose times these are.
        path: PathBuf,
        /// The first such frame, counted from 0.
        frame: usize,
        /// Its time, seconds.
        time: f64,
        /// The time of the frame before it, seconds.
        before: f64,
    },
    /// Coordinates are not those that were recorded, but near them.
    Rounded {
        /// The file.
        path: PathBuf,
        /// Metres: how far a point is from where it was recorded at most.
        error: f64,
    },
}

impl Display for Note {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match self {
            Self::NewerVersion { path, major } => {
                write!(formatter, "{}: VTKHDF {major}, read as version 2", path.display())
            }
            Self::Rounded { path, error } => {
                write!(formatter, "{}: points are kept to {error:e} m", path.display())
            }
            Self::TimesRunBack { path, frame, time, before } => write!(
                formatter,
                "{}: times run back: frame {frame} is at {time} s, the frame before it at {before} s",
                path.display()
            ),
        }
    }
}
