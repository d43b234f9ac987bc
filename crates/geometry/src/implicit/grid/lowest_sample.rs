//! The lowest sample of a grid in a solid.

use super::minima::Block;
use super::samples::Grid;
use crate::implicit::OrientedBounds;
use palpate_math::{Aabb, Point};

/// How much larger a ball around a block is taken, for rounding.
const ROUNDING: f64 = 1e-9;

impl Grid {
    /// Returns the lowest sample in a solid, as [`lowest_minimum`](crate::implicit::ImplicitFunction::lowest_minimum).
    pub(super) fn lowest_sample(
        &self,
        bounds: &OrientedBounds,
        overlaps: &dyn Fn(&Point, f64) -> bool,
        cutoff: f64,
    ) -> Option<Point> {
        let [first, last] = self.samples_about(bounds)?;
        let cells = |sample: [usize; 3]| [0, 1, 2].map(|axis| sample[axis].min(self.lattice.size[axis] - 2));
        let mut search = Lowest { grid: self, first, last, overlaps, cutoff, found: None };
        search.in_block(&Block::around(cells(first), cells(last)));
        search.found.map(|at| self.lattice.place(at))
    }

    /// Returns the first and the last sample along each axis in a box, and one more at either end, for rounding. `None` if
    /// there is none.
    pub(super) fn samples_about(&self, bounds: &OrientedBounds) -> Option<[[usize; 3]; 2]> {
        let Aabb { min, max } = bounds.aabb();
        let place = |point: Point| (point - self.lattice.origin).component_div(&self.lattice.spacing);
        let (low, high) = (place(min), place(max));
        let (mut first, mut last) = ([0; 3], [0; 3]);
        for axis in 0..3 {
            let end = (self.lattice.size[axis] - 1) as f64;
            let [from, to] = [low[axis] - 1.0, high[axis] + 1.0];
            if !(from <= end && to >= 0.0) {
                return None;
            }
            first[axis] = from.max(0.0).ceil() as usize;
            last[axis] = to.min(end) as usize;
        }
        Some([first, last])
    }
}

struct Lowest<'a> {
    grid: &'a Grid,
    /// The first and the last sample along each axis.
    first: [usize; 3],
    last: [usize; 3],
    overlaps: &'a dyn Fn(&Point, f64) -> bool,
    cutoff: f64,
    found: Option<[usize; 3]>,
}

impl Lowest<'_> {
    fn in_block(&mut self, block: &Block) {
        let Grid { lattice, values, minima, .. } = self.grid;
        if block.level <= 1 {
            return self.in_samples(block);
        }
        let mut children = [(f64::INFINITY, *block); 8];
        for (number, child) in children.iter_mut().enumerate() {
            let at = [0, 1, 2].map(|axis| 2 * block.at[axis] + (number >> axis & 1));
            let of_child = Block { level: block.level - 1, at };
            let first = of_child.first();
            // A block has the samples at both its ends.
            let is_in = (0..3).all(|axis| {
                first[axis] <= self.last[axis].min(lattice.size[axis] - 2)
                    && first[axis] + (1 << of_child.level) >= self.first[axis]
            });
            if is_in {
                *child = (minima.least(lattice, values, &of_child), of_child);
            }
        }
        children.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        for (least, child) in &children {
            if *least > self.cutoff {
                return;
            }
            if *least < f64::INFINITY && self.overlaps_block(child) {
                self.in_block(child);
            }
        }
    }

    fn overlaps_block(&self, block: &Block) -> bool {
        let lattice = &self.grid.lattice;
        let half = 0.5 * (1 << block.level) as f64;
        let center = lattice.place(block.first()) + lattice.spacing * half;
        (self.overlaps)(&center, half * lattice.spacing.norm() * (1.0 + ROUNDING))
    }

    /// Tries the samples of a small block, those at its far ends only in the last block of an axis.
    fn in_samples(&mut self, block: &Block) {
        let lattice = &self.grid.lattice;
        let first = block.first();
        let end = [0, 1, 2].map(|axis| {
            let end = first[axis] + (1 << block.level);
            let is_last = end >= lattice.size[axis] - 1;
            if is_last { lattice.size[axis] - 1 } else { end - 1 }
        });
        for k in first[2].max(self.first[2])..=end[2].min(self.last[2]) {
            for j in first[1].max(self.first[1])..=end[1].min(self.last[1]) {
                for i in first[0].max(self.first[0])..=end[0].min(self.last[0]) {
                    let value = self.grid.values[lattice.index([i, j, k])];
                    let is_lower = value < self.cutoff || (value == self.cutoff && self.found.is_none());
                    if is_lower && (self.overlaps)(&lattice.place([i, j, k]), 0.0) {
                        (self.cutoff, self.found) = (value, Some([i, j, k]));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::Vector;

    /// Against all samples in a ball.
    #[test]
    fn no_sample_in_the_solid_is_lower() {
        let size = [6, 9, 4];
        let count: usize = size.iter().product();
        let values: Vec<f64> = (0..count).map(|n| (n * 7919 % 211) as f64 / 100.0).collect();
        let spacing = Vector::new(0.5, 0.25, 1.0);
        let grid = Grid::new(Point::new(-1.0, 0.5, 2.0), spacing, size, values.clone()).unwrap();
        let (mut found, mut above) = (0, 0);
        for step in 0..200 {
            let s = f64::from(step);
            let center =
                Point::new(-1.5 + 0.02 * s, 1.5 * (0.7 * s).cos() + 1.5, 3.5 + 2.5 * (1.3 * s).sin());
            let radius = 0.2 + 0.005 * s;
            let overlaps = |other: &Point, reach: f64| (other - center).norm() <= radius + reach;
            let bounds = OrientedBounds { center, half: [0, 1, 2].map(|axis| Vector::ith(axis, radius)) };
            let place = |n: usize| grid.lattice.place([n % 6, n / 6 % 9, n / 54]);
            let inside = (0..count).filter(|&n| overlaps(&place(n), 0.0) && values[n] <= 1.0);
            let wanted = inside.min_by(|&a, &b| values[a].total_cmp(&values[b]));
            match grid.lowest_sample(&bounds, &overlaps, 1.0) {
                Some(at) => {
                    found += 1;
                    assert_eq!(at, place(wanted.unwrap()), "{step}");
                }
                None => {
                    above += 1;
                    assert_eq!(wanted, None, "{step}");
                }
            }
        }
        assert!(found > 50 && above > 20, "{found} {above}");
    }
}
