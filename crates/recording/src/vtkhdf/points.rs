//! Points and point data of a VTKHDF dataset.

use crate::Point;
use crate::container::Source;
use crate::error::RecordingError;
use std::path::Path;

/// Points stored in chunks are read in whole chunks, since a chunk is decompressed as a whole; frames that share a
/// chunk then decompress it once. At most this many rows are kept.
const MOST_ROWS: u64 = 2 << 20;

/// The most recently read rows of `Points`.
pub(super) struct Window {
    dataset: String,
    rows: u64,
    chunk_rows: u64,
    start: u64,
    values: Vec<f64>,
}

impl Window {
    /// Checks that the points exist, with three numbers each; none are read yet.
    pub(super) fn open(source: &dyn Source, path: &Path, dataset: &str) -> Result<Self, RecordingError> {
        let shape = source.shape(dataset).map_err(|reason| RecordingError::hdf5(path, dataset, reason))?;
        match shape {
            Some(shape) if shape.dimensions.len() == 2 && shape.dimensions[1] == 3 => {
                let chunk_rows = shape.chunk_rows.unwrap_or(1).max(1);
                let (dataset, rows) = (dataset.to_string(), shape.rows());
                Ok(Self { dataset, rows, chunk_rows, start: 0, values: Vec::new() })
            }
            found => {
                let found =
                    found.map_or("nothing".to_string(), |shape| format!("shape {:?}", shape.dimensions));
                Err(RecordingError::invalid(path, dataset, found, "points of three coordinates"))
            }
        }
    }

    /// The number of rows in the file.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Replaces `out` by the points in rows `start..start + count`.
    pub(super) fn read(
        &mut self,
        source: &dyn Source,
        path: &Path,
        start: u64,
        count: u64,
        out: &mut Vec<Point>,
    ) -> Result<(), RecordingError> {
        let held = self.start..self.start + self.values.len() as u64 / 3;
        if !(held.contains(&start) && start + count <= held.end) {
            self.load(source, path, start, count)?;
        }
        let first = (start - self.start) as usize * 3;
        let values = &self.values[first..first + count as usize * 3];
        out.clear();
        out.extend(values.as_chunks().0.iter().map(|&[x, y, z]| Point::new(x, y, z)));
        Ok(())
    }

    fn load(
        &mut self,
        source: &dyn Source,
        path: &Path,
        start: u64,
        count: u64,
    ) -> Result<(), RecordingError> {
        let first = start / self.chunk_rows * self.chunk_rows;
        let end = (start + count).div_ceil(self.chunk_rows).saturating_mul(self.chunk_rows).min(self.rows);
        let (first, rows) = if end - first > MOST_ROWS { (start, count) } else { (first, end - first) };
        // Cleared first, since the read may fail midway.
        self.start = first;
        let read = source.floats(&self.dataset, first, rows, &mut self.values);
        read.map_err(|reason| {
            self.values.clear();
            RecordingError::hdf5(path, &self.dataset, reason)
        })
    }
}

/// The value of a constant point array; `None` if there is no such array, or values differ.
pub(super) fn constant(
    source: &dyn Source,
    path: &Path,
    dataset: &str,
) -> Result<Option<f64>, RecordingError> {
    let failed = |reason| RecordingError::hdf5(path, dataset, reason);
    let Some(shape) = source.shape(dataset).map_err(failed)? else { return Ok(None) };
    if shape.row_elements() != 1 || shape.rows() == 0 {
        return Ok(None);
    }
    let mut constant = None;
    let mut values = Vec::new();
    let step = shape.chunk_rows.unwrap_or(1 << 16).clamp(1, MOST_ROWS);
    let mut start = 0;
    while start < shape.rows() {
        source.floats(dataset, start, step.min(shape.rows() - start), &mut values).map_err(failed)?;
        for &value in &values {
            if *constant.get_or_insert(value) != value {
                return Ok(None);
            }
        }
        start += step;
    }
    Ok(constant)
}
