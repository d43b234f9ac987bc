//! A segment with a radius (a capsule's axis, an element of a thread) against the nearby elements of a surface;
//! shared by the detectors of surfaces, volumes and threads.

use crate::contact_ids::{id_of, surface_part};
use crate::mesh::segment_surface::segment_on_edge;
use crate::mesh::sheet_exit::SheetExits;
use crate::mesh::surface_sides::SurfaceSidedness;
use crate::mesh::{Candidates, Kernel, VoidedFeatures, WayOut};
use crate::rounded_contact::capsule_end;
use crate::segment::axis_part::Part;
use crate::segment::axis_surface::{Axis, DeepestInside, SegmentContact};
use crate::segment::lying_edge::EdgeEnd;
use crate::segment::parallel_axis::Lying;
use crate::segment::segment_penetration::{Chain, Deepest, DeepestSearch};
use crate::{Context, ConvexBody, Executor, room};
use palpate_contact::{Contact, Feature, IdPart};
use palpate_convex::{Memory, Settings};
use palpate_geometry::{Capsule, SurfaceFeature, SurfaceMesh};
use palpate_math::nearest::SegmentTriangle;
use palpate_math::{Aabb, Point, Vector, direction, rounding};

/// The segment and the surface, and which elements may be reported.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub(crate) axis: Axis<'a>,
    /// Whether internal edges are dropped.
    pub(crate) outer: bool,
    /// Whether an overlap with a parallel face or edge has a contact at both ends.
    pub(crate) manifold: bool,
}

/// A contact of the segment and the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) met: SegmentContact,
    /// The end of the axis of this contact, if the axis is parallel to the surface.
    pub(crate) end: Option<usize>,
    /// The triangle it is listed with, and its position among the contacts of that triangle.
    order: (u32, u32),
}

/// The elements of a triangle nearest to the axis.
#[derive(Clone, Copy, Debug)]
enum Nearest {
    /// A single element, at `local`.
    One(SurfaceFeature),
    /// The axis is nearly parallel to an edge.
    Along(u32, [EdgeEnd; 2]),
    /// The axis is nearly parallel to the face; the edges over which it leaves the face, if any.
    Face([Option<u32>; 2]),
    /// The axis passes through the triangle.
    Through,
}

/// The closest points of a triangle and a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnTriangle {
    triangle: u32,
    local: SegmentTriangle,
}

/// The triangle kernel.
struct FromAxis<'a> {
    axis: &'a Axis<'a>,
    reach: f64,
    /// The middle of the axis.
    middle: Point,
    /// Unit directions: along the axis and across it.
    frame: [Vector; 3],
    /// How far a triangle within reach may be from the middle along each of them.
    extents: Vector,
}

/// The iterations of EPA for which there is room, for a segment and the hull of triangles.
const EXPANSIONS: u32 = 16;

/// Relative margin of the early out: a triangle beyond it is out of reach despite rounding error.
const FAR: f64 = 1e-9;

impl<'a> FromAxis<'a> {
    fn new(axis: &'a Axis<'a>, reach: f64) -> Self {
        let half = (axis.ends[1] - axis.ends[0]) * 0.5;
        let along = direction::unit_or(&half, &Vector::y());
        let across = direction::any_perpendicular(&along);
        let room = FAR * (reach + rounding::largest_coordinate(&axis.ends));
        let extents = Vector::new(half.norm(), 0.0, 0.0).add_scalar(reach + room);
        let frame = [along, across, along.cross(&across)];
        Self { axis, reach, middle: axis.ends[0] + half, frame, extents }
    }

    /// Whether a triangle is out of reach along one of the directions, as most are that are candidates only by the box
    /// around a slanted axis.
    #[inline]
    fn is_far(&self, triangle: u32) -> bool {
        let corners = self.axis.surface.corners(triangle).map(|corner| corner - self.middle);
        let room = FAR * corners.iter().fold(0.0, |most: f64, corner| most.max(corner.amax()));
        (0..3).any(|k| {
            let [p, q, r] = corners.map(|corner| corner.dot(&self.frame[k]));
            let far = self.extents[k] + room;
            p.min(q).min(r) > far || p.max(q).max(r) < -far
        })
    }
}

