//! Version counters that tag derived data.

/// Counts the changes of a geometry. Derived data of the same version is reused; new positions refit it, a new topology
/// rebuilds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Version {
    /// Increases when cells change.
    pub topology: u64,
    /// Increases when coordinates, poses or sizes change.
    pub positions: u64,
}

impl Version {
    /// Records a change of coordinates.
    pub(crate) fn moved(&mut self) {
        self.positions += 1;
    }
}
