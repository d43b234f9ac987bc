//! The least value of the highest of several linear functions in the unit cube, where other linear functions are not positive.
//!
//! The simplex method on the dual problem, which has four rows (Chvatal, "Linear Programming", 1983). Rounding errors of the
//! pivots cannot invalidate the bound: it is computed anew from the multipliers alone, by weak duality.

/// A linear function in the unit cube: the value at the low corner, and the slopes.
pub(super) type Linear = [f64; 4];

/// The most values and limits together.
pub(super) const MOST: usize = 48;

/// Columns: the multipliers but one, a variable of every axis, and the constant.
const COLUMNS: usize = MOST + 3;

/// The numbers of variables: the multipliers, those of the high sides of the cube, and the slacks of the axes.
const VARIABLES: usize = MOST + 6;

/// Rows: an axis each, the share of the first value, and the objective.
const ROWS: usize = 5;
const OF_FIRST: usize = 3;
const OBJECTIVE: usize = 4;

/// Iteration limit: four to eight pivots are typical, and ties could cycle.
const MOST_PIVOTS: usize = 40;

/// Upper bound of the rounding error of a sum of products, relative to their magnitudes.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// What a linear program has found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LeastInBox {
    /// No place satisfies all limits.
    Nowhere,
    /// A lower bound of the least value, and about where it is.
    Least { lower: f64, place: [f64; 3] },
}

/// Linear functions in the unit cube, not much larger than one. There is at least one value.
pub(super) struct BoxProgram<'a> {
    pub(super) values: &'a [Linear],
    pub(super) limits: &'a [Linear],
}

/// A sum of linear functions, with the magnitude of its terms.
#[derive(Default)]
struct Sum {
    linear: Linear,
    magnitude: f64,
}

impl Sum {
    fn add(&mut self, share: f64, linear: &Linear) {
        for (sum, entry) in self.linear.iter_mut().zip(linear) {
            *sum += share * entry;
            self.magnitude += (share * entry).abs();
        }
    }

    /// Returns the least value in the cube, less its rounding error.
    fn least(&self) -> f64 {
        least_in_cube(&self.linear) - ROUNDING * self.magnitude
    }
}

fn least_in_cube([low, x, y, z]: &Linear) -> f64 {
    low + x.min(0.0) + y.min(0.0) + z.min(0.0)
}

/// Every row is a basic variable as a linear function of the free ones, which are zero.
struct Tableau {
    rows: [[f64; COLUMNS]; ROWS],
    /// The variable of every row and column.
    basic: [usize; ROWS - 1],
    free: [usize; COLUMNS],
    /// The number of columns before the constant.
    width: usize,
}

impl BoxProgram<'_> {
    /// Returns the least value.
    pub(super) fn least(&self) -> LeastInBox {
        let higher = |a: (f64, usize), b: (f64, usize)| if b.0 > a.0 { b } else { a };
        let first =
            self.values.iter().map(least_in_cube).zip(0..).reduce(higher).map_or(0, |(_, first)| first);
        let mut tableau = self.tableau(first);
        for _ in 0..MOST_PIVOTS {
            let Some(column) = tableau.entering() else { break };
            let Some(row) = tableau.leaving(column) else {
                if self.lifts(&tableau, column) {
                    return LeastInBox::Nowhere;
                }
                break;
            };
            tableau.pivot(row, column);
        }
        LeastInBox::Least { lower: self.bound(first, &tableau.shares()), place: tableau.place() }
    }

    /// Returns the values and limits but the first value, with their numbers, and whether they are values.
    fn others(&self, first: usize) -> impl Iterator<Item = (usize, &Linear, bool)> {
        let all = self.values.iter().chain(self.limits).enumerate();
        let all = all.map(|(number, linear)| (number, linear, number < self.values.len()));
        all.filter(move |(number, ..)| *number != first)
    }

    /// Begins with the first value alone.
    fn tableau(&self, first: usize) -> Tableau {
        let (count, of_first) = (self.values.len() + self.limits.len(), &self.values[first]);
        let mut tableau = Tableau {
            rows: [[0.0; COLUMNS]; ROWS],
            basic: [first; ROWS - 1],
            free: [0; COLUMNS],
            width: count + 2,
        };
        for (column, (number, linear, is_value)) in self.others(first).enumerate() {
            let base = if is_value { of_first } else { &[0.0; 4] };
            for axis in 0..3 {
                tableau.rows[axis][column] = linear[axis + 1] - base[axis + 1];
            }
            tableau.rows[OF_FIRST][column] = if is_value { -1.0 } else { 0.0 };
            tableau.rows[OBJECTIVE][column] = linear[0] - base[0];
            tableau.free[column] = number;
        }
        let constant = tableau.width;
        tableau.rows[OF_FIRST][constant] = 1.0;
        tableau.rows[OBJECTIVE][constant] = of_first[0];
        for axis in 0..3 {
            tableau.add_axis(axis, count - 1 + axis, of_first[axis + 1]);
        }
        tableau
    }

    /// Whether growing a multiplier, with those that depend on it, raises the sum without end wherever the limits hold.
    fn lifts(&self, tableau: &Tableau, column: usize) -> bool {
        let mut ray = [0.0; VARIABLES];
        ray[tableau.free[column]] = 1.0;
        for (row, number) in tableau.basic.iter().enumerate() {
            ray[*number] = tableau.rows[row][column];
        }
        let mut sum = Sum::default();
        for (limit, share) in self.limits.iter().zip(&ray[self.values.len()..]) {
            sum.add(share.max(0.0), limit);
        }
        sum.least() > 0.0
    }

    /// Returns the least value of the mixture with these multipliers.
    fn bound(&self, first: usize, shares: &[f64; VARIABLES]) -> f64 {
        let of_values: f64 =
            self.others(first).filter(|(_, _, is_value)| *is_value).map(|(number, ..)| shares[number]).sum();
        // Rounding may have made them more than one.
        let scale = of_values.max(1.0).recip();
        let mut sum = Sum::default();
        sum.add((1.0 - of_values * scale).max(0.0), &self.values[first]);
        for (number, linear, is_value) in self.others(first).filter(|(number, ..)| shares[*number] > 0.0) {
            sum.add(if is_value { shares[number] * scale } else { shares[number] }, linear);
        }
        sum.least()
    }
}

