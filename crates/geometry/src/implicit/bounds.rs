//! Linear bounds over a cell, put together from those of several functions.
//!
//! A linear function over a simplex is the list of its values at the corners; its least value is the least of these.

/// The best linear function below the higher of two functions, each bounded below by a linear one: of all mixtures
/// `(1 - s) a + s b` the one whose least value is the highest. The least value is concave in `s` and bends where two corners
/// are equal, so that the best `s` is 0, 1 or such a bend.
pub(super) fn below_the_higher(a: &[f64; 4], b: &[f64; 4], corners: usize) -> [f64; 4] {
    let mixed = |s: f64| -> [f64; 4] { std::array::from_fn(|k| a[k] + s * (b[k] - a[k])) };
    let mut best = (least(a, corners), 0.0);
    let mut keep = |s: f64| {
        let value = least(&mixed(s), corners);
        if value > best.0 {
            best = (value, s);
        }
    };
    keep(1.0);
    for j in 1..corners {
        for i in 0..j {
            let s = (a[j] - a[i]) / ((a[j] - a[i]) - (b[j] - b[i]));
            if s > 0.0 && s < 1.0 {
                keep(s);
            }
        }
    }
    // Without a rounding of the ends' own.
    if best.1 == 1.0 { *b } else { mixed(best.1) }
}

/// The best linear function below a function over the part of the cell where a constraint is zero or less, from linear bounds
/// `a` and `b` below both: of all `a + s b`, `s` from zero up, the one whose least value is the highest (Lagrange's dual).
/// `None` where no part is.
pub(super) fn below_where_not_positive(a: &[f64; 4], b: &[f64; 4], corners: usize) -> Option<[f64; 4]> {
    if least(b, corners) > 0.0 {
        return None;
    }
    let sum = |s: f64| -> [f64; 4] { std::array::from_fn(|k| a[k] + s * b[k]) };
    let mut best = (least(a, corners), 0.0);
    for j in 1..corners {
        for i in 0..j {
            let s = (a[j] - a[i]) / (b[i] - b[j]);
            if s > 0.0 && s.is_finite() {
                let value = least(&sum(s), corners);
                if value > best.0 {
                    best = (value, s);
                }
            }
        }
    }
    Some(sum(best.1))
}

/// Linear functions over a cell, `N` at most: where there are more, those whose least values are the highest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Several<const N: usize> {
    list: [[f64; 4]; N],
    count: usize,
}

/// How many linear functions are mixed of what is looked for, and how many of what limits it.
pub(super) const VALUES: usize = 3;
pub(super) const LIMITS: usize = 3;

/// Shares: of all values but the first, and of the limits.
const SHARES: usize = VALUES - 1 + LIMITS;

impl<const N: usize> Default for Several<N> {
    fn default() -> Self {
        Self { list: [[0.0; 4]; N], count: 0 }
    }
}

impl<const N: usize> Several<N> {
    pub(super) fn take(&mut self, bound: [f64; 4], corners: usize) {
        if self.count < N {
            self.list[self.count] = bound;
            self.count += 1;
            return;
        }
        let least = |k: usize| least(&self.list[k], corners);
        let lowest = (1..N).fold(0, |best, k| if least(k) < least(best) { k } else { best });
        if self::least(&bound, corners) > least(lowest) {
            self.list[lowest] = bound;
        }
    }

    fn get(&self) -> &[[f64; 4]] {
        &self.list[..self.count]
    }
}

/// A number that the greater of the `values` is nowhere below, where all of the `limits` are zero or less: the best one.
/// Infinite where two of the limits leave no place.
///
/// Every mixture of the values with any positive multiples of the limits added has a least value, and is such a number. That is
/// concave in the shares and bends where it is the same at several corners: so it is the greatest where one corner more is
/// equal than shares are free, the others being zero.
pub(super) fn least_of_the_higher_within(
    values: &Several<VALUES>,
    limits: &Several<LIMITS>,
    corners: usize,
) -> f64 {
    let limit = limits.get();
    for (n, a) in limit.iter().enumerate() {
        if limit[n + 1..].iter().any(|b| least(&below_the_higher(a, b, corners), corners) > 0.0) {
            return f64::INFINITY;
        }
    }
    let mut best = f64::NEG_INFINITY;
    for (n, first) in values.get().iter().enumerate() {
        // Of the values that are mixed this is the first.
        let others = &values.get()[n + 1..];
        let mut slopes = [[0.0; 4]; SHARES];
        for (slope, other) in slopes.iter_mut().zip(others) {
            *slope = std::array::from_fn(|k| other[k] - first[k]);
        }
        slopes[others.len()..][..limit.len()].copy_from_slice(limit);
        let dual = Dual { first, slopes, count: others.len() + limit.len(), mixed: others.len(), corners };
        for free in 0..1_usize << dual.count {
            best = best.max(dual.best(free));
        }
    }
    best
}

/// What is to be made as great as it gets: the least value of a sum of linear functions, by their shares.
struct Dual<'a> {
    first: &'a [f64; 4],
    slopes: [[f64; 4]; SHARES],
    count: usize,
    /// How many of the shares are those of values: they sum to one at most.
    mixed: usize,
    corners: usize,
}

