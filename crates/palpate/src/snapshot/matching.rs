//! Matching of the contacts of a pair in a frame by their keys.

use super::line::ContactLine;
use crate::contact::ContactKey;
use std::collections::BTreeMap;

/// The result of matching two lists of contacts.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Matching<'a> {
    /// The contacts in both lists, in the order of the first.
    pub(super) common: Vec<(&'a ContactLine, &'a ContactLine)>,
    /// The contacts only in the first list.
    pub(super) removed: Vec<&'a ContactLine>,
    /// The contacts only in the second list.
    pub(super) added: Vec<&'a ContactLine>,
    /// The first position at which the common contacts of the two lists differ: the contact of the first list and that
    /// of the second. `None` if the order is the same.
    pub(super) out_of_order: Option<(&'a ContactLine, &'a ContactLine)>,
}

impl<'a> Matching<'a> {
    /// Matches contacts by key. Contacts that share a key, as user-defined detectors may report them, are matched in
    /// order.
    pub(super) fn new(was: &'a [ContactLine], is: &'a [ContactLine]) -> Self {
        let mut places: BTreeMap<_, _> = keys(is).zip(is.iter().enumerate()).collect();
        let mut matching = Self::default();
        let mut order = Vec::new();
        for (key, line) in keys(was).zip(was) {
            match places.remove(&key) {
                Some((place, now)) => {
                    order.push(place);
                    matching.common.push((line, now));
                }
                None => matching.removed.push(line),
            }
        }
        let mut added: Vec<_> = places.into_values().collect();
        added.sort_unstable_by_key(|&(place, _)| place);
        matching.added.extend(added.into_iter().map(|(_, line)| line));
        let mut sorted = order.clone();
        sorted.sort_unstable();
        let first = order.iter().zip(&sorted).position(|(place, sorted)| place != sorted);
        matching.out_of_order = first.map(|place| (matching.common[place].0, &is[sorted[place]]));
        matching
    }
}

/// The key of each contact, and the number of earlier contacts with the same key.
fn keys(lines: &[ContactLine]) -> impl Iterator<Item = (ContactKey, usize)> {
    let mut seen = BTreeMap::new();
    lines.iter().map(move |line| {
        let count = seen.entry(line.key).or_insert(0);
        *count += 1;
        (line.key, *count)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: u64) -> ContactLine {
        let line = format!("vertex {id} ~ point id {id} | 0.5 0 0 0 0 0.5 0 | 0 1 0 1");
        ContactLine::parse(&line).expect("a line as it is written")
    }

    fn lines(ids: &[u64]) -> Vec<ContactLine> {
        ids.iter().map(|&id| line(id)).collect()
    }

    fn ids(lines: &[&ContactLine]) -> Vec<u64> {
        lines.iter().map(|line| line.key.id).collect()
    }

    #[test]
    fn an_inserted_contact_does_not_shift_the_others() {
        let (was, is) = (lines(&[4, 7, 9]), lines(&[3, 4, 8, 9]));
        let matching = Matching::new(&was, &is);
        assert_eq!(ids(&matching.removed), [7]);
        assert_eq!(ids(&matching.added), [3, 8]);
        assert!(matching.common.iter().all(|(was, is)| was.key == is.key));
        assert_eq!((matching.common.len(), matching.out_of_order), (2, None));
    }

    #[test]
    fn a_reordering_is_reported_at_its_first_position() {
        let (was, is) = (lines(&[1, 2, 3, 4]), lines(&[5, 1, 4, 2, 3]));
        let matching = Matching::new(&was, &is);
        assert_eq!((ids(&matching.added), matching.removed.len()), (vec![5], 0));
        let (first, second) = matching.out_of_order.unwrap();
        assert_eq!((first.key.id, second.key.id), (2, 4));
    }

    #[test]
    fn contacts_that_share_a_key_are_matched_in_order() {
        let (was, is) = (lines(&[0, 0, 0]), lines(&[0, 0]));
        let matching = Matching::new(&was, &is);
        assert_eq!((matching.common.len(), ids(&matching.removed)), (2, vec![0]));
        assert_eq!((matching.added.len(), matching.out_of_order), (0, None));
    }
}
