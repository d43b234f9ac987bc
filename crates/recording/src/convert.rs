//! Converts a journal to a session file: VTKHDF for all readers, `/palpate` for what VTK has no place for.

use crate::container::{Chunking, Element, Library, Outcome, Sink, Stream};
use crate::display::Display;
use crate::error::RecordingError;
use crate::frame::{self, Frame, State};
use crate::header::{self, Header, StoredTopology};
use crate::journal::JournalReader;
use crate::session::Topology;
use crate::vtkhdf::{self, BlockWriter, Numbers};
use palpate_files::{FolderOperations, Replacement};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The session file that a journal becomes.
pub(crate) struct Target<'a> {
    pub(crate) path: &'a Path,
    /// The library that writes it, and its level of deflate.
    pub(crate) options: (Library, u32),
    /// By which it gets its name.
    pub(crate) operations: &'a dyn FolderOperations,
}

/// Writes a journal to a session file, which replaces an existing one as a whole.
pub(crate) fn convert(journal: &mut JournalReader, target: Target<'_>) -> Result<(), RecordingError> {
    let Target { path, options: (library, level), operations } = target;
    if journal.frame_count() == 0 {
        return Err(RecordingError::invalid(path, "session", "no frames", "at least one"));
    }
    let replacement = Replacement::new(path);
    let replacement = replacement.map_err(|error| RecordingError::io(path, "writing the session", error))?;
    let sink = library.create(&replacement);
    let sink = sink.map_err(|reason| RecordingError::hdf5(path, "writing the session", reason))?;
    write(journal, path, sink, level)?;
    let completed = replacement.complete_by(operations);
    completed.map_err(|error| RecordingError::io(path, "putting the complete file in place", error))
}

/// Writes a journal of one frame or more to an HDF5 file.
pub(crate) fn write(
    journal: &mut JournalReader,
    path: &Path,
    sink: Box<dyn Sink>,
    level: u32,
) -> Result<(), RecordingError> {
    let failed = |reason: String| RecordingError::hdf5(path, "writing the session", reason);
    let frames = journal.frame_count();
    let mut frame = Frame::default();
    journal.read(0, &mut frame)?;
    let mut writer = SessionWriter::new(sink, journal.header().clone(), &frame, journal, (frames, level))
        .map_err(failed)?;
    for index in 0..frames {
        journal.read(index, &mut frame)?;
        writer.append(index, &frame, journal).map_err(failed)?;
    }
    writer.finish().map_err(failed)
}

/// A session file being written.
struct SessionWriter {
    sink: Box<dyn Sink>,
    header: Header,
    objects: Vec<ObjectWriter>,
    composite: bool,
    times: Vec<f64>,
    checksums: Vec<u32>,
    coordinates: Vec<f64>,
}

/// The destination of one object.
struct ObjectWriter {
    /// The name of its block.
    name: String,
    /// The display geometry of a primitive, if known.
    display: Option<Display>,
    /// Whether VTK shows the object.
    shown: bool,
    block: Option<BlockWriter>,
    poses: Option<Stream>,
    /// The poses of a placed mesh.
    placements: Option<Stream>,
    /// Points in the last frame.
    points: usize,
}

