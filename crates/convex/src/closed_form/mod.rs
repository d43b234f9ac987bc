//! Pairs whose contact has a closed form: a round point with a shape that knows its signed distance, and two cylinders (of
//! which one may be as thin as a capsule's segment) side by side or end to end.

use crate::contact::{CoreContact, Status};
use crate::difference::Difference;
use crate::support::{Core, Projection};
use crate::vector::Space;

/// The contact of the cores in closed form, in the frame of A; none where there is no closed form.
#[inline(always)]
pub(crate) fn contact<V: Space, A: Core<V>, B: Core<V>>(
    difference: &Difference<'_, V, A, B>,
) -> Option<CoreContact<V>> {
    let Difference { a, b, b_in_a, .. } = difference;
    if B::POINT && let Some(Projection { distance, outward }) = a.project(b_in_a.translation) {
        return Some(exact(distance, -outward, b_in_a.translation - outward * distance));
    }
    if A::POINT && let Some(Projection { distance, outward }) = b.project(b_in_a.own(V::zero())) {
        return Some(exact(distance, outward.rotated(&b_in_a.rotation), V::zero()));
    }
    // Two bare segments are left to GJK, which ends with their features.
    if A::CURVED || B::CURVED { parallel_cylinders(difference) } else { None }
}

#[inline(always)]
fn exact<V: Space>(distance: f64, direction: V, on_a: V) -> CoreContact<V> {
    CoreContact {
        depth: -distance,
        lower: -distance,
        upper: -distance,
        direction,
        on_a,
        status: Status::Exact,
        iterations: [0; 2],
    }
}

/// Two cylinders with parallel axes: their difference is a cylinder again, and the origin has a signed distance from it.
///
/// The general method would answer too, but where the axes coincide the whole round side is equally deep, and a polytope
/// would have to follow it all around.
#[inline(always)]
fn parallel_cylinders<V: Space, A: Core<V>, B: Core<V>>(
    difference: &Difference<'_, V, A, B>,
) -> Option<CoreContact<V>> {
    let (radius_a, half_a) = difference.a.as_cylinder()?;
    let (radius_b, half_b) = difference.b.as_cylinder()?;
    let (up, apart) = (V::axis(1), difference.b_in_a.translation);
    let axis_b = up.rotated(&difference.b_in_a.rotation);
    let tilt = axis_b - up * axis_b.inner(up);
    if tilt.largest() > 8.0 * f64::EPSILON {
        return None;
    }
    let height = apart.inner(up);
    let across = apart - up * height;
    let offset = across.length();
    // With a common axis every direction across it is as good; the first axis is one.
    let sideways = if offset > difference.noise { across * (1.0 / offset) } else { V::axis(0) };
    let side = offset - (radius_a + radius_b);
    let end = height.abs() - (half_a + half_b);
    let upward = if height < 0.0 { -1.0 } else { 1.0 };
    let (distance, along_side, along_axis) = if side > 0.0 && end > 0.0 {
        let distance = (side * side + end * end).sqrt();
        (distance, side / distance, end / distance)
    } else if side > end {
        (side, 1.0, 0.0)
    } else {
        (end, 0.0, 1.0)
    };
    // The contact lies in the middle of what the two share across its direction.
    let place_across =
        if along_side > 0.0 { radius_a } else { middle(radius_a, offset - radius_b, offset + radius_b) };
    let place_along =
        if along_axis > 0.0 { upward * half_a } else { middle(half_a, height - half_b, height + half_b) };
    let outward = sideways * along_side + up * (upward * along_axis);
    Some(exact(distance, -outward, sideways * place_across + up * place_along))
}

/// The middle of what the intervals `-half..half` and `low..high` share.
#[inline(always)]
fn middle(half: f64, low: f64, high: f64) -> f64 {
    let low = if low > -half { low } else { -half };
    let high = if high < half { high } else { half };
    (low + high) * 0.5
}
