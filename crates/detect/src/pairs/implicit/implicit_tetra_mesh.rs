//! Implicit body against a tetrahedral mesh.

use crate::mesh::volume::boundary_feature;
use crate::pairs::ImplicitSettings;
use crate::pairs::implicit::implicit_contact::Reach;
use crate::pairs::implicit::implicit_surface::SurfaceSearch;
use crate::port::LipschitzBody;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_geometry::implicit::internal::MeshSolid;
use palpate_geometry::{ImplicitBody, Needs, TetraMesh};

/// Implicit body against a tetrahedral mesh, a solid: the vertices, edges and faces of its boundary as those of a
/// closed surface, and the deepest points of the body's [pieces](ImplicitBody::over_pieces). The tetrahedra decide
/// what is inside. Interior vertices and faces have no contacts: whatever is inside both exits through the boundary.
#[derive(Default)]
pub struct ImplicitTetraMesh {
    search: SurfaceSearch,
}

impl PairDetector for ImplicitTetraMesh {
    type A = LipschitzBody;
    type B = TetraMesh;
    type Settings = ImplicitSettings;

    const NAME: &'static str = "implicit_tetra_mesh";
    const NEEDS: [Needs; 2] = [Needs::empty(), Needs::TREE.union(Needs::BOUNDARY)];
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "vertex, edge, triangle of the boundary",
        at_most: "one per vertex, edge and triangle of the boundary, and one per piece of the body",
        sides: "one: both are solids",
        method: "value and gradient at each vertex of the boundary; the minimum over each of its edges and \
            faces by a certified branch and bound, if it is deeper than on the boundary of the element; \
            likewise the deepest point of each piece of the body, with containment decided by the \
            tetrahedra; order of vertices, edges, triangles, pieces",
        cost: "O(log triangles + boundary triangles near the body), each some hundred function evaluations",
        source: "Macklin and others 2020, Local optimization for robust signed distance field collision; Piyavskii 1972",
    };

    fn new(settings: ImplicitSettings) -> Self {
        Self { search: SurfaceSearch::new(settings.tolerance.search()) }
    }

    fn detect(
        &mut self,
        a: &ImplicitBody,
        b: &TetraMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(boundary) = b.boundary() else { return Status::default() };
        let reach = Reach { body: a, radius: 0.0, context };
        let side = |nearest: &_, point| boundary_feature(b, boundary, nearest, point);
        let solid = MeshSolid::of_cells(b);
        self.search.run(&reach, boundary, solid.as_ref(), &side, out).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::{Contact, FeatureKind};
    use palpate_geometry::{Geometry, Pose, Sphere};
    use palpate_math::Point;
    use std::sync::Arc;

    fn detect(center: [f64; 3], radius: f64) -> Vec<Contact> {
        let corners = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0], [8.0, 8.0, 8.0]];
        let cells = vec![[0, 1, 2, 3], [1, 2, 3, 4]];
        let mut mesh = TetraMesh::new(corners.map(Point::from).to_vec(), cells).unwrap();
        mesh.prepare(Needs::TREE | Needs::BOUNDARY);
        let ball = Arc::new(Sphere::new(Point::from(center), radius).unwrap());
        let body = ImplicitBody::new(Pose::identity(), ball).unwrap();
        let mut out = CollisionData::new();
        ImplicitTetraMesh::default().detect(&body, &mesh, &Context::new(), &mut out);
        out.contacts
    }

    #[test]
    fn a_face_of_the_boundary_is_met_and_names_its_tetrahedron() {
        let contacts = detect([2.0, -0.5, 2.0], 1.0);
        assert_eq!(contacts.len(), 1);
        assert_eq!((contacts[0].b.feature_kind(), contacts[0].b.cell), (FeatureKind::Triangle, 0));
        assert!((contacts[0].depth - 0.5).abs() < 1e-10);
    }

    /// On the face shared by both tetrahedra, deep inside.
    #[test]
    fn a_ball_wholly_inside_leaves_through_the_boundary() {
        let contacts = detect([8.0 / 3.0, 8.0 / 3.0, 8.0 / 3.0], 0.25);
        assert_eq!(contacts.len(), 1);
        assert!((contacts[0].depth - (8.0 / 3.0 + 0.25)).abs() < 1e-12, "{}", contacts[0].depth);
        assert!(detect([-1.0, -1.0, -1.0], 0.25).is_empty());
    }
}
