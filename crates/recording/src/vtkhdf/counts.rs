//! Arrays of non-negative integers of one VTKHDF dataset.

use crate::container::Source;
use crate::error::RecordingError;
use std::path::Path;

/// Reads them, with errors that name the array.
pub(super) struct Counts<'a> {
    pub(super) source: &'a dyn Source,
    pub(super) path: &'a Path,
    pub(super) group: &'a str,
}

impl Counts<'_> {
    /// The whole array, flattened, and the length of a row; `None` if it does not exist.
    fn optional(&self, name: &str) -> Result<Option<(Vec<u64>, usize)>, RecordingError> {
        let place = format!("{}/{name}", self.group);
        let failed = |reason| RecordingError::hdf5(self.path, &place, reason);
        let Some(shape) = self.source.shape(&place).map_err(failed)? else { return Ok(None) };
        let mut found = Vec::new();
        self.source.integers(&place, 0, shape.rows(), &mut found).map_err(failed)?;
        match found.iter().find(|&&value| value < 0) {
            Some(value) => Err(RecordingError::invalid(self.path, &place, value, "a number from 0 up")),
            None => {
                let counts = found.into_iter().map(|value| value as u64).collect();
                Ok(Some((counts, shape.row_elements() as usize)))
            }
        }
    }

    pub(super) fn required(&self, name: &str) -> Result<Vec<u64>, RecordingError> {
        let place = || format!("{}/{name}", self.group);
        let found = self
            .optional(name)?
            .ok_or_else(|| RecordingError::invalid(self.path, place(), "nothing", "a dataset of integers"))?;
        Ok(found.0)
    }

    /// Rows of `width` numbers, one per step, flattened; nothing if the array does not exist.
    pub(super) fn per_step(
        &self,
        name: &str,
        steps: usize,
        width: usize,
    ) -> Result<Vec<u64>, RecordingError> {
        let Some((mut flat, row)) = self.optional(name)? else { return Ok(Vec::new()) };
        let wanted = steps.checked_mul(width);
        match wanted.filter(|&wanted| row == width && flat.len() >= wanted) {
            Some(wanted) => {
                flat.truncate(wanted);
                Ok(flat)
            }
            None => {
                let found = format!("{} numbers in rows of {row}", flat.len());
                let wanted = format!("{steps} rows of {width}");
                Err(RecordingError::invalid(self.path, format!("{}/{name}", self.group), found, wanted))
            }
        }
    }
}

/// The sums of all counts before each one, and of all: one entry more than counts.
pub(super) fn sums(counts: &[u64]) -> Vec<u64> {
    let mut sum: u64 = 0;
    let before = counts.iter().map(|&count| {
        let before = sum;
        sum = sum.saturating_add(count);
        before
    });
    let mut sums: Vec<u64> = before.collect();
    sums.push(sum);
    sums
}
