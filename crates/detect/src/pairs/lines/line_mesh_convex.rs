//! Threads against any convex body.

use crate::contact_ids::{id_of, id_of_manifold_point, line_part};
use crate::convex_body::{manifold_of_segment, query_segment};
use crate::mesh::ReportedFeatures;
use crate::mesh::segment_surface::part_at;
use crate::pairs::lines::line_mesh_round::{end_vertex, line_feature};
use crate::pairs::primitive::manifold_points::exactly;
use crate::room::EPA_ITERATIONS;
use crate::segment::segment_solid::nearest_place;
use crate::{About, AnyConvex, Context, ConvexBody, Flags, PairDetector, Status};
use nalgebra::Vector3;
use palpate_contact::{CollisionData, Contact, ContactId, Feature, IdPart, NONE};
use palpate_convex::{Manifold, ManifoldPoint, Memory, Settings};
use palpate_geometry::implicit::ImplicitFunction;
use palpate_geometry::{LineMesh, Needs};
use palpate_math::nearest::point_segment;
use palpate_math::{Point, Vector, rounding};
use serde::{Deserialize, Serialize};

/// Settings of [`LineMeshConvex`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LineMeshConvexSettings {
    /// The maximum gap between the certified bounds of the depth, relative to the size of the segment and the body.
    pub tolerance: f64,
    /// Whether a segment that lies on a face has contacts at both ends of what lies on it (the default), or one.
    pub manifold: bool,
}

impl Default for LineMeshConvexSettings {
    fn default() -> Self {
        Self { tolerance: Settings::default().tolerance, manifold: true }
    }
}

/// Segments (bare, or a thread with a radius) against any convex body: one contact per segment within contact
/// distance, or per vertex if the contact is at a shared end: the first segment's, or the deepest of all. A segment that
/// lies on a face, to a degree, has a contact at each end of what lies on it.
///
/// The contact of a segment outside the body is at its closest point, by the body's own signed distance (in the
/// middle if a part of the segment is equally near). A segment that enters the body separates along the minimum
/// translation of the whole segment, by GJK and EPA, with a certified upper bound; so does every segment if only the
/// support map of a user's body is known.
pub struct LineMeshConvex {
    settings: Settings,
    /// `None` if only the deepest point of a segment is reported.
    manifold: Option<Manifold>,
    memory: Memory<Vector3<f64>>,
    seen: ReportedFeatures,
    candidates: Vec<u32>,
    found: Vec<(u32, Meeting)>,
}

/// The contact of one segment with the body.
#[derive(Clone, Copy)]
struct Meeting {
    /// The parameter along the segment: the weight of its end.
    t: f64,
    /// The point on the bare segment.
    place: Point,
    direction: Vector,
    depth: f64,
    depth_upper: f64,
    /// The index of the body's feature, or [`NONE`].
    number: u32,
    /// The side or corner of the body's face at an end of what lies on it.
    part: IdPart,
    converged: bool,
}

/// The slope below which a segment lies on a face: a degree.
const LYING: f64 = 0.0175;

/// The smallest cosine between the contact direction and the exit of a point that lies on the face: 1.4 milliradians.
const STRAIGHT: f64 = 1.0 - 1e-6;

/// How far the body's contact point may be off its surface, relative to its coordinates, before another is tried.
const ON_SURFACE: f64 = 1e-12;

/// The cosine with the segment below which the exit direction is perpendicular to it.
const ACROSS: f64 = 1e-9;

impl Meeting {
    /// Returns the end of the segment that is in contact.
    fn vertex(&self, lines: &LineMesh, cell: u32) -> Option<u32> {
        end_vertex(lines, cell, part_at(self.t))
    }

