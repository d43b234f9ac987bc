//! Settings shared by the surface mesh detectors.

use crate::mesh::internal_edges::InternalEdges;
use crate::mesh::surface_sides::SurfaceSides;
use serde::{Deserialize, Serialize};

/// Settings of surfaces against points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SurfaceSettings {
    /// The sidedness of the surface; by default a closed one is a solid.
    pub sides: SurfaceSides,
}

/// Settings of a surface against a sphere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SurfaceBodySettings {
    /// The sidedness of the surface; by default a closed one is a solid.
    pub sides: SurfaceSides,
    /// The treatment of edges and vertices between nearer triangles; by default a closed surface ignores them.
    pub internal_edges: InternalEdges,
}

/// Settings of a surface against a capsule or a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SurfaceCapsuleSettings {
    /// The sidedness of the surface; by default a closed one is a solid.
    pub sides: SurfaceSides,
    /// The treatment of edges and vertices between nearer triangles; by default a closed surface ignores them.
    pub internal_edges: InternalEdges,
    /// Whether a capsule or a segment parallel to a face or an edge has a contact at both ends of the overlap (the
    /// default), or only one in the middle.
    pub manifold: bool,
}

impl Default for SurfaceCapsuleSettings {
    fn default() -> Self {
        let SurfaceBodySettings { sides, internal_edges } = SurfaceBodySettings::default();
        Self { sides, internal_edges, manifold: true }
    }
}
