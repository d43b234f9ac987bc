//! Reading contacts.

use super::layout::{
    CHECKSUMS, CONTACTS, FRAMES, MARK, OFFSETS, PAIR, PAIRS, TABLES_CHECKSUM, TIMES, checksum,
    tables_checksum,
};
use super::pair::{ContactPair, check_pairs};
use crate::container::{Library, ReadOptions, Source};
use crate::error::RecordingError;
use crate::paths::first_bytes;
use palpate_contact::Contact;
use palpate_math::Limits;
use std::path::{Path, PathBuf};

/// The contacts of one frame; reused from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct ContactFrame {
    /// The frame's number in its recording.
    pub frame: u64,
    /// Seconds.
    pub time: f64,
    /// The pair of each contact, an index into [`ContactsReader::pairs`].
    pub pairs: Vec<u32>,
    /// The contacts.
    pub contacts: Vec<Contact>,
}

/// A file of contacts, opened for reading.
pub struct ContactsReader {
    path: PathBuf,
    source: Box<dyn Source>,
    pairs: Vec<ContactPair>,
    frames: Vec<i64>,
    times: Vec<f64>,
    offsets: Vec<i64>,
    checksums: Vec<i64>,
    indices: Vec<i64>,
}

impl ContactsReader {
    /// Opens a file that [`ContactsWriter`](super::ContactsWriter) has written.
    ///
    /// # Errors
    /// The file is missing, empty, not one of contacts, or damaged.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordingError> {
        Self::open_with(path, &ReadOptions::default())
    }

    /// [`ContactsReader::open`] by a library and with limits of choice.
    ///
    /// # Errors
    /// As [`ContactsReader::open`].
    pub fn open_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self, RecordingError> {
        let path = path.as_ref();
        first_bytes(path)?;
        let source = Library::open(path, options).map_err(|reason| RecordingError::NotHdf5 {
            path: path.to_path_buf(),
            reason: reason.replace('\n', " "),
        })?;
        let marked =
            source.attribute("", MARK.0).map_err(|reason| RecordingError::hdf5(path, "/", reason))?;
        if marked.as_deref() != Some(MARK.1) {
            let wanted = format!("root attribute {} = '{}', so it holds no contacts", MARK.0, MARK.1);
            return Err(RecordingError::NoSession { path: path.to_path_buf(), wanted });
        }
        let mut reader = Self {
            path: path.to_path_buf(),
            source,
            pairs: Vec::new(),
            frames: Vec::new(),
            times: Vec::new(),
            offsets: Vec::new(),
            checksums: Vec::new(),
            indices: Vec::new(),
        };
        reader.read_tables(&options.limits)?;
        Ok(reader)
    }

    /// The pairs of the contacts.
    pub fn pairs(&self) -> &[ContactPair] {
        &self.pairs
    }

    /// The number of frames.
    pub fn frame_count(&self) -> usize {
        self.times.len()
    }

    /// The number of contacts in all frames.
    pub fn contact_count(&self) -> u64 {
        self.offsets.last().map_or(0, |&count| count as u64)
    }

    /// Seconds, one per frame.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The number of each frame in its recording.
    pub fn frame_numbers(&self) -> impl Iterator<Item = u64> + '_ {
        self.frames.iter().map(|&frame| frame as u64)
    }

    /// Reads the contacts of the frame at `index` (counted in this file) and checks them against their checksum.
    ///
    /// # Errors
    /// There is no such frame, or it is damaged.
    pub fn read_frame(&mut self, index: usize, frame: &mut ContactFrame) -> Result<(), RecordingError> {
        if index >= self.frame_count() {
            let count = self.frame_count();
            return Err(RecordingError::FrameOutOfRange { path: self.path.clone(), frame: index, count });
        }
        let (start, end) = (self.offsets[index] as u64, self.offsets[index + 1] as u64);
        let failed = |place: &'static str| move |reason: String| (place, reason);
        frame.contacts.clear();
        let read =
            self.source.contacts(CONTACTS, start, end - start, &mut frame.contacts).map_err(failed(CONTACTS));
        let read = read.and_then(|()| {
            self.source.integers(PAIR, start, end - start, &mut self.indices).map_err(failed(PAIR))
        });
        read.map_err(|(place, reason)| RecordingError::hdf5(&self.path, place, reason))?;
        frame.pairs.clear();
        frame.pairs.extend(self.indices.iter().map(|&pair| pair as u32));
        frame.frame = self.frames[index] as u64;
        frame.time = self.times[index];
        let computed = checksum(frame.frame, frame.time, &frame.pairs, &frame.contacts);
        let stored = self.checksums[index] as u32;
        if computed != stored {
            let what = format!("contacts of frame {}", frame.frame);
            return Err(RecordingError::Checksum { path: self.path.clone(), what, stored, computed });
        }
        match self.indices.iter().find(|&&pair| pair < 0 || pair as usize >= self.pairs.len()) {
            Some(pair) => {
                let wanted = format!("one of {} pairs", self.pairs.len());
                Err(RecordingError::invalid(&self.path, PAIR, format!("pair {pair}"), wanted))
            }
            None => Ok(()),
        }
    }

    fn read_tables(&mut self, limits: &Limits) -> Result<(), RecordingError> {
        let path = self.path.clone();
        let integers =
            |name: &str| self.column(name, |source, rows, out| source.integers(name, 0, rows, out));
        let (frames, offsets, checksums) = (integers(FRAMES)?, integers(OFFSETS)?, integers(CHECKSUMS)?);
        let times: Vec<f64> = self.column(TIMES, |source, rows, out| source.floats(TIMES, 0, rows, out))?;
        let count = times.len();
        let rises = offsets.first() == Some(&0) && offsets.is_sorted();
        if frames.len() != count || checksums.len() != count || offsets.len() != count + 1 || !rises {
            let found =
                format!("{} frames, {} offsets, {} checksums", frames.len(), offsets.len(), checksums.len());
            let wanted = format!("{count}, as there are times, and one more offset, which rise from 0");
            return Err(RecordingError::invalid(&path, "frame tables", found, wanted));
        }
        let texts = |name: &str| {
            let place = format!("{PAIRS}/{name}");
            self.source.texts(&place).map_err(|reason| RecordingError::hdf5(&path, &place, reason))
        };
        let (a, b, detectors) = (texts("a")?, texts("b")?, texts("detector")?);
        if a.len() != b.len() || a.len() != detectors.len() {
            let found = format!("{} a, {} b, {} detectors", a.len(), b.len(), detectors.len());
            return Err(RecordingError::invalid(&path, PAIRS, found, "columns of one length"));
        }
        let rows = a.into_iter().zip(b).zip(detectors);
        self.pairs = rows.map(|((a, b), detector)| ContactPair { a, b, detector }).collect();
        check_pairs(&path, &self.pairs, limits)?;
        (self.frames, self.times, self.offsets, self.checksums) = (frames, times, offsets, checksums);
        self.check_tables()
    }

    /// Checks the tables against their checksum, if there is one.
    fn check_tables(&self) -> Result<(), RecordingError> {
        let failed = |reason| RecordingError::hdf5(&self.path, TABLES_CHECKSUM, reason);
        let Some(shape) = self.source.shape(TABLES_CHECKSUM).map_err(failed)? else { return Ok(()) };
        let mut stored = Vec::new();
        self.source.integers(TABLES_CHECKSUM, 0, shape.rows(), &mut stored).map_err(failed)?;
        let [stored] = stored[..] else {
            return Err(failed(format!("{} numbers, wanted one", stored.len())));
        };
        // Each as the writer had it: 64-bit numbers are read with their bits, the others were stored as 32-bit numbers.
        let unsigned = |values: &[i64]| values.iter().map(|&value| value as u64).collect::<Vec<_>>();
        let checksums: Vec<u32> = self.checksums.iter().map(|&value| value as u32).collect();
        let (frames, offsets) = (unsigned(&self.frames), unsigned(&self.offsets));
        let computed = tables_checksum((&frames, &self.times), (&offsets, &checksums), &self.pairs);
        let stored = stored as u32;
        if stored == computed {
            return Ok(());
        }
        let what = "tables of frames and pairs".to_string();
        Err(RecordingError::Checksum { path: self.path.clone(), what, stored, computed })
    }

    fn column<T>(
        &self,
        name: &str,
        read: impl FnOnce(&dyn Source, u64, &mut Vec<T>) -> Result<(), String>,
    ) -> Result<Vec<T>, RecordingError> {
        let failed = |reason| RecordingError::hdf5(&self.path, name, reason);
        let shape = self.source.shape(name).map_err(failed)?;
        let rows = shape.ok_or_else(|| failed("no such dataset".to_string()))?.rows();
        let mut values = Vec::new();
        read(self.source.as_ref(), rows, &mut values).map_err(failed)?;
        Ok(values)
    }
}

impl std::fmt::Debug for ContactsReader {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = formatter.debug_struct("ContactsReader");
        shown.field("path", &self.path).field("frames", &self.frame_count()).finish_non_exhaustive()
    }
}
