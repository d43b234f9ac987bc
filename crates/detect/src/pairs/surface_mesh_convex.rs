//! A surface against any convex body: a cylinder, a box, a hull, an ellipsoid, a cone.

use crate::convex_body::query_triangle;
use crate::pairs::ConvexSettings;
use crate::pairs::internal_edges::InternalEdges;
use crate::pairs::surface_mesh_sphere::{Taken, pushed_outward};
use crate::pairs::surface_sides::{Role, SurfaceScratch, SurfaceSides, surface_id};
use crate::pairs::vertex_surface::flags_of_sides;
use crate::{About, Context, Convex, ConvexBody, Flags, PairDetector, Status};
use nalgebra::Vector3;
use palpate_contact::{CollisionData, Contact, Feature};
use palpate_convex::{Memory, Settings};
use palpate_geometry::{Needs, SurfaceFeature, SurfaceMesh, SurfaceNearest};
use palpate_math::closest::{point_segment, point_triangle};
use palpate_math::{Point, Vector, separation, triangle};
use serde::{Deserialize, Serialize};

/// Settings of [`SurfaceMeshConvex`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SurfaceMeshConvexSettings {
    /// How many sides the surface has; by default a closed one is a solid.
    pub sides: SurfaceSides,
    /// What becomes of edges and vertices between nearer triangles; by default a closed surface ignores them.
    pub internal_edges: InternalEdges,
    /// How far the certified bounds of a depth may lie apart, relative to the size of triangle and body; for curved bodies.
    pub tolerance: ConvexTolerance,
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
/// Each triangle in reach and the body have one contact by GJK and EPA: their nearest points when apart, and the least
/// motion that parts them when not. It names the triangle's element that is farthest along the way into the body; an
/// element that several triangles share counts once, by the lowest of them, or by the deepest of all that lead outward, which
/// is always kept. Where internal edges are ignored, any other edge or vertex counts only if it is the element of all its
/// triangles in reach.
///
/// A sheet pushes to whichever side is nearer. A solid pushes outward only: elements it faces away from are left out when
/// apart; where the least motion would lead a body that meets a triangle inward, it leaves along the triangle's normal
/// instead, by as much as it reaches below the triangle's plane. Where they touch, and no more, a way that leads inward
/// is none; if no other is as deep, the element's own outward direction stands in for it. A body wholly inside of a solid
/// has one contact: it leaves along the way from the middle of its box to the nearest place of the surface, by as much as
/// it reaches below that place. In both cases the body's point is its lowest one, the surface's point is above it in that
/// plane, and the weights name the triangle's place nearest to that.
///
/// A body wholly inside of a closed surface taken as a sheet, and out of the sheet's reach, is pushed outward all the same.
#[derive(Default)]
pub struct SurfaceMeshConvex {
    settings: SurfaceMeshConvexSettings,
    search: BodySearch,
}

/// The contacts of a surface's triangles with a body.
#[derive(Default)]
pub(crate) struct BodySearch {
    scratch: SurfaceScratch,
    memory: Memory<Vector3<f64>>,
    found: Vec<Found>,
}

/// The two and how they are taken.
#[derive(Clone, Copy)]
pub(crate) struct Body<'a> {
    pub(crate) surface: &'a SurfaceMesh,
    pub(crate) body: ConvexBody<'a>,
    pub(crate) taken: Taken,
    pub(crate) settings: Settings,
}

/// What a triangle and the body have to do with each other, without the surface's thickness.
#[derive(Clone, Copy, Debug)]
struct Found {
    triangle: u32,
    /// The place on the surface.
    place: SurfaceNearest,
    /// Unit, moves the surface out of the body.
    direction: Vector,
    depth: f64,
    /// Certified bounds of the depth.
    lower: f64,
    upper: f64,
    converged: bool,
}

/// A direction is taken as inward only when it is so by more than rounding, as a cosine.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

