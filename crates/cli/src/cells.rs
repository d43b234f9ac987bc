//! The cells of a mesh that may have been cut.

use palpate::contact::NONE;

/// The cells that are not removed.
pub(crate) fn left<const N: usize>(cells: &[[u32; N]]) -> Vec<[u32; N]> {
    cells.iter().filter(|ids| ids[0] != NONE).copied().collect()
}
