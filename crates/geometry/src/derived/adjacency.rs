//! Edge adjacency of triangles: topology only, computed once per topology.

use super::vertex_lists::VertexLists;
use palpate_contact::NONE;

/// Edge defects of a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Closedness {
    /// Edges with only one triangle.
    pub boundary_edges: usize,
    /// Edges with more than two triangles.
    pub non_manifold_edges: usize,
    /// Edges whose two triangles use them in the same direction: inconsistent winding.
    pub misoriented_edges: usize,
}

/// The edges of a surface, each shared edge once, in the order of their first use by the triangles.
#[derive(Clone, Debug, Default)]
pub struct Adjacency {
    /// The two vertex ids of each edge, the lower first; [`NONE`] for an edge that has lost all its triangles.
    pub edges: Vec<[u32; 2]>,
    /// The first triangle of each edge, by [rank](Self::rank), and the next one, or [`NONE`] on a boundary.
    pub edge_triangles: Vec<[u32; 2]>,
    /// The three edges of each triangle; edge `k` joins corners `k` and `(k + 1) % 3`. [`NONE`] for a removed triangle.
    pub triangle_edges: Vec<[u32; 3]>,
    /// The vertices of boundary edges, in ascending order.
    pub border_vertices: Vec<u32>,
    /// The corners at each vertex.
    pub(super) corners: VertexLists,
    /// Counts of boundary, non-manifold and misoriented edges.
    pub closedness: Closedness,
    /// The connected part of each triangle: triangles joined by edges are one part; [`NONE`] for a removed
    /// triangle. Empty if there is only one part.
    pub parts: Vec<u32>,
    /// The number of edges that have lost all their triangles.
    pub(super) removed_edges: usize,
    /// The [rank](Self::rank) of each triangle; empty where it is the number.
    pub(super) ranks: Vec<u32>,
}

/// A half-edge of a triangle: the edge's vertices in order, its origin, and its direction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct HalfEdge {
    vertices: [u32; 2],
    triangle: u32,
    corner: u32,
    reversed: bool,
}

/// Returns the root of a set, with path halving.
fn find(root: &mut [u32], mut element: u32) -> u32 {
    while root[element as usize] != element {
        root[element as usize] = root[root[element as usize] as usize];
        element = root[element as usize];
    }
    element
}

impl Adjacency {
    /// Computes the edges of `triangles` (m × 3, vertex ids). Cost: a sort of 3 m half-edges.
    pub fn new(triangles: &[[u32; 3]]) -> Self {
        let mut sides = half_edges(triangles);
        sides.sort_unstable();
        let groups: Vec<&[HalfEdge]> = sides.chunk_by(|a, b| a.vertices == b.vertices).collect();
        // Edges are numbered by their first half-edge, so that their order follows the triangles' order.
        let mut order: Vec<usize> = (0..groups.len()).collect();
        order.sort_unstable_by_key(|&group| (groups[group][0].triangle, groups[group][0].corner));
        let mut adjacency = Self { triangle_edges: vec![[NONE; 3]; triangles.len()], ..Self::default() };
        for group in order {
            adjacency.add_edge(groups[group]);
        }
        adjacency.border_vertices.sort_unstable();
        adjacency.border_vertices.dedup();
        let joined =
            groups.iter().flat_map(|sides| sides[1..].iter().map(|side| [sides[0].triangle, side.triangle]));
        let is_removed = |triangle: u32| triangles[triangle as usize][0] == NONE;
        adjacency.parts = parts(triangles.len(), joined, is_removed);
        adjacency.corners = VertexLists::new(triangles.as_flattened());
        adjacency
    }

    /// Returns the place of a triangle in the order that decides ties: its number, but for the boundary of a tetrahedral mesh
    /// that was cut, whose triangles come in the order of the tetrahedra.
    #[inline]
    pub fn rank(&self, triangle: u32) -> u32 {
        self.ranks.get(triangle as usize).copied().unwrap_or(triangle)
    }

    /// Sets the ranks of the triangles from the first without one on.
    pub(crate) fn add_ranks(&mut self, ranks: impl IntoIterator<Item = u32>) {
        self.ranks.extend(ranks);
    }

    /// Whether the triangles have other [ranks](Self::rank) than their numbers.
    pub(crate) fn is_ranked(&self) -> bool {
        !self.ranks.is_empty()
    }

    /// Returns the corners of triangles at a vertex, in the order of the triangles: three times the triangle, plus the
    /// corner.
    #[inline]
    pub fn corners_at(&self, vertex: u32) -> &[u32] {
        self.corners.at(vertex)
    }

    /// Returns the part of a triangle; 0 if there is only one part.
    #[inline]
    pub fn part_of(&self, triangle: u32) -> u32 {
        self.parts.get(triangle as usize).copied().unwrap_or(0)
    }

    /// Whether every edge has exactly two triangles with consistent winding; a surface without triangles is open.
    pub fn is_closed(&self) -> bool {
        self.edges.len() > self.removed_edges && self.closedness == Closedness::default()
    }

