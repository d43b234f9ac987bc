//! Extremes of a grid over blocks of its cells: the least sample, and the range of slopes along each axis.
//!
//! No trilinear value is below all samples of its cell, and each component of its gradient is a mean of the differences along
//! the cell's four parallel edges: so a search leaves out whole blocks, and bounds others.

use super::lattice::Lattice;
use palpate_math::Vector;

/// A cube of cells, `2^level` along each side, at a multiple of its size; the last of each axis may be cut off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Block {
    pub(super) level: usize,
    /// Its number along each axis.
    pub(super) at: [usize; 3],
}

impl Block {
    /// Returns the first cell.
    pub(super) fn first(&self) -> [usize; 3] {
        self.at.map(|n| n << self.level)
    }

    /// Returns the eight blocks of half the size.
    pub(super) fn children(self) -> impl Iterator<Item = Self> {
        let at = move |number: usize| [0, 1, 2].map(|axis| 2 * self.at[axis] + (number >> axis & 1));
        (0..8).map(move |number| Self { level: self.level - 1, at: at(number) })
    }

    /// Returns the smallest block that has both cells.
    pub(super) fn around(first: [usize; 3], last: [usize; 3]) -> Self {
        let differing = (0..3).fold(0, |bits, axis| bits | (first[axis] ^ last[axis]));
        let level = (usize::BITS - differing.leading_zeros()) as usize;
        Self { level, at: first.map(|n| n >> level) }
    }
}

/// The least sample of some cells, and the least and the greatest slopes along each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extremes {
    pub(super) least: f64,
    pub(super) low: Vector,
    pub(super) high: Vector,
}

impl Extremes {
    /// Those of no cells.
    const NONE: Self = {
        let (most, least) = (f64::INFINITY, f64::NEG_INFINITY);
        Self { least: most, low: Vector::new(most, most, most), high: Vector::new(least, least, least) }
    };

    fn merged(&self, other: &Self) -> Self {
        Self {
            least: self.least.min(other.least),
            low: self.low.inf(&other.low),
            high: self.high.sup(&other.high),
        }
    }

    /// Computes those of a cell from its samples, x varying fastest.
    pub(super) fn of_cell(s: &[f64; 8], spacing: &Vector) -> Self {
        let mut extremes = Self { least: s.iter().copied().fold(f64::INFINITY, f64::min), ..Self::NONE };
        for (axis, first) in [[0, 2, 4, 6], [0, 1, 4, 5], [0, 1, 2, 3]].into_iter().enumerate() {
            for from in first {
                let rise = s[from + (1 << axis)] - s[from];
                extremes.low[axis] = extremes.low[axis].min(rise);
                extremes.high[axis] = extremes.high[axis].max(rise);
            }
        }
        extremes.low.component_div_assign(spacing);
        extremes.high.component_div_assign(spacing);
        extremes
    }
}

/// The extremes of all blocks of two cells along each side, of four, and so on until one block has all cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Pyramid {
    levels: Vec<Level>,
}

#[derive(Clone, Debug, PartialEq)]
struct Level {
    size: [usize; 3],
    blocks: Vec<Extremes>,
}

impl Pyramid {
    /// Precomputes the extremes: as many numbers as there are samples. Cost: linear in these.
    pub(super) fn new(lattice: &Lattice, values: &[f64]) -> Self {
        let mut pyramid = Self::default();
        let mut size = lattice.size.map(|n| n - 1);
        while size != [1; 3] {
            let (finer, level) = (size, pyramid.levels.len() + 1);
            size = finer.map(|n| n.div_ceil(2));
            let mut blocks = Vec::with_capacity(size.iter().product());
            for number in 0..size.iter().product() {
                let at = [number % size[0], number / size[0] % size[1], number / (size[0] * size[1])];
                let children = Block { level, at }.children();
                let children = children.filter(|child| (0..3).all(|axis| child.at[axis] < finer[axis]));
                blocks.push(pyramid.merged(lattice, values, children));
            }
            pyramid.levels.push(Level { size, blocks });
        }
        pyramid
    }

    /// Returns the level of the block that has all cells.
    pub(super) fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Returns the extremes of a block.
    pub(super) fn of(&self, lattice: &Lattice, values: &[f64], block: &Block) -> Extremes {
        let [i, j, k] = block.at;
        match block.level.checked_sub(1) {
            None => Extremes::of_cell(&lattice.samples(values, block.at), &lattice.spacing),
            Some(above) => {
                let Level { size, blocks } = &self.levels[above];
                blocks[i + size[0] * (j + size[1] * k)]
            }
        }
    }

