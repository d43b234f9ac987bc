//! Solid cylinder along the second axis.

use nalgebra::Vector3;

use super::{Core, Extreme, NO_ID, Projection, Rim};

/// A solid cylinder about the local y axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Not negative.
    pub radius: f64,
    /// Half the height; not negative.
    pub half_length: f64,
}

impl Core<Vector3<f64>> for Cylinder {
    const CURVED: bool = true;

    #[inline(always)]
    fn support(&self, direction: Vector3<f64>, _near: u32) -> Extreme<Vector3<f64>> {
        let across = (direction.x * direction.x + direction.z * direction.z).sqrt();
        let scale = if across > 0.0 { self.radius / across } else { 0.0 };
        let height = if direction.y < 0.0 { -self.half_length } else { self.half_length };
        Extreme { point: Vector3::new(direction.x * scale, height, direction.z * scale), id: NO_ID }
    }

    #[inline(always)]
    fn vertex(&self, _id: u32) -> Option<Vector3<f64>> {
        None
    }

    #[inline(always)]
    fn rims(&self) -> Option<[Rim; 2]> {
        let (top, bottom) = (self.half_length, -self.half_length);
        Some([Rim { radius: self.radius, height: top }, Rim { radius: self.radius, height: bottom }])
    }

    #[inline(always)]
    fn bounding_radius(&self) -> f64 {
        (self.radius * self.radius + self.half_length * self.half_length).sqrt()
    }

    #[inline]
    fn project(&self, point: Vector3<f64>) -> Option<Projection<Vector3<f64>>> {
        let across = (point.x * point.x + point.z * point.z).sqrt();
        // On the axis every radial direction is equally good; use +x.
        let (x, z) = if across > 0.0 { (point.x / across, point.z / across) } else { (1.0, 0.0) };
        let side = across - self.radius;
        let end = point.y.abs() - self.half_length;
        let up = if point.y < 0.0 { -1.0 } else { 1.0 };
        let (distance, along_side, along_axis) = if side > 0.0 && end > 0.0 {
            let distance = (side * side + end * end).sqrt();
            (distance, side / distance, end / distance)
        } else if side > end {
            (side, 1.0, 0.0)
        } else {
            (end, 0.0, 1.0)
        };
        Some(Projection { distance, outward: Vector3::new(x * along_side, up * along_axis, z * along_side) })
    }
}
