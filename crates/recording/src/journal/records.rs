//! The records of a journal one after the other, also past damaged bytes.

use super::record::{FRAME, HEAD, Head, NUMBERED_FRAME, SHAPE};
use crate::error::RecordingError;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Bytes that are searched at once for the head of a record.
const WINDOW: usize = 64 << 10;
/// Payloads that turn out to be none are read up to this many times the length of the file: heads that lie in each other
/// must not make the search quadratic.
const WASTED_LENGTHS: u64 = 4;

/// The position of a record's payload.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) start: u64,
    pub(super) head: Head,
}

impl Place {
    /// Where the next record begins.
    pub(super) fn end(self) -> u64 {
        self.start + self.head.length
    }
}

/// What is at a position of a journal.
pub(super) enum Found {
    /// A whole record; its payload was read.
    Record(Place),
    /// Bytes that are no whole record, up to `next`, and how many frames are lost with them, as far as can be seen. A record
    /// that is cut short by the end of the file is no lost frame: its append never returned.
    Damaged {
        frames: u64,
        next: u64,
    },
    End,
}

/// Reads records.
pub(super) struct Records {
    path: PathBuf,
    file: BufReader<File>,
    length: u64,
    wasted: u64,
}

impl Records {
    pub(super) fn open(path: &Path) -> Result<Self, RecordingError> {
        let failed = |error| RecordingError::io(path, "opening", error);
        let opened = File::open(path).map_err(failed)?;
        let length = opened.metadata().map_err(failed)?.len();
        Ok(Self { path: path.to_path_buf(), file: BufReader::new(opened), length, wasted: 0 })
    }

    /// Bytes of the file when it was opened.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Reads what is at `position`; the payload of a whole record into `payload`.
    pub(super) fn next(&mut self, position: u64, payload: &mut Vec<u8>) -> Result<Found, RecordingError> {
        if position >= self.length {
            return Ok(Found::End);
        }
        let Some(place) = self.head(position)? else {
            let next = self.search(position + 1)?;
            // After power loss a file may be longer than what was written, padded with zeros.
            let is_frame = next.is_some() || self.trimmed(position)? - position >= HEAD as u64;
            return Ok(Found::Damaged { frames: is_frame.into(), next: next.unwrap_or(self.length) });
        };
        if place.start.checked_add(place.head.length).is_none_or(|end| end > self.length) {
            let next = self.search(place.start)?;
            let frames = u64::from(next.is_some() && place.head.tag != SHAPE);
            return Ok(Found::Damaged { frames, next: next.unwrap_or(self.length) });
        }
        if self.payload(place, payload)? == place.head.checksum {
            return Ok(Found::Record(place));
        }
        self.wasted = self.wasted.saturating_add(place.head.length);
        let end = place.end();
        let next = if end == self.length || self.head(end)?.is_some() {
            end
        } else if self.wasted > self.length.saturating_mul(WASTED_LENGTHS) {
            self.length
        } else {
            self.search(place.start)?.unwrap_or(self.length)
        };
        Ok(Found::Damaged { frames: u64::from(place.head.tag != SHAPE), next })
    }

    /// Reads the payload of a record, and returns its checksum.
    pub(super) fn payload(&mut self, place: Place, payload: &mut Vec<u8>) -> Result<u32, RecordingError> {
        // At most the rest of the file, by `next`.
        payload.resize(place.head.length as usize, 0);
        self.read_at(place.start, payload)?;
        Ok(crc32fast::hash(payload))
    }

    /// Reads the bytes at `position`.
    pub(super) fn read_at(&mut self, position: u64, out: &mut [u8]) -> Result<(), RecordingError> {
        let failed = |error| RecordingError::io(&self.path, "reading the journal", error);
        let now = self.file.stream_position().map_err(failed)?;
        // Within the buffer if possible: `seek` would discard it.
        match i64::try_from(i128::from(position) - i128::from(now)) {
            Ok(offset) => self.file.seek_relative(offset).map_err(failed)?,
            Err(_) => self.file.seek(SeekFrom::Start(position)).map(drop).map_err(failed)?,
        }
        self.file.read_exact(out).map_err(failed)
    }

    /// The head at `position`, if there is one.
    fn head(&mut self, position: u64) -> Result<Option<Place>, RecordingError> {
        let start = position + HEAD as u64;
        if start > self.length {
            return Ok(None);
        }
        let mut bytes = [0; HEAD];
        self.read_at(position, &mut bytes)?;
        Ok(Head::parse(&bytes).map(|head| Place { start, head }))
    }

    /// The first position from `from` on at which a record may begin that fits the file.
    fn search(&mut self, from: u64) -> Result<Option<u64>, RecordingError> {
        let mut window = Vec::new();
        let mut at = from;
        while at + HEAD as u64 <= self.length {
            let size = (self.length - at).min((WINDOW + HEAD) as u64) as usize;
            window.resize(size, 0);
            self.read_at(at, &mut window)?;
            for (offset, bytes) in window.array_windows::<HEAD>().enumerate() {
                // Cheap tests first: the tag's upper bytes and the last four are zero.
                let [tag, 0, 0, 0, .., 0, 0, 0, 0] = bytes else { continue };
                if ![SHAPE, FRAME, NUMBERED_FRAME].contains(&u32::from(*tag)) {
                    continue;
                }
                let position = at + offset as u64;
                let start = position + HEAD as u64;
                let fits = |head: Head| start.checked_add(head.length).is_some_and(|end| end <= self.length);
                if Head::parse(bytes).is_some_and(fits) {
                    return Ok(Some(position));
                }
            }
            at += (size - HEAD + 1) as u64;
        }
        Ok(None)
    }

    /// The length of the file without the zeros at its end, but `from` at least.
    fn trimmed(&mut self, from: u64) -> Result<u64, RecordingError> {
        let mut end = self.length;
        let mut window = Vec::new();
        while end > from {
            let start = end.saturating_sub(WINDOW as u64).max(from);
            window.resize((end - start) as usize, 0);
            self.read_at(start, &mut window)?;
            if let Some(last) = window.iter().rposition(|&byte| byte != 0) {
                return Ok(start + last as u64 + 1);
            }
            end = start;
        }
        Ok(from)
    }
}
