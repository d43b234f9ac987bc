//! A surface against a tetrahedral mesh.

use crate::mesh::vertex_surface::flags_of_sides;
use crate::pairs::NoSettings;
use crate::solid::skin::Skin;
use crate::solid::solid_features::FeatureSearch;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Needs, SurfaceMesh, TetraMesh};

/// A surface against a tetrahedral mesh, which is a solid; a closed surface is a solid too, an open one is a sheet.
/// Vertices and edges of the surface and of the tetrahedral mesh's boundary are tested as
/// [`ClosedSurfaceMeshSurfaceMesh`](crate::pairs::ClosedSurfaceMeshSurfaceMesh) tests those of two surfaces, with the
/// same ids in the same order.
///
/// A feature inside the tetrahedra is in contact with the lowest-index tetrahedron that contains it; the weights
/// locate it. Where the end of an edge exits through the plane of a sheet's triangle, the surface's point lies in the
/// plane, and the weights are those of the triangle's closest point to it. Degenerate tetrahedra contain nothing.
#[derive(Default)]
pub struct SurfaceMeshTetraMesh {
    search: FeatureSearch,
}

impl PairDetector for SurfaceMeshTetraMesh {
    type A = SurfaceMesh;
    type B = TetraMesh;
    type Settings = NoSettings;

    const NAME: &'static str = "surface_mesh_tetra_mesh";
    const NEEDS: [Needs; 2] = [Needs::TREE.union(Needs::NORMALS), Needs::TREE.union(Needs::BOUNDARY)];
    const ABOUT: About = About {
        elements_a: "vertex, edge; triangle, edge, vertex",
        elements_b: "tetrahedron, triangle, edge, vertex of the boundary; vertex, edge of the boundary",
        at_most: "one per vertex and part of the other surface, one per inside part of an edge and per \
            pair of crossing edges; one per vertex and pierced triangle of a sheet",
        sides: "one: the tetrahedra are solid, and so is a closed surface; two: an open surface is a sheet",
        method: "containment of vertices by exact predicates, the deepest point of every inside part of an \
            edge, and the minimum translation that separates an edge from a face it intersects, in both \
            directions; a corner whose nearest exit leads along its own body \
            leaves through a face that it faces, by up to a tenth of the bodies; order of the surface's vertices and edges, then of the boundary's",
        cost: "O(vertices log cells + edges in the other's box, log triangles each)",
        source: "Ericson 2005, Real-Time Collision Detection, 3.4 and 9.1; Piyavskii 1972",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &SurfaceMesh,
        b: &TetraMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(boundary) = b.boundary() else { return Status::default() };
        let (skin_a, skin_b) = (Skin::of_surface(a), Skin { surface: boundary, volume: Some(b) });
        let flags = self.search.find([skin_a, skin_b], [true; 2], context, out);
        (flags | flags_of_sides(a)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact_ids::id_of_second;
    use palpate_contact::{Contact, FeatureKind, IdPart};
    use palpate_geometry::Geometry;
    use palpate_math::Point;

    fn surface(corners: &[[f64; 3]], triangles: &[[u32; 3]]) -> SurfaceMesh {
        let corners = corners.iter().copied().map(Point::from).collect();
        let mut mesh = SurfaceMesh::new(corners, triangles.to_vec()).unwrap();
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        mesh
    }

    /// A tetrahedron whose fourth corner is below the others.
    fn spike(tip: [f64; 3]) -> TetraMesh {
        let corners = [[0.0, 4.0, 0.0], [2.0, 4.0, 0.0], [0.0, 4.0, 2.0], tip];
        let mut mesh = TetraMesh::new(corners.map(Point::from).to_vec(), vec![[0, 1, 2, 3]]).unwrap();
        mesh.prepare(Needs::TREE | Needs::BOUNDARY);
        mesh
    }

    fn detect(a: &SurfaceMesh, b: &TetraMesh) -> Vec<Contact> {
        let mut out = CollisionData::new();
        SurfaceMeshTetraMesh::default().detect(a, b, &Context::new(), &mut out);
        out.contacts
    }

    /// The sheet's corners and edges are all outside the spike.
    #[test]
    fn a_spike_through_the_middle_of_a_sheet_leaves_by_its_tip() {
        let sheet = surface(&[[-32.0, 0.0, -32.0], [0.0, 0.0, 32.0], [32.0, 0.0, -32.0]], &[[0, 1, 2]]);
        let contacts = detect(&sheet, &spike([0.5, -0.25, 0.5]));
        assert_eq!(contacts.len(), 1, "{contacts:#?}");
        assert_eq!((contacts[0].depth, contacts[0].direction), (0.25, [0.0, -1.0, 0.0]));
        assert_eq!((contacts[0].b.vertices[0], contacts[0].a.feature_kind()), (3, FeatureKind::Triangle));
        assert_eq!((contacts[0].a.point, contacts[0].b.point), ([0.5, 0.0, 0.5], [0.5, -0.25, 0.5]));
        assert!(detect(&sheet, &spike([0.5, 0.25, 0.5])).is_empty());
    }

    #[test]
    fn a_corner_of_a_sheet_inside_leaves_through_the_boundary() {
        let flag = surface(&[[0.5, 3.75, 0.5], [8.0, 8.0, 0.5], [0.5, 8.0, 8.0]], &[[0, 1, 2]]);
        let contacts = detect(&flag, &spike([0.5, -8.0, 0.5]));
        let vertex = contacts.iter().find(|contact| contact.a.vertex_ids() == [0]).unwrap();
        assert_eq!((vertex.depth, vertex.direction), (0.25, [0.0, 1.0, 0.0]));
        assert_eq!((vertex.b.feature_kind(), vertex.b.cell), (FeatureKind::Tetrahedron, 0));
    }

    #[test]
    fn in_a_closed_surface_the_tip_leaves_through_the_nearest_place() {
        let corners = [[-32.0, 0.0, -32.0], [0.0, 0.0, 32.0], [32.0, 0.0, -32.0], [0.0, -32.0, 0.0]];
        let solid = surface(&corners, &[[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]);
        let contacts = detect(&solid, &spike([0.5, -0.25, 0.5]));
        assert_eq!(contacts.len(), 1, "{contacts:#?}");
        assert_eq!((contacts[0].depth, contacts[0].direction), (0.25, [0.0, -1.0, 0.0]));
        assert_eq!(contacts[0].id, id_of_second(IdPart::Vertex(3)));
    }
}
