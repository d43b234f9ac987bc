//! The index of a compact session.

use crate::header::Header;
use crate::session::Topology;
use serde::{Deserialize, Serialize};

/// How a compact session begins and ends.
pub(crate) const MAGIC: &[u8; 16] = b"palpate compact\n";
/// Bytes behind the index: its offset, length and checksum, and the magic.
pub(super) const FOOTER: usize = 8 + 8 + 4 + MAGIC.len();

/// The index.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Index {
    /// Version of the layout.
    pub(super) compact: u32,
    pub(super) header: Header,
    pub(super) times: Vec<f64>,
    /// The cells of each object, from which frame on.
    pub(super) cells: Vec<Vec<StoredCells>>,
    /// Whether an object has points, or else a pose.
    pub(super) has_points: Vec<bool>,
    /// The objects that are placed.
    pub(super) placed: Vec<usize>,
    pub(super) blocks: Vec<Block>,
    /// Metres; 0 where coordinates are exact.
    pub(super) step: f64,
}

/// The cells of an object from a frame on.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredCells {
    pub(super) first_frame: usize,
    pub(super) cells: Cells,
}

/// Cells in JSON.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Cells {
    None,
    Points,
    Lines(Vec<[u32; 2]>),
    Triangles(Vec<[u32; 3]>),
    Tetrahedra(Vec<[u32; 4]>),
}

/// A block of frames in the file.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Block {
    pub(super) first_frame: usize,
    pub(super) frames: usize,
    pub(super) offset: u64,
    /// Bytes in the file, and uncompressed.
    pub(super) length: u64,
    pub(super) bytes: u64,
    /// CRC-32 of the uncompressed bytes.
    pub(super) crc32: u32,
}

impl From<&Topology> for Cells {
    fn from(topology: &Topology) -> Self {
        match topology {
            Topology::None => Self::None,
            Topology::Points => Self::Points,
            Topology::Lines(cells) => Self::Lines(cells.clone()),
            Topology::Triangles(cells) => Self::Triangles(cells.clone()),
            Topology::Tetrahedra(cells) => Self::Tetrahedra(cells.clone()),
        }
    }
}

impl From<&Cells> for Topology {
    fn from(cells: &Cells) -> Self {
        match cells {
            Cells::None => Self::None,
            Cells::Points => Self::Points,
            Cells::Lines(cells) => Self::Lines(cells.clone()),
            Cells::Triangles(cells) => Self::Triangles(cells.clone()),
            Cells::Tetrahedra(cells) => Self::Tetrahedra(cells.clone()),
        }
    }
}
