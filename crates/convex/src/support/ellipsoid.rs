//! Solid ellipsoid along the local axes.

use nalgebra::Vector3;

use super::{Core, Extreme, NO_ID, Projection};

/// A solid ellipsoid centred at the local origin.
///
/// It is rounded by 0.475 to 0.95 of its smallest radius of curvature: its core is the ellipsoid eroded by that, so that pairs which
/// overlap by less only need the distance of the cores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    /// The semi-axes along local x, y and z; not negative.
    pub radii: Vector3<f64>,
}

/// By how much of its smallest radius of curvature an ellipsoid is rounded at most.
const ROUNDED: f64 = 0.95;

/// The bits of a number that are left of the greatest power of two that is not above it: the exponent.
const POWER_OF_TWO: u64 = 0x7ff0_0000_0000_0000;

/// Bisections of an interval of doubles until it is empty.
const BISECTIONS: usize = 1100;

impl Core<Vector3<f64>> for Ellipsoid {
    const CURVED: bool = true;

    #[inline(always)]
    fn support(&self, direction: Vector3<f64>, _near: u32) -> Extreme<Vector3<f64>> {
        // The image of the unit ball under S = diag(radii): its support point along d is S S d / |S d|.
        // Of the core, that less the radius along d.
        let r = &self.radii;
        let scaled = Vector3::new(direction.x * r.x, direction.y * r.y, direction.z * r.z);
        let length = (scaled.x * scaled.x + scaled.y * scaled.y + scaled.z * scaled.z).sqrt();
        let point = if length > 0.0 {
            let (scale, inward) = (1.0 / length, self.radius() / direction.norm());
            Vector3::new(
                scaled.x * scale * r.x - direction.x * inward,
                scaled.y * scale * r.y - direction.y * inward,
                scaled.z * scale * r.z - direction.z * inward,
            )
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
    fn bounding_radius(&self) -> f64 {
        // That of the core is less, but not the rounding error of its points.
        self.radii.x.max(self.radii.y).max(self.radii.z)
    }

    #[inline(always)]
    fn radius(&self) -> f64 {
        let r = &self.radii;
        let (least, most) = (r.x.min(r.y).min(r.z), r.x.max(r.y).max(r.z));
        let bend = if most > 0.0 { least / most * least } else { 0.0 };
        // A power of two: along an axis, what is subtracted from a semi-axis and added again changes no digit.
        f64::from_bits((ROUNDED * bend).to_bits() & POWER_OF_TWO)
    }

    #[inline]
    fn project(&self, point: Vector3<f64>) -> Option<Projection<Vector3<f64>>> {
        let r = self.radii;
        // A flat ellipsoid is a disc, a segment or a point; those are left to the general method.
        if !(r.x > 0.0 && r.y > 0.0 && r.z > 0.0) {
            return None;
        }
        let nearest = self.nearest_on_surface(point);
        let away = point - nearest;
        let distance = away.norm();
        // The gradient of the implicit form: the outward normal at the closest point.
        let gradient = Vector3::new(nearest.x / r.x / r.x, nearest.y / r.y / r.y, nearest.z / r.z / r.z);
        let outward = gradient / gradient.norm();
        let inside = away.dot(&gradient) < 0.0;
        let signed = if inside { -distance } else { distance };
        Some(Projection { distance: signed + self.radius(), outward })
    }
}

impl Ellipsoid {
    /// Returns the point of the surface closest to a point, by the one root of a monotone function (Eberly, "Distance
    /// from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid", 2013), bisected until no double lies between its
    /// ends.
    ///
    /// With the smallest semi-axis `e`, `z_i = y_i r_i / e²` and `p_i = (r_i² - e²)/e²`, the root `t` of
    /// `sum (z_i / (t + p_i))² = 1` gives the closest point `y_i (p_i + 1) / (t + p_i)`. (Eberly's root is `t - 1`,
    /// which loses digits in a thin ellipsoid.)
    fn nearest_on_surface(&self, point: Vector3<f64>) -> Vector3<f64> {
        let axis = self.radii.imin();
        let e = self.radii[axis];
        let beyond = self.radii.map(|r| (r - e) / e * ((r + e) / e));
        let places = Vector3::from_fn(|i, _| point[i].abs() / e * (self.radii[i] / e));
        let excess = |t: f64| {
            let share = |i: usize| if places[i] > 0.0 { places[i] / (t + beyond[i]) } else { 0.0 };
            let (x, y, z) = (share(0), share(1), share(2));
            x * x + y * y + z * z - 1.0
        };
        if places[axis] == 0.0 && excess(0.0) < 0.0 {
            return self.nearest_from_middle(axis, &beyond, point);
        }
        let (mut low, mut high) = (places[axis], places.norm());
        for _ in 0..BISECTIONS {
            let t = 0.5 * (low + high);
            if t <= low || t >= high {
                break;
            }
            if excess(t) > 0.0 {
                low = t;
            } else {
                high = t;
            }
        }
        let scaled = Vector3::from_fn(|i, _| {
            if point[i] == 0.0 { 0.0 } else { point[i].abs() * (beyond[i] + 1.0) / (high + beyond[i]) }
        });
        // Project back onto the surface, which the rounding error of the root has left, and into the point's own
        // octant.
        let length = scaled.component_div(&self.radii).norm();
        (scaled / length).zip_map(&point, |x, side| if side < 0.0 { -x } else { x })
    }

    /// Returns the closest point for a point near the middle of the plane perpendicular to the smallest semi-axis: off
    /// that plane, on the positive side.
    fn nearest_from_middle(&self, axis: usize, beyond: &Vector3<f64>, point: Vector3<f64>) -> Vector3<f64> {
        let mut nearest = Vector3::zeros();
        let mut used = 0.0;
        // Where two semi-axes are both the smallest, they are equivalent: stay in the plane.
        for other in (0..3).filter(|&other| other != axis && beyond[other] > 0.0) {
            nearest[other] = point[other] * (beyond[other] + 1.0) / beyond[other];
            let share = nearest[other] / self.radii[other];
            used += share * share;
        }
        nearest[axis] = self.radii[axis] * (1.0 - used).max(0.0).sqrt();
        nearest
    }
}
