//! The points of a solid's face that lies on an implicit body, and of a segment that lies on a convex body: judged beside the
//! detector's single contacts, by the test's own values at the points.

use super::implicit::Placed;
use super::manifold::{Face, face};
use crate::Case;
use crate::laws::solids::Solid;
use palpate_contact::{CollisionData, Contact};
use palpate_math::{Point, Vector};

/// The greatest slope of a face or segment that lies on a body, with what may be decided either way.
const LYING: f64 = 0.0175;
const UNDECIDED: f64 = 0.01 * LYING;

/// The least cosine between the exits at a corner and at the contact.
const FACING: f64 = 0.9;

/// Depths that differ by less are equal, relative to the size of the case.
const TIE: f64 = 1e-13;

/// How far off a corner a point may be, relative to the size of the case.
const PLACE: f64 = 1e-7;

/// Whether the contacts are the `single` ones, or points of faces or segments that lie on the body there.
pub fn judge(
    case: &Case,
    single: &CollisionData,
    found: &CollisionData,
    tolerance: f64,
) -> Result<(), String> {
    if case.detector == "line_mesh_convex" {
        return of_segments(case, single, found, tolerance);
    }
    let verge = tolerance * case.size();
    let Some(one) = single.contacts.first() else {
        return if found.is_empty() { Ok(()) } else { Err("there is nothing in contact".to_owned()) };
    };
    let Some(first) = found.contacts.first() else { return Err("no contact".to_owned()) };
    if (first.depth - one.depth).abs() > verge {
        return Err(format!("the first is {} deep, wanted {}", first.depth, one.depth));
    }
    let sure = corners(case, one, verge);
    if found.len() < sure.len().clamp(1, 4) {
        return Err(format!("{} points, of {} corners that lie on the body", found.len(), sure.len()));
    }
    if found.len() == 1 {
        return if first.same_bits(one) { Ok(()) } else { Err("a single contact differs".to_owned()) };
    }
    for contact in &found.contacts {
        on_body(case, one, contact, verge)?;
    }
    in_order(found, TIE * case.size())
}

/// The deepest first, of equally deep ones that with the lowest id; the others by id.
fn in_order(found: &CollisionData, tie: f64) -> Result<(), String> {
    let (first, others) = found.contacts.split_first().expect("there are two contacts or more");
    if others.iter().any(|other| other.depth > first.depth + tie) {
        return Err("the first is not the deepest".to_owned());
    }
    if others.iter().any(|other| other.depth == first.depth && other.id < first.id) {
        return Err("of equally deep contacts the first has not the lowest id".to_owned());
    }
    if others.windows(2).any(|pair| pair[0].id >= pair[1].id) {
        return Err("the others are not in the order of their ids".to_owned());
    }
    Ok(())
}

/// The corners of the solid's face that surely lie on the implicit body.
fn corners(case: &Case, one: &Contact, verge: f64) -> Vec<Vector> {
    let (radius, body) = (case.b.rounding_radius(), Placed::of(&case.a, case));
    let direction = Vector::from(one.direction);
    let own = Vector::from(one.b.point) - direction * radius;
    let Face::Of(corners) = face(&case.b, &direction) else { return Vec::new() };
    let highest = corners.iter().map(|corner| corner.dot(&direction)).fold(f64::NEG_INFINITY, f64::max);
    if own.dot(&direction) < highest - 0.1 * UNDECIDED * case.size() {
        // It is inside the solid.
        return Vec::new();
    }
    let is_sure = |corner: &Vector| {
        let (value, gradient) = body.value(&Point::from(*corner));
        let rise = (radius - one.depth - value).abs() - (LYING - UNDECIDED) * (corner - own).norm();
        // What is round has a line on its wall that depends on the direction.
        let facing = if corners.len() == 2 { 1.0 - 1e-7 } else { FACING + 0.01 };
        radius - value > verge - case.margin
            && rise < -verge
            && gradient.normalize().dot(&-direction) > facing
    };
    corners.iter().copied().filter(is_sure).collect()
}

