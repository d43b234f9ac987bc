//! One dataset of a VTKHDF file: what its steps and parts are.

use super::ROOT;
use super::cell_range::CellRange;
use super::points::Window;
use crate::Point;
use crate::container::Source;
use crate::error::RecordingError;
use std::path::{Path, PathBuf};

/// The two types of dataset that palpate reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockType {
    PolyData,
    UnstructuredGrid,
}

/// Maximum nesting of blocks: links may be cyclic.
const DEEPEST_ASSEMBLY: usize = 8;

/// One dataset, over time.
pub(crate) struct Block {
    pub(crate) path: PathBuf,
    pub(super) group: String,
    /// The object's name, for messages.
    pub(crate) object: String,
    pub(super) block_type: BlockType,
    steps: Vec<Step>,
    times: Option<Vec<f64>>,
    /// Points per part.
    point_counts: Vec<u64>,
    /// Cells and point ids per part, one list per category (PolyData: four; UnstructuredGrid: one).
    pub(super) cell_counts: Vec<Vec<u64>>,
    pub(super) id_counts: Vec<Vec<u64>>,
    window: Window,
}

/// The location of the parts of one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) first_part: u64,
    pub(super) parts: u64,
    point_offset: u64,
    /// Per category.
    pub(super) cell_offsets: Vec<u64>,
    pub(super) id_offsets: Vec<u64>,
}

/// Reads arrays of non-negative integers of one block, with errors that name the array.
struct Counts<'a> {
    source: &'a dyn Source,
    path: &'a Path,
    group: &'a str,
}

impl Counts<'_> {
    /// The whole array, flattened, and the length of a row; `None` if it does not exist.
    fn optional(&self, name: &str) -> Result<Option<(Vec<u64>, usize)>, RecordingError> {
        let place = format!("{}/{name}", self.group);
        let failed = |reason| RecordingError::hdf5(self.path, &place, reason);
        let Some(shape) = self.source.shape(&place).map_err(failed)? else { return Ok(None) };
        let mut found = Vec::new();
        self.source.integers(&place, 0, shape.rows(), &mut found).map_err(failed)?;
        let counts = found.into_iter().map(|value| {
            u64::try_from(value)
                .map_err(|_| RecordingError::invalid(self.path, &place, value, "a number from 0 up"))
        });
        Ok(Some((counts.collect::<Result<_, _>>()?, shape.row_elements() as usize)))
    }

    fn required(&self, name: &str) -> Result<Vec<u64>, RecordingError> {
        let place = || format!("{}/{name}", self.group);
        let found = self
            .optional(name)?
            .ok_or_else(|| RecordingError::invalid(self.path, place(), "nothing", "a dataset of integers"))?;
        Ok(found.0)
    }

    /// One row of `width` numbers per step.
    fn per_step(&self, name: &str, steps: usize, width: usize) -> Result<Vec<Vec<u64>>, RecordingError> {
        let Some((flat, row)) = self.optional(name)? else { return Ok(vec![vec![0; width]; steps]) };
        if row != width || flat.len() < steps * width {
            let found = format!("{} numbers in rows of {row}", flat.len());
            let wanted = format!("{steps} rows of {width}");
            return Err(RecordingError::invalid(self.path, format!("{}/{name}", self.group), found, wanted));
        }
        Ok(flat.chunks(width).take(steps).map(<[u64]>::to_vec).collect())
    }
}

/// All datasets of a file with their names: one called `stem`, or several named after their blocks.
pub(crate) fn open_blocks(
    source: &dyn Source,
    path: &Path,
    stem: &str,
) -> Result<Vec<Block>, RecordingError> {
    let failed = |reason| RecordingError::hdf5(path, ROOT, reason);
    let no_session =
        || RecordingError::NoSession { path: path.to_path_buf(), wanted: "group /VTKHDF".to_string() };
    match source.attribute(ROOT, "Type").map_err(failed)?.as_deref() {
        None => Err(no_session()),
        Some("MultiBlockDataSet" | "PartitionedDataSetCollection") => {
            // VTK's writer names blocks by links in the assembly; the datasets themselves have numbers.
            let mut places = Vec::new();
            find_datasets(source, &format!("{ROOT}/Assembly"), 0, &mut places).map_err(failed)?;
            if places.is_empty() {
                find_datasets(source, ROOT, DEEPEST_ASSEMBLY, &mut places).map_err(failed)?;
            }
            if places.is_empty() {
                return Err(RecordingError::invalid(path, ROOT, "no blocks", "at least one dataset"));
            }
            places.iter().map(|(group, name)| Block::open(source, path, group, name)).collect()
        }
        Some(_) => Ok(vec![Block::open(source, path, ROOT, stem)?]),
    }
}

