//! The minimum translation that takes a segment out of a sheet that it pierces.
//!
//! A segment e moved by less than d stays within the distance d of where it was, and so does the point where it pierces
//! the sheet S. While e moves, that point moves along S until e leaves S there: by one of its ends, over the border, or
//! over a fold, where the point meets another one in which e pierces S the other way. So the least exit is the least d
//! at which the part of S within d of e that is connected with the piercing point contains
//!
//! - a point as near as d to an end of e, or
//! - a point of the border, or
//! - as many points where e pierces S one way as the other.
//!
//! Triangles are visited across their sides, the nearest to e first (Prim's algorithm for the path whose farthest side is
//! nearest). The exit never exceeds the translation that separates any body with this segment from the sheet. It changes
//! by no more than either is moved, and does not depend on how the sheet is triangulated.

use crate::mesh::segment_surface::{SegmentOnSurface, segment_on_edge};
use crate::mesh::{MarkSet, across};
use palpate_contact::NONE;
use palpate_geometry::{SurfaceFeature, SurfaceMesh, SurfaceNearest};
use palpate_math::orient::{orient3d, orient3d_error};
use palpate_math::{Aabb, Point, Vector, intersect, rounding, separation};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Piercing points closer together than this, as a parameter of the segment, are one: the segment passes through an edge
/// or a vertex.
const SAME_PLACE: f64 = 1e-11;

/// The squared sine of the angle between a segment and an edge above which their cross product gives the direction.
const WELL_CROSSED: f64 = 1e-8;

/// The first room for piercing points, and for sides.
const PIERCINGS: usize = 16;
const SIDES: usize = 128;

/// The exit of a segment from a sheet.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SheetExit {
    /// An end of the segment exits through the closest point of the sheet.
    End { end: usize, place: SurfaceNearest, distance: f64 },
    /// The segment exits over an edge: of the border, or of a fold.
    Over { edge: u32, near: SegmentOnSurface, distance: f64 },
    /// The segment is pulled out along itself where it pierces a triangle, from its end.
    Along { end: usize, triangle: u32, t: f64, distance: f64 },
}

impl SheetExit {
    /// Returns the length of the translation.
    pub(crate) fn distance(&self) -> f64 {
        match self {
            Self::End { distance, .. } | Self::Over { distance, .. } | Self::Along { distance, .. } => {
                *distance
            }
        }
    }
}

/// A triangle that the segment pierces.
#[derive(Clone, Copy, Debug)]
struct Piercing {
    triangle: u32,
    t: f64,
    /// 1 if the segment passes through the triangle along its normal, -1 against it, 0 if it lies in its plane.
    sense: i32,
    /// Whether the piercing point of which it is part was counted.
    counted: bool,
}

/// A side not yet crossed, in order of its distance, then of its vertices: cutting a mesh changes the numbers of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    /// The bits of its distance from the segment.
    distance: u64,
    vertices: [u32; 2],
    /// Twice the edge, and one more if the triangle on this side winds the other way than the first one.
    code: u32,
}

/// The search and its reusable memory.
#[derive(Debug, Default)]
pub(crate) struct SheetExits {
    piercings: Vec<Piercing>,
    triangles: MarkSet,
    open: BinaryHeap<Reverse<Side>>,
}

/// The segment, the sheet, and what was found so far.
struct Visit<'a> {
    surface: &'a SurfaceMesh,
    segment: [&'a Point; 2],
    /// The ends that may exit.
    ends: [bool; 2],
    best: Option<SheetExit>,
    /// How many more piercing points have the sense of the normal than the opposite one.
    net: i32,
}

impl SheetExits {
    /// Gives the lists their first room.
    pub(crate) fn open(&mut self) {
        self.piercings.reserve(PIERCINGS.saturating_sub(self.piercings.len()));
        self.open.reserve(SIDES.saturating_sub(self.open.len()));
    }

    /// Exchanges the set of what was visited for another one.
    pub(crate) fn exchange(&mut self, set: &mut MarkSet) {
        std::mem::swap(&mut self.triangles, set);
    }

