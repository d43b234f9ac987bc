//! Recording a session frame by frame.

use crate::container::Library;
use crate::convert::{Target, convert};
use crate::error::RecordingError;
use crate::frame::Frame;
use crate::header::{Header, LONGEST_HEADER, too_long};
use crate::journal::{JournalFile, JournalReader, JournalWriter, journal_path};
use crate::missing::Missing;
use crate::paths::check_target;
use crate::session::{SessionInfo, Topology};
use crate::validate::{check_frame, check_session};
use palpate_files::{FolderOperations, SystemOperations};
use palpate_math::Limits;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Options for writing a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriterOptions {
    /// Level of deflate, 0 (none) to 9 (smallest). Default 1: coordinates of moving organs are nearly noise in
    /// their last bits, and higher levels save 2 % for four times the work (figures in `docs/recording.md`).
    pub compression: u32,
    /// Whether an existing session may be replaced. Default false.
    pub overwrite: bool,
    /// The failures that appended frames survive. Default: the death of the process.
    pub durability: Durability,
    /// The HDF5 library that writes the finished file.
    pub library: Library,
}

/// The failures that an appended frame survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// The death of the process, at any moment: the frame has been passed to the operating system. Costs one
    /// `write`.
    #[default]
    Process,
    /// Power loss as well, except for at most this many of the last frames: syncs to disk at intervals.
    Power {
        /// Frames between syncs, at least 1.
        frames: usize,
    },
}

impl Default for WriterOptions {
    fn default() -> Self {
        Self {
            compression: 1,
            overwrite: false,
            durability: Durability::Process,
            library: Library::default(),
        }
    }
}

/// Records a session.
///
/// Frames are appended to a journal beside the session file, `.journal` appended to its name, with a single `write`
/// each: if the writer is killed at any moment, every frame whose [`Writer::append`] returned survives, and
/// [`Reader::open`](crate::Reader::open) reads them under the session's name. [`Writer::finish`] packs the journal
/// into the session's HDF5 file, atomically, and removes the journal; [`recover`] does the same for a session whose
/// writer died. A writer that is dropped leaves its journal.
///
/// The journal is locked while it is written (on Unix): a second writer of the same session is refused, and so is
/// [`recover`]. If an append fails, as on a full disk, the journal is cut back to the frames before: later appends may
/// succeed, and [`Writer::finish`] packs every frame whose append returned `Ok`.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    journal_path: PathBuf,
    journal: JournalWriter,
    info: SessionInfo,
    /// The cells that hold now, and their highest point id.
    topologies: Vec<(Topology, Option<u32>)>,
    /// What the header will have in bytes, about: it grows by every change of a shape.
    header_length: usize,
    options: WriterOptions,
    frames: usize,
    time: f64,
}

impl Writer {
    /// Starts the session `path`; its directory must exist.
    ///
    /// # Errors
    /// A session of that name exists and may not be overwritten (an unfinished one counts), or another writer is recording
    /// it, which is never overwritten; the session is inconsistent (duplicate object names, a pair of missing objects), has
    /// more objects, pairs or longer names than a reader with [`Limits::DEFAULT`] accepts, or the journal cannot be created.
    pub fn create(
        path: impl AsRef<Path>,
        info: &SessionInfo,
        options: WriterOptions,
    ) -> Result<Self, RecordingError> {
        let path = path.as_ref();
        check_session(path, info, &Limits::DEFAULT)?;
        let journal_path = journal_path(path);
        check_target(path, options.overwrite)?;
        let header = Header::new(info).to_json();
        let header = header.map_err(|error| RecordingError::hdf5(path, "session header", error))?;
        let journal = JournalWriter::create(&journal_path, &header, info, options.overwrite)?;
        if path.exists() {
            // From now on a reader of this name must find the new session.
            std::fs::remove_file(path)
                .map_err(|error| RecordingError::io(path, "removing the old session", error))?;
        }
        Ok(Self::with_journal(path, info, options, (journal, header.len())))
    }

    /// A writer to a journal without frames, whose header has so many bytes.
    pub(crate) fn with_journal(
        path: &Path,
        info: &SessionInfo,
        options: WriterOptions,
        (journal, header_length): (JournalWriter, usize),
    ) -> Self {
        let topologies = info.objects.iter().map(|object| with_highest(object.topology.clone())).collect();
        Self {
            path: path.to_path_buf(),
            journal_path: journal_path(path),
            journal,
            info: info.clone(),
            topologies,
            header_length,
            options,
            frames: 0,
            time: f64::NEG_INFINITY,
        }
    }

