//! Vertex adjacency of a hull.

use nalgebra::Vector3;

use crate::vector::VectorSpace;

/// The neighbours of every vertex, in one list.
#[derive(Clone, Debug)]
pub(crate) struct Neighbours {
    first: Vec<u32>,
    list: Vec<u32>,
}

impl Neighbours {
    /// Builds the adjacency from triangles, each vertex's neighbours in ascending order.
    pub(crate) fn new(vertex_count: usize, triangles: &[[u32; 3]]) -> Self {
        let mut edges: Vec<(u32, u32)> = triangles
            .iter()
            .flat_map(|&[a, b, c]| [(a, b), (b, a), (b, c), (c, b), (c, a), (a, c)])
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let mut first = vec![0; vertex_count + 1];
        for &(from, _) in &edges {
            first[from as usize + 1] += 1;
        }
        for vertex in 0..vertex_count {
            first[vertex + 1] += first[vertex];
        }
        Self { first, list: edges.into_iter().map(|(_, to)| to).collect() }
    }

    /// Returns the neighbours of a vertex.
    #[inline(always)]
    pub(crate) fn of(&self, vertex: usize) -> &[u32] {
        &self.list[self.first[vertex] as usize..self.first[vertex + 1] as usize]
    }

    /// Hill climbing: moves from a vertex to its farthest neighbour until none is farther; on a convex hull this ends
    /// at a support point (Cameron 1997).
    #[inline(always)]
    pub(crate) fn climb(&self, points: &[Vector3<f64>], direction: &Vector3<f64>, start: usize) -> usize {
        let mut at = start;
        let mut best = points[at].inner(*direction);
        loop {
            let mut next = at as u32;
            for &neighbour in self.of(at) {
                // Branchless: which neighbour is farther is unpredictable.
                let other = points[neighbour as usize].inner(*direction);
                next = if other > best { neighbour } else { next };
                best = if other > best { other } else { best };
            }
            if next as usize == at {
                return at;
            }
            at = next as usize;
        }
    }
}
