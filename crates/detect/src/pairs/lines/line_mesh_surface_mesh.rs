//! Threads against a surface.

use crate::contact_ids::{id_of, line_part, surface_part};
use crate::mesh::pushed_outward;
use crate::mesh::surface_sides::SurfaceSidedness;
use crate::mesh::vertex_surface::flags_of_sides;
use crate::pairs::SurfaceCapsuleSettings;
use crate::pairs::lines::line_mesh_round::{end_vertex, line_feature};
use crate::repeated::Repeated;
use crate::segment::axis_search::{AxisSearch, Pair};
use crate::segment::axis_surface::{Axis, DeepestInside, SegmentContact};
use crate::segment::segment_penetration::Chain;
use crate::{About, Chunk, Chunks, Context, Flags, PairDetector, Serial, Status};
use palpate_contact::{CollisionData, Contact, IdPart};
use palpate_geometry::{LineMesh, Needs, SurfaceMesh};
use palpate_math::Aabb;

/// Segments (bare, or a thread with a radius) against a surface: each segment as the axis of a capsule in
/// [`SurfaceMeshCapsule`](crate::pairs::SurfaceMeshCapsule).
///
/// Solids: a segment partly or wholly inside has one contact, at its deepest point, which exits through the nearest
/// element (`depth_upper` certifies that no other point of it is deeper); for a surface in several parts, one for
/// each part it is inside. Every other segment has one contact for each element of the surface that is the nearest of
/// one of its triangles, faces the segment, and is within contact distance; where internal edges are ignored (by
/// default on closed surfaces), an edge or a vertex only if it is the nearest of all its triangles. Sheets: the same,
/// on either side. A segment parallel or nearly parallel to a face or an edge has contacts at both its ends, and at
/// the borders where the overlap ends. Each pair of elements is reported once, with its deepest contact: a vertex that is
/// in front of a sheet for one segment may be where the next one pierces it.
///
/// A segment that pierces a triangle of a sheet leaves the sheet by the shortest way: an end of it through the sheet, or
/// the segment over the border or over a fold, whichever the piercing point reaches first. Where an end exits through the
/// plane of the triangle, that end is the element of the thread and its projection onto the plane the point of the surface;
/// the weights are those of the intersection point. Degenerate triangles have no normal and are handled through their
/// edges. A sheet with a front ([`SurfaceSides::One`](crate::pairs::SurfaceSides::One)) pushes to its front, also a segment
/// that pierces no triangle and touches the sheet from behind: along the line to its closest point, by as much as the
/// segment reaches below that.
#[derive(Default)]
pub struct LineMeshSurfaceMesh {
    settings: SurfaceCapsuleSettings,
    chunks: Chunks,
    repeated: Repeated,
}

/// Segments per chunk.
const CHUNK: usize = 32;

/// One segment and the surface.
struct Segment<'a> {
    lines: &'a LineMesh,
    cell: u32,
    pair: Pair<'a>,
}

impl Segment<'_> {
    /// Returns the contact, whose id has `part` for the surface.
    fn contact(&self, met: &SegmentContact, part: IdPart) -> Contact {
        let vertex = end_vertex(self.lines, self.cell, met.part);
        let (a, _) = line_feature(self.lines, self.cell, vertex, met.t, met.on_body);
        let b = self.pair.axis.surface.contact_feature(&met.place, met.on_surface);
        let id = id_of(line_part(vertex, self.cell), part);
        Contact::exact(a, b, met.outward, met.depth, id)
    }

    /// Appends all contacts of the segment; returns whether every search converged.
    fn detect(
        &self,
        search: &mut AxisSearch,
        chain: &mut Chain,
        context: &Context<'_>,
        contacts: &mut Vec<Contact>,
    ) -> bool {
        search.begin(&self.pair, context, &Serial);
        let surface = self.pair.axis.surface;
        let of_held = |held: &DeepestInside| {
            let part = surface.adjacency().part_of(surface.owner(held.met.place.feature));
            let contact = self.contact(&held.met, IdPart::Inside(part));
            Contact { depth_upper: held.depth_upper, ..contact }
        };
        let held = search.held(&self.pair, chain);
        let converged = held.iter().all(|held| held.converged);
        if self.pair.axis.sidedness == SurfaceSidedness::Solid && !held.is_empty() {
            contacts.extend(held.iter().map(of_held));
            return converged;
        }
        let held = held.first().map(of_held);
        let before = contacts.len();
        let found = search.outside(&self.pair, context).iter();
        let found = found.filter(|found| context.reports(found.met.depth));
        contacts.extend(found.map(|found| self.contact(&found.met, surface_part(found.met.place.feature))));
        let Some(contact) = held else { return true };
        let pushed = pushed_outward(before, contact, contacts);
        converged || !pushed
    }
}

