//! What geometries and pairs are called by.

use std::fmt;

/// A geometry of one scene: numbered from 0 in the order in which they were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GeometryId(pub(crate) u32);

/// A pair of one scene: numbered from 0 in the order in which they were added. The number of a removed pair is never
/// given again, and removing a pair leaves the numbers of the others alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairId(pub(crate) u32);

impl GeometryId {
    /// The number, as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl PairId {
    /// The number, as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for GeometryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "geometry {}", self.0)
    }
}

impl fmt::Display for PairId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pair {}", self.0)
    }
}
