//! Comparison of two results: to the bit, or within a named tolerance.

use crate::{Case, Shape, oracle};
use palpate_contact::{CollisionData, Contact, Feature, FeatureKind};
use palpate_math::{Point, Vector};
use std::fmt::Debug;

/// Rounding error of a few operations on coordinates and lengths, relative to the size of the case.
pub const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Change that a rigid motion of the input may cause, relative to the size of the case: rounding, amplified where a
/// closest point lies on a narrow triangle or on nearly parallel lines.
pub const MOTION: f64 = 1e-10;

/// Walks two lists in parallel, item by item; optional items without a partner are skipped.
pub fn align<X: Debug, Y: Debug>(
    xs: &[X],
    ys: &[Y],
    may_lack_x: impl Fn(&X) -> bool,
    may_lack_y: impl Fn(&Y) -> bool,
    same: impl Fn(&X, &Y) -> Result<(), String>,
) -> Result<(), String> {
    let (mut i, mut j) = (0, 0);
    loop {
        match (xs.get(i), ys.get(j)) {
            (None, None) => return Ok(()),
            (Some(x), Some(y)) => match same(x, y) {
                Ok(()) => (i, j) = (i + 1, j + 1),
                Err(_) if may_lack_x(x) => i += 1,
                Err(_) if may_lack_y(y) => j += 1,
                Err(reason) => return Err(format!("item {i} against item {j}: {reason}")),
            },
            (Some(x), None) if may_lack_x(x) => i += 1,
            (None, Some(y)) if may_lack_y(y) => j += 1,
            (Some(_), None) => {
                return Err(format!("item {i} of {} is missing: {:?}", xs.len(), xs[i]));
            }
            (None, Some(_)) => {
                return Err(format!("item {j} of {} is too many: {:?}", ys.len(), ys[j]));
            }
        }
    }
}

/// Whether two results are the same to the last bit.
pub fn same_bits(wanted: &CollisionData, found: &CollisionData) -> Result<(), String> {
    if wanted.len() != found.len() {
        return Err(format!("{} contacts, wanted {}", found.len(), wanted.len()));
    }
    for (index, (x, y)) in wanted.contacts.iter().zip(&found.contacts).enumerate() {
        if !x.same_bits(y) {
            return Err(format!("contact {index} differs:\nwanted {x:?}\nfound  {y:?}"));
        }
    }
    Ok(())
}

/// Whether two results agree within `tolerance` (relative to the case's size); a contact within it of the margin
/// may be absent from either.
pub fn same_within(
    case: &Case,
    wanted: &CollisionData,
    found: &CollisionData,
    tolerance: f64,
) -> Result<(), String> {
    let tolerance = tolerance.max(case.search_tolerance().unwrap_or(0.0));
    let length = tolerance * case.size();
    let slack = |contact: &Contact| Slack::of(case, wanted, contact, length);
    // A body's deepest point in a mesh is reported if it is deeper than the elements, which may depend on rounding.
    let no_deeper = |contact: &Contact| {
        let others = wanted.contacts.iter().chain(&found.contacts).filter(|other| other.id != contact.id);
        let deepest = others.map(|other| other.depth).fold(f64::NEG_INFINITY, f64::max);
        oracle::is_of_piece(case, contact) && contact.depth <= deepest + OF_ITS_OWN * case.size()
    };
    let on_the_verge = |contact: &Contact| {
        let Slack { depth, edge, .. } = slack(contact);
        // A search that ended early in another pose may have found nothing within the margin.
        let depth = depth.max(contact.depth_upper - contact.depth);
        edge || (contact.depth + case.margin).abs() <= depth || no_deeper(contact)
    };
    align(&wanted.contacts, &found.contacts, on_the_verge, on_the_verge, |x, y| {
        same_contact(case, x, y, tolerance, &slack(x))
    })
}

/// By how much a body's point in a mesh must be deeper than the elements to surely get its own contact, relative to
/// the size.
const OF_ITS_OWN: f64 = 1e-8;

/// Error of directions, and of points relative to the size, where a search between curved bodies ended: the square
/// root of its depth error, since the depth is flat around the minimum.
const SEARCHED_TURN: f64 = 1e-4;

