//! Health report of a surface.

use crate::derived::Adjacency;
use crate::health::{
    Component, Components, DisjointSets, Findings, Orientation, lowest_in_place, self_intersections,
};
use crate::{Sidedness, SurfaceMesh};
use palpate_contact::NONE;
use palpate_math::{Point, triangle};

/// Properties and defects of a surface in its current positions. Edges are named by their two vertices, the lower
/// first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceHealth {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Number of edges, each shared one counted once.
    pub edges: usize,
    /// Vertices without triangles.
    pub unused_vertices: Findings<u32>,
    /// Vertices bitwise coincident with a lower one: the vertex, and the lowest coincident one.
    pub duplicate_vertices: Findings<[u32; 2]>,
    /// Triangles whose height is within rounding error, or that name a vertex twice.
    pub degenerate_triangles: Findings<u32>,
    /// Triangles with the same three vertices as a lower one: the triangle, and the lowest.
    pub duplicate_triangles: Findings<[u32; 2]>,
    /// Edges with only one triangle.
    pub boundary_edges: Findings<[u32; 2]>,
    /// Connected boundaries (holes and rims), each named by its lowest vertex.
    pub boundary_loops: Findings<u32>,
    /// Edges with more than two triangles.
    pub non_manifold_edges: Findings<[u32; 2]>,
    /// Vertices whose triangles form more than one fan.
    pub non_manifold_vertices: Findings<u32>,
    /// Edges whose two triangles have inconsistent winding.
    pub misoriented_edges: Findings<[u32; 2]>,
    /// The parts connected by edges, ordered by their lowest triangles.
    pub components: Findings<Component>,
    /// Number of components with inward winding.
    pub inward_components: usize,
    /// Components whose winding contradicts the others; only searched for on a closed surface without
    /// self-intersections. The search stops where very many components lie within each other; then
    /// [`at_least`](Findings::at_least) is true.
    pub inconsistent_components: Findings<u32>,
    /// Pairs of triangles that intersect beyond the corners and edges they share; coincident vertices count as shared.
    /// The search stops where it takes too long, as among thousands of triangles in one place: after five million
    /// tests, or a hundred for each triangle; then [`at_least`](Findings::at_least) is true.
    pub self_intersections: Findings<[u32; 2]>,
    /// The area, in square metres.
    pub area: f64,
    /// The signed volume of the closed components, in cubic metres: negative for inward winding.
    pub volume: f64,
}

impl SurfaceHealth {
    /// Whether every edge has exactly two triangles.
    pub fn is_closed(&self) -> bool {
        self.triangles > 0 && self.boundary_edges.is_empty() && self.non_manifold_edges.is_empty()
    }

    /// Whether the winding is consistent across all shared edges.
    pub fn is_oriented(&self) -> bool {
        self.misoriented_edges.is_empty()
    }

    /// Whether the neighbourhood of each point is a disc, or a half-disc on the boundary.
    pub fn is_manifold(&self) -> bool {
        self.non_manifold_edges.is_empty() && self.non_manifold_vertices.is_empty()
    }

    /// Whether the surface is closed and oriented with inward winding as a whole: its normals are flipped before use.
    pub fn is_inward(&self) -> bool {
        self.is_closed() && self.is_oriented() && self.volume < 0.0
    }

    /// Returns the recommended inside-outside classification: pseudonormals if the surface is closed and oriented,
    /// without self-intersections and with consistent components; else winding numbers.
    pub fn sidedness(&self) -> Sidedness {
        let sound = self.is_closed()
            && self.is_oriented()
            && self.self_intersections.is_empty()
            && self.inconsistent_components.is_empty();
        if sound { Sidedness::Pseudonormals } else { Sidedness::WindingNumber }
    }
}

