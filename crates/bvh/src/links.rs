//! Ways from the cells of a tree up to its root.

/// No slot, no node.
pub(crate) const NONE: u32 = u32::MAX;

/// Ways from a cell to its leaf and up to the root: made when a tree is first cut or prepared for it, kept until it is rebuilt. A lane is given by
/// the number of the node times the children of a node, plus the lane.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    /// The entry of each number; [`NONE`] for a removed one.
    pub(crate) slots: Vec<u32>,
    /// The lane of the leaf of each entry.
    pub(crate) leaves: Vec<u32>,
    /// The lane of each node in its parent; [`NONE`] for the root.
    pub(crate) parents: Vec<u32>,
    /// Whether cells were removed or added since: nodes and entries are no longer in the order in which they were built.
    pub(crate) is_cut: bool,
}

impl Links {
    /// Forgets the ways: the tree has changed.
    pub(crate) fn clear(&mut self) {
        self.slots.clear();
        self.is_cut = false;
    }
}
