//! The search of one cell of a body by division at the places where its bounds are attained.

use super::cells::{Best, InCells, middle};
use crate::implicit::BoxSearch;
use crate::implicit::means::{Attained, MOST_MIXED, Means};
use arrayvec::ArrayVec;
use palpate_math::Point;

/// The most boxes of one cell that are divided, before the general search decides.
const MOST_DIVIDED: usize = 400;

/// The most searches of one cell: each but the last has found a part that was not remembered.
const MOST_SEARCHES: usize = 8;

/// The most steps from a place that is not feasible toward one that is.
const MOST_STEPS: usize = 8;

/// The least share of a box that is divided off.
const LEAST_SHARE: f64 = 1.0 / 16.0;

/// A box in a cell.
#[derive(Clone)]
struct InCell {
    corners: [Point; 8],
    /// The constraint's values at the corners.
    limits: [f64; 8],
    parts: ArrayVec<u32, MOST_MIXED>,
    /// Those of the parts.
    values: ArrayVec<[f64; 8], MOST_MIXED>,
    lower: f64,
    /// The weights of the corners where the lower bound is attained.
    attained: Option<[f64; 8]>,
}

/// A cell was too hard.
pub(super) struct Stalled;

impl InCells<'_> {
    /// Searches a cell with the parts that are remembered, until none is missing where the best point is.
    pub(super) fn search_cell(&mut self, corners: &[Point; 8], limits: &[f64; 8]) -> Result<(), Stalled> {
        let before = self.best;
        for _ in 0..MOST_SEARCHES {
            let mut cell = InCell {
                corners: *corners,
                limits: *limits,
                parts: ArrayVec::new(),
                values: ArrayVec::new(),
                lower: f64::NEG_INFINITY,
                attained: None,
            };
            if let Some(part) = self.highest_remembered(&middle(corners)) {
                self.add(&mut cell, part);
            }
            self.divided = 0;
            let is_searched = self.in_cell(&mut cell);
            let improved = self.best.filter(|best| before.is_none_or(|before| best.value < before.value));
            let Some(best) = improved else { return is_searched };
            let Some(highest) = self.function.highest_part(&best.point, Some(best.part)) else {
                self.best = before;
                return Err(Stalled);
            };
            if highest.value <= 0.0 && (highest.number == best.part || highest.value <= best.value) {
                return is_searched;
            }
            if highest.value > 0.0 {
                // The function is none of its parts there.
                self.best = before;
                return Err(Stalled);
            }
            // What was left out may not have been higher than the best point is.
            self.remember(highest.number);
            self.best = before;
            is_searched?;
        }
        Err(Stalled)
    }

    /// Searches a box. The part that is highest where the bound is attained raises it, unless it is one of those that it is made
    /// of; then the box is divided.
    fn in_cell(&mut self, cell: &mut InCell) -> Result<(), Stalled> {
        let mut place = None;
        for _ in 0..=MOST_MIXED {
            place = cell.lowest_place();
            let missing = place.as_ref().and_then(|place| self.improve(cell, place));
            if cell.lower > self.cutoff() {
                return Ok(());
            }
            let Some(part) = missing else { break };
            self.add(cell, part);
        }
        self.divided += 1;
        if self.divided > MOST_DIVIDED {
            return Err(Stalled);
        }
        let mut halves = self.halves(cell, place.as_ref()).ok_or(Stalled)?;
        let order = if halves[1].lower < halves[0].lower { [1, 0] } else { [0, 1] };
        for number in order {
            if halves[number].lower <= self.cutoff() {
                self.in_cell(&mut halves[number])?;
            }
        }
        Ok(())
    }

    /// Divides a box at the place where its bound is attained, across the axis along which the values there are farthest from
    /// the means of those at both ends. `None` if rounding leaves nothing between the ends.
    fn halves(&self, cell: &InCell, place: Option<&[f64; 3]>) -> Option<[InCell; 2]> {
        let squared = |axis: usize| (cell.corners[1 << axis] - cell.corners[0]).norm_squared();
        let bend = |axis: usize, share: f64| share * (1.0 - share) * squared(axis);
        let bends = |place: &[f64; 3]| [0, 1, 2].map(|axis| bend(axis, place[axis]));
        let place = place.filter(|place| bends(place).iter().any(|bend| *bend > 0.0)).unwrap_or(&[0.5; 3]);
        let bends = bends(place);
        let axis = (1..3).fold(0, |axis, other| if bends[other] > bends[axis] { other } else { axis });
        let share = place[axis].clamp(LEAST_SHARE, 1.0 - LEAST_SHARE);
        let mut halves = [cell.clone(), cell.clone()];
        for lower in (0..8).filter(|corner| corner >> axis & 1 == 0) {
            let upper = lower | 1 << axis;
            let place = cell.corners[lower] + (cell.corners[upper] - cell.corners[lower]) * share;
            if place == cell.corners[lower] || place == cell.corners[upper] {
                return None;
            }
            let limit = cell.limits[lower] + share * (cell.limits[upper] - cell.limits[lower]);
            for (half, replaced) in halves.iter_mut().zip([upper, lower]) {
                half.corners[replaced] = place;
                half.limits[replaced] = limit;
            }
            for (number, part) in cell.parts.iter().enumerate() {
                let value = self.function.part_value(*part, &place);
                halves[0].values[number][upper] = value;
                halves[1].values[number][lower] = value;
            }
        }
        for half in &mut halves {
            half.drop_lower();
            half.bound(self.cutoff());
        }
        Some(halves)
    }

    /// Adds a part to those of a box.
    fn add(&self, cell: &mut InCell, part: u32) {
        let values = self.values(part, &cell.corners);
        // At its corners, and so in all means, nothing is added by what is nowhere higher.
        for number in (0..cell.parts.len()).rev() {
            if cell.values[number].iter().zip(&values).all(|(own, other)| own <= other) {
                cell.parts.remove(number);
                cell.values.remove(number);
            }
        }
        if cell.parts.is_full() {
            cell.parts.remove(0);
            cell.values.remove(0);
        }
        cell.parts.push(part);
        cell.values.push(values);
        cell.bound(self.cutoff());
    }

    /// Tries a place where the value may be low. Returns the part that is highest there, if the box has not got it.
    fn improve(&mut self, cell: &InCell, place: &[f64; 3]) -> Option<u32> {
        let [origin, x, y, z] = [0, 1, 2, 4].map(|corner| cell.corners[corner]);
        let place = origin + (x - origin) * place[0] + (y - origin) * place[1] + (z - origin) * place[2];
        let part = self.highest_remembered(&place)?;
        let value = self.function.part_value(part, &place);
        let is_low = value <= self.lowest.cutoff() && value <= self.cutoff();
        if is_low && self.constraint.sample(&place).value <= self.outside {
            self.best = Some(Best { point: place, value, part });
        }
        (!cell.parts.contains(&part)).then_some(part)
    }
}

