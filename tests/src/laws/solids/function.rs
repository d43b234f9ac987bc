//! Implicit functions as the judges evaluate them: all bound the distance, and most have a known support function.

use super::solid::{centered_reach, primitive_signed};
use crate::{Function, Shape};
use palpate_math::{Point, Vector};

/// The value, at most the distance from the surface in magnitude.
pub(super) fn value(function: &Function, point: &Point) -> f64 {
    let all = |parts: &[Function]| parts.iter().map(|part| value(part, point)).collect::<Vec<_>>();
    let lowest = |values: Vec<f64>| values.into_iter().fold(f64::INFINITY, f64::min);
    match function {
        Function::Primitive(shape) => primitive_signed(shape, point),
        Function::Torus { pose, major, minor } => {
            let local = pose.inverse_transform_point(point);
            (local.x.hypot(local.z) - major).hypot(local.y) - minor
        }
        Function::Union(parts) => lowest(all(parts)),
        Function::Intersection(parts) => all(parts).into_iter().fold(f64::NEG_INFINITY, f64::max),
        Function::Difference(parts) => {
            let values = all(parts);
            values[1..].iter().fold(values[0], |most, value| most.max(-value))
        }
        Function::Offset { of, distance } => value(of, point) - distance,
        Function::Grid { .. } | Function::SmoothUnion { .. } => {
            unreachable!("not among the functions of the laws of solids")
        }
    }
}

/// The support function of the body along a direction: an upper bound for intersections and differences.
pub(super) fn reach(function: &Function, direction: &Vector) -> Option<f64> {
    let all =
        |parts: &[Function]| parts.iter().map(|part| reach(part, direction)).collect::<Option<Vec<_>>>();
    match function {
        Function::Primitive(shape) => Some(match shape.as_ref() {
            Shape::Sphere { center, radius } => center.coords.dot(direction) + radius * direction.norm(),
            Shape::Capsule { pose, .. } | Shape::Cylinder { pose, .. } | Shape::OrientedBox { pose, .. } => {
                let local = pose.rotation.inverse_transform_vector(direction);
                pose.translation.vector.dot(direction) + centered_reach(shape, &local)
            }
            other => unreachable!("{} is no analytic function", other.kind()),
        }),
        Function::Torus { pose, major, minor } => {
            let local = pose.rotation.inverse_transform_vector(direction);
            let center = pose.translation.vector.dot(direction);
            Some(center + major * local.x.hypot(local.z) + minor * direction.norm())
        }
        Function::Union(parts) => all(parts).map(|reaches| reaches.into_iter().fold(f64::MIN, f64::max)),
        Function::Intersection(parts) => {
            all(parts).map(|reaches| reaches.into_iter().fold(f64::MAX, f64::min))
        }
        Function::Difference(parts) => reach(&parts[0], direction),
        Function::Offset { of, distance } => {
            reach(of, direction).map(|reach| reach + distance.max(0.0) * direction.norm())
        }
        Function::Grid { .. } | Function::SmoothUnion { .. } => None,
    }
}

/// Whether the value is the distance outside the body, so that a contact is never deeper than the separating
/// motion.
pub(super) fn is_distance_outside(function: &Function) -> bool {
    match function {
        Function::Primitive(_) | Function::Torus { .. } => true,
        Function::Union(parts) => parts.iter().all(is_distance_outside),
        Function::Offset { of, distance } => *distance >= 0.0 && is_distance_outside(of),
        _ => false,
    }
}

/// Whether the value is the distance inside, too.
pub(super) fn is_distance(function: &Function) -> bool {
    match function {
        Function::Primitive(_) | Function::Torus { .. } => true,
        Function::Offset { of, distance } => {
            *distance >= 0.0 && matches!(of.as_ref(), Function::Primitive(_))
        }
        _ => false,
    }
}

/// Points inside or near the body.
pub(super) fn places(function: &Function) -> Vec<Point> {
    match function {
        Function::Torus { pose, major, .. } => (0..12)
            .map(|k| f64::from(k) / 12.0 * std::f64::consts::TAU)
            .map(|angle| pose * Point::new(major * angle.cos(), 0.0, major * angle.sin()))
            .collect(),
        Function::Union(parts) => parts.iter().flat_map(places).collect(),
        Function::Difference(parts) | Function::Intersection(parts) => shell_places(function, &parts[0]),
        Function::Offset { of, .. } => places(of),
        other => vec![other.anchor()],
    }
}

/// Points inside a shell, along some directions from the centre of its outer function: the lowest of many values.
fn shell_places(function: &Function, outer: &Function) -> Vec<Point> {
    let middle = outer.anchor();
    let reach = outer.reach() + middle.coords.norm();
    let directions = super::directions(24);
    let lowest_along = |direction: &Vector| {
        let places = (0..=400).map(|k| middle + direction * (reach * f64::from(k) / 400.0));
        places.reduce(|x, y| if value(function, &y) < value(function, &x) { y } else { x })
    };
    directions.iter().filter_map(lowest_along).collect()
}