impl Body<'_> {
    fn found(&self, triangle: u32, memory: &mut Memory<Vector3<f64>>) -> Found {
        let corners = self.surface.corners(triangle);
        let contact = query_triangle(&corners, &self.body, memory, &self.settings);
        let direction = contact.direction;
        let on_triangle = Point::from(contact.point_a);
        // The surface's points into the body lie along the negative direction: from far that way the element is the nearest.
        let [a, b, c] = corners;
        let far = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        let local = point_triangle(&(on_triangle - direction * far), &a, &b, &c);
        let feature = self.surface.feature_of(triangle, local.feature);
        Found {
            triangle,
            place: self.place(feature, on_triangle),
            direction,
            depth: contact.depth,
            lower: contact.depth_lower,
            upper: contact.depth_upper.max(contact.depth),
            converged: contact.status.converged(),
        }
    }

    /// The place of an element nearest to a point on it but for rounding.
    fn place(&self, feature: SurfaceFeature, near: Point) -> SurfaceNearest {
        match feature {
            SurfaceFeature::Vertex(vertex) => {
                let point = self.surface.points().positions()[vertex as usize];
                SurfaceNearest { feature, weights: [1.0, 0.0, 0.0], point }
            }
            SurfaceFeature::Edge(edge) => {
                let [start, end] = self.surface.edge_ends(edge);
                let on_edge = point_segment(&near, &start, &end);
                SurfaceNearest { feature, weights: [1.0 - on_edge.t, on_edge.t, 0.0], point: on_edge.point }
            }
            SurfaceFeature::Face(triangle) => {
                let [a, b, c] = self.surface.corners(triangle);
                let on_face = point_triangle(&near, &a, &b, &c);
                SurfaceNearest { feature, weights: on_face.weights, point: on_face.point }
            }
        }
    }

    /// Whether the body would leave into the solid.
    fn leads_inward(&self, found: &Found) -> bool {
        // Past the border of a sheet there is no side to be on, and a flat triangle has none.
        let [a, b, c] = self.surface.corners(found.triangle);
        let has_front = || self.surface.is_closed() || self.surface.has_front(found.place.feature);
        let has_sides = !triangle::is_flat(&a, &b, &c) && has_front();
        let outward = || self.surface.outward(found.place.feature);
        self.taken.facing && has_sides && -found.direction.dot(&outward()) < -ROUNDING
    }

    fn contact(&self, found: &Found, context: &Context<'_>) -> Option<Contact> {
        let rim = self.surface.radius();
        let (depth, upper) = (found.depth + rim, found.upper + rim);
        // Where the bounds leave it open whether the two are in reach, they are: no contact is dropped.
        let depth = if context.reports(depth) {
            depth
        } else if context.reports(upper) {
            -context.margin()
        } else {
            return None;
        };
        let skin = found.place.point - found.direction * rim;
        let a = self.surface.contact_feature(&found.place, skin);
        let b = Feature::point(skin + found.direction * depth);
        let id = surface_id(found.place.feature);
        let contact = Contact::exact(a, b, found.direction, depth, id);
        Some(Contact { depth_upper: upper.max(depth), ..contact })
    }

    /// The contact of a body that leaves along `outward` until nothing of it is below the plane through `place` on
    /// `triangle`.
    fn left_along(&self, outward: Vector, place: &Point, triangle: u32) -> Contact {
        let lowest = self.body.map().support(&-outward);
        let below = (place - lowest).dot(&outward);
        let above = lowest + outward * below;
        let [a, b, c] = self.surface.corners(triangle);
        let nearest = point_triangle(&above, &a, &b, &c);
        let feature = SurfaceFeature::Face(triangle);
        let on_triangle = SurfaceNearest { feature, weights: nearest.weights, point: nearest.point };
        let depth = below + self.surface.radius();
        let on_surface = self.surface.contact_feature(&on_triangle, lowest + outward * depth);
        Contact::exact(on_surface, Feature::point(lowest), -outward, depth, surface_id(feature))
    }

    /// The contact of a body of which nothing is outside, by the nearest place to its middle.
    pub(crate) fn held(&self) -> Option<Contact> {
        let bounds = self.body.bounds();
        let middle = nalgebra::center(&bounds.min, &bounds.max);
        let nearest = self.surface.nearest(&middle, f64::INFINITY)?;
        let (outward, _) = separation::between(&middle, &nearest.point);
        let outward = outward.unwrap_or_else(|| self.surface.outward(nearest.feature));
        Some(self.left_along(outward, &nearest.point, self.surface.owner(nearest.feature)))
    }

    /// A place inside of the body: the mean of six places of it.
    pub(crate) fn somewhere(&self) -> Point {
        let extremes = [Vector::x(), Vector::y(), Vector::z()].into_iter().flat_map(|axis| [axis, -axis]);
        let sum: Vector = extremes.map(|direction| self.body.map().support(&direction).coords).sum();
        Point::from(sum / 6.0)
    }
}

