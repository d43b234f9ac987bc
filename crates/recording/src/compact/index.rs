//! The index of a compact session.

use crate::header::Header;
use crate::session::Topology;
use serde::{Deserialize, Serialize};

/// How a compact session begins and ends.
pub(crate) const MAGIC: &[u8; 16] = b"palpate compact\n";
/// Bytes behind the index: its offset, length and checksum, and the magic.
pub(crate) const FOOTER: usize = 8 + 8 + 4 + MAGIC.len();

/// The index.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Index {
    /// Version of the layout.
    pub(crate) compact: u32,
    pub(crate) header: Header,
    pub(crate) times: Vec<f64>,
    /// The cells of each object, from which frame on.
    pub(crate) cells: Vec<Vec<StoredCells>>,
    /// Whether an object has points, or else a pose.
    pub(crate) has_points: Vec<bool>,
    /// The objects that are placed.
    pub(crate) placed: Vec<usize>,
    pub(crate) blocks: Vec<Block>,
    /// Metres; 0 where coordinates are exact.
    pub(crate) step: f64,
}

/// The cells of an object from a frame on.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredCells {
    pub(crate) first_frame: usize,
    pub(crate) cells: Cells,
}

/// Cells in JSON.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Cells {
    None,
    Points,
    Lines(Vec<[u32; 2]>),
    Triangles(Vec<[u32; 3]>),
    Tetrahedra(Vec<[u32; 4]>),
}

/// A block of frames in the file.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Block {
    pub(crate) first_frame: usize,
    pub(crate) frames: usize,
    pub(crate) offset: u64,
    /// Bytes in the file, and uncompressed.
    pub(crate) length: u64,
    pub(crate) bytes: u64,
    /// CRC-32 of the uncompressed bytes.
    pub(crate) crc32: u32,
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
