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
    /// The lines of a file, behind a byte order mark.
    pub(crate) fn new(file: &'a str, bytes: &'a [u8], comment: Option<u8>) -> Self {
        Self::after(file, without_mark(bytes), comment, 0)
    }

    /// The lines of the rest of a file, behind its first `number` lines.
    pub(crate) fn after(file: &'a str, rest: &'a [u8], comment: Option<u8>, number: usize) -> Self {
        Self { file, rest, number, comment }
    }

    /// The next non-blank line. Lines end with a line feed, a carriage return, or both.
    pub(crate) fn next(&mut self) -> Option<Words<'a>> {
        while !self.rest.is_empty() {
            let (line, rest) = split_line(self.rest);
            self.rest = rest;
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

    /// An error if another line follows the last one that was declared.
    pub(crate) fn end(&mut self, last: &str) -> Result<(), MeshIoError> {
        let Some(mut words) = self.next() else { return Ok(()) };
        let found = format!("followed by {:?}", words.next().unwrap_or_default());
        Err(words.error(last, &found, "the last thing in the file"))
    }

    /// An error about this file.
    pub(crate) fn error_at(
        &self,
        place: Place,
        what: &str,
        found: &dyn std::fmt::Display,
        wanted: &str,
    ) -> MeshIoError {
        syntax(self.file, place, what, found, wanted)
    }

    /// The next non-blank line; an error at the end of the file.
    pub(crate) fn wanted(&mut self, what: &str) -> Result<Words<'a>, MeshIoError> {
        let place = Place::Line(self.number + 1);
        self.next().ok_or_else(|| syntax(self.file, place, what, &"the end of the file", "another line"))
    }
}

/// The bytes of a file behind a byte order mark.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The first line without its end, and what follows it.
pub(crate) fn split_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n' || byte == b'\r').unwrap_or(bytes.len());
    let (line, rest) = bytes.split_at(end);
    let behind = if rest.starts_with(b"\r\n") { 2 } else { usize::from(!rest.is_empty()) };
    (line, &rest[behind..])
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

    /// The next word as an integer.
    pub(crate) fn whole(&mut self, what: &str) -> Result<i64, MeshIoError> {
        self.parsed(what, "a whole number")
    }

    /// The rest of the line as text, without blanks around it; bytes that are not text as such.
    pub(crate) fn rest(&mut self) -> &'a str {
        std::str::from_utf8(std::mem::take(&mut self.rest).trim_ascii()).unwrap_or("\u{fffd}")
    }

    /// All remaining words as non-negative integers.
    pub(crate) fn counts(&mut self, what: &str) -> Result<Vec<u64>, MeshIoError> {
        let mut counts = Vec::new();
        while !self.rest.trim_ascii().is_empty() {
            counts.push(self.count(what)?);
        }
        Ok(counts)
    }

    /// An error if there is another word.
    pub(crate) fn end(&mut self, what: &str) -> Result<(), MeshIoError> {
        let Some(word) = self.next() else { return Ok(()) };
        Err(self.error(what, &format_args!("{word:?}"), "the end of the line"))
    }

    /// Passes over the rest of the line, which must be numbers.
    pub(crate) fn numbers_to_end(&mut self, what: &str) -> Result<(), MeshIoError> {
        while !self.rest.trim_ascii().is_empty() {
            self.number(what)?;
        }
        Ok(())
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

    #[test]
    fn lines_end_in_three_ways_behind_a_byte_order_mark() {
        for end in ["\n", "\r\n", "\r"] {
            let text = format!("\u{feff}v 1{end}{end}f\t2 {end}");
            let mut lines = Lines::new("file", text.as_bytes(), None);
            let mut words = lines.next().unwrap();
            assert_eq!((words.next(), words.next(), words.next()), (Some("v"), Some("1"), None));
            let mut words = lines.next().unwrap();
            assert_eq!((words.place, words.next(), words.next()), (Place::Line(3), Some("f"), Some("2")));
            assert!(lines.next().is_none());
        }
    }

    #[test]
    fn what_follows_the_end_is_named() {
        let mut lines = Lines::new("file", b"1 2 x\nmore", None);
        let mut words = lines.next().unwrap();
        let error = words.clone().numbers_to_end("a colour").unwrap_err().to_string();
        assert_eq!(error, "file, line 1: a colour is \"x\": wanted a number");
        let error = words.end("behind a face").unwrap_err().to_string();
        assert_eq!(error, "file, line 1: behind a face is \"1\": wanted the end of the line");
        let error = lines.end("the last face").unwrap_err().to_string();
        assert_eq!(
            error,
            "file, line 2: the last face is followed by \"more\": wanted the last thing in the file"
        );
    }
}
