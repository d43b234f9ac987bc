//! The solid ellipsoid along the local axes.

use nalgebra::Vector3;

use super::{Core, Extreme, NO_ID};

/// A solid ellipsoid about the origin of its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    /// The half axes along local x, y and z; not negative.
    pub radii: Vector3<f64>,
}

impl Core<Vector3<f64>> for Ellipsoid {
    const CURVED: bool = true;

    #[inline(always)]
    fn support(&self, direction: Vector3<f64>, _near: u32) -> Extreme<Vector3<f64>> {
        // The image of the unit ball under S = diag(radii): its farthest point along d is S S d / |S d|.
        let r = &self.radii;
        let scaled = Vector3::new(direction.x * r.x, direction.y * r.y, direction.z * r.z);
        let length = scaled.norm();
        let point = if length > 0.0 {
            let scale = 1.0 / length;
            Vector3::new(scaled.x * scale * r.x, scaled.y * scale * r.y, scaled.z * scale * r.z)
        } else {
            Vector3::zeros()
        };
        Extreme { point, id: NO_ID }
    }

    #[inline(always)]
    fn vertex(&self, _id: u32) -> Option<Vector3<f64>> {
        None
    }

    #[inline(always)]
    fn reach(&self) -> f64 {
        self.radii.x.max(self.radii.y).max(self.radii.z)
    }
}