    /// Describes the session anew, while it has no frame: objects may have other cells, shapes and placements by now.
    ///
    /// # Errors
    /// There are frames; the session is inconsistent, as for [`create`](Self::create); the journal cannot be written.
    pub fn begin_again(&mut self, info: &SessionInfo) -> Result<(), RecordingError> {
        if self.frames > 0 {
            let wanted = "a session without frames";
            return Err(RecordingError::invalid(&self.path, "a new beginning", self.frames, wanted));
        }
        check_session(&self.path, info, &Limits::DEFAULT)?;
        let header = Header::new(info).to_json();
        let header = header.map_err(|error| RecordingError::hdf5(&self.path, "session header", error))?;
        self.journal.begin_again(&header, info)?;
        self.topologies = info.objects.iter().map(|object| with_highest(object.topology.clone())).collect();
        self.header_length = header.len();
        self.info = info.clone();
        Ok(())
    }

    /// Appends a frame; when this returns, it survives this process. Cost: one pass over the coordinates and one
    /// `write` of 24 bytes per point; no allocation once the largest frame was seen.
    ///
    /// # Errors
    /// A state is missing or of another type than its object, a number is not finite, a cell refers to a missing
    /// point, time does not increase, or the disk is full. The frame is then not part of the session, which goes on with the
    /// next; [`RecordingError::Stopped`] if it cannot, since the incomplete frame could not be removed from the journal, or
    /// a sync failed.
    pub fn append(&mut self, frame: &Frame) -> Result<(), RecordingError> {
        let index = self.frames;
        // Times are compared first: a NaN is an error of `check_frame`.
        if frame.time <= self.time {
            let wanted = format!("a time after {} s", self.time);
            return Err(RecordingError::invalid(&self.path, format!("frame {index}"), frame.time, wanted));
        }
        self.check_changes(frame)?;
        let header_length = self.check_shapes(frame)?;
        let changed: BTreeMap<usize, (&Topology, Option<u32>)> = frame
            .changes
            .iter()
            .map(|change| {
                (change.object, (&change.topology, change.topology.indices().iter().copied().max()))
            })
            .collect();
        let cells = |object: usize| {
            let (topology, highest) = &self.topologies[object];
            changed.get(&object).copied().unwrap_or((topology, *highest))
        };
        check_frame(&self.path, &self.info.objects, cells, index, frame)?;
        let sync = match self.options.durability {
            Durability::Power { frames } => (self.frames + 1).is_multiple_of(frames.max(1)),
            Durability::Process => false,
        };
        self.journal.append(frame, sync)?;
        for (object, (topology, highest)) in changed {
            self.topologies[object] = (topology.clone(), highest);
        }
        self.header_length = header_length;
        self.frames += 1;
        self.time = frame.time;
        Ok(())
    }

    /// The number of frames appended.
    pub fn frame_count(&self) -> usize {
        self.frames
    }

    /// Packs the journal into the session file, and removes the journal. Cost: two passes over all frames, dominated by
    /// compression.
    ///
    /// # Errors
    /// There is no frame, the journal was damaged meanwhile, or the file cannot be written (the disk is full): the journal
    /// stays, and [`recover`] can pack it later.
    pub fn finish(self) -> Result<(), RecordingError> {
        self.finish_by(&SystemOperations)
    }

    /// [`finish`](Self::finish) by operations of choice.
    pub(crate) fn finish_by(self, operations: &dyn FolderOperations) -> Result<(), RecordingError> {
        let mut journal = JournalReader::open(&self.journal_path)?;
        if journal.missing().frames > 0 || journal.frame_count() < self.frames {
            let found = format!("{} whole frames", journal.frame_count());
            let wanted = format!("the {} that were appended; recover what is whole", self.frames);
            return Err(RecordingError::invalid(&self.journal_path, "journal", found, wanted));
        }
        // After a failed append there may be one more, which is not part of the session.
        journal.keep_first(self.frames);
        let options = (self.options.library, self.options.compression);
        convert(&mut journal, Target { path: &self.path, options, operations })?;
        remove_journal(&self.journal_path, operations)
    }

