//! Immutable copies of the contacts of one step, for other threads.
//!
//! The step fills a free buffer and exchanges it for the published one. A reader takes the published buffer; if the
//! exchange is in progress it keeps its current buffer and does not wait. Buffers that no reader holds are reused, so
//! that a settled step does not allocate.

use crate::{Outcome, Pair, PairId};
use palpate_contact::Contact;
use parking_lot::Mutex;
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

    fn fill<'a>(&mut self, step: u64, pairs: impl Iterator<Item = &'a Pair>) {
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

/// Location of the published snapshot. The lock is held only for the exchange of one pointer.
type Exchange = Arc<Mutex<Arc<Snapshot>>>;

/// Reads the contacts of a scene from another thread. Clone it for additional threads.
#[derive(Clone, Debug)]
pub struct SnapshotReader {
    exchange: Exchange,
    held: Arc<Snapshot>,
}

impl SnapshotReader {
    /// The newest snapshot, or the current one of the reader if an exchange is in progress. Never waits; the step
    /// number never decreases.
    pub fn read(&mut self) -> &Snapshot {
        if let Some(shown) = self.exchange.try_lock().map(|shown| Arc::clone(&shown)) {
            self.held = shown;
        }
        &self.held
    }

    /// The snapshot of the last [`read`](Self::read). It can be kept for any time: the scene fills other buffers.
    pub fn keep(&self) -> Arc<Snapshot> {
        Arc::clone(&self.held)
    }
}

/// The scene's side of the exchange.
#[derive(Default)]
pub(crate) struct Publisher {
    exchange: Exchange,
    /// All buffers. A buffer without other owners is free.
    buffers: Vec<Arc<Snapshot>>,
}

impl Publisher {
    /// Whether any reader exists.
    pub(crate) fn has_readers(&self) -> bool {
        Arc::strong_count(&self.exchange) > 1
    }

    /// A reader that starts with the published snapshot.
    pub(crate) fn reader(&self) -> SnapshotReader {
        let held = Arc::clone(&self.exchange.lock());
        SnapshotReader { exchange: Arc::clone(&self.exchange), held }
    }

    /// Fills a free buffer and publishes it.
    pub(crate) fn publish<'a>(&mut self, step: u64, pairs: impl Iterator<Item = &'a Pair>) {
        let free = self.buffers.iter_mut().position(|buffer| Arc::get_mut(buffer).is_some());
        let place = free.unwrap_or_else(|| {
            self.buffers.push(Arc::default());
            self.buffers.len() - 1
        });
        let buffer = &mut self.buffers[place];
        Arc::get_mut(buffer).expect("only the list of buffers holds a free one").fill(step, pairs);
        let shown = Arc::clone(buffer);
        let hidden = std::mem::replace(&mut *self.exchange.lock(), shown);
        drop(hidden);
    }
}