impl Kernel for FromAxis<'_> {
    type Found = OnTriangle;

    const CHUNK: usize = 128;

    #[inline]
    fn triangle(&self, triangle: u32, _memory: &mut Memory<Vector>) -> Option<OnTriangle> {
        if self.is_far(triangle) {
            return None;
        }
        let local = self.axis.on_triangle(triangle);
        (local.distance_squared.sqrt() <= self.reach).then_some(OnTriangle { triangle, local })
    }
}

/// A nearby triangle.
#[derive(Clone, Copy, Debug)]
struct Near {
    triangle: u32,
    local: SegmentTriangle,
    nearest: Nearest,
}

/// The search and its reusable memory, proportional to the number of candidates.
#[derive(Debug, Default)]
pub(crate) struct AxisSearch {
    candidates: Candidates<OnTriangle>,
    near: Vec<Near>,
    lying: Lying,
    voided: VoidedFeatures,
    /// The deepest points of the axis inside a closed surface, one per part of the surface.
    deepest: Vec<Deepest>,
    held: Vec<DeepestInside>,
    /// The elements through which parts of the axis inside a solid exit.
    leaves_by: Vec<SurfaceFeature>,
    /// For each part of the surface that contains no part of the axis, the nearest triangle that faces the axis.
    kept: Vec<usize>,
    found: Vec<Found>,
    keys: Vec<(u64, usize)>,
    search: DeepestSearch,
    exits: SheetExits,
    /// The triangles of a way out.
    triangles: Vec<u32>,
}

/// Returns the contact of a surface and a capsule.
pub(crate) fn capsule_contact(axis: &Axis<'_>, met: &SegmentContact, id: u64) -> Contact {
    let a = axis.surface.contact_feature(&met.place, met.on_surface);
    let b = Feature::numbered(capsule_end(met.part), met.on_body);
    Contact::exact(a, b, -met.outward, met.depth, id)
}

impl Found {
    /// Returns the id of a capsule's contact: the surface's element, and the axis' end if the axis is parallel to the
    /// surface.
    pub(crate) fn id(&self) -> u64 {
        let of_axis = self.end.map_or(IdPart::Whole, |end| IdPart::Corner(end as u32));
        id_of(surface_part(self.met.place.feature), of_axis)
    }
}

impl Near {
    /// Whether an element is among the triangle's nearest.
    fn has(&self, surface: &SurfaceMesh, feature: SurfaceFeature) -> bool {
        match self.nearest {
            Nearest::One(nearest) => nearest == feature,
            Nearest::Along(edge, _) => match feature {
                SurfaceFeature::Edge(other) => other == edge,
                SurfaceFeature::Vertex(vertex) => surface.adjacency().edges[edge as usize].contains(&vertex),
                SurfaceFeature::Face(_) => false,
            },
            Nearest::Face(crossed) => match feature {
                SurfaceFeature::Edge(other) => crossed.contains(&Some(other)),
                SurfaceFeature::Vertex(_) => false,
                SurfaceFeature::Face(triangle) => triangle == self.triangle,
            },
            Nearest::Through => feature == SurfaceFeature::Face(self.triangle),
        }
    }
}

impl AxisSearch {
    /// Finds the candidate triangles.
    pub(crate) fn begin(&mut self, pair: &Pair<'_>, context: &Context<'_>, executor: &dyn Executor) {
        self.open();
        let axis = &pair.axis;
        let reach = axis.radius + axis.surface.radius() + context.margin();
        let bounds = Aabb::from_points(axis.ends).grown(reach);
        self.candidates.find(axis.surface, &bounds, &FromAxis::new(axis, reach), executor);
        self.leaves_by.clear();
    }

    /// Gives the lists their first room.
    fn open(&mut self) {
        room::open(&mut self.deepest);
        room::open(&mut self.held);
        room::open(&mut self.leaves_by);
        room::open(&mut self.kept);
        room::open(&mut self.found);
        room::open(&mut self.keys);
        self.lying.open();
        self.search.open();
        self.exits.open();
        room::open(&mut self.triangles);
    }

