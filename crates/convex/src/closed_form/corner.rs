//! Contact by a corner of a segment or a triangle in a shape with a closed-form signed distance.
//!
//! The corner's separating direction is that of the whole core if all other corners are farther along it: no shorter
//! separation exists, since it must separate the corner too. On the axis of a cone, where the whole wall is equally
//! close, an iterative search would follow the wall all around.

use super::exact;
use crate::contact::CoreContact;
use crate::minkowski_difference::MinkowskiDifference;
use crate::support::{Core, NO_ID};
use crate::vector::VectorSpace;

/// Offset from a corner at which the choice among several equal directions is evaluated, relative to the size.
const BESIDE: f64 = 1e-6;

/// Returns the contact by a corner of one of the two cores, with the separating direction near `found`, from B to A;
/// `None` if no corner is the deepest point, or the other core has no closed-form signed distance.
#[inline(never)]
#[cold]
pub(crate) fn contact<V: VectorSpace, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    found: V,
) -> Option<CoreContact<V>> {
    let MinkowskiDifference { a, b, b_in_a, size, rounding_error } = *difference;
    let of_a = || {
        (0..A::CORNERS).find_map(|id| {
            let corner = a.vertex(id)?;
            let distance = b.project(b_in_a.own(corner))?.distance;
            let others = (0..A::CORNERS).filter_map(|other| Some(a.vertex(other)? - corner));
            ways(found, others).find_map(|way| {
                let near = corner + way * (BESIDE * size);
                let outward = b.project(b_in_a.own(near))?.outward.rotated(&b_in_a.rotation);
                is_depth(difference, outward, -distance, rounding_error)
                    .then(|| exact(distance, outward, corner))
            })
        })
    };
    let of_b = || {
        (0..B::CORNERS).find_map(|id| {
            let corner = b_in_a.point(b.vertex(id)?);
            let distance = a.project(corner)?.distance;
            let others = (0..B::CORNERS).filter_map(|other| Some(b_in_a.point(b.vertex(other)?) - corner));
            ways(-found, others).find_map(|way| {
                let outward = a.project(corner + way * (BESIDE * size))?.outward;
                is_depth(difference, -outward, -distance, rounding_error)
                    .then(|| exact(distance, -outward, corner - outward * distance))
            })
        })
    };
    of_a().or_else(of_b)
}

/// Yields the offsets from a corner to evaluate: none, the direction found, and, as the other corners must not be
/// deeper, its components perpendicular to the edge to each.
fn ways<V: VectorSpace>(found: V, others: impl Iterator<Item = V>) -> impl Iterator<Item = V> {
    let across = others.filter_map(move |along| {
        let square = along.inner(along);
        (square > 0.0).then(|| found - along * (along.inner(found) / square))
    });
    [V::zero(), found].into_iter().chain(across)
}

/// Whether the overlap of the cores along a unit direction is at most `depth`, up to rounding error.
fn is_depth<V: VectorSpace, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    direction: V,
    depth: f64,
    rounding_error: f64,
) -> bool {
    let farthest = difference.support(-direction, [NO_ID; 2]).point;
    -farthest.inner(direction) <= depth + rounding_error
}

#[cfg(test)]
mod tests {
    use crate::{Capsule, Cone, Memory, RigidTransform, Segment, Settings, Termination, contact};
    use nalgebra::Vector3;

    type V = Vector3<f64>;

    /// The wall of the cone is 0.25 sin(atan(radius / length)) from the axis at its middle.
    #[test]
    fn an_end_on_the_axis_of_a_cone_has_its_exact_depth() {
        let cone = Cone { radius: 0.125, half_length: 0.25 };
        let (pose, settings) = (RigidTransform::at(V::new(0.5, 0.25, -1.0)), Settings::default());
        let wall = 0.25 * 0.125 / 0.125_f64.hypot(0.5);
        let ball = Capsule { radius: 0.25, half_length: 0.0 };
        let found = contact((&ball, &pose), (&cone, &pose), &mut Memory::default(), &settings);
        assert_eq!(found.status, Termination::Exact);
        assert!((found.depth - wall - 0.25).abs() < 1e-15, "{found:?}");
        // The other end, outside, is farther along only some of the directions through the wall.
        let segment = Segment { ends: [V::zeros(), V::new(-0.6, 0.0, 0.8)] };
        for exchanged in [false, true] {
            let found = if exchanged {
                contact((&cone, &pose), (&segment, &pose), &mut Memory::default(), &settings)
            } else {
                contact((&segment, &pose), (&cone, &pose), &mut Memory::default(), &settings)
            };
            assert!((found.depth - wall).abs() < 1e-12, "{found:?}");
            assert!((found.point_a + found.direction * found.depth - found.point_b).norm() < 1e-15);
        }
    }
}
