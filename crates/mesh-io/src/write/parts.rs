//! A mesh as the lists that a file holds.

use crate::Mesh;
use palpate_contact::NONE;
use palpate_math::Point;
use std::borrow::Cow;

/// The points and the cells of a mesh, without those that were removed; two of the lists are empty.
pub(super) struct Parts<'a> {
    /// What the cells are, for messages.
    pub(super) name: &'static str,
    pub(super) positions: &'a [Point],
    pub(super) lines: Cow<'a, [[u32; 2]]>,
    pub(super) triangles: Cow<'a, [[u32; 3]]>,
    pub(super) tetrahedra: Cow<'a, [[u32; 4]]>,
    /// Cells that were removed from the mesh.
    pub(super) removed: usize,
}

impl<'a> Parts<'a> {
    pub(super) fn of(mesh: &'a Mesh) -> Self {
        let (positions, name) = match mesh {
            Mesh::Lines(mesh) => (mesh.points().positions(), "lines"),
            Mesh::Surface(mesh) => (mesh.points().positions(), "triangles"),
            Mesh::Tetra(mesh) => (mesh.points().positions(), "tetrahedra"),
        };
        let mut parts = Self {
            name,
            positions,
            lines: Cow::Borrowed(&[]),
            triangles: Cow::Borrowed(&[]),
            tetrahedra: Cow::Borrowed(&[]),
            removed: 0,
        };
        match mesh {
            Mesh::Lines(mesh) => (parts.lines, parts.removed) = left(mesh.cells()),
            Mesh::Surface(mesh) => (parts.triangles, parts.removed) = left(mesh.triangles()),
            Mesh::Tetra(mesh) => (parts.tetrahedra, parts.removed) = left(mesh.cells()),
        }
        parts
    }

    pub(super) fn cell_count(&self) -> usize {
        self.lines.len() + self.triangles.len() + self.tetrahedra.len()
    }
}

/// The cells that were not removed, in order, and the number of the others.
fn left<const N: usize>(cells: &[[u32; N]]) -> (Cow<'_, [[u32; N]]>, usize) {
    let is_left = |ids: &&[u32; N]| ids[0] != NONE;
    let removed = cells.len() - cells.iter().filter(is_left).count();
    if removed == 0 {
        return (Cow::Borrowed(cells), 0);
    }
    (Cow::Owned(cells.iter().filter(is_left).copied().collect()), removed)
}