    /// Returns the deepest points of an axis partly inside a closed surface, one per part of the surface through
    /// which it exits, the deepest first. `chain` carries samples from one segment of a thread to the next; for a single
    /// axis it is the default.
    pub(crate) fn held(&mut self, pair: &Pair<'_>, chain: &mut Chain) -> &[DeepestInside] {
        self.held.clear();
        if pair.axis.may_be_inside() {
            let pierced = self.candidates.found.iter().filter(|near| near.local.pierced);
            let (ends, crossings) = (pair.axis.ends.each_ref(), pierced.map(|near| near.local.t));
            self.search.along(pair.axis.surface, ends, crossings, chain, &mut self.deepest);
            room::extend(&mut self.held, self.deepest.iter().map(|deepest| pair.axis.held(deepest)));
        }
        &self.held
    }

    /// Returns the deepest points of the axis of a capsule as [`held`](Self::held) does. Where the axis passes through a solid,
    /// they have the exit of the whole axis if that is longer: what is pierced twice is not left by half of its thickness.
    /// Their direction is that of the shortest [way out](WayOut).
    pub(crate) fn held_as_a_whole(&mut self, pair: &Pair<'_>, capsule: &Capsule) -> &[DeepestInside] {
        self.held(pair, &mut Chain::default());
        let axis = &pair.axis;
        let (surface, ends) = (axis.surface, axis.ends.each_ref());
        if self.held.is_empty() {
            return &self.held;
        }
        let near = self.candidates.found.iter().map(|near| near.triangle);
        self.exits.pierce_exactly(surface, ends, near);
        let part_of = |triangle| surface.adjacency().part_of(triangle);
        self.candidates.memory().make_room(EXPANSIONS);
        for held in &mut self.held {
            let part = part_of(surface.owner(held.met.place.feature));
            for index in 0..self.exits.count() {
                let (triangle, _) = self.exits.piercing(index);
                let reach = axis.radius + surface.radius();
                let longer = (part_of(triangle) == part)
                    .then(|| self.exits.out_of_solid_above(held.met.depth - reach, surface, ends, index))
                    .flatten();
                if let Some(exit) = longer {
                    held.met = axis.by_exit(&exit);
                    held.depth_upper = held.depth_upper.max(held.met.depth);
                }
            }
            if let Some(body) = ConvexBody::new(capsule) {
                let part = (!surface.adjacency().parts.is_empty()).then_some(part);
                let is_overlapped = move |near: &&OnTriangle| {
                    near.local.distance_squared < axis.radius * axis.radius
                        && part.is_none_or(|part| part_of(near.triangle) == part)
                };
                let overlapped = self.candidates.found.iter().filter(is_overlapped).map(|near| near.triangle);
                let way_out = WayOut {
                    surface,
                    body: &body,
                    part,
                    settings: &Settings::default(),
                    is_solid: true,
                    is_two_sided: false,
                };
                let (exit, triangles) = (axis.as_deepest(&held.met), &mut self.triangles);
                let given = way_out.given(&exit, overlapped, triangles);
                let memory = self.candidates.memory();
                let exit = given.and_then(|given| way_out.shortest(&exit, given, triangles, memory));
                held.met = exit.map_or(held.met, |exit| axis.of_deepest(&exit));
            }
        }
        &self.held
    }

    /// Records that a part of the axis is inside a solid and exits through an element.
    pub(crate) fn leave_by(&mut self, feature: SurfaceFeature) {
        room::push(&mut self.leaves_by, feature);
    }

    /// Records the same for everything [`held`](Self::held) found.
    pub(crate) fn leave_where_held(&mut self) {
        room::extend(&mut self.leaves_by, self.held.iter().map(|held| held.met.place.feature));
    }

    /// Returns the contacts with nearby elements, in triangle order.
    pub(crate) fn outside(&mut self, pair: &Pair<'_>, context: &Context<'_>) -> &[Found] {
        self.found.clear();
        if pair.axis.sidedness == SurfaceSidedness::Front {
            let all = self.candidates.found.iter().map(|near| (near.triangle, &near.local));
            if let Some(met) = pair.axis.behind(all) {
                self.push(0, met, None);
                return &self.found;
            }
        }
        self.find_near(pair);
        self.find_kept(pair);
        let pierced = self.near.iter().filter(|near| matches!(near.nearest, Nearest::Through));
        let pierced = pierced.map(|near| (near.triangle, near.local.t));
        self.exits.pierce(pair.axis.surface, pair.axis.ends.each_ref(), pierced);
        if pair.outer {
            self.void(pair);
        }
        for index in 0..self.near.len() {
            self.element(pair, index, context);
        }
        self.along_faces(pair, context);
        for index in 0..self.kept.len() {
            self.keep_nearest(pair, self.kept[index], context);
        }
        self.finish();
        &self.found
    }

