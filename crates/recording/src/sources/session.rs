//! palpate sessions: the header, and the data at the paths that it names.

use super::Part;
use crate::container::Source;
use crate::error::RecordingError;
use crate::frame::{Placement, Primitive, State, checksum};
use crate::header::{
    FRAME_CHECKSUMS, Header, LONGEST_HEADER, SESSION, SESSION_CHECKSUM, StoredTopology, TIMES,
};
use crate::journal::{points_of, set_state};
use crate::session::{SessionInfo, Topology};
use crate::validate::check_session;
use crate::vtkhdf::Block;
use palpate_math::Limits;
use std::path::{Path, PathBuf};

pub(super) struct SessionPart {
    path: PathBuf,
    source: Box<dyn Source>,
    header: Header,
    info: SessionInfo,
    stores: Vec<Store>,
    /// The poses of placed meshes: the object, its dataset, and the rows of that.
    placements: Vec<(usize, String, u64)>,
    times: Vec<f64>,
    checksums: Option<Vec<i64>>,
    changes: Vec<Vec<usize>>,
    row: Vec<f64>,
}

/// Location of the numbers of one object.
enum Store {
    Mesh(Box<Block>),
    Poses { dataset: String, rows: u64 },
}

impl SessionPart {
    pub(super) fn open(
        source: Box<dyn Source>,
        path: &Path,
        limits: &Limits,
    ) -> Result<Self, RecordingError> {
        let header = read_header(source.as_ref(), path, limits)?;
        let times = read_times(source.as_ref(), path, &header)?;
        let checksums = read_checksums(source.as_ref(), path, &header, times.len())?;
        let mut part = Self {
            path: path.to_path_buf(),
            source,
            info: SessionInfo::default(),
            stores: Vec::new(),
            placements: Vec::new(),
            times,
            checksums,
            changes: Vec::new(),
            row: Vec::new(),
            header,
        };
        let mut topologies = Vec::new();
        for object in 0..part.header.objects.len() {
            let store = part.open_store(object)?;
            part.stores.push(store);
            part.open_placement(object)?;
            part.changes.push(part.find_changes(object)?);
            topologies.push(part.topology(object, 0)?);
        }
        part.info = part.header.info(topologies);
        check_session(path, &part.info, limits)?;
        // They are in the info now, and there may be many.
        (part.header.pairs, part.header.metadata) = Default::default();
        Ok(part)
    }

    fn open_store(&self, object: usize) -> Result<Store, RecordingError> {
        let stored = &self.header.objects[object];
        let data = stored.data.trim_matches('/').to_string();
        let frames = self.times.len() as u64;
        let place = format!("object '{}', data '{}'", stored.name, stored.data);
        let (rows, store) = match self.source.shape(&data) {
            Ok(Some(shape)) => {
                if shape.dimensions.len() != 2 || shape.dimensions[1] != 10 {
                    let found = format!("shape {:?}", shape.dimensions);
                    return Err(RecordingError::invalid(&self.path, place, found, "rows of ten numbers"));
                }
                (shape.rows(), Store::Poses { dataset: data, rows: shape.rows() })
            }
            Ok(None) => {
                let marked = self.source.attribute(&data, "Type");
                if marked.map_err(|reason| RecordingError::hdf5(&self.path, &place, reason))?.is_none() {
                    let wanted = "a dataset of poses or a VTKHDF group";
                    return Err(RecordingError::invalid(&self.path, place, "nothing", wanted));
                }
                let block = Block::open(self.source.as_ref(), &self.path, &data, &stored.name)?;
                (block.step_count() as u64, Store::Mesh(Box::new(block)))
            }
            Err(reason) => return Err(RecordingError::hdf5(&self.path, &place, reason)),
        };
        if rows != frames && rows != 1 {
            let wanted = format!("{frames}, as there are times, or one");
            return Err(RecordingError::invalid(&self.path, place, format!("{rows} frames"), wanted));
        }
        Ok(store)
    }

    fn open_placement(&mut self, object: usize) -> Result<(), RecordingError> {
        let stored = &self.header.objects[object];
        let Some(placement) = &stored.placement else { return Ok(()) };
        if matches!(self.stores[object], Store::Poses { .. }) {
            return Ok(());
        }
        let path = placement.trim_matches('/').to_string();
        let place = format!("object '{}', placement '{placement}'", stored.name);
        let shape = self.source.shape(&path);
        let shape = shape.map_err(|reason| RecordingError::hdf5(&self.path, &place, reason))?;
        let frames = self.times.len() as u64;
        let rows = shape.filter(|shape| shape.dimensions.len() == 2 && shape.dimensions[1] == 10);
        match rows.map(|shape| shape.rows()).filter(|&rows| rows == frames || rows == 1) {
            Some(rows) => {
                self.placements.push((object, path, rows));
                Ok(())
            }
            None => {
                let wanted = format!("{frames} rows of ten numbers, or one");
                Err(RecordingError::invalid(&self.path, place, "another dataset", wanted))
            }
        }
    }

