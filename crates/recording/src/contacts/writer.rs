//! Writing contacts.

use super::layout::{
    CHECKSUMS, CONTACTS, FRAMES, MARK, OFFSETS, PAIR, PAIRS, TABLES_CHECKSUM, TIMES, checksum,
    tables_checksum,
};
use super::pair::{ContactPair, check_columns, check_pairs, column_width};
use super::points::ContactPoints;
use crate::container::{Chunking, Element, Library, Outcome, Sink, Stream, contact_element};
use crate::error::RecordingError;
use crate::paths::check_target;
use palpate_contact::Contact;
use palpate_files::Replacement;
use palpate_math::Limits;
use std::path::Path;

/// Contacts per chunk: 232 KiB of them.
const CHUNK_CONTACTS: u64 = 1024;

/// Options for writing contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactsOptions {
    /// Level of deflate, 0 (none) to 9 (smallest). Default 1: fast, and contact records compress well at any level.
    pub compression: u32,
    /// Whether an existing file may be replaced. Default false.
    pub overwrite: bool,
    /// Whether to also write the contact points for ParaView, with direction and depth. Default false.
    pub vtk: bool,
    /// The HDF5 library that writes the file.
    pub library: Library,
}

impl Default for ContactsOptions {
    fn default() -> Self {
        Self { compression: 1, overwrite: false, vtk: false, library: Library::default() }
    }
}

/// Writes the contacts of a replay, frame by frame, to an HDF5 file.
///
/// The file is a [`Replacement`]: written under a temporary name and renamed when finished. If dropped unfinished, it is
/// removed.
pub struct ContactsWriter {
    // Dropped before `replacement`, which removes the file.
    sink: Box<dyn Sink>,
    replacement: Replacement,
    contacts: Stream,
    pair: Stream,
    points: Option<ContactPoints>,
    pairs: Vec<ContactPair>,
    /// Whether an append has failed: the columns may differ in length.
    has_failed: bool,
    frames: Vec<u64>,
    times: Vec<f64>,
    offsets: Vec<u64>,
    checksums: Vec<u32>,
}

impl ContactsWriter {
    /// Starts a file of the contacts of `pairs`.
    ///
    /// # Errors
    /// The file exists and may not be replaced, or cannot be created; there are more pairs or longer names than a reader with
    /// [`Limits::DEFAULT`] accepts, or a name that is not one line.
    pub fn create(
        path: impl AsRef<Path>,
        pairs: &[ContactPair],
        options: ContactsOptions,
    ) -> Result<Self, RecordingError> {
        let path = path.as_ref();
        check_target(path, options.overwrite)?;
        check_pairs(path, pairs, &Limits::DEFAULT)?;
        check_columns(path, pairs, &Limits::DEFAULT)?;
        let replacement = Replacement::new(path);
        let replacement =
            replacement.map_err(|error| RecordingError::io(path, "starting the contacts", error))?;
        let failed = |reason: String| RecordingError::hdf5(path, "starting the contacts", reason);
        let mut sink = options.library.create(&replacement).map_err(failed)?;
        let chunking = Chunking { rows: CHUNK_CONTACTS, level: options.compression };
        let mut start = || -> Outcome<(Stream, Stream, Option<ContactPoints>)> {
            sink.text_attribute("", MARK.0, MARK.1)?;
            write_pairs(sink.as_mut(), pairs)?;
            let contacts = sink.stream(CONTACTS, &contact_element(), &[], chunking)?;
            let pair = sink.stream(PAIR, &Element::U32, &[], chunking)?;
            let points = if options.vtk { Some(ContactPoints::new(sink.as_mut(), chunking)?) } else { None };
            Ok((contacts, pair, points))
        };
        let (contacts, pair, points) = start().map_err(failed)?;
        Ok(Self {
            sink,
            replacement,
            contacts,
            pair,
            points,
            pairs: pairs.to_vec(),
            has_failed: false,
            frames: Vec::new(),
            times: Vec::new(),
            offsets: vec![0],
            checksums: Vec::new(),
        })
    }

