//! A surface against a sphere.

use crate::mesh::vertex_surface::flags_of_sides;
use crate::mesh::{ElementFilter, MeshSide, SphereSearch};
use crate::pairs::SurfaceBodySettings;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Needs, Sphere, SurfaceMesh};

/// A surface against a sphere.
///
/// Sheets, and solids with the centre outside: one contact for every vertex, edge or face that is the nearest element
/// of one of its triangles and within contact distance; for solids only those that face the centre; where internal
/// edges are ignored (by default on closed surfaces), an edge or a vertex only if it is the nearest of all its
/// triangles. A solid with the centre inside: one contact, which exits through the nearest element. A centre on the
/// surface separates along the element's outward direction.
#[derive(Default)]
pub struct SurfaceMeshSphere {
    settings: SurfaceBodySettings,
    search: SphereSearch,
}

impl PairDetector for SurfaceMeshSphere {
    type A = SurfaceMesh;
    type B = Sphere;
    type Settings = SurfaceBodySettings;

    const NAME: &'static str = "surface_mesh_sphere";
    const NEEDS: [Needs; 2] = [Needs::TREE.union(Needs::NORMALS), Needs::empty()];
    const ABOUT: About = About {
        elements_a: "vertex, edge, triangle",
        elements_b: "point",
        at_most: "one per triangle, edge or vertex",
        sides: "one: a solid if the surface is closed; two: a sheet if it is open, or by setting `sides`",
        method: "nearest element of every nearby triangle, each shared element once, without internal \
            edges if the surface is closed; a closed surface is a solid: a centre inside exits through the \
            nearest element, sides by angle-weighted pseudonormals; triangle order",
        cost: "O(log triangles + contacts)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.1.5; Baerentzen and Aanaes 2005, section 4",
    };

    fn new(settings: SurfaceBodySettings) -> Self {
        Self { settings, search: SphereSearch::default() }
    }

