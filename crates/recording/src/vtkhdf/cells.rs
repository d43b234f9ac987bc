//! The cells of one step of a VTKHDF dataset, as a [`Topology`].

use super::block::{Block, BlockType};
use super::cell_range::CellRange;
use crate::container::Source;
use crate::error::RecordingError;
use crate::session::Topology;

/// What a cell is, told by its category or its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellKind {
    Vertex,
    Line,
    Triangle,
    Tetrahedron,
}

/// Cells found so far, of one kind only.
struct Found<'a> {
    block: &'a Block,
    step: usize,
    vertices: bool,
    topology: Option<Topology>,
    /// Cells read so far, to name one in a message.
    cell: usize,
}

impl Block {
    /// The cells of a step; where it has none, no cells of `kind`.
    pub(crate) fn topology(
        &self,
        source: &dyn Source,
        step: usize,
        kind: &str,
    ) -> Result<Topology, RecordingError> {
        Ok(read(self, source, step)?.unwrap_or_else(|| Topology::empty(kind)))
    }
}

/// Reads the cells of a step and checks that they are of one kind that palpate has, with point ids in range; `None` if
/// there are no cells.
fn read(block: &Block, source: &dyn Source, step: usize) -> Result<Option<Topology>, RecordingError> {
    let mut found = Found { block, step, vertices: false, topology: None, cell: 0 };
    match block.block_type {
        BlockType::PolyData => {
            // Part by part, as VTK puts the parts together.
            let categories: Vec<Option<Arrays>> = (0..super::CATEGORIES.len())
                .map(|category| found.poly_data(source, category))
                .collect::<Result<_, _>>()?;
            for part in 0..block.part_points(step).len() - 1 {
                for (category, arrays) in categories.iter().enumerate() {
                    if let Some(arrays) = arrays {
                        found.poly_cells(arrays, category, part)?;
                    }
                }
            }
        }
        BlockType::UnstructuredGrid => found.unstructured_grid(source)?,
    }
    Ok(found.topology.or(found.vertices.then_some(Topology::Points)))
}

/// The arrays of one category of a step.
struct Arrays {
    offsets: Vec<i64>,
    ids: Vec<i64>,
    types: Vec<i64>,
}