    /// Returns the extremes of the cells from `first` to `last`, or of a few more: of at most two blocks along each axis.
    pub(super) fn over(
        &self,
        lattice: &Lattice,
        values: &[f64],
        first: [usize; 3],
        last: [usize; 3],
    ) -> Extremes {
        let is_few = |level: &usize| (0..3).all(|axis| (last[axis] >> level) - (first[axis] >> level) < 2);
        let level = (0..self.levels.len()).find(is_few).unwrap_or(self.levels.len());
        let ends = [first, last].map(|end| end.map(|n| n >> level));
        let differs = [0, 1, 2].map(|axis| ends[0][axis] != ends[1][axis]);
        let is_other = |number: usize| (0..3).all(|axis| number >> axis & 1 == 0 || differs[axis]);
        let at = |number: usize| [0, 1, 2].map(|axis| ends[number >> axis & 1][axis]);
        let blocks = (0..8).filter(|number| is_other(*number)).map(|number| Block { level, at: at(number) });
        self.merged(lattice, values, blocks)
    }

    fn merged(&self, lattice: &Lattice, values: &[f64], blocks: impl Iterator<Item = Block>) -> Extremes {
        blocks.fold(Extremes::NONE, |all, block| all.merged(&self.of(lattice, values, &block)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::Point;

    #[test]
    fn the_block_around_two_cells_has_both_and_is_the_smallest() {
        for (first, last, level, at) in [
            ([5, 6, 7], [5, 6, 7], 0, [5, 6, 7]),
            ([4, 6, 7], [5, 6, 7], 1, [2, 3, 3]),
            ([3, 0, 0], [4, 0, 0], 3, [0, 0, 0]),
            ([8, 9, 10], [9, 10, 11], 2, [2, 2, 2]),
        ] {
            assert_eq!(Block::around(first, last), Block { level, at });
        }
    }

    /// Against the extremes of all cells, one by one.
    #[test]
    fn what_is_kept_is_no_narrower_than_what_the_samples_say() {
        let size = [12, 7, 19];
        let lattice = Lattice::new(Point::origin(), Vector::new(0.5, 1.0, 2.0), size).unwrap();
        let value = |n: usize| (n % 12 * (n % 12) + n / 12 % 7 * (n / 84)) as f64;
        let values: Vec<f64> = (0..lattice.count()).map(value).collect();
        let pyramid = Pyramid::new(&lattice, &values);
        let exactly = |first: [usize; 3], last: [usize; 3]| {
            let cells = (first[2]..=last[2]).flat_map(|k| (first[1]..=last[1]).map(move |j| (j, k)));
            let cells = cells.flat_map(|(j, k)| (first[0]..=last[0]).map(move |i| [i, j, k]));
            cells.fold(Extremes::NONE, |all, at| {
                all.merged(&Extremes::of_cell(&lattice.samples(&values, at), &lattice.spacing))
            })
        };
        let mut wider = 0;
        for n in 0..600 {
            let pick = |axis: usize, salt: usize| (n * salt + axis * 31) % (size[axis] - 1);
            let (a, b) = ([0, 1, 2].map(|axis| pick(axis, 37)), [0, 1, 2].map(|axis| pick(axis, 53)));
            let first = [0, 1, 2].map(|axis| a[axis].min(b[axis]));
            let last = [0, 1, 2].map(|axis| a[axis].max(b[axis]));
            let exact = exactly(first, last);
            let kept = pyramid.over(&lattice, &values, first, last);
            assert_eq!(exact.merged(&kept), kept);
            wider += usize::from(kept != exact);
        }
        assert!(wider > 20 && wider < 590, "{wider}");
        for (level, at) in [(0, [3, 2, 1]), (1, [4, 2, 8]), (1, [3, 1, 2]), (2, [1, 0, 3]), (5, [0, 0, 0])] {
            let block = Block { level, at };
            let last = [0, 1, 2].map(|axis| (block.first()[axis] + (1 << level)).min(size[axis] - 1) - 1);
            assert_eq!(pyramid.of(&lattice, &values, &block), exactly(block.first(), last), "{level}");
        }
    }
}
