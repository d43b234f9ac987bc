//! A tetrahedral mesh against any convex body: a cylinder, a box, a hull, an ellipsoid, a cone.

use crate::mesh::internal_edges::InternalEdges;
use crate::mesh::surface_sides::SurfaceSidedness;
use crate::mesh::volume::name_tetrahedra;
use crate::mesh::{ConvexPair, ConvexSearch, MeshSide};
use crate::pairs::surface::surface_mesh_convex::ConvexTolerance;
use crate::pairs::tetra::tetra_mesh_sphere::TetraMeshSettings;
use crate::{About, AnyConvex, Context, ConvexBody, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_convex::Settings;
use palpate_geometry::{Needs, TetraMesh};
use serde::{Deserialize, Serialize};

/// Settings of [`TetraMeshConvex`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TetraMeshConvexSettings {
    /// The treatment of boundary edges and vertices between nearer triangles; by default they are ignored.
    pub internal_edges: InternalEdges,
    /// Whether a face of the body on a flat patch of boundary triangles has up to four points, as on a plane (the
    /// default), or only the deepest; applies where internal edges are ignored.
    pub manifold: bool,
    /// The maximum gap between the certified bounds of a depth, relative to the size of triangle and body; for curved
    /// bodies.
    pub tolerance: ConvexTolerance,
}

impl Default for TetraMeshConvexSettings {
    fn default() -> Self {
        let (internal_edges, tolerance) = (InternalEdges::default(), ConvexTolerance::default());
        Self { internal_edges, manifold: true, tolerance }
    }
}

/// A tetrahedral mesh, which is a solid, against a convex body: as
/// [`SurfaceMeshConvex`](crate::pairs::SurfaceMeshConvex) against the mesh's boundary, a solid. The tetrahedra decide
/// which points of the body are inside. The cell of a contact is the lowest-index tetrahedron that has the element.
/// Degenerate tetrahedra contain nothing.
#[derive(Default)]
pub struct TetraMeshConvex {
    settings: TetraMeshConvexSettings,
    search: ConvexSearch,
}

impl PairDetector for TetraMeshConvex {
    type A = TetraMesh;
    type B = AnyConvex;
    type Settings = TetraMeshConvexSettings;

    const NAME: &'static str = "tetra_mesh_convex";
    const NEEDS: [Needs; 2] = [Needs::TREE.union(Needs::BOUNDARY), Needs::empty()];
    const ABOUT: About = About {
        elements_a: "vertex, edge, triangle of the boundary",
        elements_b: "point",
        at_most: "one per triangle, edge or vertex; up to four per flat patch of triangles",
        sides: "one: the tetrahedra are solid",
        method: "every nearby boundary triangle against the body: for a box or a hull the best of all \
            separating axes, else the exit of the corner that exits last, else GJK and EPA; each shared \
            element once, without internal edges; an exit into a neighbouring triangle is none: the flat \
            part around it, or a chord of the body, exits in its place; the body's deepest point in a \
            tetrahedron exits through the closest point of the boundary; these first in the order; a face \
            on a flat patch of triangles has the points of a plane; order of boundary triangles",
        cost: "O(log tetrahedra + nearby triangles)",
        source: "Gilbert, Johnson, Keerthi 1988; van den Bergen 2001; Akenine-Moller 2001; Ericson 2005, 3.4",
    };

    fn new(settings: TetraMeshConvexSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    fn detect(
        &mut self,
        a: &TetraMesh,
        b: ConvexBody<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(boundary) = a.boundary() else { return Status::default() };
        let TetraMeshConvexSettings { internal_edges, manifold, tolerance } = self.settings;
        let filter = TetraMeshSettings { internal_edges }.filter(boundary);
        let mesh =
            MeshSide { surface: boundary, volume: Some(a), sidedness: SurfaceSidedness::Solid, filter };
        let settings = Settings { tolerance: tolerance.0, ..Settings::default() };
        let exits_only = internal_edges != InternalEdges::Keep;
        let pair = ConvexPair { mesh, body: b, settings, manifold, exits_only };
        let before = out.len();
        let flags = self.search.run(&pair, context, out);
        name_tetrahedra(a, before, out);
        flags.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::Contact;
    use palpate_geometry::{Geometry, OrientedBox, Pose};
    use palpate_math::{Point, Vector};

    fn detect(center: [f64; 3], half: [f64; 3]) -> Vec<Contact> {
        let corners =
            [[0.0, 0.0, 0.0], [16.0, 0.0, 0.0], [0.0, 16.0, 0.0], [0.0, 0.0, 16.0], [16.0, 16.0, 16.0]];
        let cells = vec![[0, 1, 2, 3], [1, 2, 3, 4]];
        let mut mesh = TetraMesh::new(corners.map(Point::from).to_vec(), cells).unwrap();
        mesh.prepare(Needs::TREE | Needs::BOUNDARY);
        let [x, y, z] = center;
        let block = OrientedBox::new(Pose::translation(x, y, z), Vector::from(half)).unwrap();
        let mut out = CollisionData::new();
        let body = ConvexBody::new(&block).unwrap();
        TetraMeshConvex::default().detect(&mesh, body, &Context::new(), &mut out);
        out.contacts
    }

    #[test]
    fn a_box_at_the_boundary_is_pushed_out_of_it_and_names_the_tetrahedron() {
        let contacts = detect([4.0, -0.75, 4.0], [1.0; 3]);
        assert_eq!((contacts.len(), contacts[0].depth, contacts[0].direction), (4, 0.25, [0.0, 1.0, 0.0]));
        assert!(contacts.iter().all(|contact| contact.a.cell == 0 && contact.depth == 0.25));
        assert!(detect([4.0, -1.25, 4.0], [1.0; 3]).is_empty());
    }

    /// Across the face between the two tetrahedra, far from the boundary: the inner face is not an exit.
    #[test]
    fn a_box_wholly_inside_leaves_through_the_boundary() {
        let contacts = detect([5.0, 5.25, 6.0], [0.5; 3]);
        assert_eq!((contacts.len(), contacts[0].depth, contacts[0].direction), (1, 5.5, [1.0, 0.0, 0.0]));
        assert_eq!((contacts[0].a.point[0], contacts[0].b.point[0]), (0.0, 5.5));
    }
}