impl SessionWriter {
    fn new(
        mut sink: Box<dyn Sink>,
        mut header: Header,
        first: &Frame,
        journal: &JournalReader,
        (frames, level): (usize, u32),
    ) -> Outcome<Self> {
        sink.text_attribute("", header::MARK.0, header::MARK.1)?;
        sink.group(header::GROUP)?;
        sink.group(header::POSES)?;
        let extent = extent(&header, &first.states);
        let names = block_names(header.objects.iter().map(|object| object.name.as_str()));
        let mut objects = Vec::new();
        for (object, (state, name)) in header.objects.iter().zip(first.states.iter().zip(names)) {
            let display = match state {
                State::Points(_) => None,
                State::Primitive(_) => Display::new(&object.kind, extent),
            };
            let shown = state.point_count().is_some() || display.is_some();
            objects.push(ObjectWriter {
                name,
                display,
                shown,
                block: None,
                poses: None,
                placements: None,
                points: 0,
            });
        }
        let blocks = objects.iter().filter(|object| object.shown);
        let blocks: Vec<String> = blocks.map(|object| object.name.clone()).collect();
        let composite = blocks.len() > 1;
        if composite {
            start_composite(sink.as_mut(), &blocks)?;
        }
        let mut places = 0..;
        for (index, object) in objects.iter_mut().enumerate() {
            let place = if composite && object.shown { places.next() } else { None };
            let (state, topology) = (&first.states[index], journal.topology(index, 0));
            let data = object.start(sink.as_mut(), place, state, topology, (frames, level))?;
            let stored = &mut header.objects[index];
            if let Some(placement) = &mut stored.placement {
                *placement = format!("/{}", object.start_placements(sink.as_mut(), &data, frames, level)?);
            }
            stored.data = format!("/{data}");
            header.note_cells(index, topology);
        }
        let (times, checksums, coordinates) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { sink, header, objects, composite, times, checksums, coordinates })
    }

    fn append(&mut self, index: usize, frame: &Frame, journal: &JournalReader) -> Outcome<()> {
        let sink = self.sink.as_mut();
        // In the order of their objects.
        let mut placements = frame.placements.iter().peekable();
        for (number, (object, state)) in self.objects.iter_mut().zip(&frame.states).enumerate() {
            let changed = journal.has_change(number, index);
            let coordinates: &[f64] = match state {
                State::Points(points) => {
                    if changed {
                        let crc32 = journal.topology(number, index).checksum();
                        let entry = StoredTopology { first_frame: index as u64, crc32 };
                        self.header.objects[number].topologies.push(entry);
                    }
                    bytemuck::cast_slice(points.as_slice())
                }
                State::Primitive(primitive) => {
                    if let Some(poses) = object.poses {
                        sink.append(poses, bytemuck::bytes_of(&primitive.to_row()))?;
                    }
                    self.coordinates.clear();
                    if let Some(display) = &object.display {
                        display.points(primitive, &mut self.coordinates);
                    }
                    &self.coordinates
                }
            };
            let placement = placements.next_if(|placement| placement.object == number);
            if let Some((placement, stream)) = placement.zip(object.placements) {
                sink.append(stream, bytemuck::bytes_of(&placement.to_row()))?;
            }
            let new_part = changed || coordinates.len() != object.points;
            object.points = coordinates.len();
            let Some(block) = &mut object.block else { continue };
            let topology = match &object.display {
                Some(display) => display.topology(),
                None => journal.topology(number, index),
            };
            block.step(sink, coordinates, new_part.then_some(topology))?;
        }
        self.times.push(frame.time);
        self.checksums.push(frame::checksum(frame.time, 0, &frame.states, &frame.placements));
        Ok(())
    }

    fn finish(mut self) -> Outcome<()> {
        let sink = self.sink.as_mut();
        for object in self.objects {
            if let Some(block) = object.block {
                block.finish(sink, &self.times)?;
            }
        }
        if self.composite {
            vtkhdf::write_steps(sink, vtkhdf::ROOT, &self.times)?;
        }
        let frames = self.times.len() as u64;
        self.header.frames = Some(frames);
        self.header.times_crc32 = Some(crc32fast::hash(bytemuck::cast_slice(&self.times)));
        let text = self.header.to_json()?;
        sink.dataset(header::SESSION, &Element::Text(text.len()), &[], text.as_bytes())?;
        let checksum = crc32fast::hash(text.as_bytes());
        sink.dataset(header::SESSION_CHECKSUM, &Element::U32, &[], &checksum.to_le_bytes())?;
        sink.dataset(header::TIMES, &Element::F64, &[frames], bytemuck::cast_slice(&self.times))?;
        sink.dataset(
            header::FRAME_CHECKSUMS,
            &Element::U32,
            &[frames],
            bytemuck::cast_slice(&self.checksums),
        )?;
        self.sink.close()
    }
}

impl ObjectWriter {
    /// Creates the datasets of the object, and returns the path of its numbers; `place` is its number among blocks.
    fn start(
        &mut self,
        sink: &mut dyn Sink,
        place: Option<usize>,
        state: &State,
        topology: &Topology,
        (frames, level): (usize, u32),
    ) -> Outcome<String> {
        let mut data = match place {
            Some(_) => format!("{}/{}", vtkhdf::ROOT, self.name),
            None => vtkhdf::ROOT.to_string(),
        };
        if self.shown {
            let (numbers, topology) = match &self.display {
                Some(display) => (Numbers::Single, display.topology()),
                None => (Numbers::Double, topology),
            };
            sink.group(&data)?;
            vtkhdf::root_attributes(sink, &data, vtk_type(topology), place.map(|place| place as i64))?;
            let points = point_count(state, self.display.as_ref());
            self.block = Some(BlockWriter::new(sink, &data, topology, (points, frames), numbers, level)?);
        }
        if state.point_count().is_none() {
            let (path, stream) = self.start_poses(sink, frames, level)?;
            data = path;
            self.poses = Some(stream);
        }
        Ok(data)
    }

    /// Makes the dataset of a placed object's poses, unless its numbers at `data` are poses; returns its path.
    fn start_placements(
        &mut self,
        sink: &mut dyn Sink,
        data: &str,
        frames: usize,
        level: u32,
    ) -> Outcome<String> {
        if self.poses.is_some() {
            return Ok(data.to_string());
        }
        let (path, stream) = self.start_poses(sink, frames, level)?;
        self.placements = Some(stream);
        Ok(path)
    }