    /// Sets the triangles that the segment pierces, with its parameters there.
    pub(crate) fn pierce(
        &mut self,
        surface: &SurfaceMesh,
        [start, end]: [&Point; 2],
        pierced: impl Iterator<Item = (u32, f64)>,
    ) {
        self.piercings.clear();
        let with_sense = pierced.map(|(triangle, t)| {
            let [a, b, c] = surface.corners(triangle);
            let sides = [start, end].map(|point| orient3d(&a, &b, &c, point));
            let sense = i32::from(sides[1] > sides[0]) - i32::from(sides[1] < sides[0]);
            Piercing { triangle, t, sense, counted: false }
        });
        self.piercings.extend(with_sense);
        self.piercings.sort_unstable_by(|x, y| x.t.total_cmp(&y.t).then(x.triangle.cmp(&y.triangle)));
    }

    /// The same for those of the triangles that the segment pierces, decided exactly: of a closed surface every piercing has
    /// its opposite, or an end inside.
    pub(crate) fn pierce_exactly(
        &mut self,
        surface: &SurfaceMesh,
        [start, end]: [&Point; 2],
        triangles: impl Iterator<Item = u32>,
    ) {
        let pierced = triangles.filter_map(|triangle| {
            let corners = surface.corners(triangle);
            if is_passed_by(&corners, [start, end]) {
                return None;
            }
            let [a, b, c] = corners;
            Some((triangle, intersect::segment_triangle(start, end, &a, &b, &c)?.t))
        });
        self.pierce(surface, [start, end], pierced);
    }

    /// Returns the number of triangles pierced.
    pub(crate) fn count(&self) -> usize {
        self.piercings.len()
    }

    /// Returns a triangle that the segment pierces, by its place along the segment, and the sense: 1 if the segment passes
    /// through it along its normal, -1 against it, 0 if it lies in its plane.
    pub(crate) fn piercing(&self, index: usize) -> (u32, i32) {
        (self.piercings[index].triangle, self.piercings[index].sense)
    }

    /// Returns the least exit of the segment from the sheet, starting at a triangle that it pierces; `ends` are those
    /// that may exit. [`pierce`](Self::pierce) was called.
    pub(crate) fn least(
        &mut self,
        surface: &SurfaceMesh,
        segment: [&Point; 2],
        start: u32,
        ends: [bool; 2],
    ) -> Option<SheetExit> {
        self.least_above(f64::NEG_INFINITY, surface, segment, start, ends)
    }

    /// The same if it is longer than `most`. Cheap where it is not: mostly a row of triangles is visited.
    pub(crate) fn least_above(
        &mut self,
        most: f64,
        surface: &SurfaceMesh,
        segment: [&Point; 2],
        start: u32,
        ends: [bool; 2],
    ) -> Option<SheetExit> {
        if is_at_most(most, surface, segment, start, ends) {
            return None;
        }
        self.search(most, surface, segment, start, ends).filter(|exit| exit.distance() > most)
    }

