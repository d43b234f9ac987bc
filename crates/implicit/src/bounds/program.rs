//! The best bound that several linear bounds of a function and of a constraint give: a small linear program.

use super::linear::{below_the_higher, least};
use crate::base::{CellValues, MOST_CORNERS};

/// At most `N` linear functions over a cell: of more, those with the greatest minima.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Several<const N: usize> {
    list: [CellValues; N],
    /// The minimum of each.
    minima: [f64; N],
    count: usize,
}

/// Maximum number of linear bounds used of the objective and of the constraint.
pub const VALUES: usize = 4;
pub(crate) const LIMITS: usize = 6;

/// Multipliers: of all values but the first, and of the limits.
const SHARES: usize = VALUES - 1 + LIMITS;

impl<const N: usize> Default for Several<N> {
    fn default() -> Self {
        Self { list: [[0.0; MOST_CORNERS]; N], minima: [0.0; N], count: 0 }
    }
}

impl<const N: usize> Several<N> {
    pub(crate) fn take(&mut self, bound: CellValues, corners: usize) {
        let minimum = least(&bound, corners);
        let place = if self.count < N {
            self.count += 1;
            self.count - 1
        } else {
            let lowest = (1..N).fold(0, |best, k| if self.minima[k] < self.minima[best] { k } else { best });
            if minimum <= self.minima[lowest] {
                return;
            }
            lowest
        };
        (self.list[place], self.minima[place]) = (bound, minimum);
    }

    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    pub(crate) fn get(&self) -> &[CellValues] {
        &self.list[..self.count]
    }
}

/// A lower bound over a cell, and the weights of its corners where the linear functions attain it, if that is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attained {
    pub(crate) lower: f64,
    pub(crate) weights: Option<CellValues>,
}

impl Attained {
    /// A bound that is attained at an unknown place.
    pub(crate) fn somewhere(lower: f64) -> Self {
        Self { lower, weights: None }
    }
}

/// Returns the best lower bound of the maximum of the `values` where all `limits` are not positive. Infinite if the
/// limits are infeasible.
///
/// The minimum of any convex mixture of the values plus non-negative multiples of the limits is such a bound. The best
/// multipliers are a linear program with a row for every corner, which the simplex method solves in a few pivots.
/// Regardless of rounding errors there, the result is the minimum of the sum with the multipliers found.
pub(crate) fn least_of_the_higher_within(
    values: &Several<VALUES>,
    limits: &Several<LIMITS>,
    corners: usize,
) -> Attained {
    let limit = limits.get();
    for (n, a) in limit.iter().enumerate() {
        // Where both are not positive at a corner, so is every mixture of them.
        let may_exclude = |b: &&CellValues| (0..corners).all(|k| a[k] > 0.0 || b[k] > 0.0);
        let mut others = limit[n + 1..].iter().filter(may_exclude);
        if others.any(|b| least(&below_the_higher(a, b, corners), corners) > 0.0) {
            return Attained::somewhere(f64::INFINITY);
        }
    }
    let highest = |a: &'_ usize, b: &'_ usize| values.minima[*a].total_cmp(&values.minima[*b]);
    let Some(base) = (0..values.count).max_by(highest) else {
        return Attained::somewhere(f64::NEG_INFINITY);
    };
    let first = &values.list[base];
    let mut slopes = [[0.0; MOST_CORNERS]; SHARES];
    let others = (0..values.count).filter(|&n| n != base);
    for (slope, n) in slopes.iter_mut().zip(others) {
        *slope = std::array::from_fn(|k| values.list[n][k] - first[k]);
    }
    let mixed = values.count - 1;
    slopes[mixed..][..limit.len()].copy_from_slice(limit);
    Dual { first, slopes, count: mixed + limit.len(), mixed, corners }.best()
}

/// The dual problem: maximize the minimum of a sum of linear functions, over their multipliers.
struct Dual<'a> {
    first: &'a CellValues,
    slopes: [CellValues; SHARES],
    count: usize,
    /// How many of the multipliers belong to values: their sum is at most one.
    mixed: usize,
    corners: usize,
}