/// Datasets in `group`, and in its subgroups, with their names there.
fn find_datasets(
    source: &dyn Source,
    group: &str,
    depth: usize,
    found: &mut Vec<(String, String)>,
) -> Result<(), String> {
    for name in source.groups(group)? {
        let inner = format!("{group}/{name}");
        if source.attribute(&inner, "Type")?.is_some() {
            found.push((inner, name));
        } else if depth < DEEPEST_ASSEMBLY {
            find_datasets(source, &inner, depth + 1, found)?;
        }
    }
    Ok(())
}

impl Block {
    /// Opens the dataset in `group`, for the object called `object`.
    pub(crate) fn open(
        source: &dyn Source,
        path: &Path,
        group: &str,
        object: &str,
    ) -> Result<Self, RecordingError> {
        let counts = Counts { source, path, group };
        let block_type = block_type(source, path, group)?;
        let categories: Vec<String> = match block_type {
            BlockType::PolyData => super::CATEGORIES.iter().map(|category| format!("{category}/")).collect(),
            BlockType::UnstructuredGrid => vec![String::new()],
        };
        let point_counts = counts.required("NumberOfPoints")?;
        let per_part = |name: &str| -> Result<Vec<Vec<u64>>, RecordingError> {
            let lists = categories.iter().map(|category| {
                let place = format!("{category}{name}");
                let list = counts.required(&place)?;
                if list.len() < point_counts.len() {
                    let wanted = format!("{}, one per part", point_counts.len());
                    return Err(RecordingError::invalid(
                        path,
                        format!("{group}/{place}"),
                        list.len(),
                        wanted,
                    ));
                }
                Ok(list)
            });
            lists.collect()
        };
        let (cell_counts, id_counts) = (per_part("NumberOfCells")?, per_part("NumberOfConnectivityIds")?);
        let times = read_times(source, path, group)?;
        let steps = read_steps(&counts, times.as_ref().map(Vec::len), categories.len(), point_counts.len())?;
        let block = Self {
            path: path.to_path_buf(),
            group: group.to_string(),
            object: object.to_string(),
            block_type,
            steps,
            times,
            point_counts,
            cell_counts,
            id_counts,
            window: Window::open(source, path, &format!("{group}/Points"))?,
        };
        block.check_points()?;
        Ok(block)
    }

    /// The number of steps; 1 for a dataset without time.
    pub(crate) fn step_count(&self) -> usize {
        self.steps.len()
    }

    /// Seconds per step, or `None` for a dataset without time.
    pub(crate) fn times(&self) -> Option<&[f64]> {
        self.times.as_deref()
    }

    /// Whether two steps read their cells from the same place.
    pub(crate) fn shares_cells(&self, first: usize, second: usize) -> bool {
        let (first, second) = (&self.steps[first], &self.steps[second]);
        let same_parts = first.first_part == second.first_part && first.parts == second.parts;
        same_parts && first.cell_offsets == second.cell_offsets && first.id_offsets == second.id_offsets
    }

    /// Reads the points of a step.
    pub(crate) fn points(
        &mut self,
        source: &dyn Source,
        step: usize,
        out: &mut Vec<Point>,
    ) -> Result<(), RecordingError> {
        let (start, count) = self.point_range(step);
        self.window.read(source, &self.path, start, count, out)
    }

    /// The value of the point data `radius` if it is constant over all points and steps.
    pub(crate) fn radius(&self, source: &dyn Source) -> Result<Option<f64>, RecordingError> {
        super::points::constant(source, &self.path, &format!("{}/PointData/radius", self.group))
    }

    /// Number of points of each part of a step.
    pub(super) fn part_points(&self, step: usize) -> &[u64] {
        let step = &self.steps[step];
        // In range by `read_steps`.
        &self.point_counts[step.first_part as usize..(step.first_part + step.parts) as usize]
    }

