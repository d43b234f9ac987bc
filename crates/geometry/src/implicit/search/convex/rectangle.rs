//! Rectangle of shares of two blends, with the minimum of a bound over it.

/// The minimum relative distance of a division from the ends of a rectangle.
const ASIDE: f64 = 0.05;

/// A rectangle of shares with the bounds of `h` at its corners; the second share varies fastest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rectangle {
    pub(super) low: [f64; 2],
    pub(super) high: [f64; 2],
    pub(super) bounds: [f64; 4],
    /// Where the bound is least.
    pub(super) at: [f64; 2],
    pub(super) lower: f64,
}

impl Rectangle {
    /// Creates the rectangle, given how much each share lowers the total: `curves[k] x (1 - x)`.
    pub(super) fn new(low: [f64; 2], high: [f64; 2], bounds: [f64; 4], curves: [f64; 2]) -> Self {
        let width = [0, 1].map(|k| high[k] - low[k]);
        let bend = [0, 1].map(|k| curves[k] * width[k] * width[k]);
        let lowered = |k: usize, at: f64| curves[k] * at * (1.0 - at);
        let ends = [0, 1].map(|k| [lowered(k, low[k]), lowered(k, high[k])]);
        // The total at the corners; between them it is their bilinear mean and a parabola along each share.
        let total: [f64; 4] = std::array::from_fn(|k| bounds[k] - ends[0][k >> 1] - ends[1][k & 1]);
        let mut best = ([0.0, 0.0], f64::INFINITY);
        let mut take = |at: [f64; 2], value: f64| {
            if value < best.1 {
                best = (at, value);
            }
        };
        for side in 0..2 {
            let (at, value) = least_of_quadratic([total[2 * side], total[2 * side + 1]], bend[1]);
            take([side as f64, at], value);
            let (at, value) = least_of_quadratic([total[side], total[2 + side]], bend[0]);
            take([at, side as f64], value);
        }
        // Inside, where both slopes vanish.
        let [slope_s, slope_t] = [total[2] - total[0] - bend[0], total[1] - total[0] - bend[1]];
        let mixed = total[3] - total[2] - total[1] + total[0];
        let determinant = 4.0 * bend[0] * bend[1] - mixed * mixed;
        if determinant > 0.0 {
            let s = (mixed * slope_t - 2.0 * bend[1] * slope_s) / determinant;
            let t = (mixed * slope_s - 2.0 * bend[0] * slope_t) / determinant;
            if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
                let value =
                    total[0] + s * (slope_s + bend[0] * s) + t * (slope_t + bend[1] * t) + mixed * s * t;
                take([s, t], value);
            }
        }
        let at = [0, 1].map(|k| low[k] + width[k] * best.0[k]);
        Self { low, high, bounds, at, lower: best.1 }
    }

    /// Returns which share to divide, and where; `None` if the bound is attained at a corner.
    pub(super) fn division(&self, curves: [f64; 2]) -> Option<(usize, f64)> {
        let room = [0, 1].map(|k| {
            let width = self.high[k] - self.low[k];
            let part = if width > 0.0 { (self.at[k] - self.low[k]) / width } else { 0.0 };
            curves[k] * width * width * part * (1.0 - part)
        });
        let along = usize::from(room[1] > room[0]);
        let aside = ASIDE * (self.high[along] - self.low[along]);
        (room[along] > 0.0)
            .then(|| (along, self.at[along].clamp(self.low[along] + aside, self.high[along] - aside)))
    }
}

/// Returns where, from zero to one, and how low a quadratic function with these values at both ends is; `bend` is how much its
/// second coefficient is, not negative.
pub(super) fn least_of_quadratic([low, high]: [f64; 2], bend: f64) -> (f64, f64) {
    let slope = high - low - bend;
    let at = if slope >= 0.0 {
        0.0
    } else if slope <= -2.0 * bend {
        1.0
    } else {
        -0.5 * slope / bend
    };
    (at, low + at * (slope + bend * at))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a dense lattice of shares: no value is lower, and the lowest is close.
    #[test]
    fn no_share_is_below_the_bound() {
        let mut state = 29_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 24)
        };
        let mut inside = 0;
        for case in 0..2000 {
            let (low, size) = ([random() * 0.5, random() * 0.5], [random() * 0.5, random() * 0.5]);
            let high = [low[0] + size[0], low[1] + size[1]];
            let bounds = std::array::from_fn(|_| 0.2 * random());
            let curves = [3.0 * random(), if case % 4 == 0 { 0.0 } else { 3.0 * random() }];
            let whole = Rectangle::new(low, high, bounds, curves);
            let at = |s: f64, t: f64| {
                let mean = |t: f64, a: f64, b: f64| a + t * (b - a);
                let (x, y) = (low[0] + s * size[0], low[1] + t * size[1]);
                mean(s, mean(t, bounds[0], bounds[1]), mean(t, bounds[2], bounds[3]))
                    - curves[0] * x * (1.0 - x)
                    - curves[1] * y * (1.0 - y)
            };
            let lattice = (0..=40).flat_map(|i| (0..=40).map(move |j| [i, j].map(|k| f64::from(k) / 40.0)));
            let lowest = lattice.map(|[s, t]| at(s, t)).fold(f64::INFINITY, f64::min);
            assert!(
                whole.lower <= lowest + 1e-14 && whole.lower > lowest - 2e-3,
                "{case}: {lowest} {whole:?}"
            );
            let [s, t] = [0, 1].map(|k| (whole.at[k] - low[k]) / size[k]);
            assert!((at(s, t) - whole.lower).abs() < 1e-12, "{case}: {whole:?}");
            inside += usize::from([s, t].iter().all(|x| *x > 1e-3 && *x < 1.0 - 1e-3));
        }
        assert!(inside > 20, "{inside}");
    }
}
