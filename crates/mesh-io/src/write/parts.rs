//! A mesh as the lists that a file holds.

use crate::Mesh;
use palpate_math::Point;

/// The points and the cells of a mesh; two of the lists are empty.
pub(super) struct Parts<'a> {
    pub(super) positions: &'a [Point],
    pub(super) lines: &'a [[u32; 2]],
    pub(super) triangles: &'a [[u32; 3]],
    pub(super) tetrahedra: &'a [[u32; 4]],
}

impl<'a> Parts<'a> {
    pub(super) fn of(mesh: &'a Mesh) -> Self {
        let empty = Self { positions: &[], lines: &[], triangles: &[], tetrahedra: &[] };
        match mesh {
            Mesh::Lines(mesh) => Self { positions: mesh.points().positions(), lines: mesh.cells(), ..empty },
            Mesh::Surface(mesh) => {
                Self { positions: mesh.points().positions(), triangles: mesh.triangles(), ..empty }
            }
            Mesh::Tetra(mesh) => {
                Self { positions: mesh.points().positions(), tetrahedra: mesh.cells(), ..empty }
            }
        }
    }

    pub(super) fn name(&self) -> &'static str {
        if !self.tetrahedra.is_empty() {
            "tetrahedra"
        } else if !self.lines.is_empty() {
            "lines"
        } else {
            "triangles"
        }
    }
}
