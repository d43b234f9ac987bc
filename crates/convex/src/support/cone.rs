//! Solid cone along the second axis, apex up.

use nalgebra::Vector3;

use super::{Core, Extreme, NO_ID, Projection, Rim};

/// A solid cone about the local y axis: the apex at `+half_length`, the base of `radius` at `-half_length`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Radius of the base; not negative.
    pub radius: f64,
    /// Half the height; not negative.
    pub half_length: f64,
}

impl Core<Vector3<f64>> for Cone {
    const CURVED: bool = true;

    #[inline(always)]
    fn support(&self, direction: Vector3<f64>, _near: u32) -> Extreme<Vector3<f64>> {
        let across = (direction.x * direction.x + direction.z * direction.z).sqrt();
        // The apex is higher than the support point of the base by the height, and closer to the axis by the radius.
        if direction.y * (2.0 * self.half_length) >= across * self.radius {
            return Extreme { point: Vector3::new(0.0, self.half_length, 0.0), id: 0 };
        }
        let scale = if across > 0.0 { self.radius / across } else { 0.0 };
        Extreme {
            point: Vector3::new(direction.x * scale, -self.half_length, direction.z * scale),
            id: NO_ID,
        }
    }

    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<Vector3<f64>> {
        (id == 0).then(|| Vector3::new(0.0, self.half_length, 0.0))
    }

    #[inline(always)]
    fn rims(&self) -> Option<[Rim; 2]> {
        let (top, bottom) = (self.half_length, -self.half_length);
        Some([Rim { radius: 0.0, height: top }, Rim { radius: self.radius, height: bottom }])
    }

    #[inline(always)]
    fn bounding_radius(&self) -> f64 {
        (self.radius * self.radius + self.half_length * self.half_length).sqrt()
    }

    #[inline]
    fn project(&self, point: Vector3<f64>) -> Option<Projection<Vector3<f64>>> {
        let across = (point.x * point.x + point.z * point.z).sqrt();
        let (x, z) = if across > 0.0 { (point.x / across, point.z / across) } else { (1.0, 0.0) };
        let flat = self.project_in_section(across, point.y);
        let (distance, along_side, along_axis) = flat?;
        Some(Projection { distance, outward: Vector3::new(x * along_side, along_axis, z * along_side) })
    }
}

impl Cone {
    /// The same in the half plane through the axis: distance, and the outward direction across and up. `None` for a
    /// degenerate cone without height or radius.
    #[inline]
    fn project_in_section(&self, across: f64, up: f64) -> Option<(f64, f64, f64)> {
        let slant_x = self.radius;
        let slant_y = -2.0 * self.half_length;
        let slant = (slant_x * slant_x + slant_y * slant_y).sqrt();
        if !(self.half_length > 0.0 && self.radius > 0.0) {
            return None;
        }
        let (normal_x, normal_y) = (-slant_y / slant, slant_x / slant);
        let (from_x, from_y) = (across, up - self.half_length);
        let side = from_x * normal_x + from_y * normal_y;
        let base = -self.half_length - up;
        if side <= 0.0 && base <= 0.0 {
            return Some(if side >= base { (side, normal_x, normal_y) } else { (base, 0.0, -1.0) });
        }
        if base > 0.0 && across <= self.radius {
            return Some((base, 0.0, -1.0));
        }
        // Outside: distance to the slant, or beyond either of its ends to that end.
        let along = (from_x * slant_x + from_y * slant_y) / (slant * slant);
        if side > 0.0 && (0.0..=1.0).contains(&along) {
            return Some((side, normal_x, normal_y));
        }
        let (away_x, away_y) =
            if along < 0.0 { (from_x, from_y) } else { (across - self.radius, up + self.half_length) };
        let distance = (away_x * away_x + away_y * away_y).sqrt();
        Some(if distance > 0.0 {
            (distance, away_x / distance, away_y / distance)
        } else {
            (0.0, normal_x, normal_y)
        })
    }
}