    fn detect(
        &mut self,
        a: &SurfaceMesh,
        b: &Sphere,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let sidedness = self.settings.sides.sidedness(a);
        let filter =
            ElementFilter { facing: sidedness.is_facing(a), outer: self.settings.internal_edges.ignored(a) };
        self.search.run(&MeshSide { surface: a, volume: None, sidedness, filter }, b, context, out);
        flags_of_sides(a).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::SurfaceSides;
    use crate::pairs::implicit::surface_samples::{floor, mesh, tetrahedron};
    use palpate_contact::{Contact, FeatureKind};
    use palpate_math::Point;

    fn contacts(mesh: &SurfaceMesh, center: [f64; 3], radius: f64, sides: SurfaceSides) -> Vec<Contact> {
        let sphere = Sphere::new(Point::from(center), radius).unwrap();
        let mut out = CollisionData::new();
        SurfaceMeshSphere::new(SurfaceBodySettings { sides, ..SurfaceBodySettings::default() }).detect(
            mesh,
            &sphere,
            &Context::new(),
            &mut out,
        );
        out.contacts
    }

    #[test]
    fn a_face_an_edge_and_a_vertex_are_told_apart() {
        let face = contacts(&floor(2.0), [1.0, 0.25, -0.5], 0.5, SurfaceSides::AsGiven);
        assert_eq!((face[0].depth, face[0].direction, face[0].a.cell), (0.25, [0.0, -1.0, 0.0], 0));
        assert_eq!((face[0].a.point, face[0].b.point), ([1.0, 0.0, -0.5], [1.0, -0.25, -0.5]));
        let edge = contacts(&floor(2.0), [0.0, 0.0, 2.25], 0.5, SurfaceSides::AsGiven);
        assert_eq!((edge.len(), edge[0].a.feature_kind(), edge[0].depth), (1, FeatureKind::Edge, 0.25));
        let corner = contacts(&floor(2.0), [2.25, 0.0, 2.25], 0.5, SurfaceSides::AsGiven);
        assert_eq!((corner.len(), corner[0].a.vertices[0]), (1, 2), "two triangles share it, one contact");
    }

    #[test]
    fn above_the_shared_edge_there_is_one_contact() {
        let contacts = contacts(&floor(2.0), [0.0, 0.25, 0.0], 0.5, SurfaceSides::AsGiven);
        assert_eq!((contacts.len(), contacts[0].a.feature_kind()), (1, FeatureKind::Edge));
        assert_eq!(contacts[0].a.vertex_weights(), [0.5, 0.5]);
    }

    #[test]
    fn a_sheet_pushes_to_the_side_of_the_centre() {
        let below = contacts(&floor(2.0), [1.0, -0.25, -0.5], 0.5, SurfaceSides::AsGiven);
        assert_eq!(below[0].direction, [0.0, 1.0, 0.0]);
        let on_it = contacts(&floor(2.0), [1.0, 0.0, -0.5], 0.5, SurfaceSides::AsGiven);
        assert_eq!(
            (on_it[0].depth, on_it[0].direction),
            (0.5, [0.0, -1.0, 0.0]),
            "the sphere exits along the normal"
        );
    }

    #[test]
    fn a_solid_holds_its_inside() {
        let inside = contacts(&tetrahedron(8.0), [1.0, 0.25, 1.0], 0.5, SurfaceSides::AsGiven);
        assert_eq!((inside.len(), inside[0].depth, inside[0].direction), (1, 0.75, [0.0, 1.0, 0.0]));
        assert_eq!((inside[0].a.point, inside[0].b.point), ([1.0, 0.0, 1.0], [1.0, 0.75, 1.0]));
        let deep = contacts(&tetrahedron(8.0), [1.25, 1.5, 1.75], 0.125, SurfaceSides::AsGiven);
        assert_eq!((deep.len(), deep[0].depth, deep[0].direction), (1, 1.375, [1.0, 0.0, 0.0]));
    }

    #[test]
    fn as_a_sheet_the_same_surface_pushes_inward_but_not_from_out_of_its_reach() {
        let near = contacts(&tetrahedron(8.0), [2.0, 0.25, 2.0], 0.5, SurfaceSides::Two);
        assert_eq!((near.len(), near[0].depth, near[0].direction), (1, 0.25, [0.0, -1.0, 0.0]));
        let deep = contacts(&tetrahedron(8.0), [1.25, 1.5, 1.75], 0.125, SurfaceSides::Two);
        assert_eq!((deep.len(), deep[0].depth), (1, 1.375));
    }

    /// The sheet is within the margin, but does not touch the sphere.
    #[test]
    fn a_margin_does_not_hide_that_a_sheet_holds_the_sphere() {
        let settings = SurfaceBodySettings { sides: SurfaceSides::Two, ..SurfaceBodySettings::default() };
        let sphere = Sphere::new(Point::new(1.25, 1.5, 1.75), 0.125).unwrap();
        let mut out = CollisionData::new();
        let context = Context::new().with_margin(4.0);
        SurfaceMeshSphere::new(settings).detect(&tetrahedron(8.0), &sphere, &context, &mut out);
        assert_eq!((out.len(), out.contacts[0].depth), (1, 1.375));
    }

    /// A sphere larger than the solid reaches all four faces from outside one of them: the others face away.
    #[test]
    fn the_far_side_of_a_solid_is_not_touched() {
        let contacts = contacts(&tetrahedron(8.0), [2.0, -0.5, 2.0], 20.0, SurfaceSides::AsGiven);
        assert_eq!(contacts[0].depth, 19.5);
        assert!(contacts.iter().all(|contact| contact.direction[1] > 0.0), "{contacts:#?}");
    }

    #[test]
    fn flat_triangles_are_met_by_their_edges() {
        let flat = mesh(&[[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], &[[0, 1, 2]]);
        let contact = contacts(&flat, [0.25, 0.25, 0.0], 0.5, SurfaceSides::AsGiven)[0];
        assert_eq!(
            (contact.depth, contact.direction, contact.a.feature_kind()),
            (0.25, [0.0, -1.0, 0.0], FeatureKind::Edge)
        );
        let point = mesh(&[[0.0; 3]; 3], &[[0, 1, 2]]);
        assert_eq!(contacts(&point, [0.0, 0.25, 0.0], 0.5, SurfaceSides::AsGiven)[0].depth, 0.25);
        assert_eq!(contacts(&point, [0.0; 3], 0.5, SurfaceSides::AsGiven)[0].direction, [-0.0, -1.0, -0.0]);
    }

    /// The front of the floor is above it; beyond its border it collides as a sheet.
    #[test]
    fn a_sheet_with_a_front_pushes_to_it_what_touches_it_from_behind() {
        let one = |center| contacts(&floor(2.0), center, 0.5, SurfaceSides::One);
        let above = one([1.0, 0.25, -0.5]);
        assert_eq!((above.len(), above[0].depth, above[0].direction), (1, 0.25, [0.0, -1.0, 0.0]));
        let below = one([1.0, -0.25, -0.5]);
        assert_eq!((below.len(), below[0].depth, below[0].direction), (1, 0.75, [0.0, -1.0, 0.0]));
        assert_eq!((below[0].a.point, below[0].b.point), ([1.0, 0.0, -0.5], [1.0, -0.75, -0.5]));
        assert!(one([1.0, -0.625, -0.5]).is_empty(), "separated");
        let border = one([2.25, -0.25, 0.0]);
        assert_eq!((border.len(), border[0].a.feature_kind()), (1, FeatureKind::Edge));
        assert!(border[0].direction[0] < -0.7 && border[0].direction[1] > 0.7, "{border:?}");
        let solid = contacts(&tetrahedron(8.0), [1.0, 0.25, 1.0], 0.5, SurfaceSides::One);
        assert_eq!((solid.len(), solid[0].depth, solid[0].direction), (1, 0.75, [0.0, 1.0, 0.0]));
    }
}
