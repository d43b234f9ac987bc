//! A tetrahedral mesh against a sphere.

use crate::mesh::internal_edges::InternalEdges;
use crate::mesh::surface_sides::SurfaceSidedness;
use crate::mesh::volume::name_tetrahedra;
use crate::mesh::{ElementFilter, MeshSide, SphereSearch};
use crate::{About, Context, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Needs, Sphere, SurfaceMesh, TetraMesh};
use serde::{Deserialize, Serialize};

/// Settings of the detectors of a tetrahedral mesh against other bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TetraMeshSettings {
    /// The treatment of boundary edges and vertices between nearer triangles; by default they are ignored.
    pub internal_edges: InternalEdges,
}

impl TetraMeshSettings {
    /// Returns which boundary elements may be reported. If an edge has more than two boundary triangles, the normals
    /// do not decide the sides: then all elements count as facing the body.
    pub(crate) fn filter(self, boundary: &SurfaceMesh) -> ElementFilter {
        ElementFilter { facing: boundary.is_closed(), outer: self.internal_edges != InternalEdges::Keep }
    }
}

/// A tetrahedral mesh, which is a solid, against a sphere. With the centre inside a tetrahedron: one contact with the
/// lowest-index one that contains it (its weights locate the centre), which exits through the closest boundary point.
/// With the centre outside: as [`SurfaceMeshSphere`](crate::pairs::SurfaceMeshSphere) against the boundary; the cell
/// of a contact is the lowest-index tetrahedron that has the element. Degenerate tetrahedra contain nothing.
#[derive(Default)]
pub struct TetraMeshSphere {
    settings: TetraMeshSettings,
    search: SphereSearch,
}

impl PairDetector for TetraMeshSphere {
    type A = TetraMesh;
    type B = Sphere;
    type Settings = TetraMeshSettings;

    const NAME: &'static str = "tetra_mesh_sphere";
    const NEEDS: [Needs; 2] = [Needs::TREE.union(Needs::BOUNDARY), Needs::empty()];
    const ABOUT: About = About {
        elements_a: "tetrahedron; vertex, edge, triangle of the boundary",
        elements_b: "point",
        at_most: "one per triangle, edge or vertex",
        sides: "one: the tetrahedra are solid",
        method: "a centre inside, by exact predicates, exits through the closest point of the boundary; \
            from outside the nearest element of every nearby boundary triangle, each once, without \
            internal edges; triangle order",
        cost: "O(log tetrahedra + contacts)",
        source: "Ericson 2005, Real-Time Collision Detection, 3.4 and 5.1.5",
    };

    fn new(settings: TetraMeshSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    fn detect(
        &mut self,
        a: &TetraMesh,
        b: &Sphere,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(boundary) = a.boundary() else { return Status::default() };
        let filter = self.settings.filter(boundary);
        let mesh =
            MeshSide { surface: boundary, volume: Some(a), sidedness: SurfaceSidedness::Solid, filter };
        let before = out.len();
        self.search.run(&mesh, b, context, out);
        name_tetrahedra(a, before, out);
        Status::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::{Contact, FeatureKind};
    use palpate_geometry::Geometry;
    use palpate_math::Point;

    fn detect(center: [f64; 3], radius: f64, margin: f64) -> Vec<Contact> {
        let corners = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0], [8.0, 8.0, 8.0]];
        let cells = vec![[0, 1, 2, 3], [1, 2, 3, 4]];
        let mut mesh = TetraMesh::new(corners.map(Point::from).to_vec(), cells).unwrap();
        mesh.prepare(Needs::TREE | Needs::BOUNDARY);
        let sphere = Sphere::new(Point::from(center), radius).unwrap();
        let mut out = CollisionData::new();
        let context = Context::new().with_margin(margin);
        TetraMeshSphere::default().detect(&mesh, &sphere, &context, &mut out);
        out.contacts
    }

    #[test]
    fn a_centre_inside_names_its_tetrahedron_and_leaves_through_the_boundary() {
        let contacts = detect([1.0, 0.5, 1.0], 0.25, 0.0);
        assert_eq!((contacts.len(), contacts[0].depth, contacts[0].direction), (1, 0.75, [0.0, 1.0, 0.0]));
        assert_eq!((contacts[0].a.cell, contacts[0].a.feature_kind()), (0, FeatureKind::Tetrahedron));
        assert_eq!((contacts[0].a.point, contacts[0].b.point), ([1.0, 0.0, 1.0], [1.0, 0.75, 1.0]));
    }

    /// On the face shared by both tetrahedra: not a boundary face.
    #[test]
    fn an_inner_face_is_not_the_way_out() {
        let contacts = detect([2.0, 2.0, 4.0], 0.25, 0.0);
        assert!(contacts.len() == 1 && contacts[0].depth > 0.75, "{contacts:?}");
    }

    #[test]
    fn from_outside_the_boundary_is_met_and_its_tetrahedron_named() {
        let face = detect([1.0, -0.25, 1.0], 0.5, 0.0);
        assert_eq!((face.len(), face[0].depth, face[0].a.cell), (1, 0.25, 0));
        assert_eq!(face[0].a.feature_kind(), FeatureKind::Triangle);
        let corner = detect([9.0, 9.0, 9.0], 2.0, 0.0);
        assert_eq!((corner.len(), corner[0].a.vertices[0], corner[0].a.cell), (1, 4, 1));
        assert!(detect([1.0, -0.75, 1.0], 0.5, 0.0).is_empty());
        assert_eq!(detect([1.0, -0.75, 1.0], 0.5, 0.5)[0].depth, -0.25);
    }
}
