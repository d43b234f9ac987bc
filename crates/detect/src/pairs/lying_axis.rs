//! An axis that lies along a surface, exactly or nearly: the places that stand for the stretch.
//!
//! As over a plane, each end of the axis above a face has a contact of its own with it, along the face's normal. Where the
//! axis nearly lies along a patch of coplanar triangles, the edges and vertices that it crosses within the patch say
//! nothing more, however the patch is cut into triangles; where it leaves the patch over an edge beyond which the surface
//! falls away or stops, the stretch ends there. The parts of the axis above the single triangles are joined along the axis
//! to the stretches over whole patches. (Clipping of the incident edge against the reference face, as for box manifolds:
//! E. Catto 2015, "Contact manifolds", in one dimension.)

use crate::pairs::axis_surface::{Axis, Met};
use crate::pairs::segment_surface::{SegmentOnSurface, part_at, segment_on_edge, segment_on_vertex};
use palpate_geometry::{SurfaceFeature, SurfaceNearest};
use palpate_math::closest::{
    AboveEnd, AboveTriangle, SegmentTriangle, TriangleFeature, parallel_overlap, point_segment,
    point_triangle, segment_above_triangle,
};
use palpate_math::triangle::longest_edge_squared;
use palpate_math::{Point, Vector, rounding};

/// The sine of the steepest tilt of an axis that nearly lies along a face or an edge: about one degree.
const NEARLY: f64 = 1.0 / 64.0;

/// A foot that is no farther beside a triangle than this, relative to the triangle and the coordinates, counts as in it: so
/// that the contact of a resting body keeps its triangle.
const ASIDE: f64 = 1.0 / (1_u64 << 26) as f64;

/// Triangles whose planes differ by no more than this where they meet, relative likewise, are coplanar.
const FLAT: f64 = 1.0 / (1_u64 << 31) as f64;

/// The least cosine between the normals of coplanar triangles: rounding tilts narrow ones.
const SAME_NORMAL: f64 = 1.0 - 1.0 / (1_u64 << 21) as f64;

/// The least cosine between a direction and the normal of the face that it is the same as.
const SAME_DIRECTION: f64 = 1.0 - 1.0 / (1_u64 << 41) as f64;

/// An end of the axis above a face.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndOver {
    pub(crate) end: usize,
    pub(crate) triangle: u32,
    /// The place of the triangle nearest to the foot.
    place: SurfaceNearest,
    /// The foot of the end in the plane of the triangle.
    pub(crate) foot: Point,
    /// Unit, to the axis' side.
    pub(crate) normal: Vector,
    height: f64,
    /// Whether the foot is in the triangle as far as rounding can tell.
    exact: bool,
    /// How far apart two places may be that count as one.
    pub(crate) slack: f64,
    /// Whether the other end of the axis is on the other side of the plane.
    is_crossed: bool,
    /// Whether it is the lowest of those that stand for the same foot.
    kept: bool,
}

/// The part of the axis above a triangle along which it nearly lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) triangle: u32,
    pub(crate) above: AboveTriangle,
    /// Unit, to the axis' side.
    normal: Vector,
    /// A corner of the triangle.
    origin: Point,
    /// The size of the triangle and the coordinates.
    scale: f64,
}

/// A stretch of the axis over a patch of coplanar triangles, by the parts with which it begins and ends.
#[derive(Clone, Copy, Debug)]
struct Chain {
    first: usize,
    last: usize,
}

/// A place that stands for a stretch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StretchPlace {
    /// The triangle that it is listed with.
    pub(crate) triangle: u32,
    pub(crate) met: Met,
    /// The end of the axis, where the stretch goes so far.
    pub(crate) end: Option<usize>,
}

/// What ends a stretch along an edge of the surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeEnd {
    /// The axis' start (0) or end (1).
    OfAxis(usize),
    /// The vertex at which the edge ends.
    Vertex(u32),
}

/// Where the axis lies along the faces of a surface.
#[derive(Debug, Default)]
pub(crate) struct Lying {
    overs: Vec<EndOver>,
    parts: Vec<Part>,
    /// The parts by triangle.
    by_triangle: Vec<(u32, usize)>,
    chains: Vec<Chain>,
}

