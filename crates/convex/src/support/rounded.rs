//! A shape dilated by a radius.

use super::{Core, Extreme, Projection, Rim};
use crate::vector::VectorSpace;

/// All points within `radius` of a shape (which may be rounded itself).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rounded<S> {
    /// The inner shape.
    pub shape: S,
    /// Not negative.
    pub radius: f64,
}

impl<V: VectorSpace, S: Core<V>> Core<V> for Rounded<S> {
    const CURVED: bool = S::CURVED;
    const POINT: bool = S::POINT;
    const CORNERS: u32 = S::CORNERS;

    #[inline(always)]
    fn support(&self, direction: V, near: u32) -> Extreme<V> {
        self.shape.support(direction, near)
    }

    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<V> {
        self.shape.vertex(id)
    }

    #[inline(always)]
    fn bounding_radius(&self) -> f64 {
        self.shape.bounding_radius()
    }

    #[inline(always)]
    fn center(&self) -> V {
        self.shape.center()
    }

    #[inline(always)]
    fn radius(&self) -> f64 {
        self.shape.radius() + self.radius
    }

    #[inline(always)]
    fn project(&self, point: V) -> Option<Projection<V>> {
        self.shape.project(point)
    }

    #[inline(always)]
    fn fingerprint(&self) -> Option<u64> {
        self.shape.fingerprint()
    }

    #[inline(always)]
    fn rims(&self) -> Option<[Rim; 2]> {
        self.shape.rims()
    }
}
