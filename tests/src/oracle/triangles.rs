//! Surfaces by their triangles: every edge of one against every triangle of the other, and vice versa.

use super::distance::segment_on_triangle;
use super::expected::{Element, Expected};
use crate::{Case, Shape};
use palpate_math::{Point, Vector};

type Triangle = ([u32; 3], [Point; 3]);

fn triangles(shape: &Shape) -> Vec<Triangle> {
    let Shape::SurfaceMesh { vertices, cells, .. } = shape else {
        unreachable!("{} is no surface", shape.kind())
    };
    cells.iter().map(|&ids| (ids, ids.map(|id| vertices[id as usize]))).collect()
}

/// Two triangles: the distance is zero if an edge of one pierces the other, otherwise the minimum over all edges.
fn two_triangles(a: &Triangle, b: &Triangle, radii: [f64; 2]) -> Expected {
    let mut meetings: Vec<Point> = Vec::new();
    let mut best: Option<(f64, Point, Point)> = None;
    for (of, other, exchanged) in [(&a.1, &b.1, false), (&b.1, &a.1, true)] {
        for side in 0..3 {
            let nearest = segment_on_triangle(&[of[side], of[(side + 1) % 3]], other);
            let (mut on_a, mut on_b) = (nearest.on_segment, nearest.on_triangle);
            if exchanged {
                (on_a, on_b) = (on_b, on_a);
            }
            if nearest.pierced {
                meetings.push(nearest.on_segment);
            }
            if best.is_none_or(|best| nearest.distance < best.0) {
                best = Some((nearest.distance, on_a, on_b));
            }
        }
    }
    let elements = [Element::of(a.0), Element::of(b.0)];
    let (distance, on_a, on_b) = best.expect("a triangle has edges");
    if meetings.is_empty() && distance > 0.0 {
        return Expected::of_cores(elements, [on_a, on_b], radii);
    }
    let middle = meetings.iter().fold(Vector::zeros(), |sum, place| sum + place.coords);
    let middle = Point::from(middle / meetings.len().max(1) as f64);
    let normal = (b.1[1] - b.1[0]).cross(&(b.1[2] - b.1[0])).normalize();
    let center = Point::from((a.1[0].coords + a.1[1].coords + a.1[2].coords) / 3.0);
    let direction = normal * (center - b.1[0]).dot(&normal).signum();
    let [a, b] = elements;
    let point_a = Some(middle - direction * radii[0]);
    Expected { a, b, depth: radii[0] + radii[1], direction: Some(direction), point_a, ..Expected::default() }
}

/// Every triangle of the first against every one of the second.
pub(super) fn against_triangles(case: &Case) -> Vec<Expected> {
    let radii = [case.a.thickness(), case.b.thickness()];
    let (first, second) = (triangles(&case.a), triangles(&case.b));
    first.iter().flat_map(|a| second.iter().map(move |b| two_triangles(a, b, radii))).collect()
}

/// Every triangle against the later ones that share no vertex with it.
pub(super) fn against_itself(shape: &Shape) -> Vec<Expected> {
    let all = triangles(shape);
    let mut contacts = Vec::new();
    for (index, a) in all.iter().enumerate() {
        for b in &all[index + 1..] {
            if !a.0.iter().any(|id| b.0.contains(id)) {
                contacts.push(two_triangles(a, b, [shape.thickness(); 2]));
            }
        }
    }
    contacts
}
