//! Location of the cells of one part in the arrays.

/// Rows of one part in the arrays of one category.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellRange {
    /// First cell, and how many.
    pub(super) cell: u64,
    pub(super) cells: u64,
    /// First row in `Offsets`, which has one more than cells.
    pub(super) offset: u64,
    /// First row in `Connectivity`, and how many.
    pub(super) id: u64,
    pub(super) ids: u64,
}
