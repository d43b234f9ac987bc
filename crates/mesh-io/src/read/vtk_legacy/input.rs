//! The bytes of a file, taken word by word, line by line, or in blocks.

use crate::cells::syntax;
use crate::{MeshIoError, Place};
use std::fmt::Display;

/// The bytes of a file that are not taken yet.
pub(super) struct Input<'a> {
    pub(super) file: &'a str,
    rest: &'a [u8],
    /// How many bytes are taken.
    pub(super) at: usize,
    /// The line of the first byte that is not, counted from 1.
    pub(super) line_number: usize,
    /// Whether arrays are binary. Places are bytes then: in numbers, ends of lines mean nothing.
    pub(super) binary: bool,
    /// The byte that ends the lines of a binary file, as it does the first: a line feed, perhaps behind a carriage return, or a
    /// carriage return alone. In front of binary numbers it cannot be both: the numbers may begin with the other.
    line_end: u8,
}

impl<'a> Input<'a> {
    /// The bytes of a file, behind a byte order mark.
    pub(super) fn new(file: &'a str, bytes: &'a [u8]) -> Self {
        let rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let ends_with_return = match line_break(rest) {
            Some((at, 1)) => rest[at] == b'\r',
            _ => false,
        };
        let line_end = if ends_with_return { b'\r' } else { b'\n' };
        Self { file, rest, at: bytes.len() - rest.len(), line_number: 1, binary: false, line_end }
    }

    /// Where the bytes that are left begin.
    pub(super) fn place(&self) -> Place {
        if self.binary { Place::Byte(self.at) } else { Place::Line(self.line_number) }
    }

    /// How many bytes are left.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    /// The next word; `None` at the end of the file. Bytes that are no text read as a word that no file has.
    pub(super) fn next(&mut self) -> Option<Word<'a>> {
        let blank = self.blank();
        self.take(blank);
        let place = self.place();
        let end = self.rest.iter().position(u8::is_ascii_whitespace).unwrap_or(self.rest.len());
        let text = std::str::from_utf8(self.take(end)).unwrap_or("\u{fffd}");
        (end > 0).then_some(Word { file: self.file, text, place })
    }

    /// The next word; an error at the end of the file.
    pub(super) fn word(&mut self, what: &str, wanted: &str) -> Result<Word<'a>, MeshIoError> {
        self.next().ok_or_else(|| self.error(what, &"the end of the file", wanted))
    }

    /// The next word as a whole number that is not negative.
    pub(super) fn count(&mut self, what: &str) -> Result<u64, MeshIoError> {
        let wanted = "a whole number, 0 or more";
        let word = self.word(what, wanted)?;
        word.text.parse().map_err(|_| word.error(what, wanted))
    }

    /// Takes the next word if it is this one, in capitals or not.
    pub(super) fn take_keyword(&mut self, keyword: &str) -> bool {
        let word = &self.rest[self.blank()..];
        let found =
            word.get(..keyword.len()).is_some_and(|text| text.eq_ignore_ascii_case(keyword.as_bytes()))
                && word.get(keyword.len()).is_none_or(u8::is_ascii_whitespace);
        if found {
            self.next();
        }
        found
    }

    /// The rest of the line, without its end; `None` at the end of the file. In text a line feed, a carriage return, or both end
    /// a line.
    pub(super) fn line(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = if self.binary {
            self.rest.iter().position(|&byte| byte == self.line_end).map(|at| (at, 1))
        } else {
            line_break(self.rest)
        };
        let (length, behind) = end.unwrap_or((self.rest.len(), 0));
        let line = self.take(length);
        self.take(behind);
        Some(line)
    }

    /// Takes the rest of a line in front of binary numbers, which holds no word.
    pub(super) fn end_line(&mut self, what: &str) -> Result<(), MeshIoError> {
        let place = self.place();
        let line = self.line().unwrap_or_default();
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        let found = format!("behind {:?} on its line", String::from_utf8_lossy(&line[..line.len().min(80)]));
        Err(syntax(self.file, place, what, &found, "on the next line, alone"))
    }

    /// The next `length` bytes, all of which must be there.
    pub(super) fn block(&mut self, length: u64, what: &str) -> Result<&'a [u8], MeshIoError> {
        match usize::try_from(length) {
            Ok(length) if length <= self.left() => Ok(self.take(length)),
            _ => {
                let found = format!("cut off: {} bytes are left", self.left());
                Err(self.error(what, &found, &format!("{length} bytes")))
            }
        }
    }

    /// An error about what stands next.
    pub(super) fn error(&self, what: &str, found: &dyn Display, wanted: &str) -> MeshIoError {
        syntax(self.file, self.place(), what, found, wanted)
    }

    /// How many bytes of white space stand next.
    fn blank(&self) -> usize {
        self.rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(self.rest.len())
    }

    fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.at += length;
        if !self.binary {
            // A carriage return in front of a line feed is no line end of its own.
            let next = taken.iter().skip(1).chain(rest.first());
            let returns = taken.iter().zip(next.map(Some).chain([None]));
            let returns = returns.filter(|&(&byte, next)| byte == b'\r' && next != Some(&b'\n')).count();
            self.line_number += taken.iter().filter(|&&byte| byte == b'\n').count() + returns;
        }
        taken
    }
}

