//! Surface against surface: the vertices of each in the other.

use crate::pairs::SurfaceSides;
use crate::pairs::vertex_surface::{of_second_side, vertices_against};
use crate::{About, Chunks, Context, Flags, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Needs, SurfaceMesh};
use serde::{Deserialize, Serialize};

/// Whose vertices are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Vertices {
    /// Those of both surfaces.
    #[default]
    Both,
    /// Only those of the first input.
    First,
    /// Only those of the second input.
    Second,
}

/// Settings of [`ClosedSurfaceMeshSurfaceMesh`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ClosedSurfaceMeshSettings {
    /// Whose vertices are looked at; by default those of both surfaces.
    pub vertices: Vertices,
}

/// Surface against surface by signed distance: the vertices of the first in the second, then the vertices of the second in
/// the first. Edges that pass through each other between their vertices are not looked at, and the answer says so. The
/// id is the vertex; that of a vertex of the second surface has 2⁴⁸ added. The default of two closed surfaces.
pub struct ClosedSurfaceMeshSurfaceMesh {
    settings: ClosedSurfaceMeshSettings,
    chunks: Chunks,
    exchanged: CollisionData,
}

impl PairDetector for ClosedSurfaceMeshSurfaceMesh {
    type A = SurfaceMesh;
    type B = SurfaceMesh;
    type Settings = ClosedSurfaceMeshSettings;

    const NAME: &'static str = "closed_surface_mesh_surface_mesh";
    const NEEDS: [Needs; 2] = [Needs::TREE.union(Needs::NORMALS), Needs::TREE.union(Needs::NORMALS)];
    const ABOUT: About = About {
        elements_a: "vertex; vertex, edge, triangle",
        elements_b: "vertex, edge, triangle; vertex",
        at_most: "one per vertex",
        sides: "one: a solid where the surface is closed; two: a sheet where it is open",
        method: "signed distance of each vertex from the other surface, both directions; order of vertices, the first \
                 surface's before the second's",
        cost: "O(vertices log triangles)",
        source: "Baerentzen and Aanaes 2005, Signed distance computation using the angle weighted pseudonormal",
    };

    const DEFAULT_FOR_SOME: bool = true;

    fn is_default_for(a: &SurfaceMesh, b: &SurfaceMesh) -> bool {
        a.is_closed() && b.is_closed()
    }

    fn new(settings: ClosedSurfaceMeshSettings) -> Self {
        Self { settings, chunks: Chunks::default(), exchanged: CollisionData::new() }
    }

    fn mirrored(settings: ClosedSurfaceMeshSettings) -> ClosedSurfaceMeshSettings {
        let vertices = match settings.vertices {
            Vertices::Both => Vertices::Both,
            Vertices::First => Vertices::Second,
            Vertices::Second => Vertices::First,
        };
        ClosedSurfaceMeshSettings { vertices }
    }

    fn detect(
        &mut self,
        a: &SurfaceMesh,
        b: &SurfaceMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let sides = SurfaceSides::AsGiven;
        let mut flags = Flags::VERTICES_ONLY;
        if self.settings.vertices != Vertices::Second {
            flags |= vertices_against(a.points(), b, sides, &mut self.chunks, context, out);
        }
        if self.settings.vertices != Vertices::First {
            self.exchanged.clear();
            flags |= vertices_against(b.points(), a, sides, &mut self.chunks, context, &mut self.exchanged);
            out.contacts.extend(self.exchanged.contacts.iter().map(of_second_side));
        }
        flags.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, Registry};
    use palpate_geometry::Geometry;
    use palpate_math::Point;

    fn tetrahedron(size: f64, offset: f64) -> SurfaceMesh {
        let corners = [[0.0, 0.0, 0.0], [size, 0.0, 0.0], [0.0, size, 0.0], [0.0, 0.0, size]];
        let corners = corners.map(|[x, y, z]| Point::new(x + offset, y + offset, z + offset));
        let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
        let mut mesh = SurfaceMesh::new(corners.to_vec(), triangles).unwrap();
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        mesh
    }

    /// The small one is wholly inside: all its vertices are, and none of the large one's.
    #[test]
    fn a_body_wholly_inside_is_found_from_either_side() {
        let (large, small) = (tetrahedron(16.0, 0.0), tetrahedron(1.0, 1.0));
        for (a, b) in [(&large, &small), (&small, &large)] {
            let mut bound = Registry::standard().bind(a, b, Choice::default()).unwrap();
            assert_eq!(bound.name(), "closed_surface_mesh_surface_mesh");
            let mut out = CollisionData::new();
            bound.run(a, b, &Context::new(), &mut out).unwrap();
            assert_eq!(out.len(), 4);
            assert!(out.contacts.iter().all(|contact| contact.depth == 1.0));
        }
    }

    #[test]
    fn the_first_stays_the_first_when_the_inputs_are_put_in_order() {
        let (large, small) = (tetrahedron(16.0, 0.0), tetrahedron(1.0, 1.0));
        let first = serde_json::json!({"vertices": "first"});
        for (a, b, count) in [(&large, &small, 0), (&small, &large, 4)] {
            let choice = Choice::named("closed_surface_mesh_surface_mesh").with_settings(&first);
            let mut bound = Registry::standard().bind(a, b, choice).unwrap();
            let mut out = CollisionData::new();
            bound.run(a, b, &Context::new(), &mut out).unwrap();
            assert_eq!(out.len(), count);
        }
    }
}
