//! Cutting of line meshes.

use super::cut::{self, CellMap};
use crate::cells::is_tombstone;
use crate::validate::cells_in_range;
use crate::{GeometryError, LineMesh};
use palpate_contact::NONE;
use palpate_math::Point;
use std::ops::Range;

impl LineMesh {
    /// Whether a segment was removed. Its vertices are [`NONE`]; numbers beyond the last count as removed.
    pub fn is_removed(&self, cell: u32) -> bool {
        self.cells.get(cell as usize).is_none_or(is_tombstone)
    }

    /// Whether any segment was removed since the mesh was made or [compacted](Self::compact).
    pub fn is_cut(&self) -> bool {
        self.cells.iter().any(is_tombstone)
    }

    /// The numbers of the removed segments, ascending.
    pub fn removed_cells(&self) -> Vec<u32> {
        cut::removed(&self.cells)
    }

    /// Removes segments; the others keep their numbers. Errors: a segment that is not there or is named twice; then nothing
    /// is changed.
    ///
    /// Cost: in proportion to the change, and one pass over the mesh when it is first cut, unless it was prepared with
    /// [`Needs::CUTS`](crate::Needs::CUTS).
    pub fn remove_cells(&mut self, removed: &[u32]) -> Result<(), GeometryError> {
        let removed = cut::checked(&self.cells, removed)?;
        self.change(&removed, &[], &[]).map(|_| ())
    }

    /// Adds vertices at `positions` (world frame, metres), then segments (vertex ids, also new ones). Returns the numbers of
    /// the segments. Errors: a coordinate that is not finite, a vertex id out of range; then nothing is changed.
    pub fn add_cells(
        &mut self,
        positions: &[Point],
        cells: &[[u32; 2]],
    ) -> Result<Range<u32>, GeometryError> {
        self.change(&[], positions, cells)
    }

    /// Replaces segments by others: adds vertices at `positions` (world frame, metres), then `cells` (vertex ids, also new ones),
    /// and removes those at `removed`. Returns the numbers of the new segments. Errors: a segment that is not there or is
    /// named twice, a coordinate that is not finite, a vertex id out of range; then nothing is changed. Cost as
    /// [`remove_cells`](Self::remove_cells), once for all.
    pub fn replace_cells(
        &mut self,
        removed: &[u32],
        positions: &[Point],
        cells: &[[u32; 2]],
    ) -> Result<Range<u32>, GeometryError> {
        let removed = cut::checked(&self.cells, removed)?;
        self.change(&removed, positions, cells)
    }

    /// Divides a segment by a new vertex at `point`, in two. Returns their numbers. Errors: a segment that is not there, a
    /// coordinate that is not finite; then nothing is changed.
    pub fn split_cell(&mut self, cell: u32, point: &Point) -> Result<Range<u32>, GeometryError> {
        let removed = cut::checked(&self.cells, &[cell])?;
        let ([a, b], new) = (self.cells[cell as usize], self.points.len() as u32);
        self.change(&removed, &[*point], &[[a, new], [new, b]])
    }

    /// Numbers the segments anew, without the removed ones, in the same order. The vertices keep their numbers.
    pub fn compact(&mut self) -> CellMap {
        let map = cut::compacted(&mut self.cells);
        self.renumbered();
        map
    }

    /// Returns the mesh with the numbers of one that was cut: its segments leave out the numbers `removed`, whose segments count as
    /// removed. The inverse of [`compact`](Self::compact). Errors: a number beyond the last of all, or one that is named twice.
    pub fn with_removed(mut self, removed: &[u32]) -> Result<Self, GeometryError> {
        if removed.is_empty() {
            return Ok(self);
        }
        cut::spread(&mut self.cells, removed)?;
        self.renumbered();
        Ok(self)
    }

    /// What depends on the numbers of the cells is made anew.
    fn renumbered(&mut self) {
        self.points.set_owners(&self.cells);
        self.points.version.rebuilt();
        self.at_vertices.clear();
    }

    fn change(
        &mut self,
        removed: &[u32],
        positions: &[Point],
        added: &[[u32; 2]],
    ) -> Result<Range<u32>, GeometryError> {
        cells_in_range(added, self.points.len() + positions.len())?;
        let (before, first_new) = (self.points.version, self.cells.len());
        self.points.add(positions)?;
        self.cells.extend_from_slice(added);
        let touched = cut::touched(&self.cells, removed, first_new);
        let lists = self.at_vertices.cut(&self.cells, removed, first_new);
        for vertex in touched {
            self.points.set_owner(vertex, lists.at(vertex).first().map_or(NONE, |corner| corner / 2));
        }
        for &cell in removed {
            self.cells[cell as usize] = [NONE; 2];
        }
        self.points.version.rebuilt();
        self.tree.cut((before, self.points.version), removed, &self.cells, self.points.positions());
        Ok(first_new as u32..self.cells.len() as u32)
    }
}
