//! The vertices and edges of one body's surface in another: what the detectors of meshes with tetrahedra share.
//!
//! Where two surfaces pass through each other an edge of one passes through a face of the other, so vertices and edges miss
//! nothing: every vertex inside of the other body is in contact, and every edge that passes through its surface and is
//! deeper between its ends than at either. A sheet has no inside: an edge that passes through one of its triangles is left
//! along the triangle's normal, by the end that has the shorter way. In reach of thickness and margin, vertices are in
//! contact with their nearest element, and edges that pass through nothing with theirs, where it is an edge too.

use crate::pairs::deepest::DeepestSearch;
use crate::pairs::segment_surface::{SegmentOnSurface, segment_on_surface};
use crate::pairs::vertex_surface::{of_second_side, square_above};
use crate::pairs::volume::{owned_by_tetrahedron, way_out, weights_inside};
use crate::pairs::volume_axis::VolumeAxis;
use crate::{Chunk, Chunks, Context, Flags};
use palpate_contact::{CollisionData, Contact, Feature, NONE};
use palpate_geometry::{SurfaceFeature, SurfaceMesh, SurfaceNearest, TetraMesh};
use palpate_math::closest::{SegmentFeature, SegmentTriangle, point_triangle, segment_triangle};
use palpate_math::{Aabb, Point, Vector, separation};

/// A body by its surface: a surface mesh, or the boundary of a tetrahedral mesh, which tells what is inside.
#[derive(Clone, Copy)]
pub(crate) struct Skin<'a> {
    pub(crate) surface: &'a SurfaceMesh,
    pub(crate) volume: Option<&'a TetraMesh>,
}

/// The nearest place of a body's surface to a point.
struct Place {
    /// Negative inside.
    distance: f64,
    /// Unit, the way out or away.
    outward: Vector,
    nearest: SurfaceNearest,
    /// The tetrahedron that holds the point.
    cell: Option<u32>,
}

impl<'a> Skin<'a> {
    pub(crate) fn of_surface(surface: &'a SurfaceMesh) -> Self {
        Self { surface, volume: None }
    }

    fn is_solid(self) -> bool {
        self.volume.is_some() || self.surface.is_closed()
    }

    fn named(self, feature: Feature) -> Feature {
        self.volume.map_or(feature, |mesh| owned_by_tetrahedron(mesh, feature))
    }

    /// The nearest place to a point that is inside or within `reach`; `None` where it is surely neither.
    fn place(self, point: &Point, reach: f64) -> Option<Place> {
        if !self.surface.tree()?.bounds().grown(reach).contains_point(point) {
            return None;
        }
        if let Some(mesh) = self.volume {
            let cell = mesh.holding_cell(point);
            let bound = if cell.is_some() { f64::INFINITY } else { square_above(reach) };
            let nearest = self.surface.nearest(point, bound)?;
            let (inward, distance) = way_out(self.surface, point, &nearest);
            // From outside the nearest place lies the other way. Where rounding leaves no way to tell, it is the surface's.
            return Some(if cell.is_some() {
                Place { distance: -distance, outward: inward, nearest, cell }
            } else {
                let outward = if distance > 0.0 { -inward } else { inward };
                Place { distance, outward, nearest, cell }
            });
        }
        let closed = self.surface.is_closed();
        let bound = if closed { f64::INFINITY } else { square_above(reach) };
        let (signed, nearest) = self.surface.signed_distance(point, bound)?;
        let turned = if closed || signed.distance >= 0.0 { 1.0 } else { -1.0 };
        let (distance, outward) = (signed.distance * turned, signed.gradient * turned);
        Some(Place { distance, outward, nearest, cell: None })
    }

    /// The side of a contact at a place: the tetrahedron that holds `inner`, or the element of the surface.
    fn feature(self, place: &SurfaceNearest, cell: Option<u32>, inner: &Point, skin: Point) -> Feature {
        let inside = self.volume.zip(cell).and_then(|(mesh, cell)| {
            let weights = weights_inside(inner, &mesh.corners(cell))?;
            Some(Feature::tetrahedron(mesh.cells()[cell as usize], weights, cell, skin))
        });
        inside.unwrap_or_else(|| self.named(self.surface.contact_feature(place, skin)))
    }
}

