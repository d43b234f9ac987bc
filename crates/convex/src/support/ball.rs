//! Ball: the origin, rounded. A disc in 2D, a solid sphere in 3D.

use super::{Core, Extreme, Projection};
use crate::vector::VectorSpace;

/// A ball centred at the local origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Not negative.
    pub radius: f64,
}

impl<V: VectorSpace> Core<V> for Ball {
    const CURVED: bool = false;
    const POINT: bool = true;

    #[inline(always)]
    fn support(&self, _direction: V, _near: u32) -> Extreme<V> {
        Extreme { point: V::zero(), id: 0 }
    }

    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<V> {
        (id == 0).then(V::zero)
    }

    #[inline(always)]
    fn bounding_radius(&self) -> f64 {
        0.0
    }

    #[inline(always)]
    fn radius(&self) -> f64 {
        self.radius
    }

    #[inline(always)]
    fn project(&self, point: V) -> Option<Projection<V>> {
        let distance = point.length();
        let outward = if distance > 0.0 { point * (1.0 / distance) } else { V::axis(0) };
        Some(Projection { distance, outward })
    }
}
