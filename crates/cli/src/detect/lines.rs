//! The input line by line, in batches: only a batch is in memory, however long the input is.

use std::io::{self, BufRead, Read};

/// A batch ends at this many lines ...
const BATCH_LINES: usize = 1024;
/// ... or after the line that makes it longer than this, in bytes.
const BATCH_BYTES: usize = 1 << 23;

/// A line that is not blank.
pub(crate) struct Line {
    /// Its number in the input, from 1.
    pub(crate) number: u64,
    /// Its bytes; `None` if there were more than is read.
    pub(crate) bytes: Option<Vec<u8>>,
}

/// Reads batches of lines.
pub(crate) struct Lines<R> {
    input: R,
    number: u64,
    longest: u64,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `input`; those of more than `longest` bytes are skipped.
    pub(crate) fn new(input: R, longest: u64) -> Self {
        Self { input, number: 0, longest }
    }

    /// The next batch; empty at the end of the input.
    pub(crate) fn next_batch(&mut self) -> io::Result<Vec<Line>> {
        let mut batch = Vec::new();
        let mut length = 0;
        while batch.len() < BATCH_LINES && length < BATCH_BYTES {
            let Some(line) = self.next_line()? else { break };
            let is_blank = line.bytes.as_ref().is_some_and(|bytes| bytes.trim_ascii().is_empty());
            if !is_blank {
                length += line.bytes.as_ref().map_or(0, Vec::len);
                batch.push(line);
            }
        }
        Ok(batch)
    }

    fn next_line(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let limit = self.longest.saturating_add(1);
        if self.input.by_ref().take(limit).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let number = self.number;
        if bytes.len() as u64 > self.longest && bytes.last() != Some(&b'\n') {
            self.skip_rest_of_line()?;
            return Ok(Some(Line { number, bytes: None }));
        }
        Ok(Some(Line { number, bytes: Some(bytes) }))
    }

    fn skip_rest_of_line(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.input.fill_buf()?;
            let (length, ended) = match buffer.iter().position(|&byte| byte == b'\n') {
                Some(position) => (position + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            };
            self.input.consume(length);
            if ended {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(lines: &[Line]) -> Vec<u64> {
        lines.iter().map(|line| line.number).collect()
    }

    #[test]
    fn blank_lines_count_and_are_skipped() {
        let mut lines = Lines::new(&b"{}\n\n  \r\n{}\nlast"[..], 100);
        assert_eq!(numbers(&lines.next_batch().unwrap()), [1, 4, 5]);
        assert!(lines.next_batch().unwrap().is_empty());
    }

    #[test]
    fn a_long_input_comes_in_batches() {
        let text = "{}\n".repeat(BATCH_LINES + 5);
        let mut lines = Lines::new(text.as_bytes(), 100);
        assert_eq!(lines.next_batch().unwrap().len(), BATCH_LINES);
        assert_eq!(numbers(&lines.next_batch().unwrap())[0], BATCH_LINES as u64 + 1);
    }

    // Proves: REQ-LIMIT-JSON-LINE-BYTES
    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_is_read() {
        let long = io::repeat(b'x').take(110);
        let mut lines = Lines::new(io::BufReader::with_capacity(8, long.chain(&b"\n{}\n"[..])), 100);
        let batch = lines.next_batch().unwrap();
        assert_eq!(numbers(&batch), [1, 2]);
        assert!(batch[0].bytes.is_none());
        assert_eq!(batch[1].bytes.as_deref(), Some(&b"{}\n"[..]));
    }
}
