//! An edge of one body against another body: its deepest points inside, the edges it crosses, the triangles of a
//! sheet it passes through.

use crate::Context;
use crate::contact_ids::{exchanged, id_of};
use crate::mesh::COPLANAR;
use crate::mesh::segment_surface::SegmentOnSurface;
use crate::mesh::sheet_exit::{SheetExit, SheetExits};
use crate::mesh::vertex_surface::squared_distance_to;
use crate::mesh::volume::way_out;
use crate::segment::segment_penetration::DeepestSearch;
use crate::solid::corner_exit::{CornerExit, enters_beside, greatest_depth};
use crate::solid::edge_exit::{EdgeExit, Way, is_flat_edge, supports};
use crate::solid::skin::Skin;
use crate::solid::straight_border::StraightBorder;
use crate::{Chunk, Flags};
use palpate_contact::{Contact, Feature, IdPart, NONE};
use palpate_convex::Memory;
use palpate_geometry::{SurfaceFeature, SurfaceNearest};
use palpate_math::intersect;
use palpate_math::nearest::{SegmentFeature, point_triangle};
use palpate_math::{Aabb, Point, Vector, rounding, separation};

/// How much deeper than its ends an edge must be to be reported, relative to its length and depth: more than the
/// error of the search for the deepest point.
pub(crate) const DEEPER: f64 = 1e-11;

/// The squared sine of the angle between two edges above which their cross product gives the direction.
const WELL_CROSSED: f64 = 1e-8;

/// The body whose features are tested, and the body they are tested against.
#[derive(Clone, Copy)]
pub(crate) struct Looked<'a> {
    pub(crate) of: Skin<'a>,
    pub(crate) into: Skin<'a>,
    /// Whether `of` is the second body of the pair.
    pub(crate) second: bool,
}

/// A vertex inside the other body or, to rounding, on its surface, with its depth and nearest triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VertexDepth {
    pub(crate) vertex: u32,
    pub(crate) depth: f64,
    pub(crate) triangle: u32,
    /// Whether it is inside; otherwise it is on the surface.
    pub(crate) inside: bool,
}

/// A contact of an edge, and the data that decides whether it is kept. The first side is always the tested body's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) contact: Contact,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// The deepest point of the part of an edge between two parameters; depths that differ by no more than `slack`
    /// are equal.
    Inside { edge: u32, part: [f64; 2], slack: f64 },
    /// Two edges, at these parameters.
    Pair { edges: [u32; 2], at: [f64; 2] },
    /// Two edges of which one enters the other's face beside the way out: of use where others are as deep.
    Beside,
    /// A vertex that exits through a sheet's triangle.
    ThroughSheet,
}

impl Kind {
    /// Whether it is a crossing of the tested body's edge with another within a part of it.
    fn crosses_within(&self, edge: u32, part: [f64; 2]) -> bool {
        matches!(*self, Self::Pair { edges, at } if edges[0] == edge && is_within(at[0], part))
    }
}

/// How far beyond the end of a part of an edge a crossing may be and still belong to it, as a parameter: if the edge
/// crosses the surface at the other edge, rounding error decides.
const AT_AN_END: f64 = 1e-9;

/// Whether a crossing at a parameter of an edge belongs to a part of it.
pub(crate) fn is_within(at: f64, [from, to]: [f64; 2]) -> bool {
    from - AT_AN_END <= at && at <= to + AT_AN_END
}

/// A point on an edge where it crosses the other body's surface, or ends.
#[derive(Clone, Copy, Debug)]
struct Break {
    t: f64,
    /// The triangle crossed, or the one nearest to an end inside; its distance bounds the search for the nearest
    /// triangle.
    near: Option<u32>,
}

/// Scratch memory and results of a chunk of edges.
#[derive(Debug, Default)]
pub(crate) struct EdgeChunk {
    pub(crate) found: Vec<Found>,
    /// The deepest exit of an edge from a face that is not a contact of its own.
    pub(crate) exit: Option<Contact>,
    /// The vertices inside, for a chunk of vertices.
    pub(crate) depths: Vec<VertexDepth>,
    met: Vec<(u32, f64)>,
    breaks: Vec<Break>,
    search: DeepestSearch,
    exits: EdgeExit,
    border: StraightBorder,
    sheet_exits: SheetExits,
    /// Made when it is first needed: most bodies have no corner beside a border.
    pub(crate) part_memory: Option<Box<Memory<Vector>>>,
}

