//! The cells of a grid that the surface of a convex solid crosses.
//!
//! Over a solid a trilinear value is least at a sample in it or on its surface: in a cell it is linear along each axis. No
//! value of a block of cells is below all its samples, so that only the cells on the surface are left that have a sample
//! lower than the best value.

use super::minima::Block;
use super::samples::Grid;
use crate::implicit::OrientedBounds;
use crate::implicit::means::{least_within, linear};
use arrayvec::ArrayVec;
use palpate_math::{Point, Vector};

/// How much larger a ball or a solid is taken, for rounding.
pub(super) const ROUNDING: f64 = 1e-9;

/// A part of the surface was too hard.
pub(super) struct Stalled;

/// Takes the part that is lowest, the first of several, from those that wait.
pub(super) fn take_lowest<T, const N: usize>(
    waiting: &mut ArrayVec<T, N>,
    lower: impl Fn(&T) -> f64,
) -> Option<T> {
    let lowest = |a: usize, b: usize| if lower(&waiting[b]) < lower(&waiting[a]) { b } else { a };
    let next = (0..waiting.len()).reduce(lowest)?;
    Some(waiting.swap_remove(next))
}

/// A cell on the surface.
pub(super) struct Crossed {
    pub(super) cell: [usize; 3],
    pub(super) samples: [f64; 8],
    /// The corner with the least coordinates, and the centre.
    pub(super) low: Point,
    pub(super) center: Point,
    /// The distance from the centre to the corners, and somewhat more.
    pub(super) radius: f64,
    pub(super) size: Vector,
}

/// A search over the surface of a convex solid.
pub(super) trait SurfaceSearch {
    /// Whether the surface may cross a ball.
    fn is_crossed(&self, center: &Point, radius: f64) -> bool;

    /// Returns the value above which no bound is of use.
    fn limit(&self) -> f64;

    /// Takes note of a lower bound of values that are left out.
    fn leave_out(&mut self, lower: f64);

    /// Takes a cell that may be crossed by the surface.
    fn take(&mut self, crossed: &Crossed) -> Result<(), Stalled>;
}

impl Grid {
    /// Passes all cells on the surface of a solid that have a sample that is low enough, those with the lowest first.
    pub(super) fn over_crossed(
        &self,
        bounds: &OrientedBounds,
        search: &mut impl SurfaceSearch,
    ) -> Result<(), Stalled> {
        let Some([first, last]) = self.samples_about(bounds) else { return Ok(()) };
        let cells = |sample: [usize; 3]| [0, 1, 2].map(|axis| sample[axis].min(self.lattice.size[axis] - 2));
        let first = first.map(|n| n.saturating_sub(1));
        self.over_crossed_in(&Block::around(cells(first), cells(last)), search)
    }

    fn over_crossed_in(&self, block: &Block, search: &mut impl SurfaceSearch) -> Result<(), Stalled> {
        if block.level == 0 {
            return search.take(&self.crossed(block.at));
        }
        let level = block.level - 1;
        let diagonal = self.lattice.spacing.norm() * (1.0 + ROUNDING);
        let mut children: ArrayVec<(f64, [usize; 3]), 8> = ArrayVec::new();
        for number in 0..8 {
            let at = [0, 1, 2].map(|axis| 2 * block.at[axis] + (number >> axis & 1));
            let child = Block { level, at };
            let first = child.first();
            if (0..3).any(|axis| first[axis] >= self.lattice.size[axis] - 1) {
                continue;
            }
            let least = self.minima.least(&self.lattice, &self.values, &child);
            if least > search.limit() {
                search.leave_out(least);
                continue;
            }
            let half = 0.5 * (1 << level) as f64;
            let center = self.lattice.place(first) + self.lattice.spacing * half;
            if search.is_crossed(&center, half * diagonal) {
                children.push((least, at));
            }
        }
        children.sort_unstable_by(|(a, one), (b, other)| a.total_cmp(b).then(one.cmp(other)));
        for (least, at) in children {
            if least > search.limit() {
                search.leave_out(least);
            } else {
                self.over_crossed_in(&Block { level, at }, search)?;
            }
        }
        Ok(())
    }

    /// Returns a cell.
    pub(super) fn crossed(&self, cell: [usize; 3]) -> Crossed {
        let size = self.lattice.spacing;
        let low = self.lattice.place(cell);
        Crossed {
            cell,
            samples: self.samples(cell),
            low,
            center: low + size * 0.5,
            radius: 0.5 * size.norm() * (1.0 + ROUNDING),
            size,
        }
    }
}

impl Crossed {
    /// Returns two lower bounds of the values in the cell where the height over a plane, given by its unit normal and its own
    /// height over the origin, is at most `high`, and where it is also at least `low`.
    pub(super) fn below_plane(&self, normal: &Vector, offset: f64, [low, high]: [f64; 2]) -> [f64; 2] {
        let first = normal.dot(&self.low.coords) - offset;
        let heights = linear(first, normal.component_mul(&self.size).into());
        let at_most = least_within(&self.samples, &heights.map(|height| height - high));
        let at_least = least_within(&self.samples, &heights.map(|height| low - height));
        [at_most, at_most.max(at_least)]
    }
}