    /// Appends the contacts of frame number `frame` of the recording, at `time` seconds: `pairs[i]` is the pair of
    /// `contacts[i]`, as an index into the pairs of [`ContactsWriter::create`].
    ///
    /// # Errors
    /// The two lists differ in length, a pair does not exist, or the disk is full: then the file cannot be continued or
    /// finished.
    pub fn append(
        &mut self,
        frame: u64,
        time: f64,
        pairs: &[u32],
        contacts: &[Contact],
    ) -> Result<(), RecordingError> {
        let path = self.replacement.target();
        let place = || format!("contacts of frame {frame}");
        if pairs.len() != contacts.len() {
            let wanted = format!("{}, one per contact", contacts.len());
            return Err(RecordingError::invalid(path, place(), format!("{} pairs", pairs.len()), wanted));
        }
        if let Some(pair) = pairs.iter().find(|&&pair| pair as usize >= self.pairs.len()) {
            let wanted = format!("one of {} pairs", self.pairs.len());
            return Err(RecordingError::invalid(path, place(), format!("pair {pair}"), wanted));
        }
        self.check_whole(&place())?;
        let mut append = || {
            self.sink.append(self.contacts, bytemuck::cast_slice(contacts))?;
            self.sink.append(self.pair, bytemuck::cast_slice(pairs))?;
            match &mut self.points {
                Some(points) => points.append(self.sink.as_mut(), pairs, contacts),
                None => Ok(()),
            }
        };
        if let Err(reason) = append() {
            self.has_failed = true;
            return Err(RecordingError::hdf5(path, &place(), reason));
        }
        self.frames.push(frame);
        self.times.push(time);
        self.offsets.push(self.offsets.last().copied().unwrap_or(0) + contacts.len() as u64);
        self.checksums.push(checksum(frame, time, pairs, contacts));
        Ok(())
    }

    /// Completes the file and renames it.
    ///
    /// # Errors
    /// The disk is full, the file cannot be renamed, or an append has failed.
    pub fn finish(self) -> Result<(), RecordingError> {
        self.check_whole("completing the contacts")?;
        let Self { mut sink, replacement, points, frames, times, offsets, checksums, pairs, .. } = self;
        let count = frames.len() as u64;
        let write = || {
            sink.dataset(FRAMES, &Element::U64, &[count], bytemuck::cast_slice(&frames))?;
            sink.dataset(TIMES, &Element::F64, &[count], bytemuck::cast_slice(&times))?;
            sink.dataset(OFFSETS, &Element::U64, &[count + 1], bytemuck::cast_slice(&offsets))?;
            sink.dataset(CHECKSUMS, &Element::U32, &[count], bytemuck::cast_slice(&checksums))?;
            let tables = tables_checksum((&frames, &times), (&offsets, &checksums), &pairs);
            sink.dataset(TABLES_CHECKSUM, &Element::U32, &[], &tables.to_le_bytes())?;
            match points {
                Some(points) => points.finish(sink.as_mut(), &times),
                None => Ok(()),
            }
        };
        let written: Outcome<()> = write();
        let written = written.and_then(|()| sink.close());
        written.map_err(|reason| {
            RecordingError::hdf5(replacement.target(), "completing the contacts", reason)
        })?;
        let target = replacement.target().to_path_buf();
        let completed = replacement.complete();
        completed.map_err(|error| RecordingError::io(&target, "putting the complete file in place", error))
    }

    fn check_whole(&self, place: &str) -> Result<(), RecordingError> {
        if !self.has_failed {
            return Ok(());
        }
        let reason = "an append has failed, so the file is not whole";
        Err(RecordingError::hdf5(self.replacement.target(), place, reason))
    }
}

impl std::fmt::Debug for ContactsWriter {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = formatter.debug_struct("ContactsWriter");
        shown
            .field("path", &self.replacement.target())
            .field("frames", &self.frames.len())
            .finish_non_exhaustive()
    }
}

fn write_pairs(sink: &mut dyn Sink, pairs: &[ContactPair]) -> Outcome<()> {
    sink.group(PAIRS)?;
    let mut write = |name: &str, text: fn(&ContactPair) -> &String| {
        let width = column_width(pairs.iter().map(text));
        let mut bytes = Vec::with_capacity(width * pairs.len());
        for (row, text) in pairs.iter().map(text).enumerate() {
            bytes.extend_from_slice(text.as_bytes());
            bytes.resize((row + 1) * width, 0);
        }
        sink.dataset(&format!("{PAIRS}/{name}"), &Element::Text(width), &[pairs.len() as u64], &bytes)
    };
    write("a", |pair| &pair.a)?;
    write("b", |pair| &pair.b)?;
    write("detector", |pair| &pair.detector)
}
