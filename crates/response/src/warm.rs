//! Rows of one step matched to those of the previous step by their keys.

use crate::RowKey;
use palpate_math::Vector;

/// What a row hands to the row of the same key in the next step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    pub(crate) key: RowKey,
    pub(crate) direction: Vector,
    pub(crate) tangents: [Vector; 2],
    /// Multipliers along the direction and both tangents.
    pub(crate) multipliers: [f64; 3],
}

/// The rows of the previous step. Rows in an unchanged order are matched one after the other; any other order is
/// searched by key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Previous {
    rows: Vec<Memory>,
    /// Where the next match is expected.
    cursor: usize,
    /// The indices of the rows in the order of their keys; empty until it is needed.
    by_key: Vec<u32>,
}

impl Previous {
    /// Replaces the rows. Keeps the memory.
    pub(crate) fn replace(&mut self, rows: impl Iterator<Item = Memory>) {
        self.rows.clear();
        self.rows.extend(rows);
        self.by_key.clear();
        self.cursor = 0;
    }

    /// Finds the row with a key. Cost: constant in an unchanged order, else logarithmic.
    pub(crate) fn find(&mut self, key: &RowKey) -> Option<&Memory> {
        let expected = self.rows.get(self.cursor).is_some_and(|row| row.key == *key);
        if !expected {
            if self.rows.is_empty() {
                return None;
            }
            if self.by_key.is_empty() {
                self.by_key.extend(0..self.rows.len() as u32);
                let rows = &self.rows;
                self.by_key.sort_unstable_by_key(|&index| rows[index as usize].key);
            }
            let found = self.by_key.binary_search_by_key(key, |&index| self.rows[index as usize].key).ok()?;
            self.cursor = self.by_key[found] as usize;
        }
        self.cursor += 1;
        self.rows.get(self.cursor - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::{ContactKey, NONE};

    fn memory(pair: u64, id: u64) -> Memory {
        let key = RowKey { pair, contact: ContactKey { id, children: [NONE; 2] } };
        let multipliers = [id as f64, 0.0, 0.0];
        Memory { key, direction: Vector::y(), tangents: [Vector::z(), Vector::x()], multipliers }
    }

    #[test]
    fn rows_are_found_in_every_order() {
        let mut previous = Previous::default();
        assert!(previous.find(&memory(0, 0).key).is_none());
        for order in [[0_u64, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 0, 3, 1]] {
            previous.replace((0..5).map(|id| memory(1, id)));
            for id in order {
                assert_eq!(previous.find(&memory(1, id).key).unwrap().multipliers[0], id as f64);
                assert!(previous.find(&memory(2, id).key).is_none(), "of another pair");
            }
        }
    }
}
