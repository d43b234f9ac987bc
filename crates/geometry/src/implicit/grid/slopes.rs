//! Slope ranges of a grid over boxes of its cells: bounds of the trilinear value's gradient along each axis.
//!
//! Between samples each component of the gradient is a mean of differences along the cell's four parallel edges. For a
//! few cells these are scanned; for more, the ranges of boxes of 4³, 8³, … cells are precomputed. Those of 2³ cells are kept for blocks.

use super::lattice::Lattice;
use super::minima::Block;
use palpate_math::Vector;

/// Cells along each side of the smallest precomputed box.
pub(super) const KEPT: usize = 4;

/// A range of slopes along each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) low: Vector,
    pub(super) high: Vector,
}

impl Range {
    const EMPTY: Self = Self {
        low: Vector::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        high: Vector::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    fn merged(&self, other: &Self) -> Self {
        Self { low: self.low.inf(&other.low), high: self.high.sup(&other.high) }
    }
}

/// The ranges of boxes of cells, the boxes of each level twice as wide as those of the level before.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Slopes {
    /// Those of 2³ cells.
    finest: Level,
    levels: Vec<Level>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Level {
    width: usize,
    size: [usize; 3],
    ranges: Vec<Range>,
}

impl Level {
    fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        i + self.size[0] * (j + self.size[1] * k)
    }
}

impl Slopes {
    /// Precomputes the ranges. Cost: linear in the samples.
    pub(super) fn new(lattice: &Lattice, values: &[f64]) -> Self {
        let cells = lattice.size.map(|n| n - 1);
        let level_of = |width: usize, range: &dyn Fn([usize; 3], [usize; 3]) -> Range| {
            let size = cells.map(|n| n.div_ceil(width));
            let mut ranges = Vec::with_capacity(size.iter().product());
            for_each([0; 3], size.map(|n| n - 1), &mut |at| {
                let first = at.map(|n| n * width);
                let last = [0, 1, 2].map(|axis| (first[axis] + width - 1).min(cells[axis] - 1));
                ranges.push(range(first, last));
            });
            Level { width, size, ranges }
        };
        let finest = level_of(2, &|first, last| between(lattice, values, first, last));
        let mut levels = vec![level_of(KEPT, &|first, last| over(&finest, first, last))];
        while let Some(level) = levels.last()
            && level.size != [1; 3]
        {
            let next = level_of(2 * level.width, &|first, last| over(level, first, last));
            levels.push(next);
        }
        Self { finest, levels }
    }

    /// Returns the range over the smallest precomputed box at a multiple of its size.
    pub(super) fn of_kept(&self, at: [usize; 3]) -> &Range {
        let level = &self.levels[0];
        &level.ranges[level.index(at)]
    }

    /// Returns the precomputed range over a block; `None` for blocks of fewer than four cells along each side.
    pub(super) fn of_large(&self, block: &Block) -> Option<&Range> {
        let level = self.levels.get(block.level.checked_sub(2)?)?;
        Some(&level.ranges[level.index(block.at)])
    }

    /// Returns the range over a block of two or more cells along each side.
    pub(super) fn of_block(&self, block: &Block) -> &Range {
        self.of_large(block).unwrap_or_else(|| &self.finest.ranges[self.finest.index(block.at)])
    }

    /// Returns the range over the cells from `first` to `last`, or a superset of these.
    pub(super) fn over(
        &self,
        lattice: &Lattice,
        values: &[f64],
        first: [usize; 3],
        last: [usize; 3],
    ) -> Range {
        let longest = (0..3).map(|axis| last[axis] - first[axis] + 1).max().unwrap_or(1);
        match self.levels.iter().find(|level| level.width >= longest).or(self.levels.last()) {
            Some(level) if longest > KEPT => over(level, first, last),
            _ => between(lattice, values, first, last),
        }
    }
}

/// Merges the ranges of all boxes of a level that overlap the cells.
fn over(level: &Level, first: [usize; 3], last: [usize; 3]) -> Range {
    let mut range = Range::EMPTY;
    for_each(first.map(|n| n / level.width), last.map(|n| n / level.width), &mut |at| {
        range = range.merged(&level.ranges[level.index(at)]);
    });
    range
}

/// Computes the range from the samples, row by row.
fn between(lattice: &Lattice, values: &[f64], first: [usize; 3], last: [usize; 3]) -> Range {
    let rows = Rows { lattice, values, first, last };
    // Rows of a few samples are compared at once.
    let rises = match last[0] - first[0] + 2 {
        2 => rows.rises_of::<2>(),
        3 => rows.rises_of::<3>(),
        4 => rows.rises_of::<4>(),
        5 => rows.rises_of::<5>(),
        _ => rows.rises(),
    };
    let low = Vector::from(rises.map(|rise| rise.low));
    let high = Vector::from(rises.map(|rise| rise.high));
    Range { low: low.component_div(&lattice.spacing), high: high.component_div(&lattice.spacing) }
}

/// The samples of the cells from `first` to `last`, in rows along x.
struct Rows<'a> {
    lattice: &'a Lattice,
    values: &'a [f64],
    first: [usize; 3],
    last: [usize; 3],
}