impl Found<'_> {
    fn poly_data(&self, source: &dyn Source, category: usize) -> Result<Option<Arrays>, RecordingError> {
        let range = self.block.cell_range(self.step, category);
        if range.cells == 0 {
            return Ok(None);
        }
        let name = super::CATEGORIES[category];
        if name == "Strips" {
            return Err(self.unsupported("a triangle strip".to_string()));
        }
        let group = format!("{}/{name}", self.block.group);
        self.arrays(source, &group, category, range).map(Some)
    }

    fn poly_cells(&mut self, arrays: &Arrays, category: usize, part: usize) -> Result<(), RecordingError> {
        let kind = match super::CATEGORIES[category] {
            "Vertices" => CellKind::Vertex,
            "Lines" => CellKind::Line,
            _ => CellKind::Triangle,
        };
        let mut corners = Vec::new();
        for cell in self.cells(category, part) {
            self.corners(arrays, (category, part), cell, &mut corners)?;
            match (kind, corners.len()) {
                (CellKind::Triangle, n) if n != 3 => {
                    return Err(self.unsupported(format!("a polygon of {n} corners")));
                }
                _ => self.push(kind, &corners)?,
            }
        }
        Ok(())
    }

    fn unstructured_grid(&mut self, source: &dyn Source) -> Result<(), RecordingError> {
        let range = self.block.cell_range(self.step, 0);
        if range.cells == 0 {
            return Ok(());
        }
        let mut arrays = self.arrays(source, &self.block.group, 0, range)?;
        let place = format!("{}/Types", self.block.group);
        source
            .integers(&place, range.cell, range.cells, &mut arrays.types)
            .map_err(|reason| RecordingError::hdf5(&self.block.path, &place, reason))?;
        let mut corners = Vec::new();
        for part in 0..self.block.part_points(self.step).len() - 1 {
            for cell in self.cells(0, part) {
                self.corners(&arrays, (0, part), cell, &mut corners)?;
                // Numbers of vtkCellType.h.
                let kind = match (arrays.types[cell], corners.len()) {
                    (1, 1) | (2, _) => CellKind::Vertex,
                    (3, 2) | (4, _) => CellKind::Line,
                    (5 | 7, 3) => CellKind::Triangle,
                    (10, 4) => CellKind::Tetrahedron,
                    (cell_type, n) => return Err(self.unsupported(describe(cell_type, n))),
                };
                self.push(kind, &corners)?;
            }
        }
        Ok(())
    }

    /// The cells of a part, counted over the step.
    fn cells(&self, category: usize, part: usize) -> std::ops::Range<usize> {
        let (cells, _) = self.block.part_cells(self.step, category);
        (cells[part] - cells[0]) as usize..(cells[part + 1] - cells[0]) as usize
    }

    /// Offsets and point ids of all parts; the offsets of each are ascending and stay within its ids.
    fn arrays(
        &self,
        source: &dyn Source,
        group: &str,
        category: usize,
        range: CellRange,
    ) -> Result<Arrays, RecordingError> {
        let path = &self.block.path;
        let read = |name: &str, start, count| {
            let place = format!("{group}/{name}");
            let mut values = Vec::new();
            let read = source.integers(&place, start, count, &mut values);
            read.map(|()| values).map_err(|reason| RecordingError::hdf5(path, &place, reason))
        };
        let (cells, ids) = self.block.part_cells(self.step, category);
        // Parts without cells at the end may have no row.
        let parts = cells.partition_point(|&before| before < cells[cells.len() - 1]) as u64;
        let offsets = read("Offsets", range.offset, range.cells.saturating_add(parts))?;
        let found = Arrays { offsets, ids: read("Connectivity", range.id, range.ids)?, types: Vec::new() };
        for part in 0..parts as usize {
            let cells = self.cells(category, part);
            if cells.is_empty() {
                continue;
            }
            let offsets = &found.offsets[cells.start + part..=cells.end + part];
            let (first, last) = (offsets[0], offsets[offsets.len() - 1]);
            let most = ids[part + 1] - ids[part];
            if first != 0 || last < 0 || last as u64 > most || !offsets.is_sorted() {
                let found = format!("offsets from {first} to {last}");
                let wanted = format!("offsets that rise from 0 to {most}");
                return Err(RecordingError::invalid(path, format!("{group}/Offsets"), found, wanted));
            }
        }
        Ok(found)
    }

    /// The point ids of one cell of the step, numbered over all its parts, replacing `out`.
    fn corners(
        &self,
        arrays: &Arrays,
        (category, part): (usize, usize),
        cell: usize,
        out: &mut Vec<u32>,
    ) -> Result<(), RecordingError> {
        let before = self.block.part_points(self.step);
        let (base, points) = (before[part] - before[0], before[part + 1] - before[part]);
        let (_, ids) = self.block.part_cells(self.step, category);
        let first = (ids[part] - ids[0]) as usize;
        // In range by `arrays`.
        let corners = &arrays.offsets[cell + part..=cell + part + 1];
        let ids = &arrays.ids[first + corners[0] as usize..first + corners[1] as usize];
        out.clear();
        for &id in ids {
            match u64::try_from(id) {
                // The number of points of a step fits an id by `Block::open`.
                Ok(inside) if inside < points => out.push((inside + base) as u32),
                _ => {
                    return Err(RecordingError::IndexOutOfRange {
                        path: self.block.path.clone(),
                        object: self.block.object.clone(),
                        frame: self.step,
                        cell: self.cell,
                        index: id,
                        points: points as usize,
                    });
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, kind: CellKind, ids: &[u32]) -> Result<(), RecordingError> {
        if kind == CellKind::Vertex {
            if self.topology.is_some() {
                return Err(self.mixed());
            }
            self.vertices = true;
            self.cell += 1;
            return Ok(());
        }
        let empty = match kind {
            CellKind::Line => Topology::Lines(Vec::new()),
            CellKind::Triangle => Topology::Triangles(Vec::new()),
            _ => Topology::Tetrahedra(Vec::new()),
        };
        match (self.topology.get_or_insert(empty), kind) {
            _ if self.vertices => return Err(self.mixed()),
            (Topology::Lines(lines), CellKind::Line) => {
                if ids.len() < 2 {
                    return Err(self.unsupported(format!("a line of {} points", ids.len())));
                }
                lines.extend(ids.windows(2).map(|pair| [pair[0], pair[1]]));
            }
            (Topology::Triangles(triangles), CellKind::Triangle) => triangles.extend(ids.as_chunks().0),
            (Topology::Tetrahedra(tetrahedra), CellKind::Tetrahedron) => tetrahedra.extend(ids.as_chunks().0),
            _ => return Err(self.mixed()),
        }
        self.cell += 1;
        Ok(())
    }

    fn mixed(&self) -> RecordingError {
        self.unsupported("a cell of another kind than those before it".to_string())
    }

    fn unsupported(&self, found: String) -> RecordingError {
        let (path, object) = (self.block.path.clone(), self.block.object.clone());
        RecordingError::UnsupportedCell { path, object, cell: self.cell, found }
    }
}

/// A description of a VTK cell type.
fn describe(cell_type: i64, points: usize) -> String {
    let name = match cell_type {
        6 => "triangle strip",
        7 => "polygon",
        8 => "pixel",
        9 => "quad",
        11 => "voxel",
        12 => "hexahedron",
        13 => "wedge",
        14 => "pyramid",
        21 => "quadratic edge",
        22 => "quadratic triangle",
        24 => "quadratic tetrahedron",
        42 => "polyhedron",
        _ => return format!("cell type {cell_type} with {points} points"),
    };
    format!("cell type {cell_type} ({name}) with {points} points")
}
