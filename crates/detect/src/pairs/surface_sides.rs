//! What a surface is to a round body: a solid, or a sheet with two sides.

use crate::pairs::internal_edges::{InternalEdges, Passed};
use crate::pairs::seen::Seen;
use palpate_geometry::{SurfaceFeature, SurfaceMesh};
use serde::{Deserialize, Serialize};

/// How many sides a surface has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SurfaceSides {
    /// A closed surface is a solid that pushes outward; an open one is a sheet.
    #[default]
    AsGiven,
    /// A sheet that pushes to the side of the other body's core, closed or not, as iMSTK's detectors have it. A body whose
    /// core is wholly inside of a closed surface and out of reach of its sheet is pushed outward all the same.
    Two,
}

/// Settings of the detectors of a surface against threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SurfaceSettings {
    /// How many sides the surface has; by default a closed one is a solid.
    pub sides: SurfaceSides,
}

impl SurfaceSettings {
    pub(crate) fn is_solid(self, surface: &SurfaceMesh) -> bool {
        self.sides == SurfaceSides::AsGiven && surface.is_closed()
    }
}

/// Settings of the detectors of a surface against round bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SurfaceBodySettings {
    /// How many sides the surface has; by default a closed one is a solid.
    pub sides: SurfaceSides,
    /// What becomes of edges and vertices between nearer triangles; by default a closed surface ignores them.
    pub internal_edges: InternalEdges,
}

impl SurfaceBodySettings {
    pub(crate) fn is_solid(self, surface: &SurfaceMesh) -> bool {
        SurfaceSettings { sides: self.sides }.is_solid(surface)
    }
}

/// What a surface detector keeps from step to step: memory, no state.
#[derive(Debug, Default)]
pub(crate) struct SurfaceScratch {
    pub(crate) seen: Seen,
    pub(crate) candidates: Vec<u32>,
    pub(crate) passed: Passed,
}

impl SurfaceScratch {
    /// Marks an element; whether it was not marked before.
    pub(crate) fn first(&mut self, feature: SurfaceFeature) -> bool {
        match feature {
            SurfaceFeature::Vertex(vertex) => self.seen.first_vertex(vertex),
            SurfaceFeature::Edge(edge) => self.seen.first_edge(edge),
            SurfaceFeature::Face(_) => true,
        }
    }

    /// Collects the triangles whose boxes meet `reach`, in ascending order, and forgets all marks.
    pub(crate) fn begin(&mut self, surface: &SurfaceMesh, reach: &palpate_math::Aabb) {
        self.candidates.clear();
        if let Some(tree) = surface.tree() {
            tree.overlap(reach, |triangle| self.candidates.push(triangle));
        }
        self.candidates.sort_unstable();
        self.seen.begin(surface.points().len(), surface.adjacency().edges.len());
        self.passed.begin(surface);
    }
}

/// The id of a contact on a surface: the triangle, 2⁴⁸ + the edge, or 2⁴⁹ + the vertex.
pub(crate) fn surface_id(feature: SurfaceFeature) -> u64 {
    match feature {
        SurfaceFeature::Face(triangle) => u64::from(triangle),
        SurfaceFeature::Edge(edge) => 1 << 48 | u64::from(edge),
        SurfaceFeature::Vertex(vertex) => 1 << 49 | u64::from(vertex),
    }
}
