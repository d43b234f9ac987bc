//! Containment: the deepest point of a convex body in a solid mesh.
//!
//! The sample points are fixed in the body's frame (corners, points along long edges, face centres, rings of round
//! bodies), so the greatest depth changes by no more than the body moves. Each exits the solid through its nearest
//! surface point; no separating translation of the two bodies is shorter than that.

use crate::ConvexBody;
use crate::mesh::vertex_surface::{square_above, squared_distance_to};
use crate::mesh::{ConvexPair, MeshSide};
use palpate_geometry::SurfaceNearest;
use palpate_math::{Point, Vector};

/// The deepest of the body's sample points, without either radius.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeepestPoint {
    /// The point of the body's core.
    pub(crate) point: Point,
    /// The radius of the body around its core.
    pub(crate) radius: f64,
    /// The depth of the point inside the mesh.
    pub(crate) depth: f64,
    /// By how much a certified upper bound of the depth exceeds it.
    pub(crate) error: f64,
    /// Unit exit direction.
    pub(crate) outward: Vector,
    pub(crate) nearest: SurfaceNearest,
    /// Whether `depth` is the whole way out along `outward`. Otherwise the body does not rest on the face and has no manifold there.
    pub(crate) is_whole: bool,
}

impl DeepestPoint {
    /// Returns the point that a translation by `depth` along `outward` takes to a place on the surface.
    pub(crate) fn below(nearest: SurfaceNearest, outward: Vector, depth: f64) -> Self {
        let point = nearest.point - outward * depth;
        Self { point, radius: 0.0, depth, error: 0.0, outward, nearest, is_whole: true }
    }

    /// Sets by how much a certified upper bound of the depth exceeds it.
    pub(crate) fn with_error(self, error: f64) -> Self {
        Self { error, ..self }
    }
}

impl ConvexPair<'_> {
    /// Returns the deepest sample point inside the solid whose nearest surface point is on an accepted part of the
    /// mesh, with the body's radius; `None` if none is deeper than `least`. Ties go to the first.
    ///
    /// `contained` states that the body overlaps no triangle, so that one point decides on which side all are. Points of
    /// the surface `near` the body, with the triangles that they are on, make the search faster.
    pub(crate) fn deepest_point(
        &self,
        accepts: impl Fn(u32) -> bool,
        least: f64,
        contained: bool,
        near: impl ExactSizeIterator<Item = (Point, u32)>,
    ) -> Option<DeepestPoint> {
        let bounds = self.mesh.bounds();
        let radius = self.body.core_radius();
        let accepts = &accepts;
        let mut search = Search {
            mesh: &self.mesh,
            accepts,
            least: least - radius,
            best: None,
            outside: false,
            body: &self.body,
            known: [(Vector::zeros(), f64::NEG_INFINITY); KNOWN],
            count: 0,
            holding: 0,
            last: None,
            rounding: ROUNDING * (bounds.max - bounds.min).amax().max(self.body.size()),
        };
        let stride = near.len().div_ceil(NEAR).max(1);
        for (point, triangle) in near.step_by(stride) {
            search.note(self.body.pose.own(point.coords), 0.0);
            search.last = search.last.or(Some(triangle));
        }
        if self.body.size() > 0.0 {
            search.note_center(&self.body.bounds().center());
        }
        self.body.for_each_surface_point(&mut |own| {
            if search.outside {
                return None;
            }
            let ball = search.shallow_ball(&own);
            if ball.is_none() {
                let point = Point::from(self.body.pose.point(own));
                let may_be_inside = bounds.contains_point(&point) && search.look_at(&own, &point);
                search.outside = contained && !may_be_inside;
            }
            ball
        });
        search.best.map(|best| DeepestPoint { radius, ..best })
    }
}

struct Search<'a> {
    mesh: &'a MeshSide<'a>,
    body: &'a ConvexBody<'a>,
    accepts: &'a dyn Fn(u32) -> bool,
    /// The depth to exceed.
    least: f64,
    best: Option<DeepestPoint>,
    outside: bool,
    /// The last points, in the body's frame, with upper bounds of their depths (negative outside), and how many there
    /// were.
    known: [(Vector, f64); KNOWN],
    count: usize,
    /// The index of the known point around which the last sample point was too shallow: the next often is, too.
    holding: usize,
    /// The last triangle found near a point: likely near the next.
    last: Option<u32>,
    /// Rounding error of a depth.
    rounding: f64,
}

/// Number of remembered points.
const KNOWN: usize = 24;

/// The most points near the body that are remembered.
const NEAR: usize = 8;

/// Rounding error of a depth, relative to the sizes of mesh and body.
const ROUNDING: f64 = 1e-12;

