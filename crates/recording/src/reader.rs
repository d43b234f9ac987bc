//! Reading a session, from one or several files.

use crate::container::ReadOptions;
use crate::error::RecordingError;
use crate::frame::{Frame, ShapeChange, State, TopologyChange};
use crate::journal::journal_path;
use crate::limits::all_pairs;
use crate::missing::Missing;
use crate::note::Note;
use crate::session::{SessionInfo, Topology};
use crate::sources::{self, Part};
use crate::validate::{check_indices, check_placements, check_points, check_primitive, check_session};
use palpate_math::Limits;
use std::path::{Path, PathBuf};

/// Tolerance for the times of two files of one session, relative to the largest: VTK's own writer stores them as
/// single floats.
const TIME_TOLERANCE: f64 = 1e-6;

/// A recorded session, opened for reading: a palpate session, an unfinished one, or foreign VTKHDF files.
pub struct Reader {
    parts: Vec<OpenPart>,
    info: SessionInfo,
    times: Vec<f64>,
    cells: Vec<Cells>,
    notes: Vec<Note>,
    limits: Limits,
}

/// One file of the session.
struct OpenPart {
    path: PathBuf,
    part: Box<dyn Part>,
    /// Number of its first object.
    first: usize,
    objects: usize,
}

/// The range of frames for which an object's highest point id is known.
#[derive(Clone, Copy, Debug, Default)]
struct Cells {
    first: usize,
    /// One past the last.
    end: usize,
    highest: Option<u32>,
}

/// The result of [`Reader::verify`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// Frames read.
    pub frames: usize,
    /// Whether checksums covered everything read; without them only the shape of the data could be checked.
    pub checksums: bool,
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let paths: Vec<&Path> = self.paths().collect();
        formatter
            .debug_struct("Reader")
            .field("paths", &paths)
            .field("frames", &self.times.len())
            .finish_non_exhaustive()
    }
}

