//! Reads the journal of a session that is unfinished, or still being recorded.

use super::history::History;
use super::record::{
    FRAME, HEADER, Input, MAGIC, NUMBERED_FRAME, SHAPE, TOPOLOGY, parse_frame, parse_shape, parse_topology,
    survey,
};
use super::records::{Found, Place, Records};
use crate::error::RecordingError;
use crate::frame::{Frame, ShapeChange};
use crate::header::Header;
use crate::missing::Missing;
use crate::session::Topology;
use std::path::{Path, PathBuf};

/// A journal opened for reading: its whole frames, counted without those that are missing. Frames appended after it was
/// opened are not seen.
pub(crate) struct JournalReader {
    path: PathBuf,
    records: Records,
    header: Header,
    /// The topologies of each object, with their first frames.
    topologies: Vec<Vec<(usize, Topology)>>,
    frames: Vec<Place>,
    times: Vec<f64>,
    missing: Missing,
    payload: Vec<u8>,
}

impl JournalReader {
    /// Opens a journal and finds its whole frames. Cost: reads everything.
    pub(crate) fn open(path: &Path) -> Result<Self, RecordingError> {
        let mut beginning = Beginning::new(path)?;
        let header = beginning.header()?;
        let mut topologies = Vec::new();
        for object in 0..header.objects.len() {
            topologies.push(beginning.topology(object)?);
        }
        let mut reader = Self {
            path: path.to_path_buf(),
            records: beginning.records,
            header,
            topologies: Vec::new(),
            frames: Vec::new(),
            times: Vec::new(),
            missing: Missing::default(),
            payload: beginning.payload,
        };
        reader.find_frames(beginning.position, topologies)?;
        Ok(reader)
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    pub(crate) fn frame_count(&self) -> usize {
        self.frames.len()
    }

    /// Seconds, one per frame.
    pub(crate) fn times(&self) -> &[f64] {
        &self.times
    }

    /// What could not be read.
    pub(crate) fn missing(&self) -> Missing {
        self.missing
    }

    /// Forgets the frames after the first `count`.
    pub(crate) fn keep_first(&mut self, count: usize) {
        self.frames.truncate(count);
        self.times.truncate(count);
        for history in &mut self.topologies {
            history.retain(|&(first, _)| first < count.max(1));
        }
        for object in &mut self.header.objects {
            object.shape_changes.retain(|change| change.first_frame < count as u64);
        }
    }

    /// The cells of an object in a frame.
    pub(crate) fn topology(&self, object: usize, frame: usize) -> &Topology {
        let history = &self.topologies[object];
        let after = history.partition_point(|&(first, _)| first <= frame);
        &history[after.saturating_sub(1)].1
    }

    /// The frames at which an object's cells change, without the first.
    pub(crate) fn changes(&self, object: usize) -> impl Iterator<Item = usize> {
        self.topologies[object].iter().skip(1).map(|&(first, _)| first)
    }

    /// Whether an object's cells are others in a frame than before it; true in the first.
    pub(crate) fn has_change(&self, object: usize, frame: usize) -> bool {
        self.topologies[object].binary_search_by_key(&frame, |&(first, _)| first).is_ok()
    }

    /// Reads the time, the states and the placements of a frame. What changes in it is told by [`Self::changes`] and by the
    /// header.
    pub(crate) fn read(&mut self, index: usize, frame: &mut Frame) -> Result<(), RecordingError> {
        let place = self.frames[index];
        let what = || format!("journal, frame {index}");
        let computed = self.records.payload(place, &mut self.payload)?;
        if computed != place.head.checksum {
            let (path, stored) = (self.path.clone(), place.head.checksum);
            return Err(RecordingError::Checksum { path, what: what(), stored, computed });
        }
        frame.changes.clear();
        frame.shapes.clear();
        let objects = self.header.objects.len();
        parse_frame(place.head.tag, Input(&self.payload), objects, frame).ok_or_else(|| {
            let wanted = "a frame of this session";
            RecordingError::invalid(&self.path, what(), "a record of another shape", wanted)
        })
    }

    fn find_frames(&mut self, mut position: u64, topologies: Vec<Topology>) -> Result<(), RecordingError> {
        let has_points: Vec<bool> =
            topologies.iter().map(|topology| !matches!(topology, Topology::None)).collect();
        let mut history = History::new(topologies);
        let mut whole = position;
        loop {
            let place = match self.records.next(position, &mut self.payload)? {
                Found::End => break,
                Found::Damaged { frames, next } => {
                    history.damage(frames);
                    position = next;
                    continue;
                }
                Found::Record(place) => place,
            };
            let bytes = place.end() - position;
            let is_whole = match place.head.tag {
                SHAPE => match self.shape() {
                    Some(shape) => {
                        history.shape(shape);
                        true
                    }
                    None => {
                        history.damage(0);
                        false
                    }
                },
                tag @ (FRAME | NUMBERED_FRAME) => match survey(tag, Input(&self.payload), &has_points) {
                    Some(survey) => {
                        let time = survey.time;
                        if history.frame(survey, &mut self.header, self.records.length()) {
                            self.frames.push(place);
                            self.times.push(time);
                        }
                        true
                    }
                    None => {
                        history.damage(1);
                        false
                    }
                },
                other => {
                    let found = format!("a record of kind {other} at byte {position}");
                    return Err(RecordingError::invalid(&self.path, "journal", found, "frames only"));
                }
            };
            whole += if is_whole { bytes } else { 0 };
            position = place.end();
        }
        self.missing = Missing {
            frames: usize::try_from(history.lost()).unwrap_or(usize::MAX),
            bytes: self.records.length() - whole,
        };
        if history.is_interrupted {
            // The step is no longer that from frame to frame.
            self.header.time_step = None;
        }
        self.topologies = history.topologies;
        Ok(())
    }

    /// The shape that was read, if it is one of an object that has shapes.
    fn shape(&self) -> Option<ShapeChange> {
        let of_session = |change: &ShapeChange| {
            self.header.objects.get(change.object).is_some_and(|object| object.shape.is_some())
        };
        parse_shape(Input(&self.payload)).filter(of_session)
    }
}

/// The beginning of a journal, without which nothing of it can be read.
struct Beginning<'a> {
    path: &'a Path,
    records: Records,
    position: u64,
    payload: Vec<u8>,
}

