//! Writing one VTKHDF dataset step by step: cells once per topology, points once per step in which they move.

use super::CATEGORIES;
use crate::container::{Chunking, Element, Outcome, Sink, Stream};
use crate::session::Topology;

/// Bytes of points per chunk: large enough to compress well, small enough that reading one frame decompresses few
/// others.
const CHUNK_BYTES: usize = 128 << 10;

/// The floating-point type in which points are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// f32: for display only.
    Single,
    /// f64: read back to the last bit.
    Double,
}

/// Writes one dataset. Its group must exist.
pub(crate) struct BlockWriter {
    group: String,
    /// Index into [`CATEGORIES`]; `None` for an UnstructuredGrid.
    category: Option<usize>,
    numbers: Numbers,
    points: Stream,
    offsets: Stream,
    connectivity: Stream,
    types: Option<Stream>,
    parts: Vec<Part>,
    /// Number of cells and ids in all parts before the last.
    before: (u64, u64),
    steps: Vec<Step>,
    rows: u64,
    /// The points of the last step, as stored.
    last: Vec<u8>,
    next: Vec<u8>,
}

/// Counts of one part.
#[derive(Clone, Copy, Debug)]
struct Part {
    points: u64,
    cells: u64,
    ids: u64,
}

/// The location of one step.
#[derive(Clone, Copy, Debug)]
struct Step {
    part: u64,
    point_offset: u64,
    cell_offset: u64,
    id_offset: u64,
}

/// Marks a group as a VTKHDF dataset of a type; `index` is its number among blocks.
pub(crate) fn root_attributes(
    sink: &mut dyn Sink,
    group: &str,
    vtk_type: &str,
    index: Option<i64>,
) -> Outcome<()> {
    sink.integer_attribute(group, "Version", &[2, 3])?;
    sink.text_attribute(group, "Type", vtk_type)?;
    match index {
        Some(index) => sink.integer_attribute(group, "Index", &[index]),
        None => Ok(()),
    }
}

/// Writes the group `Steps` with the times: all that the root of a composite needs.
pub(crate) fn write_steps(sink: &mut dyn Sink, group: &str, times: &[f64]) -> Outcome<()> {
    let steps = format!("{group}/Steps");
    sink.group(&steps)?;
    sink.integer_attribute(&steps, "NSteps", &[times.len() as i64])?;
    sink.dataset(
        &format!("{steps}/Values"),
        &Element::F64,
        &[times.len() as u64],
        bytemuck::cast_slice(times),
    )
}

impl BlockWriter {
    /// Starts a dataset in `group` with cells of the type of `topology`. Chunks are sized for steps of `points`
    /// points each, and at most `steps` of them; `level` is deflate's.
    pub(crate) fn new(
        sink: &mut dyn Sink,
        group: &str,
        topology: &Topology,
        (points, steps): (usize, usize),
        numbers: Numbers,
        level: u32,
    ) -> Outcome<Self> {
        let (category, cells) = match topology {
            Topology::None | Topology::Points => (Some(0), format!("{group}/{}", CATEGORIES[0])),
            Topology::Lines(_) => (Some(1), format!("{group}/{}", CATEGORIES[1])),
            Topology::Triangles(_) => (Some(2), format!("{group}/{}", CATEGORIES[2])),
            Topology::Tetrahedra(_) => (None, group.to_string()),
        };
        if category.is_some() {
            for category in CATEGORIES {
                sink.group(&format!("{group}/{category}"))?;
            }
        }
        let (element, size) = match numbers {
            Numbers::Single => (Element::F32, 4),
            Numbers::Double => (Element::F64, 8),
        };
        let frame_rows = points.max(1) as u64;
        let frames = (CHUNK_BYTES as u64 / (frame_rows * 3 * size)).clamp(1, steps.max(1) as u64);
        let chunking = Chunking { rows: frame_rows * frames, level };
        let points = sink.stream(&format!("{group}/Points"), &element, &[3], chunking)?;
        let ids = (topology.indices().len().max(points.0) as u64).clamp(8, CHUNK_BYTES as u64 / 8);
        let mut column = |name: &str, element| {
            sink.stream(&format!("{cells}/{name}"), element, &[], Chunking { rows: ids, level })
        };
        let offsets = column("Offsets", &Element::I64)?;
        let connectivity = column("Connectivity", &Element::I64)?;
        let types = if category.is_none() { Some(column("Types", &Element::U8)?) } else { None };
        Ok(Self {
            group: group.to_string(),
            category,
            numbers,
            points,
            offsets,
            connectivity,
            types,
            parts: Vec::new(),
            before: (0, 0),
            steps: Vec::new(),
            rows: 0,
            last: Vec::new(),
            next: Vec::new(),
        })
    }

