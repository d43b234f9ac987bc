//! An end of an axis above a face.

use crate::mesh::segment_surface::part_at;
use crate::segment::axis_surface::{Axis, SegmentContact};
use palpate_geometry::{SurfaceFeature, SurfaceNearest};
use palpate_math::nearest::{TriangleFeature, point_triangle};
use palpate_math::triangle::longest_edge_squared;
use palpate_math::{Point, Vector, rounding};

/// How far outside a triangle a foot may be and still count as inside, relative to the triangle and the coordinates:
/// so that the contact of a resting body keeps its triangle.
pub(crate) const ASIDE: f64 = 1.0 / (1_u64 << 26) as f64;

/// An end of the axis above a face.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndOver {
    pub(crate) end: usize,
    pub(crate) triangle: u32,
    /// The point of the triangle closest to the foot.
    place: SurfaceNearest,
    /// The projection of the end onto the triangle's plane.
    pub(crate) foot: Point,
    /// Unit, towards the axis.
    pub(crate) normal: Vector,
    height: f64,
    /// Whether the foot is in the triangle up to rounding error.
    pub(crate) exact: bool,
    /// The distance up to which two points coincide.
    pub(crate) slack: f64,
    /// Whether the axis' other end is on the other side of the plane.
    pub(crate) is_crossed: bool,
    /// Whether it is the lowest of those that share the same foot.
    pub(crate) kept: bool,
}

impl EndOver {
    /// Returns the contact of the end with the face.
    pub(crate) fn met(&self, axis: &Axis<'_>) -> SegmentContact {
        let rim = axis.surface.radius();
        SegmentContact {
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

impl Axis<'_> {
    pub(crate) fn at(&self, t: f64) -> Point {
        if t == 1.0 { self.ends[1] } else { self.ends[0] + (self.ends[1] - self.ends[0]) * t }
    }

    pub(crate) fn length(&self) -> f64 {
        (self.ends[1] - self.ends[0]).norm()
    }

    /// Returns the outward unit normal of a triangle; `None` for a degenerate one.
    pub(crate) fn normal(&self, triangle: u32) -> Option<Vector> {
        (self.surface.normals()?.face(triangle).amax() > 0.0)
            .then(|| self.surface.outward(SurfaceFeature::Face(triangle)))
    }

    /// Returns the size of a triangle and of the coordinates, and its rounding error.
    pub(crate) fn scales(&self, [a, b, c]: &[Point; 3]) -> [f64; 2] {
        let largest = rounding::largest_coordinate(self.ends.iter().chain([a, b, c]));
        [largest.max(longest_edge_squared(a, b, c).sqrt()), rounding::length(largest)]
    }

    /// Returns the end of the axis above the face of a triangle, or outside it within tolerance; without `joined`,
    /// strictly above it.
    pub(crate) fn end_over(&self, triangle: u32, end: usize, joined: bool) -> Option<EndOver> {
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
}
