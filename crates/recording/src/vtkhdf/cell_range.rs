//! Location of the cells of one step in the arrays.

/// Rows of the parts of one step in the arrays of one category. The parts lie one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellRange {
    /// First cell, and how many.
    pub(super) cell: u64,
    pub(super) cells: u64,
    /// First row in `Offsets`, which has one more than cells for every part.
    pub(super) offset: u64,
    /// First row in `Connectivity`, and how many.
    pub(super) id: u64,
    pub(super) ids: u64,
}
