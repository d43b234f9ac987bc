//! The journal: a session while it is being recorded.
//!
//! A plain append-only file, with one `write` per frame. An HDF5 file changes in many places when a row is
//! appended, and is lost if it was not closed; a journal loses at most the record that was being written. So frames
//! go to a journal beside the session file, which is converted to HDF5 when the session is finished, or recovered
//! after its writer died.
//!
//! ```text
//! file    magic: 16 bytes "palpate journal\n", then records
//! record  tag u32, CRC-32 of the payload u32, payload length u64, CRC-32 of these 16 bytes u32, zero u32; payload
//! tag 1   header: the session as JSON
//! tag 2   topology: object u32, points per cell u32 (1: points, 0: none), cells u64, point ids u32 each
//! tag 3   frame: changes u32, each as tag 2; per object the number of points u32 (2^32 - 1 for a primitive);
//!         time f64; per object points f64 x 3 or the ten numbers of a pose f64; per placed mesh its object u32, and
//!         the ten numbers of its pose f64
//! tag 4   shape: object u32, JSON: the object's shape from the next frame on
//! ```
//!
//! Everything is little-endian. The first record is the header, then come the topologies of all objects, then frames, each
//! after the shapes that it changes. A shape and its frame are one `write`.

mod reader;
mod record;
mod writer;

pub(crate) use reader::JournalReader;
pub(crate) use record::{MAGIC, points_of, set_state};
pub(crate) use writer::JournalWriter;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The journal of the session `path`: beside it, `.journal` appended to its name.
pub(crate) fn journal_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(".journal");
    PathBuf::from(name)
}
