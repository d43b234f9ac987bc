//! Pairs whose contact has a closed form: a round point with a shape that knows its signed distance, two cylinders side by
//! side or end to end, two bodies of revolution about one axis.
//!
//! And, where a search has not ended with bounds that meet, a corner of a segment or a triangle in such a shape.
//!
//! The last three are no matter of speed. Where two bodies share an axis, or nearly all of their surface is equally near, the
//! whole round side is equally deep, and a polytope would have to follow it all around.

mod coaxial;
mod corner;
mod parallel;
mod point;

pub(crate) use corner::contact as by_corner;

use crate::contact::{CoreContact, Status};
use crate::minkowski_difference::MinkowskiDifference;
use crate::support::Core;
use crate::vector::VectorSpace;

/// The contact of the cores in closed form, in the frame of A; none where there is no closed form.
#[inline(always)]
pub(crate) fn contact<V: VectorSpace, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
) -> Option<CoreContact<V>> {
    if A::POINT || B::POINT {
        return point::contact(difference);
    }
    // Two bare segments are left to GJK, which ends with their features.
    if A::CURVED || B::CURVED { of_parallel_axes(difference) } else { None }
}

/// How far an axis may be from parallel, as a sine: what rounding of the rotations alone can do.
const PARALLEL: f64 = 8.0 * f64::EPSILON;

#[inline(always)]
fn of_parallel_axes<V: VectorSpace, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
) -> Option<CoreContact<V>> {
    let (rims_a, rims_b) = (difference.a.rims()?, difference.b.rims()?);
    let up = V::axis(1);
    let axis_b = up.rotated(&difference.b_in_a.rotation);
    let along = axis_b.inner(up);
    if (axis_b - up * along).largest() > PARALLEL {
        return None;
    }
    let height = difference.b_in_a.translation.inner(up);
    // B's rims as heights on A's axis.
    let rims_b = rims_b.map(|mut rim| {
        rim.height = height + if along < 0.0 { -rim.height } else { rim.height };
        rim
    });
    let across = difference.b_in_a.translation - up * height;
    let offset = across.length();
    if rims_a[0].radius == rims_a[1].radius && rims_b[0].radius == rims_b[1].radius {
        // With a common axis every direction across it is as good; the first axis is one.
        let sideways = if offset > difference.rounding_error { across * (1.0 / offset) } else { V::axis(0) };
        return Some(parallel::contact(&rims_a, &rims_b, sideways, offset));
    }
    if offset <= difference.rounding_error {
        Some(coaxial::contact(&rims_a, &rims_b, difference.rounding_error))
    } else {
        None
    }
}

/// An answer exact to rounding: the signed distance, the unit direction from B to A, a point of A.
#[inline(always)]
fn exact<V: VectorSpace>(distance: f64, direction: V, on_a: V) -> CoreContact<V> {
    CoreContact {
        depth: -distance,
        lower: -distance,
        upper: -distance,
        direction,
        on_a,
        off: 0.0,
        status: Status::Exact,
        iterations: [0; 2],
    }
}

/// The middle of what two intervals share; of what lies between them, if they share nothing.
#[inline(always)]
fn middle(first: (f64, f64), second: (f64, f64)) -> f64 {
    let low = if first.0 > second.0 { first.0 } else { second.0 };
    let high = if first.1 < second.1 { first.1 } else { second.1 };
    (low + high) * 0.5
}
