//! Contacts of a segment with a radius (a capsule's axis, an element of a thread) with single elements of a surface.

use crate::mesh::segment_surface::{SegmentOnSurface, part_at, segment_on_edge, segment_on_surface};
use crate::mesh::sheet_exit::{SheetExit, SheetExits, direction_over};
use crate::mesh::surface_sides::SurfaceSidedness;
use crate::mesh::{DeepestPoint, faces_away, is_hidden};
use crate::rounded_contact::rounded_contact;
use crate::segment::segment_penetration::Deepest;
use palpate_geometry::{SurfaceFeature, SurfaceMesh, SurfaceNearest};
use palpate_math::nearest::{
    SegmentFeature, SegmentTriangle, point_segment, point_triangle, segment_triangle,
};
use palpate_math::{Aabb, Point, Vector, rounding, separation};

/// The sine of the angle above which an axis passes through a surface, and does not lie along it.
const CROSSING: f64 = 0.1;

/// The segment, the surface, and the surface's sidedness.
#[derive(Clone, Copy)]
pub(crate) struct Axis<'a> {
    pub(crate) surface: &'a SurfaceMesh,
    pub(crate) ends: [Point; 2],
    pub(crate) radius: f64,
    pub(crate) sidedness: SurfaceSidedness,
    /// Whether only elements that face the axis are reported.
    pub(crate) facing: bool,
}

/// A contact of the two, independent of which side the surface is on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentContact {
    /// The point on the bare surface.
    pub(crate) place: SurfaceNearest,
    /// The contact point on the surface, including its thickness.
    pub(crate) on_surface: Point,
    /// The parameter along the axis: the weight of its end.
    pub(crate) t: f64,
    /// The part of the axis.
    pub(crate) part: SegmentFeature,
    /// The contact point on the round body.
    pub(crate) on_body: Point,
    /// Unit; moves the body out of the surface.
    pub(crate) outward: Vector,
    pub(crate) depth: f64,
}

impl SegmentContact {
    /// Returns the closest points of the bare surface and the axis.
    pub(crate) fn as_nearest(&self, axis: &Axis<'_>) -> SegmentOnSurface {
        let on_segment = self.on_body + self.outward * axis.radius;
        SegmentOnSurface { on_surface: self.place, on_segment, t: self.t, part: self.part }
    }
}

/// A part of the axis inside a closed surface, at its deepest point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeepestInside {
    pub(crate) met: SegmentContact,
    /// No other point is deeper than this.
    pub(crate) depth_upper: f64,
    /// Whether the search reached its bound.
    pub(crate) converged: bool,
}