/// Whether a point is on the solid, and as deep in the implicit body as it says.
fn on_body(case: &Case, one: &Contact, contact: &Contact, verge: f64) -> Result<(), String> {
    let radius = case.b.rounding_radius();
    let [direction, wanted] = [contact.direction, one.direction].map(Vector::from);
    let place = Point::from(contact.b.point) - direction * radius;
    let (value, _) = Placed::of(&case.a, case).value(&place);
    let off = |what: &str| Err(format!("{what}: {contact:?}"));
    if (radius - value - contact.depth).abs() > verge {
        return off("the depth is not that of the place");
    }
    if Solid::new(&case.b).signed(&Point::from(contact.b.point)).abs() > PLACE * case.size() + 0.05 * radius {
        return off("the point is off the surface of its solid");
    }
    let apart = (Point::from(contact.b.point) - Point::from(one.b.point)).norm() + 2.0 * radius;
    if (contact.depth - one.depth).abs() > (LYING + UNDECIDED) * apart + verge
        || contact.depth > one.depth + verge
    {
        return off("the face does not lie on the body there");
    }
    if direction.dot(&wanted) < FACING - 1e-6 || contact.depth < -case.margin - verge {
        return off("the point does not belong to the contact");
    }
    let Face::Of(corners) = face(&case.b, &wanted) else { return Ok(()) };
    let near = |corner: &Vector| (corner - place.coords).norm() <= PLACE * case.size();
    let is_own = (place - (Point::from(one.b.point) - wanted * radius)).norm() <= PLACE * case.size();
    let on_side = (0..corners.len()).any(|k| {
        let (from, to) = (corners[k], corners[(k + 1) % corners.len()]);
        let t = (place.coords - from).dot(&(to - from)) / (to - from).norm_squared();
        (0.0..=1.0).contains(&t) && (from + (to - from) * t - place.coords).norm() <= PLACE * case.size()
    });
    // Where all corners overhang the points are inside the face.
    if corners.iter().any(near) || is_own || on_side || is_near_face(&corners, &place) {
        return Ok(());
    }
    off("the point is not on the face")
}

/// Whether a point is no farther from the middle of a face than its corners are.
fn is_near_face(corners: &[Vector], place: &Point) -> bool {
    let middle = corners.iter().sum::<Vector>() / corners.len().max(1) as f64;
    let reach = corners.iter().map(|corner| (corner - middle).norm()).fold(0.0, f64::max);
    (place.coords - middle).norm() <= reach
}

/// Every contact is a single one, or one of two ends of what lies on the body: on its segment, with the direction of the
/// single one, and as deep as its own exit.
fn of_segments(
    case: &Case,
    single: &CollisionData,
    found: &CollisionData,
    tolerance: f64,
) -> Result<(), String> {
    let verge = tolerance * case.size();
    let (radius, solid) = (case.a.thickness(), Solid::new(&case.b));
    let same = |x: &Contact, y: &Contact| x.same_bits(y);
    for contact in
        found.contacts.iter().filter(|contact| !single.contacts.iter().any(|one| same(one, contact)))
    {
        let direction = Vector::from(contact.direction);
        let core = Point::from(contact.a.point) + direction * radius;
        if (radius - solid.signed(&core) - contact.depth).abs() > verge {
            return Err(format!("an end is not as deep as its exit: {contact:?}"));
        }
        let of_segment = |one: &&Contact| {
            let turned = (Vector::from(one.direction) - direction).norm();
            turned <= 1e-6 && contact.depth <= one.depth + verge
        };
        if !single.contacts.iter().any(|one| of_segment(&one)) {
            return Err(format!("an end that belongs to no contact of a segment: {contact:?}"));
        }
    }
    for one in &single.contacts {
        let stands = |contact: &&Contact| {
            let turned = (Vector::from(one.direction) - Vector::from(contact.direction)).norm();
            same(one, contact) || turned <= 1e-6 && (contact.depth - one.depth).abs() <= verge
        };
        if !found.contacts.iter().any(|contact| stands(&contact)) {
            return Err(format!("a contact has no end as deep: {one:?}"));
        }
    }
    Ok(())
}