impl<'a> Beginning<'a> {
    fn new(path: &'a Path) -> Result<Self, RecordingError> {
        let records = Records::open(path)?;
        let mut beginning = Self { path, records, position: MAGIC.len() as u64, payload: Vec::new() };
        let mut magic = [0; MAGIC.len()];
        if beginning.records.length() < magic.len() as u64 {
            return Err(beginning.unfinished());
        }
        beginning.records.read_at(0, &mut magic)?;
        if magic != *MAGIC {
            return Err(beginning.unfinished());
        }
        Ok(beginning)
    }

    fn unfinished(&self) -> RecordingError {
        RecordingError::NoSession {
            path: self.path.to_path_buf(),
            wanted: "complete journal header".to_string(),
        }
    }

    /// Reads the next record, which has to be of this kind.
    fn record(&mut self, tag: u32) -> Result<(), RecordingError> {
        match self.records.next(self.position, &mut self.payload)? {
            Found::Record(place) if place.head.tag == tag => {
                self.position = place.end();
                Ok(())
            }
            Found::Record(place) => {
                let found = format!("a record of kind {}", place.head.tag);
                Err(RecordingError::invalid(self.path, "journal", found, format!("one of kind {tag}")))
            }
            Found::Damaged { frames: 0, .. } | Found::End => Err(self.unfinished()),
            Found::Damaged { .. } => {
                let found = format!("a damaged record at byte {}", self.position);
                let wanted = "the description of the session, without which its frames cannot be read";
                Err(RecordingError::invalid(self.path, "journal", found, wanted))
            }
        }
    }

    fn header(&mut self) -> Result<Header, RecordingError> {
        self.record(HEADER)?;
        let text = std::str::from_utf8(&self.payload);
        let text =
            text.map_err(|error| RecordingError::invalid(self.path, "journal, header", error, "UTF-8"))?;
        Header::parse(self.path, text)
    }

    fn topology(&mut self, object: usize) -> Result<Topology, RecordingError> {
        self.record(TOPOLOGY)?;
        match parse_topology(&mut Input(&self.payload)) {
            Some(change) if change.object == object => Ok(change.topology),
            _ => {
                let wanted = format!("the cells of object {object}");
                Err(RecordingError::invalid(self.path, "journal", "another record", wanted))
            }
        }
    }
}
