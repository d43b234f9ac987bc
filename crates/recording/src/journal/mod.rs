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
//! tag 5   numbered frame: number u64; objects whose cells have changed u32, each its number u32 and the frame of its last
//!         change u64; objects whose shape has changed, likewise; then as tag 3
//! ```
//!
//! Everything is little-endian. The first record is the header, then come the topologies of all objects, then frames, each
//! after the shapes that it changes. A shape and its frame are one `write`. Frames are written with tag 5; tag 3 is read.
//!
//! After a damaged record the reader searches for the next one by the checksums of head and payload. A frame after it is used
//! only if all cells and shapes that it depends on are known: with tag 5 the record says which, with tag 3 they are unknown
//! where an object has cells or a shape.

mod history;
mod reader;
mod record;
mod records;
mod storage;
mod writer;

pub(crate) use reader::JournalReader;
pub(crate) use record::{MAGIC, points_of, set_state};
pub(crate) use storage::JournalFile;
#[cfg(test)]
pub(crate) use storage::Storage;
pub(crate) use writer::JournalWriter;
#[cfg(test)]
pub(crate) use writer::beginning;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The journal of the session `path`: beside it, `.journal` appended to its name.
pub(crate) fn journal_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(".journal");
    PathBuf::from(name)
}
