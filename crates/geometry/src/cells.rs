//! Cells of a mesh that may have been cut: a removed cell has no vertices.

use palpate_contact::NONE;

/// Whether a cell is a tombstone.
pub(crate) fn is_tombstone<const N: usize>(ids: &[u32; N]) -> bool {
    ids[0] == NONE
}

/// The cells of a mesh that may have been cut, without the removed ones, in their order.
pub fn cells_left<const N: usize>(cells: &[[u32; N]]) -> impl Iterator<Item = &[u32; N]> {
    cells.iter().filter(|ids| !is_tombstone(ids))
}
