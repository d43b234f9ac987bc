//! One dataset of a VTKHDF file: what its steps and parts are.

use super::ROOT;
use super::cell_range::CellRange;
use super::counts::{Counts, sums};
use super::points::Window;
use super::steps::Steps;
use crate::Point;
use crate::container::Source;
use crate::error::RecordingError;
use crate::limits::check_count;
use palpate_math::Limits;
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
    steps: Steps,
    times: Option<Vec<f64>>,
    /// Points before each part.
    points_before: Vec<u64>,
    /// Cells and point ids before each part, one list per category (PolyData: four; UnstructuredGrid: one).
    cells_before: Vec<Vec<u64>>,
    ids_before: Vec<Vec<u64>>,
    window: Window,
}

/// All datasets of a file with their names: one called `stem`, or several named after their blocks.
/// The limit on blocks is that on objects.
pub(crate) fn open_blocks(
    source: &dyn Source,
    path: &Path,
    stem: &str,
    limits: &Limits,
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
            check_count(path, "blocks", places.len() as u64, ("objects", limits.objects))?;
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
                let sums = sums(&list[..point_counts.len()]);
                // A sum that a u64 cannot count is its highest value.
                if sums.last() == Some(&u64::MAX) {
                    let place = format!("{group}/{place}");
                    return Err(RecordingError::invalid(path, place, "a sum of 2^64 or more", "counts"));
                }
                Ok(sums)
            });
            lists.collect()
        };
        let (cells_before, ids_before) = (per_part("NumberOfCells")?, per_part("NumberOfConnectivityIds")?);
        let times = read_times(source, path, group)?;
        let steps = Steps::read(&counts, times.as_ref().map(Vec::len), categories.len(), point_counts.len())?;
        let block = Self {
            path: path.to_path_buf(),
            group: group.to_string(),
            object: object.to_string(),
            block_type,
            steps,
            times,
            points_before: sums(&point_counts),
            cells_before,
            ids_before,
            window: Window::open(source, path, &format!("{group}/Points"))?,
        };
        block.check_points()?;
        block.charge_cells(source, 0)?;
        Ok(block)
    }

    /// The number of steps; 1 for a dataset without time.
    pub(crate) fn step_count(&self) -> usize {
        self.steps.count()
    }

    /// Seconds per step, or `None` for a dataset without time.
    pub(crate) fn times(&self) -> Option<&[f64]> {
        self.times.as_deref()
    }

    /// Whether two steps read their cells from the same place.
    pub(crate) fn shares_cells(&self, first: usize, second: usize) -> bool {
        let ranges = |step| (0..self.cells_before.len()).map(move |category| self.cell_range(step, category));
        let parts = |step| {
            let (first, end) = self.steps.parts(step);
            (first, end - first)
        };
        let ((first_part, count), (second_part, second_count)) = (parts(first), parts(second));
        let same_counts = |before: &[u64]| {
            let (first, second) =
                (&before[first_part..=first_part + count], &before[second_part..=second_part + count]);
            first.iter().zip(second).all(|(a, b)| a - first[0] == b - second[0])
        };
        count == second_count
            && ranges(first).eq(ranges(second))
            && (first_part == second_part
                || count == 1
                || [&self.points_before]
                    .into_iter()
                    .chain(&self.cells_before)
                    .chain(&self.ids_before)
                    .all(|before| same_counts(before)))
    }

    /// Notes that the cells of a step are read. Errors: the file makes too much of its bytes.
    pub(crate) fn charge_cells(&self, source: &dyn Source, step: usize) -> Result<(), RecordingError> {
        let (first, end) = self.steps.parts(step);
        let parts = (end - first) as u64;
        let numbers = (0..self.cells_before.len()).map(|category| {
            let range = self.cell_range(step, category);
            range.cells.saturating_mul(2).saturating_add(range.ids)
        });
        let numbers = numbers.fold(parts, u64::saturating_add);
        let charged = source.charge(numbers.saturating_mul(8));
        charged.map_err(|reason| RecordingError::hdf5(&self.path, &format!("{}, cells", self.group), reason))
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

    /// Number of points before each part of a step, from the first of the step on, and of all its parts.
    pub(super) fn part_points(&self, step: usize) -> &[u64] {
        let (first, end) = self.steps.parts(step);
        &self.points_before[first..=end]
    }

    /// Number of cells and of point ids before each part of a step, likewise.
    pub(super) fn part_cells(&self, step: usize, category: usize) -> (&[u64], &[u64]) {
        let (first, end) = self.steps.parts(step);
        (&self.cells_before[category][first..=end], &self.ids_before[category][first..=end])
    }

    /// The location of the cells of one category of a step.
    pub(super) fn cell_range(&self, step: usize, category: usize) -> CellRange {
        let (first, end) = self.steps.parts(step);
        let (cells, ids) = (&self.cells_before[category], &self.ids_before[category]);
        let cell = self.steps.cell_offset(step, category);
        CellRange {
            cell,
            cells: cells[end] - cells[first],
            offset: cell.saturating_add(self.parts_before(first, cell, category)),
            id: self.steps.id_offset(step, category),
            ids: ids[end] - ids[first],
        }
    }

    /// How many parts have rows in `Offsets` before those of a step whose first part is `first`, and whose first cell is
    /// `cell`. All parts before it, if their cells are stored one after another. Otherwise parts share cells: VTK's reader
    /// then counts the parts until their cells reach `cell`, in PolyData alone.
    fn parts_before(&self, first: usize, cell: u64, category: usize) -> u64 {
        let cells = &self.cells_before[category];
        if cells[first] == cell || self.block_type == BlockType::UnstructuredGrid {
            return first as u64;
        }
        cells[..first].partition_point(|&before| before < cell) as u64
    }

    fn point_range(&self, step: usize) -> (u64, u64) {
        let before = self.part_points(step);
        (self.steps.point_offset(step), before[before.len() - 1] - before[0])
    }

    /// Rejects steps whose points are not in the file, and more points than an id can count.
    fn check_points(&self) -> Result<(), RecordingError> {
        // A sum that a u64 cannot count is its highest value.
        let countable = self.points_before.last().is_some_and(|&all| all < u64::MAX);
        for step in 0..self.steps.count() {
            let (start, count) = self.point_range(step);
            let fits = countable && count < u64::from(u32::MAX);
            if !fits || start.checked_add(count).is_none_or(|end| end > self.window.rows()) {
                let place = format!("{}/Points, step {step}", self.group);
                let found = format!("{} rows", self.window.rows());
                let count = if countable { count.to_string() } else { "2^64 or more".to_string() };
                let wanted = format!("{count} points from row {start} on, below 2^32");
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
