//! Deduplication: the elements of a mesh already reported, so that each is reported once for all cells that share it.

use crate::mesh::MarkSet;
use palpate_geometry::SurfaceFeature;

/// Marked vertices and edges.
#[derive(Debug, Default)]
pub(crate) struct ReportedFeatures {
    vertices: MarkSet,
    edges: MarkSet,
}

impl ReportedFeatures {
    /// Removes all marks.
    pub(crate) fn clear(&mut self) {
        self.vertices.clear();
        self.edges.clear();
    }

    /// Makes room for all vertices and edges of so many triangles.
    pub(crate) fn make_room(&mut self, triangles: usize) {
        self.vertices.make_room(3 * triangles);
        self.edges.make_room(3 * triangles);
    }

    /// Marks an element of a surface; returns whether it is new. A face is always new.
    pub(crate) fn first(&mut self, feature: SurfaceFeature) -> bool {
        match feature {
            SurfaceFeature::Vertex(vertex) => self.first_vertex(vertex),
            SurfaceFeature::Edge(edge) => self.first_edge(edge),
            SurfaceFeature::Face(_) => true,
        }
    }

    /// Marks a vertex; returns whether it is new.
    #[inline]
    pub(crate) fn first_vertex(&mut self, vertex: u32) -> bool {
        self.vertices.insert(vertex)
    }

    /// Returns the sets, which others may use as long as nothing is marked here.
    pub(crate) fn sets(&mut self) -> [&mut MarkSet; 2] {
        [&mut self.vertices, &mut self.edges]
    }

    /// Returns the slots of the vertices and of the edges.
    pub(crate) fn slots(&self) -> [&MarkSet; 2] {
        [&self.vertices, &self.edges]
    }

    /// Whether a vertex is marked.
    pub(crate) fn has_vertex(&self, vertex: u32) -> bool {
        self.vertices.contains(vertex)
    }

    /// Whether an edge is marked.
    pub(crate) fn has_edge(&self, edge: u32) -> bool {
        self.edges.contains(edge)
    }

    /// Marks an edge; returns whether it is new.
    pub(crate) fn first_edge(&mut self, edge: u32) -> bool {
        self.edges.insert(edge)
    }
}
