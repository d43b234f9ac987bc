//! Cutting: cells removed from a mesh and added to it.
//!
//! A removed cell leaves a *tombstone*: its number is not used again, and its vertices are [`NONE`]. The numbers of all other cells
//! and edges, and with them the ids of contacts, stay as they are; the vertices stay too. Adjacency, boundary and trees are
//! updated where the mesh has changed.

use crate::GeometryError;
use crate::cells::is_tombstone;
use crate::derived::VertexLists;
use palpate_contact::NONE;

/// The numbers of cells before and after [`compact`](crate::SurfaceMesh::compact).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellMap {
    now: Vec<u32>,
}

impl CellMap {
    /// Returns the number that a cell has now; `None` if it was removed, or never was.
    pub fn get(&self, before: u32) -> Option<u32> {
        self.now.get(before as usize).copied().filter(|&now| now != NONE)
    }

    /// Returns the number of cells before, the removed ones included.
    pub fn len(&self) -> usize {
        self.now.len()
    }

    /// Whether there were no cells.
    pub fn is_empty(&self) -> bool {
        self.now.is_empty()
    }
}

/// Checks cells to be removed and returns them ascending. Errors: a cell that is not there, or is named twice.
pub(super) fn checked<const N: usize>(
    cells: &[[u32; N]],
    removed: &[u32],
) -> Result<Vec<u32>, GeometryError> {
    let mut sorted = removed.to_vec();
    sorted.sort_unstable();
    let bad = |cell: u32, found: &'static str| GeometryError::NoCell { cell, found, count: cells.len() };
    for &cell in &sorted {
        match cells.get(cell as usize) {
            None => return Err(bad(cell, "not in the mesh")),
            Some(ids) if is_tombstone(ids) => return Err(bad(cell, "already removed")),
            Some(_) => {}
        }
    }
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(bad(pair[0], "named twice")),
        None => Ok(sorted),
    }
}

/// Drops the tombstones.
pub(super) fn compacted<const N: usize>(cells: &mut Vec<[u32; N]>) -> CellMap {
    let mut next = 0;
    let number = |ids: &[u32; N]| {
        if is_tombstone(ids) {
            return NONE;
        }
        next += 1;
        next - 1
    };
    let now = cells.iter().map(number).collect();
    cells.retain(|ids| !is_tombstone(ids));
    CellMap { now }
}

/// Leaves room in cells for removed ones: the inverse of [`compacted`]. Errors: a number that would be beyond the last, or is named
/// twice; then nothing is changed.
pub(super) fn spread<const N: usize>(
    cells: &mut Vec<[u32; N]>,
    removed: &[u32],
) -> Result<CellMap, GeometryError> {
    let count = cells.len() + removed.len();
    let mut gone = vec![false; count];
    for &cell in removed {
        let bad = |found: &'static str| GeometryError::NoCell { cell, found, count };
        let place = gone.get_mut(cell as usize).ok_or_else(|| bad("not in the mesh"))?;
        if std::mem::replace(place, true) {
            return Err(bad("named twice"));
        }
    }
    let now: Vec<u32> = (0..).zip(&gone).filter(|(_, gone)| !**gone).map(|(cell, _)| cell).collect();
    let mut spread = vec![[NONE; N]; count];
    for (&cell, ids) in now.iter().zip(&*cells) {
        spread[cell as usize] = *ids;
    }
    *cells = spread;
    Ok(CellMap { now })
}

/// The numbers of the tombstones, ascending.
pub(super) fn removed<const N: usize>(cells: &[[u32; N]]) -> Vec<u32> {
    (0..).zip(cells).filter(|(_, ids)| is_tombstone(ids)).map(|(cell, _)| cell).collect()
}

/// The vertices of cells that change, ascending.
pub(super) fn touched<const N: usize>(cells: &[[u32; N]], removed: &[u32], first_new: usize) -> Vec<u32> {
    let changed = removed.iter().map(|&cell| &cells[cell as usize]).chain(&cells[first_new..]);
    let mut touched: Vec<u32> = changed.flatten().copied().collect();
    touched.sort_unstable();
    touched.dedup();
    touched
}

/// The cells at each vertex of a mesh that is cut: made when it is first cut or [prepared](crate::Needs::CUTS) for it.
#[derive(Clone, Debug, Default)]
pub(super) struct CutLists {
    lists: Option<VertexLists>,
}

impl CutLists {
    /// Removes and adds the corners of cells; the removed ones still have their vertices. Cost: one pass over all cells when
    /// it is called first.
    pub(super) fn cut<const N: usize>(
        &mut self,
        cells: &[[u32; N]],
        removed: &[u32],
        first_new: usize,
    ) -> &VertexLists {
        let lists = self.prepare(&cells[..first_new]);
        for &cell in removed {
            for (corner, &vertex) in (N as u32 * cell..).zip(&cells[cell as usize]) {
                lists.remove(vertex, corner);
            }
        }
        for (corner, &vertex) in (N as u32 * first_new as u32..).zip(cells[first_new..].as_flattened()) {
            lists.push(vertex, corner);
        }
        lists
    }

    /// Makes the lists, unless they are there.
    pub(super) fn prepare<const N: usize>(&mut self, cells: &[[u32; N]]) -> &mut VertexLists {
        self.lists.get_or_insert_with(|| VertexLists::new(cells.as_flattened()))
    }

    pub(super) fn is_prepared(&self) -> bool {
        self.lists.is_some()
    }

    /// Forgets the lists: the cells have other numbers.
    pub(super) fn clear(&mut self) {
        self.lists = None;
    }
}
