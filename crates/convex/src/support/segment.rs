//! Segment.

use super::{Core, Extreme};
use crate::vector::VectorSpace;

/// The segment between two points; they may coincide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment<V> {
    /// The two ends.
    pub ends: [V; 2],
}

impl<V: VectorSpace> Core<V> for Segment<V> {
    const CURVED: bool = false;
    const CORNERS: u32 = 2;

    #[inline(always)]
    fn support(&self, direction: V, _near: u32) -> Extreme<V> {
        super::scan::farthest(&self.ends, direction)
    }

    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<V> {
        self.ends.get(id as usize).copied()
    }

    #[inline(always)]
    fn bounding_radius(&self) -> f64 {
        super::scan::bounding_radius(&self.ends)
    }
}