impl SurfaceMesh {
    /// Examines the surface in its current positions. Cost: O(n log n), dominated by the search for self-intersections,
    /// which stops where too many triangles lie in one place; uses [`Needs::TREE`](crate::Needs::TREE) if up to date, but does not require it.
    /// The report on a cut surface is that of the [compacted](Self::compact) one, with its numbers.
    pub fn health(&self) -> SurfaceHealth {
        if self.is_cut() {
            let mut whole = self.clone();
            whole.compact();
            return whole.health();
        }
        let (positions, triangles) = (self.points().positions(), self.triangles());
        let adjacency = self.adjacency();
        let places = lowest_in_place(positions);
        let edges = Edges::new(adjacency, triangles);
        let components = Components::new(positions, triangles, adjacency, &edges.sound);
        let intersections = self_intersections(positions, triangles, &places, self.tree());
        let consistent = adjacency.is_closed() && intersections.is_empty();
        let vertices = || 0..positions.len() as u32;
        let inward = |component: &&Component| component.orientation == Orientation::Inward;
        SurfaceHealth {
            vertices: positions.len(),
            triangles: triangles.len(),
            edges: adjacency.edges.len(),
            unused_vertices: vertices().filter(|&vertex| self.points().owner(vertex) == NONE).collect(),
            duplicate_vertices: vertices()
                .map(|vertex| [vertex, places[vertex as usize]])
                .filter(|[vertex, lowest]| vertex != lowest)
                .collect(),
            degenerate_triangles: degenerate(positions, triangles),
            duplicate_triangles: duplicates(triangles),
            boundary_edges: edges.with(adjacency, |count| count == 1),
            boundary_loops: edges.boundary_loops(adjacency, positions.len()),
            non_manifold_edges: edges.with(adjacency, |count| count > 2),
            non_manifold_vertices: vertices_of_many_fans(adjacency, triangles, positions.len()),
            misoriented_edges: edges.misoriented(adjacency),
            inward_components: components.list.iter().filter(inward).count(),
            inconsistent_components: if consistent { components.inconsistent() } else { Findings::default() },
            self_intersections: intersections,
            area: components.list.iter().map(|component| component.area).sum(),
            volume: components.list.iter().map(|component| component.volume).sum(),
            components: components.list.into_iter().collect(),
        }
    }
}

/// Edge properties derived from the triangles.
struct Edges {
    /// Number of triangles.
    counts: Vec<u32>,
    /// Whether there are two, with consistent winding.
    sound: Vec<bool>,
}

impl Edges {
    fn new(adjacency: &Adjacency, triangles: &[[u32; 3]]) -> Self {
        let mut counts = vec![0; adjacency.edges.len()];
        let mut upward = vec![0; adjacency.edges.len()];
        for (ids, edges) in triangles.iter().zip(&adjacency.triangle_edges) {
            for (corner, &edge) in edges.iter().enumerate() {
                counts[edge as usize] += 1;
                upward[edge as usize] += u32::from(ids[corner] < ids[(corner + 1) % 3]);
            }
        }
        let sound = counts.iter().zip(&upward).map(|(&count, &upward)| count == 2 && upward == 1).collect();
        Self { counts, sound }
    }

    /// Returns the edges with a matching number of triangles.
    fn with(&self, adjacency: &Adjacency, wanted: impl Fn(u32) -> bool) -> Findings<[u32; 2]> {
        sorted(
            adjacency
                .edges
                .iter()
                .zip(&self.counts)
                .filter(|(_, count)| wanted(**count))
                .map(|(edge, _)| *edge),
        )
    }

    fn misoriented(&self, adjacency: &Adjacency) -> Findings<[u32; 2]> {
        let judged = adjacency.edges.iter().zip(self.counts.iter().zip(&self.sound));
        sorted(judged.filter(|(_, (count, sound))| **count == 2 && !**sound).map(|(edge, _)| *edge))
    }

    fn boundary_loops(&self, adjacency: &Adjacency, vertex_count: usize) -> Findings<u32> {
        let mut sets = DisjointSets::new(vertex_count);
        let boundary = || adjacency.edges.iter().zip(&self.counts).filter(|(_, count)| **count == 1);
        boundary().for_each(|(&[a, b], _)| sets.join(a, b));
        let mut lowest: Vec<u32> = boundary().map(|(&[a, _], _)| sets.lowest(a)).collect();
        lowest.sort_unstable();
        lowest.dedup();
        lowest.into_iter().collect()
    }
}

fn sorted(edges: impl Iterator<Item = [u32; 2]>) -> Findings<[u32; 2]> {
    let mut edges: Vec<[u32; 2]> = edges.collect();
    edges.sort_unstable();
    edges.into_iter().collect()
}

fn degenerate(positions: &[Point], triangles: &[[u32; 3]]) -> Findings<u32> {
    let is_flat = |&index: &u32| {
        let [a, b, c] = triangles[index as usize].map(|id| &positions[id as usize]);
        triangle::is_flat(a, b, c)
    };
    (0..triangles.len() as u32).filter(is_flat).collect()
}