impl Dual<'_> {
    /// Returns the greatest minimum; infinite if the limits are infeasible.
    fn best(&self) -> Attained {
        let mut dictionary = Dictionary::new(self);
        for _ in 0..MOST_PIVOTS {
            let Some(column) = dictionary.entering() else { break };
            let Some(row) = dictionary.leaving(column) else {
                // The multipliers are unbounded: if that raises the sum at every corner, the limits are infeasible.
                let ray = dictionary.ray(column);
                let lifts = |corner: usize| (0..self.count).map(|n| ray[n] * self.slopes[n][corner]).sum();
                let lifted = (0..self.corners).map(lifts).fold(f64::INFINITY, f64::min);
                if lifted > 0.0 && ray[..self.mixed].iter().all(|share| *share == 0.0) {
                    return Attained::somewhere(f64::INFINITY);
                }
                break;
            };
            dictionary.pivot(row, column);
        }
        let lower = self.least(&self.allowed(dictionary.shares()));
        Attained { lower, weights: Some(dictionary.weights()) }
    }

    /// Projects the multipliers, which rounding may have moved, to non-negative ones, those of values with a sum of at
    /// most one.
    fn allowed(&self, shares: [f64; SHARES]) -> [f64; SHARES] {
        let mut shares = shares.map(|share| if share.is_finite() { share.max(0.0) } else { 0.0 });
        let sum: f64 = shares[..self.mixed].iter().sum();
        if sum > 1.0 {
            shares[..self.mixed].iter_mut().for_each(|share| *share /= sum);
        }
        shares
    }

    /// Returns the minimum of the sum, less its rounding error: multipliers are unbounded.
    fn least(&self, shares: &[f64; SHARES]) -> f64 {
        let at = |corner: usize| {
            let terms = (0..self.count).map(|n| shares[n] * self.slopes[n][corner]);
            let sum = |(sum, size): (f64, f64), term: f64| (sum + term, size + term.abs());
            let (sum, size) = terms.fold((0.0, 0.0), sum);
            self.first[corner] + sum - ROUNDING * size
        };
        (0..self.corners).map(at).fold(f64::INFINITY, f64::min)
    }
}

/// Upper bound of the rounding error of a sum of products, relative to their magnitudes.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Iteration limit of the pivots: three to six are typical, and ties could cycle.
const MOST_PIVOTS: usize = 16;

/// Columns: one per multiplier, the slack of a corner, and the constant.
const COLUMNS: usize = SHARES + 2;
const CONSTANT: usize = COLUMNS - 1;

/// Rows: the objective, the slacks of all corners but one, and the slack of the sum of the values' multipliers.
const ROWS: usize = 1 + MOST_CORNERS;

/// The slack variables come after the multipliers: of the corners, then of the sum.
const SLACK: usize = SHARES;
const SLACK_OF_SUM: usize = SLACK + MOST_CORNERS;

/// The dictionary of the simplex method (Chvatal 1983): each row is a basic variable as a linear function of the
/// nonbasic ones, which are zero. Row 0 is the objective. The column after the multipliers is the slack of the corner
/// where the first function is lowest.
struct Dictionary {
    rows: [[f64; COLUMNS]; ROWS],
    /// The multiplier or slack of each row (basic) and column (nonbasic).
    basic: [usize; ROWS],
    zero: [usize; COLUMNS],
    count: usize,
}

impl Dictionary {
    fn new(dual: &Dual<'_>) -> Self {
        let lower = |a: usize, b: usize| if dual.first[b] < dual.first[a] { b } else { a };
        let lowest = (1..dual.corners).fold(0, lower);
        let mut zero = [SLACK_OF_SUM; COLUMNS];
        (0..dual.count).for_each(|n| zero[n] = n);
        zero[SHARES] = SLACK + lowest;
        let mut this = Self { rows: [[0.0; COLUMNS]; ROWS], basic: [SLACK_OF_SUM; ROWS], zero, count: 1 };
        (0..dual.count).for_each(|n| this.rows[0][n] = dual.slopes[n][lowest]);
        this.rows[0][SHARES] = -1.0;
        this.rows[0][CONSTANT] = dual.first[lowest];
        for corner in (0..dual.corners).filter(|corner| *corner != lowest) {
            let row = &mut this.rows[this.count];
            (0..dual.count).for_each(|n| row[n] = dual.slopes[n][corner] - dual.slopes[n][lowest]);
            row[SHARES] = 1.0;
            row[CONSTANT] = dual.first[corner] - dual.first[lowest];
            this.basic[this.count] = SLACK + corner;
            this.count += 1;
        }
        if dual.mixed > 0 {
            let row = &mut this.rows[this.count];
            row[..dual.mixed].fill(-1.0);
            row[CONSTANT] = 1.0;
            this.count += 1;
        }
        this
    }

    /// Returns the column with the greatest increase of the objective: of multipliers and the slack of their sum, else of
    /// the slacks of corners. These increases have different units, so that comparing them would depend on the scale.
    fn entering(&self) -> Option<usize> {
        let mut best: Option<(bool, f64, usize)> = None;
        for (column, increase) in self.rows[0][..CONSTANT].iter().enumerate().filter(|(_, rise)| **rise > 0.0)
        {
            let is_corner = (SLACK..SLACK_OF_SUM).contains(&self.zero[column]);
            if best.is_none_or(|(corner, most, _)| {
                (corner && !is_corner) || (corner == is_corner && *increase > most)
            }) {
                best = Some((is_corner, *increase, column));
            }
        }
        best.map(|(_, _, column)| column)
    }

