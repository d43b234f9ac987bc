//! The blocks of a grid that may contain a point of the body, down to its cells.

use super::minima::Block;
use super::samples::Grid;
use crate::implicit::BoxSearch;
use arrayvec::ArrayVec;
use palpate_math::Point;

impl Grid {
    /// Descends to the cells of the body that a search wants, those with the lowest bounds first.
    pub(super) fn over_cells_below(&self, search: &mut dyn BoxSearch) {
        let last = self.lattice.size.map(|n| n - 2);
        self.over_block(&Block::around([0; 3], last), search);
    }

    fn over_block(&self, block: &Block, search: &mut dyn BoxSearch) {
        if block.level == 0 {
            let corners = std::array::from_fn(|corner| self.corner_of(block, corner));
            search.search(&corners, &self.samples(block.at));
            return;
        }
        let mut children: ArrayVec<(f64, Block), 8> = ArrayVec::new();
        for number in 0..8 {
            let at = [0, 1, 2].map(|axis| 2 * block.at[axis] + (number >> axis & 1));
            let child = Block { level: block.level - 1, at };
            let first = child.first();
            let is_empty = (0..3).any(|axis| first[axis] >= self.lattice.size[axis] - 1);
            // No trilinear value is below all samples.
            if is_empty || self.minima.least(&self.lattice, &self.values, &child) > 0.0 {
                continue;
            }
            let corners = std::array::from_fn(|corner| self.corner_of(&child, corner));
            let samples = (child.level == 0).then(|| self.samples(at));
            let lower = search.below(&corners, samples.as_ref());
            if lower <= search.cutoff() {
                children.push((lower, child));
            }
        }
        children.sort_unstable_by(|(a, one), (b, other)| a.total_cmp(b).then(one.at.cmp(&other.at)));
        for (lower, child) in &children {
            if *lower <= search.cutoff() {
                self.over_block(child, search);
            }
        }
    }

    /// Returns a corner of a block, in the lattice's box; x varies fastest.
    fn corner_of(&self, block: &Block, corner: usize) -> Point {
        let first = block.first();
        self.lattice.place([0, 1, 2].map(|axis| {
            let at = first[axis] + ((corner >> axis & 1) << block.level);
            at.min(self.lattice.size[axis] - 1)
        }))
    }
}