    /// Returns the least exit, or any that is no longer than `most`.
    fn search(
        &mut self,
        most: f64,
        surface: &SurfaceMesh,
        segment: [&Point; 2],
        start: u32,
        ends: [bool; 2],
    ) -> Option<SheetExit> {
        self.triangles.clear();
        self.open.clear();
        self.piercings.iter_mut().for_each(|piercing| piercing.counted = false);
        let slack = rounding::length(rounding::largest_coordinate(segment));
        let mut visit = Visit { surface, segment, ends, best: None, net: 0 };
        self.visit(&mut visit, start, false);
        // The side that is farthest from the segment of those crossed.
        let mut farthest: Option<(f64, u32)> = None;
        while let Some(Reverse(Side { distance, code, .. })) = self.open.pop() {
            let (distance, edge) = (f64::from_bits(distance), code / 2);
            let shortest = visit.best.map_or(f64::INFINITY, |best| best.distance());
            let is_farther = farthest.is_none_or(|(most, _)| distance > most);
            if visit.net == 0 && is_farther {
                let (_, over) = farthest.unwrap_or((distance, edge));
                return Some(visit.over(over));
            }
            if distance >= shortest - slack || shortest <= most {
                break;
            }
            if is_farther {
                farthest = Some((distance, edge));
            }
            let sides = surface.adjacency().edge_triangles[edge as usize];
            if sides[1] == NONE {
                return farthest.map(|(_, over)| visit.over(over));
            }
            let new = sides.into_iter().position(|triangle| !self.triangles.contains(triangle));
            if let Some(new) = new {
                let turns = is_misoriented(surface, edge, sides);
                self.visit(&mut visit, sides[new], (code % 2 == 1) != turns);
                // What is nearer than the sides crossed on the way there leaves over the farthest of them.
                if let Some((most, over)) = farthest
                    && visit.best.is_some_and(|best| best.distance() < most)
                {
                    return Some(visit.over(over));
                }
            }
        }
        match farthest {
            Some((_, over)) if visit.net == 0 => Some(visit.over(over)),
            _ => visit.best,
        }
    }

    /// Returns the least exit of the segment from the surface of a solid at a piercing point. An end outside is not pushed
    /// in: where that would be shorter, the segment is pulled out along itself by as much. Only if it is longer than `most`.
    pub(crate) fn out_of_solid_above(
        &mut self,
        most: f64,
        surface: &SurfaceMesh,
        segment: [&Point; 2],
        index: usize,
    ) -> Option<SheetExit> {
        let Piercing { triangle, t, sense, .. } = self.piercings[index];
        let inside = usize::from(sense < 0);
        match self.least_above(most, surface, segment, triangle, [true; 2])? {
            SheetExit::End { end, distance, .. } if end != inside => {
                Some(SheetExit::Along { end: inside, triangle, t, distance })
            }
            exit => Some(exit),
        }
    }

    /// Visits a triangle: the ends' closest points, the piercing points, and its sides. `flipped` states that its winding
    /// is opposite to that of the first triangle.
    fn visit(&mut self, visit: &mut Visit<'_>, triangle: u32, flipped: bool) {
        self.triangles.insert(triangle);
        visit.look_at_ends(triangle);
        visit.net += if flipped { -self.sense_at(triangle) } else { self.sense_at(triangle) };
        let adjacency = visit.surface.adjacency();
        for edge in adjacency.triangle_edges[triangle as usize] {
            let sides = adjacency.edge_triangles[edge as usize];
            let is_crossed = sides[1] != NONE && sides.iter().all(|&other| self.triangles.contains(other));
            if is_crossed {
                continue;
            }
            let near = segment_on_edge(visit.surface, edge, visit.segment);
            let distance = (near.on_segment - near.on_surface.point).norm();
            // What is beyond the exit found is never crossed.
            if visit.best.is_some_and(|best| distance >= best.distance()) {
                continue;
            }
            let (distance, vertices) = (distance.to_bits(), adjacency.edges[edge as usize]);
            let code = 2 * edge + u32::from(flipped);
            self.open.push(Reverse(Side { distance, vertices, code }));
        }
    }

    /// Counts the piercing point of a triangle, if it was not counted: 1 along the normal, -1 against it; 0 where the segment
    /// touches a fold.
    fn sense_at(&mut self, triangle: u32) -> i32 {
        let Some(index) = self.piercings.iter().position(|piercing| piercing.triangle == triangle) else {
            return 0;
        };
        if self.piercings[index].counted {
            return 0;
        }
        let t = self.piercings[index].t;
        let same = |piercing: &&mut Piercing| (piercing.t - t).abs() <= SAME_PLACE;
        let (mut low, mut high) = (0, 0);
        for piercing in self.piercings.iter_mut().filter(same) {
            piercing.counted = true;
            (low, high) = (piercing.sense.min(low), piercing.sense.max(high));
        }
        low + high
    }
}

