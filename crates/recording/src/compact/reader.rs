//! Reading a compact session.

use super::block::{FrameStates, Shape, decode};
use super::index::{Block, FOOTER, Index, MAGIC};
use crate::error::RecordingError;
use crate::header::{Header, LONGEST_HEADER};
use crate::session::Topology;
use flate2::read::ZlibDecoder;
use palpate_math::Limits;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A compact session, opened.
pub(crate) struct CompactReader {
    path: PathBuf,
    file: File,
    index: Index,
    /// Frames at which cells change, by object.
    changes: Vec<Vec<usize>>,
    /// The block that was read last, and its frames.
    block: Option<(usize, Vec<FrameStates>)>,
}

impl CompactReader {
    /// Opens a compact session. Errors: it is damaged, or larger than the limits accept.
    pub(crate) fn open(path: &Path, limits: &Limits) -> Result<Self, RecordingError> {
        let failed = |error| RecordingError::io(path, "reading the compact session", error);
        let damaged = |found: &str| RecordingError::invalid(path, "compact session", found, "a whole file");
        let mut file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let footer_at = length.checked_sub(FOOTER as u64).ok_or_else(|| damaged("an end"))?;
        let footer: [u8; FOOTER] = part(&mut file, footer_at, FOOTER)
            .map_err(failed)?
            .try_into()
            .map_err(|_| damaged("an end in the last record"))?;
        let number =
            |at: usize| footer[at..at + 8].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let stored = footer[16..20].iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte));
        let (offset, size) = (number(0), number(8));
        if footer[20..] != MAGIC[..] || offset.checked_add(size) != Some(footer_at) {
            return Err(damaged("no index at the end: the file is cut short"));
        }
        let packed = part(&mut file, offset, size as usize).map_err(failed)?;
        let computed = crc32fast::hash(&packed);
        if stored != computed {
            let what = "index of the compact session".to_string();
            return Err(RecordingError::Checksum { path: path.to_path_buf(), what, stored, computed });
        }
        let most = limits.expanded_bytes.max(length.saturating_mul(limits.expansion_ratio));
        let text = unpacked(&packed, most.min(4 * LONGEST_HEADER as u64))
            .map_err(failed)?
            .ok_or_else(|| damaged("an index beyond the limit expanded_bytes"))?;
        let text = String::from_utf8(text).map_err(|_| damaged("an index that is not text"))?;
        Header::check_counts(path, &text, limits)?;
        let index: Index = serde_json::from_str(&text).map_err(|error| {
            RecordingError::invalid(path, "index", error, "the index of a compact session")
        })?;
        check(&index, offset, most).map_err(|found| damaged(&found))?;
        let changes =
            index.cells.iter().map(|cells| cells.iter().skip(1).map(|cells| cells.first_frame).collect());
        Ok(Self { path: path.to_path_buf(), file, changes: changes.collect(), index, block: None })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn header(&self) -> &Header {
        &self.index.header
    }

    pub(crate) fn times(&self) -> &[f64] {
        &self.index.times
    }

    /// Metres: how far a point is from where it was recorded at most.
    pub(crate) fn error(&self) -> f64 {
        0.5 * libm::sqrt(3.0) * self.index.step
    }

    pub(crate) fn changes(&self, object: usize) -> &[usize] {
        &self.changes[object]
    }

    pub(crate) fn topology(&self, object: usize, frame: usize) -> Topology {
        let cells = &self.index.cells[object];
        let after = cells.partition_point(|cells| cells.first_frame <= frame);
        (&cells[after.saturating_sub(1)].cells).into()
    }

    /// The states and placements of a frame. Errors: its block is damaged.
    pub(crate) fn frame(&mut self, frame: usize) -> Result<&FrameStates, RecordingError> {
        let number = self.index.blocks.partition_point(|block| block.first_frame <= frame).saturating_sub(1);
        let first = self.index.blocks[number].first_frame;
        let frames = match self.block.take() {
            Some((own, frames)) if own == number => frames,
            _ => self.read_block(number)?,
        };
        let (_, frames) = self.block.insert((number, frames));
        Ok(&frames[frame - first])
    }

    fn read_block(&mut self, number: usize) -> Result<Vec<FrameStates>, RecordingError> {
        let Block { first_frame, frames, offset, length, bytes, crc32 } = self.index.blocks[number];
        let path = self.path.clone();
        let failed = |error| RecordingError::io(&path, "reading the compact session", error);
        let damaged = |found: &str| {
            let place = format!("frames {first_frame} to {}", first_frame + frames - 1);
            RecordingError::invalid(&path, place, found, "a whole block")
        };
        let packed = part(&mut self.file, offset, length as usize).map_err(failed)?;
        let raw = unpacked(&packed, bytes).map_err(|_| damaged("damaged bytes"))?;
        let raw = raw.filter(|raw| raw.len() as u64 == bytes).ok_or_else(|| damaged("another length"))?;
        let computed = crc32fast::hash(&raw);
        if computed != crc32 {
            let what = format!("frames {first_frame} to {}", first_frame + frames - 1);
            return Err(RecordingError::Checksum { path, what, stored: crc32, computed });
        }
        let Index { has_points, placed, step, .. } = &self.index;
        decode(&raw, &Shape { has_points, placed, frames, step: *step })
            .ok_or_else(|| damaged("another layout"))
    }
}

/// Bytes of a file.
fn part(file: &mut File, offset: u64, length: usize) -> std::io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    file.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() == length { Ok(bytes) } else { Err(std::io::ErrorKind::UnexpectedEof.into()) }
}

/// Expands bytes; `None` if there are more than `most`.
fn unpacked(packed: &[u8], most: u64) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    ZlibDecoder::new(packed).take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= most))
}

/// What is wrong with an index; the blocks end before `end`.
fn check(index: &Index, end: u64, most: u64) -> Result<(), String> {
    let objects = index.header.objects.len();
    if index.compact != 1 {
        return Err(format!("version {} of the layout", index.compact));
    }
    if index.cells.len() != objects || index.has_points.len() != objects {
        return Err(format!(
            "cells of {} and states of {} of {objects} objects",
            index.cells.len(),
            index.has_points.len()
        ));
    }
    if !(index.step >= 0.0 && index.step.is_finite()) || index.placed.iter().any(|&object| object >= objects)
    {
        return Err("a step that is no length, or a placed object that is none".to_owned());
    }
    let starts = |cells: &Vec<super::index::StoredCells>| {
        cells.first().is_some_and(|first| first.first_frame == 0)
            && cells.is_sorted_by_key(|cells| cells.first_frame)
    };
    if !index.cells.iter().all(starts) {
        return Err("cells that do not begin with the first frame".to_owned());
    }
    let mut next = 0;
    let mut expanded = 0_u64;
    for block in &index.blocks {
        let fits = block.offset.checked_add(block.length).is_some_and(|last| last <= end);
        expanded = expanded.saturating_add(block.bytes);
        if block.first_frame != next || block.frames == 0 || !fits || block.bytes > most.max(1 << 28) {
            return Err(format!("a block of frames from {} on that does not fit", block.first_frame));
        }
        next += block.frames;
    }
    if next != index.times.len() || next == 0 {
        return Err(format!("blocks of {next} frames, {} times", index.times.len()));
    }
    if !index.times.iter().all(|time| time.is_finite()) {
        return Err("a time that is not finite".to_owned());
    }
    Ok(())
}
