//! Boundary surface of a tetrahedral mesh.

use palpate_contact::NONE;
use palpate_math::{Point, orient};

/// The three corners of the face opposite each corner, oriented outward for a tetrahedron of positive volume (corner 3
/// on the side of the normal of corners 0, 1, 2).
pub(crate) const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// Computes the faces that belong to only one tetrahedron, in the order of the tetrahedra, oriented outward by each
/// tetrahedron's volume at `positions`. Vertex ids are those of the mesh. Returns the triangles and the tetrahedron of
/// each.
pub fn boundary_triangles(tetrahedra: &[[u32; 4]], positions: &[Point]) -> (Vec<[u32; 3]>, Vec<u32>) {
    let inverted = inverted(tetrahedra, positions);
    boundary_of(tetrahedra, |cell| inverted.binary_search(&cell).is_ok())
}

/// Returns the tetrahedra of negative volume, ascending.
pub(crate) fn inverted(tetrahedra: &[[u32; 4]], positions: &[Point]) -> Vec<u32> {
    let is_inverted = |ids: &[u32; 4]| {
        let [a, b, c, d] = ids.map(|id| &positions[id as usize]);
        orient::orient3d(a, b, c, d) < 0.0
    };
    (0..)
        .zip(tetrahedra)
        .filter(|(_, ids)| ids[0] != NONE && is_inverted(ids))
        .map(|(cell, _)| cell)
        .collect()
}

/// Returns a face of a tetrahedron, oriented outward.
pub(crate) fn face_of(tetrahedron: &[u32; 4], number: usize, is_inverted: bool) -> [u32; 3] {
    let mut face = FACES[number].map(|corner| tetrahedron[corner]);
    if is_inverted {
        face.swap(1, 2);
    }
    face
}

/// [`boundary_triangles`] of tetrahedra that have a negative volume where `is_inverted` says so.
pub(crate) fn boundary_of(
    tetrahedra: &[[u32; 4]],
    is_inverted: impl Fn(u32) -> bool,
) -> (Vec<[u32; 3]>, Vec<u32>) {
    let mut faces = Vec::with_capacity(4 * tetrahedra.len());
    for (cell, ids) in tetrahedra.iter().enumerate().filter(|(_, ids)| ids[0] != NONE) {
        let inverted = is_inverted(cell as u32);
        for number in 0..FACES.len() {
            let face = face_of(ids, number, inverted);
            let mut key = face;
            key.sort_unstable();
            faces.push((key, cell as u32, number, face));
        }
    }
    faces.sort_unstable();
    let mut single: Vec<_> =
        faces.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() == 1).map(|group| group[0]).collect();
    single.sort_unstable_by_key(|&(_, cell, number, _)| (cell, number));
    single.into_iter().map(|(_, cell, _, face)| (face, cell)).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derived::Adjacency;

    #[test]
    fn two_tetrahedra_that_share_a_face_have_six_outward_faces() {
        let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]];
        let positions = positions.map(Point::from);
        // The second cell is listed with negative volume: its faces are oriented outward all the same.
        let (triangles, owners) = boundary_triangles(&[[0, 1, 2, 3], [1, 2, 4, 3]], &positions);
        assert_eq!(triangles.len(), 6);
        assert_eq!(owners.iter().filter(|&&owner| owner == 1).count(), 3);
        assert!(Adjacency::new(&triangles).is_closed());
        let middle = Point::new(0.4, 0.4, 0.4);
        for ids in triangles {
            let [a, b, c] = ids.map(|id| positions[id as usize]);
            assert!((b - a).cross(&(c - a)).dot(&(middle - a)) < 0.0, "{ids:?} faces inward");
        }
    }
}