impl Lying {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.overs.clear();
        self.parts.clear();
        self.by_triangle.clear();
        self.chains.clear();
    }

    /// Finds the faces in reach below the axis and its ends; with `joined`, patches of coplanar triangles count as one face.
    pub(crate) fn find<'a>(
        &mut self,
        axis: &Axis<'_>,
        triangles: impl Iterator<Item = (u32, &'a SegmentTriangle)>,
        joined: bool,
    ) {
        let ends = if axis.ends[0] == axis.ends[1] { 1 } else { 2 };
        for (triangle, local) in triangles {
            for end in 0..ends {
                let over = axis.end_over(triangle, end, joined);
                let is_nearest = local.t == end as f64 && local.feature == TriangleFeature::Face;
                self.overs.extend(over.filter(|over| is_nearest || !over.is_crossed));
            }
            self.parts.extend(axis.part_over(triangle, joined));
        }
        self.keep_lowest(joined);
        let enter = |part: &Part| part.above.enter;
        self.parts.sort_unstable_by(|x, y| enter(x).total_cmp(&enter(y)).then(x.triangle.cmp(&y.triangle)));
        self.by_triangle.extend(self.parts.iter().enumerate().map(|(index, part)| (part.triangle, index)));
        self.by_triangle.sort_unstable();
        for index in 0..self.parts.len() {
            self.chain(axis, index, joined);
        }
    }

    /// Of the triangles that have one foot, the lowest stands for it, if rounding lets one of them have it.
    fn keep_lowest(&mut self, joined: bool) {
        for index in 0..self.overs.len() {
            let over = self.overs[index];
            let same = |other: &EndOver| {
                let slack = 2.0 * over.slack.max(other.slack);
                let near = (over.foot - other.foot).norm() <= slack;
                joined
                    && other.kept
                    && other.end == over.end
                    && near
                    && same_normal(&over.normal, &other.normal)
            };
            let lowest = self.overs[..index].iter().position(same);
            self.overs[index].kept = lowest.is_none();
            if let Some(lowest) = lowest {
                self.overs[lowest].exact |= over.exact;
            }
        }
        self.overs.retain(|over| over.kept && over.exact);
    }

    /// Joins a part to the chain that it goes on with, or begins one.
    fn chain(&mut self, axis: &Axis<'_>, index: usize, joined: bool) {
        let part = &self.parts[index];
        let goes_on = |chain: &&mut Chain| joined && self.parts[chain.last].goes_on(part, axis);
        match self.chains.iter_mut().rev().find(goes_on) {
            Some(chain) if part.above.leave > self.parts[chain.last].above.leave => chain.last = index,
            Some(_) => {}
            None => self.chains.push(Chain { first: index, last: index }),
        }
    }

    /// The ends of the axis above faces, in the order of the triangles.
    pub(crate) fn overs(&self) -> &[EndOver] {
        &self.overs
    }

    /// The part of the axis above a triangle.
    pub(crate) fn part_of(&self, triangle: u32) -> Option<&Part> {
        let index = self.by_triangle.binary_search_by_key(&triangle, |&(triangle, _)| triangle).ok()?;
        Some(&self.parts[self.by_triangle[index].1])
    }

    /// Whether the contact with an edge or a vertex is one with a face along which the axis lies, or above which it ends.
    pub(crate) fn is_on_a_face(&self, axis: &Axis<'_>, nearest: &SegmentOnSurface, met: &Met) -> bool {
        let place = &nearest.on_surface.point;
        let under_an_end = |over: &EndOver| (over.foot - place).norm() <= 4.0 * over.slack;
        self.overs.iter().any(under_an_end) || self.parts.iter().any(|part| part.has(axis, nearest, met))
    }

    /// The places at which the stretches end that are not above a face: on borders. `rises` tells whether the surface goes
    /// on above a plane from an element.
    pub(crate) fn borders(
        &self,
        axis: &Axis<'_>,
        rises: impl Fn(SurfaceFeature, &Part) -> bool,
        mut found: impl FnMut(StretchPlace),
    ) {
        for chain in &self.chains {
            for (side, index) in [chain.first, chain.last].into_iter().enumerate() {
                let part = &self.parts[index];
                if !self.is_above_a_face(axis, part, side)
                    && let Some(place) = part.border(axis, side)
                    && !rises(place.met.place.feature, part)
                {
                    found(place);
                }
            }
        }
    }

    /// Whether a stretch goes on to the end of the axis, which is above a face of its patch.
    fn is_above_a_face(&self, axis: &Axis<'_>, part: &Part, side: usize) -> bool {
        let foot = part.foot(axis, side as f64);
        let near = |over: &&EndOver| (over.foot - foot).norm() <= 4.0 * over.slack;
        part.above.ends[side] == AboveEnd::Segment(side)
            && self.overs.iter().filter(|over| over.end == side).any(|over| near(&over))
    }
}

