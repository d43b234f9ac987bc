//! Rows of one step matched to those of the previous step by their keys.

use crate::RowKey;

/// A slot of the table without a row.
const FREE: u32 = u32::MAX;

/// A row that can be found again by its key.
pub(crate) trait Keyed {
    fn key(&self) -> &RowKey;
}

/// The rows of the previous step. Rows in an unchanged order are matched one after the other; any other order is
/// searched by key.
#[derive(Debug)]
pub(crate) struct Previous<R> {
    rows: Vec<R>,
    /// Where the next match is expected.
    cursor: usize,
    /// A hash table with linear probing: indices of rows, or [`FREE`]. Its length is a power of two, at least twice the
    /// number of rows; empty until it is needed.
    slots: Vec<u32>,
}

impl<R> Default for Previous<R> {
    fn default() -> Self {
        Self { rows: Vec::new(), cursor: 0, slots: Vec::new() }
    }
}

impl<R: Clone> Clone for Previous<R> {
    fn clone(&self) -> Self {
        let mut previous = Self::default();
        previous.clone_from(self);
        previous
    }

    /// Keeps the memory of the lists.
    fn clone_from(&mut self, source: &Self) {
        let Self { rows, cursor, slots } = source;
        self.rows.clone_from(rows);
        self.slots.clone_from(slots);
        self.cursor = *cursor;
    }
}

impl<R: Keyed> Previous<R> {
    /// Makes the rows of the present step those of the previous one, and leaves those of the step before it, to be cleared
    /// or overwritten.
    pub(crate) fn turn_over(&mut self, rows: &mut Vec<R>) {
        std::mem::swap(&mut self.rows, rows);
        self.slots.clear();
        self.cursor = 0;
    }

    /// Begins the next round of searches, in whatever order.
    pub(crate) fn rewind(&mut self) {
        self.cursor = 0;
    }

    /// Finds the row with a key. Cost: constant; in an unchanged order one comparison.
    #[inline]
    pub(crate) fn find(&mut self, key: &RowKey) -> Option<&R> {
        let expected = self.rows.get(self.cursor).is_some_and(|row| row.key() == key);
        if !expected {
            self.cursor = self.search(key)?;
        }
        self.cursor += 1;
        self.rows.get(self.cursor - 1)
    }

    /// The index of the row with a key.
    fn search(&mut self, key: &RowKey) -> Option<usize> {
        if self.rows.is_empty() {
            return None;
        }
        if self.slots.is_empty() {
            self.fill();
        }
        let mut slot = hash(key) & (self.slots.len() - 1);
        while self.slots[slot] != FREE {
            let index = self.slots[slot] as usize;
            if self.rows[index].key() == key {
                return Some(index);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        None
    }

    fn fill(&mut self) {
        self.slots.resize((2 * self.rows.len()).next_power_of_two(), FREE);
        let mask = self.slots.len() - 1;
        for (index, row) in self.rows.iter().enumerate() {
            let mut slot = hash(row.key()) & mask;
            while self.slots[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = index as u32;
        }
    }
}

/// Mixes the parts of a key by multiplications with odd constants and shifts: W. D. Maurer, T. G. Lewis, "Hash table
/// methods" (1975), section 2.
fn hash(key: &RowKey) -> usize {
    let [a, b] = key.contact.children;
    let children = u64::from(a) | u64::from(b) << 32;
    let mut sum = key.contact.id;
    for part in [key.pair, children] {
        sum = (sum ^ (sum >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ part;
    }
    sum = (sum ^ (sum >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (sum ^ (sum >> 32)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::{ContactKey, NONE};

    fn key(pair: u64, id: u64) -> RowKey {
        RowKey { pair, contact: ContactKey { id, children: [NONE; 2] } }
    }

    impl Keyed for RowKey {
        fn key(&self) -> &RowKey {
            self
        }
    }

    #[test]
    fn rows_are_found_in_every_order() {
        let mut previous = Previous::default();
        assert!(previous.find(&key(0, 0)).is_none());
        for order in [[0_u64, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 0, 3, 1]] {
            let mut rows: Vec<RowKey> = (0..5).map(|id| key(1, id)).collect();
            previous.turn_over(&mut rows);
            for id in order {
                assert_eq!(previous.find(&key(1, id)), Some(&key(1, id)));
                assert!(previous.find(&key(2, id)).is_none(), "of another pair");
            }
        }
    }
}
