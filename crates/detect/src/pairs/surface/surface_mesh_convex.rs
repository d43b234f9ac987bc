//! A surface against any convex body: a cylinder, a box, a hull, an ellipsoid, a cone.

use crate::mesh::ElementFilter;
use crate::mesh::internal_edges::InternalEdges;
use crate::mesh::surface_sides::SurfaceSides;
use crate::mesh::vertex_surface::flags_of_sides;
use crate::mesh::{ConvexPair, ConvexSearch, MeshSide};
use crate::pairs::ConvexSettings;
use crate::{About, AnyConvex, Context, ConvexBody, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_convex::Settings;
use palpate_geometry::{Needs, SurfaceMesh};
use serde::{Deserialize, Serialize};

/// Settings of [`SurfaceMeshConvex`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SurfaceMeshConvexSettings {
    /// The sidedness of the surface; by default a closed one is a solid.
    pub sides: SurfaceSides,
    /// The treatment of edges and vertices between nearer triangles; by default a closed surface ignores them.
    pub internal_edges: InternalEdges,
    /// Whether a face of the body on a flat patch of triangles has up to four points, as on a plane (the default), or
    /// only the deepest; applies where internal edges are ignored.
    pub manifold: bool,
    /// The maximum gap between the certified bounds of a depth, relative to the size of triangle and body; for curved
    /// bodies.
    pub tolerance: ConvexTolerance,
}

impl Default for SurfaceMeshConvexSettings {
    fn default() -> Self {
        Self {
            sides: SurfaceSides::default(),
            internal_edges: InternalEdges::default(),
            manifold: true,
            tolerance: ConvexTolerance::default(),
        }
    }
}

/// The tolerance of [`ConvexSettings`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConvexTolerance(pub f64);

impl Default for ConvexTolerance {
    fn default() -> Self {
        Self(ConvexSettings::default().tolerance)
    }
}

/// A surface against a convex body, triangle by triangle.
///
/// Each candidate triangle has one contact with the body by GJK and EPA: their closest points if they are separated,
/// otherwise the minimum translation that separates them. It names the triangle's support element along the direction
/// into the body; an element shared by several triangles is reported once, for the lowest-index or the deepest of
/// them. Where internal edges are ignored, an edge or a vertex is reported only if no neighbouring triangle is nearer
/// to the body or extends farther along the direction.
///
/// The exit of a triangle that leads into a neighbouring triangle is no exit of the surface, and is reported only with
/// internal edges kept. A body that passes through deeper than the triangles are wide has one contact in its place, first
/// in the order: the exit of the body from the flat part around the triangle if that is convex (over its border or along its
/// normal, exact), or of the deepest of seven chords of the body, fixed in its frame, through an end or over an edge. It is
/// never deeper than the least translation that separates the two, and changes by no more than they are moved. If a
/// triangle's own exit is deeper than these, the contact has its depth.
///
/// An exit over the border of a sheet that leads into the sheet again, as over a hole, keeps its depth and takes the direction
/// of the shortest way past all triangles on the way.
///
/// A sheet pushes to the nearer side. A solid pushes outward: elements that face away from the body are skipped if
/// the two are separated, and a contact that would push the body further in is reported only if nothing else is as
/// deep (a small mesh within a large body). Points of the body inside the solid exit through the closest point of its
/// surface; the deepest of them is a contact, first in the order, if it is deeper than all others. The points are
/// fixed in the body: corners, points along edges, face centres, sixteen points around each rim; for an ellipsoid, 26
/// points all around. Where that exit leads past the triangles which the body overlaps much farther than it is deep, as for a body
/// that reaches past the middle of a plate, it keeps its depth and takes the direction of the shortest way past them: along a
/// normal, or over an edge.
///
/// A face of the body (of a box or a hull, a cap, the straight line of a wall) on a patch of triangles coplanar to
/// within 1.4 milliradians has the same points as on a plane, up to four, the deepest first; if it overhangs the border
/// of the patch, the points where the border crosses its outline. See `docs/manifolds.md`.
///
/// A sheet with a front pushes to its front: a body that passes through a triangle from behind exits along the
/// triangle's normal, by as much as it reaches below the triangle's plane. If the two only touch, a direction that
/// leads inward is not used; if no other contact is as deep, the element's own outward direction replaces it. A body
/// wholly inside a closed surface that is treated as a sheet, without touching the sheet, is still pushed outward.
#[derive(Default)]
pub struct SurfaceMeshConvex {
    settings: SurfaceMeshConvexSettings,
    search: ConvexSearch,
}

