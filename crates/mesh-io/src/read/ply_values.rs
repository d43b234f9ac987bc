//! The values behind the header of a PLY file, one element after the other.

use super::lines::{Lines, Words};
use super::ply_header::{Element, Encoding, Header, NumberType};
use crate::cells::syntax;
use crate::{MeshIoError, Place};

/// The values of an element: of each property a number, or those of a list.
#[derive(Default)]
pub(super) struct Values {
    /// The values of all properties in a row.
    values: Vec<f64>,
    /// For each property, the number behind its last value.
    ends: Vec<usize>,
}

impl Values {
    /// The values of a property.
    pub(super) fn of(&self, property: usize) -> &[f64] {
        let start = property.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.values[start..self.ends[property]]
    }
}

/// What is left of a file.
pub(super) struct Input<'a> {
    file: &'a str,
    source: Source<'a>,
}

enum Source<'a> {
    Lines(Lines<'a>),
    Bytes { rest: &'a [u8], at: usize, big_endian: bool },
}

impl<'a> Input<'a> {
    pub(super) fn new(file: &'a str, header: &Header<'a>) -> Self {
        let source = match header.encoding {
            Encoding::Ascii => Source::Lines(Lines::after(file, header.rest, None, header.lines)),
            encoding => Source::Bytes {
                rest: header.rest,
                at: header.bytes,
                big_endian: encoding == Encoding::BigEndian,
            },
        };
        Self { file, source }
    }

    /// Reads the next element and returns its place: a line, in ASCII, or a byte. Errors: it is not whole; a value that
    /// is no number of its type; in ASCII, more on its line.
    pub(super) fn element(&mut self, element: &Element, values: &mut Values) -> Result<Place, MeshIoError> {
        values.values.clear();
        values.ends.clear();
        match &mut self.source {
            Source::Lines(lines) => {
                let mut words = lines.wanted(&format!("an element {:?}", element.name))?;
                for property in &element.properties {
                    let count = match property.count {
                        Some(kind) => whole_word(&mut words, kind, &property.name)?,
                        None => 1,
                    };
                    for _ in 0..count {
                        values.values.push(word(&mut words, property.value, &property.name)?);
                    }
                    values.ends.push(values.values.len());
                }
                let place = words.place;
                words.end("behind the values of an element")?;
                Ok(place)
            }
            Source::Bytes { rest, at, big_endian } => {
                let start = *at;
                let mut take = |kind: NumberType, count: u64| {
                    let length = usize::try_from(count).ok().and_then(|count| count.checked_mul(size(kind)));
                    let Some((taken, left)) = length.and_then(|length| rest.split_at_checked(length)) else {
                        let found = format!("cut off: {} bytes are left", rest.len());
                        let what = format!("an element {:?}", element.name);
                        let wanted = format!("{count} numbers of {} bytes", size(kind));
                        return Err(syntax(self.file, Place::Byte(*at), &what, &found, &wanted));
                    };
                    (*rest, *at) = (left, *at + taken.len());
                    Ok(taken)
                };
                for property in &element.properties {
                    let count = match property.count {
                        Some(kind) => {
                            let count = decoded(kind, take(kind, 1)?, *big_endian);
                            if count < 0.0 {
                                let what = format!("the number of values of {:?}", property.name);
                                return Err(syntax(
                                    self.file,
                                    Place::Byte(start),
                                    &what,
                                    &count,
                                    "0 or more",
                                ));
                            }
                            count as u64
                        }
                        None => 1,
                    };
                    let bytes = take(property.value, count)?;
                    let numbers = bytes.chunks_exact(size(property.value));
                    values.values.extend(numbers.map(|bytes| decoded(property.value, bytes, *big_endian)));
                    values.ends.push(values.values.len());
                }
                Ok(Place::Byte(start))
            }
        }
    }

    /// An error if anything but blanks follows the last element.
    pub(super) fn end(&mut self) -> Result<(), MeshIoError> {
        const LAST: &str = "the last element that is counted";
        match &mut self.source {
            Source::Lines(lines) => lines.end(LAST),
            Source::Bytes { rest, .. } if rest.trim_ascii().is_empty() => Ok(()),
            Source::Bytes { rest, at, .. } => {
                let found = format!("followed by {} bytes", rest.len());
                Err(syntax(self.file, Place::Byte(*at), LAST, &found, "the last thing in the file"))
            }
        }
    }
}

fn size(kind: NumberType) -> usize {
    match kind {
        NumberType::Signed(size) | NumberType::Unsigned(size) => size,
        NumberType::Float => 4,
        NumberType::Double => 8,
    }
}

fn decoded(kind: NumberType, bytes: &[u8], big_endian: bool) -> f64 {
    let add = |whole: u64, &byte: &u8| whole << 8 | u64::from(byte);
    let whole = if big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) };
    match kind {
        NumberType::Signed(1) => f64::from(whole as u8 as i8),
        NumberType::Signed(2) => f64::from(whole as u16 as i16),
        NumberType::Signed(_) => f64::from(whole as u32 as i32),
        NumberType::Unsigned(_) => whole as f64,
        NumberType::Float => f64::from(f32::from_bits(whole as u32)),
        NumberType::Double => f64::from_bits(whole),
    }
}

/// The range of whole numbers of a type.
fn range(kind: NumberType) -> std::ops::RangeInclusive<i64> {
    match kind {
        NumberType::Signed(size) => i64::MIN >> (64 - 8 * size)..=i64::MAX >> (64 - 8 * size),
        NumberType::Unsigned(size) => 0..=(1_i64 << (8 * size)) - 1,
        NumberType::Float | NumberType::Double => i64::MIN..=i64::MAX,
    }
}

fn word(words: &mut Words<'_>, kind: NumberType, name: &str) -> Result<f64, MeshIoError> {
    let wanted = if kind.is_whole() { "a whole number of its type" } else { "a number" };
    let what = || format!("a value of {name:?}");
    let text = words.next().ok_or_else(|| words.error(&what(), &"missing", wanted))?;
    let number = match kind {
        NumberType::Float => text.parse::<f32>().ok().map(f64::from),
        NumberType::Double => text.parse::<f64>().ok(),
        _ => text.parse::<i64>().ok().filter(|whole| range(kind).contains(whole)).map(|whole| whole as f64),
    };
    number.ok_or_else(|| words.error(&what(), &format_args!("{text:?}"), wanted))
}

fn whole_word(words: &mut Words<'_>, kind: NumberType, name: &str) -> Result<u64, MeshIoError> {
    let count = word(words, kind, name)?;
    if count < 0.0 {
        return Err(words.error(&format!("the number of values of {name:?}"), &count, "0 or more"));
    }
    Ok(count as u64)
}
