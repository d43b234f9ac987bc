//! Writing a compact session.

use crate::compact::{Block, FOOTER, FrameStates, Index, MAGIC, StoredCells, encode};
use crate::error::RecordingError;
use crate::frame::{Frame, State};
use crate::header::{Header, StoredShape};
use crate::paths::check_target;
use crate::reader::Reader;
use crate::session::SessionInfo;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use palpate_files::Replacement;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Frames per block, unless they are large.
const BLOCK_FRAMES: usize = 64;
/// Bytes of coordinates from which on a block is complete.
const BLOCK_BYTES: usize = 64 << 20;

/// How a session is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompactOptions {
    /// Metres: how far a point may be from where it was recorded. 0 (the default): every bit is kept. Poses, sizes and times
    /// are exact in any case.
    pub error: f64,
    /// Every `every`-th frame is kept, from the first on. 1 by default: all.
    pub every: usize,
    /// Whether an existing file may be replaced. Default false.
    pub overwrite: bool,
}

impl Default for CompactOptions {
    fn default() -> Self {
        Self { error: 0.0, every: 1, overwrite: false }
    }
}

/// What was kept.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CompactReport {
    /// Frames.
    pub frames: usize,
    /// Bytes of the file.
    pub bytes: u64,
    /// Metres: how far a point is from where it was recorded at most; 0 where every bit is kept.
    pub error: f64,
}

/// Writes the session of a reader as a compact session, which a [`Reader`] opens as any other.
///
/// # Errors
/// A session that cannot be read; an error that is negative or not finite, or so small that coordinates have more than 2³¹ steps of
/// it; a file that exists or cannot be written.
pub fn compact(
    reader: &mut Reader,
    path: impl AsRef<Path>,
    options: &CompactOptions,
) -> Result<CompactReport, RecordingError> {
    compact_with(reader, path, options, &mut |_| ())
}

/// [`compact`], and calls `progress` with the number of frames that are done, after each.
///
/// # Errors
/// As [`compact`].
pub fn compact_with(
    reader: &mut Reader,
    path: impl AsRef<Path>,
    options: &CompactOptions,
    progress: &mut dyn FnMut(usize),
) -> Result<CompactReport, RecordingError> {
    let path = path.as_ref();
    check_target(path, options.overwrite)?;
    let wanted = "a number of metres that is finite and not negative, and every first frame or more";
    if !(options.error.is_finite() && options.error >= 0.0) || options.every == 0 {
        let found = format!("an error of {} m, every {}th frame", options.error, options.every);
        return Err(RecordingError::invalid(path, "options", found, wanted));
    }
    let failed = |error| RecordingError::io(path, "writing the compact session", error);
    let replacement = Replacement::new(path).map_err(failed)?;
    let mut file = BufWriter::new(replacement);
    file.write_all(MAGIC).map_err(failed)?;
    let index = frames(reader, path, options, (&mut file, progress))?;
    let length = index.blocks.last().map_or(MAGIC.len() as u64, |block| block.offset + block.length);
    let text = serde_json::to_vec(&index).map_err(|error| RecordingError::hdf5(path, "index", error))?;
    let packed = packed(&text).map_err(failed)?;
    file.write_all(&packed).map_err(failed)?;
    for number in [length, packed.len() as u64] {
        file.write_all(&number.to_le_bytes()).map_err(failed)?;
    }
    file.write_all(&crc32fast::hash(&packed).to_le_bytes()).map_err(failed)?;
    file.write_all(MAGIC).map_err(failed)?;
    let bytes = length + packed.len() as u64 + FOOTER as u64;
    let replacement = file.into_inner().map_err(|error| failed(error.into_error()))?;
    replacement.complete().map_err(failed)?;
    let error = 0.5 * libm::sqrt(3.0) * index.step;
    Ok(CompactReport { frames: index.times.len(), bytes, error })
}

