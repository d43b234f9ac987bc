//! Primitives.

use super::axis_ends;
use super::distance::{on_segment, on_segments};
use super::expected::{Element, Expected};
use crate::{Case, Shape};
use palpate_math::{Point, Vector};

/// The core of a ball or capsule, as a segment.
pub(super) fn core(shape: &Shape) -> [Point; 2] {
    match shape {
        Shape::Sphere { center, .. } => [*center, *center],
        other => axis_ends(other).expect("a round shape is a sphere or a capsule"),
    }
}

/// Two balls or capsules.
pub(super) fn round_pair(case: &Case) -> Vec<Expected> {
    let nearest = on_segments(&core(&case.a), &core(&case.b));
    let radii = [case.a.rounding_radius(), case.b.rounding_radius()];
    let cores = [nearest.on_first, nearest.on_second];
    vec![Expected::of_cores([Element::Point, Element::Point], cores, radii)]
}

/// A ball against a solid.
pub(super) fn sphere_solid(case: &Case) -> Vec<Expected> {
    let Shape::Sphere { center, radius } = &case.a else { return Vec::new() };
    let (distance, outward) = signed_distance(&case.b, center, case);
    let point_a = Some(center - outward * *radius);
    let (a, b, direction) = (Element::Point, Element::Point, Some(outward));
    vec![Expected { a, b, depth: radius - distance, direction, point_a, ..Expected::default() }]
}

/// A plane against a ball or a capsule: the shorter of the two exits, if there are two. Both ends of a capsule
/// count, the deeper first, unless one contact is requested.
pub(super) fn plane_round(case: &Case) -> Vec<Expected> {
    let Shape::Plane { position, normal, .. } = &case.a else { return Vec::new() };
    let ways: &[f64] = if two_sided(&case.a, case) { &[1.0, -1.0] } else { &[1.0] };
    let radius = case.b.rounding_radius();
    let depths_along = |sign: f64| {
        let outward = normal.normalize() * sign;
        let mut depths = core(&case.b).map(|end| radius - (end - position).dot(&outward));
        depths.sort_by(|x, y| y.total_cmp(x));
        (depths, outward)
    };
    let shortest =
        ways.iter().map(|&sign| depths_along(sign)).reduce(|x, y| if y.0[0] < x.0[0] { y } else { x });
    let (depths, outward) = shortest.expect("a plane has a side");
    let one = case.settings.as_ref().is_some_and(|settings| settings["manifold"] == false);
    let count = if one || !matches!(case.b, Shape::Capsule { .. }) { 1 } else { 2 };
    let expected = |depth: f64| {
        let (a, b, direction) = (Element::Point, Element::Point, Some(-outward));
        Expected { a, b, depth, direction, ..Expected::default() }
    };
    depths.into_iter().take(count).map(expected).collect()
}

pub(super) fn two_sided(plane: &Shape, case: &Case) -> bool {
    let asked = case.settings.as_ref().and_then(|settings| settings["sides"].as_str());
    match (asked, plane) {
        (Some("one"), _) => false,
        (Some("two"), _) => true,
        (_, Shape::Plane { two_sided, .. }) => *two_sided,
        _ => false,
    }
}

/// The signed distance of a point from a primitive, and its gradient.
pub(super) fn signed_distance(shape: &Shape, point: &Point, case: &Case) -> (f64, Vector) {
    match shape {
        Shape::Sphere { .. } | Shape::Capsule { .. } => {
            let [start, end] = core(shape);
            let offset = point - on_segment(point, &start, &end).1;
            (offset.norm() - shape.rounding_radius(), offset.normalize())
        }
        Shape::Plane { position, normal, .. } => {
            let normal = normal.normalize();
            let height = normal.dot(&(point - position));
            if two_sided(shape, case) && height < 0.0 { (-height, -normal) } else { (height, normal) }
        }
        Shape::OrientedBox { pose, half_extents } => {
            let local = pose.inverse_transform_point(point);
            let (distance, gradient) = box_distance(&local.coords, half_extents);
            (distance, pose.rotation * gradient)
        }
        Shape::Cylinder { pose, radius, length } => {
            let local = pose.inverse_transform_point(point);
            let (distance, gradient) = cylinder_distance(&local.coords, *radius, 0.5 * length);
            (distance, pose.rotation * gradient)
        }
        other => unreachable!("{} is no primitive", other.kind()),
    }
}

/// The distance of a point from the surface of a primitive: of `bare` from the core, if the shape is a core with a
/// radius. Zero for meshes, which are judged by their weights.
pub(super) fn off_surface(shape: &Shape, point: &Point, bare: &Point) -> f64 {
    match shape {
        Shape::Sphere { center, .. } => (bare - center).norm(),
        Shape::Capsule { .. } => {
            let [start, end] = core(shape);
            (on_segment(bare, &start, &end).1 - bare).norm()
        }
        Shape::Plane { position, normal, .. } => (point - position).dot(&normal.normalize()).abs(),
        Shape::OrientedBox { pose, half_extents } => {
            box_distance(&pose.inverse_transform_point(point).coords, half_extents).0.abs()
        }
        Shape::Cylinder { pose, radius, length } => {
            cylinder_distance(&pose.inverse_transform_point(point).coords, *radius, 0.5 * length).0.abs()
        }
        Shape::Ellipsoid { .. } | Shape::Cone { .. } | Shape::Convex { .. } => {
            super::convex::off_surface(shape, bare)
        }
        _ => 0.0,
    }
}

/// The closest of six faces from inside; from outside, the closest point of the box.
fn box_distance(local: &Vector, half: &Vector) -> (f64, Vector) {
    let nearest = Vector::from_fn(|axis, _| local[axis].clamp(-half[axis], half[axis]));
    let offset = local - nearest;
    if offset.norm() > 0.0 {
        return (offset.norm(), offset.normalize());
    }
    let mut best = (f64::INFINITY, Vector::zeros());
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            let way = half[axis] - sign * local[axis];
            if way < best.0 {
                best = (way, Vector::ith(axis, sign));
            }
        }
    }
    (-best.0, best.1)
}

/// The closest of wall and caps from inside; from outside, the closest point of the solid.
fn cylinder_distance(local: &Vector, radius: f64, half: f64) -> (f64, Vector) {
    let aside = Vector::new(local.x, 0.0, local.z);
    let radial = aside.norm();
    let outward = if radial > 0.0 { aside / radial } else { Vector::x() };
    let nearest = outward * radius.min(radial) + Vector::new(0.0, local.y.clamp(-half, half), 0.0);
    let offset = local - nearest;
    if radial > radius || local.y.abs() > half {
        return (offset.norm(), offset.normalize());
    }
    let ways = [(radius - radial, outward), (half - local.y, Vector::y()), (half + local.y, -Vector::y())];
    let shortest = ways.into_iter().reduce(|x, y| if y.0 < x.0 { y } else { x });
    let (way, outward) = shortest.expect("there are three ways");
    (-way, outward)
}
