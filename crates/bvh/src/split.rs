//! Splits of entries in two, while a tree is built.

use crate::frame::{Lanes, all_larger, all_smaller, larger, smaller};

/// Maximum number of boxes per leaf: below this, testing them all costs no more than another node.
pub(crate) const LEAF_SIZE: usize = 4;

/// Number of bins along an axis.
const BINS: usize = 16;

/// Number of boxes that are split exactly, by sorting them.
const SORTED: usize = 32;

/// The entries that are being ordered, with their numbers, and room for a part of them.
pub(crate) struct Splitter<'a> {
    pub(crate) entries: &'a mut [Lanes],
    pub(crate) ids: &'a mut [u32],
    pub(crate) spare: (&'a mut Vec<Lanes>, &'a mut Vec<u32>),
}

/// Returns twice the centre (halving would change no comparison), finite for unbounded and empty boxes.
#[inline]
fn doubled_center(bounds: &Lanes) -> [f32; 4] {
    let along = |lane: usize| doubled_center_along(bounds, lane);
    [along(0), along(1), along(2), along(3)]
}

#[inline]
fn doubled_center_along(bounds: &Lanes, axis: usize) -> f32 {
    const FAR: f32 = 16.0;
    smaller(larger(bounds.low[axis] + bounds.high[axis], -FAR), FAR)
}

/// Returns the longest axis of the centres' box, where it begins on it, and its length.
fn longest_axis(entries: &[Lanes]) -> (usize, f32, f32) {
    let mut low = [f32::INFINITY; 4];
    let mut high = [f32::NEG_INFINITY; 4];
    for entry in entries {
        let center = doubled_center(entry);
        low = all_smaller(&center, &low);
        high = all_larger(&center, &high);
    }
    let length = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
    let mut axis = usize::from(length[1] > length[0]);
    if length[2] > length[axis] {
        axis = 2;
    }
    (axis, low[axis], length[axis])
}

#[derive(Clone, Copy)]
struct Bin {
    bounds: Lanes,
    count: u32,
}

impl Bin {
    const EMPTY: Self = Self { bounds: Lanes::EMPTY, count: 0 };

    #[inline]
    fn merge(&mut self, other: &Self) {
        self.bounds = self.bounds.merged(&other.bounds);
        self.count += other.count;
    }

    /// Returns the area times the count: proportional to the expected tests of a query in this bin.
    fn cost(&self) -> f32 {
        if self.count == 0 { 0.0 } else { self.bounds.half_area() * self.count as f32 }
    }
}

/// The numbers of bins along an axis.
#[derive(Clone, Copy)]
struct Binning {
    axis: usize,
    low: f32,
    bins_per_length: f32,
}

impl Binning {
    #[inline]
    fn bin(&self, entry: &Lanes) -> usize {
        // Adding 2^23 rounds to an integer and leaves it in the lowest bits.
        const ROUNDING: f32 = 8_388_608.0;
        let along = (doubled_center_along(entry, self.axis) - self.low) * self.bins_per_length;
        (along + ROUNDING).to_bits() as usize % BINS
    }
}

