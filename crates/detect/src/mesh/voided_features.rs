//! Voided features: edges and vertices between triangles that are nearer.

use crate::mesh::ReportedFeatures;
use palpate_geometry::{SurfaceFeature, SurfaceMesh};

/// The edges and vertices of some triangle that are not its nearest element.
#[derive(Debug, Default)]
pub(crate) struct VoidedFeatures {
    seen: ReportedFeatures,
}

impl VoidedFeatures {
    /// Removes all voided features.
    pub(crate) fn clear(&mut self) {
        self.seen.clear();
    }

    /// Makes room for the elements of so many triangles.
    pub(crate) fn make_room(&mut self, triangles: usize) {
        self.seen.make_room(triangles);
    }

    /// Voids the elements of a triangle for which `is_nearest` is false: usually all but one, fewer if a body lies
    /// along it.
    pub(crate) fn note(
        &mut self,
        surface: &SurfaceMesh,
        triangle: u32,
        is_nearest: impl Fn(SurfaceFeature) -> bool,
    ) {
        for vertex in surface.triangles()[triangle as usize] {
            if !is_nearest(SurfaceFeature::Vertex(vertex)) {
                self.seen.first_vertex(vertex);
            }
        }
        for edge in surface.adjacency().triangle_edges[triangle as usize] {
            if !is_nearest(SurfaceFeature::Edge(edge)) {
                self.seen.first_edge(edge);
            }
        }
    }

    /// Whether some triangle of the element has a nearer element.
    pub(crate) fn is_voided(&self, feature: SurfaceFeature) -> bool {
        match feature {
            SurfaceFeature::Vertex(vertex) => self.seen.has_vertex(vertex),
            SurfaceFeature::Edge(edge) => self.seen.has_edge(edge),
            SurfaceFeature::Face(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::Point;

    /// Two triangles that share the edge from 1 to 2.
    #[test]
    fn an_edge_counts_where_both_of_its_triangles_have_it() {
        let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
        let corners = corners.map(|[x, z]| Point::new(x, 0.0, z)).to_vec();
        let surface = SurfaceMesh::new(corners, vec![[0, 1, 2], [2, 1, 3]]).unwrap();
        let shared = SurfaceFeature::Edge(1);
        assert_eq!(surface.adjacency().edges[1], [1, 2]);
        let mut voided = VoidedFeatures::default();
        voided.clear();
        voided.note(&surface, 0, |feature| feature == shared);
        assert!(!voided.is_voided(shared));
        voided.note(&surface, 1, |feature| feature == SurfaceFeature::Face(1));
        assert!(voided.is_voided(shared) && voided.is_voided(SurfaceFeature::Vertex(2)));
        assert!(!voided.is_voided(SurfaceFeature::Face(1)));
        voided.clear();
        assert!(!voided.is_voided(shared), "clear() removes all voids");
    }
}