fn duplicates(triangles: &[[u32; 3]]) -> Findings<[u32; 2]> {
    let mut keys: Vec<([u32; 3], u32)> = triangles
        .iter()
        .zip(0..)
        .map(|(ids, triangle)| {
            let mut key = *ids;
            key.sort_unstable();
            (key, triangle)
        })
        .collect();
    keys.sort_unstable();
    let groups = keys.chunk_by(|a, b| a.0 == b.0);
    sorted(groups.flat_map(|group| group[1..].iter().map(|other| [other.1, group[0].1])))
}

/// Returns the vertices at which the triangle corners, joined by shared edges, form more than one set.
fn vertices_of_many_fans(
    adjacency: &Adjacency,
    triangles: &[[u32; 3]],
    vertex_count: usize,
) -> Findings<u32> {
    let mut sets = DisjointSets::new(3 * triangles.len());
    // The corners of the first triangle of each edge, at its lower and its higher vertex.
    let mut first = vec![[NONE; 2]; adjacency.edges.len()];
    for (triangle, (ids, edges)) in triangles.iter().zip(&adjacency.triangle_edges).enumerate() {
        for (side, &edge) in edges.iter().enumerate() {
            let corners = [side, (side + 1) % 3].map(|corner| (3 * triangle + corner) as u32);
            let corners = if ids[side] <= ids[(side + 1) % 3] { corners } else { [corners[1], corners[0]] };
            let known = &mut first[edge as usize];
            if known[0] == NONE {
                *known = corners;
            } else {
                sets.join(known[0], corners[0]);
                sets.join(known[1], corners[1]);
            }
        }
    }
    let mut fans = vec![0_u32; vertex_count];
    for (triangle, ids) in triangles.iter().enumerate() {
        for (corner, &id) in ids.iter().enumerate() {
            let corner = (3 * triangle + corner) as u32;
            fans[id as usize] += u32::from(sets.lowest(corner) == corner);
        }
    }
    (0..vertex_count as u32).filter(|&vertex| fans[vertex as usize] > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

    fn corners(at: [f64; 3], size: f64) -> Vec<Point> {
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
            .map(|p| Point::new(at[0] + size * p[0], at[1] + size * p[1], at[2] + size * p[2]))
            .to_vec()
    }

    /// Creates disjoint tetrahedra from position, size, and whether the winding is inward.
    fn tetrahedra(parts: &[([f64; 3], f64, bool)]) -> SurfaceHealth {
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        for &(at, size, inward) in parts {
            let base = positions.len() as u32;
            positions.extend(corners(at, size));
            triangles.extend(TETRAHEDRON.map(|[a, b, c]| {
                let ids = if inward { [a, c, b] } else { [a, b, c] };
                ids.map(|id| base + id)
            }));
        }
        SurfaceMesh::new(positions, triangles).unwrap().health()
    }

    #[test]
    fn a_tetrahedron_is_sound() {
        let health = tetrahedra(&[([0.0; 3], 6.0, false)]);
        assert!(health.is_closed() && health.is_oriented() && health.is_manifold() && !health.is_inward());
        assert_eq!((health.vertices, health.triangles, health.edges), (4, 4, 6));
        assert_eq!((health.components.count, health.volume), (1, 36.0));
        assert_eq!(health.components.first[0].orientation, Orientation::Outward);
        assert!(health.self_intersections.is_empty() && health.duplicate_vertices.is_empty());
        assert_eq!(health.sidedness(), Sidedness::Pseudonormals);
    }

    #[test]
    fn inward_winding_is_found_as_a_whole_and_per_component() {
        let whole = tetrahedra(&[([0.0; 3], 6.0, true)]);
        assert!(whole.is_inward() && whole.inward_components == 1);
        assert_eq!(whole.sidedness(), Sidedness::Pseudonormals, "flipped as a whole");
        let one_of_two = tetrahedra(&[([0.0; 3], 6.0, false), ([9.0; 3], 3.0, true)]);
        assert_eq!((one_of_two.inward_components, one_of_two.inconsistent_components.count), (1, 1));
        assert_eq!(one_of_two.inconsistent_components.first, [1]);
        assert_eq!(one_of_two.sidedness(), Sidedness::WindingNumber);
    }

    #[test]
    fn a_cavity_winds_inward_and_a_body_in_a_body_is_a_contradiction() {
        let within = [0.5, 0.5, 0.5];
        let cavity = tetrahedra(&[([0.0; 3], 6.0, false), (within, 1.0, true)]);
        assert!(cavity.inconsistent_components.is_empty());
        assert_eq!(cavity.sidedness(), Sidedness::Pseudonormals);
        let body = tetrahedra(&[([0.0; 3], 6.0, false), (within, 1.0, false)]);
        assert_eq!(body.inconsistent_components.first, [1]);
        let turned_over = tetrahedra(&[([0.0; 3], 6.0, true), (within, 1.0, false)]);
        assert!(turned_over.inconsistent_components.is_empty());
    }

    #[test]
    fn bodies_that_cross_and_bodies_that_touch_intersect() {
        let crossing = tetrahedra(&[([0.0; 3], 6.0, false), ([1.0, 1.0, -1.0], 4.0, false)]);
        assert!(crossing.self_intersections.count > 2);
        assert_eq!(crossing.sidedness(), Sidedness::WindingNumber);
        // One has a corner on the slanted face of the other.
        let touching = tetrahedra(&[([0.0; 3], 6.0, false), ([2.0, 2.0, 2.0], 1.0, false)]);
        assert_eq!(touching.self_intersections.first, [[2, 4], [2, 5], [2, 7]]);
    }

    #[test]
    fn holes_branches_and_disagreements_are_named() {
        let open = SurfaceMesh::new(corners([0.0; 3], 1.0), TETRAHEDRON[1..].to_vec()).unwrap().health();
        assert!(!open.is_closed() && open.is_manifold());
        assert_eq!(open.boundary_edges.first, [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(open.boundary_loops.first, [0]);
        let mut flipped = TETRAHEDRON.to_vec();
        flipped[0] = [0, 1, 2];
        let flipped = SurfaceMesh::new(corners([0.0; 3], 1.0), flipped).unwrap().health();
        assert!(flipped.is_closed() && !flipped.is_oriented());
        assert_eq!(flipped.misoriented_edges.first, [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(flipped.components.first[0].orientation, Orientation::Undefined);
        let mut positions = corners([0.0; 3], 1.0);
        positions.extend([Point::new(0.5, 0.5, -1.0), Point::new(7.0, 7.0, 7.0)]);
        let branching =
            SurfaceMesh::new(positions, vec![[0, 1, 2], [1, 0, 3], [0, 1, 4], [0, 1, 4]]).unwrap();
        let branching = branching.health();
        assert_eq!(branching.non_manifold_edges.first, [[0, 1]]);
        assert_eq!(branching.duplicate_triangles.first, [[3, 2]]);
        assert_eq!(branching.unused_vertices.first, [5]);
        assert!(!branching.is_manifold());
    }

    #[test]
    fn two_fans_at_one_vertex_are_not_manifold() {
        let mut positions = corners([0.0; 3], 1.0);
        positions.extend(corners([0.0; 3], -1.0)[1..].iter());
        let mut triangles = TETRAHEDRON.to_vec();
        triangles.extend(TETRAHEDRON.map(|ids| ids.map(|id| if id == 0 { 0 } else { id + 3 })));
        let health = SurfaceMesh::new(positions, triangles).unwrap().health();
        assert!(health.is_closed() && !health.is_manifold());
        assert_eq!((health.non_manifold_vertices.first, health.components.count), (vec![0], 2));
        assert!(health.self_intersections.is_empty(), "they share the corner at which they touch");
    }

    #[test]
    fn degenerate_and_duplicate_ones_are_named() {
        let mut positions = corners([0.0; 3], 1.0);
        positions.push(Point::new(0.0, 1.0, 0.0));
        positions.push(Point::new(0.5, 0.0, 0.0));
        let mesh = SurfaceMesh::new(positions, vec![[0, 1, 2], [0, 5, 1], [3, 4, 3]]).unwrap();
        let health = mesh.health();
        assert_eq!(health.degenerate_triangles.first, [1, 2]);
        assert_eq!(health.duplicate_vertices.first, [[4, 2]]);
        assert_eq!(SurfaceMesh::new(Vec::new(), Vec::new()).unwrap().health().triangles, 0);
    }
}
