//! The arrays of VTK's XML format: ASCII, binary in base64, or appended at the end of the file; raw or compressed.
//!
//! Source: VTK's own reader and writer, `IO/XML/vtkXMLDataParser.cxx` and `vtkXMLWriter.cxx`. A binary array starts
//! with its length in bytes; a compressed one with the number of blocks, the length of a block, that of the last
//! one (0: as the others), and the compressed length of each.

use super::compressor::Compressor;
use crate::cells::syntax;
use crate::{MeshIoError, Place};
use roxmltree::Node;
use std::borrow::Cow;
use std::cell::Cell;

/// The encoding of the numbers of a file.
pub(super) struct Encoding<'a> {
    pub(super) file: &'a str,
    pub(super) big_endian: bool,
    /// Bytes per number in the head of an array: 4 or 8.
    pub(super) header_size: usize,
    pub(super) compressor: Option<Compressor>,
    /// The appended data, and whether it is raw bytes (base64 otherwise).
    pub(super) appended: Option<(&'a [u8], bool)>,
    /// How many bytes the compressed arrays of the file may expand to, and how many they have.
    pub(super) expansion: u64,
    pub(super) expanded: Cell<u64>,
    /// Where each line of the text ends: a file may have very many parts.
    pub(super) ends_of_lines: Vec<usize>,
}

/// Why the bytes of an array are not had.
enum Damage {
    /// The array is not whole.
    CutOff,
    /// Its head declares another number of bytes.
    Length(u64),
    /// It would expand to so many bytes with those before it, beyond the limit.
    Expansion(u64),
}

impl Encoding<'_> {
    /// The line of a node.
    pub(super) fn place(&self, node: Node<'_, '_>) -> Place {
        let start = node.range().start;
        Place::Line(self.ends_of_lines.partition_point(|&end| end < start) + 1)
    }

    /// The numbers of a `DataArray`, of which there must be `count`. Errors: another number of them; an array that is
    /// not whole; compressed data that would expand beyond the limit.
    pub(super) fn numbers(&self, array: Node<'_, '_>, count: u64) -> Result<Vec<f64>, MeshIoError> {
        let place = self.place(array);
        let error = |what: &str, found: &str, wanted: &str| syntax(self.file, place, what, &found, wanted);
        let kind = array.attribute("type").unwrap_or_default();
        let wanted = || format!("{count}, as the piece declares");
        let Some(size) = size(kind) else {
            return Err(error(
                "the type of an array",
                kind,
                "Int8 to Int64, UInt8 to UInt64, Float32 or Float64",
            ));
        };
        let length = count.saturating_mul(size as u64);
        let text = array.text().unwrap_or_default();
        let bytes = match array.attribute("format").unwrap_or("ascii") {
            "ascii" => {
                // Comments divide the text.
                let texts = array.children().filter_map(|child| child.text().filter(|_| child.is_text()));
                let words = texts.flat_map(|text| text.split_ascii_whitespace());
                let numbers: Vec<f64> = words
                    .map(|word| {
                        let number = parsed(kind, word);
                        number.ok_or_else(|| error("a number of an array", &format!("{word:?}"), "a number"))
                    })
                    .collect::<Result<_, _>>()?;
                if numbers.len() as u64 != count {
                    return Err(error(
                        "the number of values of an array",
                        &numbers.len().to_string(),
                        &wanted(),
                    ));
                }
                return Ok(numbers);
            }
            "binary" => self.unpacked(&|most| Cow::Owned(base64(text.as_bytes(), most)), length),
            "appended" => {
                let offset = array.attribute("offset").and_then(|offset| offset.parse::<usize>().ok());
                let part = match (offset, self.appended) {
                    (Some(offset), Some((bytes, raw))) => bytes.get(offset..).map(|part| (part, raw)),
                    _ => None,
                };
                match part {
                    Some((part, true)) => {
                        self.unpacked(&|most| Cow::Borrowed(&part[..part.len().min(most)]), length)
                    }
                    Some((part, false)) => self.unpacked(&|most| Cow::Owned(base64(part, most)), length),
                    None => {
                        let found = array.attribute("offset").unwrap_or("missing");
                        return Err(error("the offset of an array", found, "a place in the appended data"));
                    }
                }
            }
            other => return Err(error("the format of an array", other, "ascii, binary or appended")),
        };
        match bytes {
            Ok(bytes) => Ok(self.decoded(kind, size, &bytes)),
            // Not every writer gives an empty array a head.
            Err(Damage::CutOff) if count == 0 => Ok(Vec::new()),
            Err(Damage::CutOff) => {
                Err(error("the data of an array", "cut off or damaged", "as many bytes as its head counts"))
            }
            Err(Damage::Length(found)) => Err(error(
                "the number of bytes of an array",
                &found.to_string(),
                &format!("{length}, as the piece declares"),
            )),
            Err(Damage::Expansion(found)) => {
                let (file, what) = (
                    self.file.to_owned(),
                    format!("{place}: the number of bytes of the arrays up to here, expanded,"),
                );
                Err(MeshIoError::Limit { file, what, found, limit: "expanded_bytes", value: self.expansion })
            }
        }
    }

    /// The bytes of the numbers after the head of an array, of which there must be `length`. `first` returns so many of the
    /// bytes of the array and of what follows it, or fewer if there are not so many.
    fn unpacked<'b>(&self, first: &dyn Fn(usize) -> Cow<'b, [u8]>, length: u64) -> Result<Vec<u8>, Damage> {
        let heads = |count: u64| {
            let bytes = usize::try_from(count).ok().and_then(|count| count.checked_mul(self.header_size));
            let bytes = bytes.map(first).filter(|found| Some(found.len()) == bytes).ok_or(Damage::CutOff)?;
            Ok(bytes.chunks_exact(self.header_size).map(|bytes| self.whole(bytes)).collect::<Vec<u64>>())
        };
        let all = |heads: usize, length: u64| {
            let before = self.header_size * heads;
            let length = usize::try_from(length).ok().and_then(|length| length.checked_add(before));
            let bytes =
                length.map(first).filter(|found| Some(found.len()) == length).ok_or(Damage::CutOff)?;
            Ok(bytes[before..].to_vec())
        };
        let Some(compressor) = self.compressor else {
            let found = heads(1)?[0];
            return if found == length { all(1, length) } else { Err(Damage::Length(found)) };
        };
        let blocks = heads(1)?[0];
        if blocks == 0 {
            return if length == 0 { Ok(Vec::new()) } else { Err(Damage::Length(0)) };
        }
        let head = heads(blocks.saturating_add(3))?;
        let (whole, packed) = (head[1], &head[3..]);
        let last = if head[2] == 0 { whole } else { head[2] };
        let found = (blocks - 1).saturating_mul(whole).saturating_add(last);
        if found != length {
            return Err(Damage::Length(found));
        }
        let expanded = self.expanded.get().saturating_add(length);
        if expanded > self.expansion {
            return Err(Damage::Expansion(expanded));
        }
        self.expanded.set(expanded);
        let sum = packed.iter().fold(0, |sum: u64, &length| sum.saturating_add(length));
        expanded_blocks(compressor, &all(head.len(), sum)?, packed, [whole, last]).ok_or(Damage::CutOff)
    }

    fn decoded(&self, kind: &str, size: usize, bytes: &[u8]) -> Vec<f64> {
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
        bytes.chunks_exact(size).map(number).collect()
    }

    /// Up to eight bytes as an integer.
    fn whole(&self, bytes: &[u8]) -> u64 {
        let add = |whole: u64, &byte: &u8| whole << 8 | u64::from(byte);
        if self.big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
    }
}