impl BodySearch {
    /// Finds the triangles in reach and what they have to do with the body; whether one of them surely reaches into it.
    pub(crate) fn begin(&mut self, pair: &Body<'_>, context: &Context<'_>) -> bool {
        let reach = pair.surface.radius() + context.margin();
        self.scratch.begin(pair.surface, &pair.body.bounds().grown(reach));
        self.found.clear();
        for &triangle in &self.scratch.candidates {
            let found = pair.found(triangle, &mut self.memory);
            // What else has its box in reach is for the frame of the coordinates to say.
            if context.reports(found.upper + pair.surface.radius()) {
                self.scratch.passed.note(pair.surface, triangle, &[found.place.feature]);
                self.found.push(found);
            }
        }
        self.found.iter().any(|found| found.lower > 0.0)
    }

    /// The contacts with the elements in reach, in the order of the triangles.
    pub(crate) fn contacts(
        &mut self,
        pair: &Body<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Flags {
        let mut flags = Flags::empty();
        // The first of all that lead outward and may be the deepest.
        let outward = || self.found.iter().enumerate().filter(|(_, found)| !pair.leads_inward(found));
        let most = outward().map(|(_, found)| found.lower).fold(f64::NEG_INFINITY, f64::max);
        let kept = outward().find(|(_, found)| found.upper >= most);
        let kept = kept.map(|(index, found)| (index, found.place.feature));
        let (before, mut touching) = (out.len(), None);
        for (index, found) in self.found.iter().enumerate() {
            let feature = found.place.feature;
            if pair.leads_inward(found) {
                if found.lower > 0.0 {
                    let corner = pair.surface.corners(found.triangle)[0];
                    let outward = pair.surface.outward(SurfaceFeature::Face(found.triangle));
                    out.push(pair.left_along(outward, &corner, found.triangle));
                } else if found.upper >= 0.0 {
                    touching = touching.or(Some((out.len(), *found)));
                }
                continue;
            }
            if kept != Some((index, feature)) {
                // Through a body each triangle of an element has a depth of its own: the deepest stands for it.
                let is_kept = kept.is_some_and(|(_, kept)| kept == feature);
                let internal = pair.taken.outer && self.scratch.passed.is_internal(feature);
                if is_kept || internal || !self.scratch.first(feature) {
                    continue;
                }
            }
            if let Some(contact) = pair.contact(found, context) {
                flags.set(Flags::ITERATION_LIMIT, flags.contains(Flags::ITERATION_LIMIT) || !found.converged);
                out.push(contact);
            }
        }
        // They touch, and no more: any way parts them, so the surface's own is taken.
        let rim = pair.surface.radius();
        let others = &out.contacts[before..];
        let is_deepest = |found: &Found| others.iter().all(|other| other.depth_upper < found.lower + rim);
        if let Some((at, found)) = touching.filter(|(_, found)| is_deepest(found)) {
            let direction = -pair.surface.outward(found.place.feature);
            if let Some(contact) = pair.contact(&Found { direction, ..found }, context) {
                out.contacts.insert(at, contact);
            }
        }
        flags
    }
}

impl PairDetector for SurfaceMeshConvex {
    type A = SurfaceMesh;
    type B = Convex;
    type Settings = SurfaceMeshConvexSettings;

    const NAME: &'static str = "surface_mesh_convex";
    const NEEDS: [Needs; 2] = [Needs::TREE.union(Needs::NORMALS), Needs::empty()];
    const ABOUT: About = About {
        elements_a: "vertex, edge, triangle",
        elements_b: "point",
        at_most: "one per triangle, edge or vertex",
        sides: "one: a solid where the surface is closed; two: a sheet where it is open, or by setting `sides`",
        method: "GJK and EPA of every triangle in reach and the body, each shared element once, of a closed surface no \
                 internal edges; a closed surface is a solid: what would lead inward leaves along the triangle's normal, \
                 and so does a body wholly inside, by the place nearest to its middle; order of triangles",
        cost: "O(log triangles + triangles in reach)",
        source: "Gilbert, Johnson, Keerthi 1988; van den Bergen 2001; Ericson 2005, 11.5.1",
    };