    /// Refines the exit with the body's own signed distance, which is more accurate than an iterative query of curved
    /// bodies: if an end of the segment is its deepest point, uses the exact exit of that end; if the whole segment
    /// is equally deep, uses an end if that exits on the body's surface and the point found does not.
    fn refined(self, solid: &dyn ImplicitFunction, ends: [&Point; 2], radius: f64) -> Self {
        let along = ends[1] - ends[0];
        let slack = 16.0 * rounding::length(rounding::largest_coordinate(ends).max(self.depth));
        for (end, sign) in [(0, 1.0), (1, -1.0)] {
            let signed = solid.signed_distance(ends[end]);
            let depth = radius - signed.distance;
            if along.dot(&signed.gradient) * sign > 0.0
                && signed.distance < 0.0
                && depth <= self.depth + slack
            {
                let (t, place) = (end as f64, *ends[end]);
                let (direction, number) = (signed.gradient, signed.feature);
                return Self {
                    t,
                    place,
                    direction,
                    depth,
                    depth_upper: depth,
                    number,
                    converged: true,
                    ..self
                };
            }
        }
        if along.dot(&self.direction).abs() > ACROSS * along.norm() {
            return self;
        }
        let off = |place: &Point| {
            solid.signed_distance(&(place + self.direction * (self.depth - radius))).distance.abs()
        };
        let as_found = off(&self.place);
        if as_found <= ON_SURFACE * rounding::largest_coordinate(ends).max(self.depth) {
            return self;
        }
        let nearer = |best: (f64, f64, Point), (t, place): (f64, Point)| {
            let off = off(&place);
            if off < best.0 { (off, t, place) } else { best }
        };
        let (_, t, place) =
            [(0.0, *ends[0]), (1.0, *ends[1])].into_iter().fold((as_found, self.t, self.place), nearer);
        Self { t, place, ..self }
    }
}

impl LineMeshConvex {
    fn meeting(&mut self, lines: &LineMesh, cell: u32, body: &ConvexBody<'_>) -> Meeting {
        let [start, end] = lines.segment(cell);
        let beside = body.distance().map(|solid| nearest_place(solid, &start, &end)).map(|nearest| {
            let depth = lines.radius() - nearest.signed.distance;
            Meeting {
                t: nearest.t,
                place: nearest.point,
                direction: nearest.signed.gradient,
                depth,
                depth_upper: depth,
                number: nearest.signed.feature,
                part: IdPart::Whole,
                converged: true,
            }
        });
        let slack = ON_SURFACE * rounding::largest_coordinate([&start, &end]).max(lines.radius());
        let is_beside = |beside: &Meeting, slack: f64| lines.radius() - beside.depth >= slack;
        if let Some(beside) = beside.filter(|beside| is_beside(beside, slack)) {
            return beside;
        }
        let through = self.through(&start, &end, lines.radius(), body);
        match (body.distance(), beside) {
            // It touches the body, unless the body is flat and the segment passes through.
            (_, Some(beside)) if is_beside(&beside, 0.0) && through.depth <= beside.depth + slack => beside,
            (Some(solid), _) => through.refined(solid, [&start, &end], lines.radius()),
            (None, _) => through,
        }
    }

    /// Returns the contact of a segment that enters the body.
    fn through(&mut self, start: &Point, end: &Point, radius: f64, body: &ConvexBody<'_>) -> Meeting {
        let found = query_segment([start, end], radius, body, &mut self.memory, &self.settings);
        let on_line = point_segment(&Point::from(found.point_a + found.direction * radius), start, end);
        // A point within rounding error of an end is the end.
        let undecided = 4.0 * rounding::length(rounding::largest_coordinate([start, end]).max(radius));
        let length = (end - start).norm();
        let (t, place) = if on_line.t * length <= undecided {
            (0.0, *start)
        } else if (1.0 - on_line.t) * length <= undecided {
            (1.0, *end)
        } else {
            (on_line.t, on_line.point)
        };
        Meeting {
            t,
            place,
            direction: found.direction,
            depth: found.depth,
            depth_upper: found.depth_upper.max(found.depth),
            number: NONE,
            part: IdPart::Whole,
            converged: found.status.converged(),
        }
    }

    /// Adds the contact of a segment, or those at both ends of what lies on a face of the body.
    fn add(&mut self, lines: &LineMesh, cell: u32, body: &ConvexBody<'_>, meeting: Meeting, margin: f64) {
        match self.ends_of_lying(lines, cell, body, &meeting, margin) {
            Some(ends) => self.found.extend(ends.map(|end| (cell, end))),
            None => self.found.push((cell, meeting)),
        }
    }