impl PairDetector for SurfaceMeshConvex {
    type A = SurfaceMesh;
    type B = AnyConvex;
    type Settings = SurfaceMeshConvexSettings;

    const NAME: &'static str = "surface_mesh_convex";
    const NEEDS: [Needs; 2] = [Needs::TREE.union(Needs::NORMALS), Needs::empty()];
    const ABOUT: About = About {
        elements_a: "vertex, edge, triangle",
        elements_b: "point",
        at_most: "one per triangle, edge or vertex; up to four per flat patch of triangles",
        sides: "one: a solid if the surface is closed; two: a sheet if it is open, or by setting `sides`",
        method: "every nearby triangle against the body: for a box or a hull the best of all separating axes, \
            else the exit of the corner that exits last, else GJK and EPA; each shared element once, \
            without internal edges if the surface is closed; an exit into a neighbouring triangle is none: \
            the flat part around it, or a chord of the body, exits in its place; a closed surface is a \
            solid: the body's deepest point in it exits through the closest surface point; these first in \
            the order; a face on a flat patch of triangles has the points of a plane; triangle order",
        cost: "O(log triangles + nearby triangles)",
        source: "Gilbert, Johnson, Keerthi 1988; van den Bergen 2001; Akenine-Moller 2001; Ericson 2005, 11.5.1",
    };

    fn new(settings: SurfaceMeshConvexSettings) -> Self {
        Self { settings, search: ConvexSearch::default() }
    }