fn packed(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// The largest power of two with which no point moves by more than `error`.
fn step(error: f64) -> f64 {
    if error > 0.0 { libm::exp2(libm::floor(libm::log2(2.0 * error / libm::sqrt(3.0)))) } else { 0.0 }
}

/// Writes the blocks, and returns their index.
fn frames(
    reader: &mut Reader,
    path: &Path,
    options: &CompactOptions,
    (file, progress): (&mut impl Write, &mut dyn FnMut(usize)),
) -> Result<Index, RecordingError> {
    let info = reader.info().clone();
    let mut index = start(reader, &info, (step(options.error), options.every))?;
    let mut shapes: Vec<Option<String>> = info.objects.iter().map(|object| object.shape.clone()).collect();
    let mut since = vec![0; info.objects.len()];
    let mut frame = Frame::default();
    let (mut block, mut size, mut offset): (Vec<FrameStates>, usize, u64) =
        (Vec::new(), 0, MAGIC.len() as u64);
    let kept: Vec<usize> = (0..reader.frame_count()).step_by(options.every).collect();
    for (number, &at) in kept.iter().enumerate() {
        reader.read_frame(at, &mut frame)?;
        progress(number + 1);
        note_changes(reader, (number, at), &mut index, (&mut shapes, &mut since))?;
        index.times.push(frame.time);
        size += frame.states.iter().map(|state| 24 * state.point_count().unwrap_or(4)).sum::<usize>();
        block.push((frame.states.clone(), frame.placements.clone()));
        let is_last = number + 1 == kept.len();
        if block.len() < BLOCK_FRAMES && size < BLOCK_BYTES && !is_last {
            continue;
        }
        let bytes = encode(&block, index.step);
        let bytes = bytes
            .map_err(|found| RecordingError::invalid(path, format!("frame {at}"), found, "another step"))?;
        let failed = |error| RecordingError::io(path, "writing the compact session", error);
        let packed = packed(&bytes).map_err(failed)?;
        file.write_all(&packed).map_err(failed)?;
        let first_frame = number + 1 - block.len();
        let (length, raw, crc32) = (packed.len() as u64, bytes.len() as u64, crc32fast::hash(&bytes));
        index.blocks.push(Block { first_frame, frames: block.len(), offset, length, bytes: raw, crc32 });
        offset += length;
        block.clear();
        size = 0;
    }
    index.header.frames = Some(index.times.len() as u64);
    Ok(index)
}

/// The index of a session without frames.
fn start(
    reader: &mut Reader,
    info: &SessionInfo,
    (step, every): (f64, usize),
) -> Result<Index, RecordingError> {
    let mut first = Frame::default();
    reader.read_frame(0, &mut first)?;
    let mut header = Header::new(info);
    // From kept frame to kept frame.
    header.time_step = info.time_step.map(|step| step * every as f64);
    for (object, info) in info.objects.iter().enumerate() {
        header.note_cells(object, &info.topology);
    }
    let cells = |topology| vec![StoredCells { first_frame: 0, cells: topology }];
    Ok(Index {
        compact: 1,
        header,
        times: Vec::new(),
        cells: info.objects.iter().map(|object| cells((&object.topology).into())).collect(),
        has_points: first.states.iter().map(|state| matches!(state, State::Points(_))).collect(),
        placed: first.placements.iter().map(|placement| placement.object).collect(),
        blocks: Vec::new(),
        step,
    })
}

/// Notes cells and shapes that are not those of the kept frame before: frames in between may have changed them.
fn note_changes(
    reader: &mut Reader,
    (number, at): (usize, usize),
    index: &mut Index,
    (shapes, since): (&mut [Option<String>], &mut [usize]),
) -> Result<(), RecordingError> {
    for object in 0..since.len() {
        let now = reader.topology_since(object, at)?;
        if now != since[object] {
            since[object] = now;
            let topology = reader.topology(object, at)?;
            index.cells[object].push(StoredCells { first_frame: number, cells: (&topology).into() });
        }
        let shape = reader.shape(object, at)?.map(str::to_owned);
        if shape.is_some() && shape != shapes[object] && number > 0 {
            let stored = StoredShape { first_frame: number as u64, shape: shape.clone().unwrap_or_default() };
            index.header.objects[object].shape_changes.push(stored);
            shapes[object] = shape;
        }
    }
    Ok(())
}
