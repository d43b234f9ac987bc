//! A convex body on a plane; shared by the detectors of such pairs.

use crate::pairs::PlaneSettings;
use crate::pairs::primitive::manifold_points::{exactly, own_point, push_point};
use crate::pairs::primitive::plane_side::PlaneSides;
use crate::{Context, Status};
use palpate_contact::CollisionData;
use palpate_convex::{Extreme, Faces, Manifold, ManifoldPoint, RigidTransform, VectorSpace};
use palpate_geometry::Plane;
use palpate_math::{Point, Vector, rounding};
use serde::{Deserialize, Serialize};

/// Settings of the detectors of bodies that can rest on a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlaneBodySettings {
    /// The sidedness of the plane; by default that of the plane itself.
    pub sides: PlaneSides,
    /// Whether the contact area is reported as a manifold of several points (the default), or as the lowest point
    /// only.
    pub manifold: bool,
}

impl Default for PlaneBodySettings {
    fn default() -> Self {
        Self { sides: PlaneSides::default(), manifold: true }
    }
}

impl PlaneBodySettings {
    /// Returns the sidedness settings.
    pub(crate) fn sides(self) -> PlaneSettings {
        PlaneSettings { sides: self.sides }
    }
}

/// A convex body on a plane, in closed form: its lowest point by its support map, and the corners of its face that
/// faces the plane.
pub(crate) struct PlaneBody {
    settings: PlaneBodySettings,
    manifold: Manifold,
}

impl PlaneBody {
    pub(crate) fn new(settings: PlaneBodySettings) -> Self {
        Self { settings, manifold: Manifold::default() }
    }

    pub(crate) fn detect<B: Faces>(
        &mut self,
        plane: &Plane,
        body: (&B, &RigidTransform<Vector>),
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let normal = plane.normal();
        let (core, pose) = body;
        let reach = core.bounding_radius() + core.radius();
        let middle = Point::from(pose.translation);
        let undecided = rounding::length(rounding::largest_coordinate([&middle, &plane.position()]) + reach);
        if plane.height(&middle) > reach + context.margin() + undecided {
            return Status::default();
        }
        let upward = normal.unrotated(&pose.rotation);
        let lowest = farthest(body, -normal, -upward);
        let (mut outward, mut height, mut deepest) = (normal, plane.height(&lowest.point), lowest);
        let sides = self.settings.sides();
        if sides.two_sided(plane) {
            let highest = farthest(body, normal, upward);
            (outward, height) = sides.way_out(plane, height, plane.height(&highest.point));
            deepest = if outward == normal { lowest } else { highest };
        }
        let depth = -height;
        if context.reports(depth) {
            let place = plane.position().coords;
            let found = exactly((deepest.point - outward * height).coords, depth, -outward);
            if self.settings.manifold {
                let upward = if outward == normal { upward } else { -upward };
                let deepest = (deepest.point.coords, deepest.id, depth);
                let push = |index: usize, point: &ManifoldPoint| push_point(out, &found, index, point);
                self.manifold.over_plane((outward, upward, place), body, deepest, context.margin(), push);
            } else {
                push_point(out, &found, 0, &own_point(&found));
            }
        }
        Status::default()
    }
}

/// A support point of a body, world frame.
#[derive(Clone, Copy)]
struct Farthest {
    point: Point,
    id: u32,
}

/// Returns the body's support point along a unit direction, which is `own` in the body's frame.
#[inline(always)]
fn farthest<B: Faces>(
    (core, pose): (&B, &RigidTransform<Vector>),
    direction: Vector,
    own: Vector,
) -> Farthest {
    let Extreme { point, id } = core.support_once(own);
    Farthest { point: Point::from(pose.point(point) + direction * core.radius()), id }
}
