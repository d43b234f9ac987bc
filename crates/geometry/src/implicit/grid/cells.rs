//! The blocks of a grid that may contain a point of the body, down to its cells.

use super::minima::Block;
use super::samples::Grid;
use crate::implicit::{BoxSearch, OrientedBounds};
use arrayvec::ArrayVec;
use palpate_math::{Point, Vector};

/// Bounds the rounding error of a linear bound at a corner of a block, relative to the numbers that are added.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Factor on half the diagonal of a block: with it the ball has all corners in spite of rounding.
const ROUNDED: f64 = 1.0 + 8.0 * f64::EPSILON;

/// A block that waits for its search.
struct Waiting {
    block: Block,
    lower: f64,
    /// Whether the bound is the closer one.
    is_close: bool,
}

impl Grid {
    /// Descends to the cells of the body that a search wants, those with the lowest bounds first.
    pub(super) fn over_cells_below(&self, search: &mut dyn BoxSearch) {
        let last = self.lattice.size.map(|n| n - 2);
        self.over_block(&Block::around([0; 3], last), search);
    }

    fn over_block(&self, block: &Block, search: &mut dyn BoxSearch) {
        let Some(level) = block.level.checked_sub(1) else {
            let corners = std::array::from_fn(|corner| self.corner_of(block, corner));
            return search.search(&corners, &self.samples(block.at));
        };
        let (is_close, is_on_surfaces) = (!search.has_closer(), search.is_on_surfaces());
        let radius = self.lattice.half_diagonal() * (1 << level) as f64 * ROUNDED;
        let mut waiting: ArrayVec<Waiting, 8> = ArrayVec::new();
        for number in 0..8 {
            let child = Block { level, at: [0, 1, 2].map(|axis| 2 * block.at[axis] + (number >> axis & 1)) };
            let first = child.first();
            let is_empty = (0..3).any(|axis| first[axis] >= self.lattice.size[axis] - 1);
            if is_empty {
                continue;
            }
            // No trilinear value is below all samples, or above all.
            if level == 0 {
                let samples = self.samples(child.at);
                let is_inside = samples.iter().all(|sample| *sample < 0.0);
                if samples.iter().all(|sample| *sample > 0.0) || (is_on_surfaces && is_inside) {
                    continue;
                }
            } else if self.minima.least(&self.lattice, &self.values, &child) > 0.0 {
                continue;
            }
            let bounds = self.bounds_of(&child);
            let mut lower = search.below_in_ball(&bounds.center, radius);
            if lower > search.cutoff() {
                continue;
            }
            lower = lower.max(search.below(&bounds, &|| self.limits(&child)));
            if lower <= search.cutoff() {
                waiting.push(Waiting { block: child, lower, is_close });
            }
        }
        // The closer bound is computed only of those that seem lowest.
        let lower = |a: &Waiting, b: &Waiting| a.lower.total_cmp(&b.lower);
        while let Some(next) = (0..waiting.len()).min_by(|&a, &b| lower(&waiting[a], &waiting[b])) {
            let lowest = &mut waiting[next];
            if lowest.lower > search.cutoff() {
                return;
            }
            let block = lowest.block;
            if lowest.is_close {
                waiting.remove(next);
                self.over_block(&block, search);
            } else {
                let closer = search.closer_below(&self.bounds_of(&block), &|| self.limits(&block));
                (lowest.lower, lowest.is_close) = (lowest.lower.max(closer), true);
            }
        }
    }

    /// Returns the values at the corners of a block of a function that is a mean of these and nowhere in the block above the trilinear
    /// one. `None` if the block is cut off.
    fn limits(&self, block: &Block) -> Option<[f64; 8]> {
        if block.level == 0 { Some(self.samples(block.at)) } else { self.below_block(block) }
    }

    /// Returns the box of a block, in the lattice's box.
    #[inline]
    fn bounds_of(&self, block: &Block) -> OrientedBounds {
        let first = block.first();
        let last = [0, 1, 2].map(|axis| (first[axis] + (1 << block.level)).min(self.lattice.size[axis] - 1));
        let middle = Vector::from([0, 1, 2].map(|axis| 0.5 * (first[axis] + last[axis]) as f64));
        let half = [0, 1, 2].map(|axis| 0.5 * (last[axis] - first[axis]) as f64 * self.lattice.spacing[axis]);
        OrientedBounds {
            center: self.lattice.origin + self.lattice.spacing.component_mul(&middle),
            half: [0, 1, 2].map(|axis| Vector::ith(axis, half[axis])),
        }
    }