    fn detect(
        &mut self,
        a: &SurfaceMesh,
        b: ConvexBody<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let SurfaceMeshConvexSettings { sides, internal_edges, manifold, tolerance } = self.settings;
        let sidedness = sides.sidedness(a);
        let filter =
            ElementFilter { facing: sidedness.is_facing(a), outer: internal_edges.are_ignored(a, sidedness) };
        let mesh = MeshSide { surface: a, volume: None, sidedness, filter };
        let settings = Settings { tolerance: tolerance.0, ..Settings::default() };
        let exits_only = internal_edges != InternalEdges::Keep;
        let pair = ConvexPair { mesh, body: b, settings, manifold, exits_only };
        (self.search.run(&pair, context, out) | flags_of_sides(a)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::implicit::surface_samples::{blocks, floor, mesh, tetrahedron};
    use palpate_contact::{Contact, FeatureKind};
    use palpate_geometry::{Convex as ConvexGeometry, Cylinder, Ellipsoid, Geometry, OrientedBox, Pose};
    use palpate_math::{Point, Vector};

    fn detect(surface: &SurfaceMesh, body: &dyn Geometry, sides: SurfaceSides, margin: f64) -> Vec<Contact> {
        let settings = SurfaceMeshConvexSettings { sides, ..SurfaceMeshConvexSettings::default() };
        let mut out = CollisionData::new();
        let body = ConvexBody::new(body).unwrap();
        let context = Context::new().with_margin(margin);
        SurfaceMeshConvex::new(settings).detect(surface, body, &context, &mut out);
        out.contacts
    }

    fn block(center: [f64; 3], half: [f64; 3]) -> OrientedBox {
        let [x, y, z] = center;
        OrientedBox::new(Pose::translation(x, y, z), Vector::from(half)).unwrap()
    }

    /// The plank, a segment, passes through the second triangle beside the diagonal, 1/16 from the side from 0 to 3. Over
    /// the diagonal it would leave into the first triangle.
    #[test]
    fn a_body_leaves_a_flat_sheet_over_its_border_and_not_over_a_diagonal() {
        let square =
            [[0.0, -0.5625, 0.375], [0.25, -0.5625, 0.375], [0.25, -0.4375, 0.375], [0.0, -0.4375, 0.375]];
        let sheet = mesh(&square, &[[0, 1, 2], [0, 2, 3]]);
        let line = [[-0.25, -0.125, -0.125], [0.125, 0.0625, 0.0625]].map(Point::from);
        let plank = ConvexGeometry::new(Pose::translation(0.0625, -0.5, 0.375), &line).unwrap();
        let contacts = detect(&sheet, &plank, SurfaceSides::Two, 0.0);
        assert_eq!((contacts.len(), contacts[0].a.vertices[..2].to_vec()), (1, vec![0, 3]));
        assert!((contacts[0].depth - 0.0625 / 5.0_f64.sqrt()).abs() < 1e-12, "{contacts:?}");
    }

    /// The vertex exits through the top with the first triangle, and through the side with the second.
    #[test]
    fn the_deepest_triangle_of_a_vertex_stands_for_it() {
        let corners =
            [[0.5, 0.75, 0.0], [0.5, 3.0, 1.0], [0.5, 3.0, -1.0], [1.5, -0.9, 1.0], [1.5, -0.9, -1.0]];
        let sheet = mesh(&corners, &[[0, 1, 2], [0, 3, 4]]);
        let block = OrientedBox::new(Pose::identity(), Vector::repeat(1.0)).unwrap();
        let contacts = detect(&sheet, &block, SurfaceSides::Two, 0.0);
        assert_eq!((contacts.len(), contacts[0].depth, contacts[0].direction), (1, 0.5, [1.0, 0.0, 0.0]));
        assert_eq!(contacts[0].a.vertices[0], 0);
    }

    /// The box is wider than the slot: over one of its sides it would leave into the other, and along the normal it is free.
    #[test]
    fn a_body_in_a_slot_narrower_than_it_leaves_along_the_normal() {
        let ring = |x: f64, z: f64| [[-x, 0.0, -z], [x, 0.0, -z], [x, 0.0, z], [-x, 0.0, z]];
        let corners = [ring(4.0, 4.0), ring(0.5, 2.0)].concat();
        let triangles: Vec<[u32; 3]> =
            (0..4).flat_map(|k| [[k, k + 4, (k + 1) % 4], [k + 4, (k + 1) % 4 + 4, (k + 1) % 4]]).collect();
        let sheet = mesh(&corners, &triangles);
        for sides in [SurfaceSides::Two, SurfaceSides::One] {
            let deepest = |height: f64| {
                let found = detect(&sheet, &block([0.2, height, 0.0], [0.6, 0.4, 0.5]), sides, 0.0);
                found.into_iter().filter(|c| c.depth > 0.0).max_by(|p, q| p.depth.total_cmp(&q.depth))
            };
            let (mut height, mut depths) = (0.0, Vec::new());
            while let Some(deepest) = deepest(height) {
                assert_eq!(deepest.direction.map(f64::abs), [0.0, 1.0, 0.0], "{sides:?} {deepest:#?}");
                height -= deepest.depth * deepest.direction[1];
                depths.push(deepest.depth);
            }
            assert_eq!(depths.len(), 2, "{depths:?}");
            assert!((depths[0] - 0.3).abs() < 1e-12 && (depths[1] - 0.1).abs() < 1e-12, "{depths:?}");
        }
    }

    #[test]
    fn a_box_on_a_sheet_leaves_by_the_nearer_side() {
        for (height, direction) in [(0.75, -1.0), (-0.75, 1.0)] {
            let contacts =
                detect(&floor(8.0), &block([5.0, height, -4.0], [1.0; 3]), SurfaceSides::AsGiven, 0.0);
            assert_eq!(contacts.len(), 1, "{contacts:#?}");
            assert_eq!((contacts[0].depth, contacts[0].direction), (0.25, [0.0, direction, 0.0]));
            assert_eq!(contacts[0].a.cell, 0);
        }
        assert!(
            detect(&floor(8.0), &block([5.0, 1.5, -4.0], [1.0; 3]), SurfaceSides::AsGiven, 0.0).is_empty()
        );
        let near = detect(&floor(8.0), &block([5.0, 1.5, -4.0], [1.0; 3]), SurfaceSides::AsGiven, 1.0);
        assert_eq!((near.len(), near[0].depth), (1, -0.5));
    }

    /// A cylinder over the middle of an edge of the floor.
    #[test]
    fn an_element_that_two_triangles_share_counts_once() {
        let cylinder = Cylinder::new(Pose::translation(0.0, 1.25, 0.0), 0.5, 2.0).unwrap();
        let contacts = detect(&floor(8.0), &cylinder, SurfaceSides::AsGiven, 1.0);
        assert!(contacts.iter().all(|contact| (contact.depth + 0.25).abs() < 1e-9), "{contacts:#?}");
        let mut ids: Vec<u64> = contacts.iter().map(|contact| contact.id).collect();
        ids.dedup();
        assert_eq!(ids.len(), contacts.len());
    }

    /// More than half of the box is below the floor of the solid: the minimum translation would push it further in.
    #[test]
    fn a_solid_pushes_outward_only() {
        let sunk = block([2.0, 0.25, 2.0], [0.5, 1.0, 0.5]);
        let contacts = detect(&tetrahedron(16.0), &sunk, SurfaceSides::AsGiven, 0.0);
        assert_eq!(contacts.len(), 4, "the corners of the lower side: {contacts:#?}");
        for contact in contacts {
            assert_eq!((contact.depth, contact.direction), (1.25, [0.0, 1.0, 0.0]));
            assert_eq!(contact.a.feature_kind(), FeatureKind::Triangle);
            assert_eq!((contact.b.point[1], contact.a.point[1]), (1.25, 0.0));
        }
        let sheet = detect(&tetrahedron(16.0), &sunk, SurfaceSides::Two, 0.0);
        assert_eq!((sheet.len(), sheet[0].depth, sheet[0].direction), (4, 0.75, [0.0, -1.0, 0.0]));
    }

    /// Behind the front the box touches one triangle; the adjacent edge of the other is within the thickness and less
    /// deep.
    #[test]
    fn what_touches_from_behind_counts_where_it_is_the_deepest() {
        let mut front = floor(8.0).with_radius(1.0).unwrap();
        front.prepare(Needs::TREE | Needs::NORMALS);
        let touching = block([3.0, -1.0, 1.0], [0.5, 1.0, 0.5]);
        let contacts = detect(&front, &touching, SurfaceSides::One, 0.0);
        let [face, edge] = contacts[..] else { panic!("{contacts:#?}") };
        assert_eq!((face.depth, face.direction, face.a.cell), (1.0, [0.0, -1.0, 0.0], 0));
        assert_eq!((edge.a.vertex_ids(), edge.a.cell), (&[0, 2][..], 0));
        assert!((edge.depth - (1.0 - 0.5_f64.sqrt())).abs() < 1e-12, "{edge:?}");
    }

    #[test]
    fn a_body_wholly_inside_leaves_by_the_place_nearest_to_its_middle() {
        for sides in [SurfaceSides::AsGiven, SurfaceSides::Two] {
            let contacts = detect(&tetrahedron(16.0), &block([3.0, 2.0, 3.0], [0.5, 1.0, 0.5]), sides, 0.0);
            assert_eq!((contacts.len(), contacts[0].depth, contacts[0].direction), (1, 3.0, [0.0, 1.0, 0.0]));
        }
    }

    /// The far faces of the solid face away from a body that extends past them.
    #[test]
    fn a_large_body_beside_a_solid_leaves_by_the_near_face() {
        let contacts =
            detect(&tetrahedron(16.0), &block([4.0, -31.75, 4.0], [32.0; 3]), SurfaceSides::AsGiven, 0.0);
        assert!(contacts.iter().all(|contact| contact.direction == [0.0, 1.0, 0.0]), "{contacts:#?}");
        assert_eq!(contacts.iter().map(|contact| contact.depth).fold(0.0, f64::max), 0.25);
    }

    /// In the wall of a solid between its outer side and two hollows, one of which it reaches into.
    #[test]
    fn a_body_leaves_every_part_of_a_solid_between_which_it_is() {
        let hollows = [[[-1.0, 1.0, 1.0], [-3.0, -1.0, -1.0]], [[2.0, 4.0, 1.0], [0.0, 1.75, -1.0]]];
        let solid = blocks(&[[[-6.0; 3], [4.0, 6.0, 6.0]], hollows[0], hollows[1]]);
        let body = block([0.5, 0.0, 0.0], [2.0, 0.5, 0.5]);
        let contacts = detect(&solid, &body, SurfaceSides::AsGiven, 0.0);
        for part in 0..3 {
            let of_part = contacts.iter().filter(|contact| contact.a.cell / 12 == part);
            assert!(of_part.map(|contact| contact.depth).fold(0.0, f64::max) > 0.0, "{part}: {contacts:#?}");
        }
    }

    /// Detects without and with a margin, and returns the contacts of both.
    fn without_and_with(sheet: &SurfaceMesh, body: &dyn Geometry) -> [Vec<Contact>; 2] {
        let found = [0.0, 1.0].map(|margin| detect(sheet, body, SurfaceSides::Two, margin));
        let [without, with] = &found;
        for contact in without {
            assert!(with.iter().any(|other| other.same_bits(contact)), "{contact:?}: {with:#?}");
        }
        found
    }

    /// Two coplanar triangles with their tip below a plate. Along the plate's normal each leads into the third triangle of the tip,
    /// which is within the margin.
    #[test]
    fn an_exit_leads_into_a_neighbour_that_is_only_within_the_margin() {
        let above = [[0.0, 3.0, 0.2], [0.25, 3.0, 0.2], [0.5, 3.0, 0.2]];
        let corners = [&[[0.3, -0.5, 0.2]], &above[..], &[[0.5, -3.0, 0.2], [0.0, -3.0, 0.2]]].concat();
        let sheet = mesh(&corners, &[[0, 1, 2], [0, 2, 3], [0, 4, 5]]);
        let [without, with] = without_and_with(&sheet, &block([0.0; 3], [2.0, 0.125, 2.0]));
        assert_eq!((without.len(), with.len()), (1, 2), "{without:#?} {with:#?}");
    }

    /// A tip like that below a plate so thin that the depth is equal, to rounding, to the gap to the other triangle, which is
    /// connected to the first beside the plate.
    #[test]
    fn what_overlaps_is_not_compared_with_what_is_within_the_margin() {
        let (thin, tip) = (1e-10, -2e-10);
        let corners = [[0.3, tip], [0.0, 3.0], [0.5, 3.0], [0.5, -3.0], [0.0, -3.0], [6.0, 1.0], [6.0, -1.0]];
        let triangles = [[0, 1, 2], [0, 3, 4], [1, 2, 5], [1, 5, 6], [5, 6, 4], [4, 6, 3]];
        let sheet = mesh(&corners.map(|[x, y]| [x, y, 0.2]), &triangles);
        let [without, with] = without_and_with(&sheet, &block([0.0; 3], [2.0, thin, 2.0]));
        assert!((without[0].depth - (thin - tip)).abs() < 1e-14, "{without:#?}");
        assert_eq!(with.len(), 1, "the tip is reported once: {with:#?}");
    }

    /// Two tips below the plate, connected above it, by depths that differ by a tenth of a micrometre. A triangle of a kilometre is
    /// within the margin.
    #[test]
    fn a_large_triangle_within_the_margin_makes_no_depths_equal() {
        let above = [[0.0, 3.0], [0.5, 3.0], [1.0, 3.0], [1.5, 3.0], [0.75, 6.0]];
        let tips = [[0.3, -2e-7], [1.3, -1e-7], [0.5, -3.0], [0.0, -3.0]];
        let mut corners: Vec<[f64; 3]> = above.into_iter().chain(tips).map(|[x, y]| [x, y, 0.2]).collect();
        corners.extend([[-500.0, -0.5, -500.0], [-500.0, -0.5, 500.0], [500.0, -0.5, 0.0]]);
        let triangles = [[5, 0, 1], [6, 2, 3], [0, 1, 4], [1, 2, 4], [2, 3, 4], [5, 7, 8], [9, 10, 11]];
        let sheet = mesh(&corners, &triangles);
        let [without, _] = without_and_with(&sheet, &block([0.0; 3], [2.0, 1e-10, 2.0]));
        let depths: Vec<f64> = without.iter().map(|contact| contact.depth).collect();
        assert!(depths.len() == 2 && (depths[0] - depths[1] - 1e-7).abs() < 1e-12, "{depths:?}");
    }

    /// Its lower side is below the plate's: the exit is over the top or under the bottom of the plate, whichever is
    /// nearer.
    #[test]
    fn no_contact_of_a_box_through_a_plate_is_deeper_than_the_way_out() {
        let plate = blocks(&[[[-8.0, 0.0, -8.0], [8.0, 1.0, 8.0]]]);
        for (low, high) in [(-2.0, 2.5), (-2.5, 2.0), (-2.0, 4.0), (-4.0, 2.0), (-1.0, 6.0)] {
            for x in [0.0, 0.3, 2.1] {
                let body = block([x, 0.5 * (low + high), 0.7], [0.5, 0.5 * (high - low), 0.5]);
                let way_out = high.min(1.0 - low);
                let contacts = detect(&plate, &body, SurfaceSides::AsGiven, 0.0);
                assert!(!contacts.is_empty());
                let deepest = contacts.iter().map(|contact| contact.depth).fold(0.0, f64::max);
                assert!(
                    deepest <= way_out + 1e-12,
                    "{low} {high} {x}: {deepest} of {way_out}: {contacts:#?}"
                );
            }
        }
    }

    /// Returns a step, extruded along z: a floor at y = 0 for positive x, and a wall above it at x = 0.
    fn step() -> SurfaceMesh {
        let outline = [[-1.0, -2.0], [1.0, -2.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [-1.0, 1.0]];
        let corners: Vec<[f64; 3]> =
            [-1.0, 1.0].into_iter().flat_map(|z| outline.map(|[x, y]| [x, y, z])).collect();
        let mut triangles = Vec::new();
        for [a, b, c] in [[3, 4, 5], [3, 5, 0], [3, 0, 1], [3, 1, 2]] {
            triangles.extend([[a, c, b], [a + 6, b + 6, c + 6]]);
        }
        for a in 0..6 {
            let b = (a + 1) % 6;
            triangles.extend([[a, b, b + 6], [a, b + 6, a + 6]]);
        }
        mesh(&corners, &triangles)
    }

    /// A box in the corner of the step: its own edge is deeper than the wall's and the floor's contacts, by less than a
    /// millionth of its size.
    #[test]
    fn an_edge_barely_deeper_than_every_triangle_is_the_deepest_contact() {
        let in_wall: f64 = 0.125;
        for deeper in [1e-8, 1e-7, 5e-7] {
            let below = (deeper * (2.0 * in_wall + deeper)).sqrt();
            let body = block([0.25 - in_wall, 0.25 - below, 0.0], [0.25; 3]);
            let contacts = detect(&step(), &body, SurfaceSides::AsGiven, 0.0);
            let deepest = contacts.iter().map(|contact| contact.depth).fold(0.0, f64::max);
            assert!((deepest - in_wall - deeper).abs() < 1e-12, "{deeper}: {deepest} {contacts:#?}");
            assert!(contacts.iter().any(|contact| contact.depth == in_wall), "{contacts:#?}");
        }
    }

    /// Its line crosses the border at x = 8, and the line of the opposite border only far beyond it.
    #[test]
    fn a_cylinder_that_lies_over_the_border_has_points_along_itself_alone() {
        let table = blocks(&[[[-8.0, -2.0, -8.0], [8.0, 0.0, 8.0]]]);
        let lying = nalgebra::UnitQuaternion::from_axis_angle(&Vector::z_axis(), std::f64::consts::FRAC_PI_2);
        let pose = Pose::from_parts(Point::new(7.0, 0.4375, 0.125).into(), lying);
        let cylinder = Cylinder::new(pose, 0.5, 4.0).unwrap();
        let contacts = detect(&table, &cylinder, SurfaceSides::AsGiven, 0.0);
        let mut along: Vec<f64> = contacts.iter().map(|contact| contact.b.point[0]).collect();
        along.sort_unstable_by(f64::total_cmp);
        assert_eq!(along.len(), 2, "{contacts:#?}");
        assert!((along[0] - 5.0).abs() < 1e-9 && (along[1] - 8.0).abs() < 1e-9, "{along:?}");
    }

    /// Its line is over the border of the table, parallel to it, and ends beyond the table's corner at z = 8.
    #[test]
    fn a_cylinder_along_a_border_has_points_on_both_bodies_alone() {
        let table = blocks(&[[[-8.0, -2.0, -8.0], [8.0, 0.0, 8.0]]]);
        let lying = nalgebra::UnitQuaternion::from_axis_angle(&Vector::x_axis(), std::f64::consts::FRAC_PI_2);
        for k in 0..200 {
            let k = f64::from(k);
            let turn = nalgebra::UnitQuaternion::from_euler_angles(0.37 * k, 0.61 * k, 0.11 * k);
            let corners: Vec<[f64; 3]> =
                table.points().positions().iter().map(|point| (turn * point).into()).collect();
            let turned = mesh(&corners, table.triangles());
            let pose = Pose::from_parts((turn * Point::new(8.0, 0.4375, 6.0)).into(), turn * lying);
            let cylinder = Cylinder::new(pose, 0.5, 8.0).unwrap();
            let contacts = detect(&turned, &cylinder, SurfaceSides::AsGiven, 0.0);
            assert!(contacts.len() >= 2, "{k}: {contacts:#?}");
            for contact in contacts {
                let own = turn.inverse() * Point::from(contact.b.point);
                let on_wall = ((own.x - 8.0).hypot(own.y - 0.4375) - 0.5).abs() < 1e-9;
                assert!(on_wall && own.z > 2.0 - 1e-9 && own.z < 8.0 + 1e-9, "{k}: {own} {contact:?}");
            }
        }
    }

    /// A box that leans outward rests on the border of a table, along a line of it that has two ends.
    #[test]
    fn a_box_that_leans_over_a_border_lies_on_two_places_of_it() {
        let table = blocks(&[[[-8.0, -2.0, -8.0], [8.0, 0.0, 8.0]]]);
        for side in [-1.0, 1.0] {
            let lean = nalgebra::UnitQuaternion::from_axis_angle(&Vector::x_axis(), side * 0.05);
            let center = Point::new(0.25, 0.0, side * 8.0) + lean * Vector::y() * (0.25 - 0.03125);
            let leaning =
                OrientedBox::new(Pose::from_parts(center.into(), lean), Vector::new(0.5, 0.25, 1.0)).unwrap();
            let contacts = detect(&table, &leaning, SurfaceSides::AsGiven, 0.0);
            let mut along: Vec<f64> = contacts.iter().map(|contact| contact.a.point[0]).collect();
            along.sort_unstable_by(f64::total_cmp);
            assert_eq!(along.len(), 2, "{contacts:#?}");
            assert!((along[0] + 0.25).abs() < 1e-9 && (along[1] - 0.75).abs() < 1e-9, "{along:?}");
            assert!(contacts.iter().all(|contact| (contact.depth - 0.03125).abs() < 1e-9), "{contacts:#?}");
        }
    }

    /// The ellipsoid's depth has only a coarse tolerance.
    #[test]
    fn the_thickness_adds_to_a_depth_and_to_its_bound() {
        let turn = nalgebra::UnitQuaternion::from_euler_angles(0.3, 0.4, 0.5);
        let pose = Pose::from_parts(Point::new(1.0, 0.25, -2.0).into(), turn);
        let body = Ellipsoid::new(pose, Vector::new(0.5, 1.0, 0.75)).unwrap();
        let mut thick = floor(8.0).with_radius(0.125).unwrap();
        thick.prepare(Needs::TREE | Needs::NORMALS);
        // With internal edges kept every triangle has its own contact.
        let (tolerance, internal_edges) = (ConvexTolerance(0.05), InternalEdges::Keep);
        let settings =
            SurfaceMeshConvexSettings { tolerance, internal_edges, ..SurfaceMeshConvexSettings::default() };
        let deepest = |surface: &SurfaceMesh| {
            let mut out = CollisionData::new();
            let body = ConvexBody::new(&body).unwrap();
            let context = Context::new().with_margin(1.0);
            SurfaceMeshConvex::new(settings).detect(surface, body, &context, &mut out);
            *out.deepest().unwrap()
        };
        let [bare, thick] = [deepest(&floor(8.0)), deepest(&thick)];
        assert!(bare.depth_upper > bare.depth + 1e-6, "{bare:?}");
        assert!((thick.depth - bare.depth - 0.125).abs() < 1e-12, "{thick:?} {bare:?}");
        assert!((thick.depth_upper - bare.depth_upper - 0.125).abs() < 1e-12, "{thick:?} {bare:?}");
    }

    /// From below it extends 1.75 under the floor, whose front is half a unit above its middle.
    #[test]
    fn through_a_thick_sheet_the_front_is_the_rim() {
        let mut front = floor(8.0).with_radius(0.5).unwrap();
        front.prepare(Needs::TREE | Needs::NORMALS);
        let contacts = detect(&front, &block([3.0, -0.75, 1.0], [0.5, 1.0, 0.5]), SurfaceSides::One, 0.0);
        let deepest = contacts.iter().map(|contact| contact.depth).fold(0.0, f64::max);
        assert_eq!(deepest, 2.25, "{contacts:#?}");
    }
}
