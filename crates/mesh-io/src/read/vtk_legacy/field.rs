//! Skips field data and metadata between the sections of a mesh.

use super::input::Input;
use super::numbers::NumberType;
use crate::MeshIoError;

/// Passes over field data, behind the word `FIELD`: a name, a count, and so many arrays. Errors: an array that is not whole.
pub(super) fn skip_field(input: &mut Input<'_>) -> Result<(), MeshIoError> {
    input.word("the name of the field data", "a name")?;
    for _ in 0..input.count("the number of arrays")? {
        if input.word("the name of an array", "a name")?.is("NULL_ARRAY") {
            continue;
        }
        let components = input.count("the number of components")?;
        let tuples = input.count("the number of tuples")?;
        skip_array(input, components.saturating_mul(tuples))?;
        skip_metadata(input, components);
    }
    Ok(())
}

/// Passes over the block `METADATA` of an array, if one follows. An empty line ends it; but the names of components, one per line,
/// may be empty too.
pub(super) fn skip_metadata(input: &mut Input<'_>, components: u64) {
    if !input.take_keyword("METADATA") {
        return;
    }
    const NAMES: &[u8] = b"COMPONENT_NAMES";
    input.line();
    while let Some(line) = input.line()
        && !line.trim_ascii().is_empty()
    {
        if line.get(..NAMES.len()).is_some_and(|word| word.eq_ignore_ascii_case(NAMES)) {
            (0..components).find(|_| input.line().is_none());
        }
    }
}

/// Passes over the type of an array and its values.
fn skip_array(input: &mut Input<'_>, count: u64) -> Result<(), MeshIoError> {
    const WHAT: &str = "an array of field data";
    let wanted = "the name of a type, as float, int or string";
    let word = input.word("the type of an array", wanted)?;
    // The bits of one value. Bits are packed in binary; what is longer has a length of its own.
    let bits = match NumberType::named(word.text) {
        Some(kind) => 8 * kind.size() as u64,
        None if word.is("bit") => 1,
        None if word.is("string") || word.is("utf8_string") => return skip_strings(input, count, WHAT),
        // The number of a type and a word, in binary files too.
        None if word.is("variant") => return skip_words(input, count.saturating_mul(2), WHAT),
        None => return Err(word.error("the type of an array", wanted)),
    };
    if !input.binary {
        return skip_words(input, count, WHAT);
    }
    input.end_line(WHAT)?;
    input.block(count.saturating_mul(bits).div_ceil(8), WHAT)?;
    Ok(())
}

fn skip_words(input: &mut Input<'_>, count: u64, what: &str) -> Result<(), MeshIoError> {
    (0..count).try_for_each(|_| input.word(what, "another value").map(drop))
}

/// Strings are lines, or in binary a length and so many bytes. The length is a big-endian number of 1, 2, 4 or 8 bytes, as its
/// first two bits say: 3, 2, 1 or 0.
fn skip_strings(input: &mut Input<'_>, count: u64, what: &str) -> Result<(), MeshIoError> {
    input.end_line(what)?;
    for _ in 0..count {
        if !input.binary {
            input.line().ok_or_else(|| input.error(what, &"the end of the file", "another line"))?;
            continue;
        }
        let first = u64::from(input.block(1, what)?[0]);
        let behind = (8 >> (first >> 6)) - 1;
        let length =
            input.block(behind, what)?.iter().fold(first & 63, |length, &byte| length << 8 | u64::from(byte));
        input.block(length, what)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What follows the field data.
    fn behind(bytes: &[u8], binary: bool) -> String {
        let mut input = Input::new("file", bytes);
        input.binary = binary;
        match skip_field(&mut input) {
            Ok(()) => input.next().map_or_else(String::new, |word| word.text.to_owned()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn arrays_of_every_sort_in_words() {
        let text = b"FieldData 6\na 2 2 double\n1 2 3 4\nMETADATA\nCOMPONENT_NAMES\n\nPOINTS\nINFORMATION 0\n\n\
            b 1 3 string\nPOINTS 1 float\n\n0 0 0\nNULL_ARRAY\nc 1 2 variant\n6 3\n13 hi\nd 1 3 bit\n0 1 1\ne 0 0 int\n\nEND";
        assert_eq!(behind(text, false), "END");
    }

    #[test]
    fn arrays_of_every_sort_in_binary() {
        let mut bytes =
            b"FieldData 5\na 1 2 short\n\n\n\n\nMETADATA\n\nb 1 4 string\n\xc2ab\x80\x01c\x40\0\0\x01d"
                .to_vec();
        bytes.extend(b"\0\0\0\0\0\0\0\x01e\nc 1 2 variant\n6 3\n13 hi\nd 1 9 bit\nU@\ne 0 0 int\nEND");
        assert_eq!(behind(&bytes, true), "END");
    }

    #[test]
    fn damage_is_named() {
        let place = "file, line 2: an array of field data is the end of the file: wanted another";
        assert_eq!(behind(b"f 1\na 9 999999999999999999 int 1", false), format!("{place} value"));
        assert_eq!(behind(b"f 1\na 1 9999999999 string", false), format!("{place} line"));
        assert!(behind(b"f 1 a 1 1 colour", false).contains("the type of an array is \"colour\""));
        let huge = b"f 1\na 1 1 string\n\x3f\xff\xff\xff\xff\xff\xff\xff";
        assert!(
            behind(huge, true).contains("is cut off: 0 bytes are left: wanted 4611686018427387903 bytes")
        );
        assert!(behind(b"f 1\na 4294967295 4294967297 double\n", true).contains("0 bytes are left"));
        assert!(
            behind(b"f 18446744073709551615\n", true).contains("the name of an array is the end of the file")
        );
    }
}
