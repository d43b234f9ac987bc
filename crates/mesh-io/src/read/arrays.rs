//! The arrays of VTK's XML format: ASCII, binary in base64, or appended at the end of the file; raw or compressed
//! with zlib.
//!
//! Source: VTK's own reader and writer, `IO/XML/vtkXMLDataParser.cxx` and `vtkXMLWriter.cxx`. A binary array starts
//! with its length in bytes; a compressed one with the number of blocks, the length of a block, that of the last
//! one (0: as the others), and the compressed length of each.

use crate::cells::syntax;
use crate::{MeshIoError, Place};
use flate2::read::ZlibDecoder;
use roxmltree::Node;
use std::io::Read;

/// The encoding of the numbers of a file.
pub(super) struct Encoding<'a> {
    pub(super) file: &'a str,
    pub(super) big_endian: bool,
    /// Bytes per number in the head of an array: 4 or 8.
    pub(super) header_size: usize,
    pub(super) compressed: bool,
    /// The appended data, and whether it is raw bytes (base64 otherwise).
    pub(super) appended: Option<(&'a [u8], bool)>,
}

impl Encoding<'_> {
    /// The numbers of a `DataArray`.
    pub(super) fn numbers(&self, array: Node<'_, '_>) -> Result<Vec<f64>, MeshIoError> {
        let place = Place::Line(array.document().text_pos_at(array.range().start).row as usize);
        let error = |what: &str, found: &str, wanted: &str| syntax(self.file, place, what, &found, wanted);
        let kind = array.attribute("type").unwrap_or_default();
        let text = array.text().unwrap_or_default();
        let bytes = match array.attribute("format").unwrap_or("ascii") {
            "ascii" => {
                let parsed = |word: &str| {
                    word.parse().map_err(|_| error("a number of an array", &format!("{word:?}"), "a number"))
                };
                return text.split_ascii_whitespace().map(parsed).collect();
            }
            "binary" => self.unpacked(&base64(text.as_bytes())),
            "appended" => {
                let offset = array.attribute("offset").and_then(|offset| offset.parse::<usize>().ok());
                let part = match (offset, self.appended) {
                    (Some(offset), Some((bytes, raw))) => bytes.get(offset..).map(|part| (part, raw)),
                    _ => None,
                };
                match part {
                    Some((part, true)) => self.unpacked(part),
                    Some((part, false)) => self.unpacked(&base64(part)),
                    None => {
                        let found = array.attribute("offset").unwrap_or("missing");
                        return Err(error("the offset of an array", found, "a place in the appended data"));
                    }
                }
            }
            other => return Err(error("the format of an array", other, "ascii, binary or appended")),
        };
        let bytes = bytes.ok_or_else(|| {
            error("the data of an array", "cut off or damaged", "as many bytes as its head counts")
        })?;
        self.decoded(kind, &bytes).ok_or_else(|| {
            error("the type of an array", kind, "Int8 to Int64, UInt8 to UInt64, Float32 or Float64")
        })
    }

    /// The bytes of the numbers after the head of an array.
    fn unpacked(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let head = |index: usize| {
            let start = self.header_size.checked_mul(index)?;
            let bytes = bytes.get(start..start.checked_add(self.header_size)?)?;
            usize::try_from(self.whole(bytes)).ok()
        };
        if !self.compressed {
            let length = head(0)?;
            return Some(bytes.get(self.header_size..)?.get(..length)?.to_vec());
        }
        let (blocks, whole, last) = (head(0)?, head(1)?, head(2)?);
        let mut rest = bytes.get(self.header_size.checked_mul(blocks.checked_add(3)?)?..)?;
        let mut unpacked = Vec::new();
        for block in 0..blocks {
            let packed = rest.get(..head(3 + block)?)?;
            rest = &rest[packed.len()..];
            let length = if block + 1 == blocks && last != 0 { last } else { whole };
            let before = unpacked.len();
            // At most the length in the head is decompressed, and at most what zlib can have compressed.
            ZlibDecoder::new(packed).take(length as u64).read_to_end(&mut unpacked).ok()?;
            if unpacked.len() - before != length {
                return None;
            }
        }
        Some(unpacked)
    }

    fn decoded(&self, kind: &str, bytes: &[u8]) -> Option<Vec<f64>> {
        let size = match kind {
            "Int8" | "UInt8" => 1,
            "Int16" | "UInt16" => 2,
            "Int32" | "UInt32" | "Float32" => 4,
            "Int64" | "UInt64" | "Float64" => 8,
            _ => return None,
        };
        let number = |bytes: &[u8]| {
            let whole = self.whole(bytes);
            match kind {
                "Float32" => f64::from(f32::from_bits(whole as u32)),
                "Float64" => f64::from_bits(whole),
                "Int8" => f64::from(whole as u8 as i8),
                "Int16" => f64::from(whole as u16 as i16),
                "Int32" => f64::from(whole as u32 as i32),
                "Int64" => whole as i64 as f64,
                _ => whole as f64,
            }
        };
        Some(bytes.chunks_exact(size).map(number).collect())
    }

    /// Up to eight bytes as an integer.
    fn whole(&self, bytes: &[u8]) -> u64 {
        let add = |whole: u64, &byte: &u8| whole << 8 | u64::from(byte);
        if self.big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
    }
}

/// The bytes of a base64 text, up to the first character outside the alphabet. Padding may occur between groups:
/// the head of a compressed array is encoded separately.
fn base64(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut group, mut count, mut padding) = (0_u32, 0, 0);
    for &character in text {
        let value = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                padding += 1;
                0
            }
            _ if character.is_ascii_whitespace() => continue,
            _ => break,
        };
        group = group << 6 | u32::from(value);
        count += 1;
        if count == 4 {
            let [_, first, second, third] = group.to_be_bytes();
            bytes.extend(&[first, second, third][..3_usize.saturating_sub(padding)]);
            (group, count, padding) = (0, 0, 0);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_with_padding_between_groups() {
        assert_eq!(base64(b"bGlnaHQgd29yay4="), b"light work.");
        assert_eq!(base64(b"bGk=\n Z2h0"), b"light");
        assert_eq!(base64(b"bGlnaHQ_"), b"lig");
    }
}
