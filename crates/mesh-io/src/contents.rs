//! The contents of a mesh file.

use crate::{Format, Mesh, MeshIoError, Part};
use palpate_geometry::{GeometryError, LineMesh, SurfaceMesh, TetraMesh};
use palpate_math::Point;
use std::collections::BTreeMap;
use std::ops::Range;

/// The contents of a mesh file: points, and cells of each kind, in file order. Lengths are in the unit of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    /// The name for messages.
    pub file: String,
    /// The format of the file.
    pub format: Format,
    /// The vertices: n × 3.
    pub positions: Vec<Point>,
    /// Segments, vertex ids: from lines and polylines.
    pub lines: Vec<[u32; 2]>,
    /// Triangles, vertex ids: from triangles, polygons and strips.
    pub triangles: Vec<[u32; 3]>,
    /// Tetrahedra, vertex ids.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Number of polygons with more than three corners, which were triangulated.
    pub split_polygons: usize,
    /// Hexahedra, wedges and pyramids, which were cut into tetrahedra: the number of each shape.
    pub cut_cells: BTreeMap<String, usize>,
    /// Curved cells, which were taken by their corners: the number of each shape.
    pub straightened: BTreeMap<String, usize>,
    /// Skipped cells: the number of each type.
    pub left_out: BTreeMap<String, usize>,
    /// The named parts, in the order of the file; those without cells are dropped.
    pub parts: Vec<Part>,
}

impl Contents {
    /// The mesh of the cells of highest dimension: tetrahedra, else triangles, else lines. Errors: as
    /// [`into_tetra`](Self::into_tetra).
    pub fn into_mesh(self) -> Result<Mesh, MeshIoError> {
        if !self.tetrahedra.is_empty() {
            self.into_tetra().map(Mesh::Tetra)
        } else if self.triangles.is_empty() && !self.lines.is_empty() {
            self.into_lines().map(Mesh::Lines)
        } else {
            self.into_surface().map(Mesh::Surface)
        }
    }

    /// The segments. Errors: there are none, or a coordinate is not finite.
    pub fn into_lines(self) -> Result<LineMesh, MeshIoError> {
        self.wanted(self.lines.is_empty(), "lines")?;
        let Self { file, positions, lines, .. } = self;
        LineMesh::new(positions, lines).map_err(named(file))
    }

    /// The triangles. Errors: there are none, or a coordinate is not finite.
    ///
    /// Meshes from files are often not sound: [`SurfaceMesh::examined`] chooses how to tell inside from outside.
    pub fn into_surface(self) -> Result<SurfaceMesh, MeshIoError> {
        self.wanted(self.triangles.is_empty(), "triangles")?;
        let Self { file, positions, triangles, .. } = self;
        SurfaceMesh::new(positions, triangles).map_err(named(file))
    }

    /// The tetrahedra. Errors: there are none, or a coordinate is not finite.
    pub fn into_tetra(self) -> Result<TetraMesh, MeshIoError> {
        self.wanted(self.tetrahedra.is_empty(), "tetrahedra")?;
        let Self { file, positions, tetrahedra, .. } = self;
        TetraMesh::new(positions, tetrahedra).map_err(named(file))
    }

    /// A summary of the contents: `507 points, 71 lines, 860 triangles, 1493 tetrahedra`.
    pub fn summary(&self) -> String {
        let counts = [
            (self.positions.len(), "points"),
            (self.lines.len(), "lines"),
            (self.triangles.len(), "triangles"),
            (self.tetrahedra.len(), "tetrahedra"),
        ];
        let mut words: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        words
            .extend(self.cut_cells.iter().map(|(sort, count)| format!("{count} {sort} cut into tetrahedra")));
        words.extend(
            self.straightened.iter().map(|(sort, count)| format!("{count} {sort} taken by their corners")),
        );
        words.extend(self.left_out.iter().map(|(sort, count)| format!("{count} {sort} left out")));
        if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
    }

    /// The part of that name alone: its cells in the order of the file, and the vertices that they have, numbered anew in
    /// ascending order. `None` if there is no such part.
    pub fn part(&self, name: &str) -> Option<Self> {
        let part = self.parts.iter().find(|part| part.name == name)?;
        let mut lines = picked(&self.lines, &part.lines);
        let mut triangles = picked(&self.triangles, &part.triangles);
        let mut tetrahedra = picked(&self.tetrahedra, &part.tetrahedra);
        let lists = [lines.as_flattened(), triangles.as_flattened(), tetrahedra.as_flattened()];
        let mut used: Vec<u32> = lists.concat();
        used.sort_unstable();
        used.dedup();
        let positions = used.iter().map(|&id| self.positions[id as usize]).collect();
        let renumber = |id: &mut u32| *id = used.binary_search(id).unwrap_or(0) as u32;
        lines.as_flattened_mut().iter_mut().for_each(renumber);
        triangles.as_flattened_mut().iter_mut().for_each(renumber);
        tetrahedra.as_flattened_mut().iter_mut().for_each(renumber);
        Some(Self {
            file: self.file.clone(),
            format: self.format,
            positions,
            lines,
            triangles,
            tetrahedra,
            split_polygons: 0,
            cut_cells: BTreeMap::new(),
            straightened: BTreeMap::new(),
            left_out: BTreeMap::new(),
            parts: Vec::new(),
        })
    }

    fn wanted(&self, missing: bool, wanted: &'static str) -> Result<(), MeshIoError> {
        if missing {
            return Err(MeshIoError::Missing { file: self.file.clone(), found: self.summary(), wanted });
        }
        Ok(())
    }
}

fn named(file: String) -> impl FnOnce(GeometryError) -> MeshIoError {
    |source| MeshIoError::Geometry { file, source }
}

fn picked<T: Copy>(cells: &[T], ranges: &[Range<usize>]) -> Vec<T> {
    ranges.iter().flat_map(|range| &cells[range.clone()]).copied().collect()
}
