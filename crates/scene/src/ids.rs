//! Identifiers of geometries and pairs.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

/// Distinguishes the ids of one scene from those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SceneTag(u32);

impl SceneTag {
    /// A tag that is unique in this process, up to 2³² scenes.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The id of a geometry in one scene, numbered from 0 in the order of insertion. The number of a removed geometry is
/// not reused. Using the id with another scene is an error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GeometryId {
    pub(crate) scene: SceneTag,
    pub(crate) number: u32,
}

/// The id of a pair in one scene. Pairs added one by one are numbered from 0 in the order of insertion, and the number
/// of a removed pair is not reused. A pair of groups has the same id whenever its two geometries are near; such ids
/// sort after the others, by the ids of their geometries. Using the id with another scene is an error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairId {
    pub(crate) scene: SceneTag,
    pub(crate) number: u64,
}

/// Bit that marks pairs of groups; below it 31 bits for each geometry.
const OF_GROUPS: u64 = 1 << 63;

/// Maximum number of geometries that a scene can number.
pub(crate) const MOST_GEOMETRIES: u32 = 1 << 31;

impl GeometryId {
    /// The number.
    pub fn index(self) -> usize {
        self.number as usize
    }
}

impl PairId {
    /// The id of the pair of groups of two geometries, the lower number first.
    pub(crate) fn of_groups(scene: SceneTag, low: u32, high: u32) -> Self {
        Self { scene, number: OF_GROUPS | u64::from(low) << 31 | u64::from(high) }
    }

    /// The number. For a pair of groups it has the highest bit set and contains the numbers of both geometries.
    pub fn number(self) -> u64 {
        self.number
    }

    /// Whether the pair comes from groups, not from [`Scene::add_pair`](crate::Scene::add_pair).
    pub fn is_of_groups(self) -> bool {
        self.number & OF_GROUPS != 0
    }

    /// The numbers of the two geometries of a pair of groups, the lower first.
    pub(crate) fn members(self) -> (u32, u32) {
        let mask = u64::from(MOST_GEOMETRIES - 1);
        ((self.number >> 31 & mask) as u32, (self.number & mask) as u32)
    }
}

impl fmt::Display for GeometryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "geometry {}", self.number)
    }
}

impl fmt::Display for PairId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_of_groups() {
            let (low, high) = self.members();
            write!(f, "pair of geometries {low} and {high}")
        } else {
            write!(f, "pair {}", self.number)
        }
    }
}

impl fmt::Debug for GeometryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for PairId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_of_groups_keeps_both_numbers_and_sorts_last() {
        let scene = SceneTag::new();
        let single = PairId { scene, number: 7 };
        let (low, high) = (12, MOST_GEOMETRIES - 1);
        let pair = PairId::of_groups(scene, low, high);
        assert_eq!(pair.members(), (low, high));
        assert!(pair.is_of_groups() && !single.is_of_groups() && single < pair);
        assert!(pair < PairId::of_groups(scene, 13, 14));
    }
}