impl LineMeshSurfaceMesh {
    /// Keeps the deepest contact of every pair of elements, in order; ties go to the first. (A segment may pierce a sheet
    /// at a vertex with which the segment before is in front of it.)
    fn leave_deepest(&mut self, before: usize, out: &mut CollisionData) {
        let found = &mut out.contacts;
        self.repeated.judge(found[before..].iter(), |number| &found[before + number], EQUAL);
        let mut count = before;
        for (index, kept) in self.repeated.kept().enumerate() {
            if kept {
                found[count] = found[before + index];
                count += 1;
            }
        }
        found.truncate(count);
    }
}

/// Depths that differ by less than this, relative to the coordinates, are equal.
const EQUAL: f64 = 1.0 / (1_u64 << 40) as f64;

impl PairDetector for LineMeshSurfaceMesh {
    type A = LineMesh;
    type B = SurfaceMesh;
    type Settings = SurfaceCapsuleSettings;

    const NAME: &'static str = "line_mesh_surface_mesh";
    const NEEDS: [Needs; 2] = [Needs::empty(), Needs::TREE.union(Needs::NORMALS)];
    const ABOUT: About = About {
        elements_a: "edge, vertex",
        elements_b: "vertex, edge, triangle",
        at_most: "one per pair of elements; one per segment inside a solid",
        sides: "a closed surface is solid, an open one a two-sided sheet; setting `sides`",
        method: "a segment inside a solid exits from its deepest point through the nearest element; \
            otherwise closest points of the segment and every nearby triangle, without internal edges if \
            the surface is closed, and both ends of a segment nearly parallel to a face; each pair of \
            elements once, the deepest; a segment through a sheet exits by an end, or over a border or a \
            fold; order of segments, then of triangles",
        cost: "O(segments log triangles + contacts)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.1.10; Baerentzen and Aanaes 2005, section 4; Piyavskii 1972",
    };

