//! A set of indices whose memory is proportional to the number of entries, not to the mesh.

/// A set of element indices: open addressing with linear probing, cleared by incrementing a round counter instead of
/// writing. Memory follows the largest number of entries of a round.
#[derive(Debug, Default)]
pub(crate) struct MarkSet {
    /// A key and the round in which it was inserted; the capacity is a power of two, at most half full.
    slots: Vec<(u32, u32)>,
    round: u32,
    count: usize,
}

/// Slots of the smallest table.
const FEWEST_SLOTS: usize = 512;

/// Knuth's multiplicative hash: 2^32 divided by the golden ratio.
const GOLDEN: u32 = 0x9E37_79B9;

impl MarkSet {
    /// Removes all marks.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
        if self.round == u32::MAX {
            self.slots.fill((0, 0));
            self.round = 0;
        }
        self.round += 1;
    }

    /// Inserts an index; returns whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, number: u32) -> bool {
        if self.round == 0 {
            self.round = 1;
        }
        if 2 * (self.count + 1) > self.slots.len() {
            self.grow();
        }
        let slot = self.slot_of(number);
        let is_new = self.slots[slot] != (number, self.round);
        if is_new {
            self.slots[slot] = (number, self.round);
            self.count += 1;
        }
        is_new
    }

    /// Makes room for so many marks.
    pub(crate) fn make_room(&mut self, marks: usize) {
        while 2 * marks > self.slots.len() {
            self.grow();
        }
    }

    /// Whether an index is in the set.
    pub(crate) fn contains(&self, number: u32) -> bool {
        self.count > 0 && self.slots[self.slot_of(number)] == (number, self.round)
    }

    /// Returns the number of slots.
    pub(crate) fn size(&self) -> usize {
        self.slots.len()
    }

    /// Returns the slot of an index, or the free one where it would be inserted. Slots stay the same until another index is inserted.
    #[inline]
    pub(crate) fn slot_of(&self, number: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (number.wrapping_mul(GOLDEN) >> 7) as usize & mask;
        while self.slots[slot].1 == self.round && self.slots[slot].0 != number {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[cold]
    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(FEWEST_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![(0, 0); size]);
        for (number, round) in old {
            if round == self.round {
                let slot = self.slot_of(number);
                self.slots[slot] = (number, round);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_new_once_a_round_also_when_the_count_wraps() {
        let mut marks = MarkSet { round: u32::MAX - 1, ..MarkSet::default() };
        for _ in 0..4 {
            marks.clear();
            assert!(!marks.contains(3) && marks.insert(3) && !marks.insert(3) && marks.contains(3));
            assert!(marks.insert(0) && marks.insert(u32::MAX) && !marks.insert(u32::MAX));
        }
    }

    /// Against the standard library's set, with keys that collide.
    #[test]
    fn many_numbers_are_kept_and_the_memory_follows_their_count() {
        let mut marks = MarkSet::default();
        let mut wanted = std::collections::HashSet::new();
        for k in 0..5000_u32 {
            let number = k.wrapping_mul(k).wrapping_mul(2_654_435_761) % 4096 * 128;
            assert_eq!(marks.insert(number), wanted.insert(number));
        }
        assert!((0..600_000).all(|number| marks.contains(number) == wanted.contains(&number)));
        assert!(marks.slots.len() <= 4 * wanted.len());
    }
}
