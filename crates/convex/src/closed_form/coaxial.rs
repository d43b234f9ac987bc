//! Contact of two coaxial bodies of revolution, each the hull of two circles.
//!
//! By symmetry the contact lies in a plane through the axis, where the bodies are trapezoids, whose sides are those of
//! their Minkowski difference: the directions to try are up, down and perpendicular to either slant. Bodies that do not
//! overlap are apart along the axis, since each reaches its extreme heights on the axis.

use super::{exact, middle};
use crate::contact::CoreContact;
use crate::support::Rim;
use crate::vector::VectorSpace;

/// A direction in the half plane: away from the axis (not negative) and along it.
#[derive(Clone, Copy)]
struct Direction {
    across: f64,
    along: f64,
}

/// Computes the contact. Takes both pairs of rims as heights on the common axis.
#[inline(never)]
pub(super) fn contact<V: VectorSpace>(a: &[Rim; 2], b: &[Rim; 2], rounding_error: f64) -> CoreContact<V> {
    let mut best = (f64::INFINITY, Direction { across: 0.0, along: 1.0 });
    let slant_b = slant(b).map(|Direction { across, along }| Direction { across, along: -along });
    let ends = [1.0, -1.0].map(|along| Some(Direction { across: 0.0, along }));
    for direction in [ends[0], ends[1], slant(a), slant_b].into_iter().flatten() {
        let depth = extent(a, direction) + extent(b, opposite(direction));
        if depth < best.0 {
            best = (depth, direction);
        }
    }
    let (depth, direction) = best;
    let place = middle(
        shared(a, direction, direction, rounding_error),
        shared(b, opposite(direction), direction, rounding_error),
    );
    // Convert back from height along the direction and offset across it.
    let height = extent(a, direction);
    let across = direction.across * height - direction.along * place;
    let along = direction.along * height + direction.across * place;
    // At an end the contact is on the axis.
    let across = if direction.across > 0.0 { across } else { 0.0 };
    let outward = V::axis(0) * direction.across + V::axis(1) * direction.along;
    exact(-depth, -outward, V::axis(0) * across + V::axis(1) * along)
}

/// Reverses the radial part for B, which faces the other way on the same side of the axis.
fn opposite(direction: Direction) -> Direction {
    Direction { across: -direction.across, along: -direction.along }
}

/// Returns the unit outward normal of the line that joins the two rims; `None` if it has no length or no outward side.
fn slant(rims: &[Rim; 2]) -> Option<Direction> {
    let (rise, run) = (rims[0].height - rims[1].height, rims[1].radius - rims[0].radius);
    let length = (rise * rise + run * run).sqrt();
    if rise == 0.0 {
        return None;
    }
    let sign = if rise < 0.0 { -1.0 } else { 1.0 };
    Some(Direction { across: sign * rise / length, along: sign * run / length })
}

/// Returns the extent along a direction over the whole trapezoid.
fn extent(rims: &[Rim; 2], direction: Direction) -> f64 {
    let [first, second] = rims.map(|rim| rim.radius * direction.across.abs() + rim.height * direction.along);
    if first > second { first } else { second }
}

/// Returns the range across `frame` of the rims that are farthest along `direction`.
fn shared(rims: &[Rim; 2], direction: Direction, frame: Direction, rounding_error: f64) -> (f64, f64) {
    let top = extent(rims, direction);
    let mut range = (f64::INFINITY, f64::NEG_INFINITY);
    for rim in rims {
        if rim.radius * direction.across.abs() + rim.height * direction.along >= top - rounding_error {
            let across = if direction.across < 0.0 { -rim.radius } else { rim.radius };
            let place = rim.height * frame.across - across * frame.along;
            range = (range.0.min(place), range.1.max(place));
        }
    }
    range
}