impl Dual<'_> {
    /// The best where these shares are free, and all others zero.
    fn best(&self, free: usize) -> f64 {
        let wanted = free.count_ones() + 1;
        if wanted as usize > self.corners {
            return f64::NEG_INFINITY;
        }
        let equal = (1..1_usize << self.corners).filter(|equal| equal.count_ones() == wanted);
        let shares = equal.filter_map(|equal| self.shares(free, equal));
        shares.map(|shares| self.least(&shares)).fold(f64::NEG_INFINITY, f64::max)
    }

    fn least(&self, shares: &[f64; SHARES]) -> f64 {
        let sum =
            |corner: usize| -> f64 { (0..self.count).map(|n| shares[n] * self.slopes[n][corner]).sum() };
        (0..self.corners).map(|corner| self.first[corner] + sum(corner)).fold(f64::INFINITY, f64::min)
    }

    /// The free shares at which the sum is the same at all of these corners, when they may be that.
    fn shares(&self, free: usize, equal: usize) -> Option<[f64; SHARES]> {
        let base = equal.trailing_zeros() as usize;
        let (mut rows, mut row) = ([[0.0; SHARES + 1]; 3], 0);
        for corner in (base + 1..4).filter(|corner| equal >> corner & 1 == 1) {
            for (entry, slopes) in rows[row].iter_mut().zip(&self.slopes[..self.count]) {
                *entry = slopes[corner] - slopes[base];
            }
            rows[row][SHARES] = self.first[base] - self.first[corner];
            row += 1;
        }
        let mut shares = [0.0; SHARES];
        eliminate(&mut rows[..row], free, &mut shares)?;
        let allowed = shares.iter().all(|share| *share >= 0.0 && share.is_finite());
        let mixed: f64 = shares[..self.mixed].iter().sum();
        (allowed && mixed <= 1.0).then_some(shares)
    }
}

/// Solves as many equations as unknowns: those of the columns that are free; the right side is in the last.
fn eliminate(rows: &mut [[f64; SHARES + 1]], free: usize, unknowns: &mut [f64; SHARES]) -> Option<()> {
    let count = rows.len();
    let columns = (0..SHARES).filter(|n| free >> n & 1 == 1);
    for (step, column) in columns.clone().enumerate() {
        let pivot =
            (step..count).reduce(|a, b| if rows[b][column].abs() > rows[a][column].abs() { b } else { a })?;
        rows.swap(step, pivot);
        if rows[step][column] == 0.0 {
            return None;
        }
        for below in step + 1..count {
            let factor = rows[below][column] / rows[step][column];
            let pivot = rows[step];
            for (entry, above) in rows[below].iter_mut().zip(pivot) {
                *entry -= factor * above;
            }
        }
    }
    let mut step = count;
    for column in columns.clone().rev() {
        step -= 1;
        let later = columns.clone().filter(|other| *other > column);
        let known: f64 = later.map(|other| rows[step][other] * unknowns[other]).sum();
        unknowns[column] = (rows[step][SHARES] - known) / rows[step][column];
    }
    Some(())
}

/// The least value of a linear function.
pub(super) fn least(values: &[f64; 4], corners: usize) -> f64 {
    values[..corners].iter().copied().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One falls from 4 to 0, the other rises from 0 to 4: the higher is nowhere below 2.
    #[test]
    fn where_two_lines_cross_the_higher_is_above_both_their_ends() {
        let mixture = below_the_higher(&[4.0, 0.0, 0.0, 0.0], &[0.0, 4.0, 0.0, 0.0], 2);
        assert_eq!(mixture[..2], [2.0, 2.0]);
        assert_eq!(below_the_higher(&[1.0, 2.0, 0.0, 0.0], &[3.0, 4.0, 0.0, 0.0], 2)[..2], [3.0, 4.0]);
        assert_eq!(below_the_higher(&[5.0, 6.0, 0.0, 0.0], &[3.0, 4.0, 0.0, 0.0], 2)[..2], [5.0, 6.0]);
    }

    /// Against every share tried on a lattice; and no place where the limits are kept has a lower value.
    #[test]
    fn of_all_mixtures_the_best_is_found() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let mut several = 0;
        for _ in 0..300 {
            let (mut values, mut limits) = (Several::default(), Several::default());
            let [a, b, c, d]: [[f64; 4]; 4] = std::array::from_fn(|_| std::array::from_fn(|_| random()));
            for (value, limit) in [(a, c), (b, d)] {
                values.take(value, 4);
                limits.take(limit, 4);
            }
            let found = least_of_the_higher_within(&values, &limits, 4);
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
            for _ in 0..200 {
                let mut weights: [f64; 4] = std::array::from_fn(|_| random().abs());
                let sum: f64 = weights.iter().sum();
                weights.iter_mut().for_each(|weight| *weight /= sum);
                let at = |list: &[f64; 4]| list.iter().zip(weights).map(|(x, w)| x * w).sum::<f64>();
                if at(&c) <= 0.0 && at(&d) <= 0.0 {
                    several += 1;
                    assert!(at(&a).max(at(&b)) >= found - 1e-12);
                }
            }
        }
        assert!(several > 3000, "{several}");
    }

    /// The value falls along the edge from 0 to -4; the constraint holds on its first quarter.
    #[test]
    fn a_constraint_that_cuts_the_edge_leaves_what_is_before_the_cut() {
        let found = |a: [f64; 2], b: [f64; 2]| {
            let bound = below_where_not_positive(&[a[0], a[1], 0.0, 0.0], &[b[0], b[1], 0.0, 0.0], 2);
            bound.map(|bound| least(&bound, 2))
        };
        assert_eq!(found([0.0, -4.0], [-1.0, 3.0]), Some(-1.0));
        assert_eq!(found([0.0, -4.0], [-3.0, -1.0]), Some(-4.0));
        assert_eq!(found([0.0, -4.0], [3.0, 1.0]), None);
        assert_eq!(found([2.0, 1.0], [0.0, 0.0]), Some(1.0));
    }
}
