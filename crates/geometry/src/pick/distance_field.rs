//! Ray casts against bodies given by a distance function.

use super::Ray;
use super::hit::{Crossing, End, Hit, Span};
use crate::GeometryError;
use palpate_contact::Feature;
use palpate_math::{Aabb, Point, Vector};

/// A function that is negative inside, and its outward unit direction.
pub(super) trait Field {
    fn value(&self, point: &Point) -> f64;
    fn outward(&self, point: &Point) -> Vector;
    fn feature(&self, point: Point) -> Feature;
}

/// Minimum step relative to the length of the path: thinner parts, where the ray nearly grazes, may be missed.
const SHORTEST_STEP: f64 = 1e-6;

/// Bisections that shrink a bracket of one step to rounding error.
const HALVINGS: usize = 80;

/// Computes the hits on the ray within `bounds`, in order: sphere tracing (J. C. Hart, "Sphere tracing", The Visual
/// Computer 12 (1996)), through the body as well as up to it, and bisection at sign changes. `steepness` is a Lipschitz
/// bound of the function. Errors: both the ray and the body are unbounded.
pub(super) fn march(
    ray: &Ray,
    bounds: &Aabb,
    field: &impl Field,
    steepness: f64,
    first_only: bool,
    out: &mut Vec<Hit>,
) -> Result<(), GeometryError> {
    let Some([enter, leave]) = ray.within(bounds) else { return Ok(()) };
    let (start, end) = (enter.max(0.0), leave.min(ray.length()));
    if !end.is_finite() {
        let what = "the length of a ray against an unbounded body".to_owned();
        return Err(GeometryError::NotFinite { what, value: end });
    }
    let is_inside = |distance: f64| field.value(&ray.at(distance)) <= 0.0;
    let shortest = SHORTEST_STEP * (end - start);
    let mut at = start;
    let mut inside = is_inside(at);
    while at < end {
        let step = (field.value(&ray.at(at)).abs() / steepness).max(shortest);
        let next = (at + step).min(end);
        if next <= at {
            break;
        }
        if is_inside(next) != inside {
            let distance = bisected(at, next, |distance| is_inside(distance) == inside);
            let point = ray.at(distance);
            let crossing = if inside { Crossing::Leave } else { Crossing::Enter };
            out.push(Hit {
                distance,
                normal: field.outward(&point),
                crossing,
                feature: field.feature(point),
            });
            inside = !inside;
            if first_only {
                return Ok(());
            }
        }
        at = next;
    }
    Ok(())
}

/// Computes the part of the line within a convex body: the function is convex along the line, so its minimum is found
/// by shrinking a bracket, and the two ends by bisection.
pub(super) fn convex_span(ray: &Ray, bounds: &Aabb, field: &impl Field) -> Option<Span> {
    let [start, end] = ray.within(bounds)?;
    let value = |distance: f64| field.value(&ray.at(distance));
    let (mut low, mut high) = (start, end);
    let mut least = low;
    for _ in 0..2 * HALVINGS {
        let third = (high - low) / 3.0;
        let (a, b) = (low + third, high - third);
        let (at_a, at_b) = (value(a), value(b));
        if at_a <= at_b {
            high = b
        } else {
            low = a
        }
        least = if at_a <= at_b { a } else { b };
        if at_a.min(at_b) <= 0.0 || !(low < a && b < high || a < b) {
            break;
        }
    }
    if value(least) > 0.0 {
        return None;
    }
    let end_at = |distance: f64| End { distance, normal: field.outward(&ray.at(distance)) };
    let enter = bisected(start, least, |distance| value(distance) > 0.0);
    let leave = bisected(least, end, |distance| value(distance) <= 0.0);
    Some([end_at(enter), end_at(leave)])
}

/// Returns the last point between the two at which `holds`, which is true at the first and false at the second.
fn bisected(from: f64, to: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut from, mut to) = (from, to);
    for _ in 0..HALVINGS {
        let middle = from + (to - from) * 0.5;
        if holds(middle) { from = middle } else { to = middle }
    }
    to
}