    /// Rejects changes in the first frame, of objects without cells, of one object twice, and to cells of another
    /// kind.
    fn check_changes(&self, frame: &Frame) -> Result<(), RecordingError> {
        let mut objects = BTreeSet::new();
        for change in &frame.changes {
            let old = self.topologies.get(change.object).map(|(topology, _)| topology);
            let same_kind = old.is_some_and(|old| {
                std::mem::discriminant(old) == std::mem::discriminant(&change.topology)
                    && old.points_per_cell() > 0
            });
            let twice = !objects.insert(change.object);
            if !same_kind || twice || self.frames == 0 {
                let place = format!("frame {}, change of the cells of object {}", self.frames, change.object);
                let wanted = "one change per meshed object and frame, to cells of the same kind, after the first frame";
                return Err(RecordingError::invalid(&self.path, place, "another change", wanted));
            }
        }
        Ok(())
    }

    /// Refuses new shapes in the first frame, of objects that have none, of one object twice, and those that make the header
    /// too long. Returns its new length.
    fn check_shapes(&self, frame: &Frame) -> Result<usize, RecordingError> {
        let mut length = self.header_length;
        let mut objects = BTreeSet::new();
        for change in &frame.shapes {
            let has_shape = self.info.objects.get(change.object).is_some_and(|object| object.shape.is_some());
            let twice = !objects.insert(change.object);
            if !has_shape || twice || self.frames == 0 {
                let place = format!("frame {}, change of the shape of object {}", self.frames, change.object);
                let wanted = "one change per frame and object that has a shape, after the first frame";
                return Err(RecordingError::invalid(&self.path, place, "another change", wanted));
            }
            // Twice for the quotes, which JSON escapes, and some for the entry's own keys.
            let quotes = change.shape.bytes().filter(|&byte| byte == b'"' || byte == b'\\').count();
            length += change.shape.len() + quotes + BYTES_OF_AN_ENTRY;
        }
        if length > LONGEST_HEADER {
            return Err(RecordingError::hdf5(&self.path, "session header", too_long(length)));
        }
        Ok(length)
    }
}

/// Bytes in the header of an entry for a change, without what changed.
const BYTES_OF_AN_ENTRY: usize = 128;

/// What [`recover`] made of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// Frames that are now in the session file.
    pub frames: usize,
    /// Frames that are not: they are damaged, or depend on cells or shapes of a damaged one. As [`Missing::frames`].
    pub lost: usize,
    /// Bytes of the journal that belong to no whole record. As [`Missing::bytes`].
    pub skipped_bytes: u64,
}

/// Packs the journal of a dead writer into the session file `path`, as [`Writer::finish`] would have: every whole frame, also
/// those after a damaged one, without those that depend on cells or shapes that are lost. They keep their times; if frames
/// between them are lost, the session has no [`SessionInfo::time_step`] any more.
///
/// # Errors
/// There is no journal, its writer is alive, its description of the session is damaged, no frame in it is whole, or the file
/// cannot be written. The journal is then kept, as it is if frames of it are lost.
pub fn recover(path: impl AsRef<Path>) -> Result<Recovered, RecordingError> {
    let path = path.as_ref();
    let journal_path = journal_path(path);
    let Some(_locked) = JournalFile::claim(&journal_path)? else {
        return Err(RecordingError::Missing { path: journal_path });
    };
    let mut journal = JournalReader::open(&journal_path)?;
    let WriterOptions { library, compression, .. } = WriterOptions::default();
    let operations = &SystemOperations;
    convert(&mut journal, Target { path, options: (library, compression), operations })?;
    let Missing { frames: lost, bytes: skipped_bytes } = journal.missing();
    if lost == 0 {
        remove_journal(&journal_path, operations)?;
    }
    Ok(Recovered { frames: journal.frame_count(), lost, skipped_bytes })
}

/// Removes the journal of an unfinished session, and with it all its frames: for a program that leaves nothing behind when it
/// fails. Drop its [`Writer`] first.
///
/// # Errors
/// There is no journal, its writer is alive, or it cannot be removed.
pub fn discard(path: impl AsRef<Path>) -> Result<(), RecordingError> {
    let journal_path = journal_path(path.as_ref());
    match JournalFile::claim(&journal_path)? {
        Some(_locked) => remove_journal(&journal_path, &SystemOperations),
        None => Err(RecordingError::Missing { path: journal_path }),
    }
}

fn remove_journal(path: &Path, operations: &dyn FolderOperations) -> Result<(), RecordingError> {
    operations.remove(path).map_err(|error| RecordingError::io(path, "removing the journal", error))
}

fn with_highest(topology: Topology) -> (Topology, Option<u32>) {
    let highest = topology.indices().iter().copied().max();
    (topology, highest)
}
