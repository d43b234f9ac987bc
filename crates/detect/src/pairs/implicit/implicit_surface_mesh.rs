//! Implicit body against a surface.

use crate::mesh::vertex_surface::flags_of_sides;
use crate::pairs::ImplicitSettings;
use crate::pairs::implicit::implicit_contact::Reach;
use crate::pairs::implicit::implicit_surface::SurfaceSearch;
use crate::port::LipschitzBody;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_geometry::implicit::internal::MeshSolid;
use palpate_geometry::{ImplicitBody, Needs, SurfaceMesh};

/// Implicit body against a surface (with a thickness, if it has one): every vertex within contact distance, every
/// edge whose deepest point lies between its ends and is deeper than both, every face whose deepest point is interior
/// and deeper than those of its edges. The minima are found by a certified global search, so that a rod thinner than
/// the triangles is found wherever it pierces one. In a closed surface every [piece](ImplicitBody::over_pieces) of
/// the body has a contact at its deepest point if that is deeper than the elements are in the piece: it exits through
/// the closest surface point, whether the piece crosses the surface or is wholly inside; the contact's id names the
/// piece.
#[derive(Default)]
pub struct ImplicitSurfaceMesh {
    search: SurfaceSearch,
}

impl PairDetector for ImplicitSurfaceMesh {
    type A = LipschitzBody;
    type B = SurfaceMesh;
    type Settings = ImplicitSettings;

