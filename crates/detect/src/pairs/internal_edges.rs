//! Internal edges: a smooth body that slides over a flat floor of triangles meets the floor, not the edges between its
//! triangles.
//!
//! Each triangle in reach has one nearest element to the body. An edge or a vertex is a place where the surface truly is
//! nearest only if it is the nearest element of *every* triangle that has it: otherwise one of these is nearer, and the way
//! from the edge is one that the surface itself does not have there. (The same idea by normals: C. Ericson 2005, section
//! 11.5.1; the Voronoi regions of features: M. Lin and J. Canny 1991.) Triangles that do not share their vertices by id
//! know nothing of one another.

use crate::pairs::seen::Seen;
use crate::pairs::surface_sides::Role;
use palpate_geometry::{SurfaceFeature, SurfaceMesh};
use serde::{Deserialize, Serialize};

/// What becomes of contacts with edges and vertices that lie between triangles nearer to the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InternalEdges {
    /// A closed surface and a sheet with a front ignore them, a sheet with two sides keeps them.
    #[default]
    AsGiven,
    /// They are left out: an edge or a vertex is in contact only where it is the nearest element of every triangle that has
    /// it. The nearest element of all is always kept.
    Ignore,
    /// Every triangle's nearest element is in contact, as iMSTK's detectors have it.
    Keep,
}

impl InternalEdges {
    /// Whether they are left out of a surface in this role.
    pub(crate) fn are_ignored(self, surface: &SurfaceMesh, role: Role) -> bool {
        self.ignored(surface) || self == Self::AsGiven && role == Role::Front
    }

    pub(crate) fn ignored(self, surface: &SurfaceMesh) -> bool {
        match self {
            Self::AsGiven => surface.is_closed(),
            Self::Ignore => true,
            Self::Keep => false,
        }
    }
}

/// The edges and vertices that some triangle has, but not as its nearest element.
#[derive(Debug, Default)]
pub(crate) struct Passed {
    seen: Seen,
}

impl Passed {
    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.seen.clear();
    }

    /// Notes that `nearest` are the nearest elements of `triangle`: mostly one, and more where a body lies along it.
    pub(crate) fn note(&mut self, surface: &SurfaceMesh, triangle: u32, nearest: &[SurfaceFeature]) {
        for vertex in surface.triangles()[triangle as usize] {
            if !nearest.contains(&SurfaceFeature::Vertex(vertex)) {
                self.seen.first_vertex(vertex);
            }
        }
        for edge in surface.adjacency().triangle_edges[triangle as usize] {
            if !nearest.contains(&SurfaceFeature::Edge(edge)) {
                self.seen.first_edge(edge);
            }
        }
    }

    /// Whether a triangle that has the element has a nearer one.
    pub(crate) fn is_internal(&self, feature: SurfaceFeature) -> bool {
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

    /// Two triangles about the edge from 1 to 2.
    #[test]
    fn an_edge_counts_where_both_of_its_triangles_have_it() {
        let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
        let corners = corners.map(|[x, z]| Point::new(x, 0.0, z)).to_vec();
        let surface = SurfaceMesh::new(corners, vec![[0, 1, 2], [2, 1, 3]]).unwrap();
        let shared = SurfaceFeature::Edge(1);
        assert_eq!(surface.adjacency().edges[1], [1, 2]);
        let mut passed = Passed::default();
        passed.clear();
        passed.note(&surface, 0, &[shared]);
        assert!(!passed.is_internal(shared));
        passed.note(&surface, 1, &[SurfaceFeature::Face(1)]);
        assert!(passed.is_internal(shared) && passed.is_internal(SurfaceFeature::Vertex(2)));
        assert!(!passed.is_internal(SurfaceFeature::Face(1)));
        passed.clear();
        assert!(!passed.is_internal(shared), "a new round forgets");
    }
}
