//! The least value of a signed distance grid over a convex polygon in a plane, with a certified lower bound: cell by cell.
//!
//! No value of a block of cells is below all its samples. Of the blocks that the polygon may pass through, those with the lowest
//! samples are searched first, and what is not low enough is left out. Only in the cells that remain is the polygon cut.
//!
//! If all values on the sides of the polygon are known to be too high, only a place between them is of interest that is lower
//! than all others near it. It is not in cells alone in which the value falls along the same direction in the plane: these are
//! left out too.

use super::cell::CellValue;
use super::facet::{Facet, Least, Stalled};
use super::minima::Block;
use super::polygon::{MOST_CORNERS, Polygon};
use super::samples::Grid;
use arrayvec::ArrayVec;
use palpate_math::Vector;

/// How much larger blocks are taken, relative to the coordinates, for rounding.
const ROUNDING: f64 = 1e-9;

/// Bounds the rounding error of a slope, relative to the samples.
const OF_SLOPES: f64 = 32.0 * f64::EPSILON;

/// The most blocks that the search begins with along each axis.
const MOST_AT_FIRST: usize = 2;

/// The height over a plane, in the lattice's frame.
struct Height {
    normal: Vector,
    offset: f64,
    /// How much the height differs over a cell at most, to either side from its middle.
    reach: f64,
    slack: f64,
}

impl Height {
    /// `size` is the greatest coordinate.
    fn over(place: &Vector, normal: Vector, size: f64) -> Self {
        let sum = normal.abs().sum();
        Self { normal, offset: normal.dot(place), reach: 0.5 * sum, slack: ROUNDING * size * sum }
    }

    fn at(&self, position: &Vector) -> f64 {
        self.normal.dot(position) - self.offset
    }
}

/// The search of a polygon, block by block.
struct InBlocks<'a> {
    facet: &'a Facet<'a>,
    polygon: &'a Polygon,
    /// The cells about the polygon.
    first: [usize; 3],
    last: [usize; 3],
    across: Height,
    /// Those over the sides of the polygon are positive outside.
    sides: ArrayVec<Height, MOST_CORNERS>,
    /// The direction in which the value rises in the middle, if cells in which it rises along that direction are left out.
    rising: Option<Vector>,
}

impl Facet<'_> {
    /// Searches a polygon within the lattice's box. `sides_are_above` states that all values on its sides are above the cutoff.
    pub(super) fn search(
        &self,
        polygon: &Polygon,
        sides_are_above: bool,
        least: &mut Least,
    ) -> Result<(), Stalled> {
        let lattice = &self.plane.grid.lattice;
        let (mut first, mut last) = ([usize::MAX; 3], [0; 3]);
        for corner in &polygon.corners {
            for (axis, (first, last)) in first.iter_mut().zip(&mut last).enumerate() {
                let end = lattice.size[axis] - 2;
                let cell = (self.coordinate(corner, axis).max(0.0) as usize).min(end);
                (*first, *last) = ((*first).min(cell), (*last).max(cell));
            }
        }
        let size = lattice.size.iter().fold(0, |most, n| most.max(*n)) as f64;
        let [a, b] = &self.plane.axes;
        let normal = a.cross(b);
        let side = |index: usize| {
            let next = if index + 1 < polygon.corners.len() { index + 1 } else { 0 };
            let [from, to] = [index, next].map(|corner| self.plane.position(&polygon.corners[corner]));
            Height::over(&from, (to - from).cross(&normal), size)
        };
        let search = InBlocks {
            facet: self,
            polygon,
            first,
            last,
            across: Height::over(&self.plane.origin, normal, size),
            sides: (0..polygon.corners.len()).map(side).collect(),
            rising: sides_are_above.then(|| self.rising(polygon)),
        };
        let few =
            |level: &usize| (0..3).all(|axis| (last[axis] >> level) - (first[axis] >> level) < MOST_AT_FIRST);
        let level = (0..usize::BITS as usize).find(few).unwrap_or(0);
        search.in_blocks(level, first.map(|n| n >> level), last.map(|n| n >> level), least)
    }

    /// Returns the direction in the plane in which the value rises in the middle of a polygon.
    fn rising(&self, polygon: &Polygon) -> Vector {
        let position = self.plane.position(&polygon.center());
        let cell = [0, 1, 2].map(|axis| {
            let last = self.plane.grid.lattice.size[axis] - 2;
            (position[axis].max(0.0) as usize).min(last)
        });
        let local = position - Vector::from(cell.map(|n| n as f64));
        let gradient = CellValue::new(&self.plane.grid.samples(cell)).at(&local).gradient;
        self.plane.axes.iter().map(|axis| axis * axis.dot(&gradient)).sum()
    }
}