impl Tableau {
    /// Adds the variables of an axis, given the slope of the first value: the multiplier of the high side, or where that is needed
    /// from the beginning the slack.
    fn add_axis(&mut self, axis: usize, column: usize, slope: f64) {
        let constant = self.width;
        let [side, slack] = [self.width - 2 + axis, self.width + 1 + axis];
        self.rows[axis][column] = 1.0;
        self.rows[axis][constant] = slope;
        if slope >= 0.0 {
            (self.basic[axis], self.free[column]) = (slack, side);
            self.rows[OBJECTIVE][column] = -1.0;
            return;
        }
        (self.basic[axis], self.free[column]) = (side, slack);
        self.rows[axis][..=constant].iter_mut().for_each(|entry| *entry = -*entry);
        self.rows[axis][column] = 1.0;
        let row = self.rows[axis];
        for (entry, change) in self.rows[OBJECTIVE][..=constant].iter_mut().zip(row) {
            *entry -= change;
        }
    }

    /// Returns the column with the greatest increase of the objective.
    fn entering(&self) -> Option<usize> {
        let mut best = (ROUNDING, None);
        for (column, increase) in self.rows[OBJECTIVE][..self.width].iter().enumerate() {
            if *increase > best.0 {
                best = (*increase, Some(column));
            }
        }
        best.1
    }

    /// Returns the row that first becomes zero as a column increases.
    fn leaving(&self, column: usize) -> Option<usize> {
        let falling = (0..OBJECTIVE).filter(|&row| self.rows[row][column] < 0.0);
        let room = |row: usize| self.rows[row][self.width].max(0.0) / -self.rows[row][column];
        falling.reduce(|a, b| if room(b) < room(a) { b } else { a })
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let width = self.width + 1;
        let by = -1.0 / self.rows[row][column];
        let mut solved = self.rows[row];
        solved[..width].iter_mut().for_each(|entry| *entry *= by);
        solved[column] = -by;
        for (index, other) in self.rows.iter_mut().enumerate() {
            let factor = other[column];
            if index == row || factor == 0.0 {
                continue;
            }
            other[column] = 0.0;
            for (entry, solved) in other[..width].iter_mut().zip(&solved[..width]) {
                *entry += factor * solved;
            }
        }
        self.rows[row] = solved;
        std::mem::swap(&mut self.basic[row], &mut self.free[column]);
    }

    fn shares(&self) -> [f64; VARIABLES] {
        let mut shares = [0.0; VARIABLES];
        for (row, number) in self.basic.iter().enumerate() {
            let share = self.rows[row][self.width];
            shares[*number] = if share.is_finite() { share.max(0.0) } else { 0.0 };
        }
        shares
    }

    /// Returns the place: how fast the objective falls with the slack of every axis.
    fn place(&self) -> [f64; 3] {
        let mut place = [0.0; 3];
        for (column, number) in self.free[..self.width].iter().enumerate() {
            if let Some(share) = number.checked_sub(self.width + 1).and_then(|axis| place.get_mut(axis)) {
                *share = (-self.rows[OBJECTIVE][column]).clamp(0.0, 1.0);
            }
        }
        place
    }
}

