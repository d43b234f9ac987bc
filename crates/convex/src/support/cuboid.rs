//! Box along the local axes; a rectangle in 2D.

use nalgebra::{Vector2, Vector3};

use super::{Core, Extreme, Projection, scan};
use crate::vector::VectorSpace;

/// A box centred at the local origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid<V> {
    /// Half extents along the local axes; not negative.
    pub half_extents: V,
}

/// The signs of every corner's coordinates.
const SIGNS: [[f64; 3]; 8] = {
    let mut signs = [[1.0; 3]; 8];
    let mut id = 0;
    while id < 8 {
        let mut axis = 0;
        while axis < 3 {
            if id >> axis & 1 == 1 {
                signs[id][axis] = -1.0;
            }
            axis += 1;
        }
        id += 1;
    }
    signs
};

impl Cuboid<Vector3<f64>> {
    /// Returns corner `id` below 8: bit k is set on the negative side of axis k.
    #[inline(always)]
    pub(crate) fn corner(&self, id: u32) -> Vector3<f64> {
        // A table lookup: a branch on each bit of the id would be mispredicted.
        let signs = &SIGNS[id as usize % 8];
        let h = &self.half_extents;
        Vector3::new(h.x * signs[0], h.y * signs[1], h.z * signs[2])
    }
}

impl Core<Vector3<f64>> for Cuboid<Vector3<f64>> {
    const CURVED: bool = false;

    #[inline(always)]
    fn support(&self, direction: Vector3<f64>, _near: u32) -> Extreme<Vector3<f64>> {
        let h = &self.half_extents;
        let (x, y, z) = (direction.x < 0.0, direction.y < 0.0, direction.z < 0.0);
        Extreme {
            point: Vector3::new(
                if x { -h.x } else { h.x },
                if y { -h.y } else { h.y },
                if z { -h.z } else { h.z },
            ),
            id: u32::from(x) | u32::from(y) << 1 | u32::from(z) << 2,
        }
    }

    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<Vector3<f64>> {
        (id < 8).then(|| self.corner(id))
    }

    #[inline(always)]
    fn fingerprint(&self) -> Option<u64> {
        Some(scan::fingerprint(self.half_extents.iter()))
    }

    #[inline(always)]
    fn bounding_radius(&self) -> f64 {
        self.half_extents.length()
    }

    #[inline]
    fn project(&self, point: Vector3<f64>) -> Option<Projection<Vector3<f64>>> {
        let h = &self.half_extents;
        let sign = |x: f64| if x < 0.0 { -1.0 } else { 1.0 };
        let beyond = Vector3::new(point.x.abs() - h.x, point.y.abs() - h.y, point.z.abs() - h.z);
        if beyond.x <= 0.0 && beyond.y <= 0.0 && beyond.z <= 0.0 {
            let axis = if beyond.x >= beyond.y && beyond.x >= beyond.z {
                0
            } else if beyond.y >= beyond.z {
                1
            } else {
                2
            };
            let outward = Vector3::axis(axis) * sign(point[axis]);
            return Some(Projection { distance: beyond[axis], outward });
        }
        let away = Vector3::new(
            beyond.x.max(0.0) * sign(point.x),
            beyond.y.max(0.0) * sign(point.y),
            beyond.z.max(0.0) * sign(point.z),
        );
        let distance = away.length();
        Some(Projection { distance, outward: away * (1.0 / distance) })
    }
}

impl Core<Vector2<f64>> for Cuboid<Vector2<f64>> {
    const CURVED: bool = false;

    #[inline(always)]
    fn support(&self, direction: Vector2<f64>, _near: u32) -> Extreme<Vector2<f64>> {
        let h = &self.half_extents;
        let (x, y) = (direction.x < 0.0, direction.y < 0.0);
        Extreme {
            point: Vector2::new(if x { -h.x } else { h.x }, if y { -h.y } else { h.y }),
            id: u32::from(x) | u32::from(y) << 1,
        }
    }

    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<Vector2<f64>> {
        let h = &self.half_extents;
        (id < 4)
            .then(|| Vector2::new(if id & 1 != 0 { -h.x } else { h.x }, if id & 2 != 0 { -h.y } else { h.y }))
    }

    #[inline(always)]
    fn bounding_radius(&self) -> f64 {
        self.half_extents.length()
    }
}
