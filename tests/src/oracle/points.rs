//! Vertices against primitives.

use super::expected::{Element, Expected};
use super::solid::signed_distance;
use crate::Case;

/// Each vertex by its signed distance, in the order of the vertices.
pub(super) fn against_solid(case: &Case) -> Vec<Expected> {
    let radius = case.a.thickness();
    let contact = |(vertex, point): (usize, &palpate_math::Point)| {
        let (distance, outward) = signed_distance(&case.b, point, case);
        Expected {
            a: Element::of([vertex as u32]),
            b: Element::Point,
            depth: radius - distance,
            direction: Some(outward),
            point_a: Some(point - outward * radius),
            optional: false,
        }
    };
    case.a.vertices().iter().enumerate().map(contact).collect()
}
