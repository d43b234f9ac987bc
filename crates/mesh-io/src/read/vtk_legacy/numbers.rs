//! Arrays of numbers, as words or in binary.

use super::input::{Input, Word};
use crate::cells::syntax;
use crate::{MeshIoError, Place};

/// The type of the numbers of an array: binary ones are big-endian.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum NumberType {
    /// Whole numbers of so many bytes.
    Signed(usize),
    Unsigned(usize),
    Float,
    Double,
}

impl NumberType {
    /// The type of this name. `long` has 8 bytes, as on all systems but Windows; ids are written as `int`.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "char" | "signed_char" | "vtktypeint8" => Self::Signed(1),
            "short" | "vtktypeint16" => Self::Signed(2),
            "int" | "vtkidtype" | "vtktypeint32" => Self::Signed(4),
            "long" | "vtktypeint64" => Self::Signed(8),
            "unsigned_char" | "vtktypeuint8" => Self::Unsigned(1),
            "unsigned_short" | "vtktypeuint16" => Self::Unsigned(2),
            "unsigned_int" | "vtktypeuint32" => Self::Unsigned(4),
            "unsigned_long" | "vtktypeuint64" => Self::Unsigned(8),
            "float" | "vtktypefloat32" => Self::Float,
            "double" | "vtktypefloat64" => Self::Double,
            _ => return None,
        })
    }

    /// Bytes of a number in binary.
    pub(super) fn size(self) -> usize {
        match self {
            Self::Signed(size) | Self::Unsigned(size) => size,
            Self::Float => 4,
            Self::Double => 8,
        }
    }

    /// A number from its bytes.
    fn decoded(self, bytes: &[u8]) -> f64 {
        let whole = bytes.iter().fold(0_u64, |whole, &byte| whole << 8 | u64::from(byte));
        // Bits that a shorter number does not have; shifted back, they are its sign.
        let missing = 64 - 8 * bytes.len();
        match self {
            Self::Signed(_) => (((whole << missing) as i64) >> missing) as f64,
            Self::Unsigned(_) => whole as f64,
            Self::Float => f64::from(f32::from_bits(whole as u32)),
            Self::Double => f64::from_bits(whole),
        }
    }

    /// A number from its word, rounded as the type says.
    fn parsed(self, word: &str) -> Option<f64> {
        let range = match self {
            Self::Signed(size) => i64::MIN >> (64 - 8 * size)..=i64::MAX >> (64 - 8 * size),
            Self::Unsigned(size) => 0..=i64::MAX >> 63_usize.saturating_sub(8 * size),
            Self::Float => return word.parse::<f32>().ok().map(f64::from),
            Self::Double => return word.parse().ok(),
        };
        word.parse().ok().filter(|whole| range.contains(whole)).map(|whole| whole as f64)
    }
}

/// The numbers of an array, and where they stand.
pub(super) struct Numbers<'a> {
    file: &'a str,
    pub(super) values: Vec<f64>,
    places: Places,
}

enum Places {
    /// The first number of a line, and the line.
    Lines(Vec<(usize, usize)>),
    Bytes {
        start: usize,
        size: usize,
    },
}

impl<'a> Numbers<'a> {
    /// Reads an array of `count` numbers: `what` are they, and what is one of them? Errors: there are fewer, a word that is no
    /// number of the type.
    pub(super) fn read(
        input: &mut Input<'a>,
        kind: NumberType,
        count: u64,
        [what, one]: [&str; 2],
    ) -> Result<Self, MeshIoError> {
        let file = input.file;
        if input.binary {
            input.end_line(what)?;
            let start = input.at;
            let bytes = input.block(count.saturating_mul(kind.size() as u64), what)?;
            let values = bytes.chunks_exact(kind.size()).map(|bytes| kind.decoded(bytes)).collect();
            return Ok(Self { file, values, places: Places::Bytes { start, size: kind.size() } });
        }
        // A number has a digit, and white space to the next.
        let most = (input.left() as u64).div_ceil(2);
        if count > most {
            let wanted = format!("{most} or fewer, what the rest of the file can hold");
            return Err(input.error(&format!("the number of {what}"), &count, &wanted));
        }
        let mut values = Vec::with_capacity(count as usize);
        let mut lines: Vec<(usize, usize)> = Vec::new();
        for index in 0..count as usize {
            let word = input.word(one, "a number")?;
            if lines.last().is_none_or(|&(_, line)| line != input.line_number) {
                lines.push((index, input.line_number));
            }
            values.push(kind.parsed(word.text).ok_or_else(|| word.error(one, wanted(kind)))?);
        }
        Ok(Self { file, values, places: Places::Lines(lines) })
    }

    /// Where a number stands; behind the last one, where that stands.
    pub(super) fn place(&self, index: usize) -> Place {
        match &self.places {
            Places::Bytes { start, size } => Place::Byte(start + index * size),
            Places::Lines(lines) => {
                let behind = lines.partition_point(|&(first, _)| first <= index);
                behind.checked_sub(1).map_or(Place::Unknown, |last| Place::Line(lines[last].1))
            }
        }
    }