/// The blocks of a compressed array, none longer than its head declares.
fn expanded_blocks(
    compressor: Compressor,
    mut bytes: &[u8],
    packed: &[u64],
    [whole, last]: [u64; 2],
) -> Option<Vec<u8>> {
    let mut expanded = Vec::new();
    for (index, &length) in packed.iter().enumerate() {
        let (block, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
        bytes = rest;
        let wanted = if index + 1 == packed.len() { last } else { whole };
        compressor.expand(block, usize::try_from(wanted).ok()?, &mut expanded)?;
    }
    Some(expanded)
}

/// Bytes of a number of this type.
fn size(kind: &str) -> Option<usize> {
    Some(match kind {
        "Int8" | "UInt8" => 1,
        "Int16" | "UInt16" => 2,
        "Int32" | "UInt32" | "Float32" => 4,
        "Int64" | "UInt64" | "Float64" => 8,
        _ => return None,
    })
}

/// A number of this type from its word.
fn parsed(kind: &str, word: &str) -> Option<f64> {
    match kind {
        "Float32" => word.parse::<f32>().ok().map(f64::from),
        "Float64" => word.parse().ok(),
        _ => word.parse::<i64>().ok().map(|whole| whole as f64),
    }
}

/// The bytes of a base64 text, up to the first character outside the alphabet, and at most so many. Padding may occur between groups:
/// the head of a compressed array is encoded separately.
pub(super) fn base64(text: &[u8], most: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity((text.len() / 4 * 3).min(most.saturating_add(2)));
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
            if bytes.len() >= most {
                break;
            }
        }
    }
    bytes.truncate(most);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_with_padding_between_groups() {
        assert_eq!(base64(b"bGlnaHQgd29yay4=", 99), b"light work.");
        assert_eq!(base64(b"bGlnaHQgd29yay4=", 7), b"light w");
        assert_eq!(base64(b"bGk=\n Z2h0", 5), b"light");
        assert_eq!(base64(b"bGlnaHQ_", 99), b"lig");
    }
}