    /// Whether a part of the axis is inside the part of the solid that a triangle belongs to.
    fn is_held(&self, surface: &SurfaceMesh, triangle: u32) -> bool {
        let part = |triangle: u32| surface.adjacency().part_of(triangle);
        self.leaves_by.iter().any(|&feature| part(surface.owner(feature)) == part(triangle))
    }

    fn push(&mut self, triangle: u32, met: SegmentContact, end: Option<usize>) {
        let order = (triangle, self.found.len() as u32);
        room::push(&mut self.found, Found { met, end, order });
    }

    /// Determines the nearest elements of the candidate triangles.
    fn find_near(&mut self, pair: &Pair<'_>) {
        let axis = &pair.axis;
        let in_reach = || self.candidates.found.iter().map(|near| (near.triangle, &near.local));
        self.lying.clear();
        // An axis that enters a solid or passes through a sheet is not parallel to it.
        let lies = pair.manifold
            && self.leaves_by.is_empty()
            && !in_reach().any(|(id, local)| axis.is_through(id, local));
        if lies {
            self.lying.find(axis, in_reach(), pair.outer);
        }
        let mut all = std::mem::take(&mut self.near);
        let near = |(triangle, local): (u32, &SegmentTriangle)| {
            let nearest = if axis.is_through(triangle, local) {
                Nearest::Through
            } else if lies {
                lying_nearest(pair, &self.lying, triangle, local)
            } else {
                let parallel = || axis.parallel_edge(triangle, local);
                let parallel = if self.is_held(axis.surface, triangle) { None } else { parallel() };
                let nearest = axis.surface.feature_of(triangle, local.feature);
                Nearest::One(parallel.map_or(nearest, SurfaceFeature::Edge))
            };
            Near { triangle, local: *local, nearest }
        };
        all.clear();
        // As much room as the candidates have, which grows ahead.
        all.reserve(self.candidates.found.capacity());
        all.extend(in_reach().map(near));
        self.near = all;
    }

    /// Finds the nearest triangle of each part that faces the axis.
    fn find_kept(&mut self, pair: &Pair<'_>) {
        let surface = pair.axis.surface;
        let part = |near: &Near| surface.adjacency().part_of(near.triangle);
        self.kept.clear();
        for (index, near) in self.near.iter().enumerate() {
            let other = self.kept.iter().position(|&kept| part(&self.near[kept]) == part(near));
            let distance = |index: usize| self.near[index].local.distance_squared;
            let nearer = other.is_none_or(|other| distance(index) < distance(self.kept[other]));
            if nearer && !pair.axis.hides(&pair.axis.nearest(near.triangle, &near.local)) {
                match other {
                    Some(other) => self.kept[other] = index,
                    None => room::push(&mut self.kept, index),
                }
            }
        }
    }

    /// Voids the edges and vertices that are not the nearest element of all their triangles.
    fn void(&mut self, pair: &Pair<'_>) {
        let surface = pair.axis.surface;
        self.voided.clear();
        self.voided.make_room(self.near.capacity());
        let is_on_face = |near: &Near| {
            matches!(
                near.nearest,
                Nearest::One(SurfaceFeature::Face(_)) | Nearest::Face(_) | Nearest::Through
            )
        };
        if self.near.iter().all(is_on_face) {
            return;
        }
        for near in &self.near {
            self.voided.note(surface, near.triangle, |feature| near.has(surface, feature));
        }
    }

    /// Whether some triangle of the element has a nearer element.
    fn is_internal(&self, pair: &Pair<'_>, feature: SurfaceFeature) -> bool {
        pair.outer && self.voided.is_voided(feature)
    }