    fn add_edge(&mut self, sides: &[HalfEdge]) {
        let edge = self.edges.len() as u32;
        let first = sides[0];
        let second = sides.get(1).map_or(NONE, |side| side.triangle);
        self.edges.push(first.vertices);
        self.edge_triangles.push([first.triangle, second]);
        for side in sides {
            self.triangle_edges[side.triangle as usize][side.corner as usize] = edge;
        }
        match sides {
            [_] => {
                self.closedness.boundary_edges += 1;
                self.border_vertices.extend(first.vertices);
            }
            [a, b] if a.reversed == b.reversed => self.closedness.misoriented_edges += 1,
            [_, _] => {}
            _ => self.closedness.non_manifold_edges += 1,
        }
    }
}

/// Numbers the parts of triangles, of which some are joined, by their first triangle (Tarjan 1975, union-find). Removed ones
/// belong to none. Empty if there is only one part.
pub(super) fn parts(
    count: usize,
    joined: impl Iterator<Item = [u32; 2]>,
    is_removed: impl Fn(u32) -> bool,
) -> Vec<u32> {
    let mut root: Vec<u32> = (0..count as u32).collect();
    for pair in joined {
        let [first, other] = pair.map(|triangle| find(&mut root, triangle));
        root[first.max(other) as usize] = first.min(other);
    }
    let mut number = vec![NONE; count];
    let mut next = 0;
    let parts = (0..count as u32)
        .map(|triangle| {
            if is_removed(triangle) {
                return NONE;
            }
            let root = find(&mut root, triangle) as usize;
            if number[root] == NONE {
                number[root] = next;
                next += 1;
            }
            number[root]
        })
        .collect();
    if next > 1 { parts } else { Vec::new() }
}

fn half_edges(triangles: &[[u32; 3]]) -> Vec<HalfEdge> {
    let mut sides = Vec::with_capacity(3 * triangles.len());
    for (triangle, ids) in triangles.iter().enumerate().filter(|(_, ids)| ids[0] != NONE) {
        for corner in 0..3 {
            let (from, to) = (ids[corner], ids[(corner + 1) % 3]);
            let vertices = [from.min(to), from.max(to)];
            let (triangle, corner) = (triangle as u32, corner as u32);
            sides.push(HalfEdge { vertices, triangle, corner, reversed: from > to });
        }
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

    #[test]
    fn a_tetrahedron_has_six_edges_each_once_and_is_closed() {
        let adjacency = Adjacency::new(&TETRAHEDRON);
        assert_eq!(adjacency.edges.len(), 6);
        assert!(adjacency.is_closed());
        for (triangle, edges) in adjacency.triangle_edges.iter().enumerate() {
            for (corner, &edge) in edges.iter().enumerate() {
                let ids = TETRAHEDRON[triangle];
                let (from, to) = (ids[corner], ids[(corner + 1) % 3]);
                assert_eq!(adjacency.edges[edge as usize], [from.min(to), from.max(to)]);
                assert!(adjacency.edge_triangles[edge as usize].contains(&(triangle as u32)));
            }
        }
    }

    /// Two tetrahedra that share at most a vertex are two parts, numbered by their first triangle.
    #[test]
    fn triangles_joined_by_edges_are_one_part() {
        assert!(Adjacency::new(&TETRAHEDRON).parts.is_empty());
        let other = TETRAHEDRON.map(|ids| ids.map(|id| id + 3));
        let mixed = [other[0], TETRAHEDRON[0], other[1], TETRAHEDRON[1], TETRAHEDRON[2], other[2], other[3]];
        let adjacency = Adjacency::new(&mixed);
        assert_eq!(adjacency.parts, [0, 1, 0, 1, 1, 0, 0]);
        assert_eq!((adjacency.part_of(1), Adjacency::new(&TETRAHEDRON).part_of(3)), (1, 0));
    }

    #[test]
    fn every_corner_is_at_its_vertex() {
        let triangles = [[0, 4, 1], [4, 4, 2], [1, 0, 4]];
        let adjacency = Adjacency::new(&triangles);
        let at = [0, 1, 2, 3, 4, 5].map(|vertex| adjacency.corners_at(vertex).to_vec());
        assert_eq!(at, [vec![0, 7], vec![2, 6], vec![5], vec![], vec![1, 3, 4, 8], vec![]]);
        assert!(Adjacency::new(&[]).corners_at(0).is_empty());
    }

    #[test]
    fn edges_are_numbered_in_the_order_of_the_triangles() {
        let adjacency = Adjacency::new(&TETRAHEDRON);
        assert_eq!(adjacency.triangle_edges[0], [0, 1, 2]);
        assert_eq!(adjacency.edges[..3], [[0, 2], [1, 2], [0, 1]]);
    }

    #[test]
    fn holes_branches_and_disagreements_are_counted() {
        assert_eq!(Adjacency::new(&TETRAHEDRON[..3]).closedness.boundary_edges, 3);
        let mut flipped = TETRAHEDRON;
        flipped[0] = [0, 1, 2];
        assert_eq!(Adjacency::new(&flipped).closedness.misoriented_edges, 3);
        let fan = [[0, 1, 2], [0, 1, 3], [0, 1, 4]];
        assert_eq!(Adjacency::new(&fan).closedness.non_manifold_edges, 1);
        assert!(!Adjacency::new(&[]).is_closed());
    }
}
