//! The lines of a text, with their line numbers, and the words of a line.

use crate::cells::syntax;
use crate::{MeshIoError, Place};

/// The non-blank lines of a file, without comments.
pub(crate) struct Lines<'a> {
    file: &'a str,
    rest: &'a [u8],
    /// The number of the most recent line.
    number: usize,
    /// The comment character.
    comment: Option<u8>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(file: &'a str, bytes: &'a [u8], comment: Option<u8>) -> Self {
        Self { file, rest: bytes, number: 0, comment }
    }

    /// The next non-blank line.
    pub(crate) fn next(&mut self) -> Option<Words<'a>> {
        while !self.rest.is_empty() {
            let end = self.rest.iter().position(|&byte| byte == b'\n');
            let line = &self.rest[..end.unwrap_or(self.rest.len())];
            self.rest = end.map_or(&[], |end| &self.rest[end + 1..]);
            self.number += 1;
            let words = match self.comment.and_then(|mark| line.iter().position(|&byte| byte == mark)) {
                Some(start) => &line[..start],
                None => line,
            };
            if !words.trim_ascii().is_empty() {
                return Some(Words { file: self.file, rest: words, place: Place::Line(self.number) });
            }
        }
        None
    }

    /// The next non-blank line; an error at the end of the file.
    pub(crate) fn wanted(&mut self, what: &str) -> Result<Words<'a>, MeshIoError> {
        let place = Place::Line(self.number + 1);
        self.next().ok_or_else(|| syntax(self.file, place, what, &"the end of the file", "another line"))
    }
}

/// The words of one line.
#[derive(Clone)]
pub(crate) struct Words<'a> {
    file: &'a str,
    rest: &'a [u8],
    pub(crate) place: Place,
}

impl<'a> Words<'a> {
    /// The next word; bytes that are not text read as a word unknown to all formats.
    pub(crate) fn next(&mut self) -> Option<&'a str> {
        let line = self.rest.trim_ascii_start();
        if line.is_empty() {
            self.rest = line;
            return None;
        }
        let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
        self.rest = &line[end..];
        Some(std::str::from_utf8(&line[..end]).unwrap_or("\u{fffd}"))
    }

    /// The next word as a number.
    pub(crate) fn number(&mut self, what: &str) -> Result<f64, MeshIoError> {
        self.parsed(what, "a number")
    }

    /// The next three words as coordinates.
    pub(crate) fn point(&mut self) -> Result<[f64; 3], MeshIoError> {
        Ok([
            self.number("the x of a vertex")?,
            self.number("the y of a vertex")?,
            self.number("the z of a vertex")?,
        ])
    }

    /// The next word as a non-negative integer.
    pub(crate) fn count(&mut self, what: &str) -> Result<u64, MeshIoError> {
        self.parsed(what, "a whole number, 0 or more")
    }

    /// All remaining words as non-negative integers.
    pub(crate) fn counts(&mut self, what: &str) -> Result<Vec<u64>, MeshIoError> {
        let mut counts = Vec::new();
        while !self.rest.trim_ascii().is_empty() {
            counts.push(self.count(what)?);
        }
        Ok(counts)
    }

    pub(crate) fn error(&self, what: &str, found: &dyn std::fmt::Display, wanted: &str) -> MeshIoError {
        syntax(self.file, self.place, what, found, wanted)
    }

    fn parsed<T: std::str::FromStr>(&mut self, what: &str, wanted: &str) -> Result<T, MeshIoError> {
        let word = self.next().ok_or_else(|| self.error(what, &"missing", wanted))?;
        word.parse().map_err(|_| self.error(what, &format_args!("{word:?}"), wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_lines_and_comments_are_passed_over_and_counted() {
        let mut lines = Lines::new("file", b"# one\n\n 1 2.5 x # rest\r\nlast", Some(b'#'));
        let mut words = lines.next().unwrap();
        assert_eq!(words.place, Place::Line(3));
        assert_eq!((words.count("a").unwrap(), words.number("b").unwrap()), (1, 2.5));
        let error = words.number("the size").unwrap_err().to_string();
        assert_eq!(error, "file, line 3: the size is \"x\": wanted a number");
        assert!(words.number("b").unwrap_err().to_string().contains("is missing"));
        assert_eq!(lines.next().unwrap().next(), Some("last"));
        assert!(lines.wanted("more").is_err());
    }
}