fn same_normal(first: &Vector, second: &Vector) -> bool {
    first.dot(second) >= SAME_NORMAL
}

impl EndOver {
    /// The contact there.
    pub(crate) fn met(&self, axis: &Axis<'_>) -> Met {
        let rim = axis.surface.radius();
        Met {
            place: self.place,
            on_surface: self.foot + self.normal * rim,
            t: self.end as f64,
            part: part_at(self.end as f64),
            on_body: axis.ends[self.end] - self.normal * axis.radius,
            outward: self.normal,
            depth: axis.radius + rim - self.height,
        }
    }
}

impl Part {
    fn height(&self, axis: &Axis<'_>, t: f64) -> f64 {
        (axis.at(t) - self.origin).dot(&self.normal)
    }

    fn foot(&self, axis: &Axis<'_>, t: f64) -> Point {
        axis.at(t) - self.normal * self.height(axis, t)
    }

    /// The edges over which the axis leaves the triangle.
    pub(crate) fn crossed(&self, axis: &Axis<'_>) -> [Option<u32>; 2] {
        let edges = axis.surface.adjacency().triangle_edges[self.triangle as usize];
        self.above.ends.map(|end| if let AboveEnd::Side(side) = end { Some(edges[side]) } else { None })
    }

    /// Whether a point is above the plane, to the axis' side.
    pub(crate) fn rises(&self, point: &Point) -> bool {
        (point - self.origin).dot(&self.normal) > FLAT * self.scale
    }

    /// Whether the axis goes on from here to lie along another part in the same plane. Of a narrow triangle the plane is
    /// not well known: that of either of the two may hold the other.
    fn goes_on(&self, next: &Part, axis: &Axis<'_>) -> bool {
        let slack = FLAT * self.scale.max(next.scale);
        let apart = |t: f64| (self.height(axis, t) - next.height(axis, t)).abs();
        let gap = (next.above.enter - self.above.leave) * axis.length();
        gap <= 2.0 * slack
            && same_normal(&self.normal, &next.normal)
            && apart(next.above.enter) <= slack
            && apart(next.above.leave).min(apart(self.above.enter)) <= slack
    }

    /// Whether a contact with an edge or a vertex is where the axis lies along the face, and along its normal.
    fn has(&self, axis: &Axis<'_>, nearest: &SegmentOnSurface, met: &Met) -> bool {
        let slack = 4.0 * ASIDE * self.scale;
        let (before, after) = (self.above.enter - nearest.t, nearest.t - self.above.leave);
        let within = before.max(after) * axis.length() <= slack;
        let distance = (nearest.on_segment - nearest.on_surface.point).norm();
        within
            && (distance - self.height(axis, nearest.t)).abs() <= slack
            && met.outward.dot(&self.normal) >= SAME_DIRECTION
    }

