//! Threads against surfaces: every segment against every triangle, inside decided by solid angles between the
//! piercing points, the deepest point by sampling.

use super::axis_ends::{
    EndAbove, drop_known, ends_above, manifold_asked, may_lie_along, soften, unknown_borders,
};
use super::distance::{SegmentOnTriangle, part_of_segment, segment_on_triangle};
use super::expected::{Element, Expected};
use super::farthest::{farthest, place};
use super::front::{self, Taken, pushed_to_the_front, taken};
use super::lines::{END, first_of_each};
use super::sheet_exit::Way;
use super::surface::{Nearest, Surface, exit_of, internal_ignored, one_of};
use crate::{Case, Shape};
use palpate_math::Point;

/// One segment of a thread.
struct Segment {
    ids: [u32; 2],
    ends: [Point; 2],
    radius: f64,
}

impl Segment {
    fn element(&self, t: f64) -> Element {
        Element::of(part_of_segment(t).0.into_iter().map(|end| self.ids[end]))
    }
}

/// Each segment: at its deepest point if it is inside a solid, otherwise with the closest elements of all
/// triangles; each pair of elements once.
pub(super) fn lines_against_surface(case: &Case) -> Vec<Expected> {
    let surface = Surface::of(&case.b);
    let Shape::LineMesh { vertices, cells, radius } = &case.a else { return Vec::new() };
    let taken = taken(case, surface.closed);
    let mut contacts = Vec::new();
    for &ids in cells {
        let segment = Segment { ids, ends: ids.map(|id| vertices[id as usize]), radius: *radius };
        contacts.extend(of_segment(case, &segment, &surface, taken));
    }
    // An end out of range of a triangle for one segment may be the exit of another segment that pierces it.
    let in_reach = |contact: &Expected| contact.depth >= -case.margin - crate::laws::TRUTH * case.size();
    contacts.retain(|contact| !contact.is_known() || in_reach(contact));
    let mut contacts = if threads_through(case) { contacts } else { once(contacts) };
    drop_known(&mut contacts);
    contacts
}

/// Whether a segment of a thread passes through a sheet: which of the segments at a vertex tells of the contact there then
/// depends on rounding.
pub(super) fn threads_through(case: &Case) -> bool {
    let Shape::LineMesh { vertices, cells, .. } = &case.a else { return false };
    if case.detector != "line_mesh_surface_mesh" {
        return false;
    }
    let surface = Surface::of(&case.b);
    let pierces = |ids: &[u32; 2]| {
        let ends = ids.map(|id| vertices[id as usize]);
        surface.triangles.iter().any(|(_, corners)| segment_on_triangle(&ends, corners).pierced)
    };
    taken(case, surface.closed) != Taken::Solid && cells.iter().any(pierces)
}

/// Keeps the first contact of every pair of elements, and all unknown ones.
fn once(contacts: Vec<Expected>) -> Vec<Expected> {
    let known = first_of_each(contacts.iter().filter(|contact| contact.is_known()).cloned().collect());
    let mut known = known.into_iter().peekable();
    let is_next = |known: Option<&Expected>, contact: &Expected| {
        known
            .is_some_and(|known| (&known.a, &known.b, known.depth) == (&contact.a, &contact.b, contact.depth))
    };
    let mut kept = Vec::new();
    for contact in contacts {
        if !contact.is_known() {
            kept.push(contact);
        } else if is_next(known.peek(), &contact) {
            kept.extend(known.next());
        }
    }
    kept
}

fn of_segment(case: &Case, segment: &Segment, surface: &Surface, taken: Taken) -> Vec<Expected> {
    let size = case.size();
    let nearest: Vec<_> = surface
        .triangles
        .iter()
        .map(|(ids, corners)| (ids, corners, segment_on_triangle(&segment.ends, corners)))
        .collect();
    let held = held(segment, surface, END * size);
    if let Some(held) = held.clone().filter(|_| taken == Taken::Solid) {
        return vec![held];
    }
    let radii = [segment.radius, surface.thickness];
    let element =
        |ids: &[u32; 3], near: &SegmentOnTriangle| Element::of(near.part.0.iter().map(|&corner| ids[corner]));
    if taken == Taken::Front && !nearest.iter().any(|(.., near)| near.pierced) {
        let places = nearest
            .iter()
            .map(|(ids, _, near)| (*ids, element(ids, near), [near.on_triangle, near.on_segment]));
        if let Some((at_an_end, element, depth, outward)) =
            pushed_to_the_front(surface, places, &segment.ends, radii)
        {
            // The lower of its ends is the one that leaves last.
            let [start, end] = segment.ends.map(|end| end.coords.dot(&outward));
            let last = segment.element(if end < start { 1.0 } else { 0.0 });
            let a = if at_an_end { last } else { Element::of(segment.ids) };
            return vec![front::expected([a, element], depth, outward)];
        }
    }
    let distances = nearest.iter().map(|(ids, _, near)| {
        let element = element(ids, near);
        let hidden = surface.hides(taken, &element, &near.on_triangle, &near.on_segment);
        (**ids, element, if hidden { f64::INFINITY } else { near.distance })
    });
    let all = Nearest(distances.collect());
    let outer = internal_ignored(case, surface.closed);
    let through = |near: &SegmentOnTriangle| near.pierced && taken != Taken::Solid;
    let lies = manifold_asked(case) && !nearest.iter().any(|(.., near)| through(near));
    let mut contacts = Vec::new();
    for (index, (ids, corners, near)) in nearest.into_iter().enumerate() {
        if through(&near) {
            let through = pierced(taken, segment, ids, corners, radii);
            contacts.extend(sheet_exits(case, segment, surface, (taken, index), through));
            continue;
        }
        let element = element(ids, &near);
        let hidden = surface.hides(taken, &element, &near.on_triangle, &near.on_segment);
        let is_face = !near.pierced && matches!(&element, Element::Of(ids) if ids.len() == 3);
        let near_place = near.on_segment;
        if !(hidden || outer && all.is_internal(&element) || lies && is_face) {
            let cores = [near.on_segment, near.on_triangle];
            contacts.push(Expected::of_cores([segment.element(near.t), element], cores, radii));
        }
        if lies {
            if may_lie_along(&segment.ends, corners) {
                let [start, end] = segment.ids;
                let own = [vec![start, end], vec![start], vec![end]];
                contacts.extend(unknown_borders(ids, |element| {
                    own.iter().map(|ids| [Element::of(ids.clone()), element.clone()]).collect()
                }));
            }
            contacts.extend(over_face(
                segment,
                surface,
                taken,
                (ids, corners, is_face.then_some(near_place)),
                radii,
            ));
        }
    }
    if lies {
        let lying: Vec<_> =
            surface.triangles.iter().filter(|(_, corners)| may_lie_along(&segment.ends, corners)).collect();
        soften(&mut contacts, &lying, |contact| &contact.b);
    }
    let in_margin = |contact: &Expected| !contact.is_known() || contact.depth < -crate::laws::TRUTH * size;
    match held {
        Some(held) if contacts.iter().all(in_margin) => vec![held],
        _ => contacts,
    }
}