    /// The frames at which an object's cells change: as the header says, or else as the file shows.
    fn find_changes(&self, object: usize) -> Result<Vec<usize>, RecordingError> {
        let stored = &self.header.objects[object];
        let Store::Mesh(block) = &self.stores[object] else { return Ok(Vec::new()) };
        if stored.topologies.is_empty() {
            if self.header.checksums {
                let place = format!("object '{}'", stored.name);
                let wanted = "a list of topologies with their checksums";
                return Err(RecordingError::invalid(&self.path, place, "no topologies", wanted));
            }
            return super::plain::find_changes(self.source.as_ref(), block, stored.kind_of_cells())
                .map(|(_, changes)| changes);
        }
        let firsts: Vec<usize> =
            stored.topologies.iter().map(|topology| topology.first_frame as usize).collect();
        let rises =
            firsts.is_sorted_by(|a, b| a < b) && firsts.last().is_some_and(|&last| last < self.times.len());
        if firsts.first() != Some(&0) || !rises {
            let place = format!("object '{}', topologies", stored.name);
            let wanted = format!("first frames that rise from 0 and stay below {}", self.times.len());
            return Err(RecordingError::invalid(
                &self.path,
                place,
                format!("{} others", firsts.len()),
                wanted,
            ));
        }
        Ok(firsts[1..].to_vec())
    }

    /// The header's entry for the cells in a frame.
    fn stored_topology(&self, object: usize, frame: usize) -> Option<&StoredTopology> {
        let topologies = &self.header.objects[object].topologies;
        let after = topologies.partition_point(|topology| topology.first_frame <= frame as u64);
        after.checked_sub(1).map(|at| &topologies[at])
    }
}

impl Part for SessionPart {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn times(&self) -> Option<&[f64]> {
        Some(&self.times)
    }

    fn frame_count(&self) -> usize {
        self.times.len()
    }

    fn changes(&self, object: usize) -> &[usize] {
        &self.changes[object]
    }

    fn topology(&mut self, object: usize, frame: usize) -> Result<Topology, RecordingError> {
        let Store::Mesh(block) = &self.stores[object] else { return Ok(Topology::None) };
        let step = frame.min(block.step_count() - 1);
        let topology =
            block.topology(self.source.as_ref(), step, self.header.objects[object].kind_of_cells())?;
        if let Some(&StoredTopology { crc32: stored, first_frame }) = self.stored_topology(object, frame) {
            let computed = topology.checksum();
            if computed != stored {
                let what = format!("object '{}', cells from frame {first_frame} on", block.object);
                return Err(RecordingError::Checksum { path: self.path.clone(), what, stored, computed });
            }
        }
        Ok(topology)
    }

    fn shape(&self, object: usize, frame: usize) -> Option<&str> {
        self.header.shape(object, frame)
    }

    fn read(
        &mut self,
        frame: usize,
        base: usize,
        states: &mut Vec<State>,
        placements: &mut Vec<Placement>,
    ) -> Result<(), RecordingError> {
        for (object, store) in self.stores.iter_mut().enumerate() {
            match store {
                Store::Mesh(block) => {
                    let step = frame.min(block.step_count() - 1);
                    block.points(self.source.as_ref(), step, points_of(states, base + object))?;
                }
                Store::Poses { dataset, rows } => {
                    let at = (dataset.as_str(), (frame as u64).min(*rows - 1));
                    let row = read_row(self.source.as_ref(), &self.path, at, &mut self.row)?;
                    set_state(states, base + object, State::Primitive(Primitive::from_row(row)));
                }
            }
        }
        let first_placement = placements.len();
        for (object, dataset, rows) in &self.placements {
            let at = (dataset.as_str(), (frame as u64).min(*rows - 1));
            let row = read_row(self.source.as_ref(), &self.path, at, &mut self.row)?;
            placements.push(Placement::from_row(base + object, row));
        }
        if let Some(checksums) = &self.checksums {
            let states = &states[base..base + self.stores.len()];
            let computed = checksum(self.times[frame], base, states, &placements[first_placement..]);
            // Read from 32-bit numbers.
            let stored = checksums[frame] as u32;
            if stored != computed {
                let what = format!("frame {frame}");
                return Err(RecordingError::Checksum { path: self.path.clone(), what, stored, computed });
            }
        }
        Ok(())
    }

    fn has_checksums(&self) -> bool {
        self.checksums.is_some() && self.header.checksums
    }
}

/// Row `at.1` of the ten numbers of the dataset `at.0`.
fn read_row(
    source: &dyn Source,
    path: &Path,
    at: (&str, u64),
    row: &mut Vec<f64>,
) -> Result<[f64; 10], RecordingError> {
    let read = source.floats(at.0, at.1, 1, row);
    read.map_err(|reason| RecordingError::hdf5(path, at.0, reason))?;
    let found = row.first_chunk().copied();
    found.ok_or_else(|| RecordingError::invalid(path, at.0, row.len(), "ten numbers"))
}

