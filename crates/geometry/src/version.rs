//! What derived data is tagged with.

/// Counts the changes of a geometry. Derived data of the same version is kept; new positions refit it, a new topology
/// rebuilds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Version {
    /// Grows when cells change.
    pub topology: u64,
    /// Grows when coordinates, poses or sizes change.
    pub positions: u64,
}

impl Version {
    /// Notes a change of coordinates.
    pub(crate) fn moved(&mut self) {
        self.positions += 1;
    }
}
