//! The deepest places of shells.
//!
//! Where a maximum of `g` and `-h` is `-d`, a ball of radius `d` about the place is in the body of `g`, and its point that is
//! farthest from the body of `h` has twice that distance from it, at least. So `d` is at most half of the greatest distance of
//! the points of one body from the other. Of a shell the whole middle surface has this depth.

use crate::base::CylinderDomain;
use crate::function::{Description, ImplicitFunction};
use palpate_math::{Point, Vector, direction};

/// Bounds the rounding error of the distances, relative to the size.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Returns a lower bound of the maximum of a solid's function and the negative of a hollow's, if both bound distances.
pub(super) fn floor_of_shell(solid: &dyn ImplicitFunction, hollow: &dyn ImplicitFunction) -> Option<f64> {
    let is_slow = solid.lipschitz().is_some_and(|rate| rate <= 1.0);
    if !is_slow || !hollow.is_convex() || !is_steep(hollow) {
        return None;
    }
    let farthest = farthest(solid, hollow)?;
    (farthest > 0.0).then_some(-0.5 * farthest)
}

/// Whether, from any point outside a convex body, the function rises by every distance at that distance: so does the distance
/// outside, and the distance of a convex body from its inside, too, so that a constant may be added.
fn is_steep(hollow: &dyn ImplicitFunction) -> bool {
    hollow.exactness().outside
        || match hollow.describe() {
            Some(Description::Offset { of, .. }) => of.exactness().is_distance(),
            _ => false,
        }
}

/// Returns a bound of the greatest distance of the points of a solid from a hollow.
fn farthest(solid: &dyn ImplicitFunction, hollow: &dyn ImplicitFunction) -> Option<f64> {
    let at = |point: &Point| hollow.sample(point).value;
    if let Some((ends, radius)) = solid.rounded_segment() {
        // A convex function is greatest at an end.
        return (radius >= 0.0).then(|| ends.iter().map(at).fold(f64::NEG_INFINITY, f64::max) + radius);
    }
    match solid.describe() {
        Some(Description::Offset { of, distance, .. }) => {
            // All points within that distance of the function.
            let is_grown = distance >= 0.0 && of.exactness().outside;
            return if is_grown { Some(farthest(of.as_ref(), hollow)? + distance) } else { None };
        }
        Some(Description::Own(own)) => {
            if let Some(found) = own.cylinder().and_then(|solid| farthest_of_rims(&solid, hollow)) {
                return Some(found);
            }
        }
        _ => {}
    }
    let bounds = solid.oriented_bounds()?;
    let corner = |number: usize| {
        let sign = |axis: usize| if number >> axis & 1 == 1 { 1.0 } else { -1.0 };
        bounds.center + (0..3).map(|axis| bounds.half[axis] * sign(axis)).sum::<Vector>()
    };
    Some((0..8).map(|number| at(&corner(number))).fold(f64::NEG_INFINITY, f64::max))
}

/// The same for a cylinder from a solid of revolution with about the same direction of its axis: the farthest point of a rim is
/// the one farthest from that axis.
fn farthest_of_rims(solid: &CylinderDomain, hollow: &dyn ImplicitFunction) -> Option<f64> {
    let axis = solid.axis;
    let (center, own) = axis_of(hollow)?;
    let aslant = axis.cross(&own).norm();
    let offset = direction::across(&(solid.center - center), &axis);
    let any = if axis.x.abs() < 0.5 { Vector::x() } else { Vector::z() };
    let outward =
        direction::unit_or(&offset, &direction::unit_or(&direction::across(&any, &axis), &Vector::y()));
    let rims =
        [-1.0, 1.0].map(|side| solid.center + axis * (side * solid.half_height) + outward * solid.radius);
    let size = rims.iter().map(|rim| (rim - center).norm()).fold(0.0, f64::max) + solid.radius;
    let value = rims.iter().map(|rim| hollow.sample(rim).value).fold(f64::NEG_INFINITY, f64::max);
    // A turn about the centre by that angle moves no point of the rims farther.
    (aslant < 1e-3).then_some(value + (2.0 * aslant + ROUNDING) * size)
}

/// Returns the middle and the direction of the axis of a solid of revolution.
fn axis_of(hollow: &dyn ImplicitFunction) -> Option<(Point, Vector)> {
    if let Some(([from, to], _)) = hollow.rounded_segment() {
        return Some((nalgebra::center(&from, &to), (to - from).try_normalize(0.0)?));
    }
    match hollow.describe()? {
        Description::Offset { of, .. } => axis_of(of.as_ref()),
        Description::Own(own) => own.cylinder().map(|solid| (solid.center, solid.axis)),
        _ => None,
    }
}
