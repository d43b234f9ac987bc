//! Vertices against primitives, against points and against segments.

use super::convex::{distance_from_cone, distance_from_ellipsoid};
use super::distance::{on_segment, part_of_segment};
use super::expected::{Element, Expected};
use super::hull::HullOfPoints;
use super::lines::first_of_each;
use super::solid::signed_distance;
use crate::{Case, Shape};
use palpate_math::{Point, Vector};

/// Each vertex by its signed distance, in the order of the vertices.
pub(super) fn against_solid(case: &Case) -> Vec<Expected> {
    against(case, |point| {
        let (distance, outward) = signed_distance(&case.b, point, case);
        (distance, Some(outward))
    })
}

/// Each vertex by its signed distance from a convex body.
pub(super) fn against_convex(case: &Case) -> Vec<Expected> {
    against(case, distance_function(&case.b, case))
}

/// A signed distance and, if it is well determined, its gradient.
pub(super) type DistanceFunction<'a> = Box<dyn Fn(&Point) -> (f64, Option<Vector>) + 'a>;

/// The signed distance from a convex side of a case.
pub(super) fn distance_function<'a>(shape: &'a Shape, case: &'a Case) -> DistanceFunction<'a> {
    match shape {
        Shape::Convex { pose, corners, margin } => {
            let hull = HullOfPoints::new(corners.iter().map(|corner| pose * corner).collect());
            Box::new(move |point| {
                let (distance, outward) = hull.signed_distance(point);
                (distance - margin, Some(outward))
            })
        }
        Shape::Ellipsoid { .. } => Box::new(|point| (distance_from_ellipsoid(shape, point), None)),
        Shape::Cone { .. } => Box::new(|point| {
            let (distance, outward) = distance_from_cone(shape, point);
            (distance, Some(outward))
        }),
        _ => Box::new(|point| {
            let (distance, outward) = signed_distance(shape, point, case);
            (distance, Some(outward))
        }),
    }
}

fn against(case: &Case, signed_distance: impl Fn(&Point) -> (f64, Option<Vector>)) -> Vec<Expected> {
    let radius = case.a.thickness();
    let contact = |(vertex, point): (usize, &Point)| {
        let (distance, direction) = signed_distance(point);
        Expected {
            a: Element::of([vertex as u32]),
            b: Element::Point,
            depth: radius - distance,
            direction,
            point_a: direction.map(|outward| point - outward * radius),
            ..Expected::default()
        }
    };
    case.a.vertices().iter().enumerate().map(contact).collect()
}

/// Every pair of vertices.
pub(super) fn against_points(case: &Case) -> Vec<Expected> {
    pairs(&case.a, &case.b, |_, _| true)
}

/// Every pair of two vertices of one point set.
pub(super) fn against_itself(points: &Shape) -> Vec<Expected> {
    pairs(points, points, |first, second| first < second)
}

fn pairs(a: &Shape, b: &Shape, counts: impl Fn(u32, u32) -> bool) -> Vec<Expected> {
    let radii = [a.thickness(), b.thickness()];
    let mut contacts = Vec::new();
    for (first, center_a) in (0..).zip(a.vertices()) {
        for (second, center_b) in (0..).zip(b.vertices()) {
            if counts(first, second) {
                let elements = [Element::of([first]), Element::of([second])];
                contacts.push(Expected::of_cores(elements, [*center_a, *center_b], radii));
            }
        }
    }
    contacts
}

/// Each vertex against every segment; a shared vertex is reported once.
pub(super) fn against_segments(case: &Case) -> Vec<Expected> {
    let Shape::LineMesh { vertices, cells, radius } = &case.b else { return Vec::new() };
    let mut contacts = Vec::new();
    for (number, center) in (0..).zip(case.a.vertices()) {
        let contact = |ids: &[u32; 2]| {
            let [start, end] = ids.map(|id| vertices[id as usize]);
            let (t, place) = on_segment(center, &start, &end);
            let b = Element::of(part_of_segment(t).0.into_iter().map(|end| ids[end]));
            Expected::of_cores([Element::of([number]), b], [*center, place], [case.a.thickness(), *radius])
        };
        contacts.extend(first_of_each(cells.iter().map(contact).collect()));
    }
    contacts
}
