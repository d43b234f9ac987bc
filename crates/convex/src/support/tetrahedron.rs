//! Tetrahedron.

use super::{Core, Extreme};
use crate::vector::VectorSpace;

/// The tetrahedron of four points, in either orientation; it may be degenerate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tetrahedron<V> {
    /// The four corners.
    pub corners: [V; 4],
}

impl<V: VectorSpace> Core<V> for Tetrahedron<V> {
    const CURVED: bool = false;

    #[inline(always)]
    fn support(&self, direction: V, _near: u32) -> Extreme<V> {
        super::scan::farthest(&self.corners, direction)
    }

    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<V> {
        self.corners.get(id as usize).copied()
    }

    #[inline(always)]
    fn bounding_radius(&self) -> f64 {
        super::scan::bounding_radius(&self.corners)
    }
}
