//! Ray casts against points and threads with a radius: unions of balls and of capsules.

use super::Ray;
use super::hit::{Crossing, Hit, Span, hit_at};
use super::solid::{ball, rounded_segment};
use crate::{LineMesh, PointSet};
use palpate_contact::Feature;
use palpate_math::Point;
use palpate_math::nearest::point_segment;

/// Casts against particles; bare points are never hit.
pub(super) fn points(ray: &Ray, points: &PointSet, out: &mut Vec<Hit>) {
    if points.radius() == 0.0 {
        return;
    }
    let spans = (0..)
        .zip(points.positions())
        .filter_map(|(vertex, center)| ball(ray, center, points.radius()).map(|span| (span, vertex)));
    union(ray, spans.collect(), out, |vertex, point| Feature::vertex(vertex, points.owner(vertex), point));
}

/// Casts against a thread; bare segments are never hit.
pub(super) fn lines(ray: &Ray, mesh: &LineMesh, out: &mut Vec<Hit>) {
    if mesh.radius() == 0.0 {
        return;
    }
    let mut spans: Vec<(Span, u32)> = Vec::new();
    let mut add = |cell: u32| {
        spans.extend(rounded_segment(ray, mesh.segment(cell), mesh.radius()).map(|span| (span, cell)));
    };
    match mesh.tree() {
        Some(tree) => tree.search(|bounds| ray.within(&bounds.grown(mesh.radius())).is_some(), add),
        None => (0..mesh.cells().len() as u32).filter(|&cell| !mesh.is_removed(cell)).for_each(&mut add),
    }
    union(ray, spans, out, |cell, point| feature_of(mesh, cell, point));
}

fn feature_of(mesh: &LineMesh, cell: u32, point: Point) -> Feature {
    let ([start, end], [a, b]) = (mesh.segment(cell), mesh.cells()[cell as usize]);
    match point_segment(&point, &start, &end).t {
        0.0 => Feature::vertex(a, mesh.points().owner(a), point),
        1.0 => Feature::vertex(b, mesh.points().owner(b), point),
        t => Feature::edge([a, b], [1.0 - t, t], cell, point),
    }
}

/// Emits the hits where the ray enters and leaves the union, each with its cell; ties go to the lowest.
fn union(
    ray: &Ray,
    mut spans: Vec<(Span, u32)>,
    out: &mut Vec<Hit>,
    feature: impl Fn(u32, Point) -> Feature,
) {
    spans
        .sort_by(|(a, a_cell), (b, b_cell)| a[0].distance.total_cmp(&b[0].distance).then(a_cell.cmp(b_cell)));
    let mut rest = spans.into_iter().peekable();
    while let Some((first, first_cell)) = rest.next() {
        let (mut last, mut last_cell) = (first[1], first_cell);
        while let Some((next, cell)) = rest.next_if(|(next, _)| next[0].distance <= last.distance) {
            if next[1].distance > last.distance {
                (last, last_cell) = (next[1], cell);
            }
        }
        out.extend(hit_at(ray, first[0], Crossing::Enter, |point| feature(first_cell, point)));
        out.extend(hit_at(ray, last, Crossing::Leave, |point| feature(last_cell, point)));
    }
}
