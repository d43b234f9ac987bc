//! Where the steps of a VTKHDF dataset are in its arrays.

use super::counts::Counts;
use crate::error::RecordingError;

/// The location of every step. An array that the file does not have is empty: its offsets are all 0.
pub(super) struct Steps {
    count: usize,
    categories: usize,
    first_part: Vec<u64>,
    /// Empty: `parts_each`.
    parts: Vec<u64>,
    parts_each: u64,
    point_offsets: Vec<u64>,
    /// One row per step, one column per category.
    cell_offsets: Vec<u64>,
    id_offsets: Vec<u64>,
}

impl Steps {
    /// Reads the group `Steps` of a dataset of `parts` parts with so many steps; `None` is a dataset without time, whose
    /// only step has all parts.
    pub(super) fn read(
        counts: &Counts<'_>,
        steps: Option<usize>,
        categories: usize,
        parts: usize,
    ) -> Result<Self, RecordingError> {
        let mut found = Self {
            count: steps.unwrap_or(1),
            categories,
            first_part: Vec::new(),
            parts: Vec::new(),
            parts_each: if steps.is_some() { 1 } else { parts as u64 },
            point_offsets: Vec::new(),
            cell_offsets: Vec::new(),
            id_offsets: Vec::new(),
        };
        if let Some(steps) = steps {
            found.first_part = counts.per_step("Steps/PartOffsets", steps, 1)?;
            found.parts = counts.per_step("Steps/NumberOfParts", steps, 1)?;
            found.point_offsets = counts.per_step("Steps/PointOffsets", steps, 1)?;
            found.cell_offsets = counts.per_step("Steps/CellOffsets", steps, categories)?;
            found.id_offsets = counts.per_step("Steps/ConnectivityIdOffsets", steps, categories)?;
        }
        for step in 0..found.count {
            let (first, count) = found.parts_of(step);
            if first.checked_add(count).is_none_or(|end| end > parts as u64) {
                let found = format!("parts {first} and {count} more");
                let wanted = format!("parts below {parts}");
                return Err(RecordingError::invalid(
                    counts.path,
                    format!("{}/Steps, step {step}", counts.group),
                    found,
                    wanted,
                ));
            }
        }
        Ok(found)
    }

    /// The number of steps.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    fn parts_of(&self, step: usize) -> (u64, u64) {
        (at(&self.first_part, step), self.parts.get(step).copied().unwrap_or(self.parts_each))
    }

    /// The first part of a step, and the part after its last.
    pub(super) fn parts(&self, step: usize) -> (usize, usize) {
        let (first, count) = self.parts_of(step);
        // Parts that are there, by `read`.
        (first as usize, (first + count) as usize)
    }

    /// The first row of a step in `Points`.
    pub(super) fn point_offset(&self, step: usize) -> u64 {
        at(&self.point_offsets, step)
    }

    /// The first cell of a step in one category.
    pub(super) fn cell_offset(&self, step: usize, category: usize) -> u64 {
        at(&self.cell_offsets, step * self.categories + category)
    }

    /// The first point id of a step in one category.
    pub(super) fn id_offset(&self, step: usize, category: usize) -> u64 {
        at(&self.id_offsets, step * self.categories + category)
    }
}

fn at(offsets: &[u64], index: usize) -> u64 {
    offsets.get(index).copied().unwrap_or(0)
}
