//! Projection of a body's face and a patch of triangles onto the plane perpendicular to a contact's direction.

use palpate_geometry::SurfaceMesh;
use palpate_math::{Point, Vector, rounding};

/// How far outside a triangle a point may project and still count as above it, relative to the size of the scene.
const BESIDE: f64 = 1e-9;

/// A projection along a unit direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PatchView {
    axes: [Vector; 2],
    origin: Point,
    /// Rounding error of a projected point.
    pub(crate) tolerance: f64,
    /// Points closer together than this coincide.
    pub(crate) same: f64,
    /// Depths that differ by less are equal, as in the manifolds of convex bodies.
    pub(crate) level: f64,
}

impl PatchView {
    /// Creates the projection along `outward` for objects of about `size` around `origin`.
    pub(crate) fn new(outward: &Vector, origin: Point, size: f64) -> Self {
        let axis = Vector::ith(outward.iamin(), 1.0);
        let first = outward.cross(&axis).normalize();
        let tolerance = 2.0 * rounding::length(origin.coords.amax() + size);
        let (same, level) = (tolerance + BESIDE * size, 4.0 * tolerance);
        Self { axes: [first, outward.cross(&first)], origin, tolerance, same, level }
    }

    /// Returns the projection of a point.
    pub(crate) fn at(&self, point: &Point) -> [f64; 2] {
        let offset = point - self.origin;
        self.axes.map(|axis| offset.dot(&axis))
    }

    /// Returns the projection of a triangle.
    pub(crate) fn triangle(&self, surface: &SurfaceMesh, triangle: u32) -> [[f64; 2]; 3] {
        surface.corners(triangle).map(|corner| self.at(&corner))
    }

    /// Whether a point projects into a projected triangle, up to the tolerance for coincident points.
    pub(crate) fn is_above(&self, corners: &[[f64; 2]; 3], at: [f64; 2]) -> bool {
        let area = cross(corners[0], corners[1], corners[2]);
        (0..3).all(|side| {
            let (from, to) = (corners[side], corners[(side + 1) % 3]);
            let left = cross(from, to, at) * area.signum();
            left >= 0.0 || left >= -self.same * distance(from, to)
        }) && area != 0.0
    }
}

/// Returns twice the signed area of a triangle: positive counter-clockwise.
pub(crate) fn cross(p: [f64; 2], q: [f64; 2], r: [f64; 2]) -> f64 {
    (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
}

pub(crate) fn distance(p: [f64; 2], q: [f64; 2]) -> f64 {
    let [x, y] = [q[0] - p[0], q[1] - p[1]];
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::implicit::surface_samples::floor;

    /// A square from -1 to 1 seen from above, and a body of the same size on it.
    #[test]
    fn a_place_beside_a_triangle_by_more_than_rounding_is_not_above_it() {
        let (square, view) = (floor(1.0), PatchView::new(&Vector::y(), Point::origin(), 1.0));
        let is_above = |x: f64| {
            let at = view.at(&Point::new(x, 0.0, 0.25));
            (0..2).any(|triangle| view.is_above(&view.triangle(&square, triangle), at))
        };
        assert!(is_above(0.5) && is_above(1.0 + 1e-12));
        assert!(!is_above(1.0 + 1e-7) && !is_above(1.5));
    }
}