impl Search<'_> {
    /// Notes the depth of the body's centre: no point is deeper by more than its distance from there.
    fn note_center(&mut self, center: &Point) {
        let bound = square_above(squared_distance_to(self.mesh.surface, self.last, center).sqrt());
        if let Some((signed, _)) = self.mesh.signed_distance(center, bound) {
            self.note(self.body.pose.own(center.coords), -signed.distance);
        }
    }

    /// Returns the number of a ball around a known point in which, by its depth, no point is deeper than `least`, if it
    /// contains this point: depth is 1-Lipschitz.
    fn shallow_ball(&mut self, own: &Vector) -> Option<usize> {
        let enough = self.least.max(0.0) - self.rounding;
        let contains = |(center, depth): &(Vector, f64)| {
            let room = enough - depth;
            room > 0.0 && (own - center).norm_squared() <= room * room
        };
        let known = &self.known[..self.count.min(KNOWN)];
        if !known.get(self.holding).is_some_and(contains) {
            self.holding = known.iter().position(contains)?;
        }
        // The last point that was noted in this place.
        let last = self.count - 1;
        Some(last - (last - self.holding) % KNOWN)
    }

    /// Returns an upper bound of the distance from a point to the surface, by the triangle inequality from the known
    /// points.
    fn farthest(&self, own: &Vector) -> f64 {
        let known = self.known[..self.count.min(KNOWN)].iter();
        let by_way = known.map(|(other, depth)| depth.abs() + (own - other).norm());
        by_way.fold(f64::INFINITY, f64::min) + self.rounding
    }

    /// Notes that a point is no deeper than `depth`, and that the surface is no farther from it than its absolute value.
    fn note(&mut self, own: Vector, depth: f64) {
        self.known[self.count % KNOWN] = (own, depth);
        self.count += 1;
    }

    /// Keeps a point, given in both frames, if it is the deepest so far; returns whether it may be inside.
    fn look_at(&mut self, own: &Vector, point: &Point) -> bool {
        // A triangle within the depth to exceed rules the point out, on whichever side it is.
        let is_near = |distance: f64| self.least > 0.0 && distance <= self.least;
        let surface = self.mesh.surface;
        let by_last = squared_distance_to(surface, self.last, point).sqrt();
        if is_near(by_last) {
            return true;
        }
        let bound = square_above(by_last.min(self.farthest(own)));
        let Some(nearest) = surface.nearest(point, bound) else { return false };
        let distance = (point - nearest.point).norm();
        let is_shallow = is_near(distance);
        self.last = Some(surface.owner(nearest.feature));
        if is_shallow {
            self.note(*own, distance);
            return true;
        }
        let Some(signed) = self.mesh.signed_at(point, &nearest) else { return false };
        let depth = -signed.distance;
        self.note(*own, depth);
        let part = || surface.adjacency().part_of(surface.owner(nearest.feature));
        if depth > self.least && depth > 0.0 && (self.accepts)(part()) {
            self.least = depth;
            let outward = signed.gradient;
            let point = *point;
            self.best = Some(DeepestPoint {
                point,
                radius: 0.0,
                depth,
                error: 0.0,
                outward,
                nearest,
                is_whole: true,
            });
        }
        depth > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::ElementFilter;
    use crate::mesh::surface_sides::SurfaceSidedness;
    use crate::pairs::implicit::surface_samples::blocks;
    use palpate_convex::Settings;
    use palpate_geometry::{Convex, Pose};

    /// A small cube, rounded by an eighth: the core's corners are three and four sixteenths below the top of the solid.
    #[test]
    fn a_point_counts_with_its_radius_where_it_is_deeper_than_what_is_known() {
        let solid = blocks(&[[[-1.0; 3], [1.0; 3]]]);
        let corner = |k: usize| Point::from([0, 1, 2].map(|axis| (k >> axis & 1) as f64 * 0.0625));
        let corners: Vec<Point> = (0..8).map(corner).collect();
        let pose = Pose::translation(0.25, 0.75, 0.25);
        let rounded = Convex::new(pose, &corners).unwrap().with_radius(0.125).unwrap();
        let filter = ElementFilter { facing: true, outer: true };
        let mesh = MeshSide { surface: &solid, volume: None, sidedness: SurfaceSidedness::Solid, filter };
        let body = ConvexBody::new(&rounded).unwrap();
        let pair = ConvexPair { mesh, body, settings: Settings::default(), manifold: true, exits_only: true };
        for least in [0.0, 0.125, 0.3125, 0.359375] {
            let deepest = pair.deepest_point(|_| true, least, false, std::iter::empty()).unwrap();
            assert_eq!((deepest.depth, deepest.radius, deepest.outward), (0.25, 0.125, Vector::y()));
        }
        assert!(
            pair.deepest_point(|_| true, 0.390625, false, [(Point::new(0.25, 1.0, 0.25), 0)].into_iter())
                .is_none()
        );
    }
}
