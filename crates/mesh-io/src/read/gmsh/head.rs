//! The section `$MeshFormat`: version, encoding, size of a number.

use super::super::lines::{Lines, Words};
use crate::MeshIoError;

/// What `$MeshFormat` says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) version: f64,
    /// Bytes of a `size_t` in version 4.
    pub(super) size: u64,
}

/// Whether a file says in its first section that it is binary.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    let mut lines = Lines::new("", bytes, None);
    let word = lines.next().and_then(|mut words| words.next());
    if !word.is_some_and(|word| word.eq_ignore_ascii_case("$MeshFormat")) {
        return false;
    }
    let Some(mut words) = lines.next() else { return false };
    words.next();
    words.next() == Some("1")
}

/// The line of the section. Errors: a version that is not read; an encoding that is not known.
pub(super) fn head(words: &mut Words<'_>, file: &str) -> Result<Head, MeshIoError> {
    let version = words.number("the version")?;
    let encoding = words.count("the encoding")?;
    if encoding > 1 {
        return Err(words.error("the encoding", &encoding, "0 or 1"));
    }
    if !(2.0..3.0).contains(&version) && !(4.0..5.0).contains(&version) {
        return Err(MeshIoError::Unsupported {
            file: file.to_owned(),
            what: "the version",
            found: version.to_string(),
            wanted: "1, 2 or 4",
        });
    }
    Ok(Head { version, size: words.count("the size of a number")? })
}