/// The contacts of the segment's ends above a face that faces them.
fn over_face(
    segment: &Segment,
    surface: &Surface,
    taken: Taken,
    (ids, corners, nearest): (&[u32; 3], &[Point; 3], Option<Point>),
    radii: [f64; 2],
) -> Vec<Expected> {
    let face = Element::of(*ids);
    let faces = |above: &EndAbove| !surface.hides(taken, &face, &above.foot, &segment.ends[above.end]);
    let contact = |above: EndAbove| Expected {
        a: Element::of([segment.ids[above.end]]),
        b: face.clone(),
        depth: radii[0] + radii[1] - above.height,
        direction: Some(above.normal),
        point_a: Some(segment.ends[above.end] - above.normal * radii[0]),
        ..Expected::default()
    };
    ends_above(&segment.ends, corners, nearest).into_iter().filter(faces).map(contact).collect()
}

/// A sheet's triangle that a segment pierces: out along its normal, to the front if it has one, otherwise to the
/// closer side, by the end that leaves last.
fn pierced(
    taken: Taken,
    segment: &Segment,
    ids: &[u32; 3],
    corners: &[Point; 3],
    radii: [f64; 2],
) -> Expected {
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).normalize();
    let ways = [(0, 1.0), (1, 1.0), (0, -1.0), (1, -1.0)].map(|(end, side)| {
        let below = -side * (segment.ends[end] - corners[0]).dot(&normal);
        (below, end, normal * side)
    });
    // For either side the end that is farther below; of the two sides the closer.
    let farther = |x: usize, y: usize| if ways[x].0 >= ways[y].0 { ways[x] } else { ways[y] };
    let (up, down) = (farther(0, 1), farther(2, 3));
    let (way, end, outward) = if taken == Taken::Sheet && down.0 < up.0 { down } else { up };
    let a = Element::of([segment.ids[end]]);
    let (b, depth) = (Element::of(*ids), radii[0] + radii[1] + way);
    Expected { a, b, depth, direction: Some(outward), ..Expected::default() }
}

/// The exit of a segment through a triangle: along the triangle's normal, unless an end of it or a border is nearer.
fn sheet_exits(
    case: &Case,
    segment: &Segment,
    surface: &Surface,
    (taken, triangle): (Taken, usize),
    through: Expected,
) -> Vec<Expected> {
    let verge = crate::laws::TRUTH * case.size();
    let (exit, ways) = exit_of(surface, taken, &segment.ends, triangle, verge);
    let radii = segment.radius + surface.thickness;
    let plane = through.depth - radii;
    let expected = |way: &Way| {
        let [a, b] = match way {
            Way::Over(ids, at) => [segment.element(*at), Element::of(*ids)],
            Way::End(end, ids) => [Element::of([segment.ids[*end]]), Element::of(ids.iter().copied())],
        };
        Expected { a, b, depth: radii + exit, direction: None, ..through.clone() }
    };
    one_of(&through, (exit - plane).abs() <= verge, &ways, expected)
}

/// The deepest point of a segment in the intervals between its crossings that are inside.
fn held(segment: &Segment, surface: &Surface, rounding: f64) -> Option<Expected> {
    let deepest = surface
        .held_stretches(&segment.ends)
        .into_iter()
        .map(|ends| deepest(segment, surface, ends, rounding))
        .reduce(|x, y| if y.1 > x.1 { y } else { x })?;
    let (t, depth) = deepest;
    let (a, b) = (segment.element(t), Element::Any);
    let depth = segment.radius + surface.thickness + depth;
    Some(Expected { a, b, depth, ..Expected::default() })
}

/// The point of an interval that is farthest from the surface, and its distance: an end if another point is farther
/// only within `rounding`.
fn deepest(segment: &Segment, surface: &Surface, [from, to]: [f64; 2], rounding: f64) -> (f64, f64) {
    let best = farthest(&surface.triangles, &segment.ends, [from, to]);
    [to, from].into_iter().fold(best, |best, end| {
        let depth = surface.nearest(&place(&segment.ends, end)).0.distance;
        if depth >= best.1 - rounding { (end, depth) } else { best }
    })
}