    const NAME: &'static str = "implicit_surface_mesh";
    const NEEDS: [Needs; 2] = [Needs::empty(), Needs::TREE.union(Needs::NORMALS)];
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "vertex, edge, triangle",
        at_most: "one per vertex, edge and triangle, and one per piece of the body",
        sides: "one: the inside of the function is solid, and so is the inside of a closed surface",
        method: "value and gradient at each vertex; the minimum over each edge and each face by a \
            certified branch and bound, if it is deeper than on the boundary of the element; likewise the \
            deepest point of each piece of the body inside a closed surface; order of vertices, edges, \
            triangles, pieces",
        cost: "O(log triangles + triangles near the body), each some hundred function evaluations",
        source: "Macklin and others 2020, Local optimization for robust signed distance field collision; Piyavskii 1972",
    };

    fn new(settings: ImplicitSettings) -> Self {
        Self { search: SurfaceSearch::new(settings.tolerance.search()) }
    }

    fn detect(
        &mut self,
        a: &ImplicitBody,
        b: &SurfaceMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let reach = Reach { body: a, radius: b.radius(), context };
        let side = |nearest: &_, point| b.contact_feature(nearest, point);
        let solid = MeshSolid::of_surface(b);
        (self.search.run(&reach, b, solid.as_ref(), &side, out) | flags_of_sides(b)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::implicit::surface_samples::{cube, mesh, moved};
    use palpate_contact::{Contact, FeatureKind};
    use palpate_geometry::implicit::ImplicitFunction;
    use palpate_geometry::{Capsule, Cylinder, OrientedBox, Pose, Sphere};
    use palpate_math::{Point, Vector};
    use std::sync::Arc;

    fn detect(function: Arc<dyn ImplicitFunction>, corners: &[[f64; 3]], cells: &[[u32; 3]]) -> Vec<Contact> {
        let body = ImplicitBody::new(Pose::identity(), function).unwrap();
        contacts(&body, &mesh(corners, cells), &Context::new())
    }

    fn contacts(body: &ImplicitBody, mesh: &SurfaceMesh, context: &Context<'_>) -> Vec<Contact> {
        let mut out = CollisionData::new();
        ImplicitSurfaceMesh::default().detect(body, mesh, context, &mut out);
        out.contacts
    }

    /// A body in a cube of edges of 8, both turned together a hundred times: `check` gets the number of the turn, its pose and the
    /// contacts.
    fn turned_with_cube(
        function: &Arc<dyn ImplicitFunction>,
        margin: f64,
        mut check: impl FnMut(i32, &Pose, &[Contact]),
    ) {
        let cube = cube(8.0);
        for turn in 0..100 {
            let t = f64::from(turn);
            let pose = Pose::new(Vector::zeros(), Vector::new(t.sin(), (2.0 * t).cos() - 1.0, 0.7 * t));
            let turned = moved(&cube, |corner| pose * corner);
            let body = ImplicitBody::new(pose, function.clone()).unwrap();
            check(turn, &pose, &contacts(&body, &turned, &Context::new().with_margin(margin)));
        }
    }

    /// A square of two triangles at y = 0.
    const SQUARE: [[f64; 3]; 4] = [[-8.0, 0.0, -8.0], [8.0, 0.0, -8.0], [8.0, 0.0, 8.0], [-8.0, 0.0, 8.0]];

    #[test]
    fn a_ball_on_a_face_has_one_contact_and_on_the_diagonal_one_with_the_edge() {
        for (x, kind, vertices) in [(3.0, FeatureKind::Triangle, 3), (0.0, FeatureKind::Edge, 2)] {
            let ball: Arc<dyn ImplicitFunction> =
                Arc::new(Sphere::new(Point::new(x, 0.5, 0.0), 1.0).unwrap());
            let contacts = detect(ball, &SQUARE, &[[0, 2, 1], [0, 3, 2]]);
            assert_eq!(contacts.len(), 1);
            assert_eq!((contacts[0].b.feature_kind(), contacts[0].b.vertex_count), (kind, vertices));
            assert!((contacts[0].depth - 0.5).abs() < 1e-10);
        }
    }

    #[test]
    fn a_rod_that_pierces_a_face_is_found() {
        let rod: Arc<dyn ImplicitFunction> =
            Arc::new(Capsule::new(Pose::translation(3.0, 0.0, -1.0), 1e-3, 4.0).unwrap());
        let contacts = detect(rod, &SQUARE, &[[0, 2, 1], [0, 3, 2]]);
        assert_eq!(contacts.len(), 1);
        assert!((contacts[0].depth - 1e-3).abs() < 1e-10 && (contacts[0].b.point[0] - 3.0).abs() < 1e-6);
    }

    #[test]
    fn a_body_wholly_inside_leaves_by_the_nearest_place() {
        let corners = [[0.0, 0.0, 0.0], [16.0, 0.0, 0.0], [0.0, 16.0, 0.0], [0.0, 0.0, 16.0]];
        let cells = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
        let block: Arc<dyn ImplicitFunction> = Arc::new(
            OrientedBox::new(Pose::translation(4.0, 2.0, 4.0), Vector::new(0.25, 0.5, 0.25)).unwrap(),
        );
        let contacts = detect(block, &corners, &cells);
        assert_eq!(contacts.len(), 1);
        assert!((contacts[0].depth - 2.5).abs() < 1e-12 && contacts[0].direction == [0.0, -1.0, 0.0]);
        assert!((contacts[0].a.point[1] - 2.5).abs() < 1e-12 && contacts[0].b.point[1].abs() < 1e-12);
    }

    /// A cylinder stands on a face of a cube, inside it: its rim lies in the face, and is closest to the edge of the face. Whether
    /// that place is inside is a tie, which no turn of both may decide otherwise.
    #[test]
    fn a_rim_in_a_face_is_within_the_margin_of_its_edge_however_both_are_turned() {
        let cylinder: Arc<dyn ImplicitFunction> =
            Arc::new(Cylinder::new(Pose::translation(2.0, 1.0, 4.0), 1.0, 2.0).unwrap());
        let (mut on_face, mut inside) = (0, 0);
        turned_with_cube(&cylinder, 1.25, |turn, pose, contacts| {
            let apart: Vec<_> = contacts.iter().filter(|contact| contact.depth < -0.5).collect();
            assert_eq!(apart.len(), 1, "{turn}: {contacts:?}");
            assert!((apart[0].depth + 1.0).abs() < 1e-9, "{turn}");
            assert_eq!(apart[0].b.feature_kind(), FeatureKind::Edge, "{turn}");
            let place = pose.inverse_transform_point(&Point::from(apart[0].a.point));
            assert!((place - Point::new(1.0, 0.0, 4.0)).norm() < 1e-3, "{turn}: {place}");
            if place.y > 0.0 { inside += 1 } else { on_face += 1 }
        });
        assert!(on_face > 10 && inside > 10, "{on_face} {inside}");
    }

    /// A rod touches a face of a cube from inside, across the diagonal of the face: by rounding it may end just before.
    #[test]
    fn a_rod_that_touches_a_face_from_inside_has_its_contact_however_both_are_turned() {
        let rod: Arc<dyn ImplicitFunction> =
            Arc::new(Capsule::new(Pose::translation(1.0, 4.0, 4.0), 1.0, 2.0).unwrap());
        let (mut before, mut beyond) = (0, 0);
        turned_with_cube(&rod, 0.5, |turn, _, contacts| {
            let touching: Vec<_> = contacts.iter().filter(|contact| contact.depth.abs() < 1e-8).collect();
            assert_eq!(touching.len(), 1, "{turn}: {contacts:?}");
            assert_eq!(touching[0].b.feature_kind(), FeatureKind::Edge, "{turn}");
            if touching[0].depth < 0.0 { before += 1 } else { beyond += 1 }
        });
        assert!(before > 10 && beyond > 10, "{before} {beyond}");
    }
}
