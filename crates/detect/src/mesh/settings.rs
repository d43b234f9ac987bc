//! Settings that several detectors of a surface mesh share.

use crate::mesh::internal_edges::InternalEdges;
use crate::mesh::surface_sides::SurfaceSides;
use serde::{Deserialize, Serialize};

/// Settings of the detectors of a surface against points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SurfaceSettings {
    /// How many sides the surface has; by default a closed one is a solid.
    pub sides: SurfaceSides,
}

/// Settings of a surface against a sphere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SurfaceBodySettings {
    /// How many sides the surface has; by default a closed one is a solid.
    pub sides: SurfaceSides,
    /// What becomes of edges and vertices between nearer triangles; by default a closed surface ignores them.
    pub internal_edges: InternalEdges,
}

/// Settings of a surface against a capsule or a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SurfaceCapsuleSettings {
    /// How many sides the surface has; by default a closed one is a solid.
    pub sides: SurfaceSides,
    /// What becomes of edges and vertices between nearer triangles; by default a closed surface ignores them.
    pub internal_edges: InternalEdges,
    /// Whether a capsule or a segment that lies along a face or an edge is met at both ends of the stretch (the default), or
    /// in the middle alone.
    pub manifold: bool,
}

impl Default for SurfaceCapsuleSettings {
    fn default() -> Self {
        let SurfaceBodySettings { sides, internal_edges } = SurfaceBodySettings::default();
        Self { sides, internal_edges, manifold: true }
    }
}
