//! Triangle.

use super::{Core, Extreme};
use crate::vector::VectorSpace;

/// The triangle of three points; it may be degenerate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle<V> {
    /// The three corners.
    pub corners: [V; 3],
}

impl<V: VectorSpace> Core<V> for Triangle<V> {
    const CURVED: bool = false;
    const CORNERS: u32 = 3;

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
