//! Segments against round bodies and against each other.

use super::body::Body;
use super::distance::{on_segments, part_of_segment};
use super::expected::{Element, Expected};
use super::solid::core;
use super::width::least_width;
use crate::{Case, Regime, Shape};
use palpate_math::Point;

fn segments(shape: &Shape) -> Vec<([u32; 2], [Point; 2])> {
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
        let same = |other: &&Expected| (&other.a, &other.b) == (&contact.a, &contact.b);
        let ambiguous = contact.a == Element::Any || contact.b == Element::Any;
        match kept.iter().rfind(same) {
            None => kept.push(contact),
            // Contacts of elements that may or may not be the same.
            Some(other) if ambiguous && (other.depth - contact.depth).abs() > 1e-9 * contact.depth.abs() => {
                kept.push(Expected { optional: true, ..contact });
            }
            Some(_) => {}
        }
    }
    kept
}

/// Each segment against the core of a ball or capsule; a shared vertex is reported once.
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

/// Each segment against a convex body by the least width of the two; a shared vertex is reported once. The element
/// is an end, unless the direction is perpendicular to the segment. Contacts outside the margin by more than
/// `verge` are dropped first.
pub(super) fn against_convex(case: &Case, verge: f64) -> Vec<Expected> {
    if matches!(case.b, Shape::Sphere { .. } | Shape::Capsule { .. }) {
        return against_round(case);
    }
    const ACROSS: f64 = 1e-6;
    let origin = case.b.center();
    let body = Body::new(&case.b, &origin);
    let radii = case.a.thickness() + case.b.rounding_radius();
    let reach = 1.01 * (radii + case.margin) + 1e-6 * case.size();
    let mut contacts = Vec::new();
    for (ids, ends) in segments(&case.a) {
        let segment = Body::hull(ends.iter().map(|end| end.coords - origin).collect());
        let (depth, into_body) = least_width(&segment, &body, reach);
        let along = (ends[1] - ends[0]).normalize().dot(&into_body);
        let t = if along > ACROSS {
            1.0
        } else if along < -ACROSS {
            0.0
        } else {
            0.5
        };
        let (a, b, depth) = (element(ids, t), Element::Point, radii + depth);
        contacts.push(Expected { a, b, depth, ..Expected::default() });
    }
    contacts.retain(|contact| contact.depth >= -case.margin - verge);
    if case.regime == Regime::Degenerate {
        // Of several equally short directions one may belong to a vertex and another not.
        return contacts;
    }
    // The first of the deepest represents its element.
    let most = contacts.iter().map(|contact| contact.depth).fold(f64::NEG_INFINITY, f64::max);
    if let Some(kept) = contacts.iter().position(|contact| contact.depth >= most - verge) {
        let element = contacts[kept].a.clone();
        let mut index = 0;
        contacts.retain(|contact| {
            index += 1;
            index - 1 == kept || contact.a != element
        });
    }
    first_of_each(contacts)
}

/// An end whose value equals the best within this rounding error (relative to the size of the case) counts as the
/// best.
pub(super) const END: f64 = 1e-13;

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
