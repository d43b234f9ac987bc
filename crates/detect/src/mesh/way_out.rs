//! The direction in which a convex body leaves a solid into which it reaches deeply.
//!
//! The depth of such a body is a lower bound: of its deepest point, of the flat part around a triangle, of a chord. Where it
//! reaches past the middle of a thin solid, the way of that part leads through a side that the body does not touch, and a
//! body that follows it goes back and forth. The depth is then kept, and the direction is that of the shortest translation
//! that takes the body past all triangles which it overlaps.

use crate::mesh::convex_contact::lies_on;
use crate::mesh::deepest_point::DeepestPoint;
use crate::mesh::through_surface::is_within;
use crate::mesh::{ConvexPair, TriangleContact};
use palpate_geometry::{SurfaceFeature, SurfaceMesh};
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

/// The number of directions that are remembered as tried.
const TRIED: usize = 16;

/// Returns the exit with the direction of the shortest way past all triangles `found` on its part of the surface, if the
/// given one leads much farther.
pub(super) fn by_shortest_way(
    pair: &ConvexPair<'_>,
    found: &[TriangleContact],
    part: Option<u32>,
    exit: DeepestPoint,
) -> DeepestPoint {
    let overlapped =
        || found.iter().filter(|found| found.lower > 0.0 && part.is_none_or(|part| found.part == part));
    let surface = pair.mesh.surface;
    let Some(normals) = surface.normals() else { return exit };
    let depth = exit.depth + exit.radius;
    let way = |outward: &Vector, limit: f64| way_along(pair, overlapped(), outward, limit);
    let past_own = exit.nearest.point.coords.dot(&exit.outward) - lowest_along(pair, &exit.outward);
    let given = way(&exit.outward, f64::INFINITY).max(past_own);
    if given <= DETOUR * depth {
        return exit;
    }
    let (mut shortest, mut best) = (SHORTER * given, None);
    let (mut tried, mut count) = ([Vector::zeros(); TRIED], 0);
    for found in overlapped() {
        let outwards = [Some(normals.face(found.triangle)), over_edge(pair, found)];
        for outward in outwards.into_iter().flatten() {
            if tried.iter().any(|other| (other - outward).norm_squared() < SAME * SAME) {
                continue;
            }
            tried[count % TRIED] = outward;
            count += 1;
            let along = way(&outward, shortest);
            if along < (1.0 - EQUAL) * shortest
                && let Some(other) = exit_at(pair, found, outward, depth)
            {
                (shortest, best) = (along, Some(other));
            }
        }
    }
    best.map_or(exit, |best| DeepestPoint { is_whole: false, ..best })
}

/// Returns the direction of a triangle's own exit if that leads over the inner part of an edge, or over a vertex.
fn over_edge(pair: &ConvexPair<'_>, found: &TriangleContact) -> Option<Vector> {
    let weights = match found.place.feature {
        SurfaceFeature::Face(_) => return None,
        SurfaceFeature::Edge(_) => &found.place.weights[..2],
        SurfaceFeature::Vertex(_) => &found.place.weights[..1],
    };
    let lies = lies_on(pair.mesh.surface, found.triangle, &found.direction);
    let is_inner = weights.iter().all(|weight| *weight > SAME);
    (is_inner && !lies && !pair.leads_inward(found)).then_some(-found.direction)
}

/// The height of the body's lowest point along a unit direction.
fn lowest_along(pair: &ConvexPair<'_>, outward: &Vector) -> f64 {
    pair.body.map().support(&-outward).coords.dot(outward)
}

/// How far the body moves along a unit direction until it is past all triangles; some number from `limit` on if that is
/// farther.
fn way_along<'f>(
    pair: &ConvexPair<'_>,
    overlapped: impl Iterator<Item = &'f TriangleContact>,
    outward: &Vector,
    limit: f64,
) -> f64 {
    let lowest = lowest_along(pair, outward);
    let mut way = 0.0_f64;
    for found in overlapped {
        for corner in pair.mesh.surface.corners(found.triangle) {
            way = way.max(corner.coords.dot(outward) - lowest);
        }
        if way >= limit {
            break;
        }
    }
    way
}

/// Returns an exit of the given depth along a direction, from a point of the body to the surface; `None` if none is found.
fn exit_at(
    pair: &ConvexPair<'_>,
    found: &TriangleContact,
    outward: Vector,
    depth: f64,
) -> Option<DeepestPoint> {
    let surface = pair.mesh.surface;
    let lies = lies_on(surface, found.triangle, &outward);
    let start = if lies { middle(surface, found.triangle) } else { found.place.point };
    let lowest = pair.body.map().support(&-outward);
    let height = (start - lowest).dot(&outward);
    if height < depth {
        return None;
    }
    let below = start - outward * depth;
    if !lies {
        return is_within(pair, &below).then(|| DeepestPoint::below(found.place, outward, depth));
    }
    // Below the middle, or on the line from there to the lowest point.
    let on_line = start + (lowest - start) * (depth / height);
    [below, on_line].into_iter().filter(|on_body| is_within(pair, on_body)).find_map(|on_body| {
        let off = OFF * pair.body.size();
        let nearest = surface.nearest(&(on_body + outward * depth), off * off)?;
        Some(DeepestPoint::below(nearest, outward, depth))
    })
}

fn middle(surface: &SurfaceMesh, triangle: u32) -> Point {
    let [a, b, c] = surface.corners(triangle);
    Point::from((a.coords + b.coords + c.coords) / 3.0)
}