fn read_header(source: &dyn Source, path: &Path, limits: &Limits) -> Result<Header, RecordingError> {
    let failed = |reason| RecordingError::hdf5(path, SESSION, reason);
    let shape = source.shape(SESSION).map_err(failed)?.ok_or_else(|| RecordingError::NoSession {
        path: path.to_path_buf(),
        wanted: format!("dataset /{SESSION}"),
    })?;
    if shape.element_size > LONGEST_HEADER {
        let wanted = format!("at most {LONGEST_HEADER}");
        return Err(RecordingError::invalid(path, SESSION, format!("{} bytes", shape.element_size), wanted));
    }
    let is_one = shape.dimensions.iter().all(|&extent| extent == 1);
    let text = if is_one { source.texts(SESSION).map_err(failed)?.pop() } else { None };
    let text = text.ok_or_else(|| {
        RecordingError::invalid(path, SESSION, format!("shape {:?}", shape.dimensions), "one string")
    })?;
    let stored = read_checksum(source, path)?;
    let computed = crc32fast::hash(text.as_bytes());
    if let Some(stored) = stored.filter(|&stored| stored != computed) {
        let what = "session header".to_string();
        return Err(RecordingError::Checksum { path: path.to_path_buf(), what, stored, computed });
    }
    Header::check_counts(path, &text, limits)?;
    let header = Header::parse(path, &text)?;
    if header.checksums && stored.is_none() {
        let wanted = "the checksum that the header promises";
        return Err(RecordingError::invalid(path, SESSION_CHECKSUM, "nothing", wanted));
    }
    Ok(header)
}

fn read_checksum(source: &dyn Source, path: &Path) -> Result<Option<u32>, RecordingError> {
    let failed = |reason| RecordingError::hdf5(path, SESSION_CHECKSUM, reason);
    let Some(shape) = source.shape(SESSION_CHECKSUM).map_err(failed)? else { return Ok(None) };
    let mut values = Vec::new();
    source.integers(SESSION_CHECKSUM, 0, shape.rows(), &mut values).map_err(failed)?;
    match values.as_slice() {
        &[value] => u32::try_from(value).map(Some).map_err(|_| failed(format!("{value} is no CRC-32"))),
        _ => Err(failed(format!("{} numbers, wanted one", values.len()))),
    }
}

fn read_times(source: &dyn Source, path: &Path, header: &Header) -> Result<Vec<f64>, RecordingError> {
    let failed = |reason| RecordingError::hdf5(path, TIMES, reason);
    let shape = source.shape(TIMES).map_err(failed)?;
    let shape = shape.ok_or_else(|| RecordingError::invalid(path, TIMES, "nothing", "one time per frame"))?;
    let mut times = Vec::new();
    source.floats(TIMES, 0, shape.rows(), &mut times).map_err(failed)?;
    let frames = header.frames.unwrap_or(times.len() as u64);
    if frames == 0 || times.len() as u64 != frames {
        let found = format!("{} times", times.len());
        return Err(RecordingError::invalid(path, TIMES, found, format!("{}, at least 1", frames.max(1))));
    }
    let computed = crc32fast::hash(bytemuck::cast_slice(&times));
    match header.times_crc32 {
        Some(stored) if stored != computed => {
            let what = "times".to_string();
            return Err(RecordingError::Checksum { path: path.to_path_buf(), what, stored, computed });
        }
        None if header.checksums => {
            return Err(RecordingError::invalid(
                path,
                SESSION,
                "no times_crc32",
                "the checksum of the times",
            ));
        }
        _ => {}
    }
    match times.iter().find(|time| !time.is_finite()) {
        Some(time) => Err(RecordingError::invalid(path, TIMES, time, "finite times")),
        None => Ok(times),
    }
}

fn read_checksums(
    source: &dyn Source,
    path: &Path,
    header: &Header,
    frames: usize,
) -> Result<Option<Vec<i64>>, RecordingError> {
    let failed = |reason| RecordingError::hdf5(path, FRAME_CHECKSUMS, reason);
    let Some(shape) = source.shape(FRAME_CHECKSUMS).map_err(failed)? else {
        if header.checksums {
            let wanted = "the checksums that the header promises";
            return Err(RecordingError::invalid(path, FRAME_CHECKSUMS, "nothing", wanted));
        }
        return Ok(None);
    };
    let mut checksums = Vec::new();
    source.integers(FRAME_CHECKSUMS, 0, shape.rows(), &mut checksums).map_err(failed)?;
    if checksums.len() != frames || checksums.iter().any(|&value| u32::try_from(value).is_err()) {
        let found = format!("{} numbers", checksums.len());
        return Err(RecordingError::invalid(path, FRAME_CHECKSUMS, found, format!("{frames} CRC-32")));
    }
    Ok(Some(checksums))
}