impl EdgeChunk {
    pub(crate) fn clear(&mut self) {
        self.found.clear();
        self.exit = None;
        self.depths.clear();
    }

    /// Keeps the deeper of the two; ties go to the first.
    pub(crate) fn keep_exit(&mut self, other: &Option<Contact>) {
        let deeper = |other: &&Contact| self.exit.is_none_or(|exit| other.depth > exit.depth);
        if let Some(other) = other.as_ref().filter(deeper) {
            self.exit = Some(*other);
        }
    }
}

impl Looked<'_> {
    pub(crate) fn rims(&self) -> f64 {
        self.of.surface.radius() + self.into.surface.radius()
    }

    /// Returns the id made of the tested body's part and the other's, in the pair's order.
    pub(crate) fn id(&self, own: IdPart, other: IdPart) -> u64 {
        let id = id_of(own, other);
        if self.second { exchanged(id) } else { id }
    }

    /// Returns the side of a contact on a vertex of the tested body.
    pub(crate) fn vertex_feature(&self, vertex: u32, position: &Point, outward: &Vector) -> Feature {
        let points = self.of.surface.points();
        let skin = position - outward * self.of.surface.radius();
        self.of.named(Feature::vertex(vertex, points.owner(vertex), skin))
    }

    /// Whether the triangles of an edge are coplanar; of a sheet, to a milliradian: noise does not divide a face.
    fn is_flat(&self, edge: u32) -> bool {
        let surface = self.of.surface;
        let [first, second] = surface.adjacency().edge_triangles[edge as usize];
        let normals = surface.normals().filter(|_| second != NONE && !self.of.is_solid());
        is_flat_edge(surface, edge)
            || normals.is_some_and(|normals| normals.face(first).dot(&normals.face(second)) >= COPLANAR)
    }

    fn edge_feature(&self, edge: u32, t: f64, place: &Point, outward: &Vector) -> Feature {
        let adjacency = self.of.surface.adjacency();
        let owner = adjacency.edge_triangles[edge as usize][0];
        let skin = place - outward * self.of.surface.radius();
        self.of.named(Feature::edge(adjacency.edges[edge as usize], [1.0 - t, t], owner, skin))
    }

    /// Returns the other body's side at a point of its surface.
    fn other_feature(&self, place: &SurfaceNearest, outward: &Vector) -> Feature {
        let skin = place.point + outward * self.into.surface.radius();
        self.into.named(self.into.surface.contact_feature(place, skin))
    }

    /// Finds the contacts of an edge, given the vertices that are inside or on the surface, in ascending order.
    pub(crate) fn edge(&self, edge: u32, depths: &[VertexDepth], chunk: &mut Chunk, context: &Context<'_>) {
        let ends = self.of.surface.edge_ends(edge);
        let ends = ends.each_ref();
        self.meet(ends, chunk);
        let work = chunk.scratch.get::<EdgeChunk>();
        if !self.into.is_solid() {
            work.sheet_exits.pierce(self.into.surface, ends, work.met.iter().copied());
            for &(triangle, _) in &work.met {
                work.found.extend(self.left_by(edge, ends, triangle, &mut work.sheet_exits));
            }
        } else {
            let whole = self.of.surface.adjacency().edges[edge as usize];
            let depth_of = |vertex: u32| {
                let found = depths.binary_search_by_key(&vertex, |depth| depth.vertex);
                found.ok().map(|index| depths[index])
            };
            let inside = whole.map(depth_of);
            let first = work.found.len();
            let deeper = self.may_be_deeper(ends, inside, &work.met);
            let flat = (deeper || !work.met.is_empty()) && self.is_flat(edge);
            self.cross(edge, flat, work);
            if deeper && !flat {
                chunk.flags |= self.inside(edge, ends, inside, first, work);
            }
            if inside.iter().flatten().any(|end| end.inside) {
                return;
            }
        }
        if !self.second && chunk.scratch.get::<EdgeChunk>().met.is_empty() {
            self.all_beside(edge, ends, chunk, context);
        }
    }

    /// Finds the triangles that an edge intersects, in ascending order, and the first intersection with each.
    fn meet(&self, [start, end]: [&Point; 2], chunk: &mut Chunk) {
        chunk.candidates.clear();
        if let Some(tree) = self.into.surface.tree() {
            tree.overlap(&Aabb::from_corners(start, end), |triangle| chunk.candidates.push(triangle));
        }
        chunk.candidates.sort_unstable();
        let meeting = |&triangle: &u32| {
            let [a, b, c] = self.into.surface.corners(triangle);
            let meeting = intersect::segment_triangle(start, end, &a, &b, &c)?;
            Some((triangle, meeting.t))
        };
        let met = &mut chunk.scratch.get::<EdgeChunk>().met;
        met.clear();
        met.extend(chunk.candidates.iter().filter_map(meeting));
    }

    /// Finds the edges that an edge crosses, if the crossing is the minimum translation out of a face it intersects.
    /// Any other exit is a contact only if nothing else is as deep.
    ///
    /// A sheet's edge between coplanar triangles crosses a face only where others do.
    fn cross(&self, edge: u32, flat: bool, work: &mut EdgeChunk) {
        if work.met.is_empty() || flat && !self.of.is_solid() {
            return;
        }
        let first = work.found.len();
        work.border.set(self.of, edge);
        let positions = self.of.surface.points().positions();
        let ends = work.border.vertices.map(|vertex| &positions[vertex as usize]);
        for index in 0..work.met.len() {
            let (triangle, _) = work.met[index];
            let corners = self.into.surface.corners(triangle);
            let slack = rounding::length(rounding::largest_coordinate(corners.iter().chain(ends)));
            let (least, way) = work.exits.least(self.into.surface, triangle, ends, slack);
            let mut crosses = false;
            for side in work.exits.sides().iter().filter(|side| side.outer && side.distance <= least + slack)
            {
                let (edge, near) = work.border.locate(edge, &side.near);
                if let Some(found) = self.pair(edge, side.edge, &near).filter(|_| !flat) {
                    crosses = true;
                    add_new(&mut work.found, first, found);
                }
            }
            if !crosses {
                let exit = match way {
                    Way::End { end, triangle, place } => {
                        self.end_exit(work.border.vertices[end], ends[end], triangle, &place)
                    }
                    Way::Side(number) => {
                        let side = work.exits.sides()[number];
                        let (edge, near) = work.border.locate(edge, &side.near);
                        self.side_exit(edge, side.edge, &near)
                    }
                };
                work.keep_exit(&Some(exit));
                if !flat && enters_beside([self.of, self.into], edge, triangle) {
                    self.cross_beside(edge, ends, triangle, first, work);
                }
            }
        }
    }

    /// Finds the nearest side of a face that an edge crosses, where the edge enters beside the way out: its exits by an end and over the
    /// other sides lead along the body.
    fn cross_beside(&self, edge: u32, ends: [&Point; 2], triangle: u32, first: usize, work: &mut EdgeChunk) {
        let reach = greatest_depth(self.of);
        work.exits.visit(self.into.surface, triangle, ends, |_| reach);
        let sides = work.exits.sides().iter().filter(|side| side.outer && side.distance <= reach);
        let crossed = sides.filter_map(|side| Some((side, self.pair(edge, side.edge, &side.near)?)));
        let nearest =
            crossed.reduce(|best, other| if other.0.distance < best.0.distance { other } else { best });
        let Some((side, found)) = nearest else { return };
        let (bodies, outward) = ([self.of, self.into], Vector::from(found.contact.direction));
        let mut exits = CornerExit::new(&mut work.part_memory);
        if exits.leaves_over(bodies, [edge, side.edge], &outward, side.distance) {
            add_new(&mut work.found, first, Found { kind: Kind::Beside, ..found });
        }
    }

    /// Returns the contact of two crossing edges: the closest points are interior to both, and each edge is a local
    /// support feature of its body along the common perpendicular.
    fn pair(&self, edge: u32, other: u32, near: &SegmentOnSurface) -> Option<Found> {
        let [_, weight, _] = near.on_surface.weights;
        let between = near.part == SegmentFeature::Interior && weight > 0.0 && weight < 1.0;
        let direction = self.perpendicular(edge, other, near).filter(|_| between)?;
        let (own, into) = (self.of.surface, self.into.surface);
        let supported = supports(into, other, &direction, self.into.is_solid())
            && supports(own, edge, &-direction, self.of.is_solid());
        let kind = Kind::Pair { edges: [edge, other], at: [near.t, weight] };
        supported.then(|| Found { contact: self.side_contact(edge, other, near, direction), kind })
    }

    /// Returns the unit direction that moves the edge over the other: along the line between their closest points or,
    /// if these coincide, out of the other body. `None` for collinear edges.
    pub(super) fn perpendicular(&self, edge: u32, other: u32, near: &SegmentOnSurface) -> Option<Vector> {
        let [along, across] =
            [self.of.surface.edge_ends(edge), self.into.surface.edge_ends(other)].map(|[p, q]| q - p);
        let (between, _) = separation::between(&near.on_segment, &near.on_surface.point);
        let cross = along.cross(&across);
        let square = cross.norm_squared();
        if square <= WELL_CROSSED * along.norm_squared() * across.norm_squared() {
            return between;
        }
        let cross = cross / square.sqrt();
        let outward = between.unwrap_or_else(|| self.into.surface.outward(SurfaceFeature::Edge(other)));
        Some(if outward.dot(&cross) < 0.0 { -cross } else { cross })
    }

    fn side_contact(&self, edge: u32, other: u32, near: &SegmentOnSurface, direction: Vector) -> Contact {
        let distance = (near.on_segment - near.on_surface.point).norm();
        self.edge_contact(edge, other, near, direction, distance)
    }

    /// Returns the contact of two edges, of which the other's body is left by `distance` along `outward`: negative for an edge beside it.
    pub(super) fn edge_contact(
        &self,
        edge: u32,
        other: u32,
        near: &SegmentOnSurface,
        outward: Vector,
        distance: f64,
    ) -> Contact {
        let a = self.edge_feature(edge, near.t, &near.on_segment, &outward);
        let b = self.other_feature(&near.on_surface, &outward);
        let id = self.id(IdPart::Edge(edge), IdPart::Edge(other));
        Contact::exact(a, b, outward, self.rims() + distance, id)
    }

    fn side_exit(&self, edge: u32, other: u32, near: &SegmentOnSurface) -> Contact {
        let outward = || self.into.surface.outward(SurfaceFeature::Edge(other));
        let (direction, _) = separation::between(&near.on_segment, &near.on_surface.point);
        let direction = direction.or_else(|| self.perpendicular(edge, other, near));
        self.side_contact(edge, other, near, direction.unwrap_or_else(outward))
    }

    /// Returns the contact of an edge that exits a face by one of its ends.
    fn end_exit(&self, vertex: u32, position: &Point, triangle: u32, place: &SurfaceNearest) -> Contact {
        let (direction, distance) = way_out(self.into.surface, position, place);
        let a = self.vertex_feature(vertex, position, &direction);
        let b = self.other_feature(place, &direction);
        let id = self.id(IdPart::Vertex(vertex), IdPart::Triangle(triangle));
        Contact::exact(a, b, direction, self.rims() + distance, id)
    }

    /// Finds the deepest points of the parts of an edge inside a solid, each only if it is deeper than the edge's
    /// ends in the same part, which are given by `ends_inside`, and than the edge's crossings there, from index `first` on of
    /// what has been found.
    fn inside(
        &self,
        edge: u32,
        ends: [&Point; 2],
        ends_inside: [Option<VertexDepth>; 2],
        first: usize,
        work: &mut EdgeChunk,
    ) -> Flags {
        let mut flags = Flags::empty();
        work.breaks.clear();
        let end_break =
            |end: usize| Break { t: end as f64, near: ends_inside[end].map(|depth| depth.triangle) };
        let met = work.met.iter().map(|&(triangle, t)| Break { t, near: Some(triangle) });
        work.breaks.extend([end_break(0), end_break(1)].into_iter().chain(met));
        work.breaks.sort_unstable_by(|p, q| p.t.total_cmp(&q.t));
        let mut index = 1;
        for number in 0_u32.. {
            let Some(range) = self.next_part(ends, &work.breaks, &mut index) else { break };
            let known_inside = self.into.volume.is_some();
            let (part, near) = (range.map(|end| end.t), range.map(|end| end.near));
            let depth_of = |end: usize| ends_inside[end].filter(|_| part[end] == end as f64);
            let at_an_end = [0, 1].map(|end| depth_of(end).map_or(0.0, |end| end.depth));
            let at_an_end = at_an_end[0].max(at_an_end[1]);
            let length = (ends[1] - ends[0]).norm();
            let least = at_an_end + DEEPER * (length + at_an_end);
            let crossed = work.found[first..].iter().filter(|found| found.kind.crosses_within(edge, part));
            let least = crossed.map(|found| found.contact.depth - self.rims()).fold(least, f64::max);
            let deepest = work.search.within(self.into.surface, ends, part, (near, least), known_inside);
            let Some(deepest) = deepest else { continue };
            let depth = -deepest.signed.distance;
            let slack = DEEPER * (length + depth);
            let between = deepest.t > part[0] && deepest.t < part[1];
            if !between || depth <= at_an_end + slack {
                continue;
            }
            flags.set(Flags::ITERATION_LIMIT, flags.contains(Flags::ITERATION_LIMIT) || !deepest.converged);
            let (outward, distance) = way_out(self.into.surface, &deepest.point, &deepest.nearest);
            let cell = self.into.volume.and_then(|mesh| mesh.holding_cell(&deepest.point));
            let skin = deepest.nearest.point + outward * self.into.surface.radius();
            let a = self.edge_feature(edge, deepest.t, &deepest.point, &outward);
            let b = self.into.feature(&deepest.nearest, cell, &deepest.point, skin);
            let depth = self.rims() + distance;
            let id = self.id(IdPart::Edge(edge), IdPart::Inside(number));
            let contact = Contact::exact(a, b, outward, depth, id);
            let contact = Contact { depth_upper: depth.max(self.rims() + deepest.upper), ..contact };
            work.found.push(Found { contact, kind: Kind::Inside { edge, part, slack } });
        }
        flags
    }

    /// Whether an edge may be inside, and deeper between its ends than at either, which are given if they are inside or on
    /// the surface. The distance to a triangle is convex along the edge, so the depth is below its chord for the triangles
    /// nearest to the ends.
    fn may_be_deeper(
        &self,
        [start, end]: [&Point; 2],
        inside: [Option<VertexDepth>; 2],
        met: &[(u32, f64)],
    ) -> bool {
        let distance = |triangle: u32, point: &Point| {
            squared_distance_to(self.into.surface, Some(triangle), point).sqrt()
        };
        match (inside, met) {
            ([Some(first), Some(last)], []) => {
                first.triangle != last.triangle
                    && distance(first.triangle, end) > first.depth
                    && distance(last.triangle, start) > last.depth
            }
            (_, []) => false,
            // Inside from one end to where it crosses the surface.
            ([Some(depth), None] | [None, Some(depth)], &[(_, t)]) => {
                distance(depth.triangle, &(start + (end - start) * t)) > depth.depth
            }
            _ => true,
        }
    }

    /// Returns the next part of the edge that is inside, starting at break `index`, and advances `index` past it. A
    /// part shorter than rounding error is merged into the previous one.
    fn next_part(
        &self,
        [start, end]: [&Point; 2],
        breaks: &[Break],
        index: &mut usize,
    ) -> Option<[Break; 2]> {
        let mut part: Option<[Break; 2]> = None;
        while *index < breaks.len() {
            let (from, to) = (breaks[*index - 1], breaks[*index]);
            let held = if to.t - from.t <= DEEPER {
                part.is_some()
            } else {
                let middle = from.t + (to.t - from.t) * 0.5;
                self.into.holds(&(start + (end - start) * middle), [from.near, to.near])
            };
            *index += 1;
            match (&mut part, held) {
                (Some(part), true) => part[1] = to,
                (None, true) => part = Some([from, to]),
                (Some(_), false) => break,
                (None, false) => {}
            }
        }
        part
    }

    /// Returns the contact of an edge through a sheet's triangle: the shortest exit of its ends through the sheet, and of
    /// the edge over a border or a fold. None for a degenerate triangle, which has no sides.
    fn left_by(&self, edge: u32, ends: [&Point; 2], triangle: u32, exits: &mut SheetExits) -> Option<Found> {
        let sheet = self.into.surface;
        if sheet.normals()?.face(triangle).amax() == 0.0 {
            return None;
        }
        let corners = sheet.corners(triangle);
        let normal = sheet.outward(SurfaceFeature::Face(triangle));
        let heights = ends.map(|end| (end - corners[0]).dot(&normal));
        let (up, down) = (-heights[0].min(heights[1]), heights[0].max(heights[1]));
        let undecided = rounding::length(rounding::largest_coordinate(ends.into_iter().chain(&corners)));
        let exit = exits.least(sheet, ends, triangle, [true; 2]);
        match exit.filter(|exit| (exit.distance() - up.min(down)).abs() > undecided) {
            Some(exit @ SheetExit::Over { edge: other, near, .. }) => {
                let (_, _, direction) = exit.way(sheet, ends);
                let [_, weight, _] = near.on_surface.weights;
                let kind = Kind::Pair { edges: [edge, other], at: [near.t, weight] };
                Some(Found { contact: self.side_contact(edge, other, &near, direction), kind })
            }
            Some(exit @ SheetExit::End { end, place, distance }) => Some(match place.feature {
                SurfaceFeature::Face(triangle) => self.through_plane(edge, ends, end, triangle),
                _ => {
                    let vertex = self.of.surface.adjacency().edges[edge as usize][end];
                    let (_, _, outward) = exit.way(sheet, ends);
                    let contact = self.through_sheet(vertex, ends[end], &place, &outward, distance);
                    Found { contact, kind: Kind::ThroughSheet }
                }
            }),
            _ => {
                let end =
                    usize::from(if down < up { heights[1] > heights[0] } else { heights[1] < heights[0] });
                Some(self.through_plane(edge, ends, end, triangle))
            }
        }
    }

    /// Returns the contact of an edge whose end exits through the plane of a sheet's triangle, to the other end's side.
    fn through_plane(&self, edge: u32, ends: [&Point; 2], end: usize, triangle: u32) -> Found {
        let sheet = self.into.surface;
        let corners = sheet.corners(triangle);
        let feature = SurfaceFeature::Face(triangle);
        let normal = sheet.outward(feature);
        let heights = ends.map(|end| (end - corners[0]).dot(&normal));
        let outward = if heights[end] > heights[1 - end] { -normal } else { normal };
        let way = heights[end].abs();
        let nearest = point_triangle(&(ends[end] + outward * way), &corners[0], &corners[1], &corners[2]);
        let place = SurfaceNearest { feature, weights: nearest.weights, point: nearest.point };
        let vertex = self.of.surface.adjacency().edges[edge as usize][end];
        let contact = self.through_sheet(vertex, ends[end], &place, &outward, way);
        Found { contact, kind: Kind::ThroughSheet }
    }

    /// Returns the contact of a vertex that exits through a place on a sheet, by `way` along `outward`.
    pub(crate) fn through_sheet(
        &self,
        vertex: u32,
        position: &Point,
        place: &SurfaceNearest,
        outward: &Vector,
        way: f64,
    ) -> Contact {
        let sheet = self.into.surface;
        let depth = self.rims() + way;
        let a = self.vertex_feature(vertex, position, outward);
        let skin = Point::from(a.point) + outward * depth;
        let b = self.into.named(sheet.contact_feature(place, skin));
        let id = self.id(IdPart::Vertex(vertex), IdPart::Triangle(sheet.owner(place.feature)));
        Contact::exact(a, b, *outward, depth, id)
    }
}

/// Adds a contact, unless one with its id is there from index `first` on; one of edges that enter beside the way out gives way.
pub(super) fn add_new(all: &mut Vec<Found>, first: usize, found: Found) {
    match all[first..].iter_mut().find(|other| other.contact.id == found.contact.id) {
        Some(known) if matches!(known.kind, Kind::Beside) => *known = found,
        Some(_) => {}
        None => all.push(found),
    }
}

/// Whether a vertex belongs to no triangle and therefore not to the surface.
pub(crate) fn is_loose(skin: Skin<'_>, vertex: u32) -> bool {
    skin.surface.points().owner(vertex) == NONE
}
