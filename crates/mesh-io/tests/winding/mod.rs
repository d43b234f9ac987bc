//! Winding numbers, independently of the library's.

use palpate_geometry::SurfaceMesh;
use palpate_math::{Point, Vector};

/// The solid angle of a triangle on the unit sphere around `p`, by L'Huilier's theorem, with the sign of its
/// winding.
fn angle_of_triangle(p: &Point, corners: [Point; 3]) -> f64 {
    let [a, b, c] = corners.map(|corner| (corner - p).normalize());
    // Half the chord and half the sum: accurate for small and for large arcs.
    let arc = |u: &Vector, v: &Vector| 2.0 * ((u - v).norm() / 2.0).atan2((u + v).norm() / 2.0);
    let (x, y, z) = (arc(&b, &c), arc(&c, &a), arc(&a, &b));
    let s = (x + y + z) / 2.0;
    let product = (s / 2.0).tan() * ((s - x) / 2.0).tan() * ((s - y) / 2.0).tan() * ((s - z) / 2.0).tan();
    let area = 4.0 * product.max(0.0).sqrt().atan();
    if a.dot(&b.cross(&c)) < 0.0 { -area } else { area }
}

/// The winding number of the surface around a point, by the sum over all triangles.
pub(crate) fn turns(p: &Point, mesh: &SurfaceMesh) -> f64 {
    let sum: f64 = (0..mesh.triangles().len() as u32).map(|t| angle_of_triangle(p, mesh.corners(t))).sum();
    sum / (4.0 * std::f64::consts::PI)
}
