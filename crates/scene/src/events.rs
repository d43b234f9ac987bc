//! Events: which contacts of a step are new, which were there before, and which are gone.

use crate::{Pair, PairId};
use palpate_contact::ContactKey;

/// What a step changed about a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// The step before had no contact with this key.
    Began,
    /// The step before had it, too.
    Persists,
    /// The step before had it, this one does not.
    Ended,
}

/// An event of one contact of one pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The pair. It may have been removed from the scene if the contact ended.
    pub pair: PairId,
    /// The key of the contact within its pair.
    pub key: ContactKey,
    /// What changed.
    pub change: Change,
    /// The place of the contact in the pair's list; `None` if it ended.
    pub contact: Option<u32>,
}

/// The keys of two steps, and the events between them. The memory is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventLog {
    /// Whether the events are wanted.
    pub(crate) is_on: bool,
    /// In the order of the pairs' ids, then of the contacts.
    before: Vec<(PairId, ContactKey)>,
    now: Vec<(PairId, ContactKey)>,
    /// The places in `before`; within a pair in the order of the keys.
    by_key: Vec<u32>,
    /// For each place in `before`, whether this step has the key.
    is_found: Vec<bool>,
    events: Vec<Event>,
}

impl EventLog {
    /// No events yet.
    pub(crate) fn new(is_on: bool) -> Self {
        Self { is_on, ..Self::default() }
    }

    /// The events of the last step.
    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// Replaces the events by those between the last call and the contacts of `pairs`, in the order of their ids.
    pub(crate) fn update<'a>(&mut self, pairs: impl Iterator<Item = &'a Pair>) {
        std::mem::swap(&mut self.before, &mut self.now);
        self.now.clear();
        for pair in pairs {
            self.now.extend(pair.contacts().contacts.iter().map(|contact| (pair.id(), contact.key())));
        }
        self.events.clear();
        self.is_found.clear();
        self.is_found.resize(self.before.len(), false);
        self.by_key.clear();
        self.by_key.extend(0..self.before.len() as u32);
        let (mut place, mut place_before) = (0, 0);
        loop {
            // The next pair that has contacts in one of the two steps.
            let ids = [self.now.get(place), self.before.get(place_before)];
            let Some(pair) = ids.into_iter().flatten().map(|entry| entry.0).min() else { return };
            let end = end_of(&self.now, place, pair);
            let end_before = end_of(&self.before, place_before, pair);
            self.compare(pair, place..end, place_before..end_before);
            (place, place_before) = (end, end_before);
        }
    }

    /// Appends the events of one pair, whose keys are in these ranges.
    fn compare(&mut self, pair: PairId, now: std::ops::Range<usize>, before: std::ops::Range<usize>) {
        let Self { before: all_before, now: all_now, by_key, is_found, events, .. } = self;
        let (mut expected, mut is_sorted) = (before.start, false);
        let by_key = &mut by_key[before.clone()];
        for (contact, &(_, key)) in (0..).zip(&all_now[now]) {
            // Most contacts follow the same one as in the step before.
            let follows = before.contains(&expected) && all_before[expected].1 == key;
            let found = if follows {
                Some(expected)
            } else {
                if !std::mem::replace(&mut is_sorted, true) {
                    by_key.sort_unstable_by_key(|&place| all_before[place as usize].1);
                }
                let at = by_key.binary_search_by_key(&key, |&place| all_before[place as usize].1);
                at.ok().map(|at| by_key[at] as usize)
            };
            if let Some(found) = found {
                is_found[found] = true;
                expected = found + 1;
            }
            let change = if found.is_some() { Change::Persists } else { Change::Began };
            events.push(Event { pair, key, change, contact: Some(contact) });
        }
        let gone = before.filter(|&place| !is_found[place]).map(|place| all_before[place].1);
        events.extend(gone.map(|key| Event { pair, key, change: Change::Ended, contact: None }));
    }
}

/// The end of the entries of a pair that start at `place`.
fn end_of(entries: &[(PairId, ContactKey)], place: usize, pair: PairId) -> usize {
    place + entries[place..].iter().take_while(|entry| entry.0 == pair).count()
}
