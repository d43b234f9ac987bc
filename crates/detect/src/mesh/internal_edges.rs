//! Internal edges: a smooth body that slides over a flat floor of triangles meets the floor, not the edges between its
//! triangles.
//!
//! Each triangle in reach has one nearest element to the body. An edge or a vertex is a place where the surface truly is
//! nearest only if it is the nearest element of *every* triangle that has it: otherwise one of these is nearer, and the way
//! from the edge is one that the surface itself does not have there. (The same idea by normals: C. Ericson 2005, section
//! 11.5.1; the Voronoi regions of features: M. Lin and J. Canny 1991.) Triangles that do not share their vertices by id
//! know nothing of one another.

use crate::mesh::surface_sides::SurfaceSidedness;
use palpate_geometry::SurfaceMesh;
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
