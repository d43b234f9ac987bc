//! A closed surface: an organ.

use palpate::math::{Point, Vector};
use std::collections::HashMap;

/// Approximate distance of the organ's surface from its centre, in metres.
pub(crate) const ORGAN_RADIUS: f64 = 0.1;

/// A closed surface around the origin with nearly `triangles` triangles of similar size, counter-clockwise seen
/// from outside: a subdivided octahedron, inflated to a lobed ball.
pub(crate) fn organ(triangles: usize) -> (Vec<Point>, Vec<[u32; 3]>) {
    let steps = ((triangles as f64 / 8.0).sqrt().round() as i32).max(1);
    let mut organ = Octahedron { steps, ids: HashMap::new(), positions: Vec::new(), triangles: Vec::new() };
    for octant in 0..8 {
        let sign = |bit: i32| if octant >> bit & 1 == 0 { 1 } else { -1 };
        organ.side([sign(0), sign(1), sign(2)]);
    }
    (organ.positions, organ.triangles)
}

/// The point of the organ's surface in the unit direction `direction`.
pub(crate) fn organ_surface_point(direction: &Vector) -> Point {
    let (x, y, z) = (direction.x, direction.y, direction.z);
    let lobes = 0.2 * x * y + 0.15 * (y * z - x * x) + 0.1 * x * y * z;
    Point::from(direction * (ORGAN_RADIUS * (1.0 + lobes)))
}

struct Octahedron {
    steps: i32,
    /// Vertices on an edge belong to two sides, corners to four.
    ids: HashMap<[i32; 3], u32>,
    positions: Vec<Point>,
    triangles: Vec<[u32; 3]>,
}

impl Octahedron {
    fn side(&mut self, signs: [i32; 3]) {
        for a in 0..self.steps {
            for b in 0..self.steps - a {
                self.triangle(signs, [(a, b), (a + 1, b), (a, b + 1)]);
                if a + b + 2 <= self.steps {
                    self.triangle(signs, [(a + 1, b), (a + 1, b + 1), (a, b + 1)]);
                }
            }
        }
    }

    fn triangle(&mut self, signs: [i32; 3], corners: [(i32, i32); 3]) {
        let [first, second, third] = corners.map(|corner| self.vertex(signs, corner));
        // Every reflection reverses the triangle.
        let turned = signs.iter().product::<i32>() < 0;
        self.triangles.push(if turned { [first, third, second] } else { [first, second, third] });
    }

    fn vertex(&mut self, signs: [i32; 3], (a, b): (i32, i32)) -> u32 {
        let key = [signs[0] * a, signs[1] * b, signs[2] * (self.steps - a - b)];
        *self.ids.entry(key).or_insert_with(|| {
            let direction = Vector::from(key.map(f64::from)).normalize();
            self.positions.push(organ_surface_point(&direction));
            self.positions.len() as u32 - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate::geometry::SurfaceMesh;

    #[test]
    fn the_organ_is_closed_oriented_outward_and_of_the_size_asked_for() {
        for wanted in [1_000, 10_000] {
            let (positions, triangles) = organ(wanted);
            assert!(triangles.len().abs_diff(wanted) * 10 < wanted, "{} triangles", triangles.len());
            let volume: f64 = triangles
                .iter()
                .map(|ids| ids.map(|id| positions[id as usize].coords))
                .map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0)
                .sum();
            assert!(volume > 3.0 * ORGAN_RADIUS.powi(3), "volume {volume}");
            assert!(SurfaceMesh::new(positions, triangles).unwrap().is_closed());
        }
    }
}
