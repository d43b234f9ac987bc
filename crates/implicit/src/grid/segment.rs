//! The least value of a signed distance grid along a segment, in closed form.
//!
//! Within a lattice cell the value along a line is a cubic polynomial (S. Parker and others, "Interactive ray tracing for
//! isosurface rendering", IEEE Visualization 1998). The cells are walked as by J. Amanatides and A. Woo, "A fast voxel
//! traversal algorithm for ray tracing", Eurographics 1987. Blocks of cells in which the value only rises along the way, or only
//! falls, are passed at once.

use super::beside::Beside;
use super::cell::CellValue;
use super::extremes::{Block, Extremes};
use super::samples::Grid;
use crate::function::ImplicitFunction;
use palpate_math::{Point, Vector, rounding};

/// The level of the blocks that are passed at once.
const PASSED: usize = 2;

/// The least value so far, and the weight of the segment's second end there.
#[derive(Clone, Copy)]
struct Least {
    value: f64,
    at: f64,
}

impl Least {
    fn consider(&mut self, value: f64, at: f64) {
        if value < self.value {
            *self = Self { value, at };
        }
    }
}

/// A position of the walk: a cell, and the weight of the segment's second end where the walk is in it. Beside the lattice's
/// box the cells go on: along each axis there is one before the first and one after the last, without end.
struct Walk<'a> {
    grid: &'a Grid,
    from: Point,
    way: Vector,
    cell: [isize; 3],
    at: f64,
    /// The last block in which the value may both rise and fall along the way.
    unsteady: Option<[usize; 3]>,
    /// Whether the values of some part are not known in closed form, and may be the least.
    is_unknown: bool,
}

impl Grid {
    /// Returns where the value is least along the segment between two points. `None` if the minimum may be set by the
    /// distance to the sides of the lattice's box, or lies where a body leaves that box.
    pub(super) fn least_along(&self, ends: &[Point; 2]) -> Option<f64> {
        let mut walk = Walk::new(self, ends)?;
        let mut least = Least { value: f64::INFINITY, at: walk.at };
        while walk.step(&mut least) {}
        if walk.is_unknown {
            return None;
        }
        // In the box the value is the maximum of the trilinear one and that of the sides. Where the trilinear one is least,
        // and is the maximum, the value is least too.
        let found = self.sample(&walk.point(least.at)).value;
        let largest =
            rounding::largest_coordinate([&ends[0], &ends[1], &self.lattice.origin, &self.lattice.end()]);
        (found <= least.value + self.rate * rounding::length(largest)).then_some(least.at)
    }
}

impl<'a> Walk<'a> {
    /// `None` if the segment has no finite length.
    fn new(grid: &'a Grid, [from, to]: &[Point; 2]) -> Option<Self> {
        let way = to - from;
        let mut walk =
            Self { grid, from: *from, way, cell: [0; 3], at: 0.0, unsteady: None, is_unknown: false };
        walk.enter();
        way.iter().all(|along| along.is_finite()).then_some(walk)
    }

    fn point(&self, at: f64) -> Point {
        self.from + self.way * at
    }

    /// Returns the number of cells along an axis.
    fn count(&self, axis: usize) -> isize {
        self.grid.lattice.size[axis] as isize - 1
    }

    /// Returns a position in cells from the lattice's origin.
    fn place(&self, at: f64) -> Vector {
        (self.point(at) - self.grid.lattice.origin).component_div(&self.grid.lattice.spacing)
    }

    /// Finds the cell that the walk is about to pass through.
    fn enter(&mut self) {
        let place = self.place(self.at);
        for axis in 0..3 {
            let coordinate = place[axis].clamp(-1.0, self.count(axis) as f64 + 1.0);
            let cell = coordinate.floor();
            // On the lower side of the cell, toward the one below.
            let below = isize::from(coordinate == cell && self.way[axis] < 0.0);
            self.cell[axis] = (cell as isize - below).clamp(-1, self.count(axis));
        }
    }