impl Rows<'_> {
    /// Returns the samples from the first of a row.
    fn row(&self, j: usize, k: usize) -> &[f64] {
        &self.values[self.lattice.index([self.first[0], j, k])..]
    }

    /// Returns the ranges of differences along each axis.
    fn rises(&self) -> [Rises; 3] {
        let length = self.last[0] - self.first[0] + 2;
        let [mut along_x, mut along_y, mut along_z] = [Rises::NONE; 3];
        for k in self.first[2]..=self.last[2] + 1 {
            for j in self.first[1]..=self.last[1] + 1 {
                let samples = &self.row(j, k)[..length];
                along_x.include(&samples[..length - 1], &samples[1..]);
                if j <= self.last[1] {
                    along_y.include(samples, &self.row(j + 1, k)[..length]);
                }
                if k <= self.last[2] {
                    along_z.include(samples, &self.row(j, k + 1)[..length]);
                }
            }
        }
        [along_x, along_y, along_z]
    }

    /// Returns the same for rows of `N` samples.
    fn rises_of<const N: usize>(&self) -> [Rises; 3] {
        let chunk = |j: usize, k: usize| {
            *self.row(j, k).first_chunk::<N>().expect("cells are in the lattice, with a sample at either end")
        };
        let [mut along_x, mut along_y, mut along_z] = [Lanes::<N>::NONE; 3];
        for k in self.first[2]..=self.last[2] + 1 {
            for j in self.first[1]..=self.last[1] + 1 {
                let samples = chunk(j, k);
                // The last sample has no successor: its lane repeats the difference before it.
                let next = std::array::from_fn(|i| samples[(i + 1).min(N - 1)]);
                let from = std::array::from_fn(|i| samples[i.min(N - 2)]);
                along_x.include(&from, &next);
                if j <= self.last[1] {
                    along_y.include(&samples, &chunk(j + 1, k));
                }
                if k <= self.last[2] {
                    along_z.include(&samples, &chunk(j, k + 1));
                }
            }
        }
        [along_x, along_y, along_z].map(|lanes| lanes.merged())
    }
}

/// The range of differences between adjacent samples.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rises {
    low: f64,
    high: f64,
}

impl Rises {
    const NONE: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };

    fn take(&mut self, rise: f64) {
        self.low = if rise < self.low { rise } else { self.low };
        self.high = if rise > self.high { rise } else { self.high };
    }

    fn include(&mut self, from: &[f64], to: &[f64]) {
        from.iter().zip(to).for_each(|(from, to)| self.take(to - from));
    }
}

/// The ranges of differences, one for each place of a row.
#[derive(Clone, Copy)]
struct Lanes<const N: usize> {
    low: [f64; N],
    high: [f64; N],
}

impl<const N: usize> Lanes<N> {
    const NONE: Self = Self { low: [f64::INFINITY; N], high: [f64::NEG_INFINITY; N] };

    fn include(&mut self, from: &[f64; N], to: &[f64; N]) {
        for k in 0..N {
            let rise = to[k] - from[k];
            self.low[k] = if rise < self.low[k] { rise } else { self.low[k] };
            self.high[k] = if rise > self.high[k] { rise } else { self.high[k] };
        }
    }

    fn merged(&self) -> Rises {
        let mut all = Rises::NONE;
        self.low.iter().chain(&self.high).for_each(|rise| all.take(*rise));
        all
    }
}

/// Iterates from `first` to `last`, x varying fastest.
fn for_each(first: [usize; 3], last: [usize; 3], visit: &mut dyn FnMut([usize; 3])) {
    for k in first[2]..=last[2] {
        for j in first[1]..=last[1] {
            for i in first[0]..=last[0] {
                visit([i, j, k]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::Point;

    #[test]
    fn what_is_kept_is_no_less_than_what_the_samples_say() {
        let size = [12, 7, 19];
        let lattice = Lattice::new(Point::origin(), Vector::new(0.5, 1.0, 2.0), size).unwrap();
        let value = |n: usize| (n % 12 * (n % 12) + n / 12 % 7 * (n / 84)) as f64;
        let values: Vec<f64> = (0..lattice.count()).map(value).collect();
        let slopes = Slopes::new(&lattice, &values);
        assert_eq!(slopes.levels.len(), 4);
        let mut wider = 0;
        for n in 0..600 {
            let pick = |axis: usize, salt: usize| (n * salt + axis * 31) % (size[axis] - 1);
            let (a, b) = ([0, 1, 2].map(|axis| pick(axis, 37)), [0, 1, 2].map(|axis| pick(axis, 53)));
            let first = [0, 1, 2].map(|axis| a[axis].min(b[axis]));
            let last = [0, 1, 2].map(|axis| a[axis].max(b[axis]));
            let exact = between(&lattice, &values, first, last);
            let kept = slopes.over(&lattice, &values, first, last);
            assert_eq!(exact.merged(&kept), kept);
            wider += usize::from(kept != exact);
        }
        assert!(wider > 20 && wider < 590, "{wider}");
        // Rows of up to five samples, at once and one by one.
        for n in 0..600 {
            let first = [0, 1, 2].map(|axis| n * [37, 11, 53][axis] % (size[axis] - 1));
            let last = [0, 1, 2].map(|axis| (first[axis] + n / [1, 4, 16][axis] % 4).min(size[axis] - 2));
            let rows = Rows { lattice: &lattice, values: &values, first, last };
            let at_once = match last[0] - first[0] {
                0 => rows.rises_of::<2>(),
                1 => rows.rises_of::<3>(),
                2 => rows.rises_of::<4>(),
                _ => rows.rises_of::<5>(),
            };
            assert_eq!(at_once, rows.rises(), "{first:?} {last:?}");
        }
        for (level, at) in [(1, [0, 0, 0]), (1, [4, 2, 8]), (1, [3, 1, 2]), (2, [1, 0, 3])] {
            let block = Block { level, at };
            let last = block.first().map(|n| n + (1 << level) - 1);
            let exact = between(&lattice, &values, block.first(), last);
            assert_eq!(*slopes.of_block(&block), exact);
        }
    }
}
