//! Capsule: a segment along the second axis, rounded.

use super::{Core, Extreme, Projection, Rim};
use crate::vector::VectorSpace;

/// All points within `radius` of the segment of half length `half_length` along the local y axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// Not negative.
    pub radius: f64,
    /// Half the length of the segment, without the caps; not negative.
    pub half_length: f64,
}

impl<V: VectorSpace> Core<V> for Capsule {
    const CURVED: bool = false;
    const CORNERS: u32 = 2;

    #[inline(always)]
    fn support(&self, direction: V, _near: u32) -> Extreme<V> {
        let down = direction.inner(V::axis(1)) < 0.0;
        let height = if down { -self.half_length } else { self.half_length };
        Extreme { point: V::axis(1) * height, id: u32::from(down) }
    }

    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<V> {
        match id {
            0 => Some(V::axis(1) * self.half_length),
            1 => Some(V::axis(1) * -self.half_length),
            _ => None,
        }
    }

    #[inline(always)]
    fn rims(&self) -> Option<[Rim; 2]> {
        let (top, bottom) = (self.half_length, -self.half_length);
        Some([Rim { radius: 0.0, height: top }, Rim { radius: 0.0, height: bottom }])
    }

    #[inline(always)]
    fn bounding_radius(&self) -> f64 {
        self.half_length
    }

    #[inline(always)]
    fn radius(&self) -> f64 {
        self.radius
    }

    #[inline(always)]
    fn project(&self, point: V) -> Option<Projection<V>> {
        let height = point.inner(V::axis(1)).clamp(-self.half_length, self.half_length);
        let away = point - V::axis(1) * height;
        let distance = away.length();
        // On the segment every radial direction is equally good; use the first axis.
        let outward = if distance > 0.0 { away * (1.0 / distance) } else { V::axis(0) };
        Some(Projection { distance, outward })
    }
}