    fn new(settings: SurfaceCapsuleSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    fn detect(
        &mut self,
        a: &LineMesh,
        b: &SurfaceMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let flags = flags_of_sides(b);
        let Some(tree) = b.tree() else { return flags.into() };
        let SurfaceCapsuleSettings { sides, internal_edges, manifold } = self.settings;
        let sidedness = sides.sidedness(b);
        let (radius, facing, outer) = (a.radius(), sidedness.is_facing(b), internal_edges.ignored(b));
        let near = tree.bounds().grown(radius + b.radius() + context.margin());
        let before = out.len();
        let job = |range: std::ops::Range<usize>, chunk: &mut Chunk| {
            let mut chain = Chain::default();
            for cell in (range.start as u32..range.end as u32).filter(|&cell| !a.is_removed(cell)) {
                let ends = a.segment(cell);
                if !Aabb::from_points(ends).overlaps(&near) {
                    continue;
                }
                let axis = Axis { surface: b, ends, radius, sidedness, facing };
                let segment = Segment { lines: a, cell, pair: Pair { axis, outer, manifold } };
                let search = chunk.scratch.get::<AxisSearch>();
                if !segment.detect(search, &mut chain, context, &mut chunk.contacts) {
                    chunk.flags |= Flags::ITERATION_LIMIT;
                }
            }
        };
        let ended = self.chunks.run(context.executor(), a.cells().len(), CHUNK, job, out);
        self.leave_deepest(before, out);
        (flags | ended).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::SurfaceSides;
    use crate::pairs::implicit::surface_samples::{floor, mesh, tetrahedron};
    use palpate_contact::FeatureKind;
    use palpate_math::Point;

    fn with(
        mesh: &SurfaceMesh,
        thread: &[[f64; 3]],
        radius: f64,
        sides: SurfaceSides,
        margin: f64,
    ) -> Vec<Contact> {
        let points = thread.iter().copied().map(Point::from).collect();
        let lines = LineMesh::polyline(points).unwrap().with_radius(radius).unwrap();
        let mut out = CollisionData::new();
        let settings = SurfaceCapsuleSettings { sides, ..SurfaceCapsuleSettings::default() };
        let context = Context::new().with_margin(margin);
        LineMeshSurfaceMesh::new(settings).detect(&lines, mesh, &context, &mut out);
        out.contacts
    }

    fn contacts(mesh: &SurfaceMesh, thread: &[[f64; 3]], radius: f64) -> Vec<Contact> {
        with(mesh, thread, radius, SurfaceSides::AsGiven, 0.0)
    }

    #[test]
    fn over_a_sheet_a_slack_thread_touches_with_its_lowest_vertex_once() {
        let thread = [[0.5, 1.0, 0.0], [1.0, 0.25, -0.5], [1.5, 1.0, 0.0]];
        let contacts = contacts(&floor(2.0), &thread, 0.5);
        assert_eq!(contacts.len(), 1, "{contacts:#?}");
        assert_eq!((contacts[0].depth, contacts[0].direction), (0.25, [0.0, 1.0, 0.0]));
        assert_eq!((contacts[0].a.feature_kind(), contacts[0].a.vertices[0]), (FeatureKind::Vertex, 1));
        assert_eq!((contacts[0].b.feature_kind(), contacts[0].b.cell), (FeatureKind::Triangle, 0));
        assert_eq!((contacts[0].a.point, contacts[0].b.point), ([1.0, -0.25, -0.5], [1.0, 0.0, -0.5]));
    }

    /// Both triangles share the diagonal, which the thread crosses from above.
    #[test]
    fn across_an_edge_two_segments_meet_in_one_pair_of_elements() {
        let contacts = contacts(&floor(2.0), &[[-3.0, 0.25, 2.0], [-1.0, 0.25, 4.0]], 1.0);
        let elements = |contact: &Contact| (contact.a.feature_kind(), contact.b.feature_kind());
        assert_eq!(
            contacts.iter().map(elements).collect::<Vec<_>>(),
            [(FeatureKind::Edge, FeatureKind::Vertex)]
        );
        let way = (0.5_f64 + 0.0625).sqrt();
        assert!((contacts[0].depth - (1.0 - way)).abs() < 1e-15, "{contacts:?}");
    }

    /// The thread runs from -0.25 to 0.75 through the sheet: upwards it exits after 0.25.
    #[test]
    fn a_pierced_sheet_is_left_by_the_end_that_has_the_shorter_way() {
        let up = contacts(&floor(2.0), &[[1.0, -0.25, -0.5], [1.0, 0.75, -0.5]], 0.125);
        assert_eq!((up.len(), up[0].depth, up[0].direction), (1, 0.375, [0.0, 1.0, 0.0]));
        assert_eq!((up[0].a.vertices[0], up[0].a.point), (0, [1.0, -0.375, -0.5]));
        assert_eq!(up[0].b.point, [1.0, 0.0, -0.5]);
        let down = contacts(&floor(2.0), &[[1.0, -0.75, -0.5], [1.0, 0.25, -0.5]], 0.125);
        assert_eq!((down[0].depth, down[0].direction, down[0].a.vertices[0]), (0.375, [0.0, -1.0, 0.0], 1));
    }

    /// Its corners are collinear, and the thread crosses the line: there is no normal to exit along.
    #[test]
    fn a_flat_triangle_is_met_by_its_edges() {
        let flat = mesh(&[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], &[[0, 1, 2]]);
        let contacts = contacts(&flat, &[[0.0, -0.25, 0.0], [0.0, 0.75, 0.0]], 0.125);
        assert_eq!((contacts.len(), contacts[0].b.vertex_count, contacts[0].depth), (1, 2, 0.125));
    }

    #[test]
    fn a_segment_wholly_inside_leaves_from_its_deepest_end() {
        let contact = contacts(&tetrahedron(8.0), &[[1.0, 0.25, 1.0], [1.0, 0.75, 1.0]], 0.125)[0];
        assert!((contact.depth - 0.875).abs() < 1e-12, "{contact:?}");
        assert!(contact.depth_upper >= contact.depth && contact.depth_upper < contact.depth + 1e-10);
        assert_eq!((contact.a.vertices[0], contact.direction), (1, [0.0, -1.0, 0.0]));
    }

    /// A needle of two segments through the floor of the solid: its tip is inside, the other end far below.
    #[test]
    fn a_needle_has_one_contact_a_segment_and_a_shared_deepest_vertex_one() {
        let straight =
            contacts(&tetrahedron(8.0), &[[1.0, -2.0, 1.0], [1.0, 0.25, 1.0], [1.0, 0.5, 1.0]], 0.0);
        assert_eq!(straight.iter().map(|contact| contact.a.vertices[0]).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(straight.iter().map(|contact| contact.depth).collect::<Vec<_>>(), [0.25, 0.5]);
        let bent = contacts(&tetrahedron(8.0), &[[1.0, -2.0, 1.0], [1.5, 0.5, 1.5], [2.0, -2.0, 2.0]], 0.0);
        assert_eq!(
            (bent.len(), bent[0].depth, bent[0].id),
            (1, 0.5, id_of(IdPart::Vertex(1), IdPart::Inside(0)))
        );
    }

    #[test]
    fn touching_from_outside_is_a_contact_of_depth_zero() {
        let touching = contacts(&tetrahedron(8.0), &[[1.0, -1.0, 1.0], [1.0, 0.0, 1.0]], 0.0);
        assert_eq!((touching.len(), touching[0].depth, touching[0].direction), (1, 0.0, [0.0, -1.0, 0.0]));
        assert!(contacts(&tetrahedron(8.0), &[[-1.0, -1.0, 1.0], [-1.0, 5.0, 1.0]], 0.5).is_empty());
        let near =
            with(&tetrahedron(8.0), &[[1.0, -1.0, 1.0], [1.5, -0.5, 1.0]], 0.25, SurfaceSides::AsGiven, 0.5);
        assert_eq!((near.len(), near[0].depth), (1, -0.25));
    }

    #[test]
    fn as_a_sheet_a_closed_surface_pushes_inward_but_not_from_out_of_its_reach() {
        let near = [[2.0, 0.25, 2.0], [2.0, 0.25, 2.25]];
        let sheet = with(&tetrahedron(8.0), &near, 0.5, SurfaceSides::Two, 0.0);
        assert_eq!((sheet[0].depth, sheet[0].direction), (0.25, [0.0, 1.0, 0.0]));
        let deep = [[1.25, 1.5, 1.5], [1.25, 1.5, 1.75]];
        for margin in [0.0, 4.0] {
            let held = with(&tetrahedron(8.0), &deep, 0.125, SurfaceSides::Two, margin);
            assert_eq!(held.len(), 1);
            assert!((held[0].depth - 1.375).abs() < 1e-12, "{held:?}");
        }
    }

    /// The front of the floor is above it.
    #[test]
    fn a_sheet_with_a_front_pushes_to_it_what_touches_it_from_behind() {
        let one = |thread: &[[f64; 3]], radius| with(&floor(2.0), thread, radius, SurfaceSides::One, 0.0);
        let above = one(&[[1.0, 0.25, -0.5], [1.0, 1.0, -0.5]], 0.5);
        assert_eq!((above.len(), above[0].depth, above[0].direction), (1, 0.25, [0.0, 1.0, 0.0]));
        // From -0.25 down to -0.75: the lower end exits last.
        let below = one(&[[1.0, -0.25, -0.5], [1.0, -0.75, -0.5]], 0.5);
        assert_eq!((below.len(), below[0].depth, below[0].direction), (1, 1.25, [0.0, 1.0, 0.0]));
        assert_eq!((below[0].a.vertices[0], below[0].b.point), (1, [1.0, 0.0, -0.5]));
        let through = one(&[[1.0, -0.75, -0.5], [1.0, 0.25, -0.5]], 0.125);
        assert_eq!((through.len(), through[0].depth, through[0].direction), (1, 0.875, [0.0, 1.0, 0.0]));
        assert!(one(&[[1.0, -0.75, -0.5], [1.0, -2.0, -0.5]], 0.5).is_empty(), "separated");
    }
}
