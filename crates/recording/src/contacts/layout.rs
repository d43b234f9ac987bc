//! The names and checksums of a file of contacts.

use super::pair::ContactPair;
use palpate_contact::Contact;

/// Root attribute that marks a file of contacts, and the version of its layout.
pub(crate) const MARK: (&str, &str) = ("palpate", "contacts 1");
/// One record per contact.
pub(super) const CONTACTS: &str = "contacts";
/// The pair of each contact: an index into the columns of `pairs`.
pub(super) const PAIR: &str = "pair";
/// Group of the columns `a`, `b` and `detector`, one row per pair.
pub(super) const PAIRS: &str = "pairs";
/// Number of contacts before each frame, and the total: one entry more than frames.
pub(super) const OFFSETS: &str = "frame_offsets";
/// Number of each frame in its recording.
pub(super) const FRAMES: &str = "frames";
/// Seconds, one per frame.
pub(super) const TIMES: &str = "times";
/// CRC-32 of each frame.
pub(super) const CHECKSUMS: &str = "frame_crc32";

/// CRC-32 of the tables: of what a reader has before it reads a frame. Files of earlier versions have none.
pub(super) const TABLES_CHECKSUM: &str = "tables_crc32";

/// CRC-32 (zlib's) of the tables, little-endian: frames, times, offsets, the checksums of the frames, then the names of each
/// pair, each followed by a zero byte.
pub(super) fn tables_checksum(
    (frames, times): (&[u64], &[f64]),
    (offsets, checksums): (&[u64], &[u32]),
    pairs: &[ContactPair],
) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(bytemuck::cast_slice(frames));
    hasher.update(bytemuck::cast_slice(times));
    hasher.update(bytemuck::cast_slice(offsets));
    hasher.update(bytemuck::cast_slice(checksums));
    for name in pairs.iter().flat_map(|pair| [&pair.a, &pair.b, &pair.detector]) {
        hasher.update(name.as_bytes());
        hasher.update(&[0]);
    }
    hasher.finalize()
}

/// CRC-32 (zlib's) of one frame: number, time, pair of each contact, contacts, all little-endian.
pub(super) fn checksum(frame: u64, time: f64, pairs: &[u32], contacts: &[Contact]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&frame.to_le_bytes());
    hasher.update(&time.to_le_bytes());
    hasher.update(bytemuck::cast_slice(pairs));
    hasher.update(bytemuck::cast_slice(contacts));
    hasher.finalize()
}
