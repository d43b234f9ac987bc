//! A shape with a local pose, as in compounds.

use super::{Core, Extreme, Projection};
use crate::pose::RigidTransform;
use crate::vector::VectorSpace;

/// A shape with a pose of its own within the frame. A query rotates directions and single points; the shape is never
/// transformed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posed<S, V: VectorSpace> {
    /// The shape, in its local frame.
    pub shape: S,
    /// The pose of that frame.
    pub pose: RigidTransform<V>,
}

impl<V: VectorSpace, S: Core<V>> Core<V> for Posed<S, V> {
    const CURVED: bool = S::CURVED;

    #[inline(always)]
    fn support(&self, direction: V, near: u32) -> Extreme<V> {
        let own = self.shape.support(direction.unrotated(&self.pose.rotation), near);
        Extreme { point: self.pose.point(own.point), id: own.id }
    }

    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<V> {
        Some(self.pose.point(self.shape.vertex(id)?))
    }

    #[inline(always)]
    fn bounding_radius(&self) -> f64 {
        self.shape.bounding_radius() + self.pose.translation.length()
    }

    #[inline(always)]
    fn center(&self) -> V {
        self.pose.point(self.shape.center())
    }

    #[inline(always)]
    fn radius(&self) -> f64 {
        self.shape.radius()
    }

    #[inline(always)]
    fn project(&self, point: V) -> Option<Projection<V>> {
        let Projection { distance, outward } = self.shape.project(self.pose.own(point))?;
        Some(Projection { distance, outward: outward.rotated(&self.pose.rotation) })
    }
}
