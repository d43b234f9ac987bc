//! Compact sessions: a file of palpate's own, for keeping. Coordinates are stored as changes from frame to frame, to the last
//! bit or in steps of a stated size; blocks of frames are compressed.
//!
//! ```text
//! magic 16 bytes
//! blocks of frames: deflate of, per object and in byte planes, changes of coordinates or of the ten numbers of a pose
//! index: deflate of JSON: the header of the session, times, cells, blocks, the step
//! offset of the index u64, its length u64, CRC-32 of the compressed index u32, magic 16 bytes
//! ```
//!
//! Everything is little-endian. A block begins without a frame before it, so that any frame is read by its block alone.

mod block;
mod index;
mod planes;
mod reader;

pub(crate) use block::{FrameStates, encode};
pub(crate) use index::{Block, FOOTER, Index, MAGIC, StoredCells};
pub(crate) use reader::CompactReader;
