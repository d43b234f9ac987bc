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
    let mut base = 0;
    for (part, &points) in block.part_points(step).iter().enumerate() {
        match block.block_type {
            BlockType::PolyData => {
                for category in 0..super::CATEGORIES.len() {
                    found.poly_data(source, part, category, base, points)?;
                }
            }
            BlockType::UnstructuredGrid => found.unstructured_grid(source, part, base, points)?,
        }
        base += points;
    }
    Ok(found.topology.or(found.vertices.then_some(Topology::Points)))
}

impl Found<'_> {
    fn poly_data(
        &mut self,
        source: &dyn Source,
        part: usize,
        category: usize,
        base: u64,
        points: u64,
    ) -> Result<(), RecordingError> {
        let range = self.block.cell_range(self.step, part, category);
        if range.cells == 0 {
            return Ok(());
        }
        let name = super::CATEGORIES[category];
        let kind = match name {
            "Vertices" => CellKind::Vertex,
            "Lines" => CellKind::Line,
            "Polygons" => CellKind::Triangle,
            _ => return Err(self.unsupported("a triangle strip".to_string())),
        };
        let group = format!("{}/{name}", self.block.group);
        let (offsets, ids) = self.arrays(source, &group, range)?;
        for corners in offsets.windows(2) {
            let ids = self.corners(&ids, corners, base, points)?;
            match (kind, ids.len()) {
                (CellKind::Triangle, n) if n != 3 => {
                    return Err(self.unsupported(format!("a polygon of {n} corners")));
                }
                _ => self.push(kind, &ids)?,
            }
        }
        Ok(())
    }

    fn unstructured_grid(
        &mut self,
        source: &dyn Source,
        part: usize,
        base: u64,
        points: u64,
    ) -> Result<(), RecordingError> {
        let range = self.block.cell_range(self.step, part, 0);
        let (offsets, ids) = self.arrays(source, &self.block.group, range)?;
        let place = format!("{}/Types", self.block.group);
        let mut types = Vec::new();
        source
            .integers(&place, range.cell, range.cells, &mut types)
            .map_err(|reason| RecordingError::hdf5(&self.block.path, &place, reason))?;
        for (&cell_type, corners) in types.iter().zip(offsets.windows(2)) {
            let ids = self.corners(&ids, corners, base, points)?;
            // Numbers of vtkCellType.h.
            let kind = match (cell_type, ids.len()) {
                (1, 1) | (2, _) => CellKind::Vertex,
                (3, 2) | (4, _) => CellKind::Line,
                (5 | 7, 3) => CellKind::Triangle,
                (10, 4) => CellKind::Tetrahedron,
                (_, n) => return Err(self.unsupported(describe(cell_type, n))),
            };
            self.push(kind, &ids)?;
        }
        Ok(())
    }

    /// Offsets and point ids of a part; the offsets are ascending and stay within the ids.
    fn arrays(
        &self,
        source: &dyn Source,
        group: &str,
        range: CellRange,
    ) -> Result<(Vec<i64>, Vec<i64>), RecordingError> {
        let path = &self.block.path;
        let read = |name: &str, start, count| {
            let place = format!("{group}/{name}");
            let mut values = Vec::new();
            let read = source.integers(&place, start, count, &mut values);
            read.map(|()| values).map_err(|reason| RecordingError::hdf5(path, &place, reason))
        };
        if range.cells == 0 {
            return Ok((Vec::new(), Vec::new()));
        }
        let offsets = read("Offsets", range.offset, range.cells.saturating_add(1))?;
        let ids = read("Connectivity", range.id, range.ids)?;
        let rises = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
        let (first, last) = (offsets.first().copied(), offsets.last().copied());
        if first != Some(0) || last.is_none_or(|last| last < 0 || last as u64 > range.ids) || !rises {
            let found = format!("offsets from {first:?} to {last:?}");
            let wanted = format!("offsets that rise from 0 to {}", range.ids);
            return Err(RecordingError::invalid(path, format!("{group}/Offsets"), found, wanted));
        }
        Ok((offsets, ids))
    }

    /// The point ids of one cell, numbered over all parts.
    fn corners(
        &self,
        ids: &[i64],
        corners: &[i64],
        base: u64,
        points: u64,
    ) -> Result<Vec<u32>, RecordingError> {
        // In range by `arrays`.
        let ids = &ids[corners[0] as usize..corners[1] as usize];
        let checked = ids.iter().map(|&id| match u64::try_from(id) {
            // The number of points of a step fits an id by `Block::open`.
            Ok(inside) if inside < points => Ok((inside + base) as u32),
            _ => Err(RecordingError::IndexOutOfRange {
                path: self.block.path.clone(),
                object: self.block.object.clone(),
                frame: self.step,
                cell: self.cell,
                index: id,
                points: points as usize,
            }),
        });
        checked.collect()
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