    fn new(settings: SurfaceMeshConvexSettings) -> Self {
        Self { settings, search: BodySearch::default() }
    }

    fn detect(
        &mut self,
        a: &SurfaceMesh,
        b: ConvexBody<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let SurfaceMeshConvexSettings { sides, internal_edges, tolerance } = self.settings;
        let role = sides.role(a);
        let taken = Taken { facing: role.is_facing(a), outer: internal_edges.ignored(a) };
        let settings = Settings { tolerance: tolerance.0, ..Settings::default() };
        let pair = Body { surface: a, body: b, taken, settings };
        let met = self.search.begin(&pair, context);
        let holds = || {
            let signed = a.signed_distance(&pair.somewhere(), f64::INFINITY);
            signed.is_some_and(|(signed, _)| signed.distance < 0.0)
        };
        let held = if a.is_closed() && !met && holds() { pair.held() } else { None };
        let mut flags = flags_of_sides(a);
        match held {
            Some(contact) if role == Role::Solid => out.push(contact),
            _ => {
                let before = out.len();
                flags |= self.search.contacts(&pair, context, out);
                if let Some(contact) = held {
                    pushed_outward(before, contact, &mut out.contacts);
                }
            }
        }
        flags.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::surface_samples::{floor, mesh, tetrahedron};
    use palpate_contact::FeatureKind;
    use palpate_geometry::{Convex as ConvexGeometry, Cylinder, Geometry, OrientedBox, Pose};

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

    /// The plank goes through the second triangle, on whose other side the first's nearest place is: the same edge.
    #[test]
    fn an_edge_is_not_hidden_by_a_triangle_out_of_reach() {
        let square =
            [[0.0, -0.5625, 0.375], [0.25, -0.5625, 0.375], [0.25, -0.4375, 0.375], [0.0, -0.4375, 0.375]];
        let sheet = mesh(&square, &[[0, 1, 2], [0, 2, 3]]);
        let line = [[-0.25, -0.125, -0.125], [0.125, 0.0625, 0.0625]].map(Point::from);
        let plank = ConvexGeometry::new(Pose::translation(0.0625, -0.5, 0.375), &line).unwrap();
        let contacts = detect(&sheet, &plank, SurfaceSides::Two, 0.0);
        assert_eq!((contacts.len(), contacts[0].a.vertices[..2].to_vec()), (1, vec![0, 2]));
        assert!((contacts[0].depth - 0.0625 / 5.0_f64.sqrt()).abs() < 1e-12, "{contacts:?}");
    }

    /// The vertex leaves through the top with the first triangle, and through the side with the second.
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

    /// More than half of the box is below the floor of the solid: the least motion would push it further in.
    #[test]
    fn a_solid_pushes_outward_only() {
        let sunk = block([2.0, 0.25, 2.0], [0.5, 1.0, 0.5]);
        let contacts = detect(&tetrahedron(16.0), &sunk, SurfaceSides::AsGiven, 0.0);
        assert_eq!((contacts.len(), contacts[0].depth), (1, 1.25), "{contacts:#?}");
        assert_eq!(
            (contacts[0].direction, contacts[0].a.feature_kind()),
            ([0.0, 1.0, 0.0], FeatureKind::Triangle)
        );
        assert_eq!((contacts[0].b.point[1], contacts[0].a.point[1]), (1.25, 0.0));
        let sheet = detect(&tetrahedron(16.0), &sunk, SurfaceSides::Two, 0.0);
        assert_eq!((sheet.len(), sheet[0].depth, sheet[0].direction), (1, 0.75, [0.0, -1.0, 0.0]));
    }

    /// From behind the front the box touches one triangle; the edge beside it, of the other, is within the thickness and less deep.
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

    /// The far faces of the solid look away from a body that reaches past them.
    #[test]
    fn a_large_body_beside_a_solid_leaves_by_the_near_face() {
        let contacts =
            detect(&tetrahedron(16.0), &block([4.0, -31.75, 4.0], [32.0; 3]), SurfaceSides::AsGiven, 0.0);
        assert!(contacts.iter().all(|contact| contact.direction == [0.0, 1.0, 0.0]), "{contacts:#?}");
        assert_eq!(contacts.iter().map(|contact| contact.depth).fold(0.0, f64::max), 0.25);
    }
}