/// Effects of rounding on a contact.
struct Slack {
    /// Rotation of the direction: rounding displaces the cores and so rotates the line between them.
    turn: f64,
    /// Change of the depth.
    depth: f64,
    /// Whether the contact may be missing: where a curved body touches the edge of a face, a small change of the
    /// search direction decides whether the line or cap that represents the body passes inside or outside the edge.
    /// The law of truth judges each result by its own direction.
    edge: bool,
}

impl Slack {
    fn of(case: &Case, wanted: &CollisionData, contact: &Contact, length: f64) -> Self {
        // The points of a manifold have the direction of the first; a rotation of it tilts the others.
        let plane = matches!(case.a, Shape::Plane { .. }) || matches!(case.b, Shape::Plane { .. });
        let first = wanted.contacts.first().filter(|_| case.has_manifold() && !plane);
        let searched = if case.search_tolerance().is_some() { SEARCHED_TURN } else { 0.0 };
        let turn = 2.0 * length / case.core_distance(first.unwrap_or(contact)).max(length);
        let turn = turn.max(searched);
        let tilted = first.is_some_and(|first| first.id != contact.id);
        let tilt = if tilted { turn.min(2.0) * case.size() } else { 0.0 };
        Self { turn, depth: length + tilt, edge: tilted && searched > 0.0 }
    }
}

fn same_contact(case: &Case, x: &Contact, y: &Contact, tolerance: f64, slack: &Slack) -> Result<(), String> {
    let length = tolerance * case.size();
    let differs = |what: &str| Err(format!("{what} differs:\nwanted {x:?}\nfound  {y:?}"));
    let same_elements = same_element(&x.a, &y.a) && same_element(&x.b, &y.b);
    // Where many points are equally deep, each has its own direction, on its own part of the body.
    let same_but_for_parts = || same_but_for_part(&x.a, &y.a) && same_but_for_part(&x.b, &y.b);
    let others = || oracle::is_of_piece(case, x) || same_but_for_parts();
    // A search that ended early certifies its remaining error: so far apart in depth its places may be.
    let open = (x.depth_upper - x.depth).max(y.depth_upper - y.depth);
    let are_deepest = || are_deepest(case, [x, y], length.max(open));
    if x.id != y.id || !(same_elements || others() && are_deepest()) {
        return differs("the id or an element");
    }
    let as_deep = |x: f64, y: f64| (x - y).abs() <= slack.depth.max(open);
    if !(as_deep(x.depth, y.depth) && as_deep(x.depth_upper, y.depth_upper)) {
        return differs("the depth");
    }
    let turn = slack.turn;
    let turned = (Vector::from(x.direction) - Vector::from(y.direction)).norm();
    if turn < 1e-2 && turned > turn.max(tolerance) && !are_deepest() {
        return differs("the direction");
    }
    let searched = if case.search_tolerance().is_some() { SEARCHED_TURN } else { 0.0 };
    let slack = length
        + searched * case.size()
        + turn.min(2.0) * (case.a.rounding_radius() + case.b.rounding_radius());
    for (p, q) in [(&x.a, &y.a), (&x.b, &y.b)] {
        let apart = (Point::from(p.point) - Point::from(q.point)).norm();
        if apart.is_nan() || apart > slack && !are_deepest() {
            return differs("a point");
        }
    }
    Ok(())
}

/// Whether a body or an element was searched for its deepest point, and both contacts are at such points: there may
/// be many (a triangle that cuts through the middle of a plate), each with its own direction.
fn are_deepest(case: &Case, contacts: [&Contact; 2], length: f64) -> bool {
    let searched = oracle::is_searched(case, &case.a) || oracle::is_searched(case, &case.b);
    contacts.iter().all(|contact| match oracle::off_least_of_element(case, contact) {
        Some(off) => off <= length,
        None => searched && oracle::off_deepest(case, contact) <= length,
    })
}

/// Whether two sides are the same element of the same cell.
pub fn same_element(x: &Feature, y: &Feature) -> bool {
    (x.kind, x.vertex_count, x.vertices, x.cell, x.child)
        == (y.kind, y.vertex_count, y.vertices, y.cell, y.child)
}

/// Whether two sides are the same element, or points on any parts of the same body.
fn same_but_for_part(x: &Feature, y: &Feature) -> bool {
    let points = [x, y].iter().all(|side| side.feature_kind() == FeatureKind::Point);
    same_element(x, y) || points && x.child == y.child
}
