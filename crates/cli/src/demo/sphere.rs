//! A geodesic sphere: an icosahedron with subdivided faces.

use palpate::math::Vector;
use std::collections::BTreeMap;

/// Unit vectors and triangles between them, counter-clockwise seen from outside.
pub(super) struct GeodesicSphere {
    pub(super) directions: Vec<Vector>,
    pub(super) triangles: Vec<[u32; 3]>,
}

/// The twelve corners of an icosahedron are (0, ±1, ±g) and its cyclic permutations, g the golden ratio.
const GOLDEN: f64 = 1.618_033_988_749_895;

/// The faces by their corners, counter-clockwise seen from outside.
const FACES: [[usize; 3]; 20] = [
    [0, 11, 5],
    [0, 5, 1],
    [0, 1, 7],
    [0, 7, 10],
    [0, 10, 11],
    [1, 5, 9],
    [5, 11, 4],
    [11, 10, 2],
    [10, 7, 6],
    [7, 1, 8],
    [3, 9, 4],
    [3, 4, 2],
    [3, 2, 6],
    [3, 6, 8],
    [3, 8, 9],
    [4, 9, 5],
    [2, 4, 11],
    [6, 2, 10],
    [8, 6, 7],
    [9, 8, 1],
];

fn corners() -> [Vector; 12] {
    let g = GOLDEN;
    [
        [-1.0, g, 0.0],
        [1.0, g, 0.0],
        [-1.0, -g, 0.0],
        [1.0, -g, 0.0],
        [0.0, -1.0, g],
        [0.0, 1.0, g],
        [0.0, -1.0, -g],
        [0.0, 1.0, -g],
        [g, 0.0, -1.0],
        [g, 0.0, 1.0],
        [-g, 0.0, -1.0],
        [-g, 0.0, 1.0],
    ]
    .map(Vector::from)
}

/// The barycentric position of a vertex: corners of the icosahedron, in order, with their shares of `cuts`. Equal for
/// adjacent faces.
type Place = Vec<(usize, usize)>;

impl GeodesicSphere {
    /// A sphere whose icosahedron's edges are divided into `cuts` parts: 10 `cuts`² + 2 vertices, 20 `cuts`²
    /// triangles.
    pub(super) fn new(cuts: usize) -> Self {
        let mut sphere = Self { directions: Vec::new(), triangles: Vec::new() };
        let mut known = BTreeMap::new();
        for face in FACES {
            let mut vertex = |i: usize, j: usize| sphere.vertex(&mut known, face, [cuts - i - j, i, j]);
            let mut triangles = Vec::new();
            for i in 0..cuts {
                for j in 0..cuts - i {
                    triangles.push([vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)]);
                    if i + j + 1 < cuts {
                        triangles.push([vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)]);
                    }
                }
            }
            sphere.triangles.append(&mut triangles);
        }
        sphere
    }

    fn vertex(&mut self, known: &mut BTreeMap<Place, u32>, face: [usize; 3], parts: [usize; 3]) -> u32 {
        let mut place: Place = face.into_iter().zip(parts).filter(|&(_, part)| part > 0).collect();
        place.sort_unstable();
        let next = self.directions.len() as u32;
        let corners = corners();
        *known.entry(place).or_insert_with_key(|place| {
            let sum: Vector = place.iter().map(|&(corner, part)| corners[corner] * part as f64).sum();
            self.directions.push(sum.normalize());
            next
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_share_vertices_and_face_outward() {
        let sphere = GeodesicSphere::new(4);
        assert_eq!((sphere.directions.len(), sphere.triangles.len()), (162, 320));
        for triangle in &sphere.triangles {
            let [a, b, c] = triangle.map(|id| sphere.directions[id as usize]);
            assert!((b - a).cross(&(c - a)).dot(&a) > 0.0);
        }
    }
}