    /// The contact at an end of the part that is not above a face: at the edge over which the axis leaves it, or the vertex.
    fn border(&self, axis: &Axis<'_>, side: usize) -> Option<StretchPlace> {
        let triangle = self.triangle;
        let edges = axis.surface.adjacency().triangle_edges[triangle as usize];
        let (feature, t) = match self.above.ends[side] {
            AboveEnd::Side(over) => {
                (SurfaceFeature::Edge(edges[over]), self.crossing(axis, edges[over], side))
            }
            AboveEnd::Segment(end) => {
                let [a, b, c] = axis.surface.corners(triangle);
                let near = point_triangle(&axis.ends[end], &a, &b, &c);
                (axis.surface.feature_of(triangle, near.feature), end as f64)
            }
        };
        let feature = self.vertex_at(axis, feature, &self.foot(axis, t));
        let ends = axis.ends.each_ref();
        let nearest = match feature {
            SurfaceFeature::Edge(edge) => segment_on_edge(axis.surface, edge, ends),
            SurfaceFeature::Vertex(vertex) => segment_on_vertex(axis.surface, vertex, ends),
            SurfaceFeature::Face(_) => return None,
        };
        // Where the axis comes down to the border, that is what is nearest to it; where it rises, it is as over a plane.
        let other = [self.above.leave, self.above.enter][side];
        let comes_down = self.height(axis, t) <= self.height(axis, other);
        let met = if comes_down { axis.beside(&nearest) } else { self.above_border(axis, feature, t) };
        let end = [0.0, 1.0].iter().position(|&end| end == met.t);
        let end = end.filter(|_| self.above.ends[side] == AboveEnd::Segment(side));
        Some(StretchPlace { triangle, met, end })
    }

    /// Where the axis crosses the plane that stands on an edge over which it leaves the part.
    fn crossing(&self, axis: &Axis<'_>, edge: u32, side: usize) -> f64 {
        let [from, to] = axis.surface.edge_ends(edge);
        let across = self.normal.cross(&(to - from));
        let [start, end] = axis.ends.map(|end| (end - from).dot(&across));
        let crossing = start / (start - end);
        if (0.0..=1.0).contains(&crossing) { crossing } else { [self.above.enter, self.above.leave][side] }
    }

    /// The vertex of an edge that a foot on it is at, as far as that matters; or else the edge.
    fn vertex_at(&self, axis: &Axis<'_>, feature: SurfaceFeature, foot: &Point) -> SurfaceFeature {
        let SurfaceFeature::Edge(edge) = feature else { return feature };
        let positions = axis.surface.points().positions();
        let at = |vertex: &u32| (positions[*vertex as usize] - foot).norm() <= 4.0 * ASIDE * self.scale;
        let vertices = axis.surface.adjacency().edges[edge as usize];
        vertices.into_iter().find(at).map_or(feature, SurfaceFeature::Vertex)
    }

    /// The contact of the axis above a border, along the normal of the face.
    fn above_border(&self, axis: &Axis<'_>, feature: SurfaceFeature, t: f64) -> Met {
        let (rim, point) = (axis.surface.radius(), axis.at(t));
        let (weights, on_border) = match feature {
            SurfaceFeature::Edge(edge) => {
                let [from, to] = axis.surface.edge_ends(edge);
                let near = point_segment(&self.foot(axis, t), &from, &to);
                ([1.0 - near.t, near.t, 0.0], near.point)
            }
            SurfaceFeature::Vertex(vertex) => {
                ([1.0, 0.0, 0.0], axis.surface.points().positions()[vertex as usize])
            }
            SurfaceFeature::Face(_) => ([1.0, 0.0, 0.0], self.origin),
        };
        let height = (point - on_border).dot(&self.normal);
        let on_body = point - self.normal * axis.radius;
        Met {
            place: SurfaceNearest { feature, weights, point: on_border },
            on_surface: point - self.normal * (height - rim),
            t,
            part: part_at(t),
            on_body,
            outward: self.normal,
            depth: axis.radius + rim - height,
        }
    }
}

