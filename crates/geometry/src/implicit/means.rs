//! Means of the values at the corners of a box.
//!
//! A trilinear function is a mean of its values at the corners, with weights that depend on the place; a linear one has the
//! same weights. So where one of them is not positive the other is no lower than the least mean for which that of the first
//! is not positive, and such a mean has at most two corners.

use arrayvec::ArrayVec;

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

/// The most means of at most two corners that are feasible, and extreme: of eight corners, four on either side.
const MOST: usize = 8 + 16;

/// A mean of two corners, given by their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Between {
    pub(super) corners: [usize; 2],
    /// The weight of the second.
    pub(super) share: f64,
}

impl Between {
    fn of(&self, values: &[f64; 8]) -> f64 {
        let [one, other] = self.corners.map(|corner| values[corner]);
        one + self.share * (other - one)
    }
}

/// The means for which that of the limits is not positive: the first corner's limit is not.
pub(super) struct Means(ArrayVec<Between, MOST>);

impl Means {
    pub(super) fn within(limits: &[f64; 8]) -> Self {
        let mut means = ArrayVec::new();
        for one in (0..8).filter(|&corner| limits[corner] <= 0.0) {
            means.push(Between { corners: [one, one], share: 0.0 });
            for other in (0..8).filter(|&corner| limits[corner] > 0.0) {
                let share = -limits[one] / (limits[other] - limits[one]);
                means.push(Between { corners: [one, other], share });
            }
        }
        Self(means)
    }

    /// Returns a lower bound of the highest of several concave functions, given their values at the corners, and where it is
    /// attained: of all mixtures of their means one with a high minimum, the best one of two functions, unless a bound is above
    /// `enough`. `None` if nothing is feasible.
    pub(super) fn least_of_the_highest(&self, functions: &[[f64; 8]], enough: f64) -> Option<(f64, Between)> {
        let mut mixed: ArrayVec<f64, MOST> = ArrayVec::new();
        let (mut size, mut found) = (0.0_f64, None);
        for (round, values) in functions.iter().chain(functions.iter().take(MIXED_AGAIN)).enumerate() {
            size = values.iter().fold(size, |size, value| size.max(value.abs()));
            let values = self.0.iter().map(|mean| mean.of(values));
            if round == 0 {
                mixed.extend(values);
            } else {
                let values: ArrayVec<f64, MOST> = values.collect();
                mix(&mut mixed, &values);
            }
            let (lower, number) = least(mixed.iter().copied())?;
            found = Some((lower - MIXED * ROUNDING * size, self.0[number]));
            if functions.len() == 1 || found.is_some_and(|(lower, _)| lower > enough) {
                break;
            }
        }
        found
    }
}

/// How many of the functions are mixed in once more, and how often one mean is rounded then, at most.
const MIXED_AGAIN: usize = 2;
const MIXED: f64 = 8.0;

/// The most steps toward the best mixture of two functions.
const MOST_STEPS: usize = 8;

/// Replaces numbers by the mixture of theirs and others' whose least is greatest: the least is concave in the share, and each
/// number is linear.
fn mix(numbers: &mut [f64], others: &[f64]) {
    let at = |share: f64| least(numbers.iter().zip(others).map(|(a, b)| a + share * (b - a)));
    let Some((first, mut low)) = at(0.0) else { return };
    if others[low] <= numbers[low] {
        return;
    }
    let Some((last, mut high)) = at(1.0) else { return };
    let mut best = if last > first { (last, 1.0) } else { (first, 0.0) };
    for _ in 0..MOST_STEPS {
        // Where the lowest number from the left, which rises, meets that from the right, which falls.
        let rise = others[low] - numbers[low];
        let fall = others[high] - numbers[high];
        let share = (numbers[high] - numbers[low]) / (rise - fall);
        if !(rise > 0.0 && fall < 0.0 && share > 0.0 && share < 1.0) {
            break;
        }
        let Some((value, number)) = at(share) else { break };
        if value > best.0 {
            best = (value, share);
        }
        if number == low || number == high {
            break;
        }
        if others[number] > numbers[number] {
            low = number;
        } else {
            high = number;
        }
    }
    for (number, other) in numbers.iter_mut().zip(others) {
        *number += best.1 * (other - *number);
    }
}

/// Returns the least number and where it is.
fn least(numbers: impl Iterator<Item = f64>) -> Option<(f64, usize)> {
    let numbered = numbers.zip(0..);
    numbered.reduce(|a, b| if b.0 < a.0 { b } else { a })
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
            if let Some((again, place)) =
                Means::within(&limits).least_of_the_highest(&[values], f64::INFINITY)
            {
                assert!(place.of(&limits) < 1e-12 && (place.of(&values) - least).abs() < 1e-12);
                assert!((again - least).abs() < 1e-12 && again <= least);
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
        assert_eq!(least_within(&[1.0; 8], &[0.5; 8]), f64::INFINITY);
    }

    /// Against mixtures on a lattice, and against means of two corners, of which none is lower.
    #[test]
    fn the_best_mixture_of_two_functions_is_found() {
        let mut state = 31_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let (mut mixtures, mut of_three) = (0, 0);
        for _ in 0..300 {
            let functions: [[f64; 8]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| random()));
            let limits: [f64; 8] = std::array::from_fn(|_| random() - 0.2);
            let Some((two, _)) = Means::within(&limits).least_of_the_highest(&functions[..2], f64::INFINITY)
            else {
                continue;
            };
            let mixed = |shares: [f64; 3]| -> [f64; 8] {
                std::array::from_fn(|corner| (0..3).map(|k| shares[k] * functions[k][corner]).sum())
            };
            let alone = functions.map(|values| least_within(&values, &limits));
            let mut best = f64::NEG_INFINITY;
            for step in 0..=1000 {
                let share = f64::from(step) / 1000.0;
                best = best.max(least_within(&mixed([1.0 - share, share, 0.0]), &limits));
            }
            assert!(two >= best - 1e-13 && two <= best + 4e-3, "{two} is not {best}");
            mixtures += usize::from(two > alone[0].max(alone[1]) + 1e-3);
            let (three, _) = Means::within(&limits).least_of_the_highest(&functions, f64::INFINITY).unwrap();
            of_three += usize::from(three > two.max(alone[2]) + 1e-3);
            for (one, other) in (0..8).flat_map(|one| (0..8).map(move |other| (one, other))) {
                for step in 0..=50 {
                    let mean = Between { corners: [one, other], share: f64::from(step) / 50.0 };
                    if mean.of(&limits) <= 0.0 {
                        let highest = functions.iter().map(|values| mean.of(values));
                        assert!(highest.fold(f64::NEG_INFINITY, f64::max) >= three);
                        assert!(mean.of(&functions[0]).max(mean.of(&functions[1])) >= two);
                    }
                }
            }
        }
        assert!(mixtures > 100 && of_three > 50, "{mixtures} {of_three}");
    }
}
