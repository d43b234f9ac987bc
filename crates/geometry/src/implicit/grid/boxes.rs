//! The boxes of a grid's cells that may have the least value over a body, the lowest first.
//!
//! Each is searched by its [`QuadricCell`]; one whose bound is too low is halved.

use super::crossed::{Stalled, take_lowest};
use super::quadric_cell::{Outcome, QuadricCell, Settled, Within};
use super::samples::Grid;
use crate::implicit::means::lower_of;
use crate::implicit::{ImplicitFunction, LeastInSolid};
use arrayvec::ArrayVec;
use palpate_math::{Point, Vector};

/// The most boxes that wait for their search, and the most before some are searched.
const MOST_WAITING: usize = 160;
pub(super) const MOST_AT_FIRST: usize = 96;

/// The most boxes in all.
const MOST_BOXES: usize = 400;

/// How far outside the body a place counts as in it, relative to the gap.
const OUTSIDE: f64 = 0.25;

/// Which part of the gap second derivatives that are slightly negative may take.
const OF_GAP: f64 = 0.25;

/// The most times that a box is halved about a place.
const MOST_HALVED: usize = 24;

/// How many times a box is halved to leave parts of it out: bounds of eight parts take less time than one search.
const MOST_REDUCED: usize = 3;

/// The narrowest box in sizes of a cell.
const NARROWEST: f64 = 1e-9;

/// The body over which a grid is searched, or a piece of it.
pub(super) trait Body {
    /// Returns a cell of the grid with the surfaces of the body in a box of it.
    fn cell(&self, grid: &Grid, cell: [usize; 3], within: &Within) -> QuadricCell;

    /// Whether a point is in the body, or outside by no more than a slack in metres.
    fn has(&self, point: &Point, slack: f64) -> bool;
}

/// A box in a cell, a lower bound of the values in it, and where to search first.
#[derive(Clone, Copy, Debug)]
struct Open {
    lower: f64,
    cell: [usize; 3],
    within: Within,
    near: Vector,
}

/// The search with its boxes.
pub(super) struct Boxes<'a> {
    pub(super) grid: &'a Grid,
    best: (f64, Point),
    /// A lower bound of all that was searched.
    lower: f64,
    /// Values above this are of no use.
    pub(super) cutoff: f64,
    gap: f64,
    boxes: usize,
    waiting: ArrayVec<Open, MOST_WAITING>,
}

impl<'a> Boxes<'a> {
    /// Creates a search that has found nothing.
    pub(super) fn new(grid: &'a Grid, cutoff: f64, gap: f64) -> Self {
        Self {
            grid,
            best: (f64::INFINITY, Point::origin()),
            lower: f64::INFINITY,
            cutoff: cutoff.min(grid.least_outside),
            gap,
            boxes: 0,
            waiting: ArrayVec::new(),
        }
    }

    /// Returns the value above which no bound is of use.
    pub(super) fn limit(&self) -> f64 {
        self.cutoff.min(self.best.0 - self.gap)
    }

    /// Takes note of a lower bound of values that are left out.
    pub(super) fn leave_out(&mut self, lower: f64) {
        self.lower = self.lower.min(lower);
    }

    /// Whether a lower bound of values is above the limit; takes note of it then.
    pub(super) fn is_left_out(&mut self, lower: f64) -> bool {
        let is_above = lower > self.limit();
        if is_above {
            self.leave_out(lower);
        }
        is_above
    }

    /// Tries a place in the body.
    pub(super) fn consider(&mut self, point: Point) {
        let value = self.grid.value(&point);
        if value < self.best.0 {
            self.best = (value, point);
        }
    }

    /// Returns what is found if values outside the lattice's box are of no use, given the cutoff that was asked for.
    pub(super) fn found(&self, cutoff: f64) -> Option<LeastInSolid> {
        let (value, point) = self.best;
        let is_outside = value > self.grid.least_outside && cutoff > self.grid.least_outside;
        (!is_outside).then(|| LeastInSolid { point, lower: self.lower.min(value) })
    }