/// Returns the box around the part of the unit cube where limits hold, by its low and its high corner; `None` if that is empty.
pub(super) fn reduced(limits: &[Linear]) -> Option<([f64; 3], [f64; 3])> {
    let (mut low, mut high) = ([0.0; 3], [1.0; 3]);
    for axis in 0..3 {
        let least = |sign: f64| {
            let mut along = [0.0; 4];
            along[axis + 1] = sign;
            match (BoxProgram { values: &[along], limits }).least() {
                LeastInBox::Nowhere => None,
                LeastInBox::Least { lower, .. } => Some(lower),
            }
        };
        low[axis] = least(1.0)?.max(0.0);
        high[axis] = (-least(-1.0)?).min(1.0);
        if low[axis] > high[axis] {
            return None;
        }
    }
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::super::convex::random_cases::Random;
    use super::*;
    use nalgebra::{Matrix4, Vector4};

    fn linear(random: &mut Random) -> Linear {
        std::array::from_fn(|_| random.next())
    }

    fn at(linear: &Linear, place: &[f64; 3]) -> f64 {
        linear[0] + (0..3).map(|k| linear[k + 1] * place[k]).sum::<f64>()
    }

    /// The least value at the corners of the polytope, where four of its planes meet in space and value.
    fn slowly(values: &[Linear], limits: &[Linear]) -> Option<f64> {
        let mut planes: Vec<[f64; 5]> = Vec::new();
        planes.extend(values.iter().map(|v| [v[1], v[2], v[3], -1.0, -v[0]]));
        planes.extend(limits.iter().map(|v| [v[1], v[2], v[3], 0.0, -v[0]]));
        for axis in 0..3 {
            for end in [0.0, 1.0] {
                let mut plane = [0.0, 0.0, 0.0, 0.0, end];
                plane[axis] = 1.0;
                planes.push(plane);
            }
        }
        let mut best: Option<f64> = None;
        let fours = (0..planes.len()).flat_map(|a| {
            (0..a).flat_map(move |b| (0..b).flat_map(move |c| (0..c).map(move |d| [a, b, c, d])))
        });
        for four in fours {
            let rows = four.map(|k| planes[k]);
            let matrix = Matrix4::from_fn(|i, j| rows[i][j]);
            let Some(found) = matrix.lu().solve(&Vector4::from_fn(|i, _| rows[i][4])) else { continue };
            let place = [found.x, found.y, found.z];
            let fits = place.iter().all(|share| (-1e-9..=1.0 + 1e-9).contains(share))
                && limits.iter().all(|limit| at(limit, &place) <= 1e-9)
                && values.iter().all(|value| at(value, &place) <= found.w + 1e-9);
            if fits && found.w.is_finite() {
                best = Some(best.map_or(found.w, |best| best.min(found.w)));
            }
        }
        best
    }

    #[test]
    fn the_least_is_that_of_all_corners() {
        let mut random = Random(3);
        let (mut nowhere, mut found) = (0, 0);
        for case in 0..600 {
            let values: Vec<Linear> = (0..1 + case % 4).map(|_| linear(&mut random)).collect();
            let limits: Vec<Linear> = (0..case / 4 % 5).map(|_| linear(&mut random)).collect();
            let least = BoxProgram { values: &values, limits: &limits }.least();
            match (least, slowly(&values, &limits)) {
                (LeastInBox::Nowhere, None) => nowhere += 1,
                // Multipliers without end are no less of a proof.
                (LeastInBox::Least { lower, .. }, None) if lower > 1e6 => nowhere += 1,
                (LeastInBox::Least { lower, place }, Some(wanted)) => {
                    found += 1;
                    assert!(
                        (lower - wanted).abs() < 1e-7 && lower <= wanted + 1e-12,
                        "{case}: {lower} {wanted}"
                    );
                    let value =
                        values.iter().map(|value| at(value, &place)).fold(f64::NEG_INFINITY, f64::max);
                    assert!((value - wanted).abs() < 1e-7, "{case}: {place:?} {value} {wanted}");
                    assert!(limits.iter().all(|limit| at(limit, &place) < 1e-9), "{case}");
                }
                other => panic!("{case}: {other:?}"),
            }
        }
        assert!(nowhere > 100 && found > 300, "{nowhere} {found}");
    }

    #[test]
    fn a_box_is_reduced_to_what_the_limits_leave() {
        // x + y <= 0.5 and x >= 0.25.
        let limits = [[-0.5, 1.0, 1.0, 0.0], [0.25, -1.0, 0.0, 0.0]];
        let (low, high) = reduced(&limits).unwrap();
        let near = |a: [f64; 3], b: [f64; 3]| (0..3).all(|k| (a[k] - b[k]).abs() < 1e-12);
        assert!(near(low, [0.25, 0.0, 0.0]) && near(high, [0.5, 0.25, 1.0]), "{low:?} {high:?}");
        assert!(reduced(&[[0.1, 1.0, 0.0, 0.0]]).is_none());
    }
}
