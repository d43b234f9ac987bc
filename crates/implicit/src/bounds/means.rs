//! Means of the values at the corners of a box.
//!
//! A trilinear function is a mean of its values at the corners, with weights that depend on the place; a linear one has the
//! same weights. So where one of them is not positive the other is no lower than the least mean for which that of the first
//! is not positive, and such a mean has at most two corners.

use palpate_math::Point;

/// Bounds the rounding error of a mean of two values, relative to their size.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A mean of two corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LeastMean {
    /// The mean of the values, less rounding.
    pub(crate) lower: f64,
    /// The corners, and the weight of the second.
    between: [usize; 2],
    share: f64,
}

impl LeastMean {
    /// Returns the point between the corners.
    pub(crate) fn place(&self, corners: &[Point; 8]) -> Point {
        let [one, other] = self.between.map(|corner| &corners[corner]);
        one + (other - one) * self.share
    }
}

/// Returns the least of all means of the values whose weights make the mean of the limits not positive; `None` if all limits are
/// positive.
pub(crate) fn least_within(values: &[f64; 8], limits: &[f64; 8]) -> Option<LeastMean> {
    let mut least: Option<LeastMean> = None;
    let mut take = |lower: f64, between: [usize; 2], share: f64| {
        if least.is_none_or(|least| lower < least.lower) {
            least = Some(LeastMean { lower, between, share });
        }
    };
    let within = |corner: &usize| limits[*corner] <= 0.0;
    let mut lowest = f64::INFINITY;
    for corner in (0..8).filter(within) {
        lowest = values[corner].min(lowest);
        take(values[corner], [corner; 2], 0.0);
    }
    // No mean is below both of its values.
    for beyond in (0..8).filter(|corner| !within(corner) && values[*corner] < lowest) {
        for within in (0..8).filter(within) {
            let share = -limits[within] / (limits[beyond] - limits[within]);
            take(values[within] + share * (values[beyond] - values[within]), [within, beyond], share);
        }
    }
    let rounding = ROUNDING * values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    least.map(|least| LeastMean { lower: least.lower - rounding, ..least })
}

/// Returns the values of a linear function at the corners of a box, x varying fastest, given that at the first and its rises along
/// the edges.
#[inline]
pub(crate) fn linear(first: f64, [x, y, z]: [f64; 3]) -> [f64; 8] {
    let (second, third) = (first + x, first + y);
    let fourth = second + y;
    [first, second, third, fourth, first + z, second + z, third + z, fourth + z]
}

/// Returns the least of numbers that are not NaN.
#[inline]
pub(crate) fn least_of(values: &[f64; 8]) -> f64 {
    values.iter().fold(f64::INFINITY, |least, value| if *value < least { *value } else { least })
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::Aabb;

    /// Against means of three corners, of which none is lower.
    #[test]
    fn no_mean_of_several_corners_is_lower() {
        let mut state = 29_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let corners = Aabb { min: Point::new(-1.0, 0.0, 2.0), max: Point::new(1.0, 3.0, 5.0) }.corners();
        let (mut close, mut feasible) = (0, 0);
        for _ in 0..300 {
            let values: [f64; 8] = std::array::from_fn(|_| random());
            let limits: [f64; 8] = std::array::from_fn(|_| random() + 0.4);
            let found = least_within(&values, &limits);
            let least = found.map_or(f64::INFINITY, |found| found.lower);
            if let Some(found) = found {
                let [one, other] = found.between;
                let mean = |list: &[f64; 8]| list[one] + found.share * (list[other] - list[one]);
                assert!(mean(&limits) < 1e-12 && (mean(&values) - least).abs() < 1e-12);
                let place = found.place(&corners);
                assert!((place - corners[one]).cross(&(corners[other] - corners[one])).norm() < 1e-12);
            }
            let mut tried = f64::INFINITY;
            for (i, j, k) in (0..8).flat_map(|i| (0..8).flat_map(move |j| (0..8).map(move |k| (i, j, k)))) {
                for (s, t) in (0..=20).flat_map(|s| (0..=20 - s).map(move |t| (s, t))) {
                    let [s, t] = [s, t].map(|n| f64::from(n) / 20.0);
                    let mean = |list: &[f64; 8]| list[i] * (1.0 - s - t) + list[j] * s + list[k] * t;
                    if mean(&limits) <= 0.0 {
                        feasible += 1;
                        tried = tried.min(mean(&values));
                    }
                }
            }
            assert!(least <= tried + 1e-12, "{least} {tried}");
            close += usize::from(tried < least + 0.05);
        }
        assert!(feasible > 100_000 && close > 200, "{feasible} {close}");
        assert_eq!(least_within(&[1.0; 8], &[0.5; 8]), None);
    }
}