    /// Returns how many boxes wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Adds a box of a cell to those that wait, without the parts that the bound by planes leaves out.
    pub(super) fn add(
        &mut self,
        cell: &QuadricCell,
        number: [usize; 3],
        within: &Within,
    ) -> Result<(), Stalled> {
        let Some((lower, within)) = self.reduced(cell, within, MOST_REDUCED) else { return Ok(()) };
        let near = (within.low + within.high) * 0.5;
        self.waiting.try_push(Open { lower, cell: number, within, near }).map_err(|_| Stalled)
    }

    /// Halves a box a number of times, and returns the smallest box around the parts that the bound by planes does not leave out, with
    /// a lower bound in it. `None` if it leaves out all.
    fn reduced(&mut self, cell: &QuadricCell, within: &Within, times: usize) -> Option<(f64, Within)> {
        let lower = cell.below_planes(within, self.limit());
        if self.is_left_out(lower) {
            return None;
        }
        if times == 0 {
            return Some((lower, *within));
        }
        let [first, second] = within.halves().map(|half| self.reduced(cell, &half, times - 1));
        let (Some((one, first)), Some((other, second))) = (first, second) else { return first.or(second) };
        let both = Within { low: first.low.inf(&second.low), high: first.high.sup(&second.high) };
        Some((lower.max(lower_of(one, other)), both))
    }

    /// Adds a part of a box to those that wait, unless the bound by planes is enough.
    fn wait(&mut self, cell: &QuadricCell, open: Open) -> Result<(), Stalled> {
        let lower = open.lower.max(cell.below_planes(&open.within, self.limit()));
        if self.is_left_out(lower) {
            return Ok(());
        }
        self.waiting.try_push(Open { lower, ..open }).map_err(|_| Stalled)
    }

    /// Searches the boxes that wait, all of one body, the lowest first: it leaves out more of the others.
    pub(super) fn search_waiting(&mut self, body: &dyn Body) -> Result<(), Stalled> {
        while let Some(open) = take_lowest(&mut self.waiting, |open| open.lower) {
            if self.is_left_out(open.lower) {
                self.waiting.clear();
                break;
            }
            self.search_box(&open, body)?;
        }
        Ok(())
    }

    /// Searches a box; halves it if its bound is too low.
    fn search_box(&mut self, open: &Open, body: &dyn Body) -> Result<(), Stalled> {
        self.boxes += 1;
        let cell = body.cell(self.grid, open.cell, &open.within);
        let outcome = cell.settle(&open.within, &open.near);
        if let Outcome::Empty = outcome {
            return Ok(());
        }
        if let Outcome::Settled(settled) = outcome {
            let place = cell.position(&settled.place);
            if body.has(&place, OUTSIDE * self.gap) {
                self.consider(place);
            }
            return self.search_about(&cell, open, &settled);
        }
        self.check(&open.within)?;
        for within in open.within.halves() {
            self.wait(&cell, Open { within, ..*open })?;
        }
        Ok(())
    }

    /// Searches a box about the place where it is settled: halves it until the place shows that nothing about it is lower. What
    /// is cut off waits.
    fn search_about(&mut self, cell: &QuadricCell, open: &Open, settled: &Settled) -> Result<(), Stalled> {
        let mut about = Open { near: settled.place, ..*open };
        // Where Newton's method did not converge, it goes on in the half.
        let most = if settled.is_final { MOST_HALVED } else { 1 };
        for number in 0..most {
            // Tried for every other half: after a proof that failed the next one rarely succeeds.
            if number % 2 == 0 {
                let lower = cell.below_settled(settled, &about.within, OF_GAP * self.gap, self.limit());
                about.lower = about.lower.max(lower);
            }
            if self.is_left_out(about.lower) {
                return Ok(());
            }
            self.check(&about.within)?;
            let [first, second] = about.within.halves();
            let (within, other) =
                if first.clamp(&settled.place) == settled.place { (first, second) } else { (second, first) };
            self.wait(cell, Open { within: other, ..about })?;
            about.within = within;
        }
        self.wait(cell, about)
    }

    /// Fails if enough boxes were searched, or if this one is too narrow to be divided.
    fn check(&self, within: &Within) -> Result<(), Stalled> {
        let is_narrow = (within.high - within.low).amax() < NARROWEST;
        if self.boxes > MOST_BOXES || is_narrow { Err(Stalled) } else { Ok(()) }
    }
}
