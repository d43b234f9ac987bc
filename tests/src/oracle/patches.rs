//! The manifolds of a body on flat patches of triangles: judged by its support face, the single triangles, and the
//! order.

use super::expected::{Element, Expected};
use super::manifold::{Face, face};
use crate::compare::align;
use crate::{Case, Shape};
use palpate_contact::{CollisionData, Contact, ContactId, Feature, IdPart};
use palpate_math::{Point, Vector};

/// The least cosine between the direction of a manifold and of a contact that it replaces.
const SAME_WAY: f64 = 0.98;

/// Position tolerance, relative to the size of the case.
const PLACE: f64 = 1e-8;

/// Consecutive contacts with one direction.
struct Group<'a> {
    contacts: &'a [Contact],
    direction: Vector,
}

impl Group<'_> {
    /// Whether the points name corners of a face, or points on the border of a patch.
    fn is_manifold(&self) -> bool {
        self.contacts.iter().any(is_point_of_manifold)
    }
}

fn is_point_of_manifold(contact: &Contact) -> bool {
    matches!(ContactId::parts(contact.id)[1], IdPart::Corner(_) | IdPart::Side(_))
}

/// Whether a result is right, given the contacts of the single triangles: every certain one is present or replaced
/// by a manifold with its direction that is as deep; every other contact is a point of a manifold, which is
/// complete and in order.
pub fn judge(
    case: &Case,
    wanted: &[Expected],
    found: &CollisionData,
    same: impl Fn(&Expected, &Contact) -> Result<(), String>,
    tolerance: f64,
) -> Result<(), String> {
    let verge = tolerance * case.size();
    let groups = groups(&found.contacts);
    for group in groups.iter().filter(|group| group.is_manifold()) {
        in_order(group, verge)?;
        complete(case, group, verge)?;
    }
    let is_inside = |contact: &Contact| ContactId::parts(contact.id)[1] == IdPart::Inside(0);
    if found.contacts.iter().skip(1).any(is_inside) {
        return Err("the body's deepest point does not come first".to_owned());
    }
    // Single contacts, in the order of the triangles.
    let in_manifold = |contact: &Contact| {
        let holds = |group: &Group<'_>| group.contacts.iter().any(|other| other.id == contact.id);
        groups.iter().any(|group| group.is_manifold() && holds(group))
    };
    let alone = found.contacts.iter().filter(|contact| !in_manifold(contact) && !is_inside(contact));
    let alone: Vec<Contact> = alone.copied().collect();
    let stood_for = |expected: &Expected| {
        groups.iter().filter(|group| group.is_manifold()).any(|group| {
            group.contacts.iter().any(|contact| contact.depth >= expected.depth - verge)
                && expected.direction.is_none_or(|direction| direction.dot(&group.direction) >= SAME_WAY)
        })
    };
    let on_the_verge = |depth: f64| (depth + case.margin).abs() <= verge;
    let wanted: Vec<&Expected> = wanted.iter().filter(|expected| expected.is_known()).collect();
    align(
        &wanted,
        &alone,
        |expected| expected.optional || on_the_verge(expected.depth) || stood_for(expected),
        |contact| on_the_verge(contact.depth),
        |expected, contact| same(expected, contact),
    )
}

/// Runs of contacts with one direction, split where a possible first point of a manifold follows a possible last
/// point.
fn groups(contacts: &[Contact]) -> Vec<Group<'_>> {
    let rank = |contact: &Contact| contact.id.rotate_left(32);
    let mut starts = Vec::new();
    for index in 0..contacts.len() {
        let goes_on = index > 0 && {
            let (before, this) = (&contacts[index - 1], &contacts[index]);
            let second = starts.last() == Some(&(index - 1));
            before.direction == this.direction && (second || rank(before) < rank(this))
        };
        if !goes_on {
            starts.push(index);
        }
    }
    starts.push(contacts.len());
    let group = |ends: &[usize]| {
        let contacts = &contacts[ends[0]..ends[1]];
        Group { contacts, direction: Vector::from(contacts[0].direction) }
    };
    starts.windows(2).filter(|ends| ends[1] > ends[0]).map(group).collect()
}

