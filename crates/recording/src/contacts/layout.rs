//! The contact record as an element of a dataset: the same 232 bytes as [`Contact`](palpate_contact::Contact).

use super::pair::ContactPair;
use crate::container::{Element, Field};
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

fn field(name: &'static str, element: Element) -> Field {
    Field { name, element }
}

fn array(element: Element, count: u32) -> Element {
    Element::Array(Box::new(element), count)
}

/// One side of a contact.
fn feature_element() -> Element {
    Element::Record(vec![
        field("kind", Element::U32),
        field("vertex_count", Element::U32),
        field("vertices", array(Element::U32, 4)),
        field("cell", Element::U32),
        field("child", Element::U32),
        field("weights", array(Element::F64, 4)),
        field("point", array(Element::F64, 3)),
    ])
}

/// One contact.
pub(crate) fn contact_element() -> Element {
    Element::Record(vec![
        field("a", feature_element()),
        field("b", feature_element()),
        field("direction", array(Element::F64, 3)),
        field("depth", Element::F64),
        field("depth_upper", Element::F64),
        field("time_of_impact", Element::F64),
        field("id", Element::U64),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::Feature;
    use std::mem::offset_of;

    #[test]
    fn the_record_is_the_contact_in_memory() {
        assert_eq!(contact_element().size(), size_of::<Contact>());
        let Element::Record(fields) = contact_element() else { panic!("a contact is a record") };
        let mut offset = 0;
        let wanted = [
            0,
            offset_of!(Contact, b),
            offset_of!(Contact, direction),
            offset_of!(Contact, depth),
            offset_of!(Contact, depth_upper),
            offset_of!(Contact, time_of_impact),
            offset_of!(Contact, id),
        ];
        for (field, wanted) in fields.iter().zip(wanted) {
            assert_eq!(offset, wanted, "{}", field.name);
            offset += field.element.size();
        }
        assert_eq!(feature_element().size(), size_of::<Feature>());
        assert_eq!(offset_of!(Feature, weights), 32);
        assert_eq!(offset_of!(Feature, point), 64);
    }
}
