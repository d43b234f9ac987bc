//! Cutting of surface meshes.

use super::cut::{self, CellMap};
use crate::cells::is_tombstone;
use crate::derived::Adjacency;
use crate::validate::cells_in_range;
use crate::{GeometryError, SurfaceMesh};
use palpate_contact::NONE;
use palpate_math::Point;
use std::ops::Range;

impl SurfaceMesh {
    /// Whether a triangle was removed. Its vertices are [`NONE`]; numbers beyond the last count as removed.
    pub fn is_removed(&self, triangle: u32) -> bool {
        self.triangles.get(triangle as usize).is_none_or(is_tombstone)
    }

    /// Whether any triangle was removed since the mesh was made or [compacted](Self::compact).
    pub fn is_cut(&self) -> bool {
        self.triangles.iter().any(is_tombstone)
    }

    /// The numbers of the removed triangles, ascending.
    pub fn removed_cells(&self) -> Vec<u32> {
        cut::removed(&self.triangles)
    }

    /// Removes triangles; the other triangles, and the edges that are left, keep their numbers. A surface that is closed by
    /// its edges becomes an open one, a sheet; one [declared](Self::with_closed) closed stays a solid, whose inside is found
    /// by winding numbers. Errors: a triangle that is not there or is named twice; then nothing is changed.
    ///
    /// Cost: in proportion to the change, but for one light pass that finds the connected parts.
    pub fn remove_cells(&mut self, removed: &[u32]) -> Result<(), GeometryError> {
        let removed = cut::checked(&self.triangles, removed)?;
        self.change(&removed, &[], &[]).map(|_| ())
    }

    /// Adds vertices at `positions` (world frame, metres), then triangles (vertex ids, also new ones; counter-clockwise seen
    /// from outside). Returns the numbers of the triangles. Errors: a coordinate that is not finite, a vertex id out of
    /// range; then nothing is changed.
    pub fn add_cells(
        &mut self,
        positions: &[Point],
        cells: &[[u32; 3]],
    ) -> Result<Range<u32>, GeometryError> {
        self.change(&[], positions, cells)
    }

    /// Replaces triangles by others: adds vertices at `positions` (world frame, metres), then `cells` (vertex ids, also new ones),
    /// and removes those at `removed`. Returns the numbers of the new triangles. Errors: a triangle that is not there or is
    /// named twice, a coordinate that is not finite, a vertex id out of range; then nothing is changed. Cost as
    /// [`remove_cells`](Self::remove_cells), once for all.
    pub fn replace_cells(
        &mut self,
        removed: &[u32],
        positions: &[Point],
        cells: &[[u32; 3]],
    ) -> Result<Range<u32>, GeometryError> {
        let removed = cut::checked(&self.triangles, removed)?;
        self.change(&removed, positions, cells)
    }

    /// Divides a triangle by a new vertex at `point`, in three. Returns their numbers. Errors: a triangle that is not there,
    /// a coordinate that is not finite; then nothing is changed.
    pub fn split_cell(&mut self, triangle: u32, point: &Point) -> Result<Range<u32>, GeometryError> {
        let removed = cut::checked(&self.triangles, &[triangle])?;
        let ([a, b, c], new) = (self.triangles[triangle as usize], self.points.len() as u32);
        self.change(&removed, &[*point], &[[a, b, new], [b, c, new], [c, a, new]])
    }

    /// Numbers the triangles and edges anew, without the removed ones, in the same order. The vertices keep their numbers.
    pub fn compact(&mut self) -> CellMap {
        let map = cut::compacted(&mut self.triangles);
        self.renumbered();
        map
    }

    /// Returns the mesh with the numbers of one that was cut: its triangles leave out the numbers `removed`, whose triangles count as
    /// removed. The inverse of [`compact`](Self::compact). Errors: a number beyond the last of all, or one that is named twice.
    pub fn with_removed(mut self, removed: &[u32]) -> Result<Self, GeometryError> {
        if removed.is_empty() {
            return Ok(self);
        }
        cut::spread(&mut self.triangles, removed)?;
        self.renumbered();
        Ok(self)
    }

    /// The numbers of the edges, which are in the ids of contacts: in the order of their first use by the triangles, in runs of a first
    /// number and how many follow, flat; a run of none at the end says how many there are with the removed ones. Empty for a
    /// mesh that has them in this order, as before it was cut.
    pub fn edge_numbers(&self) -> Vec<u32> {
        self.adjacency.edge_runs()
    }

    /// Returns a mesh that was just made with these [`edge_numbers`](Self::edge_numbers); unchanged if there are none. Errors: not as
    /// many as there are edges, one that is named twice, more than three times the triangles in all.
    pub fn with_edge_numbers(mut self, numbers: &[u32]) -> Result<Self, GeometryError> {
        if !numbers.is_empty() {
            self.adjacency.number_edges(numbers, 3 * self.triangles.len())?;
            self.points.version.rebuilt();
        }
        Ok(self)
    }

    /// Gives the triangles of a mesh that was just made other numbers out of `count`, with their ranks by these numbers.
    pub(super) fn number_triangles(&mut self, numbers: &[u32], count: usize, ranks: Vec<u32>) {
        let mut triangles = vec![[NONE; 3]; count];
        for (ids, &number) in self.triangles.iter().zip(numbers) {
            triangles[number as usize] = *ids;
        }
        self.triangles = triangles;
        self.adjacency.number_triangles(numbers, count, ranks);
        for vertex in 0..self.points.len() as u32 {
            let first = self.adjacency.corners_at(vertex).first();
            self.points.set_owner(vertex, first.map_or(NONE, |corner| corner / 3));
        }
        self.points.version.rebuilt();
    }

    /// What depends on the numbers of the triangles is made anew.
    fn renumbered(&mut self) {
        self.points.set_owners(&self.triangles);
        self.adjacency = Adjacency::new(&self.triangles);
        self.points.version.rebuilt();
        self.soundness.take();
    }

    pub(super) fn change(
        &mut self,
        removed: &[u32],
        positions: &[Point],
        added: &[[u32; 3]],
    ) -> Result<Range<u32>, GeometryError> {
        cells_in_range(added, self.points.len() + positions.len())?;
        let (before, first_new) = (self.points.version, self.triangles.len());
        self.points.add(positions)?;
        self.triangles.extend_from_slice(added);
        let touched = cut::touched(&self.triangles, removed, first_new);
        self.adjacency.cut(&self.triangles, removed, first_new);
        for vertex in touched {
            let lowest = self.adjacency.corners_at(vertex).first();
            self.points.set_owner(vertex, lowest.map_or(NONE, |corner| corner / 3));
        }
        for &triangle in removed {
            self.triangles[triangle as usize] = [NONE; 3];
        }
        if !self.is_declared {
            self.closed = self.adjacency.is_closed();
        }
        self.points.version.rebuilt();
        self.soundness.take();
        self.tree.cut((before, self.points.version), removed, &self.triangles, self.points.positions());
        Ok(first_new as u32..self.triangles.len() as u32)
    }
}