/// Tells the ids of edges from those of vertices.
const EDGE: u64 = 1 << 47;

/// Tells the ids of a vertex that leaves a sheet's triangle by an edge: the two numbers follow.
const THROUGH: u64 = 1 << 62;

/// How much deeper than its ends an edge must be to count, relative to its length and depth: more than what the search for
/// the deepest place leaves.
const DEEPER: f64 = 1e-11;

/// Vertices of a chunk: each costs a descent of the tree or two.
const VERTICES_PER_CHUNK: usize = 128;

/// The search with its memory.
#[derive(Default)]
pub(crate) struct FeatureSearch {
    chunks: Chunks,
    in_surface: DeepestSearch,
    in_volume: VolumeAxis,
    candidates: Vec<u32>,
    near: Vec<u32>,
    locals: Vec<(u32, SegmentTriangle)>,
    left: Vec<[u32; 2]>,
    exchanged: CollisionData,
}

/// The body whose features are looked at, and the one they are looked at in.
#[derive(Clone, Copy)]
struct Looked<'a> {
    of: Skin<'a>,
    into: Skin<'a>,
    /// Whether edges beside edges are looked at: in one direction of two only.
    edge_pairs: bool,
}

impl Looked<'_> {
    fn rims(&self) -> f64 {
        self.of.surface.radius() + self.into.surface.radius()
    }

    fn contact(&self, a: Feature, place: (Feature, Vector), depth: f64, id: u64) -> Contact {
        let (b, outward) = place;
        Contact::exact(a, b, outward, depth, id)
    }

    /// The contact of a vertex inside or in reach.
    fn vertex(&self, vertex: u32, context: &Context<'_>) -> Option<Contact> {
        let points = self.of.surface.points();
        // A vertex of no triangle is none of the surface.
        if points.owner(vertex) == NONE {
            return None;
        }
        let position = points.positions()[vertex as usize];
        let place = self.into.place(&position, self.rims() + context.margin())?;
        let depth = self.rims() - place.distance;
        if !context.reports(depth) {
            return None;
        }
        let skin = position - place.outward * self.of.surface.radius();
        let a = self.of.named(Feature::vertex(vertex, points.owner(vertex), skin));
        let skin = place.nearest.point + place.outward * self.into.surface.radius();
        let b = self.into.feature(&place.nearest, place.cell, &position, skin);
        Some(self.contact(a, (b, place.outward), depth, u64::from(vertex)))
    }

    fn edge_feature(&self, edge: u32, t: f64, skin: Point) -> Feature {
        let adjacency = self.of.surface.adjacency();
        let owner = adjacency.edge_triangles[edge as usize][0];
        self.of.named(Feature::edge(adjacency.edges[edge as usize], [1.0 - t, t], owner, skin))
    }

    /// The contact of an edge beside an edge.
    fn beside(&self, edge: u32, near: &SegmentOnSurface, context: &Context<'_>) -> Option<Contact> {
        let between = near.part == SegmentFeature::Interior;
        if !(between && matches!(near.on_surface.feature, SurfaceFeature::Edge(_))) {
            return None;
        }
        let (direction, distance) = separation::between(&near.on_surface.point, &near.on_segment);
        let outward = direction.unwrap_or_else(|| self.into.surface.outward(near.on_surface.feature));
        let depth = self.rims() - distance;
        let a = self.edge_feature(edge, near.t, near.on_segment - outward * self.of.surface.radius());
        let skin = near.on_surface.point + outward * self.into.surface.radius();
        let b = self.into.named(self.into.surface.contact_feature(&near.on_surface, skin));
        context.reports(depth).then(|| self.contact(a, (b, outward), depth, EDGE | u64::from(edge)))
    }

    /// The end of an edge through a sheet's triangle by which the edge leaves it, and the contact of that.
    fn left_by(&self, edge: u32, ends: [&Point; 2], triangle: u32) -> ([u32; 2], Contact) {
        let sheet = self.into.surface;
        let corners = sheet.corners(triangle);
        let normal = sheet.outward(SurfaceFeature::Face(triangle));
        let heights = ends.map(|end| (end - corners[0]).dot(&normal));
        let (up, down) = (-heights[0].min(heights[1]), heights[0].max(heights[1]));
        let (outward, way) = if down < up { (-normal, down) } else { (normal, up) };
        let end = usize::from(if down < up { heights[1] > heights[0] } else { heights[1] < heights[0] });
        let vertex = self.of.surface.adjacency().edges[edge as usize][end];
        let nearest = point_triangle(&(ends[end] + outward * way), &corners[0], &corners[1], &corners[2]);
        let feature = SurfaceFeature::Face(triangle);
        let place = SurfaceNearest { feature, weights: nearest.weights, point: nearest.point };
        let skin = ends[end] - outward * self.of.surface.radius();
        let depth = self.rims() + way;
        let a = self.of.named(Feature::vertex(vertex, self.of.surface.points().owner(vertex), skin));
        let b = self.into.named(sheet.contact_feature(&place, skin + outward * depth));
        let id = THROUGH | u64::from(vertex) << 31 | u64::from(triangle);
        ([vertex, triangle], self.contact(a, (b, outward), depth, id))
    }
}

