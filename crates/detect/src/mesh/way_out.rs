//! The direction in which a convex body leaves a solid into which it reaches deeply.
//!
//! The depth of such a body is a lower bound: of its deepest point, of the flat part around a triangle, of a chord. Where it
//! reaches past the middle of a thin solid, the way of that part leads through a side that the body does not touch, and a
//! body that follows it goes back and forth. The depth is then kept, and the direction is that of the shortest translation
//! that takes the body past all triangles which it overlaps: along the normal of one of them, over an edge of the solid, or
//! through the side that is seen along an axis of the body.

use crate::ConvexBody;
use crate::mesh::deepest_point::DeepestPoint;
use palpate_geometry::SurfaceMesh;
use palpate_geometry::pick::{Crossing, Ray, first_own_triangle_hit};
use palpate_math::direction::unit_or;
use palpate_math::{Point, Vector};

/// A way this much longer than the depth leads out well enough.
const DETOUR: f64 = 1.125;

/// Another way has to be shorter by this factor.
const SHORTER: f64 = 0.875;

/// How far a place may be off the surface, relative to the size of the body.
const OFF: f64 = 1e-10;

/// Directions that differ by less, as the norm of their difference, are one.
const SAME: f64 = 1e-6;

/// Ways that differ by less, relative to their length, are equally long: the first counts.
const EQUAL: f64 = 1e-6;

/// Projections until a place is found.
const PROJECTIONS: usize = 16;

/// The number of directions that are remembered as tried.
const TRIED: usize = 16;

/// A convex body in a solid.
#[derive(Clone, Copy)]
pub(crate) struct WayOut<'a> {
    pub(crate) surface: &'a SurfaceMesh,
    pub(crate) body: &'a ConvexBody<'a>,
    /// The part of the surface, if it has several.
    pub(crate) part: Option<u32>,
}

impl WayOut<'_> {
    /// Returns an exit of the same depth along the shortest way past all triangles `overlapped` of the part, if the given one
    /// leads much farther and a place for the other is found. `over` are places on edges of the solid with the unit directions over them.
    pub(crate) fn shortest<I: Iterator<Item = u32>>(
        &self,
        exit: &DeepestPoint,
        overlapped: impl Fn() -> I,
        over: impl Iterator<Item = (Point, Vector)>,
    ) -> Option<DeepestPoint> {
        let Self { surface, body, .. } = *self;
        let normals = surface.normals()?;
        let depth = exit.depth + exit.radius;
        // Past the place where the body exits, and past all triangles.
        let way = |place: &Point, outward: &Vector, limit: f64| {
            let lowest = body.map().support(&-outward).coords.dot(outward);
            let mut way = place.coords.dot(outward) - lowest;
            let corners = overlapped().flat_map(|triangle| surface.corners(triangle));
            for corner in corners {
                if way >= limit {
                    break;
                }
                way = way.max(corner.coords.dot(outward) - lowest);
            }
            way
        };
        // Over a border the part of the surface around one face may be left inward, but the solid along the face at most.
        let normal = normals.face(surface.owner(exit.nearest.feature));
        let level = exit.outward - normal * normal.dot(&exit.outward).min(0.0);
        let given = way(&exit.nearest.point, &unit_or(&level, &exit.outward), f64::INFINITY);
        if given <= DETOUR * depth {
            return None;
        }
        let of_faces = overlapped().map(|triangle| (surface.corners(triangle)[0], normals.face(triangle)));
        let (mut shortest, mut best) = (SHORTER * given, None);
        let (mut tried, mut count) = ([Vector::zeros(); TRIED], 0);
        for (place, outward) in of_faces.chain(over).chain(self.sides(exit)) {
            if tried.iter().any(|other| (other - outward).norm_squared() < SAME * SAME) {
                continue;
            }
            tried[count % TRIED] = outward;
            count += 1;
            let along = way(&place, &outward, shortest);
            if along < (1.0 - EQUAL) * shortest
                && let Some(other) = self.exit_at(exit, &place, outward)
            {
                (shortest, best) = (along, Some(other));
            }
        }
        best
    }

    /// Returns the places and the normals of the surface that are seen from within the solid, against the exit and along the
    /// axes of the body.
    fn sides(&self, exit: &DeepestPoint) -> impl Iterator<Item = (Point, Vector)> {
        let middle = nalgebra::center(&exit.nearest.point, &exit.point);
        let size = self.surface.tree().map_or(0.0, |tree| (tree.bounds().max - tree.bounds().min).norm());
        let axes = [Vector::x(), Vector::y(), Vector::z()].map(|axis| self.body.turned(&axis));
        let opposite = std::iter::once(-exit.outward);
        opposite.chain(axes.into_iter().flat_map(|axis| [axis, -axis])).filter_map(move |toward| {
            let ray = Ray::new(middle, toward, size).ok()?;
            let hit = first_own_triangle_hit(self.surface, &ray)?;
            (hit.crossing == Crossing::Leave).then(|| (hit.point(), hit.normal))
        })
    }

    /// Returns an exit along a direction, as deep as the given one, from a point of the body to the surface; `None` if none is
    /// found near a place.
    fn exit_at(&self, exit: &DeepestPoint, place: &Point, outward: Vector) -> Option<DeepestPoint> {
        let Self { surface, body, part } = *self;
        let (depth, off) = (exit.depth + exit.radius, OFF * body.size());
        let height = |point: &Point| (place - point).dot(&outward);
        // A point of the body that is as deep below the place.
        let from = body.position();
        let to = body.map().support(&if height(&from) < depth { -outward } else { outward });
        let share = (depth - height(&from)) / (height(&to) - height(&from));
        // As deep as the body reaches, but for rounding.
        if !(-EQUAL..=1.0 + EQUAL).contains(&share) {
            return None;
        }
        // Projected onto the surface and the body in turns.
        let mut on_body = from + (to - from) * share.clamp(0.0, 1.0);
        for _ in 0..PROJECTIONS {
            let above = on_body + outward * depth;
            let nearest = surface.nearest(&above, f64::INFINITY)?;
            if part.is_some_and(|part| surface.adjacency().part_of(surface.owner(nearest.feature)) != part) {
                return None;
            }
            on_body = nearest.point - outward * depth;
            let signed = body.distance().map(|solid| solid.signed_distance(&on_body));
            let is_within = signed.is_some_and(|signed| signed.distance <= off);
            if is_within || (nearest.point - above).norm() <= off {
                let below = DeepestPoint::below(nearest, outward, depth);
                return Some(DeepestPoint { is_whole: false, ..below });
            }
            let signed = signed?;
            on_body -= signed.gradient * signed.distance;
        }
        None
    }
}
