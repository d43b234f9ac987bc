//! Internal edges: a smooth body sliding over a flat triangulated floor collides with the floor, not with the edges
//! between triangles.
//!
//! Each candidate triangle has one element nearest to the body. An edge or a vertex is a true closest feature of the
//! surface only if it is the nearest element of *every* triangle that shares it: otherwise one of these triangles is
//! nearer, and the direction from the edge is outside the edge's Voronoi region. (The same idea by normals: C.
//! Ericson 2005, section 11.5.1; the Voronoi regions of features: M. Lin and J. Canny 1991.) Triangles that do not
//! share vertices by index are independent.

use crate::mesh::surface_sides::SurfaceSidedness;
use palpate_contact::NONE;
use palpate_geometry::{SurfaceFeature, SurfaceMesh};
use palpate_math::Vector;
use serde::{Deserialize, Serialize};

/// How far a direction may point out of an element's normal cone, as a cosine.
const CONE: f64 = 1e-9;

/// Treatment of contacts with edges and vertices between triangles that are nearer to the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InternalEdges {
    /// Closed surfaces and tetra meshes ignore them, and one-sided sheets against convex bodies
    /// ([`SurfaceMeshConvex`](crate::pairs::SurfaceMeshConvex)); other sheets keep them, but for the exits of overlapping
    /// convex bodies that lead into a neighbouring triangle.
    #[default]
    AsGiven,
    /// They are dropped: an edge or a vertex is reported only if it is the nearest element of every triangle that
    /// shares it. The closest element of all is always kept.
    Ignore,
    /// The nearest element of every triangle is reported, as in iMSTK's detectors.
    Keep,
}

impl InternalEdges {
    /// Whether internal edges of a surface with this sidedness are dropped.
    pub(crate) fn are_ignored(self, surface: &SurfaceMesh, sidedness: SurfaceSidedness) -> bool {
        self.ignored(surface) || self == Self::AsGiven && sidedness == SurfaceSidedness::Front
    }

    pub(crate) fn ignored(self, surface: &SurfaceMesh) -> bool {
        match self {
            Self::AsGiven => surface.is_closed(),
            Self::Ignore => true,
            Self::Keep => false,
        }
    }
}

/// Whether a unit direction is outside the normal cone of an element: a triangle of it extends farther along that.
pub(crate) fn leads_into_neighbour(surface: &SurfaceMesh, feature: SurfaceFeature, outward: &Vector) -> bool {
    match feature {
        SurfaceFeature::Face(_) => false,
        SurfaceFeature::Edge(edge) => leads_over(surface, edge, outward),
        SurfaceFeature::Vertex(vertex) => {
            let positions = surface.points().positions();
            let place = positions[vertex as usize];
            surface.adjacency().corners_at(vertex).iter().any(|corner| {
                let ids = surface.triangles()[*corner as usize / 3];
                ids.into_iter().any(|id| is_along(&(positions[id as usize] - place), outward))
            })
        }
    }
}

/// Whether a triangle of an edge extends beyond it along a unit direction.
fn leads_over(surface: &SurfaceMesh, edge: u32, outward: &Vector) -> bool {
    let [start, end] = surface.edge_ends(edge);
    let along = end - start;
    let ids = surface.adjacency().edges[edge as usize];
    let triangles = surface.adjacency().edge_triangles[edge as usize];
    triangles.into_iter().filter(|&triangle| triangle != NONE).any(|triangle| {
        let apex = surface.triangles()[triangle as usize].into_iter().find(|id| !ids.contains(id));
        apex.is_some_and(|apex| {
            let aside = surface.points().positions()[apex as usize] - start;
            let share = aside.dot(&along) / along.norm_squared().max(f64::MIN_POSITIVE);
            is_along(&(aside - along * share), outward)
        })
    })
}

/// Whether a vector points along a unit direction.
fn is_along(vector: &Vector, outward: &Vector) -> bool {
    vector.dot(outward) > CONE * vector.norm()
}