impl FeatureSearch {
    /// The contacts of the first body's vertices and edges in the second, then of the second's in the first.
    pub(crate) fn both(
        &mut self,
        [first, second]: [Skin<'_>; 2],
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Flags {
        let mut flags = self.find(&Looked { of: first, into: second, edge_pairs: true }, context, out);
        let mut exchanged = std::mem::take(&mut self.exchanged);
        exchanged.clear();
        flags |= self.find(&Looked { of: second, into: first, edge_pairs: false }, context, &mut exchanged);
        out.contacts.extend(exchanged.contacts.iter().map(of_second_side));
        self.exchanged = exchanged;
        flags
    }

    /// The contacts of the vertices of one body in the other, in their order, then of its edges in theirs.
    fn find(&mut self, looked: &Looked<'_>, context: &Context<'_>, out: &mut CollisionData) -> Flags {
        let count = looked.of.surface.points().len();
        let job = |range: std::ops::Range<usize>, chunk: &mut Chunk| {
            for vertex in range {
                let contact = looked.vertex(vertex as u32, context);
                chunk.contacts.extend(contact);
            }
        };
        let flags = self.chunks.run(context.executor(), count, VERTICES_PER_CHUNK, job, out);
        flags | self.edges(looked, context, out)
    }

    fn edges(&mut self, looked: &Looked<'_>, context: &Context<'_>, out: &mut CollisionData) -> Flags {
        let mut flags = Flags::empty();
        self.collect_edges(looked, context);
        self.left.clear();
        for index in 0..self.near.len() {
            let edge = self.near[index];
            let ends = looked.of.surface.edge_ends(edge);
            let crosses = self.meet(looked, ends.each_ref(), context);
            if crosses && !looked.into.is_solid() {
                self.leave_sheet(looked, edge, ends.each_ref(), out);
                continue;
            }
            let through =
                if crosses { self.through(looked, edge, ends.each_ref(), &mut flags) } else { None };
            match through {
                Some(contact) => out.contacts.extend(contact),
                None if looked.edge_pairs => {
                    let nearest = self.nearest(looked, ends.each_ref());
                    let contact = nearest.and_then(|near| looked.beside(edge, &near, context));
                    out.contacts.extend(contact);
                }
                None => {}
            }
        }
        flags
    }

    /// The edges whose triangles reach the other body, in order.
    fn collect_edges(&mut self, looked: &Looked<'_>, context: &Context<'_>) {
        self.near.clear();
        let (Some(tree), Some(other)) = (looked.of.surface.tree(), looked.into.surface.tree()) else {
            return;
        };
        let reach = other.bounds().grown(looked.rims() + context.margin());
        let adjacency = looked.of.surface.adjacency();
        tree.overlap(&reach, |triangle| self.near.extend(adjacency.triangle_edges[triangle as usize]));
        self.near.sort_unstable();
        self.near.dedup();
    }

    /// Finds what an edge has to do with the triangles in its reach; whether it meets one.
    fn meet(&mut self, looked: &Looked<'_>, [start, end]: [&Point; 2], context: &Context<'_>) -> bool {
        let reach = Aabb::from_corners(start, end).grown(looked.rims() + context.margin());
        self.candidates.clear();
        if let Some(tree) = looked.into.surface.tree() {
            tree.overlap(&reach, |triangle| self.candidates.push(triangle));
        }
        self.candidates.sort_unstable();
        let on_triangle = |&triangle: &u32| {
            let [a, b, c] = looked.into.surface.corners(triangle);
            (triangle, segment_triangle(start, end, &a, &b, &c))
        };
        self.locals.clear();
        self.locals.extend(self.candidates.iter().map(on_triangle));
        self.locals.iter().any(|(_, local)| local.pierced)
    }

    /// The contact of an edge through a solid's surface where it is deeper between its ends than at either: none where an
    /// end tells as much. `None` where no part of the edge is inside.
    fn through(
        &mut self,
        looked: &Looked<'_>,
        edge: u32,
        [start, end]: [&Point; 2],
        flags: &mut Flags,
    ) -> Option<Option<Contact>> {
        let into = looked.into;
        let (deepest, cell) = if let Some(mesh) = into.volume {
            let (deepest, cell) = self.in_volume.deepest(mesh, into.surface, [start, end])?;
            (deepest, Some(cell))
        } else {
            let crossings = self.locals.iter().filter(|(_, local)| local.pierced).map(|(_, local)| local.t);
            (self.in_surface.along(into.surface, start, end, crossings)?, None)
        };
        let depth = -deepest.signed.distance;
        if depth <= 0.0 {
            return None;
        }
        let mut at_an_end = 0.0_f64;
        for point in [start, end] {
            let place = into.place(point, 0.0);
            at_an_end = at_an_end.max(place.map_or(0.0, |place| -place.distance));
        }
        let slack = DEEPER * ((end - start).norm() + depth);
        if !(deepest.t > 0.0 && deepest.t < 1.0 && depth > at_an_end + slack) {
            return Some(None);
        }
        flags.set(Flags::ITERATION_LIMIT, flags.contains(Flags::ITERATION_LIMIT) || !deepest.converged);
        let (outward, distance) = way_out(into.surface, &deepest.point, &deepest.nearest);
        let a = looked.edge_feature(edge, deepest.t, deepest.point - outward * looked.of.surface.radius());
        let skin = deepest.nearest.point + outward * into.surface.radius();
        let b = into.feature(&deepest.nearest, cell, &deepest.point, skin);
        let depth = looked.rims() + distance;
        let contact = looked.contact(a, (b, outward), depth, EDGE | u64::from(edge));
        Some(Some(Contact { depth_upper: depth.max(looked.rims() + deepest.upper), ..contact }))
    }

    fn nearest(&self, looked: &Looked<'_>, ends: [&Point; 2]) -> Option<SegmentOnSurface> {
        let nearer = |best: (u32, SegmentTriangle), other: (u32, SegmentTriangle)| {
            if other.1.distance_squared < best.1.distance_squared { other } else { best }
        };
        let (triangle, local) = self.locals.iter().copied().reduce(nearer)?;
        Some(segment_on_surface(looked.into.surface, triangle, &local, ends))
    }

    /// The contacts of an edge through triangles of a sheet, each end and triangle once.
    fn leave_sheet(&mut self, looked: &Looked<'_>, edge: u32, ends: [&Point; 2], out: &mut CollisionData) {
        for (triangle, local) in &self.locals {
            // A flat triangle has no side to leave to; its edges tell of themselves.
            let normals = looked.into.surface.normals();
            let flat = normals.is_none_or(|normals| normals.faces[*triangle as usize].amax() == 0.0);
            if !local.pierced || flat {
                continue;
            }
            let (pair, contact) = looked.left_by(edge, ends, *triangle);
            if !self.left.contains(&pair) {
                self.left.push(pair);
                out.push(contact);
            }
        }
    }
}
