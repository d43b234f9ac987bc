//! The deepest places of shells.
//!
//! Where a maximum of `g` and `-h` is `-d`, a ball of radius `d` about the place is in the body of `g`, and its point that is
//! farthest from the body of `h` has twice that distance from it, at least. So `d` is at most half of the greatest distance of
//! the points of one body from the other. Of a shell the whole middle surface has this depth.

use super::ImplicitFunction;
use crate::Cylinder;
use crate::implicit::Description;
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
        Some(own) => {
            if let Some(found) = own.own().and_then(|solid: &Cylinder| farthest_of_rims(solid, hollow)) {
                return Some(found);
            }
        }
        None => {}
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
fn farthest_of_rims(solid: &Cylinder, hollow: &dyn ImplicitFunction) -> Option<f64> {
    let axis = solid.pose().rotation * Vector::y();
    let (center, own) = axis_of(hollow)?;
    let aslant = axis.cross(&own).norm();
    let offset = direction::across(&(solid.center() - center), &axis);
    let any = if axis.x.abs() < 0.5 { Vector::x() } else { Vector::z() };
    let outward =
        direction::unit_or(&offset, &direction::unit_or(&direction::across(&any, &axis), &Vector::y()));
    let rims =
        [-0.5, 0.5].map(|side| solid.center() + axis * (side * solid.length()) + outward * solid.radius());
    let size = rims.iter().map(|rim| (rim - center).norm()).fold(0.0, f64::max) + solid.radius();
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
        own => {
            let solid: &Cylinder = own.own()?;
            Some((solid.center(), solid.pose().rotation * Vector::y()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::{Intersection, Offset, Structure};
    use crate::{Capsule, OrientedBox, Pose, Sphere};
    use std::sync::Arc;

    type Part = Arc<dyn ImplicitFunction>;

    fn floor(solid: Part, hollow: Part) -> f64 {
        Intersection::difference(vec![solid, hollow]).unwrap().floor()
    }

    fn cylinder(x: f64, radius: f64, length: f64) -> Part {
        Arc::new(Cylinder::new(Pose::translation(x, 0.0, 0.0), radius, length).unwrap())
    }

    #[test]
    fn a_shell_is_deepest_in_its_middle() {
        let block: Part = Arc::new(OrientedBox::new(Pose::identity(), Vector::new(1.0, 2.0, 3.0)).unwrap());
        let grown: Part = Arc::new(Offset::new(block.clone(), 0.5).unwrap());
        assert_eq!(floor(grown, block), -0.25);
        let ball = |x: f64, r: f64| -> Part { Arc::new(Sphere::new(Point::new(x, 0.0, 0.0), r).unwrap()) };
        assert_eq!(floor(ball(0.0, 2.0), ball(0.0, 1.5)), -0.25);
        // The thickest place of a shell about two centres.
        assert_eq!(floor(ball(0.25, 2.0), ball(0.0, 1.5)), -0.375);
        // The hollow is the solid, eroded.
        let eroded = |of: Part, by: f64| -> Part { Arc::new(Offset::new(of, -by).unwrap()) };
        let block: Part = Arc::new(OrientedBox::new(Pose::identity(), Vector::new(1.0, 2.0, 3.0)).unwrap());
        assert_eq!(floor(block.clone(), eroded(block, 0.5)), -0.25);
        assert_eq!(floor(ball(0.0, 2.0), eroded(ball(0.0, 2.0), 0.5)), -0.25);
        assert!((floor(cylinder(0.0, 1.0, 4.0), eroded(cylinder(0.0, 1.0, 4.0), 0.5)) + 0.25).abs() < 1e-13);
        let rod = |r: f64| -> Part { Arc::new(Capsule::new(Pose::identity(), r, 3.0).unwrap()) };
        assert_eq!(floor(rod(1.0), rod(0.5)), -0.25);
        assert!((floor(cylinder(0.0, 1.0, 4.0), cylinder(0.0, 0.5, 5.0)) + 0.25).abs() < 1e-13);
        assert!((floor(cylinder(0.125, 1.0, 4.0), cylinder(0.0, 0.5, 5.0)) + 0.3125).abs() < 1e-13);
    }

    /// Tubes and shells about two axes, at random places: none is deeper.
    #[test]
    fn no_place_is_deeper() {
        let mut state = 5_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let mut close = 0;
        for case in 0..300 {
            let aslant = if case % 2 == 0 { 0.0 } else { 1e-4 * random() };
            let pose = Pose::new(
                Vector::new(0.1 * random(), random(), 0.1 * random()),
                Vector::new(aslant, 0.0, aslant),
            );
            let hollow: Part = match case % 3 {
                0 => Arc::new(Cylinder::new(pose, 0.6, 2.0).unwrap()),
                1 => Arc::new(Capsule::new(pose, 0.6, 2.0).unwrap()),
                _ => Arc::new(OrientedBox::new(pose, Vector::new(0.4, 1.0, 0.5)).unwrap()),
            };
            let solid: Part = match case / 3 % 3 {
                0 => Arc::new(Cylinder::new(Pose::identity(), 1.0, 2.0).unwrap()),
                1 => Arc::new(Capsule::new(Pose::identity(), 1.0, 2.0).unwrap()),
                _ => Arc::new(OrientedBox::new(Pose::identity(), Vector::new(0.9, 1.0, 0.8)).unwrap()),
            };
            let hollow: Part = match case / 9 % 3 {
                0 => Arc::new(Offset::new(solid.clone(), -0.3).unwrap()),
                _ => hollow,
            };
            let body = Intersection::difference(vec![solid, hollow]).unwrap();
            let floor = body.floor();
            let values = (0..300).map(|_| body.sample(&Point::new(random(), 1.5 * random(), random())).value);
            let least = values.fold(f64::INFINITY, f64::min);
            assert!(least >= floor - 1e-14, "{case}: {least} {floor}");
            close += usize::from(least < 0.8 * floor);
        }
        assert!(close > 60, "{close}");
    }
}
