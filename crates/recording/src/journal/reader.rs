//! Reads the journal of a session that is unfinished, or still being recorded.

use super::record::{
    FRAME, HEAD, HEADER, Head, Input, MAGIC, SHAPE, TOPOLOGY, parse_frame, parse_shape, parse_topology,
};
use crate::error::RecordingError;
use crate::frame::{Frame, ShapeChange, TopologyChange};
use crate::header::{Header, StoredShape};
use crate::session::Topology;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A journal opened for reading. Frames appended after it was opened are not seen.
pub(crate) struct JournalReader {
    path: PathBuf,
    file: BufReader<File>,
    header: Header,
    /// The topologies of each object, with their first frames.
    topologies: Vec<Vec<(usize, Topology)>>,
    frames: Vec<Place>,
    payload: Vec<u8>,
}

/// The position of a record's payload.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: u64,
    head: Head,
}

impl JournalReader {
    /// Opens a journal and finds its frames; an incomplete record at the end is ignored.
    pub(crate) fn open(path: &Path) -> Result<Self, RecordingError> {
        let opened = File::open(path).map_err(|error| RecordingError::io(path, "opening", error))?;
        let mut scan = Scan::new(path, opened)?;
        let header = scan.header()?;
        let mut topologies = Vec::new();
        for object in 0..header.objects.len() {
            topologies.push(vec![(0, scan.topology(object)?)]);
        }
        let mut reader = Self {
            path: path.to_path_buf(),
            file: scan.file,
            header,
            topologies,
            frames: Vec::new(),
            payload: Vec::new(),
        };
        reader.find_frames(scan.position, scan.length)?;
        Ok(reader)
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    pub(crate) fn frame_count(&self) -> usize {
        self.frames.len()
    }

    /// The cells of an object in a frame.
    pub(crate) fn topology(&self, object: usize, frame: usize) -> &Topology {
        let history = &self.topologies[object];
        let after = history.partition_point(|&(first, _)| first <= frame);
        &history[after.saturating_sub(1)].1
    }

    /// The frames at which an object's cells change, without the first.
    pub(crate) fn changes(&self, object: usize) -> Vec<usize> {
        self.topologies[object].iter().skip(1).map(|&(first, _)| first).collect()
    }

    /// Reads a frame, with its changes.
    pub(crate) fn read(&mut self, index: usize, frame: &mut Frame) -> Result<(), RecordingError> {
        let place = self.frames[index];
        let what = || format!("journal, frame {index}");
        read_payload(&self.path, &mut self.file, place, &mut self.payload, what)?;
        let objects = self.header.objects.len();
        parse_frame(Input(&self.payload), objects, frame).ok_or_else(|| {
            RecordingError::invalid(
                &self.path,
                what(),
                "a record of another shape",
                "a frame of this session",
            )
        })?;
        frame.shapes.clear();
        for (object, stored) in self.header.objects.iter().enumerate() {
            let changes = &stored.shape_changes;
            if let Ok(at) = changes.binary_search_by_key(&(index as u64), |change| change.first_frame) {
                frame.shapes.push(ShapeChange { object, shape: changes[at].shape.clone() });
            }
        }
        Ok(())
    }

    fn find_frames(&mut self, mut position: u64, length: u64) -> Result<(), RecordingError> {
        let mut frame = Frame::default();
        // Those of a frame that is not there any more are not the session's.
        let mut shapes = Vec::new();
        while let Some(place) = next_record(&self.path, &mut self.file, position, length)? {
            position = place.start + place.head.length;
            if place.head.tag == SHAPE {
                shapes.push(self.shape(place)?);
                continue;
            }
            if place.head.tag != FRAME {
                let found = format!("a record of kind {} at byte {}", place.head.tag, place.start);
                return Err(RecordingError::invalid(&self.path, "journal", found, "frames only"));
            }
            self.frames.push(place);
            for ShapeChange { object, shape } in shapes.drain(..) {
                let first_frame = self.frames.len() as u64 - 1;
                self.header.objects[object].shape_changes.push(StoredShape { first_frame, shape });
            }
            // The number of changes stands first: only frames that have any are read now.
            let mut changes = [0; 4];
            if place.head.length < 4 {
                let wanted = "a frame of this session";
                return Err(RecordingError::invalid(&self.path, "journal", "a record too short", wanted));
            }
            read_at(&self.path, &mut self.file, place.start, &mut changes)?;
            if changes != [0; 4] {
                let index = self.frames.len() - 1;
                self.read(index, &mut frame)?;
                self.remember(index, &mut frame.changes)?;
            }
        }
        Ok(())
    }

    fn shape(&mut self, place: Place) -> Result<ShapeChange, RecordingError> {
        let what = || "journal, shape".to_string();
        read_payload(&self.path, &mut self.file, place, &mut self.payload, what)?;
        let objects = self.header.objects.len();
        parse_shape(Input(&self.payload)).filter(|change| change.object < objects).ok_or_else(|| {
            RecordingError::invalid(&self.path, what(), "another record", "JSON of an object that is there")
        })
    }

    fn remember(&mut self, index: usize, changes: &mut Vec<TopologyChange>) -> Result<(), RecordingError> {
        for change in changes.drain(..) {
            let history = self.topologies.get_mut(change.object).ok_or_else(|| {
                let found = format!("a change of object {}", change.object);
                RecordingError::invalid(
                    &self.path,
                    format!("journal, frame {index}"),
                    found,
                    "objects that are there",
                )
            })?;
            history.push((index, change.topology));
        }
        Ok(())
    }
}

/// The beginning of a journal, read record by record.
struct Scan<'a> {
    path: &'a Path,
    file: BufReader<File>,
    length: u64,
    position: u64,
}

