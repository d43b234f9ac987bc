//! Game of tangents against places.
//!
//! One player mixes places to make the highest of several linear functions low, the other mixes the functions to make the
//! mixture high at the lowest of the places. Both get the same value (von Neumann 1928), by the simplex method.

/// The most functions, and the most places.
pub(super) const MOST: usize = 10;

/// Iteration limit.
const MOST_PIVOTS: usize = 60;

/// A number of a normalized row smaller than this is rounding error.
const ROUNDING: f64 = 1e-13;

/// How both players mix; numbers add up to one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mixtures {
    pub(super) of_functions: [f64; MOST],
    pub(super) of_places: [f64; MOST],
}

/// Solves the game of `rows` functions, each with its values at `columns` places. `None` if rounding error prevents it.
pub(super) fn solve(values: &[[f64; MOST]; MOST], rows: usize, columns: usize) -> Option<Mixtures> {
    let all = || values[..rows].iter().flat_map(|row| &row[..columns]);
    let least = all().copied().fold(f64::INFINITY, f64::min);
    let span = all().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    if !span.is_finite() {
        return None;
    }
    // With all values between one and two: maximize the sum of y where no row of values times y is above one.
    let mut table = [[0.0; MOST + 1]; MOST + 1];
    let (mut in_row, mut in_column) = ([0; MOST], [0; MOST]);
    for row in 0..rows {
        for column in 0..columns {
            let above = values[row][column] - least;
            table[row][column] = 1.0 + if span > 0.0 { above / span } else { 0.0 };
        }
        table[row][columns] = 1.0;
        in_row[row] = columns + row;
    }
    for column in 0..columns {
        table[rows][column] = -1.0;
        in_column[column] = column;
    }
    for _ in 0..MOST_PIVOTS {
        let entering = (0..columns).reduce(|a, b| if table[rows][b] < table[rows][a] { b } else { a })?;
        if table[rows][entering] >= -ROUNDING {
            return mixtures(&table, rows, columns, &in_row, &in_column);
        }
        let candidates = (0..rows).filter(|&row| table[row][entering] > ROUNDING);
        let room = |row: usize| table[row][columns] / table[row][entering];
        let leaving = candidates.reduce(|a, b| if room(b) < room(a) { b } else { a })?;
        pivot(&mut table, rows, columns, leaving, entering);
        std::mem::swap(&mut in_row[leaving], &mut in_column[entering]);
    }
    None
}

/// Exchanges the unknown of a row and that of a column.
fn pivot(
    table: &mut [[f64; MOST + 1]; MOST + 1],
    rows: usize,
    columns: usize,
    leaving: usize,
    entering: usize,
) {
    let inverse = 1.0 / table[leaving][entering];
    for number in &mut table[leaving][..=columns] {
        *number *= inverse;
    }
    table[leaving][entering] = inverse;
    let pivots = table[leaving];
    for row in (0..=rows).filter(|&row| row != leaving) {
        let factor = table[row][entering];
        if factor != 0.0 {
            for (number, pivot) in table[row][..=columns].iter_mut().zip(&pivots) {
                *number -= factor * pivot;
            }
            table[row][entering] = -factor * inverse;
        }
    }
}

fn mixtures(
    table: &[[f64; MOST + 1]; MOST + 1],
    rows: usize,
    columns: usize,
    in_row: &[usize; MOST],
    in_column: &[usize; MOST],
) -> Option<Mixtures> {
    let mut mixed = Mixtures { of_functions: [0.0; MOST], of_places: [0.0; MOST] };
    for row in 0..rows {
        if in_row[row] < columns {
            mixed.of_places[in_row[row]] = table[row][columns].max(0.0);
        }
    }
    for column in 0..columns {
        if in_column[column] >= columns {
            mixed.of_functions[in_column[column] - columns] = table[rows][column].max(0.0);
        }
    }
    for numbers in [&mut mixed.of_functions, &mut mixed.of_places] {
        let sum: f64 = numbers.iter().sum();
        if sum.is_nan() || sum <= 0.0 {
            return None;
        }
        numbers.iter_mut().for_each(|number| *number /= sum);
    }
    Some(mixed)
}

#[cfg(test)]
mod tests {
    use super::*;

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
