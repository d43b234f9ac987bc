//! Least samples of a grid over blocks of its cells.
//!
//! No trilinear value is below all samples of its cell, so that a search leaves out whole blocks.

use super::lattice::Lattice;
use crate::implicit::means::least_of;

/// A cube of cells, `2^level` along each side, at a multiple of its size; the last of each axis may be cut off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Block {
    pub(super) level: usize,
    /// The first cell, in sizes of the block.
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

/// The least samples of all blocks of two cells along each side, of four, and so on until one block has all cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Minima {
    levels: Vec<Level>,
}

#[derive(Clone, Debug, PartialEq)]
struct Level {
    size: [usize; 3],
    least: Vec<f64>,
}

impl Minima {
    /// Precomputes the minima: a seventh as many numbers as there are samples. Cost: linear in the samples.
    pub(super) fn new(lattice: &Lattice, values: &[f64]) -> Self {
        let mut levels: Vec<Level> = Vec::new();
        let mut size = lattice.size.map(|n| n - 1);
        while size != [1; 3] {
            let finer = size;
            size = finer.map(|n| n.div_ceil(2));
            let mut least = Vec::with_capacity(size.iter().product());
            for number in 0..size.iter().product() {
                let at = [number % size[0], number / size[0] % size[1], number / (size[0] * size[1])];
                let children = (0..8).map(|child| [0, 1, 2].map(|axis| 2 * at[axis] + (child >> axis & 1)));
                let children = children.filter(|at| (0..3).all(|axis| at[axis] < finer[axis]));
                let of_child = |at: [usize; 3]| match levels.last() {
                    Some(level) => level.get(at),
                    None => of_cell(lattice, values, at),
                };
                least.push(children.map(of_child).fold(f64::INFINITY, f64::min));
            }
            levels.push(Level { size, least });
        }
        Self { levels }
    }

    /// Returns the least sample of a block of the lattice.
    pub(super) fn least(&self, lattice: &Lattice, values: &[f64], block: &Block) -> f64 {
        match block.level.checked_sub(1) {
            Some(above) => self.levels[above].get(block.at),
            None => of_cell(lattice, values, block.at),
        }
    }
}

impl Level {
    fn get(&self, [i, j, k]: [usize; 3]) -> f64 {
        self.least[i + self.size[0] * (j + self.size[1] * k)]
    }
}

/// Returns the least sample of a cell.
fn of_cell(lattice: &Lattice, values: &[f64], at: [usize; 3]) -> f64 {
    least_of(&lattice.samples(values, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::{Point, Vector};

    #[test]
    fn no_sample_of_a_block_is_less_and_one_is_as_low() {
        for size in [[2, 2, 2], [3, 2, 9], [12, 7, 19]] {
            let lattice = Lattice::new(Point::origin(), Vector::repeat(1.0), size).unwrap();
            let values: Vec<f64> = (0..lattice.count()).map(|n| (n * 7919 % 1009) as f64).collect();
            let minima = Minima::new(&lattice, &values);
            let cells = size.map(|n| n - 1);
            for level in 0..=minima.levels.len() {
                let blocks = cells.map(|n| n.div_ceil(1 << level));
                for number in 0..blocks.iter().product::<usize>() {
                    let at = [
                        number % blocks[0],
                        number / blocks[0] % blocks[1],
                        number / (blocks[0] * blocks[1]),
                    ];
                    let block = Block { level, at };
                    let (first, mut wanted) = (block.first(), f64::INFINITY);
                    let last = [0, 1, 2].map(|axis| (first[axis] + (1 << level)).min(cells[axis]));
                    for k in first[2]..=last[2] {
                        for j in first[1]..=last[1] {
                            for i in first[0]..=last[0] {
                                wanted = wanted.min(values[lattice.index([i, j, k])]);
                            }
                        }
                    }
                    assert_eq!(minima.least(&lattice, &values, &block), wanted, "{block:?}");
                }
            }
        }
    }

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
}