    /// The location of the cells of one category in part number `part` of a step.
    pub(super) fn cell_range(&self, step: usize, part: usize, category: usize) -> CellRange {
        let step = &self.steps[step];
        let first = step.first_part as usize;
        let before = |counts: &[u64]| {
            counts[first..first + part].iter().fold(0, |sum: u64, &count| sum.saturating_add(count))
        };
        let cell = step.cell_offsets[category].saturating_add(before(&self.cell_counts[category]));
        CellRange {
            cell,
            cells: self.cell_counts[category][first + part],
            offset: cell.saturating_add(step.first_part).saturating_add(part as u64),
            id: step.id_offsets[category].saturating_add(before(&self.id_counts[category])),
            ids: self.id_counts[category][first + part],
        }
    }

    fn point_range(&self, step: usize) -> (u64, u64) {
        (self.steps[step].point_offset, self.part_points(step).iter().sum())
    }

    /// Rejects steps whose points are not in the file, and more points than an id can count.
    fn check_points(&self) -> Result<(), RecordingError> {
        for step in 0..self.steps.len() {
            let total = self.part_points(step).iter().try_fold(0_u64, |sum, &count| sum.checked_add(count));
            let end = total.and_then(|count| count.checked_add(self.steps[step].point_offset));
            let fits = total.is_some_and(|count| count < u64::from(u32::MAX));
            if !fits || end.is_none_or(|end| end > self.window.rows()) {
                let place = format!("{}/Points, step {step}", self.group);
                let found = format!("{} rows", self.window.rows());
                let wanted = format!("{total:?} points from row {} on", self.steps[step].point_offset);
                return Err(RecordingError::invalid(&self.path, place, found, wanted));
            }
        }
        Ok(())
    }
}

fn block_type(source: &dyn Source, path: &Path, group: &str) -> Result<BlockType, RecordingError> {
    let found =
        source.attribute(group, "Type").map_err(|reason| RecordingError::hdf5(path, group, reason))?;
    match found.as_deref() {
        Some("PolyData") => Ok(BlockType::PolyData),
        Some("UnstructuredGrid") => Ok(BlockType::UnstructuredGrid),
        other => {
            let found = format!("type {}", other.unwrap_or("none"));
            Err(RecordingError::invalid(path, group, found, "PolyData or UnstructuredGrid"))
        }
    }
}

fn read_times(source: &dyn Source, path: &Path, group: &str) -> Result<Option<Vec<f64>>, RecordingError> {
    let place = format!("{group}/Steps/Values");
    let failed = |reason| RecordingError::hdf5(path, &place, reason);
    let Some(shape) = source.shape(&place).map_err(failed)? else { return Ok(None) };
    let mut times = Vec::new();
    source.floats(&place, 0, shape.rows(), &mut times).map_err(failed)?;
    match times.iter().find(|time| !time.is_finite()) {
        Some(time) => Err(RecordingError::invalid(path, place, time, "finite times")),
        None if times.is_empty() => Err(RecordingError::invalid(path, place, "no steps", "at least one")),
        None => Ok(Some(times)),
    }
}

fn read_steps(
    counts: &Counts<'_>,
    steps: Option<usize>,
    categories: usize,
    parts: usize,
) -> Result<Vec<Step>, RecordingError> {
    let Some(steps) = steps else {
        let none = vec![0; categories];
        let whole = Step {
            first_part: 0,
            parts: parts as u64,
            point_offset: 0,
            cell_offsets: none.clone(),
            id_offsets: none,
        };
        return Ok(vec![whole]);
    };
    let part_offsets = counts.per_step("Steps/PartOffsets", steps, 1)?;
    let part_counts = match counts.optional("Steps/NumberOfParts")? {
        Some(_) => counts.per_step("Steps/NumberOfParts", steps, 1)?,
        None => vec![vec![1]; steps],
    };
    let point_offsets = counts.per_step("Steps/PointOffsets", steps, 1)?;
    let cell_offsets = counts.per_step("Steps/CellOffsets", steps, categories)?;
    let id_offsets = counts.per_step("Steps/ConnectivityIdOffsets", steps, categories)?;
    let mut found = Vec::with_capacity(steps);
    for (step, (cell_offsets, id_offsets)) in cell_offsets.into_iter().zip(id_offsets).enumerate() {
        let (first_part, count) = (part_offsets[step][0], part_counts[step][0]);
        if first_part.checked_add(count).is_none_or(|end| end > parts as u64) {
            let place = format!("{}/Steps, step {step}", counts.group);
            let found = format!("parts {first_part} and {count} more");
            return Err(RecordingError::invalid(counts.path, place, found, format!("parts below {parts}")));
        }
        let point_offset = point_offsets[step][0];
        found.push(Step { first_part, parts: count, point_offset, cell_offsets, id_offsets });
    }
    Ok(found)
}
