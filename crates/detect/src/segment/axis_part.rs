//! The part of an axis above one triangle to whose face it is nearly parallel.

use crate::mesh::segment_surface::{SegmentOnSurface, part_at, segment_on_edge, segment_on_vertex};
use crate::segment::axis_surface::{Axis, SegmentContact};
use crate::segment::end_over_face::ASIDE;
use palpate_geometry::{SurfaceFeature, SurfaceNearest};
use palpate_math::nearest::{AboveEnd, AboveTriangle, point_segment, point_triangle, segment_above_triangle};
use palpate_math::{Point, Vector};

/// The sine of the largest angle between an axis and a face or an edge that counts as nearly parallel: about one
/// degree.
pub(crate) const NEARLY: f64 = 1.0 / 64.0;

/// The relative distance between the planes of two triangles, where they meet, up to which they are coplanar.
pub(crate) const FLAT: f64 = 1.0 / (1_u64 << 31) as f64;

/// The smallest cosine between the normals of coplanar triangles: rounding error tilts thin ones.
const SAME_NORMAL: f64 = 1.0 - 1.0 / (1_u64 << 21) as f64;

/// The smallest cosine between a direction and a face normal that count as equal.
const SAME_DIRECTION: f64 = 1.0 - 1.0 / (1_u64 << 41) as f64;

/// The part of the axis above a triangle to which it is nearly parallel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) triangle: u32,
    pub(crate) above: AboveTriangle,
    /// Unit, towards the axis.
    normal: Vector,
    /// A corner of the triangle.
    origin: Point,
    /// The size of the triangle and of the coordinates.
    scale: f64,
}

/// An end point of an overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StretchPlace {
    /// The triangle it is listed with.
    pub(crate) triangle: u32,
    pub(crate) met: SegmentContact,
    /// The end of the axis, if the overlap extends that far.
    pub(crate) end: Option<usize>,
}

pub(crate) fn same_normal(first: &Vector, second: &Vector) -> bool {
    first.dot(second) >= SAME_NORMAL
}

impl Part {
    fn height(&self, axis: &Axis<'_>, t: f64) -> f64 {
        (axis.at(t) - self.origin).dot(&self.normal)
    }

    pub(crate) fn foot(&self, axis: &Axis<'_>, t: f64) -> Point {
        axis.at(t) - self.normal * self.height(axis, t)
    }

    /// Returns the edges over which the axis leaves the triangle.
    pub(crate) fn crossed(&self, axis: &Axis<'_>) -> [Option<u32>; 2] {
        let edges = axis.surface.adjacency().triangle_edges[self.triangle as usize];
        self.above.ends.map(|end| if let AboveEnd::Side(side) = end { Some(edges[side]) } else { None })
    }

    /// Whether a point is above the plane, on the axis' side.
    pub(crate) fn rises(&self, point: &Point) -> bool {
        (point - self.origin).dot(&self.normal) > FLAT * self.scale
    }

    /// Whether the axis continues from here over another part in the same plane. The plane of a thin triangle is
    /// inaccurate: it is enough if the plane of either one contains the other.
    pub(crate) fn goes_on(&self, next: &Part, axis: &Axis<'_>) -> bool {
        let slack = FLAT * self.scale.max(next.scale);
        let apart = |t: f64| (self.height(axis, t) - next.height(axis, t)).abs();
        let gap = (next.above.enter - self.above.leave) * axis.length();
        gap <= 2.0 * slack
            && same_normal(&self.normal, &next.normal)
            && apart(next.above.enter) <= slack
            && apart(next.above.leave).min(apart(self.above.enter)) <= slack
    }

    /// Whether a contact with an edge or a vertex is within the overlap with the face and along its normal.
    pub(crate) fn has(&self, axis: &Axis<'_>, nearest: &SegmentOnSurface, met: &SegmentContact) -> bool {
        let slack = 4.0 * ASIDE * self.scale;
        let (before, after) = (self.above.enter - nearest.t, nearest.t - self.above.leave);
        let within = before.max(after) * axis.length() <= slack;
        let distance = (nearest.on_segment - nearest.on_surface.point).norm();
        within
            && (distance - self.height(axis, nearest.t)).abs() <= slack
            && met.outward.dot(&self.normal) >= SAME_DIRECTION
    }

    /// Returns the contact at an end of the part that is not above a face: at the edge over which the axis leaves it,
    /// or the vertex.
    pub(crate) fn border(&self, axis: &Axis<'_>, side: usize) -> Option<StretchPlace> {
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
        // Where the axis descends to the border, the border is nearest to it; where it rises, it is as above a plane.
        let other = [self.above.leave, self.above.enter][side];
        let comes_down = self.height(axis, t) <= self.height(axis, other);
        let met = if comes_down { axis.beside(&nearest) } else { self.above_border(axis, feature, t) };
        let end = [0.0, 1.0].iter().position(|&end| end == met.t);
        let end = end.filter(|_| self.above.ends[side] == AboveEnd::Segment(side));
        Some(StretchPlace { triangle, met, end })
    }

    /// Returns the axis' parameter where it crosses the plane through the edge over which it leaves the part.
    fn crossing(&self, axis: &Axis<'_>, edge: u32, side: usize) -> f64 {
        let [from, to] = axis.surface.edge_ends(edge);
        let across = self.normal.cross(&(to - from));
        let [start, end] = axis.ends.map(|end| (end - from).dot(&across));
        let crossing = start / (start - end);
        if (0.0..=1.0).contains(&crossing) { crossing } else { [self.above.enter, self.above.leave][side] }
    }

    /// Returns the vertex of an edge if a foot on the edge coincides with it up to the tolerance; otherwise the edge.
    fn vertex_at(&self, axis: &Axis<'_>, feature: SurfaceFeature, foot: &Point) -> SurfaceFeature {
        let SurfaceFeature::Edge(edge) = feature else { return feature };
        let positions = axis.surface.points().positions();
        let at = |vertex: &u32| (positions[*vertex as usize] - foot).norm() <= 4.0 * ASIDE * self.scale;
        let vertices = axis.surface.adjacency().edges[edge as usize];
        vertices.into_iter().find(at).map_or(feature, SurfaceFeature::Vertex)
    }

    /// Returns the contact of the axis above a border, along the face's normal.
    fn above_border(&self, axis: &Axis<'_>, feature: SurfaceFeature, t: f64) -> SegmentContact {
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
        SegmentContact {
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
    /// Returns the part of the axis above a triangle to which it is nearly parallel.
    pub(crate) fn part_over(&self, triangle: u32, joined: bool) -> Option<Part> {
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
}
