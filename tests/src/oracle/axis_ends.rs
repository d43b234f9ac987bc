//! A segment whose ends are above faces, or which is parallel to elements, of a surface.

use super::expected::{Element, Expected};
use super::farthest::Triangle;
use super::front::is_flat;
use crate::Case;
use palpate_math::{Point, Vector};

/// The sine below which a segment may count as parallel to a face or an edge: twice the detectors' threshold.
const LYING: f64 = 1.0 / 32.0;

/// An end of a segment above the face of a triangle.
pub(super) struct EndAbove {
    pub(super) end: usize,
    pub(super) foot: Point,
    /// Unit vector from the face to the end.
    pub(super) normal: Vector,
    pub(super) height: f64,
}

/// Whether an interval along which a segment is parallel has a contact at both ends.
pub(super) fn manifold_asked(case: &Case) -> bool {
    case.settings.as_ref().is_none_or(|settings| settings["manifold"] != false)
}

/// The ends of a segment that are straight above or below a triangle, by the signs of areas about their
/// projections, while the other end is not on the other side of its plane; `nearest` is the point of the segment
/// closest to the face, if the face is the closest element.
pub(super) fn ends_above(
    segment: &[Point; 2],
    corners: &[Point; 3],
    nearest: Option<Point>,
) -> Vec<EndAbove> {
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    if is_flat(corners) {
        return Vec::new();
    }
    let normal = normal.normalize();
    let above = |end: usize| {
        let signed = (segment[end] - corners[0]).dot(&normal);
        let foot = segment[end] - normal * signed;
        let area = |k: usize| (corners[k] - foot).cross(&(corners[(k + 1) % 3] - foot)).dot(&normal);
        let inside = (0..3).all(|k| area(k) > 0.0);
        let side = if signed < 0.0 { -1.0 } else { 1.0 };
        let crossed = (segment[1 - end] - corners[0]).dot(&normal) * side < 0.0;
        let inside = inside && (!crossed || nearest == Some(segment[end]));
        inside.then_some(EndAbove { end, foot, normal: normal * side, height: signed.abs() })
    };
    let count = if segment[0] == segment[1] { 1 } else { 2 };
    (0..count).filter_map(above).collect()
}

/// Whether the segment may count as parallel to the triangle's face or one of its sides.
pub(super) fn may_lie_along(segment: &[Point; 2], corners: &[Point; 3]) -> bool {
    let along = (segment[1] - segment[0]).normalize();
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).normalize();
    let beside = |k: usize| (corners[(k + 1) % 3] - corners[k]).normalize().cross(&along).norm() <= LYING;
    along.dot(&normal).abs() <= LYING || (0..3).any(beside)
}

/// For a triangle to which a segment may be parallel, optional contacts of unknown depth with its sides and
/// corners, in either order; `sides` gives the elements of both sides of one.
pub(super) fn unknown_borders(ids: &[u32; 3], sides: impl Fn(Element) -> Vec<[Element; 2]>) -> Vec<Expected> {
    let edges = (0..3).map(|k| Element::of([ids[k], ids[(k + 1) % 3]]));
    let each: Vec<Element> = edges.chain(ids.map(|id| Element::of([id]))).collect();
    let twice = each.iter().chain(&each).cloned();
    twice.flat_map(sides).map(|[a, b]| Expected::unknown(a, b, f64::NEG_INFINITY)).collect()
}

/// Makes contacts with a side or a corner of a triangle to which the segment may be parallel optional; `side`
/// selects the surface's element.
pub(super) fn soften(contacts: &mut [Expected], lying: &[&Triangle], side: impl Fn(&Expected) -> &Element) {
    for contact in contacts {
        let Element::Of(wanted) = side(contact) else { continue };
        let is_part = |(ids, _): &&&Triangle| wanted.len() < 3 && wanted.iter().all(|id| ids.contains(id));
        contact.optional |= lying.iter().any(|triangle| is_part(&triangle));
    }
}

/// Drops unknown contacts of pairs of elements that have a certain contact.
pub(super) fn drop_known(contacts: &mut Vec<Expected>) {
    let certain = contacts.iter().filter(|contact| contact.is_known() && !contact.optional);
    let certain: Vec<[Element; 2]> = certain.map(|contact| [contact.a.clone(), contact.b.clone()]).collect();
    let is_certain = |contact: &Expected| certain.iter().any(|[a, b]| (a, b) == (&contact.a, &contact.b));
    contacts.retain(|contact| contact.is_known() || !is_certain(contact));
}
