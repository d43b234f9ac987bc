//! The lowest place of a body on a lattice over a plane, with a certified lower bound.
//!
//! The cells of the body are searched one after the other, those with the lowest bounds first. In a cell the lowest place is found
//! by Newton's method, and proves itself: [`HeightCell`]. A box in which it does not is halved.

use super::crossed::take_lowest;
use super::height_cell::HeightCell;
use super::quadric_cell::Within;
use crate::implicit::means::{least_of, least_within};
use crate::implicit::{BoxSearch, ImplicitFunction, LeastInSolid, Limits, OrientedBounds};
use arrayvec::ArrayVec;
use palpate_math::{Point, Vector};

/// The most boxes of a cell that wait for their search.
const MOST_WAITING: usize = 64;

/// The most boxes in all; some ten are typical.
const MOST_BOXES: usize = 4000;

/// The narrowest box in sizes of a cell.
const NARROWEST: f64 = 1e-9;

/// Along an axis along which the height changes by less than this part of the gap it counts as level.
const LEVEL: f64 = 1.0 / 64.0;

/// A box in a cell, a lower bound of the heights in it, and where to search first.
#[derive(Clone, Copy, Debug)]
struct Open {
    lower: f64,
    within: Within,
    near: Vector,
}

/// Which heights are searched.
#[derive(Clone, Copy, Debug)]
pub(in crate::implicit) struct Heights {
    /// A point of the plane, and its unit normal.
    pub(in crate::implicit) origin: Point,
    pub(in crate::implicit) normal: Vector,
    /// Heights above this are of no use.
    pub(in crate::implicit) cutoff: f64,
    /// How close the bound has to be.
    pub(in crate::implicit) gap: f64,
    /// The rounding error of a height.
    pub(in crate::implicit) rounding: f64,
}

/// What is known of the lowest place.
#[derive(Clone, Copy, Debug)]
struct Lowest {
    heights: Heights,
    best: (f64, Point),
    /// A lower bound of all that was searched.
    lower: f64,
    boxes: usize,
    has_stalled: bool,
}

impl Heights {
    /// Returns where a body is lowest. `None` if it has no cells, or if the bound is not reached.
    pub(in crate::implicit) fn lowest_of(self, body: &dyn ImplicitFunction) -> Option<LeastInSolid> {
        let best = (f64::INFINITY, self.origin);
        let mut search = Lowest { heights: self, best, lower: f64::INFINITY, boxes: 0, has_stalled: false };
        let has_cells = body.over_cells(&mut search);
        let Lowest { best: (height, point), lower, has_stalled, .. } = search;
        // What the cells do not pass to the search is not below the level.
        let lower = lower.min(height).min(search.level()) - self.rounding;
        (has_cells && !has_stalled).then_some(LeastInSolid { point, lower })
    }

    fn of(&self, point: &Point) -> f64 {
        (point - self.origin).dot(&self.normal)
    }
}

impl BoxSearch for Lowest {
    fn below(&mut self, bounds: &OrientedBounds, limits: &Limits<'_>) -> f64 {
        let heights = bounds.corners().map(|corner| self.heights.of(&corner));
        let lowest = least_of(&heights);
        if lowest > self.level() {
            return lowest;
        }
        limits().map_or(lowest, |limits| least_within(&heights, &limits))
    }

    fn cutoff(&self) -> f64 {
        if self.has_stalled { f64::NEG_INFINITY } else { self.level() }
    }

    fn search(&mut self, corners: &[Point; 8], values: &[f64; 8]) {
        let heights = corners.map(|corner| self.heights.of(&corner));
        for number in (0..8).filter(|&number| values[number] <= 0.0) {
            self.consider(heights[number], &corners[number]);
        }
        let axes = [1, 2, 4].map(|corner| corners[corner] - corners[0]);
        let cell = HeightCell::new(&heights, values);
        let (faces, loose) = cell.faces(LEVEL * self.heights.gap);
        let mut waiting: ArrayVec<Open, MOST_WAITING> = ArrayVec::new();
        for within in faces {
            let near = (within.low + within.high) * 0.5;
            waiting.push(Open { lower: cell.below(&within) - loose, within, near });
        }
        while let Some(open) = take_lowest(&mut waiting, |open| open.lower) {
            if open.lower >= self.level() {
                self.leave_out(open.lower);
                return;
            }
            let place =
                |place: &Vector| corners[0] + axes[0] * place.x + axes[1] * place.y + axes[2] * place.z;
            if self.search_box(&cell, loose, &open, &place, &mut waiting).is_none() {
                self.has_stalled = true;
                return;
            }
        }
    }
}

impl Lowest {
    /// Nothing that is higher is of use, or lower than the best by more than the gap. Half a gap above the cutoff, so that what is
    /// left out is above that.
    fn level(&self) -> f64 {
        let Heights { cutoff, gap, .. } = self.heights;
        (cutoff + 0.5 * gap).min(self.best.0 - gap)
    }

    fn leave_out(&mut self, lower: f64) {
        self.lower = self.lower.min(lower);
    }

    fn consider(&mut self, height: f64, point: &Point) {
        if height < self.best.0 {
            self.best = (height, *point);
        }
    }

    /// Searches a box, than whose places others of the cell are lower by at most `loose`; adds its halves to those that wait if it is not settled. `None` if it is too hard.
    fn search_box(
        &mut self,
        cell: &HeightCell,
        loose: f64,
        open: &Open,
        place: &dyn Fn(&Vector) -> Point,
        waiting: &mut ArrayVec<Open, MOST_WAITING>,
    ) -> Option<()> {
        self.boxes += 1;
        let mut near = open.near;
        if let Some(found) = cell.settle(&open.within, &open.near) {
            if let Some(inside) = cell.inside(&found.place, &open.within) {
                self.consider(cell.height(&inside), &place(&inside));
            }
            let level = self.level();
            if cell.is_above(&found, &open.within, level, open.lower - self.heights.rounding) {
                self.leave_out(level - loose);
                return Some(());
            }
            near = found.place;
        }
        if self.boxes > MOST_BOXES || (open.within.high - open.within.low).amax() < NARROWEST {
            return None;
        }
        for within in open.within.halves() {
            let lower = open.lower.max(cell.below(&within) - loose);
            if lower >= self.level() {
                self.leave_out(lower);
            } else {
                waiting.try_push(Open { lower, within, near }).ok()?;
            }
        }
        Some(())
    }
}
