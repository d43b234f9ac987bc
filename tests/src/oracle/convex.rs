//! Convex bodies by the widths of their Minkowski difference.

use super::body::Body;
use super::distance::on_segment;
use super::expected::{Element, Expected};
use super::solid::two_sided;
use super::width::least_width;
use crate::{Case, Shape};
use palpate_math::{Point, Vector};

/// Two convex bodies.
pub(super) fn two_bodies(case: &Case) -> Vec<Expected> {
    let origin = case.a.center();
    let (a, b) = (Body::new(&case.a, &origin), Body::new(&case.b, &origin));
    let radii = case.a.rounding_radius() + case.b.rounding_radius();
    let depth = least_width(&a, &b, 1.01 * (case.margin + radii) + 1e-6 * case.size()).0 + radii;
    let (a, b) = (Element::Point, Element::Point);
    vec![Expected { a, b, depth, ..Expected::default() }]
}

/// A plane against a convex body: of the two separating directions, if there are two, the shorter.
pub(super) fn plane_convex(case: &Case) -> Vec<Expected> {
    let Shape::Plane { position, normal, .. } = &case.a else { return Vec::new() };
    let body = Body::new(&case.b, &position.coords);
    let ways: &[f64] = if two_sided(&case.a, case) { &[1.0, -1.0] } else { &[1.0] };
    let depth_along = |sign: &f64| {
        let inward = -normal.normalize() * *sign;
        body.farthest(&inward).dot(&inward) + case.b.rounding_radius()
    };
    let depth = ways.iter().map(depth_along).fold(f64::INFINITY, f64::min);
    let direction = (ways.len() == 1).then(|| -normal.normalize());
    vec![Expected { a: Element::Point, b: Element::Point, depth, direction, ..Expected::default() }]
}

/// The least width of a shape relative to a point.
fn width_about(shape: &Shape, point: &Point) -> f64 {
    least_width(&Body::new(shape, &point.coords), &Body::hull(vec![Vector::zeros()]), f64::INFINITY).0
}

/// The signed distance of a point from an ellipsoid: the greatest height above all its supporting planes.
pub(super) fn distance_from_ellipsoid(shape: &Shape, point: &Point) -> f64 {
    -width_about(shape, point)
}

/// The signed distance of a point from a cone, and its gradient: the closest point of the profile in the point's
/// half-plane.
pub(super) fn distance_from_cone(shape: &Shape, point: &Point) -> (f64, Vector) {
    let Shape::Cone { pose, radius, length } = shape else { unreachable!("{} is no cone", shape.kind()) };
    let local = pose.inverse_transform_point(point);
    let aside = Vector::new(local.x, 0.0, local.z).normalize();
    let half = 0.5 * length;
    let flat = |across: f64, along: f64| Point::new(across, along, 0.0);
    let place = flat(local.x.hypot(local.z), local.y);
    let [middle, rim, apex] = [flat(0.0, -half), flat(*radius, -half), flat(0.0, half)];
    let nearest = [(middle, rim), (rim, apex)]
        .map(|(start, end)| on_segment(&place, &start, &end).1)
        .into_iter()
        .reduce(|x, y| if (y - place).norm() < (x - place).norm() { y } else { x })
        .expect("there are two sides");
    let inside = place.y >= -half && place.x * length <= radius * (half - place.y);
    let sign = if inside { -1.0 } else { 1.0 };
    let outward = (place - nearest) * sign;
    let distance = sign * outward.norm();
    let outward = outward.normalize();
    (distance, pose.rotation * (aside * outward.x + Vector::new(0.0, outward.y, 0.0)))
}

/// The distance of a point from the surface of a body without its radius.
pub(super) fn off_surface(shape: &Shape, place: &Point) -> f64 {
    match shape {
        Shape::Ellipsoid { pose, radii } => {
            // To first order: the excess of the equation over its gradient.
            let local = pose.inverse_transform_point(place).coords.component_div(radii);
            ((local.norm() - 1.0) * local.norm() / local.component_div(radii).norm()).abs()
        }
        Shape::Cone { pose, radius, length } => {
            let local = pose.inverse_transform_point(place);
            let flat = Point::new(local.x.hypot(local.z), local.y, 0.0);
            let half = 0.5 * length;
            let [middle, rim, apex] =
                [[0.0, -half], [*radius, -half], [0.0, half]].map(|[x, y]| Point::new(x, y, 0.0));
            let off = |start: &Point, end: &Point| (on_segment(&flat, start, end).1 - flat).norm();
            off(&middle, &rim).min(off(&rim, &apex))
        }
        _ => width_about(shape, place).abs(),
    }
}