    /// A number that must be whole and not negative. Errors: it is not.
    pub(super) fn whole(&self, index: usize, what: &str) -> Result<u64, MeshIoError> {
        let x = self.values[index];
        // Whole numbers that are exact: more than any file has bytes.
        let is_whole = x >= 0.0 && x.fract() == 0.0 && x < 9e15;
        if is_whole { Ok(x as u64) } else { Err(self.error(index, what, &x, "a whole number, 0 or more")) }
    }

    /// An error about a number.
    pub(super) fn error(
        &self,
        index: usize,
        what: &str,
        found: &dyn std::fmt::Display,
        wanted: &str,
    ) -> MeshIoError {
        syntax(self.file, self.place(index), what, found, wanted)
    }
}

/// Reads the name of a type of numbers. Errors: another word.
pub(super) fn number_type(input: &mut Input<'_>, what: &str) -> Result<NumberType, MeshIoError> {
    let wanted = "the name of a type, as float, double, int or vtktypeint64";
    let word: Word<'_> = input.word(what, wanted)?;
    NumberType::named(word.text).ok_or_else(|| word.error(what, wanted))
}

fn wanted(kind: NumberType) -> &'static str {
    match kind {
        NumberType::Signed(_) => "a whole number of the type of the array",
        NumberType::Unsigned(_) => "a whole number of the type of the array, 0 or more",
        NumberType::Float | NumberType::Double => "a number",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_type() {
        for (name, bytes, number) in [
            ("char", [0xfe].as_slice(), -2.0),
            ("unsigned_char", &[0xfe], 254.0),
            ("short", &[0xff, 0xfe], -2.0),
            ("unsigned_short", &[0x01, 0x02], 258.0),
            ("int", &[0x80, 0, 0, 0], -2147483648.0),
            ("vtkIdType", &[0, 0, 1, 0], 256.0),
            ("unsigned_int", &[0x80, 0, 0, 0], 2147483648.0),
            ("long", &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfd], -3.0),
            ("vtktypeint64", &[0, 0, 0, 1, 0, 0, 0, 0], 4294967296.0),
            ("vtktypeuint64", &[0, 0, 0, 0, 0, 0, 0, 7], 7.0),
            ("float", &[0x3f, 0xc0, 0, 0], 1.5),
            ("Double", &[0xbf, 0xf8, 0, 0, 0, 0, 0, 0], -1.5),
        ] {
            let kind = NumberType::named(name).unwrap();
            assert_eq!((kind.size(), kind.decoded(bytes)), (bytes.len(), number), "{name}");
            assert_eq!(kind.parsed(&number.to_string()), Some(number), "{name}");
        }
        assert_eq!(NumberType::named("string"), None);
        // What does not fit; and 32 bits of a word.
        assert_eq!(NumberType::Signed(1).parsed("-128"), Some(-128.0));
        assert_eq!(NumberType::Signed(1).parsed("128"), None);
        assert_eq!(NumberType::Unsigned(1).parsed("255"), Some(255.0));
        assert_eq!(NumberType::Unsigned(1).parsed("256"), None);
        assert_eq!(NumberType::Unsigned(8).parsed("-1"), None);
        assert_eq!(NumberType::Signed(4).parsed("1.0"), None);
        assert_eq!(NumberType::Float.parsed("0.1"), Some(f64::from(0.1_f32)));
        assert_eq!(NumberType::Double.parsed("1e-3"), Some(0.001));
    }

    #[test]
    fn numbers_know_where_they_stand() {
        let words = ["the numbers", "a number"];
        let mut input = Input::new("file", b"1 2\n\n3\n4.5 x");
        let numbers = Numbers::read(&mut input, NumberType::Double, 4, words).unwrap();
        assert_eq!([0, 1, 2, 3, 9].map(|index| numbers.place(index)), [1, 1, 3, 4, 4].map(Place::Line));
        let error = numbers.whole(3, "a vertex").unwrap_err().to_string();
        assert_eq!(error, "file, line 4: a vertex is 4.5: wanted a whole number, 0 or more");
        let mut rest =
            |count| Numbers::read(&mut input, NumberType::Float, count, words).map(|_| ()).unwrap_err();
        assert_eq!(
            rest(1_000_000_000_000).to_string(),
            "file, line 4: the number of the numbers is 1000000000000: wanted 1 or fewer, what the rest of the file can hold"
        );
        assert_eq!(rest(1).to_string(), "file, line 4: a number is \"x\": wanted a number");
        let mut input = Input::new("file", b"\n\0\x01\0\x02\0");
        input.binary = true;
        let numbers = Numbers::read(&mut input, NumberType::Signed(2), 2, words).unwrap();
        assert_eq!((numbers.values.as_slice(), numbers.place(1)), ([1.0, 2.0].as_slice(), Place::Byte(3)));
    }
}
