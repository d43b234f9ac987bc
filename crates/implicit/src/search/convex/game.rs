//! Game of tangents against places.
//!
//! One player mixes places to make the highest of several linear functions low, the other mixes the functions to make the
//! mixture high at the lowest of the places. Both get the same value (von Neumann 1928), by the simplex method.

/// Iteration limit.
const MOST_PIVOTS: usize = 60;

/// A number of a normalized row smaller than this is rounding error.
const ROUNDING: f64 = 1e-13;

/// How both players mix; numbers add up to one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mixtures<const FUNCTIONS: usize, const PLACES: usize> {
    pub(super) of_functions: [f64; FUNCTIONS],
    pub(super) of_places: [f64; PLACES],
}

/// Solves the game of `rows` functions, each with its values at `columns` places. `None` if rounding error prevents it.
pub(super) fn solve<const ROWS: usize, const COLUMNS: usize>(
    values: &[[f64; COLUMNS]; ROWS],
    rows: usize,
    columns: usize,
) -> Option<Mixtures<ROWS, COLUMNS>> {
    let all = || values[..rows].iter().flat_map(|row| &row[..columns]);
    let least = all().copied().fold(f64::INFINITY, f64::min);
    let span = all().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    if !span.is_finite() {
        return None;
    }
    // With all values between one and two: maximize the sum of y where no row of values times y is above one.
    let mut table = Table {
        rows,
        columns,
        values: [[0.0; COLUMNS]; ROWS],
        last_column: [1.0; ROWS],
        last_row: [-1.0; COLUMNS],
        in_row: std::array::from_fn(|row| columns + row),
        in_column: std::array::from_fn(|column| column),
    };
    for (to, from) in table.values[..rows].iter_mut().zip(values) {
        for (to, from) in to[..columns].iter_mut().zip(from) {
            let above = from - least;
            *to = 1.0 + if span > 0.0 { above / span } else { 0.0 };
        }
    }
    for _ in 0..MOST_PIVOTS {
        let last_row = &table.last_row;
        let entering = (0..columns).reduce(|a, b| if last_row[b] < last_row[a] { b } else { a })?;
        if last_row[entering] >= -ROUNDING {
            return table.mixtures();
        }
        let candidates = (0..rows).filter(|&row| table.values[row][entering] > ROUNDING);
        let room = |row: usize| table.last_column[row] / table.values[row][entering];
        let leaving = candidates.reduce(|a, b| if room(b) < room(a) { b } else { a })?;
        table.pivot(leaving, entering);
    }
    None
}

/// The table of the simplex method.
struct Table<const ROWS: usize, const COLUMNS: usize> {
    rows: usize,
    columns: usize,
    values: [[f64; COLUMNS]; ROWS],
    last_column: [f64; ROWS],
    last_row: [f64; COLUMNS],
    /// The unknowns, those of the columns first.
    in_row: [usize; ROWS],
    in_column: [usize; COLUMNS],
}

impl<const ROWS: usize, const COLUMNS: usize> Table<ROWS, COLUMNS> {
    /// Pivots: the variable of the leaving row and that of the entering column change places.
    fn pivot(&mut self, leaving: usize, entering: usize) {
        let inverse = 1.0 / self.values[leaving][entering];
        for number in &mut self.values[leaving][..self.columns] {
            *number *= inverse;
        }
        self.last_column[leaving] *= inverse;
        self.values[leaving][entering] = inverse;
        let (pivots, last) = (self.values[leaving], self.last_column[leaving]);
        let columns = self.columns;
        let subtract = |numbers: &mut [f64; COLUMNS]| {
            let factor = numbers[entering];
            if factor != 0.0 {
                for (number, pivot) in numbers[..columns].iter_mut().zip(&pivots) {
                    *number -= factor * pivot;
                }
                numbers[entering] = -factor * inverse;
            }
            factor
        };
        for row in (0..self.rows).filter(|&row| row != leaving) {
            let factor = subtract(&mut self.values[row]);
            if factor != 0.0 {
                self.last_column[row] -= factor * last;
            }
        }
        subtract(&mut self.last_row);
        std::mem::swap(&mut self.in_row[leaving], &mut self.in_column[entering]);
    }

    fn mixtures(&self) -> Option<Mixtures<ROWS, COLUMNS>> {
        let mut mixed = Mixtures { of_functions: [0.0; ROWS], of_places: [0.0; COLUMNS] };
        for row in 0..self.rows {
            if self.in_row[row] < self.columns {
                mixed.of_places[self.in_row[row]] = self.last_column[row].max(0.0);
            }
        }
        for column in 0..self.columns {
            if self.in_column[column] >= self.columns {
                mixed.of_functions[self.in_column[column] - self.columns] = self.last_row[column].max(0.0);
            }
        }
        let parts = [&mut mixed.of_functions[..], &mut mixed.of_places[..]];
        for numbers in parts {
            let sum: f64 = numbers.iter().sum();
            if sum.is_nan() || sum <= 0.0 {
                return None;
            }
            numbers.iter_mut().for_each(|number| *number /= sum);
        }
        Some(mixed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The most functions, and the most places.
    const MOST: usize = 10;

    /// Against each other's best answer neither can do better.
    #[test]
    fn both_mixtures_have_the_same_value() {
        let mut state = 3_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        for case in 0..2000 {
            let (rows, columns) = (1 + case % MOST, 1 + case / MOST % MOST);
            let mut values = [[0.0; MOST]; MOST];
            for row in &mut values[..rows] {
                row[..columns].fill_with(&mut random);
            }
            let mixed = solve(&values, rows, columns).unwrap();
            let at = |column: usize| (0..rows).map(|row| mixed.of_functions[row] * values[row][column]).sum();
            let of =
                |row: usize| (0..columns).map(|column| mixed.of_places[column] * values[row][column]).sum();
            let lowest: f64 = (0..columns).map(at).fold(f64::INFINITY, f64::min);
            let highest: f64 = (0..rows).map(of).fold(f64::NEG_INFINITY, f64::max);
            assert!((highest - lowest).abs() < 1e-13, "{case}: {lowest} {highest}");
        }
    }

    #[test]
    fn what_is_everywhere_the_same_has_any_mixture() {
        let mixed = solve(&[[0.5; MOST]; MOST], 3, 4).unwrap();
        assert_eq!(mixed.of_functions.iter().sum::<f64>(), 1.0);
    }
}
