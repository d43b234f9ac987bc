//! The least value of a grid along a segment beside the lattice's box.
//!
//! There the square of the value is the sum of the squared distance from the box and the squared value at the closest point
//! of the box: within a cell a polynomial of sixth degree. Its Bernstein coefficients bound it and show where it is convex
//! (G. Farin, "Curves and Surfaces for CAGD", 5th ed., 2002, chapter 5).

use super::cell::Cubic;

/// The most times that an interval is halved.
const MOST_HALVINGS: u32 = 50;

/// The most steps of Newton's method, each of which falls back to halving.
const MOST_STEPS: usize = 60;

/// Binomial coefficients of six.
const OF_SIX: [f64; 7] = [1.0, 6.0, 15.0, 20.0, 15.0, 6.0, 1.0];

/// The value along a segment from 0 to 1 beside the box.
#[derive(Clone, Debug)]
pub(super) struct Beside {
    /// The distances from the sides of the box along each axis, at the first end and their change; zero for an axis along
    /// which the segment is between the sides.
    pub(super) apart: [[f64; 2]; 3],
    /// The value at the closest point of the box.
    pub(super) on_side: Cubic,
}

impl Beside {
    /// Returns the value.
    pub(super) fn value(&self, s: f64) -> f64 {
        let on_side = self.on_side.at(s).max(0.0);
        (self.square_apart(s) + on_side * on_side).sqrt()
    }

    /// Returns the squared value, where that on the side is not negative.
    pub(super) fn square(&self, s: f64) -> f64 {
        let on_side = self.on_side.at(s);
        self.square_apart(s) + on_side * on_side
    }

    fn square_apart(&self, s: f64) -> f64 {
        self.apart.iter().map(|[from, way]| (from + s * way) * (from + s * way)).sum()
    }

    /// Returns half the derivative of the squared value and half the second derivative.
    fn slopes(&self, s: f64) -> [f64; 2] {
        let Cubic { linear, square, cubic, .. } = self.on_side;
        let value = self.on_side.at(s);
        let first = linear + s * (2.0 * square + s * 3.0 * cubic);
        let second = 2.0 * square + 6.0 * s * cubic;
        let of_apart = self.apart.iter().map(|[from, way]| (from + s * way) * way).sum::<f64>();
        let square_of_way = self.apart.iter().map(|[_, way]| way * way).sum::<f64>();
        [of_apart + value * first, square_of_way + first * first + value * second]
    }

    /// Returns the Bernstein coefficients of the squared value.
    fn coefficients(&self) -> [f64; 7] {
        let Cubic { constant: a, linear: b, square: c, cubic: d } = self.on_side;
        let mut power = [
            a * a,
            2.0 * a * b,
            2.0 * a * c + b * b,
            2.0 * (a * d + b * c),
            2.0 * b * d + c * c,
            2.0 * c * d,
            d * d,
        ];
        for [from, way] in self.apart {
            power[0] += from * from;
            power[1] += 2.0 * from * way;
            power[2] += way * way;
        }
        // Row i of Pascal's triangle, divided by the last, is a column of the change of basis.
        let mut sums = [0.0; 7];
        for (k, sum) in sums.iter_mut().enumerate() {
            let mut of_row = 1.0;
            for (i, power) in power.iter().enumerate().take(k + 1) {
                *sum += of_row / OF_SIX[i] * power;
                of_row *= (k - i) as f64 / (i + 1) as f64;
            }
        }
        sums
    }

    /// Calls `visit` with places between 0 and 1, among them the least if its squared value is less than what `visit` returned
    /// last, and the ends'.
    pub(super) fn for_each_low(&self, least: f64, mut visit: impl FnMut(f64) -> f64) {
        self.search(&self.coefficients(), [0.0, 1.0], MOST_HALVINGS, least, &mut visit);
    }

