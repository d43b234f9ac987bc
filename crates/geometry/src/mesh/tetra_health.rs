//! Health report of a tetrahedral mesh.

use super::SurfaceHealth;
use crate::derived::boundary_triangles;
use crate::health::{Findings, lowest_in_place};
use crate::{SurfaceMesh, TetraMesh};
use palpate_contact::NONE;
use palpate_math::tetrahedron;

/// Properties and defects of a tetrahedral mesh in its current positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TetraHealth {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of tetrahedra.
    pub tetrahedra: usize,
    /// Vertices without tetrahedra.
    pub unused_vertices: Findings<u32>,
    /// Vertices bitwise coincident with a lower one: the vertex, and the lowest coincident one.
    pub duplicate_vertices: Findings<[u32; 2]>,
    /// Tetrahedra whose volume is within rounding error of zero, or that name a vertex twice.
    pub flat_tetrahedra: Findings<u32>,
    /// Tetrahedra whose volume has the opposite sign of the majority, excluding flat ones.
    pub inverted_tetrahedra: Findings<u32>,
    /// Whether most tetrahedra are listed with negative volume: a file convention, not a defect.
    pub listed_negative: bool,
    /// Tetrahedra with the same four vertices as a lower one: the tetrahedron, and the lowest.
    pub duplicate_tetrahedra: Findings<[u32; 2]>,
    /// Faces with more than two tetrahedra, by their vertices in ascending order.
    pub non_manifold_faces: Findings<[u32; 3]>,
    /// The sum of the absolute volumes, in cubic metres.
    pub volume: f64,
    /// The health of the boundary surface: the faces that belong to only one tetrahedron, oriented outward. Its vertex
    /// ids are those of the mesh; interior and duplicate vertices are not reported again.
    pub boundary: SurfaceHealth,
}

impl TetraMesh {
    /// Examines the mesh in its current positions. Cost: O(n log n), dominated by the search for self-intersections of
    /// the boundary. The report on a cut mesh is that of the [compacted](Self::compact) one, with its numbers.
    pub fn health(&self) -> TetraHealth {
        if self.is_cut() {
            let mut whole = self.clone();
            whole.compact();
            return whole.health();
        }
        let (positions, cells) = (self.points().positions(), self.cells());
        let places = lowest_in_place(positions);
        let vertices = || 0..positions.len() as u32;
        let corners = |cell: u32| cells[cell as usize].map(|id| &positions[id as usize]);
        let six_volumes: Vec<f64> =
            (0..cells.len() as u32).map(|cell| tetrahedron::six_volumes(corners(cell))).collect();
        let negative = six_volumes.iter().filter(|&&volume| volume < 0.0).count();
        let positive = six_volumes.iter().filter(|&&volume| volume > 0.0).count();
        let listed_negative = negative > positive;
        let is_flat = |&cell: &u32| tetrahedron::is_flat(corners(cell));
        let is_inverted = |cell: &u32| {
            let volume = six_volumes[*cell as usize];
            !is_flat(cell) && (volume < 0.0) != listed_negative
        };
        TetraHealth {
            vertices: positions.len(),
            tetrahedra: cells.len(),
            unused_vertices: vertices().filter(|&vertex| self.points().owner(vertex) == NONE).collect(),
            duplicate_vertices: vertices()
                .map(|vertex| [vertex, places[vertex as usize]])
                .filter(|[vertex, lowest]| vertex != lowest)
                .collect(),
            flat_tetrahedra: (0..cells.len() as u32).filter(is_flat).collect(),
            inverted_tetrahedra: (0..cells.len() as u32).filter(is_inverted).collect(),
            listed_negative,
            duplicate_tetrahedra: duplicates(cells),
            non_manifold_faces: crowded_faces(cells),
            volume: six_volumes.iter().map(|volume| volume.abs()).sum::<f64>() / 6.0,
            boundary: boundary_health(self),
        }
    }
}

fn boundary_health(mesh: &TetraMesh) -> SurfaceHealth {
    let positions = mesh.points().positions();
    let (triangles, _) = boundary_triangles(mesh.cells(), positions);
    let Ok(surface) = SurfaceMesh::new(positions.to_vec(), triangles) else {
        return SurfaceHealth::default();
    };
    let used = (0..positions.len() as u32).filter(|&vertex| surface.points().owner(vertex) != NONE).count();
    SurfaceHealth {
        vertices: used,
        unused_vertices: Findings::default(),
        duplicate_vertices: Findings::default(),
        ..surface.health()
    }
}

fn duplicates(cells: &[[u32; 4]]) -> Findings<[u32; 2]> {
    let mut keys: Vec<([u32; 4], u32)> = cells
        .iter()
        .zip(0..)
        .map(|(ids, cell)| {
            let mut key = *ids;
            key.sort_unstable();
            (key, cell)
        })
        .collect();
    keys.sort_unstable();
    let groups = keys.chunk_by(|a, b| a.0 == b.0);
    let mut pairs: Vec<[u32; 2]> =
        groups.flat_map(|group| group[1..].iter().map(|other| [other.1, group[0].1])).collect();
    pairs.sort_unstable();
    pairs.into_iter().collect()
}

fn crowded_faces(cells: &[[u32; 4]]) -> Findings<[u32; 3]> {
    let mut faces: Vec<[u32; 3]> = cells
        .iter()
        .flat_map(|ids| {
            (0..4).map(move |corner| {
                let mut face = tetrahedron::face_corners(corner).map(|corner| ids[corner]);
                face.sort_unstable();
                face
            })
        })
        .collect();
    faces.sort_unstable();
    faces.chunk_by(|a, b| a == b).filter(|group| group.len() > 2).map(|group| group[0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::Point;

    fn points() -> Vec<Point> {
        [[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [0.0, 6.0, 0.0], [0.0, 0.0, 6.0], [6.0, 6.0, 6.0], [1.0, 1.0, 0.0]]
            .map(Point::from)
            .to_vec()
    }

    fn health(cells: &[[u32; 4]]) -> TetraHealth {
        TetraMesh::new(points(), cells.to_vec()).unwrap().health()
    }

    #[test]
    fn two_tetrahedra_are_sound_whichever_way_both_are_listed() {
        for (cells, negative) in [([[0, 1, 2, 3], [1, 2, 3, 4]], false), ([[1, 0, 2, 3], [2, 1, 3, 4]], true)]
        {
            let health = health(&cells);
            assert_eq!(health.listed_negative, negative);
            assert!(health.flat_tetrahedra.is_empty() && health.inverted_tetrahedra.is_empty());
            assert!(health.boundary.is_closed() && health.boundary.is_oriented());
            assert_eq!((health.boundary.triangles, health.unused_vertices.first.clone()), (6, vec![5]));
            assert_eq!(health.volume, 36.0 + 72.0);
            assert_eq!(health.boundary.volume, health.volume);
        }
    }

    #[test]
    fn flat_inverted_and_doubled_ones_are_named() {
        let cells = [[0, 1, 2, 3], [1, 2, 3, 4], [0, 1, 2, 5], [1, 0, 3, 2], [1, 0, 2, 4]];
        let health = health(&cells);
        assert_eq!(health.flat_tetrahedra.first, [2]);
        assert_eq!(health.duplicate_tetrahedra.first, [[3, 0]]);
        assert_eq!(health.non_manifold_faces.first, [[0, 1, 2], [1, 2, 3]]);
        assert_eq!(health.inverted_tetrahedra.first, [4]);
    }
}
