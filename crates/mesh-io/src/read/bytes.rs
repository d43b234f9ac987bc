//! Binary files whose sections begin with lines of text.

use super::lines::{split_line, without_mark};
use crate::cells::syntax;
use crate::{MeshIoError, Place};

/// The bytes of a file from a place on.
pub(super) struct Bytes<'a> {
    file: &'a str,
    rest: &'a [u8],
    length: usize,
    pub(super) big_endian: bool,
}

impl<'a> Bytes<'a> {
    /// A file from its start, behind a byte order mark; little-endian.
    pub(super) fn new(file: &'a str, bytes: &'a [u8]) -> Self {
        Self { file, rest: without_mark(bytes), length: bytes.len(), big_endian: false }
    }

    pub(super) fn place(&self) -> Place {
        Place::Byte(self.length - self.rest.len())
    }

    pub(super) fn error(&self, what: &str, found: &dyn std::fmt::Display, wanted: &str) -> MeshIoError {
        syntax(self.file, self.place(), what, found, wanted)
    }

    /// The bytes up to the next end of a line, which is passed over; `None` at the end of the file.
    pub(super) fn line(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = split_line(self.rest);
        self.rest = rest;
        Some(line)
    }

    /// The bytes before the next `end`, which is not passed over. Errors: there is none.
    pub(super) fn up_to(&mut self, end: &[u8], section: &str) -> Result<&'a [u8], MeshIoError> {
        let Some(at) = self.rest.windows(end.len()).position(|window| window == end) else {
            let what = format!("the end of the section {section:?}");
            return Err(self.error(&what, &"missing", &String::from_utf8_lossy(end)));
        };
        let (before, rest) = self.rest.split_at(at);
        self.rest = rest;
        Ok(before)
    }

    /// The next bytes. Errors: there are not so many.
    pub(super) fn take(&mut self, count: u64, what: &str) -> Result<&'a [u8], MeshIoError> {
        let parts = usize::try_from(count).ok().and_then(|count| self.rest.split_at_checked(count));
        let Some((taken, rest)) = parts else {
            let found = format!("cut off after {} bytes", self.rest.len());
            return Err(self.error(what, &found, &format!("{count} bytes")));
        };
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], MeshIoError> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N as u64, what)?);
        if self.big_endian {
            bytes.reverse();
        }
        Ok(bytes)
    }

    pub(super) fn u32(&mut self, what: &str) -> Result<u32, MeshIoError> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub(super) fn i32(&mut self, what: &str) -> Result<i32, MeshIoError> {
        self.array(what).map(i32::from_le_bytes)
    }

    pub(super) fn u64(&mut self, what: &str) -> Result<u64, MeshIoError> {
        self.array(what).map(u64::from_le_bytes)
    }

    pub(super) fn f64(&mut self, what: &str) -> Result<f64, MeshIoError> {
        self.array(what).map(f64::from_le_bytes)
    }
}