    /// Writes a step. `topology` is given for the first step, and whenever cells or the number of points change.
    pub(crate) fn step(
        &mut self,
        sink: &mut dyn Sink,
        coordinates: &[f64],
        topology: Option<&Topology>,
    ) -> Outcome<()> {
        let points = coordinates.len() as u64 / 3;
        if let Some(topology) = topology {
            self.part(sink, points, topology)?;
        }
        self.next.clear();
        match self.numbers {
            Numbers::Double => self.next.extend_from_slice(bytemuck::cast_slice(coordinates)),
            Numbers::Single => {
                self.next.extend(coordinates.iter().flat_map(|&value| (value as f32).to_le_bytes()));
            }
        }
        let part = self.parts.len().saturating_sub(1);
        let (cell_offset, id_offset) = self.before;
        let moved = self.steps.is_empty() || self.next != self.last;
        let point_offset = if moved { self.rows } else { self.rows - points };
        self.steps.push(Step { part: part as u64, point_offset, cell_offset, id_offset });
        if moved {
            sink.append(self.points, &self.next)?;
            self.rows += points;
            std::mem::swap(&mut self.last, &mut self.next);
        }
        Ok(())
    }

    /// Writes the data known only at the end; `times` has one entry per step.
    pub(crate) fn finish(self, sink: &mut dyn Sink, times: &[f64]) -> Outcome<()> {
        let group = &self.group;
        let parts = |select: fn(&Part) -> u64| -> Vec<i64> {
            self.parts.iter().map(|part| select(part) as i64).collect()
        };
        write_integers(sink, &format!("{group}/NumberOfPoints"), 1, &parts(|part| part.points))?;
        let (cells, ids) = (parts(|part| part.cells), parts(|part| part.ids));
        match self.category {
            None => {
                write_integers(sink, &format!("{group}/NumberOfCells"), 1, &cells)?;
                write_integers(sink, &format!("{group}/NumberOfConnectivityIds"), 1, &ids)?;
            }
            Some(own) => {
                let none = vec![0; self.parts.len()];
                for (category, name) in CATEGORIES.iter().enumerate() {
                    let place = format!("{group}/{name}");
                    let (cells, ids) = if category == own { (&cells, &ids) } else { (&none, &none) };
                    write_integers(sink, &format!("{place}/NumberOfCells"), 1, cells)?;
                    write_integers(sink, &format!("{place}/NumberOfConnectivityIds"), 1, ids)?;
                    if category != own {
                        write_integers(sink, &format!("{place}/Offsets"), 1, &none)?;
                        write_integers(sink, &format!("{place}/Connectivity"), 1, &[])?;
                    }
                }
            }
        }
        self.write_step_offsets(sink, times)
    }

    fn part(&mut self, sink: &mut dyn Sink, points: u64, topology: &Topology) -> Outcome<()> {
        let vertices: Vec<u32>;
        let (indices, size) = match topology {
            // One vertex per point, so that points without cells are visible.
            Topology::None | Topology::Points => {
                vertices = (0..points as u32).collect();
                (vertices.as_slice(), 1)
            }
            _ => (topology.indices(), topology.points_per_cell()),
        };
        let cells = indices.len() / size;
        let offsets: Vec<i64> = (0..=cells).map(|cell| (cell * size) as i64).collect();
        let connectivity: Vec<i64> = indices.iter().map(|&index| i64::from(index)).collect();
        sink.append(self.offsets, bytemuck::cast_slice(&offsets))?;
        sink.append(self.connectivity, bytemuck::cast_slice(&connectivity))?;
        if let Some(types) = self.types {
            // VTK_TETRA: the only cells that are not PolyData.
            sink.append(types, &vec![10; cells])?;
        }
        if let Some(last) = self.parts.last() {
            self.before = (self.before.0 + last.cells, self.before.1 + last.ids);
        }
        self.parts.push(Part { points, cells: cells as u64, ids: indices.len() as u64 });
        Ok(())
    }

    fn write_step_offsets(&self, sink: &mut dyn Sink, times: &[f64]) -> Outcome<()> {
        write_steps(sink, &self.group, times)?;
        let steps = format!("{}/Steps", self.group);
        let column = |select: fn(&Step) -> u64| -> Vec<i64> {
            self.steps.iter().map(|step| select(step) as i64).collect()
        };
        write_integers(sink, &format!("{steps}/PartOffsets"), 1, &column(|step| step.part))?;
        write_integers(sink, &format!("{steps}/NumberOfParts"), 1, &column(|_| 1))?;
        write_integers(sink, &format!("{steps}/PointOffsets"), 1, &column(|step| step.point_offset))?;
        let cells = [
            ("CellOffsets", column(|step| step.cell_offset)),
            ("ConnectivityIdOffsets", column(|step| step.id_offset)),
        ];
        for (name, offsets) in cells {
            let place = format!("{steps}/{name}");
            match self.category {
                None => write_integers(sink, &place, 1, &offsets)?,
                Some(own) => {
                    let mut rows = vec![0; offsets.len() * CATEGORIES.len()];
                    for (row, offset) in rows.chunks_mut(CATEGORIES.len()).zip(offsets) {
                        row[own] = offset;
                    }
                    write_integers(sink, &place, CATEGORIES.len() as u64, &rows)?;
                }
            }
        }
        Ok(())
    }
}

/// Writes an array of integers, `width` per row.
pub(crate) fn write_integers(sink: &mut dyn Sink, path: &str, width: u64, values: &[i64]) -> Outcome<()> {
    let rows = values.len() as u64 / width;
    let dimensions = if width == 1 { vec![rows] } else { vec![rows, width] };
    sink.dataset(path, &Element::I64, &dimensions, bytemuck::cast_slice(values))
}
