//! Surface against surface, at least one of them a solid: the vertices and edges of each against the other.

use crate::mesh::vertex_surface::{VertexPass, flags_of_sides, of_second_side};
use crate::pairs::SurfaceSides;
use crate::solid::skin::Skin;
use crate::solid::solid_features::FeatureSearch;
use crate::{About, Context, Flags, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Needs, SurfaceMesh};
use serde::{Deserialize, Serialize};

/// The input whose vertices and edges are tested.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ClosedSurfaceMeshSettings {
    /// The input whose vertices and edges are tested; by default both.
    pub vertices: Vertices,
    /// Whether edges are tested (the default). Otherwise only vertices are, and the result is flagged.
    pub edges: bool,
}

impl Default for ClosedSurfaceMeshSettings {
    fn default() -> Self {
        Self { vertices: Vertices::Both, edges: true }
    }
}

/// Surface against surface, the default if at least one of the two is closed: a closed surface is a solid, an open
/// one a sheet.
///
/// Every vertex inside a solid exits through the closest point of its surface. An edge inside exits from the deepest
/// point of each of its inside parts, if that is deeper than its ends. Two edges are in contact if crossing the other
/// is the minimum translation by which one of them exits a face it intersects, and each is a local support feature of
/// its body along that direction; an inside part has no contact of its own if the edge crosses another there at least
/// as deep. Edges between two coplanar triangles are skipped. If nothing else is as deep (or the surfaces only
/// touch), the deepest exit of an edge from a face is also reported, so that intersecting solids are always in
/// contact, and the greatest depth changes by no more than the bodies are moved. No contact is deeper than the
/// minimum translation that separates the two.
///
/// An edge through a sheet leaves it by the shortest way: an end of it through the sheet, or the edge over the border or
/// over a fold, whichever the piercing point reaches first. The chords between some vertices of the solid that are far from
/// each other do, too, where they lie within it; the deepest is reported if nothing else is as deep: a solid of fine
/// triangles reaches through a sheet farther than its edges are long. So is the deepest point of the sheet's triangles in the
/// solid. The triangulation of the sheet does not matter: edges between coplanar triangles are skipped, and collinear edges of
/// the border are treated as one.
/// Within thickness and margin, vertices are in contact with the nearest element, and the first's edges that
/// intersect nothing are in contact with theirs if it is an edge.
///
/// Order: the first's vertices, its edges, then the second's, then the exit of an edge from a face.
pub struct ClosedSurfaceMeshSurfaceMesh {
    settings: ClosedSurfaceMeshSettings,
    search: FeatureSearch,
    passes: [VertexPass; 2],
    exchanged: CollisionData,
}

impl PairDetector for ClosedSurfaceMeshSurfaceMesh {
    type A = SurfaceMesh;
    type B = SurfaceMesh;
    type Settings = ClosedSurfaceMeshSettings;

    const NAME: &'static str = "closed_surface_mesh_surface_mesh";
    const NEEDS: [Needs; 2] = [Needs::TREE.union(Needs::NORMALS), Needs::TREE.union(Needs::NORMALS)];
    const ABOUT: About = About {
        elements_a: "vertex, edge; triangle, edge, vertex",
        elements_b: "triangle, edge, vertex; vertex, edge",
        at_most: "one per vertex and part of the other surface, one per inside part of an edge and per \
            pair of crossing edges; one per vertex and pierced triangle of a sheet",
        sides: "one: a solid if the surface is closed; two: a sheet if it is open",
        method: "signed distance of each vertex from the other surface, the deepest point of every inside \
            part of an edge, and the minimum translation that separates an edge from a face it intersects, \
            in both directions; a corner whose nearest exit leads along its own body \
            leaves through a face that it faces, by up to a tenth of the bodies; setting `edges`: vertices only; order of the first's vertices and edges, \
            then of the second's",
        cost: "O(vertices log triangles + edges in the other surface's box, log triangles each)",
        source: "Baerentzen and Aanaes 2005, Signed distance computation using the angle weighted pseudonormal; Piyavskii 1972; \
                 Ericson 2005, Real-Time Collision Detection, 9.1",
    };

    const DEFAULT_FOR_SOME: bool = true;

    fn is_default_for(a: &SurfaceMesh, b: &SurfaceMesh) -> bool {
        a.is_closed() || b.is_closed()
    }

    fn new(settings: ClosedSurfaceMeshSettings) -> Self {
        let (search, passes) = (FeatureSearch::default(), Default::default());
        Self { settings, search, passes, exchanged: CollisionData::new() }
    }

