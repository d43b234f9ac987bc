//! Which elements of a mesh were reported already: each once, however many cells share it.

/// Marks on vertices and edges, cleared by counting up instead of writing.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    vertices: Vec<u32>,
    edges: Vec<u32>,
    round: u32,
}

impl Seen {
    /// Forgets all marks, and makes room.
    pub(crate) fn begin(&mut self, vertex_count: usize, edge_count: usize) {
        self.vertices.resize(vertex_count, 0);
        self.edges.resize(edge_count, 0);
        if self.round == u32::MAX {
            self.vertices.fill(0);
            self.edges.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }

    /// Marks a vertex; whether it was not marked before.
    pub(crate) fn first_vertex(&mut self, vertex: u32) -> bool {
        std::mem::replace(&mut self.vertices[vertex as usize], self.round) != self.round
    }

    /// Whether a vertex is marked.
    pub(crate) fn has_vertex(&self, vertex: u32) -> bool {
        self.vertices[vertex as usize] == self.round
    }

    /// Whether an edge is marked.
    pub(crate) fn has_edge(&self, edge: u32) -> bool {
        self.edges[edge as usize] == self.round
    }

    /// Marks an edge; whether it was not marked before.
    pub(crate) fn first_edge(&mut self, edge: u32) -> bool {
        std::mem::replace(&mut self.edges[edge as usize], self.round) != self.round
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_is_new_once_a_round_also_when_the_count_wraps() {
        let mut seen = Seen { round: u32::MAX - 1, ..Seen::default() };
        for _ in 0..4 {
            seen.begin(2, 1);
            assert!(seen.first_vertex(1) && !seen.first_vertex(1));
            assert!(seen.first_edge(0) && seen.first_vertex(0));
        }
    }
}
