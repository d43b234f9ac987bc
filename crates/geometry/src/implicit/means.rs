//! Means of the values at the corners of a box.
//!
//! A trilinear function is a mean of its values at the corners, with weights that depend on the place; a linear one has the
//! same weights. So where one of them is not positive the other is no lower than the least mean for which that of the first
//! is not positive, and such a mean has at most two corners.

/// Bounds the rounding error of a mean of two values, relative to their size.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Returns the least mean of the values for which that of the limits is not positive; infinity if there is none.
pub(super) fn least_within(values: &[f64; 8], limits: &[f64; 8]) -> f64 {
    let mut least = f64::INFINITY;
    for (value, limit) in values.iter().zip(limits).filter(|(_, limit)| **limit <= 0.0) {
        least = least.min(*value);
        for (other, beyond) in values.iter().zip(limits).filter(|(_, limit)| **limit > 0.0) {
            let share = -limit / (beyond - limit);
            least = least.min(value + share * (other - value));
        }
    }
    let size = values.iter().fold(0.0, |size: f64, value| size.max(value.abs()));
    least - ROUNDING * size
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against means of three corners, of which none is lower.
    #[test]
    fn no_mean_of_several_corners_is_lower() {
        let mut state = 29_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let (mut close, mut feasible) = (0, 0);
        for _ in 0..300 {
            let values: [f64; 8] = std::array::from_fn(|_| random());
            let limits: [f64; 8] = std::array::from_fn(|_| random() + 0.4);
            let least = least_within(&values, &limits);
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
        assert_eq!(least_within(&[1.0; 8], &[0.5; 8]), f64::INFINITY);
    }
}