    fn needed(&self) -> [Needs; 2] {
        if self.settings.edges {
            return Self::NEEDS;
        }
        // The vertices of one side alone need nothing of it.
        let [first, second] = Self::NEEDS;
        match self.settings.vertices {
            Vertices::Both => [first, second],
            Vertices::First => [Needs::empty(), second],
            Vertices::Second => [first, Needs::empty()],
        }
    }

    fn mirrored(settings: ClosedSurfaceMeshSettings) -> ClosedSurfaceMeshSettings {
        let vertices = match settings.vertices {
            Vertices::Both => Vertices::Both,
            Vertices::First => Vertices::Second,
            Vertices::Second => Vertices::First,
        };
        ClosedSurfaceMeshSettings { vertices, ..settings }
    }

    fn detect(
        &mut self,
        a: &SurfaceMesh,
        b: &SurfaceMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let looked_at = [Vertices::Second, Vertices::First].map(|other| self.settings.vertices != other);
        let mut flags = if self.settings.edges {
            let skins = [a, b].map(Skin::of_surface);
            self.search.find(skins, looked_at, context, out)
        } else {
            self.vertices_alone([a, b], looked_at, context, out)
        };
        for (surface, _) in [b, a].into_iter().zip(looked_at).filter(|(_, looked_at)| *looked_at) {
            flags |= flags_of_sides(surface);
        }
        flags.into()
    }

    fn reset(&mut self) {
        self.passes.iter_mut().for_each(VertexPass::reset);
    }
}