    /// Searches an interval, given its coefficients; returns the least squared value of all that were visited.
    fn search(
        &self,
        coefficients: &[f64; 7],
        [low, high]: [f64; 2],
        halvings: u32,
        least: f64,
        visit: &mut impl FnMut(f64) -> f64,
    ) -> f64 {
        if coefficients.iter().all(|coefficient| *coefficient >= least) {
            return least;
        }
        let bend = |k: usize| coefficients[k] - 2.0 * coefficients[k + 1] + coefficients[k + 2];
        if (0..5).all(|k| bend(k) <= 0.0) {
            return least;
        }
        let is_convex = (0..5).all(|k| bend(k) >= 0.0);
        if is_convex && (coefficients[1] >= coefficients[0] || coefficients[5] >= coefficients[6]) {
            let is_inside = coefficients[1] < coefficients[0] && coefficients[5] < coefficients[6];
            if !is_inside {
                return least;
            }
        }
        if is_convex || halvings == 0 {
            return visit(self.stationary(low, high)).min(least);
        }
        let (first, second) = halved(coefficients);
        let middle = 0.5 * (low + high);
        let least = visit(middle).min(least);
        let least = self.search(&first, [low, middle], halvings - 1, least, visit);
        self.search(&second, [middle, high], halvings - 1, least, visit)
    }

    /// Returns the place where the derivative is zero, or an end: Newton's method, within an interval that shrinks.
    fn stationary(&self, mut low: f64, mut high: f64) -> f64 {
        let mut place = 0.5 * (low + high);
        for _ in 0..MOST_STEPS {
            let [first, second] = self.slopes(place);
            if first > 0.0 {
                high = place;
            } else {
                low = place;
            }
            let newton = place - first / second;
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if next == place || first == 0.0 {
                break;
            }
            place = next;
        }
        place
    }
}

/// Returns the coefficients of both halves of the interval: de Casteljau's algorithm.
fn halved(coefficients: &[f64; 7]) -> ([f64; 7], [f64; 7]) {
    let (mut row, mut first, mut second) = (*coefficients, [0.0; 7], [0.0; 7]);
    for round in 0..7 {
        (first[round], second[6 - round]) = (row[0], row[6 - round]);
        for k in 0..6 - round {
            row[k] = 0.5 * (row[k] + row[k + 1]);
        }
    }
    (first, second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::random_grid::Random;

    /// Against samples of the interval.
    #[test]
    fn no_place_is_lower() {
        let mut random = Random(17);
        let (mut inside, mut divided) = (0, 0);
        for _ in 0..2000 {
            let mut number = |scale: f64| scale * random.number();
            let apart = [[number(1.0), number(2.0)], [number(0.5), number(1.0)], [0.0; 2]];
            let on_side =
                Cubic { constant: number(1.0), linear: number(3.0), square: number(3.0), cubic: number(3.0) };
            let beside = Beside { apart, on_side };
            let mut least = beside.square(0.0).min(beside.square(1.0));
            let (from_ends, mut visits) = (least, 0);
            beside.for_each_low(least, |s| {
                visits += 1;
                least = least.min(beside.square(s));
                least
            });
            inside += usize::from(least < from_ends);
            divided += usize::from(visits > 1);
            for step in 0..=500 {
                let square = beside.square(f64::from(step) / 500.0);
                assert!(square >= least - 1e-15 * 64.0, "{beside:?}: {square} < {least}");
            }
        }
        assert!(inside > 800 && divided > 300, "{inside} {divided}");
    }

    #[test]
    fn the_coefficients_are_those_of_the_polynomial() {
        let on_side = Cubic { constant: 0.5, linear: -1.0, square: 2.0, cubic: 0.25 };
        let beside = Beside { apart: [[0.5, 1.0], [0.0; 2], [-0.25, 0.5]], on_side };
        let coefficients = beside.coefficients();
        let (first, second) = halved(&coefficients);
        for step in 0..=8 {
            let s = f64::from(step) / 8.0;
            let value = |coefficients: &[f64; 7], s: f64| -> f64 {
                (0..7)
                    .map(|k| OF_SIX[k] * s.powi(k as i32) * (1.0 - s).powi(6 - k as i32) * coefficients[k])
                    .sum()
            };
            let wanted = beside.square(s);
            assert!((value(&coefficients, s) - wanted).abs() < 1e-14);
            let of_half = if s <= 0.5 { value(&first, 2.0 * s) } else { value(&second, 2.0 * s - 1.0) };
            assert!((of_half - wanted).abs() < 1e-14);
        }
    }
}