    /// Emits the contacts of one triangle's nearest element, except for a face that the axis is parallel to.
    fn element(&mut self, pair: &Pair<'_>, index: usize, context: &Context<'_>) {
        let (axis, Near { triangle, local, nearest }) = (&pair.axis, self.near[index]);
        let is_kept = |feature| self.kept.iter().any(|&kept| self.near[kept].has(axis.surface, feature));
        match nearest {
            Nearest::Through => {
                let met = axis.through(triangle, &local, &mut self.exits);
                self.push(triangle, met, None);
            }
            Nearest::Along(edge, ends) => {
                let nearest = axis.surface.feature_of(triangle, local.feature);
                let internal = |feature| self.is_internal(pair, feature);
                if is_kept(nearest) || !internal(nearest) && !internal(SurfaceFeature::Edge(edge)) {
                    self.along_edge(pair, triangle, edge, ends, context);
                }
            }
            Nearest::One(feature) => {
                let held = self.is_held(axis.surface, triangle);
                let entered = held && (local.pierced || self.leaves_by.contains(&feature));
                if entered || !is_kept(feature) && self.is_internal(pair, feature) {
                    return;
                }
                let place = match feature {
                    // The middle of a parallel overlap, which rounding error may have missed.
                    SurfaceFeature::Edge(edge) => segment_on_edge(axis.surface, edge, axis.ends.each_ref()),
                    _ => axis.nearest(triangle, &local),
                };
                let met = axis.beside(&place);
                let of_a_face = || pair.outer && self.lying.is_on_a_face(axis, &place, &met);
                if context.reports(met.depth)
                    && !axis.hides(&place)
                    && (!held || axis.is_nearest(&place))
                    && !of_a_face()
                {
                    self.push(triangle, met, None);
                }
            }
            Nearest::Face(_) => {}
        }
    }

    /// Emits the contacts at the ends of an overlap with an edge.
    fn along_edge(
        &mut self,
        pair: &Pair<'_>,
        triangle: u32,
        edge: u32,
        ends: [EdgeEnd; 2],
        context: &Context<'_>,
    ) {
        for end in ends {
            let place = pair.axis.at_edge_end(edge, end);
            let met = pair.axis.beside(&place);
            let internal = match end {
                EdgeEnd::Vertex(vertex) => {
                    pair.outer
                        && (self.is_internal(pair, SurfaceFeature::Vertex(vertex))
                            || self.goes_on_along(pair, edge, vertex))
                }
                // Beyond this edge the axis' end is above a face.
                EdgeEnd::OfAxis(end) => self.lying.overs().iter().any(|over| {
                    let edges = pair.axis.surface.adjacency().triangle_edges[over.triangle as usize];
                    over.end == end && edges.contains(&edge)
                }),
            };
            if !internal && context.reports(met.depth) && !pair.axis.hides(&place) {
                let end = if let EdgeEnd::OfAxis(end) = end { Some(end) } else { None };
                self.push(triangle, met, end);
            }
        }
    }

    /// Whether the axis continues beyond a vertex along another, collinear edge.
    fn goes_on_along(&self, pair: &Pair<'_>, edge: u32, vertex: u32) -> bool {
        let edges = &pair.axis.surface.adjacency().edges;
        let positions = pair.axis.surface.points().positions();
        let away = |edge: u32| {
            let [from, to] = edges[edge as usize];
            positions[(from + to - vertex) as usize] - positions[vertex as usize]
        };
        let run = away(edge);
        self.near.iter().any(|near| match near.nearest {
            Nearest::Along(other, _) if other != edge && edges[other as usize].contains(&vertex) => {
                let next = away(other);
                run.dot(&next) < 0.0 && run.cross(&next).norm() <= IN_LINE * run.norm() * next.norm()
            }
            _ => false,
        })
    }