impl Visit<'_> {
    fn look_at_ends(&mut self, triangle: u32) {
        for end in (0..2).filter(|&end| self.ends[end]) {
            let place = self.surface.nearest_on(triangle, self.segment[end]);
            let distance = (place.point - self.segment[end]).norm();
            if self.best.is_none_or(|best| distance < best.distance()) {
                self.best = Some(SheetExit::End { end, place, distance });
            }
        }
    }

    fn over(&self, edge: u32) -> SheetExit {
        let near = segment_on_edge(self.surface, edge, self.segment);
        let distance = (near.on_segment - near.on_surface.point).norm();
        SheetExit::Over { edge, near, distance }
    }
}

/// Visits every triangle whose box a segment passes through, and maybe others.
pub(crate) fn visit_along(surface: &SurfaceMesh, [start, end]: [&Point; 2], mut visit: impl FnMut(u32)) {
    /// More than the rounding error of the length.
    const LONGER: f64 = 1.0 + 1e-9;
    let (way, length) = (end - start, (end - start).norm());
    let bound = length * LONGER;
    if let Some(tree) = surface.tree().filter(|_| length > 0.0) {
        tree.along_line(start, &(way / length), bound, |triangle| {
            visit(triangle);
            bound
        });
    }
}

/// Whether a segment certainly meets no point of a triangle: both its ends are on one side of the plane, or it crosses the
/// plane outside the triangle's bounds. Cheaper than the exact predicates.
fn is_passed_by(corners: &[Point; 3], [start, end]: [&Point; 2]) -> bool {
    /// The error of the crossing, relative to the length of the segment.
    const CROSSING: f64 = 1e-6;
    let [a, b, c] = corners;
    let normal = (b - a).cross(&(c - a));
    let [from, to] = [start, end].map(|point| normal.dot(&(point - a)));
    let error = orient3d_error(corners.each_ref(), [start, end]);
    if from.abs() > error && to.abs() > error && (from > 0.0) == (to > 0.0) {
        return true;
    }
    let along = end - start;
    let crossing = start + along * (from / (from - to));
    let bounds = Aabb::from_points(corners).grown(along.amax() * CROSSING);
    (from - to).abs() * CROSSING > error && !bounds.contains_point(&crossing)
}

/// Whether a walk from a pierced triangle toward an end of a segment shows that the least exit is no longer than `most`;
/// `false` if it does not show it.
fn is_at_most(most: f64, surface: &SurfaceMesh, segment: [&Point; 2], start: u32, ends: [bool; 2]) -> bool {
    if most < 0.0 {
        return false;
    }
    let square = |end: usize, place: &SurfaceNearest| (place.point - segment[end]).norm_squared();
    let crosses = |edge: u32| {
        let near = segment_on_edge(surface, edge, segment);
        (near.on_segment - near.on_surface.point).norm_squared() <= most * most
    };
    let walk = |end: usize, mut place: SurfaceNearest| {
        let mut triangle = start;
        while square(end, &place) > most * most {
            let next = beside(surface, triangle, place.feature)
                .filter(|&(edge, _)| crosses(edge))
                .map(|(_, next)| (next, surface.nearest_on(next, segment[end])))
                .reduce(|best, next| if square(end, &next.1) < square(end, &best.1) { next } else { best });
            let Some(next) = next.filter(|(_, next)| square(end, next) < square(end, &place)) else {
                return false;
            };
            (triangle, place) = next;
        }
        true
    };
    let places = segment.map(|end| surface.nearest_on(start, end));
    // The nearer end first.
    let order = if square(1, &places[1]) < square(0, &places[0]) { [1, 0] } else { [0, 1] };
    order.into_iter().any(|end| ends[end] && walk(end, places[end]))
}

/// Returns the edges of a triangle that have a feature, with the triangles on their other sides.
fn beside(
    surface: &SurfaceMesh,
    triangle: u32,
    feature: SurfaceFeature,
) -> impl Iterator<Item = (u32, u32)> + '_ {
    let adjacency = surface.adjacency();
    adjacency.triangle_edges[triangle as usize].into_iter().filter_map(move |edge| {
        let has_feature = match feature {
            SurfaceFeature::Face(_) => false,
            SurfaceFeature::Edge(nearest) => edge == nearest,
            SurfaceFeature::Vertex(vertex) => adjacency.edges[edge as usize].contains(&vertex),
        };
        let other = across(adjacency.edge_triangles[edge as usize], triangle);
        (has_feature && other != NONE).then_some((edge, other))
    })
}

