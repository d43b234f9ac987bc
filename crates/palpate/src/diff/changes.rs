//! What differs between two contacts that are the same.

use super::options::Policy;
use super::report::Kind;
use crate::contact::Contact;
use crate::contact_text::elements;
use crate::math::Vector;

/// The differences of two contacts that count.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Changes {
    pub(super) kinds: Vec<Kind>,
    /// Metres: the larger of how far a point has moved and how much the depth has changed.
    pub(super) size: f64,
}

/// Compares two contacts that are the same, `is` with its sides as those of `was`. Empty if nothing that counts differs.
pub(super) fn changes(was: &Contact, is: &Contact, policy: &Policy) -> Changes {
    let mut found = Changes::default();
    if was.same_bits(is) {
        return found;
    }
    let tolerance = policy.tolerance();
    if policy.keeps_identity() && (was.key() != is.key() || has_other_elements(was, is)) {
        found.kinds.push(Kind::Renamed);
    }
    let moved = distance(was.a.point, is.a.point).max(distance(was.b.point, is.b.point));
    let deeper = is.depth - was.depth;
    if exceeds(moved, tolerance.length) {
        found.kinds.push(Kind::Moved);
    }
    if exceeds(angle(was, is), tolerance.angle) && was.direction != is.direction {
        found.kinds.push(Kind::Turned);
    }
    let allowed = tolerance.length + tolerance.relative * was.depth.abs().max(is.depth.abs());
    if exceeds(deeper.abs(), allowed) {
        found.kinds.push(if deeper < 0.0 { Kind::Shallower } else { Kind::Deeper });
    }
    if has_other_values(was, is, policy) {
        found.kinds.push(Kind::Values);
    }
    if found.kinds.is_empty() && *policy == Policy::Exact {
        found.kinds.push(Kind::Values);
    }
    found.size = if moved.is_nan() || deeper.is_nan() { f64::INFINITY } else { moved.max(deeper.abs()) };
    found
}

/// What differs, in words.
pub(super) fn describe(was: &Contact, is: &Contact, changes: &Changes) -> String {
    let mut words = Vec::new();
    for kind in &changes.kinds {
        words.push(match kind {
            Kind::Renamed if has_other_elements(was, is) => {
                format!("elements were {}, are {}, id {} and {}", elements(was), elements(is), was.id, is.id)
            }
            Kind::Renamed => format!(
                "id was {}, is {}, children {:?} and {:?}",
                was.id,
                is.id,
                was.key().children,
                is.key().children
            ),
            Kind::Moved => {
                let by = [distance(was.a.point, is.a.point), distance(was.b.point, is.b.point)];
                format!("moved by {:.3e} m on side A and {:.3e} m on side B", by[0], by[1])
            }
            Kind::Turned => format!("turned by {:.3e} degrees", angle(was, is).to_degrees()),
            Kind::Deeper | Kind::Shallower => {
                format!("depth was {}, is {} (by {:.3e} m)", was.depth, is.depth, is.depth - was.depth)
            }
            _ => values(was, is),
        });
    }
    words.join("; ")
}

/// The other numbers that differ in any bit.
fn values(was: &Contact, is: &Contact) -> String {
    let mut found = Vec::new();
    let mut add = |name: &str, was: f64, is: f64| {
        if was.to_bits() != is.to_bits() {
            found.push(format!("{name} was {was}, is {is} (by {:.3e})", is - was));
        }
    };
    add("bound of the depth", was.depth_upper, is.depth_upper);
    add("time of impact", was.time_of_impact, is.time_of_impact);
    for (side, was, is) in [("a", &was.a, &is.a), ("b", &was.b, &is.b)] {
        for (number, (was, is)) in was.weights.iter().zip(&is.weights).enumerate() {
            add(&format!("weight {number} of {side}"), *was, *is);
        }
    }
    if found.is_empty() { "bits of a number that prints alike".to_owned() } else { found.join(", ") }
}

fn has_other_elements(was: &Contact, is: &Contact) -> bool {
    let elements = |contact: &Contact| {
        [&contact.a, &contact.b].map(|side| (side.kind, side.vertex_count, side.vertices, side.cell))
    };
    elements(was) != elements(is)
}

fn has_other_values(was: &Contact, is: &Contact, policy: &Policy) -> bool {
    let tolerance = policy.tolerance();
    let agree =
        |was: f64, is: f64, most: f64| was == is || (was.is_nan() && is.is_nan()) || (was - is).abs() <= most;
    let allowed = tolerance.length + tolerance.relative * was.depth_upper.abs().max(is.depth_upper.abs());
    // Different elements have different vertices, so their weights cannot be compared.
    let weights = || {
        let both = [(&was.a, &is.a), (&was.b, &is.b)];
        both.into_iter().all(|(was, is)| {
            was.weights.iter().zip(&is.weights).all(|(was, is)| agree(*was, *is, tolerance.unit))
        })
    };
    !agree(was.depth_upper, is.depth_upper, allowed)
        || !agree(was.time_of_impact, is.time_of_impact, tolerance.unit)
        || !(has_other_elements(was, is) || weights())
}

/// Whether a difference is larger than allowed, or no number.
fn exceeds(difference: f64, allowed: f64) -> bool {
    difference.is_nan() || difference > allowed
}

fn distance(one: [f64; 3], two: [f64; 3]) -> f64 {
    if one == two { 0.0 } else { (Vector::from(one) - Vector::from(two)).norm() }
}

/// Radians between the directions. By both products: an arc cosine loses small angles.
fn angle(one: &Contact, two: &Contact) -> f64 {
    let (one, two) = (Vector::from(one.direction), Vector::from(two.direction));
    // Of unit vectors; where they differ in length alone, by that.
    libm::atan2(one.cross(&two).norm(), one.dot(&two)).max((one.norm() - two.norm()).abs())
}