    /// Returns the contacts at both ends of what lies on a face of the body, if the segment lies on one: both leave the
    /// body there along the contact's direction, as deep as they are along it, by the body's own signed distance.
    fn ends_of_lying(
        &mut self,
        lines: &LineMesh,
        cell: u32,
        body: &ConvexBody<'_>,
        meeting: &Meeting,
        margin: f64,
    ) -> Option<[Meeting; 2]> {
        let (manifold, solid) = (self.manifold.as_mut()?, body.distance()?);
        let ([start, end], radius) = (lines.segment(cell), lines.radius());
        let along = end - start;
        if along.dot(&meeting.direction).abs() > LYING * along.norm() {
            return None;
        }
        let skin = meeting.place - meeting.direction * radius;
        let found = exactly(skin.coords, meeting.depth, meeting.direction);
        let points = manifold_of_segment([&start, &end], radius, body, &found, margin, manifold);
        let &[first, second] = points else { return None };
        if (first.depth - second.depth).abs() > LYING * (first.point_a - second.point_a).norm() {
            return None;
        }
        let slack = self.settings.tolerance * (along.norm() + body.size());
        let meeting_at = |order: usize, point: &ManifoldPoint| {
            let [on_line, part] = ContactId::parts(id_of_manifold_point(point.id));
            let (t, place) = match on_line {
                IdPart::Whole if part == IdPart::Whole => return Some(*meeting),
                IdPart::Corner(0) => (0.0, start),
                IdPart::Corner(_) => (1.0, end),
                _ => {
                    let core = Point::from(point.point_a + meeting.direction * radius);
                    let on_line = point_segment(&core, &start, &end);
                    (on_line.t, on_line.point)
                }
            };
            let signed = solid.signed_distance(&place);
            let is_exit = (radius - signed.distance - point.depth).abs() <= slack
                && signed.gradient.dot(&meeting.direction) >= STRAIGHT;
            let is_as_deep = (point.depth - meeting.depth).abs() <= slack;
            let depth = if order == 0 && is_as_deep { meeting.depth } else { point.depth };
            let depth_upper = if order == 0 { meeting.depth_upper.max(depth) } else { depth };
            let number = point.features[1];
            is_exit.then_some(Meeting { t, place, depth, depth_upper, number, part, ..*meeting })
        };
        Some([meeting_at(0, &first)?, meeting_at(1, &second)?])
    }
}

impl PairDetector for LineMeshConvex {
    type A = LineMesh;
    type B = AnyConvex;
    type Settings = LineMeshConvexSettings;

    const NAME: &'static str = "line_mesh_convex";
    const NEEDS: [Needs; 2] = [Needs::TREE, Needs::empty()];
    const ABOUT: About = About {
        elements_a: "edge, vertex",
        elements_b: "point",
        at_most: "one per vertex, two per edge",
        sides: "one: both are solids",
        method: "outside the body the closest point of each segment by the signed distance, which is \
            convex along it; through the body GJK and EPA of the segment, with certified bounds; both \
            ends of what lies on a face; a shared vertex once; segment order",
        cost: "O(log segments + contacts)",
        source: "Dowell and Jarratt 1971, A modified regula falsi method; Gilbert, Johnson, Keerthi 1988; van den Bergen 2001",
    };

    fn new(settings: LineMeshConvexSettings) -> Self {
        let manifold = settings.manifold.then(Manifold::default);
        let settings = Settings { tolerance: settings.tolerance, ..Settings::default() };
        let mut memory = Memory::default();
        memory.make_room(EPA_ITERATIONS);
        Self {
            settings,
            manifold,
            memory,
            seen: ReportedFeatures::default(),
            candidates: Vec::new(),
            found: Vec::new(),
        }
    }

    fn detect(
        &mut self,
        a: &LineMesh,
        b: ConvexBody<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(tree) = a.tree() else { return Status::default() };
        let reach = b.bounds().grown(a.radius() + context.margin());
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        tree.overlap(&reach, |cell| candidates.push(cell));
        candidates.sort_unstable();
        self.seen.clear();
        let mut flags = Flags::empty();
        self.found.clear();
        for &cell in &candidates {
            let meeting = self.meeting(a, cell, &b);
            // If the bounds leave open whether the contact is within the margin, it is reported: no contact is lost.
            if context.reports(meeting.depth_upper) {
                self.add(a, cell, &b, meeting, context.margin());
            }
        }
        let found = std::mem::take(&mut self.found);
        // The first contact that may be the deepest, up to rounding error and the tolerance of the query.
        let most = found.iter().map(|(_, meeting)| meeting.depth).fold(f64::NEG_INFINITY, f64::max);
        let undecided = self.settings.tolerance * (a.radius() + reach.largest_coordinate());
        let kept = found.iter().position(|(_, meeting)| meeting.depth >= most - undecided);
        let kept_vertex = kept.and_then(|kept| found[kept].1.vertex(a, found[kept].0));
        for (index, (cell, meeting)) in found.iter().enumerate() {
            let Meeting { t, place, direction, depth_upper, .. } = *meeting;
            let depth = meeting.depth.max(-context.margin());
            let vertex = meeting.vertex(a, *cell);
            if let Some(vertex) = vertex.filter(|_| kept != Some(index))
                && (kept_vertex == Some(vertex) || !self.seen.first_vertex(vertex))
            {
                continue;
            }
            let skin = place - direction * a.radius();
            let (on_a, id) = line_feature(a, *cell, vertex, t, skin);
            // A vertex is the same for all its segments.
            let id = if vertex.is_some() { id } else { id_of(line_part(None, *cell), meeting.part) };
            let on_b = Feature::numbered(meeting.number, skin + direction * depth);
            out.push(Contact { depth_upper, ..Contact::exact(on_a, on_b, direction, depth, id) });
            if !meeting.converged {
                flags |= Flags::ITERATION_LIMIT;
            }
        }
        self.found = found;
        self.candidates = candidates;
        flags.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, Registry};
    use palpate_contact::FeatureKind;
    use palpate_geometry::{Cone, Convex as ConvexGeometry, Cylinder, Geometry, OrientedBox, Pose};