/// Whether two triangles use their common edge in the same direction.
fn is_misoriented(surface: &SurfaceMesh, edge: u32, triangles: [u32; 2]) -> bool {
    let [from, _] = surface.adjacency().edges[edge as usize];
    let [first, second] = triangles.map(|triangle| {
        let side = surface.adjacency().triangle_edges[triangle as usize].iter().position(|&own| own == edge);
        side.map(|side| surface.triangles()[triangle as usize][side] == from)
    });
    first == second
}

impl SheetExit {
    /// Returns the place on the surface through which a segment exits, the parameter of the segment's point that exits
    /// there, and the unit direction.
    pub(crate) fn way(&self, surface: &SurfaceMesh, segment: [&Point; 2]) -> (SurfaceNearest, f64, Vector) {
        match *self {
            Self::End { end, place, .. } => {
                (place, end as f64, direction_through(surface, segment, end, &place))
            }
            Self::Over { edge, near, .. } => {
                (near.on_surface, near.t, direction_over(surface, segment, edge, &near))
            }
            Self::Along { end, triangle, t, distance } => {
                let along = segment[1 - end] - segment[end];
                let length = along.norm();
                let on_segment = segment[0] + (segment[1] - segment[0]) * t;
                let place = surface.nearest_on(triangle, &on_segment);
                let back = if length > 0.0 { distance / length } else { 0.0 };
                let t = if end == 0 { t - back } else { t + back };
                let outward = along.try_normalize(0.0).unwrap_or_else(|| surface.outward(place.feature));
                (place, t.clamp(0.0, 1.0), outward)
            }
        }
    }
}

/// Returns the unit direction in which an end of a segment exits through its closest point of a sheet: from the end to
/// that point or, if they coincide, along the normal there, to the side of the other end.
fn direction_through(
    surface: &SurfaceMesh,
    segment: [&Point; 2],
    end: usize,
    place: &SurfaceNearest,
) -> Vector {
    let (direction, _) = separation::between(segment[end], &place.point);
    direction.unwrap_or_else(|| {
        let normal = surface.outward(SurfaceFeature::Face(surface.owner(place.feature)));
        if (segment[1 - end] - segment[end]).dot(&normal) < 0.0 { -normal } else { normal }
    })
}

/// Returns the unit direction in which a segment exits over an edge, given their closest points: along the line between
/// them or, if they coincide, away from the triangles of the edge.
pub(crate) fn direction_over(
    surface: &SurfaceMesh,
    segment: [&Point; 2],
    edge: u32,
    near: &SegmentOnSurface,
) -> Vector {
    if let (Some(direction), _) = separation::between(&near.on_segment, &near.on_surface.point) {
        return direction;
    }
    let [from, to] = surface.edge_ends(edge);
    let (run, along) = (to - from, segment[1] - segment[0]);
    let positions = surface.points().positions();
    let ids = surface.adjacency().edges[edge as usize];
    let triangles = surface.adjacency().edge_triangles[edge as usize];
    let corners = triangles.into_iter().filter(|&triangle| triangle != NONE).filter_map(|triangle| {
        surface.triangles()[triangle as usize].into_iter().find(|id| !ids.contains(id))
    });
    let inward: Vector = corners.map(|id| positions[id as usize] - from).sum();
    let away = run * inward.dot(&run) - inward * run.norm_squared();
    let cross = run.cross(&along);
    if cross.norm_squared() > WELL_CROSSED * run.norm_squared() * along.norm_squared() {
        let cross = cross.normalize();
        return if cross.dot(&away) < 0.0 { -cross } else { cross };
    }
    away.try_normalize(0.0).unwrap_or_else(|| surface.outward(near.on_surface.feature))
}
