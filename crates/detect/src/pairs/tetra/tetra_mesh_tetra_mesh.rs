//! A tetrahedral mesh against another.

use crate::pairs::NoSettings;
use crate::solid::skin::Skin;
use crate::solid::solid_features::FeatureSearch;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Needs, TetraMesh};

/// Two tetrahedral meshes, which are solids, by the vertices and edges of their boundaries, tested as
/// [`ClosedSurfaceMeshSurfaceMesh`](crate::pairs::ClosedSurfaceMeshSurfaceMesh) tests those of two closed surfaces,
/// with the same ids in the same order. The tetrahedra decide containment exactly: a feature inside is in contact
/// with the lowest-index tetrahedron that contains it, whose weights locate it. Degenerate tetrahedra contain
/// nothing.
#[derive(Default)]
pub struct TetraMeshTetraMesh {
    search: FeatureSearch,
}

impl PairDetector for TetraMeshTetraMesh {
    type A = TetraMesh;
    type B = TetraMesh;
    type Settings = NoSettings;

    const NAME: &'static str = "tetra_mesh_tetra_mesh";
    const NEEDS: [Needs; 2] = [Needs::TREE.union(Needs::BOUNDARY), Needs::TREE.union(Needs::BOUNDARY)];
    const ABOUT: About = About {
        elements_a: "vertex, edge; tetrahedron, triangle, edge, vertex of the boundary",
        elements_b: "tetrahedron, triangle, edge, vertex of the boundary; vertex, edge",
        at_most: "one per vertex and part of the other surface, one per inside part of an edge and per \
            pair of crossing edges",
        sides: "one: the tetrahedra are solid",
        method: "containment of the boundary's vertices by exact predicates, the deepest point of every \
            inside part of an edge, and the minimum translation that separates an edge from a face it \
            intersects, in both directions; a corner whose nearest exit leads along its own body leaves \
            through a face that it faces, by up to a tenth of the bodies; order of the first's vertices and edges, then of the second's",
        cost: "O(boundary vertices log tetrahedra + edges in the other's box, log triangles each)",
        source: "Ericson 2005, Real-Time Collision Detection, 3.4 and 9.1; Piyavskii 1972",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &TetraMesh,
        b: &TetraMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let (Some(boundary_a), Some(boundary_b)) = (a.boundary(), b.boundary()) else {
            return Status::default();
        };
        let skin_a = Skin { surface: boundary_a, volume: Some(a) };
        let skin_b = Skin { surface: boundary_b, volume: Some(b) };
        self.search.find([skin_a, skin_b], [true; 2], context, out).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::{Contact, FeatureKind};
    use palpate_geometry::Geometry;
    use palpate_math::Point;

    /// A bar of six tetrahedra between two opposite corners.
    fn bar(low: [f64; 3], high: [f64; 3]) -> TetraMesh {
        let corner = |k: usize| {
            let at = |axis: usize| if k >> axis & 1 == 1 { high[axis] } else { low[axis] };
            Point::new(at(0), at(1), at(2))
        };
        let cells = vec![[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];
        let mut mesh = TetraMesh::new((0..8).map(corner).collect(), cells).unwrap();
        mesh.prepare(Needs::TREE | Needs::BOUNDARY);
        mesh
    }

    fn detect(a: &TetraMesh, b: &TetraMesh, margin: f64) -> Vec<Contact> {
        let mut out = CollisionData::new();
        let context = Context::new().with_margin(margin);
        TetraMeshTetraMesh::default().detect(a, b, &context, &mut out);
        out.contacts
    }

    #[test]
    fn a_corner_inside_leaves_through_the_boundary() {
        let (floor, block) = (bar([0.0; 3], [8.0, 4.0, 8.0]), bar([1.0, 3.5, 1.0], [3.0, 6.0, 3.0]));
        let contacts = detect(&floor, &block, 0.0);
        let corners: Vec<_> =
            contacts.iter().filter(|contact| contact.b.feature_kind() == FeatureKind::Vertex).collect();
        assert_eq!(corners.len(), 4, "{contacts:#?}");
        for contact in corners {
            assert_eq!((contact.depth, contact.direction), (0.5, [0.0, -1.0, 0.0]));
            assert_eq!(contact.a.feature_kind(), FeatureKind::Tetrahedron);
        }
    }

    /// Two crossed bars: all corners of each are outside the other.
    #[test]
    fn bars_that_cross_without_a_corner_inside_are_in_contact_by_their_edges() {
        let lying = bar([-8.0, 0.0, -1.0], [8.0, 2.0, 1.0]);
        let across = bar([-1.5, 1.5, -8.0], [1.5, 3.5, 8.0]);
        let contacts = detect(&lying, &across, 0.0);
        assert!(!contacts.is_empty());
        assert!(contacts.iter().all(|contact| {
            [&contact.a, &contact.b].iter().any(|side| side.feature_kind() == FeatureKind::Edge)
        }));
        let deepest = contacts.iter().map(|contact| contact.depth).fold(0.0, f64::max);
        assert!((deepest - 0.5).abs() < 1e-9, "{deepest}");
    }

    #[test]
    fn a_body_wholly_inside_is_in_contact_by_all_its_corners() {
        let contacts = detect(&bar([0.0; 3], [8.0; 3]), &bar([3.0; 3], [4.0; 3]), 0.0);
        assert_eq!(contacts.len(), 8);
        assert!(contacts.iter().all(|contact| contact.depth == 3.0 || contact.depth == 4.0));
    }

    #[test]
    fn edges_beside_edges_are_found_in_the_margin() {
        let below = bar([-8.0, 0.0, -1.0], [8.0, 2.0, 1.0]);
        let above = bar([-1.0, 2.25, -8.0], [1.0, 4.0, 8.0]);
        assert!(detect(&below, &above, 0.0).is_empty());
        let contacts = detect(&below, &above, 0.5);
        assert!(!contacts.is_empty() && contacts.iter().all(|contact| contact.depth == -0.25));
    }
}