    fn contacts(body: &dyn Geometry, thread: &[[f64; 3]], radius: f64) -> Vec<Contact> {
        let points = thread.iter().copied().map(Point::from).collect();
        let mut lines = LineMesh::polyline(points).unwrap().with_radius(radius).unwrap();
        lines.prepare(Needs::TREE);
        let mut bound = Registry::standard().bind(&lines, body, Choice::default()).unwrap();
        assert_eq!(bound.name(), "line_mesh_convex");
        let mut out = CollisionData::new();
        let status = bound.run(&lines, body, &Context::new(), &mut out).unwrap();
        assert!(status.flags.is_empty(), "{:?}", status.flags);
        out.contacts
    }

    fn block() -> OrientedBox {
        OrientedBox::new(Pose::identity(), Vector::new(1.0, 2.0, 4.0)).unwrap()
    }

    #[test]
    fn a_thread_on_a_face_is_met_at_both_ends_of_what_lies_on_it() {
        let met = |y: [f64; 2], settings: &serde_json::Value| {
            let points = vec![Point::new(-4.0, y[0], 0.0), Point::new(4.0, y[1], 0.0)];
            let mut lines = LineMesh::polyline(points).unwrap().with_radius(0.5).unwrap();
            lines.prepare(Needs::TREE);
            let choice = Choice { settings: Some(settings), ..Choice::default() };
            let mut bound = Registry::standard().bind(&lines, &block(), choice).unwrap();
            let mut out = CollisionData::new();
            bound.run(&lines, &block(), &Context::new(), &mut out).unwrap();
            out.contacts
        };
        let both = met([2.25, 2.25], &serde_json::json!({}));
        for (contact, x) in both.iter().zip([-1.0, 1.0]) {
            assert_eq!((contact.a.feature_kind(), contact.direction), (FeatureKind::Edge, [0.0, 1.0, 0.0]));
            assert_eq!((contact.depth, contact.b.cell), (0.25, 2));
            assert!((contact.a.point[0].abs() - 1.0).abs() < 1e-12, "{x} {contact:?}");
        }
        assert!(both.len() == 2 && both[0].id != both[1].id);
        assert!((both[0].a.point[0] - both[1].a.point[0]).abs() > 1.9, "{both:?}");
        let one = met([2.25, 2.25], &serde_json::json!({ "manifold": false }));
        assert!(one.len() == 1 && one[0].a.point[0].abs() < 1e-12 && one[0].depth == 0.25, "{one:?}");
        // It rises by more than a degree: the closest point alone.
        assert_eq!(met([2.25, 2.45], &serde_json::json!({})).len(), 1);
    }

    /// Every vertex once, however many segments lie on the face, and the ends of what lies on it.
    #[test]
    fn a_chain_on_a_face_has_its_vertices_and_where_it_leaves() {
        let chain: Vec<[f64; 3]> =
            (0..8).map(|k| [-3.5 + f64::from(k), 2.25, 0.3 * f64::from(k % 2)]).collect();
        let found = contacts(&block(), &chain, 0.5);
        let mut places: Vec<f64> = found.iter().map(|contact| contact.a.point[0]).collect();
        places.sort_by(f64::total_cmp);
        assert!(places.iter().zip([-1.0, -0.5, 0.5, 1.0]).all(|(x, wanted)| (x - wanted).abs() < 1e-12));
        assert!(found.len() == 4 && found.iter().all(|contact| (contact.depth - 0.25).abs() < 1e-15));
        let vertices = found.iter().filter(|contact| contact.a.feature_kind() == FeatureKind::Vertex);
        assert_eq!(vertices.count(), 2);
    }

    #[test]
    fn a_shared_vertex_comes_once() {
        let contacts = contacts(&block(), &[[4.0, 0.0, 0.0], [1.25, 0.0, 0.0], [4.0, 1.0, 0.0]], 0.5);
        assert_eq!((contacts.len(), contacts[0].a.vertices[0], contacts[0].depth), (1, 1, 0.25));
    }