    /// Returns the row that first becomes zero as the column increases.
    fn leaving(&self, column: usize) -> Option<usize> {
        let rows = (1..self.count).filter(|&row| self.rows[row][column] < 0.0);
        let room = |row: usize| self.rows[row][CONSTANT] / -self.rows[row][column];
        rows.reduce(|a, b| if room(b) < room(a) { b } else { a })
    }

    /// Returns how the multipliers increase with a column.
    fn ray(&self, column: usize) -> [f64; SHARES] {
        let mut ray = [0.0; SHARES];
        if let Some(own) = ray.get_mut(self.zero[column]) {
            *own = 1.0;
        }
        self.read(column, &mut ray);
        ray
    }

    fn shares(&self) -> [f64; SHARES] {
        let mut shares = [0.0; SHARES];
        self.read(CONSTANT, &mut shares);
        shares
    }

    /// Returns the weights of the corners at the solution: how fast the objective falls with each slack.
    fn weights(&self) -> CellValues {
        let mut weights = [0.0; MOST_CORNERS];
        for column in 0..CONSTANT {
            if let Some(corner) = self.zero[column].checked_sub(SLACK)
                && let Some(weight) = weights.get_mut(corner)
            {
                *weight = (-self.rows[0][column]).max(0.0);
            }
        }
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }

    fn read(&self, column: usize, shares: &mut [f64; SHARES]) {
        for row in 1..self.count {
            if let Some(share) = shares.get_mut(self.basic[row]) {
                *share = self.rows[row][column];
            }
        }
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let by = -1.0 / self.rows[row][column];
        let mut solved = self.rows[row].map(|entry| entry * by);
        solved[column] = -by;
        for (index, other) in self.rows[..self.count].iter_mut().enumerate() {
            let factor = other[column];
            if index == row || factor == 0.0 {
                continue;
            }
            other[column] = 0.0;
            for (entry, solved) in other.iter_mut().zip(solved) {
                *entry += factor * solved;
            }
        }
        self.rows[row] = solved;
        std::mem::swap(&mut self.basic[row], &mut self.zero[column]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with all multipliers on a lattice; and no feasible point has a lower value.
    #[test]
    fn of_all_mixtures_the_best_is_found() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let (mut several, mut attained) = (0, 0);
        for _ in 0..300 {
            let (mut values, mut limits) = (Several::default(), Several::default());
            let [a, b, c, d]: [CellValues; 4] = std::array::from_fn(|_| std::array::from_fn(|_| random()));
            for (value, limit) in [(a, c), (b, d)] {
                values.take(value, 4);
                limits.take(limit, 4);
            }
            let Attained { lower: found, weights: place } = least_of_the_higher_within(&values, &limits, 4);
            if least(&below_the_higher(&c, &d, 4), 4) > 0.0 {
                assert_eq!(found, f64::INFINITY);
                continue;
            }
            let mut tried = f64::NEG_INFINITY;
            for (i, j, k) in (0..=10).flat_map(|i| (0..20).flat_map(move |j| (0..20).map(move |k| (i, j, k))))
            {
                let [s, x, y] = [f64::from(i) / 10.0, f64::from(j) / 5.0, f64::from(k) / 5.0];
                let sum = std::array::from_fn(|n| a[n] + s * (b[n] - a[n]) + x * c[n] + y * d[n]);
                tried = tried.max(least(&sum, 4));
            }
            assert!(found >= tried - 1e-12, "{found} {tried}");
            if let Some(place) = place {
                let at = |list: &CellValues| list.iter().zip(place).map(|(x, w)| x * w).sum::<f64>();
                assert!((place.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                let is_attained = at(&c) < 1e-9 && at(&d) < 1e-9 && (at(&a).max(at(&b)) - found).abs() < 1e-9;
                attained += usize::from(is_attained);
            }
            for _ in 0..200 {
                let mut weights: [f64; 4] = std::array::from_fn(|_| random().abs());
                let sum: f64 = weights.iter().sum();
                weights.iter_mut().for_each(|weight| *weight /= sum);
                let at = |list: &CellValues| list.iter().zip(weights).map(|(x, w)| x * w).sum::<f64>();
                if at(&c) <= 0.0 && at(&d) <= 0.0 {
                    several += 1;
                    assert!(at(&a).max(at(&b)) >= found - 1e-12);
                }
            }
        }
        assert!(several > 3000 && attained > 150, "{several} {attained}");
    }
}