impl InBlocks<'_> {
    /// Searches some blocks of a level, at most two along each axis.
    fn in_blocks(
        &self,
        level: usize,
        from: [usize; 3],
        to: [usize; 3],
        least: &mut Least,
    ) -> Result<(), Stalled> {
        let Grid { lattice, values, minima, .. } = self.facet.plane.grid;
        let mut blocks: ArrayVec<(f64, [usize; 3]), 8> = ArrayVec::new();
        for k in from[2]..=to[2] {
            for j in from[1]..=to[1] {
                for i in from[0]..=to[0] {
                    let block = Block { level, at: [i, j, k] };
                    // The samples of a single cell take more time.
                    if level == 0 && !self.passes(&block) {
                        continue;
                    }
                    let lowest = minima.least(lattice, values, &block);
                    if least.leaves_out(lowest)
                        || level > 0 && (self.rises_in(&block) || !self.passes(&block))
                    {
                        continue;
                    }
                    blocks.push((lowest, block.at));
                }
            }
        }
        blocks.sort_unstable_by(|(a, one), (b, other)| a.total_cmp(b).then(one.cmp(other)));
        for (lowest, at) in blocks {
            if least.leaves_out(lowest) {
                continue;
            }
            if level == 0 {
                self.in_cell(at, least)?;
            } else {
                let next = level - 1;
                let from = [0, 1, 2].map(|axis| (2 * at[axis]).max(self.first[axis] >> next));
                let to = [0, 1, 2].map(|axis| (2 * at[axis] + 1).min(self.last[axis] >> next));
                self.in_blocks(next, from, to, least)?;
            }
        }
        Ok(())
    }

    /// Whether the value is known to rise along the direction everywhere in a block of several cells.
    fn rises_in(&self, block: &Block) -> bool {
        let Grid { lattice, slopes, .. } = self.facet.plane.grid;
        let (Some(rising), Some(range)) = (self.rising, slopes.of_large(block)) else { return false };
        let rise =
            range.low.zip_zip_map(&range.high, &rising, |low, high, along| (low * along).min(high * along));
        let most = range.low.abs().sup(&range.high.abs());
        (rise - most.component_mul(&rising.abs()) * OF_SLOPES).dot(&lattice.spacing) > 0.0
    }

    /// Whether the polygon may pass through a block.
    fn passes(&self, block: &Block) -> bool {
        let size = (1 << block.level) as f64;
        let middle = Vector::from(block.at.map(|n| (n as f64 + 0.5) * size));
        let is_near = |height: &Height, above: f64| above <= height.reach * size + height.slack;
        is_near(&self.across, self.across.at(&middle).abs())
            && self.sides.iter().all(|side| is_near(side, side.at(&middle)))
    }

    /// Searches the part of the polygon in a cell.
    fn in_cell(&self, cell: [usize; 3], least: &mut Least) -> Result<(), Stalled> {
        let samples = || self.facet.plane.grid.samples(cell);
        if self.rising.is_some_and(|rising| rises(&samples(), &rising)) {
            return Ok(());
        }
        let mut room = [Polygon::default(), Polygon::default()];
        match self.facet.within_cell(self.polygon, cell, &mut room)? {
            Some(part) => self.facet.search_cell(cell, part, least),
            None => Ok(()),
        }
    }
}

/// Whether the value rises along a direction everywhere in a cell: each derivative is a mean of the differences along four edges.
fn rises(samples: &[f64; 8], direction: &Vector) -> bool {
    let rise = |axis: usize| {
        let stride = 1 << axis;
        let differences = [[0, 2, 4, 6], [0, 1, 4, 5], [0, 1, 2, 3]][axis]
            .map(|corner: usize| (samples[corner + stride] - samples[corner]) * direction[axis]);
        differences.into_iter().fold(f64::INFINITY, f64::min)
    };
    let size = samples.iter().fold(0.0, |size: f64, sample| size.max(sample.abs()));
    rise(0) + rise(1) + rise(2) > OF_SLOPES * size * direction.abs().sum()
}