    /// A flat body has no interior, so the signed distance alone would report the segment as touching.
    #[test]
    fn a_segment_through_a_plate_parts_by_its_shorter_end() {
        let corners = [[-2.0, 0.0, -2.0], [2.0, 0.0, -2.0], [-2.0, 0.0, 2.0], [2.0, 0.0, 2.0]];
        let plate = ConvexGeometry::new(Pose::identity(), &corners.map(Point::from)).unwrap();
        let contact = contacts(&plate, &[[0.5, 3.0, 0.0], [0.25, -0.5, 0.25]], 0.125)[0];
        assert!((contact.depth - 0.625).abs() < 1e-12, "{contact:?}");
        assert_eq!((contact.direction[1].abs(), contact.a.vertices[0]), (1.0, 1));
        let touching = contacts(&plate, &[[0.5, 3.0, 0.0], [0.25, 0.0, 0.25]], 0.0)[0];
        assert_eq!((touching.depth, touching.a.vertices[0]), (0.0, 1));
    }

    /// The corner exits through the top with the first segment, and through the side with the second.
    #[test]
    fn the_deepest_segment_of_a_vertex_stands_for_it() {
        let cube = OrientedBox::new(Pose::identity(), Vector::repeat(1.0)).unwrap();
        let contacts = contacts(&cube, &[[0.5, 3.0, 0.0], [0.5, 0.75, 0.0], [1.5, -0.9, 0.0]], 0.0);
        assert_eq!((contacts.len(), contacts[0].a.vertices[0]), (1, 1));
        assert!((contacts[0].depth - 0.5).abs() < 1e-12 && contacts[0].direction == [1.0, 0.0, 0.0]);
    }

    /// A segment that passes all the way through separates by its whole overlap, not by the depth of one of its
    /// points.
    #[test]
    fn a_segment_through_the_box_parts_sideways() {
        let contact = contacts(&block(), &[[-3.0, 1.5, 0.5], [3.0, 1.5, 0.5]], 0.25)[0];
        assert!((contact.depth - 0.75).abs() < 1e-12, "{contact:?}");
        assert!((contact.direction[1] - 1.0).abs() < 1e-12);
        // Obliquely through the top: over the box's edge at x = 1, y = 2, whose height over the segment is 1.75 /
        // |(2, 0.5)|.
        let slanted = contacts(&block(), &[[0.0, 2.5, 0.0], [0.5, 0.5, 0.0]], 0.0)[0];
        assert!((slanted.depth - 1.75 / 4.25_f64.sqrt()).abs() < 1e-12, "{slanted:?}");
        assert_eq!(slanted.a.feature_kind(), FeatureKind::Edge);
        // Steeply: its lower end exits through the top.
        let steep = contacts(&block(), &[[0.0, 9.0, 0.0], [0.25, 1.75, 0.0]], 0.0)[0];
        assert!((steep.depth - 0.25).abs() < 1e-12 && steep.a.vertices[0] == 1, "{steep:?}");
    }

    /// On the axis the whole wall is equally near, and an iterative query would have to follow it all around.
    #[test]
    fn an_end_on_the_axis_of_a_cone_leaves_by_its_exact_way() {
        let cone = Cone::new(Pose::identity(), 1.0, 4.0).unwrap();
        let contact = contacts(&cone, &[[0.0, -1.0, 0.0], [3.0, 1.0, 2.0]], 0.0)[0];
        assert!((contact.depth - 0.75 * 4.0 / 17.0_f64.sqrt()).abs() < 1e-9, "{contact:?}");
        assert_eq!(contact.a.vertices[0], 0);
    }

    #[test]
    fn a_segment_in_a_cylinder_leaves_through_its_wall_or_its_cap() {
        let cylinder = Cylinder::new(Pose::identity(), 1.0, 4.0).unwrap();
        let upright = contacts(&cylinder, &[[0.5, -0.5, 0.0], [0.5, 0.5, 0.0]], 0.0)[0];
        assert!((upright.depth - 0.5).abs() < 1e-9 && (upright.direction[0] - 1.0).abs() < 1e-4);
        let under_the_cap = contacts(&cylinder, &[[-0.25, 1.75, 0.0], [0.25, 1.75, 0.0]], 0.0)[0];
        assert!((under_the_cap.depth - 0.25).abs() < 1e-9 && (under_the_cap.direction[1] - 1.0).abs() < 1e-4);
    }
}
