//! Segments that cross triangles, by exact signs of volumes.

use palpate_math::Point;
use robust::{Coord3D, orient3d};

fn side([a, b, c]: [&Point; 3], d: &Point) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(|p| Coord3D { x: p.x, y: p.y, z: p.z });
    orient3d(a, b, c, d)
}

/// Whether the inside of a segment crosses the inside of a triangle.
pub fn crosses([p, q]: [&Point; 2], [a, b, c]: [&Point; 3]) -> bool {
    if side([a, b, c], p) * side([a, b, c], q) >= 0.0 {
        return false;
    }
    let around = [side([p, q, a], b), side([p, q, b], c), side([p, q, c], a)];
    around.iter().all(|sign| *sign > 0.0) || around.iter().all(|sign| *sign < 0.0)
}