impl InCell {
    /// Returns where the bound is attained, or, if that is not feasible, a place before it that is: in sizes of the box.
    fn lowest_place(&self) -> Option<[f64; 3]> {
        let weights = self.attained.as_ref()?;
        let lower =
            |one: usize, other: usize| if self.limits[other] < self.limits[one] { other } else { one };
        let from = (1..8).fold(0, lower);
        let ends = [0, 1, 2].map(|axis| {
            let upper = (0..8).filter(|corner| corner >> axis & 1 == 1).map(|corner| weights[corner]);
            [(from >> axis & 1) as f64, upper.sum::<f64>().min(1.0)]
        });
        let at = |share: f64| ends.map(|[from, to]| from + share * (to - from));
        let mut share = 1.0;
        // Along the way the constraint is a polynomial; the first end is as far within as any corner.
        for _ in 0..MOST_STEPS {
            let limit = limit_at(&self.limits, &at(share));
            if limit <= 0.0 {
                break;
            }
            share *= self.limits[from] / (self.limits[from] - limit);
        }
        Some(at(share))
    }

    /// Drops the parts that are at no corner higher than another one, and so in no mean.
    fn drop_lower(&mut self) {
        for number in (0..self.parts.len()).rev() {
            let is_lower = |other: usize| {
                let mut values = self.values[number].iter().zip(&self.values[other]);
                other != number && values.all(|(own, other)| own <= other)
            };
            if (0..self.parts.len()).any(is_lower) {
                self.parts.remove(number);
                self.values.remove(number);
            }
        }
    }

    /// Raises the lower bound, until it is enough.
    fn bound(&mut self, enough: f64) {
        match Means::within(&self.limits).least_of_the_highest(&self.values, enough) {
            Some(Attained { lower, weights }) => {
                self.lower = self.lower.max(lower);
                self.attained = Some(weights);
            }
            None => self.lower = f64::INFINITY,
        }
    }
}

/// Returns the trilinear value at a place in sizes of the box.
fn limit_at(values: &[f64; 8], [x, y, z]: &[f64; 3]) -> f64 {
    let along_x: [f64; 4] = std::array::from_fn(|k| values[2 * k] + x * (values[2 * k + 1] - values[2 * k]));
    let [low, high] = [0, 2].map(|k| along_x[k] + y * (along_x[k + 1] - along_x[k]));
    low + z * (high - low)
}
