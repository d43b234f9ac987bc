//! Contact of a ball with a shape with a closed-form signed distance.

use super::exact;
use crate::contact::CoreContact;
use crate::minkowski_difference::MinkowskiDifference;
use crate::support::{Core, Projection};
use crate::vector::VectorSpace;

/// Returns the contact where one of the cores is a point; `None` if the other has no closed-form signed distance.
#[inline(always)]
pub(super) fn contact<V: VectorSpace, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
) -> Option<CoreContact<V>> {
    let MinkowskiDifference { a, b, b_in_a, .. } = difference;
    if B::POINT {
        let Projection { distance, outward } = a.project(b_in_a.translation)?;
        return Some(exact(distance, -outward, b_in_a.translation - outward * distance));
    }
    let Projection { distance, outward } = b.project(b_in_a.own(V::zero()))?;
    Some(exact(distance, outward.rotated(&b_in_a.rotation), V::zero()))
}