    fn start_poses(&self, sink: &mut dyn Sink, frames: usize, level: u32) -> Outcome<(String, Stream)> {
        let path = format!("{}/{}", header::POSES, self.name);
        let chunking = Chunking { rows: frames.min(256) as u64, level };
        let stream = sink.stream(&path, &Element::F64, &[10], chunking)?;
        Ok((path, stream))
    }
}

/// The root of several blocks, and the assembly that names them.
fn start_composite(sink: &mut dyn Sink, blocks: &[String]) -> Outcome<()> {
    sink.group(vtkhdf::ROOT)?;
    vtkhdf::root_attributes(sink, vtkhdf::ROOT, "MultiBlockDataSet", None)?;
    let assembly = format!("{}/Assembly", vtkhdf::ROOT);
    sink.group(&assembly)?;
    for name in blocks {
        sink.soft_link(&assembly, name, &format!("/{}/{name}", vtkhdf::ROOT))?;
    }
    Ok(())
}

fn vtk_type(topology: &Topology) -> &'static str {
    match topology {
        Topology::Tetrahedra(_) => "UnstructuredGrid",
        _ => "PolyData",
    }
}

/// The number of points shown for an object.
fn point_count(state: &State, display: Option<&Display>) -> usize {
    match (state, display) {
        (State::Points(points), _) => points.len(),
        (State::Primitive(_), Some(display)) => {
            display.topology().indices().iter().max().map_or(0, |&highest| highest as usize + 1)
        }
        (State::Primitive(_), None) => 0,
    }
}

/// The largest side of the box around everything in a frame; 1 m for a scene that is a single point.
fn extent(header: &Header, states: &[State]) -> f64 {
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    let mut include = |point: &crate::Point, reach: f64| {
        for axis in 0..3 {
            low[axis] = low[axis].min(point[axis] - reach);
            high[axis] = high[axis].max(point[axis] + reach);
        }
    };
    for (object, state) in header.objects.iter().zip(states) {
        match state {
            State::Points(points) => points.iter().for_each(|point| include(point, 0.0)),
            // Its size is its normal.
            State::Primitive(shape) if object.kind == "plane" => include(&shape.position, 0.0),
            State::Primitive(shape) => include(&shape.position, shape.size.iter().sum()),
        }
    }
    let extent = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
    if extent > 0.0 && extent.is_finite() { extent } else { 1.0 }
}

/// The longest block name before it is numbered, in bytes: HDF5 keeps a link's name in a message of less than 64 KiB.
const LONGEST_BLOCK: usize = 200;

/// Distinct block names that VTK accepts: letters, digits, `_`, `-` and `.` are kept, others become `_`; long names are cut
/// short. Cost: n log n.
fn block_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken: BTreeSet<String> = ["Assembly", "Steps"].map(str::to_string).into();
    let mut numbers: BTreeMap<String, u64> = BTreeMap::new();
    let mut found = Vec::new();
    for name in names {
        let mut block: String = name
            .chars()
            .take(LONGEST_BLOCK)
            .map(|c| if c.is_ascii_alphanumeric() || "_-.".contains(c) { c } else { '_' })
            .collect();
        if !block.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
            block.insert(0, '_');
        }
        if !taken.insert(block.clone()) {
            let stem = block;
            // The number that follows the last one tried.
            let number = numbers.entry(stem.clone()).or_insert(2);
            loop {
                block = format!("{stem}_{number}");
                *number += 1;
                if taken.insert(block.clone()) {
                    break;
                }
            }
        }
        found.push(block);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_names_are_valid_and_differ() {
        let names =
            ["liver", "Leber (ö)", "Leber (ä)", "3", "Steps", "", "liver_2", "liver", "liver", "liver"];
        let wanted = [
            "liver",
            "Leber____",
            "Leber_____2",
            "_3",
            "Steps_2",
            "_",
            "liver_2",
            "liver_3",
            "liver_4",
            "liver_5",
        ];
        assert_eq!(block_names(names.into_iter()), wanted);
    }

    #[test]
    fn many_long_names_of_one_kind_are_short_and_differ() {
        let names: Vec<String> = (0..20_000).map(|number| format!("{}{number}", "ö".repeat(300))).collect();
        let blocks = block_names(names.iter().map(String::as_str));
        let distinct: BTreeSet<&String> = blocks.iter().collect();
        assert_eq!(distinct.len(), names.len());
        assert!(blocks.iter().all(|block| block.len() <= LONGEST_BLOCK + 6));
    }
}