    /// Emits the contacts of an axis that is nearly parallel to faces.
    fn along_faces(&mut self, pair: &Pair<'_>, context: &Context<'_>) {
        let axis = &pair.axis;
        for index in 0..self.lying.overs().len() {
            let over = self.lying.overs()[index];
            let met = over.met(axis);
            if context.reports(met.depth) {
                self.push(over.triangle, met, Some(over.end));
            }
        }
        let (near, found) = (&self.near, &mut self.found);
        let rises = |feature: SurfaceFeature, part: &Part| {
            let surface = axis.surface;
            let mut with_it = near.iter().filter(|near| {
                near.triangle != part.triangle && elements(surface, near.triangle).any(|own| own == feature)
            });
            pair.outer
                && with_it.any(|near| surface.corners(near.triangle).iter().any(|corner| part.rises(corner)))
        };
        self.lying.borders(axis, rises, |place| {
            let faces = !axis.hides(&place.met.as_nearest(axis));
            if context.reports(place.met.depth) && faces {
                let order = (place.triangle, found.len() as u32);
                room::push(found, Found { met: place.met, end: place.end, order });
            }
        });
    }

    /// The nearest triangle of a part is always reported: added here if rounding error dropped it.
    fn keep_nearest(&mut self, pair: &Pair<'_>, nearest: usize, context: &Context<'_>) {
        let Near { triangle, local, .. } = self.near[nearest];
        let surface = pair.axis.surface;
        if self.is_held(surface, triangle) {
            return;
        }
        let met = pair.axis.beside(&pair.axis.nearest(triangle, &local));
        let size = rounding::largest_coordinate(pair.axis.ends.iter().chain([&met.on_surface, &met.on_body]));
        let part = |triangle: u32| surface.adjacency().part_of(triangle);
        let met_already = |found: &Found| {
            found.met.depth >= met.depth - LOST * size
                && part(surface.owner(found.met.place.feature)) == part(triangle)
        };
        if context.reports(met.depth) && !self.found.iter().any(met_already) {
            self.push(triangle, met, None);
        }
    }

    /// Keeps the deepest contact of every id, in triangle order.
    fn finish(&mut self) {
        let found = &mut self.found;
        self.keys.clear();
        room::extend(&mut self.keys, found.iter().enumerate().map(|(index, found)| (found.id(), index)));
        let depth = |index: usize| found[index].met.depth;
        self.keys.sort_unstable_by(|x, y| {
            x.0.cmp(&y.0).then(depth(y.1).total_cmp(&depth(x.1))).then(x.1.cmp(&y.1))
        });
        self.keys.dedup_by_key(|key| key.0);
        if self.keys.len() < found.len() {
            self.keys.sort_unstable_by_key(|key| key.1);
            for (to, &(_, from)) in self.keys.iter().enumerate() {
                found[to] = found[from];
            }
            found.truncate(self.keys.len());
        }
        found.sort_unstable_by_key(|found| found.order);
    }
}

/// The largest sine of the angle between collinear edges.
const IN_LINE: f64 = 1.0 / (1_u64 << 29) as f64;

/// How much of the closest contact's depth may be missing, relative to the coordinates: the coplanarity tolerance.
const LOST: f64 = 1.0 / (1_u64 << 30) as f64;

/// Returns the nearest elements of a triangle for an axis that may be parallel to it.
fn lying_nearest(pair: &Pair<'_>, lying: &Lying, triangle: u32, local: &SegmentTriangle) -> Nearest {
    let axis = &pair.axis;
    let along =
        || axis.along_edge(triangle, local, pair.outer).map(|(edge, ends)| Nearest::Along(edge, ends));
    let face = || lying.part_of(triangle).map(|part| Nearest::Face(part.crossed(axis)));
    let one = axis.surface.feature_of(triangle, local.feature);
    let found = if pair.outer { face().or_else(along) } else { along().or_else(face) };
    let has_end = || pair.outer || lying.overs().iter().any(|over| over.triangle == triangle);
    match (found, one) {
        (Some(nearest), _) => nearest,
        // An end above the face has its own contact.
        (None, SurfaceFeature::Face(_)) if has_end() => Nearest::Face([None; 2]),
        (None, one) => Nearest::One(one),
    }
}

/// The vertices and edges of a triangle.
fn elements(surface: &SurfaceMesh, triangle: u32) -> impl Iterator<Item = SurfaceFeature> + use<> {
    let vertices = surface.triangles()[triangle as usize].map(SurfaceFeature::Vertex);
    let edges = surface.adjacency().triangle_edges[triangle as usize].map(SurfaceFeature::Edge);
    vertices.into_iter().chain(edges)
}
