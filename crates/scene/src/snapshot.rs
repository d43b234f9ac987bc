//! Immutable copies of the contacts of one step, for other threads.
//!
//! The step fills a buffer that nobody reads and puts it in the place of the one on show. A reader takes what is on
//! show; when it comes while the two are being exchanged it keeps what it has, and never waits. Buffers that no reader holds
//! any more are filled again, so that a settled step does not touch the heap.

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

/// The part of one pair in a [`Snapshot`].
#[derive(Clone, Copy, Debug)]
pub struct PairSnapshot<'a> {
    /// The pair.
    pub pair: PairId,
    /// What the step did with it.
    pub outcome: Outcome,
    /// Its contacts, in the detector's order.
    pub contacts: &'a [Contact],
}

impl Snapshot {
    /// How many steps the scene had made, this one included; 0 before the first.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// The pairs that were not proven apart, in the order of their ids.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = PairSnapshot<'_>> {
        self.pairs.iter().map(|entry| PairSnapshot {
            pair: entry.pair,
            outcome: entry.outcome,
            contacts: &self.contacts[entry.contacts.clone()],
        })
    }

    /// The contacts of one pair; none for a pair that was apart, or that the scene did not have.
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

/// The place where the step puts what readers take. The lock is held for the exchange of one pointer.
type Exchange = Arc<Mutex<Arc<Snapshot>>>;

/// Reads the contacts of a scene from another thread. Clone it for one more thread.
#[derive(Clone, Debug)]
pub struct SnapshotReader {
    exchange: Exchange,
    held: Arc<Snapshot>,
}

impl SnapshotReader {
    /// The newest snapshot; the one it had when that is being exchanged right now. Never waits; the step number never goes
    /// back.
    pub fn read(&mut self) -> &Snapshot {
        if let Some(shown) = self.exchange.try_lock().map(|shown| Arc::clone(&shown)) {
            self.held = shown;
        }
        &self.held
    }

    /// The snapshot of the last [`read`](Self::read), to be kept as long as one likes: the scene fills other buffers.
    pub fn keep(&self) -> Arc<Snapshot> {
        Arc::clone(&self.held)
    }
}

/// The scene's end of the exchange.
#[derive(Default)]
pub(crate) struct Publisher {
    exchange: Exchange,
    /// All buffers that were ever filled. One that nobody else holds is free.
    buffers: Vec<Arc<Snapshot>>,
}

impl Publisher {
    /// Whether anybody would see what is published.
    pub(crate) fn has_readers(&self) -> bool {
        Arc::strong_count(&self.exchange) > 1
    }

    /// A reader that begins with what is on show.
    pub(crate) fn reader(&self) -> SnapshotReader {
        let held = Arc::clone(&self.exchange.lock());
        SnapshotReader { exchange: Arc::clone(&self.exchange), held }
    }

    /// Fills a free buffer and shows it.
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