    /// Returns the weight at which the walk leaves a block along an axis, which is infinite if it does not. The block is given
    /// by its first and its last cell.
    fn leave(&self, axis: usize, [first, last]: &[[isize; 3]; 2]) -> f64 {
        let along = self.way[axis];
        let side = if along > 0.0 { last[axis] + 1 } else { first[axis] };
        if along == 0.0 || side < 0 || side > self.count(axis) {
            return f64::INFINITY;
        }
        let lattice = &self.grid.lattice;
        (lattice.origin[axis] + lattice.spacing[axis] * side as f64 - self.from[axis]) / along
    }

    /// Returns the first and the last cell of a block around the cell, if in all of it the value only rises along the way, or only falls.
    fn steady_block(&mut self) -> Option<[[isize; 3]; 2]> {
        if (0..3).any(|axis| !(0..self.count(axis)).contains(&self.cell[axis])) {
            return None;
        }
        let level = PASSED.min(self.grid.extremes.depth());
        let at = self.cell.map(|n| n as usize >> level);
        if self.unsteady == Some(at) {
            return None;
        }
        let block = Block { level, at };
        let Extremes { low, high, .. } = self.grid.extremes.of(&self.grid.lattice, &self.grid.values, &block);
        let (ends, others) = (low.component_mul(&self.way), high.component_mul(&self.way));
        if ends.inf(&others).sum() < 0.0 && ends.sup(&others).sum() > 0.0 {
            self.unsteady = Some(at);
            return None;
        }
        let first = block.first().map(|n| n as isize);
        let last = [0, 1, 2].map(|axis| (first[axis] + (1 << level)).min(self.count(axis)) - 1);
        Some([first, last])
    }

    /// Returns the cell at a weight, of those in a block.
    fn cell_in(&self, at: f64, [first, last]: &[[isize; 3]; 2]) -> [isize; 3] {
        let place = self.place(at);
        [0, 1, 2].map(|axis| {
            let cell = place[axis].floor();
            let below = isize::from(place[axis] == cell && self.way[axis] < 0.0);
            (cell as isize - below).clamp(first[axis], last[axis])
        })
    }

    /// Passes through the cell, or through a block, then goes on to the next whose values may be less; returns false at the end.
    fn step(&mut self, least: &mut Least) -> bool {
        let block = self.steady_block();
        let cells = block.unwrap_or([self.cell; 2]);
        let leave = [0, 1, 2].map(|axis| self.leave(axis, &cells));
        let axis = (1..3).fold(0, |first, axis| if leave[axis] < leave[first] { axis } else { first });
        let next = leave[axis].clamp(self.at, 1.0);
        let last = match block {
            Some(_) => self.pass_block(next, &cells, least),
            None => self.pass(next, least),
        };
        self.at = next;
        if next >= 1.0 {
            return false;
        }
        // No value is less within the height above the least, divided by the rate.
        let skipped = (last - least.value) / (self.grid.rate * self.way.norm());
        let shortest = self.grid.lattice.spacing.min() / self.way.norm();
        if skipped > 2.0 * shortest {
            self.at += skipped;
            self.enter();
            return self.at < 1.0;
        }
        if block.is_some() {
            self.cell = self.cell_in(next, &cells);
        }
        self.cell[axis] = if self.way[axis] > 0.0 { cells[1][axis] + 1 } else { cells[0][axis] - 1 };
        true
    }

    /// Passes through a block in which the value is least where the walk enters it, or where it leaves it, which is at the next
    /// weight; returns the value there.
    fn pass_block(&mut self, next: f64, cells: &[[isize; 3]; 2], least: &mut Least) -> f64 {
        let value = |at: f64, cell: [isize; 3]| {
            let place = self.place(at) - Vector::from(cell.map(|n| n as f64));
            CellValue::new(&self.grid.samples(cell.map(|n| n as usize))).at(&place).value
        };
        if self.at == 0.0 {
            least.consider(value(0.0, self.cell), 0.0);
        }
        let last = value(next, self.cell_in(next, cells));
        least.consider(last, next);
        last
    }