impl Splitter<'_> {
    /// Orders some entries so that those before the returned index form one child; returns the boxes of both.
    pub(crate) fn split(
        &mut self,
        start: usize,
        end: usize,
        bounds: &Lanes,
        by_area: bool,
    ) -> (usize, [Lanes; 2]) {
        let entries = &self.entries[start..end];
        let (axis, low, length) = longest_axis(entries);
        let bins_per_length = (BINS - 1) as f32 / length;
        if !(by_area && length > 0.0 && bins_per_length.is_finite()) {
            return self.split_in_halves(start, end, axis, bounds);
        }
        let binning = Binning { axis, low, bins_per_length };
        let mut bins = [Bin::EMPTY; BINS];
        for entry in entries {
            bins[binning.bin(entry)].merge(&Bin { bounds: *entry, count: 1 });
        }
        let (last_left, sides) = cheapest_cut(&bins);
        let left = self.partition(start, end, |entry| binning.bin(entry) <= last_left);
        (start + left, sides)
    }

    /// Moves the entries that go left before the others, each in order, and counts them.
    fn partition(&mut self, start: usize, end: usize, goes_left: impl Fn(&Lanes) -> bool) -> usize {
        let count = end - start;
        let (entries, ids) = (&mut self.entries[start..end], &mut self.ids[start..end]);
        let (right_entries, right_ids) = (&mut *self.spare.0, &mut *self.spare.1);
        if right_entries.len() < count {
            right_entries.resize(count, Lanes::EMPTY);
            right_ids.resize(count, 0);
        }
        let (right_entries, right_ids) = (&mut right_entries[..count], &mut right_ids[..count]);
        let (mut left, mut right) = (0, 0);
        // Without branches: each entry is written to both sides, and one of the two is advanced.
        for index in 0..count {
            let (entry, id) = (entries[index], ids[index]);
            let step = usize::from(goes_left(&entry));
            (entries[left], ids[left]) = (entry, id);
            (right_entries[right], right_ids[right]) = (entry, id);
            left += step;
            right += 1 - step;
        }
        entries[left..].copy_from_slice(&right_entries[..right]);
        ids[left..].copy_from_slice(&right_ids[..right]);
        left
    }

    /// Halves the entries by their centres along an axis; ties go to the lower number.
    fn split_in_halves(&mut self, start: usize, end: usize, axis: usize, _: &Lanes) -> (usize, [Lanes; 2]) {
        let (entries, ids) = (&mut self.entries[start..end], &mut self.ids[start..end]);
        let (copies, order) = (&mut *self.spare.0, &mut *self.spare.1);
        copies.clear();
        copies.extend_from_slice(entries);
        order.clear();
        order.extend(0..entries.len() as u32);
        let middle = entries.len() / 2;
        order.select_nth_unstable_by(middle, |&a, &b| {
            let center = |index: u32| doubled_center_along(&copies[index as usize], axis);
            center(a).total_cmp(&center(b)).then(ids[a as usize].cmp(&ids[b as usize]))
        });
        for (entry, &from) in entries.iter_mut().zip(&*order) {
            *entry = copies[from as usize];
        }
        for from in order.iter_mut() {
            *from = ids[*from as usize];
        }
        ids.copy_from_slice(order);
        let union = |entries: &[Lanes]| entries.iter().fold(Lanes::EMPTY, |whole, entry| whole.merged(entry));
        (start + middle, [union(&entries[..middle]), union(&entries[middle..])])
    }

    /// Splits entries that fit one node so that the leaves to come are full: sorts them along an axis and takes the
    /// cheapest cut after a multiple of the size of a leaf.
    pub(crate) fn split_leaves(&mut self, start: usize, end: usize, _: &Lanes) -> (usize, [Lanes; 2]) {
        let count = end - start;
        debug_assert!(count <= SORTED);
        let (entries, ids) = (&mut self.entries[start..end], &mut self.ids[start..end]);
        let (axis, low, _) = longest_axis(entries);
        // The centre, which is not negative once the lowest is subtracted, and the place in one integer.
        let mut keys = [0_u64; SORTED];
        for (place, (key, entry)) in keys.iter_mut().zip(&*entries).enumerate() {
            let along = doubled_center_along(entry, axis) - low;
            *key = u64::from(along.to_bits()) << 32 | place as u64;
        }
        let keys = &mut keys[..count];
        sort(keys);
        let mut sorted = [(Lanes::EMPTY, 0); SORTED];
        for (slot, key) in sorted.iter_mut().zip(&*keys) {
            let place = *key as u32 as usize;
            *slot = (entries[place], ids[place]);
        }
        let mut right_sides = [Lanes::EMPTY; SORTED / LEAF_SIZE];
        let mut right = Lanes::EMPTY;
        for place in (0..count).rev() {
            (entries[place], ids[place]) = sorted[place];
            right = right.merged(&entries[place]);
            if place % LEAF_SIZE == 0 {
                right_sides[place / LEAF_SIZE] = right;
            }
        }
        let mut left = Lanes::EMPTY;
        let mut best = (f32::INFINITY, usize::MAX);
        let mut found = (0, [Lanes::EMPTY; 2]);
        let leaves = count.div_ceil(LEAF_SIZE);
        for leaf in 1..leaves {
            for entry in &entries[(leaf - 1) * LEAF_SIZE..leaf * LEAF_SIZE] {
                left = left.merged(entry);
            }
            let right = right_sides[leaf];
            let cost = left.half_area() * leaf as f32 + right.half_area() * (leaves - leaf) as f32;
            let candidate = (cost, leaf.abs_diff(leaves - leaf));
            if candidate < best || found.0 == 0 {
                (best, found) = (candidate, (leaf * LEAF_SIZE, [left, right]));
            }
        }
        (start + found.0, found.1)
    }
}

/// Sorts few keys.
fn sort(keys: &mut [u64]) {
    for sorted in 1..keys.len() {
        let key = keys[sorted];
        let mut place = sorted;
        while place > 0 && keys[place - 1] > key {
            keys[place] = keys[place - 1];
            place -= 1;
        }
        keys[place] = key;
    }
}

/// Returns the last bin of the left side of the cheapest split, and the boxes of both sides; ties go to the most
/// balanced. The first and last bins are never empty, so neither side is.
fn cheapest_cut(bins: &[Bin; BINS]) -> (usize, [Lanes; 2]) {
    let mut right_sides = [Bin::EMPTY; BINS];
    let mut right = Bin::EMPTY;
    for cut in (0..BINS - 1).rev() {
        right.merge(&bins[cut + 1]);
        right_sides[cut] = right;
    }
    let mut left = Bin::EMPTY;
    let mut best = (f32::INFINITY, u32::MAX);
    let mut found = (0, [bins[0].bounds, right_sides[0].bounds]);
    for cut in 0..BINS - 1 {
        left.merge(&bins[cut]);
        let right = &right_sides[cut];
        let candidate = (left.cost() + right.cost(), left.count.abs_diff(right.count));
        if candidate < best {
            (best, found) = (candidate, (cut, [left.bounds, right.bounds]));
        }
    }
    found
}