impl Axis<'_> {
    pub(crate) fn on_triangle(&self, triangle: u32) -> SegmentTriangle {
        let [a, b, c] = self.surface.corners(triangle);
        segment_triangle(&self.ends[0], &self.ends[1], &a, &b, &c)
    }

    pub(crate) fn nearest(&self, triangle: u32, local: &SegmentTriangle) -> SegmentOnSurface {
        segment_on_surface(self.surface, triangle, local, self.ends.each_ref())
    }

    /// Whether the surface faces away from the axis there.
    pub(crate) fn hides(&self, nearest: &SegmentOnSurface) -> bool {
        self.facing && is_hidden(self.surface, &nearest.on_surface, &nearest.on_segment)
    }

    /// Returns the contact of two spheres at the closest points.
    pub(crate) fn beside(&self, nearest: &SegmentOnSurface) -> SegmentContact {
        let place = nearest.on_surface;
        let outward = || self.over_border(nearest).unwrap_or_else(|| self.surface.outward(place.feature));
        let rim = self.surface.radius();
        let balls = rounded_contact(&nearest.on_segment, self.radius, &place.point, rim, outward);
        SegmentContact {
            place,
            on_surface: balls.point_b,
            t: nearest.t,
            part: nearest.part,
            on_body: balls.point_a,
            outward: balls.direction,
            depth: balls.depth,
        }
    }

    /// Returns the unit direction in which an axis that touches the border of a sheet between its ends, and passes it, exits: over that
    /// edge, or over one of the two of a vertex. `None` elsewhere.
    fn over_border(&self, nearest: &SegmentOnSurface) -> Option<Vector> {
        let (surface, feature) = (self.surface, nearest.on_surface.feature);
        if nearest.part != SegmentFeature::Interior || !surface.is_on_border(feature) {
            return None;
        }
        let (ends, along) = (self.ends.each_ref(), self.ends[1] - self.ends[0]);
        if along.dot(&surface.outward(feature)).abs() < CROSSING * along.norm() {
            return None;
        }
        let edge = match feature {
            SurfaceFeature::Edge(edge) => edge,
            SurfaceFeature::Vertex(vertex) => {
                let adjacency = surface.adjacency();
                let corners = adjacency.corners_at(vertex).iter();
                let mut edges = corners.flat_map(|corner| adjacency.triangle_edges[*corner as usize / 3]);
                let is_border = |edge| surface.is_on_border(SurfaceFeature::Edge(edge));
                edges.find(|&edge| adjacency.edges[edge as usize].contains(&vertex) && is_border(edge))?
            }
            SurfaceFeature::Face(_) => return None,
        };
        Some(direction_over(surface, ends, edge, &segment_on_edge(surface, edge, ends)))
    }

    /// Whether the axis passes through a triangle of a sheet, and so exits along the triangle's normal; degenerate
    /// triangles have none and are handled through their edges.
    pub(crate) fn is_through(&self, triangle: u32, local: &SegmentTriangle) -> bool {
        let has_normal = || self.surface.normals().is_some_and(|normals| normals.face(triangle).amax() > 0.0);
        local.pierced && self.sidedness != SurfaceSidedness::Solid && has_normal()
    }

    /// Returns the exit from a sheet that the axis passes through at `triangle`: the shortest of the axis' ends through the
    /// sheet (to the front of a one-sided sheet only) and of the axis over a border or a fold. Where an end exits through
    /// the plane of the triangle, the weights are those of the intersection point.
    pub(crate) fn through(
        &self,
        triangle: u32,
        local: &SegmentTriangle,
        exits: &mut SheetExits,
    ) -> SegmentContact {
        let face = SurfaceFeature::Face(triangle);
        let normal = self.surface.outward(face);
        let heights = self.ends.map(|end| (end - local.point_on_triangle).dot(&normal));
        let (up, down) = (-heights[0].min(heights[1]), heights[0].max(heights[1]));
        let is_sheet = self.sidedness == SurfaceSidedness::Sheet;
        let outward = if is_sheet && down < up { -normal } else { normal };
        let place = SurfaceNearest { feature: face, weights: local.weights, point: local.point_on_triangle };
        let through_plane = self.leaving(place, outward);
        let behind = usize::from(heights[1] < heights[0]);
        let may_exit = [0, 1].map(|end| is_sheet || end == behind);
        let Some(exit) = exits.least(self.surface, self.ends.each_ref(), triangle, may_exit) else {
            return through_plane;
        };
        let reach = self.radius + self.surface.radius();
        let undecided =
            rounding::length(rounding::largest_coordinate(self.ends.iter().chain([&place.point])));
        if (exit.distance() - (through_plane.depth - reach)).abs() <= undecided {
            return through_plane;
        }
        self.by_exit(&exit)
    }

    /// Returns the contact of an axis that exits from a surface.
    pub(crate) fn by_exit(&self, exit: &SheetExit) -> SegmentContact {
        let (place, t, outward) = exit.way(self.surface, self.ends.each_ref());
        let (rim, distance) = (self.surface.radius(), exit.distance());
        SegmentContact {
            place,
            on_surface: place.point + outward * rim,
            t,
            part: part_at(t),
            on_body: place.point - outward * (distance + self.radius),
            outward,
            depth: self.radius + rim + distance,
        }
    }

    /// Moves the whole axis along `outward` until no part of it is below the point.
    fn leaving(&self, place: SurfaceNearest, outward: Vector) -> SegmentContact {
        let heights = self.ends.map(|end| (end - place.point).dot(&outward));
        let end = usize::from(heights[1] < heights[0]);
        let (way, rim) = (-heights[end], self.surface.radius());
        SegmentContact {
            place,
            on_surface: self.ends[end] + outward * (way + rim),
            t: end as f64,
            part: part_at(end as f64),
            on_body: self.ends[end] - outward * self.radius,
            outward,
            depth: self.radius + rim + way,
        }
    }

    /// For a one-sided sheet, returns the exit of an axis that touches it from behind without passing through:
    /// through the closest point of all triangles. If that is nearest to an end, the other end exits last; the
    /// weights are then those of the triangle's closest point to the surface's contact point.
    pub(crate) fn behind<'a>(
        &self,
        candidates: impl Iterator<Item = (u32, &'a SegmentTriangle)>,
    ) -> Option<SegmentContact> {
        let mut best: Option<(u32, &SegmentTriangle)> = None;
        for (triangle, local) in candidates {
            if self.is_through(triangle, local) {
                return None;
            }
            if best.is_none_or(|(_, best)| local.distance_squared < best.distance_squared) {
                best = Some((triangle, local));
            }
        }
        let (triangle, local) = best?;
        let SegmentOnSurface { on_surface: place, on_segment, t, part } = self.nearest(triangle, local);
        let (outward, distance) = separation::between(&on_segment, &place.point);
        let (rim, reach) = (self.surface.radius(), self.radius + self.surface.radius());
        if distance > reach || !faces_away(self.surface, &place, &on_segment) {
            return None;
        }
        let outward = outward.unwrap_or_else(|| self.surface.outward(place.feature));
        if part == SegmentFeature::Interior {
            let (on_surface, on_body) = (place.point + outward * rim, on_segment - outward * self.radius);
            return Some(SegmentContact {
                place,
                on_surface,
                t,
                part,
                on_body,
                outward,
                depth: reach + distance,
            });
        }
        let met = self.leaving(place, outward);
        let [a, b, c] = self.surface.corners(triangle);
        let foot = point_triangle(&(met.on_surface - outward * rim), &a, &b, &c);
        let feature = SurfaceFeature::Face(triangle);
        let place = SurfaceNearest { feature, weights: foot.weights, point: foot.point };
        Some(SegmentContact { place, ..met })
    }

    /// Whether the axis may have a point inside a closed surface.
    pub(crate) fn may_be_inside(&self) -> bool {
        let near = |tree: &palpate_bvh::Bvh| tree.bounds().overlaps(&Aabb::from_points(self.ends));
        self.surface.is_closed() && self.surface.tree().is_some_and(near)
    }

    /// Returns the contact at the deepest point of the axis inside a closed surface.
    pub(crate) fn held(&self, deepest: &Deepest) -> DeepestInside {
        let outward = deepest.signed.gradient;
        let reach = self.radius + self.surface.radius();
        let depth = reach - deepest.signed.distance;
        let met = SegmentContact {
            place: deepest.nearest,
            on_surface: deepest.nearest.point + outward * self.surface.radius(),
            t: deepest.t,
            part: part_at(deepest.t),
            on_body: deepest.point - outward * self.radius,
            outward,
            depth,
        };
        DeepestInside { met, depth_upper: depth.max(reach + deepest.upper), converged: deepest.converged }
    }

    /// Returns a contact as the deepest point of the capsule.
    pub(crate) fn as_deepest(&self, met: &SegmentContact) -> DeepestPoint {
        let (radius, outward) = (self.radius, met.outward);
        let depth = met.depth - self.surface.radius() - radius;
        let point = met.on_body + outward * radius;
        DeepestPoint { point, radius, depth, error: 0.0, outward, nearest: met.place, is_whole: true }
    }

    /// Returns the contact of a point of the capsule that exits as a whole.
    pub(crate) fn of_deepest(&self, deepest: &DeepestPoint) -> SegmentContact {
        let DeepestPoint { point, depth, outward, nearest: place, .. } = *deepest;
        let on_axis = point_segment(&point, &self.ends[0], &self.ends[1]);
        let (rim, t, part) = (self.surface.radius(), on_axis.t, on_axis.feature);
        let on_surface = place.point + outward * rim;
        SegmentContact { place, on_surface, t, part, on_body: point, outward, depth: depth + rim }
    }

    /// Whether no other point of the surface is nearer to the point on the axis than the element is.
    pub(crate) fn is_nearest(&self, nearest: &SegmentOnSurface) -> bool {
        let distance = (nearest.on_segment - nearest.on_surface.point).norm();
        let slack = 16.0 * f64::EPSILON * nearest.on_segment.coords.amax().max(distance);
        let nearer = (distance - slack).max(0.0);
        // The search is bounded to nearer points only, so it ends early if there are none.
        let other = self.surface.nearest(&nearest.on_segment, nearer * nearer);
        other.is_none_or(|other| (nearest.on_segment - other.point).norm() >= nearer)
    }
}