    /// Finds the least value up to the next weight, within the cell; returns the value there.
    fn pass(&mut self, next: f64, least: &mut Least) -> f64 {
        let lattice = &self.grid.lattice;
        let length = next - self.at;
        let (mut place, mut way) = (self.place(self.at), self.way.component_div(&lattice.spacing) * length);
        let (mut cell, mut apart) = ([0; 3], [[0.0; 2]; 3]);
        for axis in 0..3 {
            let count = self.count(axis);
            cell[axis] = self.cell[axis].clamp(0, count - 1) as usize;
            if !(0..count).contains(&self.cell[axis]) {
                let side = if self.cell[axis] < 0 { 0.0 } else { count as f64 };
                let spacing = lattice.spacing[axis];
                apart[axis] = [(place[axis] - side) * spacing, way[axis] * spacing];
                (place[axis], way[axis]) = (side, 0.0);
            }
        }
        let value = CellValue::new(&self.grid.samples(cell));
        let from = value.at(&(place - Vector::from(cell.map(|n| n as f64))));
        let cubic = value.along(&from, &way);
        let at = |s: f64| self.at + s * length;
        if apart == [[0.0; 2]; 3] {
            least.consider(cubic.at(0.0), at(0.0));
            cubic.for_each_stationary(|s| least.consider(cubic.at(s), at(s)));
            let last = cubic.at(1.0);
            least.consider(last, at(1.0));
            return last;
        }
        let beside = Beside { apart, on_side: cubic };
        let [first, last] = [0.0, 1.0].map(|s| beside.value(s));
        least.consider(first, at(0.0));
        least.consider(last, at(1.0));
        let lowest = 0.5 * (first + last - self.grid.rate * length * self.way.norm());
        if lowest < least.value {
            let is_unknown = cubic.below() < 0.0;
            beside.for_each_low(least.value.max(0.0).powi(2), |s| {
                let square = beside.square(s);
                least.consider(square.sqrt(), at(s));
                square
            });
            self.is_unknown |= is_unknown;
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::Structure;
    use crate::grid::random_grid::{Random, random_grid};

    /// Against samples along the segment.
    #[test]
    fn no_place_of_the_segment_is_lower() {
        let mut random = Random(3);
        let (mut closed, mut within) = (0, 0);
        for round in 0..120 {
            let grid = random_grid(&mut random, [2, 3, 5, 8, 13][round % 5], [0.0, 0.02, 0.3][round % 3]);
            let half = grid.lattice.end().coords;
            for case in 0..50 {
                let reach = [0.9, 1.4][case % 2];
                let mut end = || random.vector().component_mul(&half) * reach;
                let mut ends = [Point::from(end()), Point::from(end())];
                match case % 10 {
                    // Along an axis, in a plane of the lattice, and a single point.
                    7 => ends[1] = Point::new(ends[0].x, ends[0].y, ends[1].z),
                    8 => ends = ends.map(|end| Point::new(grid.lattice.place([1; 3]).x, end.y, end.z)),
                    9 => ends[1] = ends[0],
                    _ => {}
                }
                let at = |share: f64| grid.sample(&(ends[0] + (ends[1] - ends[0]) * share)).value;
                let Some(share) = grid.least_on_segment(&ends) else { continue };
                closed += 1;
                within += usize::from(share > 0.0 && share < 1.0);
                let least = at(share) - 4e-12 * half.norm();
                assert!((0..=200).all(|step| at(f64::from(step) / 200.0) >= least), "{round} {case}");
            }
        }
        assert!(closed > 2500 && within > 1500, "{closed} {within}");
    }
}