/// The deepest comes first, ties by the lowest corner; the others by the body's corner, then by the triangle.
fn in_order(group: &Group<'_>, verge: f64) -> Result<(), String> {
    let rank = |contact: &Contact| contact.id.rotate_left(32);
    let (first, others) = (&group.contacts[0], &group.contacts[1..]);
    if others.iter().any(|other| other.depth > first.depth + verge) {
        return Err("a point of a manifold is deeper than its first".to_owned());
    }
    let exactly = |other: &Contact| other.depth == first.depth && is_point_of_manifold(first);
    if others.iter().any(|other| exactly(other) && rank(other) < rank(first)) {
        return Err("of equally deep points another comes first".to_owned());
    }
    Ok(())
}

/// Every corner of the body's face that is certainly above the patch and within range is a point, if they are few;
/// there are no other points.
fn complete(case: &Case, group: &Group<'_>, verge: f64) -> Result<(), String> {
    let Face::Of(corners) = face(&case.b, &group.direction) else { return Ok(()) };
    let (vertices, triangles) = triangles(&case.a);
    if group.contacts.len() < 2 {
        return Err("a manifold of one point".to_owned());
    }
    let seed = group.contacts.iter().find(|contact| is_point_of_manifold(contact));
    let Some(patch) = seed.and_then(|seed| patch_of(&vertices, &triangles, &seed.a)) else { return Ok(()) };
    let (outward, place) = (-group.direction, PLACE * case.size());
    let radii = case.a.thickness() + case.b.rounding_radius();
    let deepest = group.contacts[0].depth;
    let mut sure = 0;
    for corner in &corners {
        let below = patch.iter().filter_map(|ids| below(&vertices, ids, corner, &outward, place)).next();
        let Some(depth) = below.map(|below| below + radii) else { continue };
        if depth < -case.margin + verge || depth > deepest + verge {
            continue;
        }
        sure += 1;
        let on_body = corner - outward * case.b.rounding_radius();
        let is_there = group.contacts.iter().any(|contact| {
            (Vector::from(contact.b.point) - on_body).norm() <= place
                && (contact.depth - depth).abs() <= verge
        });
        // Of many points four are kept; on a curve the lowest point replaces the deepest corner.
        if corners.len() <= 4 && !is_there && group.contacts.len() < 4 {
            return Err(format!("a corner of the body's face has no point: {corner:?}, depth {depth}"));
        }
    }
    if group.contacts.len() < sure.min(4) {
        return Err(format!("{} points of {sure} corners", group.contacts.len()));
    }
    Ok(())
}

fn triangles(shape: &Shape) -> (Vec<Point>, Vec<[u32; 3]>) {
    match shape {
        Shape::SurfaceMesh { vertices, cells, .. } => (vertices.clone(), cells.clone()),
        other => (other.vertices().to_vec(), super::volume::boundary(other)),
    }
}

/// The triangles coplanar with that of a feature, within half of a patch's tolerance, connected to it by edges.
fn patch_of(vertices: &[Point], triangles: &[[u32; 3]], feature: &Feature) -> Option<Vec<[u32; 3]>> {
    let wanted = match Element::of(feature.vertex_ids().iter().copied()) {
        Element::Of(ids) if ids.len() == 3 => ids,
        _ => return None,
    };
    let seed = triangles.iter().find(|ids| ids.iter().all(|id| wanted.contains(id)))?;
    let normal_of = |ids: &[u32; 3]| {
        let [a, b, c] = ids.map(|id| vertices[id as usize]);
        (b - a).cross(&(c - a)).try_normalize(0.0)
    };
    let normal = normal_of(seed)?;
    let mut patch = vec![*seed];
    let mut next = 0;
    while next < patch.len() {
        let current = patch[next];
        next += 1;
        for ids in triangles {
            let shared = ids.iter().filter(|id| current.contains(id)).count();
            let flat = normal_of(ids).is_some_and(|other| other.dot(&normal).abs() >= 1.0 - 5e-7);
            if shared == 2 && flat && !patch.contains(ids) {
                patch.push(*ids);
            }
        }
    }
    Some(patch)
}

/// The depth below a triangle of a point that is certainly under it; `None` otherwise.
fn below(vertices: &[Point], ids: &[u32; 3], place: &Vector, outward: &Vector, verge: f64) -> Option<f64> {
    let corners = ids.map(|id| vertices[id as usize].coords);
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    let slope = normal.dot(outward);
    let sides = (0..3).all(|k| {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        let inward = outward.cross(&(to - from)) * slope.signum();
        inward.dot(&(place - from)) > verge * (to - from).norm()
    });
    (sides && slope != 0.0).then(|| (corners[0] - place).dot(&normal) / slope)
}