impl Axis<'_> {
    pub(crate) fn at(&self, t: f64) -> Point {
        if t == 1.0 { self.ends[1] } else { self.ends[0] + (self.ends[1] - self.ends[0]) * t }
    }

    fn length(&self) -> f64 {
        (self.ends[1] - self.ends[0]).norm()
    }

    /// The outward unit normal of a triangle; none of a flat one.
    fn normal(&self, triangle: u32) -> Option<Vector> {
        let faces = &self.surface.normals()?.faces;
        (faces[triangle as usize].amax() > 0.0).then(|| self.surface.outward(SurfaceFeature::Face(triangle)))
    }

    /// The size of a triangle and of the coordinates, and what rounding leaves of it.
    fn scales(&self, [a, b, c]: &[Point; 3]) -> [f64; 2] {
        let largest = rounding::largest_coordinate(self.ends.iter().chain([a, b, c]));
        [largest.max(longest_edge_squared(a, b, c).sqrt()), rounding::length(largest)]
    }

    /// The end of the axis above the face of a triangle, or beside it by so little that it counts as above it; without
    /// `joined` strictly above it.
    fn end_over(&self, triangle: u32, end: usize, joined: bool) -> Option<EndOver> {
        let normal = self.normal(triangle)?;
        let corners = self.surface.corners(triangle);
        let [a, b, c] = &corners;
        let [scale, undecided] = self.scales(&corners);
        let point = self.ends[end];
        let near = point_triangle(&point, a, b, c);
        let offset = point - near.point;
        let signed = offset.dot(&normal);
        let within = near.feature == TriangleFeature::Face
            && (joined || self.is_clear_of_sides(&near.point, &normal, &corners, 4.0 * undecided));
        let beside = (offset - normal * signed).norm();
        let slack = ASIDE * scale;
        if self.facing && signed < -undecided || !within && (!joined || beside > slack) {
            return None;
        }
        let (normal, height) =
            if signed < 0.0 && !self.facing { (-normal, -signed) } else { (normal, signed) };
        let place = SurfaceNearest {
            feature: SurfaceFeature::Face(triangle),
            weights: near.weights,
            point: near.point,
        };
        let exact = within || beside <= undecided;
        let foot = point - normal * height;
        let is_crossed = (self.ends[1 - end] - foot).dot(&normal) < -undecided;
        Some(EndOver { end, triangle, place, foot, normal, height, exact, slack, is_crossed, kept: true })
    }

    /// Whether a point of a triangle is farther than `distance` from its sides.
    fn is_clear_of_sides(&self, point: &Point, normal: &Vector, corners: &[Point; 3], distance: f64) -> bool {
        (0..3).all(|side| {
            let (from, run) = (corners[side], corners[(side + 1) % 3] - corners[side]);
            normal.cross(&run).dot(&(point - from)).abs() > distance * run.norm()
        })
    }

    /// The part of the axis above a triangle along which it nearly lies.
    fn part_over(&self, triangle: u32, joined: bool) -> Option<Part> {
        let normal = self.normal(triangle)?;
        let (along, length) = (self.ends[1] - self.ends[0], self.length());
        if along.dot(&normal).abs() > NEARLY * length {
            return None;
        }
        let corners = self.surface.corners(triangle);
        let [scale, undecided] = self.scales(&corners);
        let slack = if joined { ASIDE * scale } else { 0.0 };
        let above = segment_above_triangle(&normal, self.ends.each_ref(), corners.each_ref(), slack)?;
        let shortest = if joined { 0.0 } else { undecided };
        if length <= undecided || (above.leave - above.enter) * length <= shortest {
            return None;
        }
        let part = Part { triangle, above, normal, origin: corners[0], scale };
        let height = part.height(self, 0.5 * (above.enter + above.leave));
        match (height < 0.0, self.facing) {
            (true, true) if height < -undecided => None,
            (true, false) => Some(Part { normal: -normal, ..part }),
            _ => Some(part),
        }
    }

    /// The edge of a triangle along which the axis nearly lies, and what ends the stretch there; `local` are the nearest
    /// places of the triangle and the axis. Not `joined`, an edge counts also where the axis is straight above it.
    pub(crate) fn along_edge(
        &self,
        triangle: u32,
        local: &SegmentTriangle,
        joined: bool,
    ) -> Option<(u32, [EdgeEnd; 2])> {
        let edges = self.surface.adjacency().triangle_edges[triangle as usize];
        let on_edge = (0..3).find(|&side| match local.feature {
            TriangleFeature::Edge(edge) => side == edge,
            TriangleFeature::Vertex(corner) => {
                (side == corner || (side + 1) % 3 == corner)
                    && self.stretch_along(edges[side], joined).is_some()
            }
            TriangleFeature::Face => !joined && self.is_straight_above(triangle, edges[side]),
        });
        let edge = edges[on_edge?];
        self.stretch_along(edge, joined).map(|ends| (edge, ends))
    }

    /// The edge of a triangle to which the axis is parallel, as far as rounding can tell, and beside which it is nearest.
    pub(crate) fn parallel_edge(&self, triangle: u32, local: &SegmentTriangle) -> Option<u32> {
        let edges = self.surface.adjacency().triangle_edges[triangle as usize];
        let corners = self.surface.corners(triangle);
        let undecided = rounding::length(rounding::largest_coordinate(self.ends.iter().chain(&corners)));
        let nearest = local.distance_squared.sqrt() + undecided;
        edges.into_iter().filter(|_| !local.pierced && local.feature != TriangleFeature::Face).find(|&edge| {
            let [from, to] = self.surface.edge_ends(edge);
            let overlap = parallel_overlap(&from, &to, &self.ends[0], &self.ends[1]);
            overlap.is_some_and(|ends| (ends[0].point_a - ends[0].point_b).norm() <= nearest)
        })
    }

    /// Whether both ends are straight above the line of an edge, as far as rounding can tell.
    fn is_straight_above(&self, triangle: u32, edge: u32) -> bool {
        let Some(normal) = self.normal(triangle) else { return false };
        let [from, to] = self.surface.edge_ends(edge);
        let across = normal.cross(&(to - from));
        let undecided =
            4.0 * rounding::length(rounding::largest_coordinate(self.ends.iter().chain([&from, &to])));
        self.ends.iter().all(|end| (end - from).dot(&across).abs() <= undecided * across.norm())
    }

    /// The ends of the stretch of the axis beside an edge to which it is nearly parallel; not `joined`, parallel.
    fn stretch_along(&self, edge: u32, joined: bool) -> Option<[EdgeEnd; 2]> {
        let [from, to] = self.surface.edge_ends(edge);
        let (run, along) = (to - from, self.ends[1] - self.ends[0]);
        let (length, axis_length) = (run.norm(), along.norm());
        let undecided = rounding::length(rounding::largest_coordinate(self.ends.iter().chain([&from, &to])));
        let slant = if joined { NEARLY * length * axis_length } else { undecided * (length + axis_length) };
        if run.cross(&along).norm() > slant || axis_length <= undecided {
            return None;
        }
        let places = self.ends.map(|end| (end - from).dot(&run) / length);
        let (low, high) = (places[0].min(places[1]).max(0.0), places[0].max(places[1]).min(length));
        if high - low <= undecided {
            return None;
        }
        let vertices = self.surface.adjacency().edges[edge as usize];
        Some([0, 1].map(|end| match places[end] {
            place if place < 0.0 => EdgeEnd::Vertex(vertices[0]),
            place if place > length => EdgeEnd::Vertex(vertices[1]),
            _ => EdgeEnd::OfAxis(end),
        }))
    }

    /// The nearest places at an end of a stretch along an edge.
    pub(crate) fn at_edge_end(&self, edge: u32, end: EdgeEnd) -> SegmentOnSurface {
        match end {
            EdgeEnd::Vertex(vertex) => segment_on_vertex(self.surface, vertex, self.ends.each_ref()),
            EdgeEnd::OfAxis(end) => {
                let on_segment = self.ends[end];
                let [from, to] = self.surface.edge_ends(edge);
                let near = point_segment(&on_segment, &from, &to);
                let feature = SurfaceFeature::Edge(edge);
                let weights = [1.0 - near.t, near.t, 0.0];
                let on_surface = SurfaceNearest { feature, weights, point: near.point };
                SegmentOnSurface { on_surface, on_segment, t: end as f64, part: part_at(end as f64) }
            }
        }
    }
}
