//! Matching of the contacts of a pair in a frame: by key, by key with sides exchanged, by place.

use crate::contact::{Contact, ContactId, ContactKey};
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use std::collections::HashMap;
use std::num::NonZero;

/// The part of the box round all points within which two contacts of different keys are one, if nothing else is asked for.
const PLACE_PART: f64 = 1e-6;

/// The most neighbours by place that are considered.
const NEIGHBOURS: NonZero<usize> = NonZero::<usize>::MIN.saturating_add(7);

/// Two contacts that are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) was: usize,
    pub(super) is: usize,
    /// Whether they are the same with sides exchanged.
    pub(super) is_exchanged: bool,
}

/// The result: indices into the two lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Matching {
    /// In the order of the first list.
    pub(super) same: Vec<Match>,
    pub(super) lost: Vec<usize>,
    pub(super) added: Vec<usize>,
    /// The first match whose place in the order differs.
    pub(super) out_of_order: Option<usize>,
}

/// Matches contacts; `place` in metres.
pub(super) fn match_contacts(was: &[&Contact], is: &[&Contact], place: Option<f64>) -> Matching {
    let mut partners = vec![None; was.len()];
    let mut is_taken = vec![false; is.len()];
    let is_in_step = was.len() == is.len() && was.iter().zip(is).all(|(one, two)| one.key() == two.key());
    if is_in_step && !has_doubles(was) {
        partners.iter_mut().enumerate().for_each(|(number, partner)| *partner = Some((number, false)));
        is_taken.fill(true);
    } else {
        by_key(was, is, &mut partners, &mut is_taken, false);
        by_key(was, is, &mut partners, &mut is_taken, true);
        by_place(was, is, &mut partners, &mut is_taken, place);
    }
    let mut matching = Matching::default();
    for (number, partner) in partners.iter().enumerate() {
        match *partner {
            Some((other, is_exchanged)) => {
                matching.same.push(Match { was: number, is: other, is_exchanged });
            }
            None => matching.lost.push(number),
        }
    }
    matching.added = (0..is.len()).filter(|&other| !is_taken[other]).collect();
    let mut sorted: Vec<usize> = matching.same.iter().map(|found| found.is).collect();
    sorted.sort_unstable();
    matching.out_of_order = matching.same.iter().zip(&sorted).position(|(found, sorted)| found.is != *sorted);
    matching
}

/// Whether two contacts have one key, as detectors of a user's own may report them.
fn has_doubles(contacts: &[&Contact]) -> bool {
    let is_rising = contacts.windows(2).all(|two| two[0].key() < two[1].key());
    !is_rising && {
        let mut keys: Vec<ContactKey> = contacts.iter().map(|contact| contact.key()).collect();
        keys.sort_unstable();
        keys.windows(2).any(|two| two[0] == two[1])
    }
}

type Partners = [Option<(usize, bool)>];

/// Matches those that are left by key; those of one key by their bits, then in order. With `exchanged` by the key that the
/// contact has when the inputs are exchanged.
fn by_key(
    was: &[&Contact],
    is: &[&Contact],
    partners: &mut Partners,
    is_taken: &mut [bool],
    exchanged: bool,
) {
    if partners.iter().all(Option::is_some) || is_taken.iter().all(|taken| *taken) {
        return;
    }
    let mut places: HashMap<ContactKey, Vec<usize>> = HashMap::new();
    for (other, contact) in is.iter().enumerate().filter(|(other, _)| !is_taken[*other]) {
        let key = if exchanged { exchanged_key(contact.key()) } else { contact.key() };
        places.entry(key).or_default().push(other);
    }
    for (number, partner) in partners.iter_mut().enumerate().filter(|(_, partner)| partner.is_none()) {
        let Some(found) = places.get_mut(&was[number].key()) else { continue };
        if exchanged {
            found.retain(|&other| is_mirror(was[number], is[other]));
        }
        if found.is_empty() {
            continue;
        }
        let at = found.iter().position(|&other| was[number].same_bits(is[other])).unwrap_or(0);
        let other = found.remove(at);
        is_taken[other] = true;
        *partner = Some((other, exchanged));
    }
}

/// The key that a contact has when the inputs are exchanged.
fn exchanged_key(key: ContactKey) -> ContactKey {
    let [a, b] = ContactId::parts(key.id);
    ContactKey { id: ContactId::new(b, a).number(), children: [key.children[1], key.children[0]] }
}

/// Whether the elements of one contact are those of the other with sides exchanged.
fn is_mirror(one: &Contact, two: &Contact) -> bool {
    let same = |one: &crate::contact::Feature, two: &crate::contact::Feature| {
        (one.kind, one.vertices, one.cell) == (two.kind, two.vertices, two.cell)
    };
    same(&one.a, &two.b) && same(&one.b, &two.a) && one.direction != two.direction
}

/// Matches those that are left by the point on side A, the nearest first.
fn by_place(
    was: &[&Contact],
    is: &[&Contact],
    partners: &mut Partners,
    is_taken: &mut [bool],
    place: Option<f64>,
) {
    let free: Vec<usize> = (0..is.len()).filter(|&other| !is_taken[other]).collect();
    if free.is_empty() || partners.iter().all(Option::is_some) {
        return;
    }
    let radius = place.unwrap_or_else(|| PLACE_PART * diagonal(was.iter().chain(is)));
    let points: Vec<[f64; 3]> = free.iter().map(|&other| is[other].a.point).collect();
    // Points that are not finite, as only a damaged file has them, are near nothing.
    let Ok(tree) = ImmutableKdTree::<f64, 3>::new_from_slice(&points) else { return };
    let mut near = Vec::new();
    for number in (0..was.len()).filter(|&number| partners[number].is_none()) {
        let query = tree.query(&was[number].a.point).nearest_n::<SquaredEuclidean<f64>>(NEIGHBOURS);
        let found = query.within::<SquaredEuclidean<f64>>((radius * radius).next_up()).execute();
        near.extend(found.iter().map(|found| (found.distance, number, free[found.item as usize])));
    }
    near.sort_by(|one, two| one.0.total_cmp(&two.0).then((one.1, one.2).cmp(&(two.1, two.2))));
    for (_, number, other) in near {
        if partners[number].is_none() && !is_taken[other] {
            is_taken[other] = true;
            partners[number] = Some((other, false));
        }
    }
}

fn diagonal<'a>(contacts: impl Iterator<Item = &'a &'a Contact>) -> f64 {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for contact in contacts {
        for axis in 0..3 {
            for point in [contact.a.point, contact.b.point] {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
    }
    (0..3).map(|axis| (high[axis] - low[axis]).powi(2)).sum::<f64>().sqrt()
}