/// Where the first line ends, and the length of its end: a line feed, a carriage return, or both.
fn line_break(bytes: &[u8]) -> Option<(usize, usize)> {
    let at = bytes.iter().position(|&byte| byte == b'\n' || byte == b'\r')?;
    Some((at, if bytes[at..].starts_with(b"\r\n") { 2 } else { 1 }))
}

/// A word of a file.
pub(super) struct Word<'a> {
    file: &'a str,
    pub(super) text: &'a str,
    pub(super) place: Place,
}

impl Word<'_> {
    /// Whether it is this one, in capitals or not.
    pub(super) fn is(&self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword)
    }

    /// An error about this word.
    pub(super) fn error(&self, what: &str, wanted: &str) -> MeshIoError {
        syntax(self.file, self.place, what, &format_args!("{:?}", self.text), wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_lines_are_counted() {
        let mut input = Input::new("file", b"\n a \r\nPoints 3 \n\nx y\n");
        let word = input.next().unwrap();
        assert_eq!((word.text, word.place), ("a", Place::Line(2)));
        assert!(!input.take_keyword("POINT") && input.take_keyword("POINTS"));
        assert_eq!(input.count("the number").unwrap(), 3);
        assert_eq!(input.line(), Some(b" ".as_slice()));
        assert_eq!(input.line(), Some(b"".as_slice()));
        let error = input.count("the number").unwrap_err().to_string();
        assert_eq!(error, "file, line 5: the number is \"x\": wanted a whole number, 0 or more");
        assert_eq!((input.line(), input.line()), (Some(b" y".as_slice()), None));
        let error = input.word("a type", "float").map(|word| word.text).unwrap_err().to_string();
        assert_eq!(error, "file, line 6: a type is the end of the file: wanted float");
    }

    #[test]
    fn carriage_returns_end_lines() {
        let mut input = Input::new("file", b"a\r\rb c\r\nd\re");
        assert_eq!(input.line(), Some(b"a".as_slice()));
        assert_eq!(input.next().map(|word| word.place), Some(Place::Line(3)));
        assert_eq!(input.line(), Some(b" c".as_slice()));
        assert_eq!((input.line_number, input.line()), (4, Some(b"d".as_slice())));
        assert_eq!((input.line_number, input.line(), input.line()), (5, Some(b"e".as_slice()), None));
        let mut input = Input::new("file", b"int\r\n\r\x01");
        input.binary = true;
        input.next().unwrap();
        input.end_line("the array").unwrap();
        assert_eq!(input.block(2, "the array").unwrap(), b"\r\x01");
        let mut input = Input::new("file", b"int\r\n\x01\n");
        input.line_end = b'\r';
        input.binary = true;
        input.next().unwrap();
        input.end_line("the array").unwrap();
        assert_eq!(input.block(3, "the array").unwrap(), b"\n\x01\n");
    }

    #[test]
    fn blocks_begin_behind_the_end_of_a_line() {
        let mut input = Input::new("file", b"int\r\n\n\xff\n\x01 c");
        input.binary = true;
        input.next().unwrap();
        input.end_line("the array").unwrap();
        assert_eq!(input.block(4, "the array").unwrap(), b"\n\xff\n\x01");
        assert_eq!(input.place(), Place::Byte(9));
        let error = input.end_line("the array").unwrap_err().to_string();
        assert_eq!(
            error,
            "file, byte 9: the array is behind \" c\" on its line: wanted on the next line, alone"
        );
        let error = input.block(u64::MAX, "the array").unwrap_err().to_string();
        assert!(
            error.contains("byte 11: the array is cut off: 0 bytes are left: wanted 18446744073709551615")
        );
    }
}
