//! Segments against round bodies and against one another.

use super::distance::{on_segments, part_of_segment};
use super::expected::{Element, Expected};
use super::solid::core;
use crate::{Case, Shape};

fn segments(shape: &Shape) -> Vec<([u32; 2], [palpate_math::Point; 2])> {
    let Shape::LineMesh { vertices, cells, .. } = shape else { return Vec::new() };
    cells.iter().map(|&ids| (ids, ids.map(|id| vertices[id as usize]))).collect()
}

fn element(ids: [u32; 2], t: f64) -> Element {
    Element::of(part_of_segment(t).0.into_iter().map(|end| ids[end]))
}

/// Keeps the first contact of every pair of elements.
pub(super) fn first_of_each(contacts: Vec<Expected>) -> Vec<Expected> {
    let mut kept: Vec<Expected> = Vec::new();
    for contact in contacts {
        if !kept.iter().any(|other| (&other.a, &other.b) == (&contact.a, &contact.b)) {
            kept.push(contact);
        }
    }
    kept
}

/// Each segment against the core of a ball or capsule; a shared vertex once.
pub(super) fn against_round(case: &Case) -> Vec<Expected> {
    let core = core(&case.b);
    let radii = [case.a.thickness(), case.b.rounding_radius()];
    let contact = |(ids, ends)| {
        let nearest = on_segments(&ends, &core);
        let elements = [element(ids, nearest.s), Element::Point];
        Expected::of_cores(elements, [nearest.on_first, nearest.on_second], radii)
    };
    first_of_each(segments(&case.a).into_iter().map(contact).collect())
}

/// Each segment of a thread against the later ones that share no vertex with it; each pair of elements once.
pub(super) fn against_itself(lines: &Shape) -> Vec<Expected> {
    let radii = [lines.thickness(); 2];
    let segments = segments(lines);
    let mut contacts = Vec::new();
    for (index, (first_ids, first)) in segments.iter().enumerate() {
        for (second_ids, second) in &segments[index + 1..] {
            if first_ids.iter().any(|id| second_ids.contains(id)) {
                continue;
            }
            let nearest = on_segments(first, second);
            let elements = [element(*first_ids, nearest.s), element(*second_ids, nearest.t)];
            contacts.push(Expected::of_cores(elements, [nearest.on_first, nearest.on_second], radii));
        }
    }
    first_of_each(contacts)
}

/// Each segment of the first against each of the second; each pair of elements once.
pub(super) fn against_lines(case: &Case) -> Vec<Expected> {
    let radii = [case.a.thickness(), case.b.thickness()];
    let mut contacts = Vec::new();
    for (first_ids, first) in segments(&case.a) {
        for (second_ids, second) in segments(&case.b) {
            let nearest = on_segments(&first, &second);
            let elements = [element(first_ids, nearest.s), element(second_ids, nearest.t)];
            contacts.push(Expected::of_cores(elements, [nearest.on_first, nearest.on_second], radii));
        }
    }
    first_of_each(contacts)
}