impl ClosedSurfaceMeshSurfaceMesh {
    fn vertices_alone(
        &mut self,
        [a, b]: [&SurfaceMesh; 2],
        [of_a, of_b]: [bool; 2],
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Flags {
        let sides = SurfaceSides::AsGiven;
        let mut flags = Flags::VERTICES_ONLY;
        let [first, second] = &mut self.passes;
        if of_a {
            flags |= first.detect(a.points(), b, sides, context, out);
        }
        if of_b {
            self.exchanged.clear();
            flags |= second.detect(b.points(), a, sides, context, &mut self.exchanged);
            out.contacts.extend(self.exchanged.contacts.iter().map(of_second_side));
        }
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::implicit::surface_samples::{blocks, floor, mesh};
    use crate::{Choice, Registry};
    use palpate_contact::{Contact, FeatureKind};
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

    /// The surface whose vertices are tested has no tree and no normals; the contacts are the same.
    #[test]
    fn vertices_of_one_side_need_nothing_of_it() {
        let (large, small) = (tetrahedron(16.0, 0.0), tetrahedron(1.0, 1.0));
        let bare = SurfaceMesh::new(small.points().positions().to_vec(), small.triangles().to_vec()).unwrap();
        let of = |vertices: &str| serde_json::json!({"edges": false, "vertices": vertices});
        for (vertices, of_small) in [("first", 0), ("second", 1)] {
            let settings = of(vertices);
            let choice = Choice::named("closed_surface_mesh_surface_mesh").with_settings(&settings);
            let found = |mesh: &SurfaceMesh| {
                let sides = if of_small == 0 { [mesh, &large] } else { [&large, mesh] };
                let mut bound = Registry::standard().bind(sides[0], sides[1], choice).unwrap();
                assert_eq!(bound.needs()[of_small], Needs::empty(), "{vertices}");
                assert_eq!(bound.needs()[1 - of_small], Needs::TREE | Needs::NORMALS, "{vertices}");
                let mut out = CollisionData::new();
                bound.run(sides[0], sides[1], &Context::new(), &mut out).unwrap();
                out.contacts
            };
            let contacts = found(&bare);
            assert_eq!(contacts.len(), 4);
            assert!(contacts.iter().zip(found(&small)).all(|(one, other)| one.same_bits(&other)));
        }
        let both = of("both");
        let choice = Choice::named("closed_surface_mesh_surface_mesh").with_settings(&both);
        let bound = Registry::standard().bind(&large, &small, choice).unwrap();
        assert_eq!(bound.needs(), [Needs::TREE | Needs::NORMALS; 2]);
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

    fn contacts(a: &SurfaceMesh, b: &SurfaceMesh) -> Vec<Contact> {
        let mut out = CollisionData::new();
        let mut detector = ClosedSurfaceMeshSurfaceMesh::new(ClosedSurfaceMeshSettings::default());
        detector.detect(a, b, &Context::new(), &mut out);
        out.contacts
    }

    /// Each of the four edges along the rod is deepest in the middle of each plate.
    #[test]
    fn an_edge_through_two_plates_has_a_contact_in_each() {
        let plates = blocks(&[[[-4.0, 0.0, -4.0], [4.0, 1.0, 4.0]], [[-4.0, 3.0, -4.0], [4.0, 4.0, 4.0]]]);
        let rod = blocks(&[[[0.25, -2.0, 0.5], [0.375, 6.0, 0.625]]]);
        let contacts = contacts(&plates, &rod);
        for middle in [0.5, 3.5] {
            let there = contacts.iter().filter(|contact| {
                (contact.b.point[1] - middle).abs() < 1e-9 && (contact.depth - 0.5).abs() < 1e-9
            });
            assert_eq!(there.count(), 4, "{middle}: {contacts:#?}");
        }
    }

    /// The sheet is half a unit thick; the solid's upper side is an eighth below its middle.
    #[test]
    fn a_solid_leaves_a_thick_sheet_to_its_own_side() {
        let mut sheet = floor(8.0).with_radius(0.25).unwrap();
        sheet.prepare(Needs::TREE | Needs::NORMALS);
        for (low, high, down) in [(-3.0, -0.125, -1.0), (0.125, 3.0, 1.0)] {
            let contacts = contacts(&blocks(&[[[-1.0, low, -2.0], [1.0, high, 1.5]]]), &sheet);
            assert!(contacts.len() >= 4, "{contacts:#?}");
            assert!(contacts.iter().all(|contact| contact.depth == 0.125), "{contacts:#?}");
            assert!(contacts.iter().all(|contact| contact.direction == [0.0, down, 0.0]), "{contacts:#?}");
        }
    }

    /// The lower side is split around its middle, which is as deep as its corners and exits the same way.
    #[test]
    fn a_vertex_in_the_middle_of_a_side_counts_where_it_leaves_along_the_normal() {
        let corner =
            |k: usize| [0, 1, 2].map(|axis| [[-1.0, -0.25, -1.0], [1.0, 2.0, 1.0]][k >> axis & 1][axis]);
        let mut corners: Vec<[f64; 3]> = (0..8).map(corner).collect();
        corners.push([0.0, -0.25, 0.0]);
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let mut triangles: Vec<[u32; 3]> =
            quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        triangles.extend([[0, 1, 8], [1, 5, 8], [5, 4, 8], [4, 0, 8]]);
        let (body, ground) = (mesh(&corners, &triangles), blocks(&[[[-4.0, -4.0, -4.0], [4.0, 0.0, 4.0]]]));
        let contacts = contacts(&body, &ground);
        let of_vertices = contacts.iter().filter(|contact| {
            contact.a.vertex_count == 1 && contact.depth == 0.25 && contact.direction == [0.0, 1.0, 0.0]
        });
        assert_eq!(of_vertices.count(), 5, "{contacts:#?}");
    }

    /// The surface with a thickness of an eighth.
    fn thick(surface: SurfaceMesh) -> SurfaceMesh {
        let mut surface = surface.with_radius(0.125).unwrap();
        surface.prepare(Needs::TREE | Needs::NORMALS);
        surface
    }

    /// The whole overlap of the edge with the plate is equally near: the diagonals of the plate are not edges.
    #[test]
    fn an_edge_along_a_flat_face_touches_the_sides_of_the_face() {
        let ends = [-3.0, 3.0].map(|z| [[0.0, 0.0625, z], [1.0, 1.0, z], [-1.0, 1.0, z]]);
        let roof = mesh(
            &ends.concat(),
            &[[0, 2, 1], [3, 4, 5], [0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [2, 0, 3], [2, 3, 5]],
        );
        let roof = thick(roof);
        for tilt in [0.0, 1e-9, -1e-9] {
            let plate = blocks(&[[[-4.0 + tilt, -1.0, -1.0], [4.0, tilt, 1.0]]]);
            let found = contacts(&roof, &plate);
            assert!(!found.is_empty(), "tilt {tilt}");
            assert!(found.iter().all(|contact| (contact.depth - 0.0625).abs() < 1e-8), "{found:?}");
        }
    }

    /// The spike hangs in the gap between two blocks, nearer to one of them.
    #[test]
    fn a_vertex_between_two_parts_touches_both() {
        let slit =
            blocks(&[[[-3.0, -1.0, -1.0], [-0.0625, 1.0, 1.0]], [[0.0625, -1.0, -1.0], [3.0, 1.0, 1.0]]]);
        let corners =
            [[0.015625, 0.5, 0.0], [0.015625, 3.0, 0.0], [0.0, 3.0, 0.015625], [0.03125, 3.0, 0.015625]];
        let spike = thick(mesh(&corners, &[[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]));
        let found = contacts(&spike, &slit);
        let of_tip = found
            .iter()
            .filter(|contact| contact.a.vertices[0] == 0 && contact.a.feature_kind() == FeatureKind::Vertex);
        let parts: Vec<bool> = of_tip.map(|contact| contact.b.cell < 12).collect();
        assert_eq!(parts, [false, true], "{found:?}");
    }
}
