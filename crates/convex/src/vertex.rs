//! A vertex of the difference of two cores.

use crate::support::NO_ID;
use crate::vector::VectorSpace;

/// A vertex of the Minkowski difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex<V> {
    /// The point of the difference: `on_a` minus the point of the second shape.
    pub point: V,
    /// The point of the first shape.
    pub on_a: V,
    /// The vertex ids in the two shapes, [`NO_ID`] where the point is not a vertex.
    pub ids: [u32; 2],
}

impl<V: VectorSpace> Vertex<V> {
    pub(crate) fn none() -> Self {
        Self { point: V::zero(), on_a: V::zero(), ids: [NO_ID; 2] }
    }

    /// Whether two vertices are the same, by ids where both have them, else by coordinates.
    #[inline(always)]
    pub(crate) fn is(&self, other: &Self) -> bool {
        let same = self.ids == other.ids;
        same && (self.ids[0] != NO_ID && self.ids[1] != NO_ID || self.point == other.point)
    }
}
