//! Closed-form contacts: a ball and a shape with a closed-form signed distance, two cylinders with parallel axes, two
//! coaxial bodies of revolution.
//!
//! Also, where a search ended with a gap between its bounds, a corner of a segment or a triangle in such a shape.
//!
//! The last three are not for speed. Where two bodies are coaxial, or nearly all of a surface is equally close, the
//! whole round side is equally deep, and EPA's polytope would follow it all around.

mod coaxial;
mod corner;
mod parallel;
mod point;

pub(crate) use corner::contact as by_corner;

use crate::contact::{CoreContact, Termination};
use crate::minkowski_difference::MinkowskiDifference;
use crate::support::Core;
use crate::vector::VectorSpace;

/// Returns the contact of the cores in closed form, in the frame of A; `None` if there is no closed form.
#[inline(always)]
pub(crate) fn contact<V: VectorSpace, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
) -> Option<CoreContact<V>> {
    if A::POINT || B::POINT {
        return point::contact(difference);
    }
    // Two bare segments are left to GJK, which also returns their features.
    if A::CURVED || B::CURVED { of_parallel_axes(difference) } else { None }
}

/// The largest sine of an angle between parallel axes: the rounding error of the rotations.
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
        // For a common axis every radial direction is equally good; use the first axis.
        let sideways = if offset > difference.rounding_error { across * (1.0 / offset) } else { V::axis(0) };
        return Some(parallel::contact(&rims_a, &rims_b, sideways, offset));
    }
    if offset <= difference.rounding_error {
        Some(coaxial::contact(&rims_a, &rims_b, difference.rounding_error))
    } else {
        None
    }
}

/// Creates a contact exact to rounding from the signed distance, the unit direction from B to A and a point of A.
#[inline(always)]
fn exact<V: VectorSpace>(distance: f64, direction: V, on_a: V) -> CoreContact<V> {
    CoreContact {
        depth: -distance,
        lower: -distance,
        upper: -distance,
        direction,
        on_a,
        off: 0.0,
        status: Termination::Exact,
        iterations: [0; 2],
    }
}

/// Returns the middle of the intersection of two intervals, or of the gap between them if they are disjoint.
#[inline(always)]
fn middle(first: (f64, f64), second: (f64, f64)) -> f64 {
    let low = if first.0 > second.0 { first.0 } else { second.0 };
    let high = if first.1 < second.1 { first.1 } else { second.1 };
    (low + high) * 0.5
}
