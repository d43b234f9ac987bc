//! One-sided surface against a capsule.

use crate::pairs::surface::surface_mesh_capsule::surface_against_capsule;
use crate::pairs::{InternalEdges, SurfaceCapsuleSettings, SurfaceSides};
use crate::segment::axis_search::AxisSearch;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Capsule, Needs, SurfaceMesh};
use serde::{Deserialize, Serialize};

/// Settings of [`ClosedSurfaceMeshCapsule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ClosedSurfaceCapsuleSettings {
    /// The treatment of edges and vertices between nearer triangles; by default a closed surface ignores them.
    pub internal_edges: InternalEdges,
    /// Whether a face or an edge parallel to the capsule has a contact at both ends of the overlap (the default), or
    /// only one in the middle.
    pub manifold: bool,
}

impl Default for ClosedSurfaceCapsuleSettings {
    fn default() -> Self {
        let SurfaceCapsuleSettings { internal_edges, manifold, .. } = SurfaceCapsuleSettings::default();
        Self { internal_edges, manifold }
    }
}

/// A surface against a capsule, as [`SurfaceMeshCapsule`](crate::pairs::SurfaceMeshCapsule) with
/// [`SurfaceSides::One`]: a closed surface is a solid that pushes outward, and an open one pushes to its front, the
/// side of the normals given by the winding; the result is flagged as open.
#[derive(Default)]
pub struct ClosedSurfaceMeshCapsule {
    settings: ClosedSurfaceCapsuleSettings,
    search: AxisSearch,
}

impl PairDetector for ClosedSurfaceMeshCapsule {
    type A = SurfaceMesh;
    type B = Capsule;
    type Settings = ClosedSurfaceCapsuleSettings;

    const NAME: &'static str = "closed_surface_mesh_capsule";
    const NEEDS: [Needs; 2] = [Needs::TREE.union(Needs::NORMALS), Needs::empty()];
    const ABOUT: About = About {
        elements_a: "vertex, edge, triangle",
        elements_b: "point",
        at_most: "one per triangle, edge or vertex, two if the axis is parallel to it; one more for an \
            axis that enters a solid",
        sides: "one: a solid if the surface is closed, a sheet with a front if it is open",
        method: "as surface_mesh_capsule with `sides` one",
        cost: "O(log triangles + contacts)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.1.10; Baerentzen and Aanaes 2005, section 4",
    };

    fn new(settings: ClosedSurfaceCapsuleSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    fn detect(
        &mut self,
        a: &SurfaceMesh,
        b: &Capsule,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let ClosedSurfaceCapsuleSettings { internal_edges, manifold } = self.settings;
        let settings = SurfaceCapsuleSettings { sides: SurfaceSides::One, internal_edges, manifold };
        surface_against_capsule(&mut self.search, settings, (a, b), context, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::Contact;
    use palpate_geometry::Geometry;
    use palpate_math::Point;

    fn detect(triangles: &[[u32; 3]], ends: [[f64; 3]; 2], radius: f64) -> Vec<Contact> {
        let corners = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
        let mut mesh = SurfaceMesh::new(corners.map(Point::from).to_vec(), triangles.to_vec()).unwrap();
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        let capsule = Capsule::from_ends(Point::from(ends[0]), Point::from(ends[1]), radius).unwrap();
        let mut out = CollisionData::new();
        ClosedSurfaceMeshCapsule::default().detect(&mesh, &capsule, &Context::new(), &mut out);
        out.contacts
    }

    const CLOSED: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

    #[test]
    fn a_closed_surface_holds_a_capsule_wholly_inside() {
        let held = detect(&CLOSED, [[1.0, 0.25, 1.0], [1.0, 0.75, 1.0]], 0.125)[0];
        assert!((held.depth - 0.875).abs() < 1e-12 && held.direction == [0.0, 1.0, 0.0], "{held:?}");
    }

    /// Only the triangle in the plane y = 0, whose front is below.
    #[test]
    fn an_open_surface_pushes_to_its_front() {
        let floor = [CLOSED[1]];
        let near = |found: f64, wanted: f64| (found - wanted).abs() < 1e-15;
        let before = detect(&floor, [[1.0, -0.25, 1.0], [1.0, -0.75, 1.0]], 0.5)[0];
        assert!(near(before.depth, 0.25) && near(before.direction[1], 1.0), "{before:?}");
        let behind = detect(&floor, [[1.0, 0.25, 1.0], [1.0, 0.75, 1.0]], 0.5);
        assert_eq!(behind.len(), 1);
        assert!(near(behind[0].depth, 1.25) && near(behind[0].direction[1], 1.0), "{behind:?}");
        assert!(near(behind[0].a.point[1], 0.0) && near(behind[0].b.point[1], 1.25), "{behind:?}");
        let lying = detect(&floor, [[1.0, 0.25, 1.0], [1.5, 0.25, 1.0]], 0.5)[0];
        assert!(near(lying.depth, 0.75) && near(lying.direction[1], 1.0), "{lying:?}");
        let through = detect(&floor, [[1.0, -0.25, 1.0], [1.0, 0.75, 1.0]], 0.125)[0];
        assert!(near(through.depth, 0.875) && near(through.direction[1], 1.0), "{through:?}");
        assert!(detect(&floor, [[1.0, 0.75, 1.0], [1.0, 2.0, 1.0]], 0.5).is_empty(), "separated");
    }
}