impl Reader {
    /// Opens a session in one file. If the file does not exist, but an unfinished session of that name does, opens
    /// that.
    ///
    /// A plain VTKHDF file is a session too: its object is named after the file stem, those of a composite after
    /// their blocks, sorted by name; the kind is determined by the cells; point data `radius`, if constant, is the
    /// thickness.
    ///
    /// # Errors
    /// The file is missing, empty, not a recording, damaged, or of a kind without a palpate geometry.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordingError> {
        Self::open_many(&[path])
    }

    /// Opens several files as one session: objects file by file, the pairs of all, and the times of the first file
    /// with the most frames. A file with a single frame holds a static object.
    ///
    /// # Errors
    /// As [`Reader::open`]; two objects have the same name, or the files have different numbers of frames or
    /// different times.
    pub fn open_many<P: AsRef<Path>>(paths: &[P]) -> Result<Self, RecordingError> {
        Self::open_with(paths, &ReadOptions::default())
    }

    /// [`Reader::open_many`] by a library of choice, with other limits, or with data outside the folder of a file.
    ///
    /// # Errors
    /// As [`Reader::open_many`].
    pub fn open_with<P: AsRef<Path>>(paths: &[P], options: &ReadOptions) -> Result<Self, RecordingError> {
        let mut parts = Vec::new();
        let mut first = 0;
        for path in paths {
            let path = existing(path.as_ref());
            let part = sources::open(&path, options)?;
            let objects = part.info().objects.len();
            parts.push(OpenPart { path, part, first, objects });
            first += objects;
        }
        let frames = common_frames(&parts)?;
        let times = common_times(&parts, frames)?;
        let info = merge(&parts, &times);
        if let Some(part) = parts.first() {
            check_session(&part.path, &info, &options.limits)?;
        }
        let notes = notes(&parts, &times);
        let cells = vec![Cells::default(); first];
        Ok(Self { parts, info, times, cells, notes, limits: options.limits })
    }

    /// What the caller should know of the files, though they can be read: a version of VTKHDF after those that palpate
    /// knows, times that run back. Empty for a usual recording.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// How many pairs all objects make, each with each other once: what a session that names no pairs asks for. Children
    /// of compounds do not count.
    ///
    /// # Errors
    /// More than [`Limits::pairs`], with both numbers.
    pub fn all_pairs(&self) -> Result<u64, RecordingError> {
        let path = self.paths().next().unwrap_or(Path::new(""));
        all_pairs(path, &self.info.objects, &self.limits)
    }

    /// The session without its frames.
    pub fn info(&self) -> &SessionInfo {
        &self.info
    }

    /// The files that were opened: as requested, or the journal instead.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.parts.iter().map(|part| part.path.as_path())
    }

    /// The number of frames.
    pub fn frame_count(&self) -> usize {
        self.times.len()
    }

    /// Seconds, one per frame. A file without time has one frame, at 0 s.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Whether checksums cover everything that is read.
    pub fn has_checksums(&self) -> bool {
        self.parts.iter().all(|part| part.part.has_checksums())
    }

    /// Whether the session is unfinished: its writer is still active, or died. See [`recover`](crate::recover).
    pub fn is_unfinished(&self) -> bool {
        self.parts.iter().any(|part| part.part.is_unfinished())
    }

    /// What of an unfinished session cannot be read, because its journal is damaged: nothing of a finished one. The sum over
    /// all files.
    pub fn missing(&self) -> Missing {
        let parts = self.parts.iter().map(|part| part.part.missing());
        parts.fold(Missing::default(), |sum, part| Missing {
            frames: sum.frames + part.frames,
            bytes: sum.bytes + part.bytes,
        })
    }

    /// Reads frame `index` into `frame`, whose buffers are reused. Every number is finite, every cell of an object
    /// refers to existing points, and checksums, if present, match.
    ///
    /// # Errors
    /// There is no such frame, it is damaged, or it violates the guarantees above. The content of `frame` is then
    /// unspecified.
    pub fn read_frame(&mut self, index: usize, frame: &mut Frame) -> Result<(), RecordingError> {
        self.check_index(index)?;
        frame.time = self.times[index];
        frame.states.truncate(self.info.objects.len());
        frame.changes.clear();
        frame.shapes.clear();
        frame.placements.clear();
        for number in 0..self.parts.len() {
            let (first, objects) = (self.parts[number].first, self.parts[number].objects);
            let part = &mut self.parts[number];
            let at = part.frame(index);
            part.part.read(at, first, &mut frame.states, &mut frame.placements)?;
            for object in 0..objects {
                self.note_shape(number, object, index, frame);
                if index > 0 && self.parts[number].part.changes(object).binary_search(&index).is_ok() {
                    let topology = self.parts[number].part.topology(object, index)?;
                    frame.changes.push(TopologyChange { object: first + object, topology });
                }
            }
        }
        self.check_states(index, &frame.states)?;
        let path = self.paths().next().unwrap_or(Path::new(""));
        check_placements(path, &self.info.objects, index, &frame.placements)
    }

    /// Tells in `frame` of an object of a part whose shape is not that of the frame before.
    fn note_shape(&self, part: usize, object: usize, index: usize, frame: &mut Frame) {
        let part = &self.parts[part];
        if index == 0 || part.frame(index) != index {
            return;
        }
        match [index - 1, index].map(|frame| part.part.shape(object, frame)) {
            [before, Some(now)] if before != Some(now) => {
                frame.shapes.push(ShapeChange { object: part.first + object, shape: now.to_string() });
            }
            _ => {}
        }
    }

    /// The [shape](crate::ObjectInfo::shape) of an object in a frame, if it has one. To replay from the first frame on,
    /// [`SessionInfo`] and the shapes of each frame suffice.
    ///
    /// # Errors
    /// There is no such frame or object.
    pub fn shape(&self, object: usize, frame: usize) -> Result<Option<&str>, RecordingError> {
        self.check_index(frame)?;
        let number = self.parts.partition_point(|part| part.first + part.objects <= object);
        let part = self.parts.get(number).ok_or_else(|| self.no_object(object))?;
        Ok(part.part.shape(object - part.first, part.frame(frame)))
    }

    /// The cells of an object in a frame. For replay from the first frame on, [`SessionInfo`] and the changes of
    /// each frame suffice. Cost: reads and checks the cells.
    ///
    /// # Errors
    /// There is no such frame or object, or the cells are damaged.
    pub fn topology(&mut self, object: usize, frame: usize) -> Result<Topology, RecordingError> {
        self.check_index(frame)?;
        let number = self.parts.partition_point(|part| part.first + part.objects <= object);
        if number == self.parts.len() {
            return Err(self.no_object(object));
        }
        let part = &mut self.parts[number];
        let at = part.frame(frame);
        part.part.topology(object - part.first, at)
    }

    /// The frame in which an object got the cells that it has in frame `frame`: the last one that changed them, or 0.
    ///
    /// # Errors
    /// There is no such frame or object.
    pub fn topology_since(&self, object: usize, frame: usize) -> Result<usize, RecordingError> {
        self.check_index(frame)?;
        let number = self.parts.partition_point(|part| part.first + part.objects <= object);
        let part = self.parts.get(number).ok_or_else(|| self.no_object(object))?;
        let changes = part.part.changes(object - part.first);
        let count = changes.partition_point(|&change| change <= frame);
        Ok(count.checked_sub(1).map_or(0, |last| changes[last]))
    }

    fn no_object(&self, object: usize) -> RecordingError {
        let path = self.paths().next().unwrap_or(Path::new(""));
        let wanted = format!("one of {}", self.cells.len());
        RecordingError::invalid(path, "session", format!("object {object}"), wanted)
    }

    /// Reads every frame and every change of cells.
    ///
    /// # Errors
    /// The first damage found.
    pub fn verify(&mut self) -> Result<Verified, RecordingError> {
        let mut frame = Frame::default();
        for index in 0..self.frame_count() {
            self.read_frame(index, &mut frame)?;
        }
        Ok(Verified { frames: self.frame_count(), checksums: self.has_checksums() })
    }

    fn check_index(&self, index: usize) -> Result<(), RecordingError> {
        let count = self.frame_count();
        if index < count {
            return Ok(());
        }
        let path = self.parts.first().map(|part| part.path.clone()).unwrap_or_default();
        Err(RecordingError::FrameOutOfRange { path, frame: index, count })
    }

    fn check_states(&mut self, index: usize, states: &[State]) -> Result<(), RecordingError> {
        for number in 0..self.parts.len() {
            for object in 0..self.parts[number].objects {
                let global = self.parts[number].first + object;
                let path = self.parts[number].path.as_path();
                let name = self.info.objects[global].name.as_str();
                match &states[global] {
                    State::Primitive(primitive) => check_primitive(path, name, index, primitive)?,
                    State::Points(points) => {
                        check_points(path, name, index, points)?;
                        self.check_cells(number, object, index, points.len())?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks that the cells of an object fit its points in a frame; cells are read again only when they change.
    fn check_cells(
        &mut self,
        number: usize,
        object: usize,
        index: usize,
        points: usize,
    ) -> Result<(), RecordingError> {
        let part = &mut self.parts[number];
        let global = part.first + object;
        let cells = &mut self.cells[global];
        if !(cells.first..cells.end).contains(&index) {
            let topology = part.part.topology(object, part.frame(index))?;
            let changes = part.part.changes(object);
            let after = changes.partition_point(|&change| change <= index);
            *cells = Cells {
                first: after.checked_sub(1).map_or(0, |before| changes[before]),
                end: changes.get(after).copied().unwrap_or(usize::MAX),
                highest: topology.indices().iter().copied().max(),
            };
        }
        if cells.highest.is_some_and(|highest| highest as usize >= points) {
            let highest = cells.highest;
            let topology = part.part.topology(object, part.frame(index))?;
            return check_indices(
                &part.path,
                &self.info.objects[global].name,
                index,
                &topology,
                highest,
                points,
            );
        }
        Ok(())
    }
}

impl OpenPart {
    /// The frame of this file for a frame of the session.
    fn frame(&self, index: usize) -> usize {
        index.min(self.part.frame_count().saturating_sub(1))
    }
}

/// The file, or the journal of a session of that name if only that exists.
fn existing(path: &Path) -> PathBuf {
    let journal = journal_path(path);
    if !path.exists() && journal.is_file() { journal } else { path.to_path_buf() }
}

fn common_frames(parts: &[OpenPart]) -> Result<usize, RecordingError> {
    let longest = parts.iter().max_by_key(|part| part.part.frame_count());
    let Some(longest) = longest else {
        return Err(RecordingError::Missing { path: PathBuf::new() });
    };
    let frames = longest.part.frame_count();
    match parts.iter().find(|part| ![1, frames].contains(&part.part.frame_count())) {
        Some(part) => Err(RecordingError::FilesDiffer {
            path: part.path.clone(),
            other: longest.path.clone(),
            what: "the number of frames".to_string(),
            found: part.part.frame_count().to_string(),
            wanted: frames.to_string(),
        }),
        None => Ok(frames),
    }
}

/// The times of the first file with all frames; the others must agree.
fn common_times(parts: &[OpenPart], frames: usize) -> Result<Vec<f64>, RecordingError> {
    let mut timed =
        parts.iter().filter(|part| part.part.frame_count() == frames && part.part.times().is_some());
    let Some(first) = timed.next() else { return Ok(vec![0.0; frames]) };
    let times = first.part.times().unwrap_or_default().to_vec();
    let largest = times.iter().fold(0.0_f64, |largest, time| largest.max(time.abs()));
    for part in timed.filter(|_| frames > 1) {
        let others = part.part.times().unwrap_or_default();
        let differs = |(a, b): (&f64, &f64)| (a - b).abs() > TIME_TOLERANCE * largest;
        if let Some(frame) = times.iter().zip(others).position(differs) {
            return Err(RecordingError::FilesDiffer {
                path: part.path.clone(),
                other: first.path.clone(),
                what: format!("the time of frame {frame}"),
                found: format!("{} s", others[frame]),
                wanted: format!("{} s", times[frame]),
            });
        }
    }
    Ok(times)
}

/// What the files and their times have that is unusual.
fn notes(parts: &[OpenPart], times: &[f64]) -> Vec<Note> {
    let mut notes: Vec<Note> = parts.iter().filter_map(|part| part.part.note()).collect();
    let back = times.windows(2).position(|pair| pair[1] < pair[0]);
    let timed =
        parts.iter().find(|part| part.part.frame_count() == times.len() && part.part.times().is_some());
    if let (Some(before), Some(part)) = (back, timed) {
        notes.push(Note::TimesRunBack {
            path: part.path.clone(),
            frame: before + 1,
            time: times[before + 1],
            before: times[before],
        });
    }
    notes
}

/// Merges all parts into one session. If none declares the time step, it is that of the times if they are even.
fn merge(parts: &[OpenPart], times: &[f64]) -> SessionInfo {
    let mut info = SessionInfo::default();
    for part in parts {
        let other = part.part.info();
        info.objects.extend(other.objects.iter().cloned());
        info.pairs.extend(other.pairs.iter().cloned());
        info.time_step = info.time_step.or(other.time_step);
        for (key, value) in &other.metadata {
            info.metadata.entry(key.clone()).or_insert_with(|| value.clone());
        }
    }
    info.time_step = info.time_step.or_else(|| constant_step(times));
    info
}

/// The step from each time to the next, if it is the same everywhere.
fn constant_step(times: &[f64]) -> Option<f64> {
    let [first, .., last] = times else { return None };
    let mean = (last - first) / (times.len() - 1) as f64;
    // Both times of a step may have the rounding of a single float.
    let rounding = f64::from(f32::EPSILON) * first.abs().max(last.abs());
    let tolerance = rounding.min(0.01 * mean);
    let is_even = times.windows(2).all(|pair| (pair[1] - pair[0] - mean).abs() <= tolerance);
    Some(mean).filter(|&mean| is_even && mean > 0.0)
}
