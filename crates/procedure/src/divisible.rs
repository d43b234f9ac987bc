//! Meshes that a blade divides: the same steps for lines, surfaces and volumes.

use crate::ProcedureError;
use palpate_geometry::{GeometryError, LineMesh, SurfaceMesh, TetraMesh};
use palpate_math::nearest::{point_segment, point_tetrahedron, point_triangle};
use palpate_math::orient::orient3d;
use palpate_math::{Aabb, Point};
use std::ops::Range;

/// A mesh of cells of `N` vertices that a blade can divide.
pub trait Divisible<const N: usize> {
    /// Returns the cells, vertex ids; [`NONE`](palpate_contact::NONE) for removed ones.
    fn cells(&self) -> &[[u32; N]];

    /// Returns the vertices, world frame, metres.
    fn positions(&self) -> &[Point];

    /// Visits the cells whose boxes overlap a box, and perhaps others; `None` without a current tree.
    fn near(&self, bounds: &Aabb, visit: &mut dyn FnMut(u32)) -> Option<()>;

    /// Returns the corners of a cell that is there.
    fn corners(&self, cell: u32) -> [Point; N] {
        self.cells()[cell as usize].map(|id| self.positions()[id as usize])
    }

    /// Replaces cells as [`TetraMesh::replace_cells`].
    fn replace(
        &mut self,
        removed: &[u32],
        positions: &[Point],
        cells: &[[u32; N]],
    ) -> Result<Range<u32>, GeometryError>;
}

macro_rules! divisible {
    ($mesh:ty, $count:literal, $cells:ident) => {
        impl Divisible<$count> for $mesh {
            fn cells(&self) -> &[[u32; $count]] {
                self.$cells()
            }

            fn positions(&self) -> &[Point] {
                self.points().positions()
            }

            fn near(&self, bounds: &Aabb, visit: &mut dyn FnMut(u32)) -> Option<()> {
                self.tree()?.overlap(bounds, visit);
                Some(())
            }

            fn replace(
                &mut self,
                removed: &[u32],
                positions: &[Point],
                cells: &[[u32; $count]],
            ) -> Result<Range<u32>, GeometryError> {
                self.replace_cells(removed, positions, cells)
            }
        }
    };
}

divisible!(LineMesh, 2, cells);
divisible!(SurfaceMesh, 3, triangles);
divisible!(TetraMesh, 4, cells);

/// The error of a mesh without a current tree.
pub(crate) const NO_TREE: ProcedureError = ProcedureError::NotPrepared { what: "tree", needs: "Needs::TREE" };

/// The squared distance of a point from a cell, square metres.
pub(crate) fn distance_squared(corners: &[Point], point: &Point) -> f64 {
    match corners {
        [a, b] => point_segment(point, a, b).distance_squared,
        [a, b, c] => point_triangle(point, a, b, c).distance_squared,
        [a, b, c, d] => point_tetrahedron(point, [a, b, c, d]).distance_squared,
        _ => f64::INFINITY,
    }
}

/// Returns the length, the area or the volume of a cell, by its number of corners.
pub(crate) fn measure(corners: &[Point]) -> f64 {
    match corners {
        [a, b] => (b - a).norm(),
        [a, b, c] => 0.5 * (b - a).cross(&(c - a)).norm(),
        [a, b, c, d] => orient3d(a, b, c, d).abs() / 6.0,
        _ => 0.0,
    }
}

/// Whether a part of a cell is turned as the cell is: for a tetrahedron exactly.
pub(crate) fn is_turned_alike(whole: &[Point], part: &[Point]) -> bool {
    match (whole, part) {
        ([a, b, c, d], [p, q, r, s]) => {
            let [volume, of_part] = [orient3d(a, b, c, d), orient3d(p, q, r, s)];
            volume > 0.0 && of_part > 0.0 || volume < 0.0 && of_part < 0.0
        }
        ([a, b, c], [p, q, r]) => (b - a).cross(&(c - a)).dot(&(q - p).cross(&(r - p))) > 0.0,
        (_, part) => part.first() != part.last(),
    }
}

/// Whether a cell holds a point, for tetrahedra; cells without an inside hold none.
pub(crate) fn holds(corners: &[Point], point: &Point) -> bool {
    match corners {
        [a, b, c, d] => palpate_math::tetrahedron::contains([a, b, c, d], point),
        _ => false,
    }
}
