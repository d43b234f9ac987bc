//! Immutable copies of the contacts of one step, for other threads.

use crate::exchange::Reader;
use crate::{Outcome, Pair, PairId};
use palpate_contact::Contact;
use std::ops::Range;
use std::sync::Arc;

/// The contacts of one step.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    step: u64,
    pairs: Vec<Entry>,
    contacts: Vec<Contact>,
}

#[derive(Clone, Debug)]
struct Entry {
    pair: PairId,
    outcome: Outcome,
    contacts: Range<usize>,
}

/// One pair of a [`Snapshot`].
#[derive(Clone, Copy, Debug)]
pub struct PairSnapshot<'a> {
    /// The pair.
    pub pair: PairId,
    /// Outcome of the step for the pair.
    pub outcome: Outcome,
    /// Its contacts, in the detector's order.
    pub contacts: &'a [Contact],
}

impl Snapshot {
    /// Number of steps of the scene, including this one; 0 before the first.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// The pairs that were not culled, in the order of their ids.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = PairSnapshot<'_>> {
        self.pairs.iter().map(|entry| PairSnapshot {
            pair: entry.pair,
            outcome: entry.outcome,
            contacts: &self.contacts[entry.contacts.clone()],
        })
    }

    /// The contacts of one pair; empty for a culled or unknown pair.
    pub fn contacts(&self, pair: PairId) -> &[Contact] {
        match self.pairs.binary_search_by_key(&pair, |entry| entry.pair) {
            Ok(place) => &self.contacts[self.pairs[place].contacts.clone()],
            Err(_) => &[],
        }
    }

    /// The contacts of all pairs, in the order of the pairs' ids.
    pub fn all_contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Replaces the contents by those of a step.
    pub(crate) fn fill<'a>(&mut self, step: u64, pairs: impl Iterator<Item = &'a Pair>) {
        self.step = step;
        self.pairs.clear();
        self.contacts.clear();
        for pair in pairs {
            let start = self.contacts.len();
            self.contacts.extend_from_slice(&pair.contacts().contacts);
            let contacts = start..self.contacts.len();
            self.pairs.push(Entry { pair: pair.id(), outcome: pair.outcome(), contacts });
        }
    }
}

/// Reads the contacts of a scene from another thread. Clone it for additional threads.
#[derive(Clone, Debug)]
pub struct SnapshotReader {
    pub(crate) reader: Reader<Snapshot>,
}

impl SnapshotReader {
    /// The newest snapshot, or the current one of the reader if an exchange is in progress. Never waits; the step
    /// number never decreases.
    pub fn read(&mut self) -> &Snapshot {
        self.reader.read()
    }

    /// The snapshot of the last [`read`](Self::read). It can be kept for any time: the scene fills other buffers.
    pub fn keep(&self) -> Arc<Snapshot> {
        Arc::clone(self.reader.held())
    }
}