impl<'a> Scan<'a> {
    fn new(path: &'a Path, opened: File) -> Result<Self, RecordingError> {
        let length = opened.metadata().map_err(|error| RecordingError::io(path, "opening", error))?.len();
        let mut scan = Self { path, file: BufReader::new(opened), length, position: MAGIC.len() as u64 };
        let mut magic = [0; MAGIC.len()];
        if length < magic.len() as u64 {
            return Err(scan.unfinished());
        }
        read_at(path, &mut scan.file, 0, &mut magic)?;
        if magic != *MAGIC {
            return Err(scan.unfinished());
        }
        Ok(scan)
    }

    fn unfinished(&self) -> RecordingError {
        RecordingError::NoSession {
            path: self.path.to_path_buf(),
            wanted: "complete journal header".to_string(),
        }
    }

    fn payload(&mut self, tag: u32) -> Result<Vec<u8>, RecordingError> {
        let place = next_record(self.path, &mut self.file, self.position, self.length)?;
        let place = place.ok_or_else(|| self.unfinished())?;
        if place.head.tag != tag {
            let found = format!("a record of kind {}", place.head.tag);
            return Err(RecordingError::invalid(self.path, "journal", found, format!("one of kind {tag}")));
        }
        let mut payload = Vec::new();
        read_payload(self.path, &mut self.file, place, &mut payload, || "journal, header".to_string())?;
        self.position = place.start + place.head.length;
        Ok(payload)
    }

    fn header(&mut self) -> Result<Header, RecordingError> {
        let text = String::from_utf8(self.payload(HEADER)?);
        let text =
            text.map_err(|error| RecordingError::invalid(self.path, "journal, header", error, "UTF-8"))?;
        Header::parse(self.path, &text)
    }

    fn topology(&mut self, object: usize) -> Result<Topology, RecordingError> {
        let payload = self.payload(TOPOLOGY)?;
        match parse_topology(&mut Input(&payload)) {
            Some(change) if change.object == object => Ok(change.topology),
            _ => {
                let wanted = format!("the cells of object {object}");
                Err(RecordingError::invalid(self.path, "journal", "another record", wanted))
            }
        }
    }
}

/// The record at `position`; `None` at the end of the journal, also within an incomplete record.
fn next_record(
    path: &Path,
    file: &mut BufReader<File>,
    position: u64,
    length: u64,
) -> Result<Option<Place>, RecordingError> {
    let start = position + HEAD as u64;
    if start > length {
        return Ok(None);
    }
    let mut bytes = [0; HEAD];
    read_at(path, file, position, &mut bytes)?;
    let Some(head) = Head::parse(&bytes) else {
        // After power loss a file may be longer than what was written, padded with zeros.
        if bytes == [0; HEAD] {
            return Ok(None);
        }
        let found = format!("a damaged record at byte {position}");
        return Err(RecordingError::invalid(path, "journal", found, "a record with its checksum"));
    };
    match start.checked_add(head.length) {
        Some(end) if end <= length => Ok(Some(Place { start, head })),
        _ => Ok(None),
    }
}

fn read_payload(
    path: &Path,
    file: &mut BufReader<File>,
    place: Place,
    payload: &mut Vec<u8>,
    what: impl FnOnce() -> String,
) -> Result<(), RecordingError> {
    // At most the rest of the file, by `next_record`.
    payload.resize(place.head.length as usize, 0);
    read_at(path, file, place.start, payload)?;
    let computed = crc32fast::hash(payload);
    if computed != place.head.checksum {
        let path = path.to_path_buf();
        return Err(RecordingError::Checksum { path, what: what(), stored: place.head.checksum, computed });
    }
    Ok(())
}

fn read_at(
    path: &Path,
    file: &mut BufReader<File>,
    position: u64,
    out: &mut [u8],
) -> Result<(), RecordingError> {
    let failed = |error| RecordingError::io(path, "reading the journal", error);
    let now = file.stream_position().map_err(failed)?;
    // Within the buffer if possible: `seek` would discard it.
    match i64::try_from(i128::from(position) - i128::from(now)) {
        Ok(offset) => file.seek_relative(offset).map_err(failed)?,
        Err(_) => file.seek(SeekFrom::Start(position)).map(drop).map_err(failed)?,
    }
    file.read_exact(out).map_err(failed)
}