    /// Returns the values at the corners of a block of a linear function that is nowhere in it above the trilinear one: by the
    /// range of slopes, from the sample in the middle. `None` if the block is cut off.
    fn below_block(&self, block: &Block) -> Option<[f64; 8]> {
        let (first, cells) = (block.first(), 1 << block.level);
        if (0..3).any(|axis| first[axis] + cells >= self.lattice.size[axis]) {
            return None;
        }
        let middle = self.values[self.lattice.index(first.map(|n| n + cells / 2))];
        let range = self.slopes.of_block(block);
        let half = self.lattice.spacing * (cells as f64 * 0.5);
        let rise = (range.low + range.high).component_mul(&half) * 0.5;
        let spread = ((range.high - range.low).component_mul(&half) * 0.5).sum();
        let size = middle.abs() + spread + rise.abs().sum();
        let lowest = middle - spread - ROUNDING * size;
        Some(std::array::from_fn(|corner| {
            let side = |axis: usize| if corner >> axis & 1 == 1 { rise[axis] } else { -rise[axis] };
            lowest + Vector::from_fn(|axis, _| side(axis)).sum()
        }))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;
    use crate::implicit::grid::random_grid::{Random, random_grid};
    use crate::implicit::{ImplicitBody, ImplicitFunction, Limits};
    use std::sync::Arc;

    /// The boxes of which all corners are in the ball before, and the others.
    struct Balls {
        ball: (Point, f64),
        whole: usize,
        smaller: usize,
    }

    impl BoxSearch for Balls {
        fn below_in_ball(&mut self, center: &Point, radius: f64) -> f64 {
            self.ball = (*center, radius);
            f64::NEG_INFINITY
        }

        fn below(&mut self, bounds: &OrientedBounds, _: &Limits<'_>) -> f64 {
            let (center, radius) = self.ball;
            let far = |corner: &Point| (corner - center).norm();
            let farthest = bounds.corners().iter().map(far).fold(0.0, f64::max);
            assert!(farthest <= radius * (1.0 + 1e-13), "{farthest} is beyond {radius}");
            if farthest > radius * (1.0 - 1e-9) {
                self.whole += 1
            } else {
                self.smaller += 1
            }
            f64::NEG_INFINITY
        }

        fn cutoff(&self) -> f64 {
            f64::INFINITY
        }

        fn search(&mut self, _: &[Point; 8], _: &[f64; 8]) {}
    }

    /// Of blocks that are cut off, too, in any pose and scale.
    #[test]
    fn every_box_is_in_its_ball() {
        let mut random = Random(17);
        let mut balls = Balls { ball: (Point::origin(), 0.0), whole: 0, smaller: 0 };
        for case in 0..20 {
            let grid = random_grid(&mut random, [5, 9, 14][case % 3], 0.05);
            let pose = Pose::new(random.vector(), random.vector() * 3.0);
            let body = ImplicitBody::new(pose, Arc::new(grid)).unwrap();
            assert!(body.with_scale([0.1, 1.0, 7.0][case % 3]).unwrap().over_cells(&mut balls));
        }
        assert!(balls.whole > 1000 && balls.smaller > 100, "{} {}", balls.whole, balls.smaller);
    }

    /// The linear function at the corners of a block, against samples of the grid in it.
    #[test]
    fn no_value_in_a_block_is_below_its_linear_bound() {
        let mut random = Random(13);
        let (mut close, mut cut_off) = (0, 0);
        for round in 0..40 {
            let grid = random_grid(&mut random, [5, 9, 14][round % 3], [0.0, 0.02, 0.3][round / 3 % 3]);
            let cells = grid.lattice.size.map(|n| n - 1);
            for case in 0..30 {
                let level = 1 + case % 3;
                let pick = |axis: usize| case * [7, 11, 13][axis] % cells[axis].div_ceil(1 << level);
                let block = Block { level, at: [0, 1, 2].map(pick) };
                let Some(limits) = grid.below_block(&block) else {
                    cut_off += 1;
                    continue;
                };
                let [low, x, y, z] = [0, 1, 2, 4].map(|corner| grid.corner_of(&block, corner));
                let mut least = f64::INFINITY;
                for _ in 0..100 {
                    let share = (random.vector() + Vector::repeat(1.0)) * 0.5;
                    let share = share.map(|share| share.clamp(0.0, 1.0));
                    let place = low + (x - low) * share.x + (y - low) * share.y + (z - low) * share.z;
                    let rise = [1, 2, 4].map(|corner| limits[corner] - limits[0]);
                    let bound = limits[0] + share.dot(&Vector::from(rise));
                    let value = grid.sample(&place).value;
                    assert!(bound <= value + 1e-14, "{round} {case}: {bound} {value}");
                    least = least.min(value - bound);
                }
                close += usize::from(least < 0.5 * grid.lattice.spacing.norm() * grid.rate);
            }
        }
        assert!(close > 100 && cut_off > 100, "{close} {cut_off}");
    }
}
