//! Means of the values at the corners of a box.
//!
//! A trilinear function is a mean of its values at the corners, with weights that depend on the place; a linear one has the
//! same weights. So where one of them is not positive the other is no lower than the least mean for which that of the first
//! is not positive, and such a mean has at most two corners.

use super::game::{Mixtures, solve};
use arrayvec::ArrayVec;

/// Bounds the rounding error of a mean of two values, relative to their size.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Returns the least mean of the values for which that of the limits is not positive; infinity if there is none.
pub(super) fn least_within(values: &[f64; 8], limits: &[f64; 8]) -> f64 {
    let mut least = f64::INFINITY;
    for (value, limit) in values.iter().zip(limits) {
        least = if *limit <= 0.0 { lower_of(least, *value) } else { least };
    }
    // Only a corner that is lower than these makes a mean lower.
    let of_corners = least;
    let is_lower = |(other, beyond): &(&f64, &f64)| **beyond > 0.0 && **other < of_corners;
    for (other, beyond) in values.iter().zip(limits).filter(is_lower) {
        for (value, limit) in values.iter().zip(limits).filter(|(_, limit)| **limit <= 0.0) {
            let share = -limit / (beyond - limit);
            least = lower_of(least, value + share * (other - value));
        }
    }
    least - ROUNDING * largest_of(values)
}

/// Returns the same where there may be no limits: without, the least value.
pub(super) fn least_where(values: &[f64; 8], limits: Option<&[f64; 8]>) -> f64 {
    limits.map_or_else(|| least_of(values), |limits| least_within(values, limits))
}

/// Returns the values of a linear function at the corners of a box, x varying fastest, given that at the first and its rises along
/// the edges.
#[inline]
pub(super) fn linear(first: f64, [x, y, z]: [f64; 3]) -> [f64; 8] {
    let (second, third) = (first + x, first + y);
    let fourth = second + y;
    [first, second, third, fourth, first + z, second + z, third + z, fourth + z]
}

/// Returns the least of numbers that are not NaN.
#[inline]
pub(super) fn least_of(values: &[f64; 8]) -> f64 {
    values.iter().fold(f64::INFINITY, |least, value| lower_of(least, *value))
}

/// Returns the largest magnitude of numbers that are not NaN.
#[inline]
pub(super) fn largest_of(values: &[f64; 8]) -> f64 {
    values.iter().fold(0.0, |largest, value| if value.abs() > largest { value.abs() } else { largest })
}

/// Returns the lower of two numbers that are not NaN: one instruction, where `f64::min` takes several.
#[inline]
pub(super) fn lower_of(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The most means of at most two corners that are feasible, and extreme: of eight corners, four on either side.
const MOST: usize = 4 + 16;

/// The most functions that are mixed.
pub(super) const MOST_MIXED: usize = 4;

/// A mean of two corners, given by their numbers.
#[derive(Clone, Copy, Debug)]
struct Between {
    corners: [usize; 2],
    /// The weight of the second.
    share: f64,
}

impl Between {
    fn of(&self, values: &[f64; 8]) -> f64 {
        let [one, other] = self.corners.map(|corner| values[corner]);
        one + self.share * (other - one)
    }

    /// Adds a part of the corners' weights to others.
    fn add_weights(&self, part: f64, weights: &mut [f64; 8]) {
        let [one, other] = self.corners;
        weights[one] += part * (1.0 - self.share);
        weights[other] += part * self.share;
    }
}

/// A lower bound, and the weights of the corners in the mean that attains it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attained {
    pub(super) lower: f64,
    pub(super) weights: [f64; 8],
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

    /// Returns the greatest lower bound of the highest of several concave functions that is the least of a mixture of them, given
    /// their values at the corners, and where it is attained: by the [game](solve) of functions against means. A bound of one
    /// function alone that is above `enough` suffices. `None` if nothing is feasible.
    pub(super) fn least_of_the_highest(
        &self,
        functions: &ArrayVec<[f64; 8], MOST_MIXED>,
        enough: f64,
    ) -> Option<Attained> {
        let mut values = [[0.0; MOST]; MOST_MIXED];
        let mut highest: Option<Attained> = None;
        for (values, function) in values.iter_mut().zip(functions) {
            for (value, mean) in values.iter_mut().zip(&self.0) {
                *value = mean.of(function);
            }
            let size = function.iter().fold(0.0, |size: f64, value| size.max(value.abs()));
            let (least, number) = least(values[..self.0.len()].iter().copied())?;
            let lower = least - ROUNDING * size;
            if highest.as_ref().is_none_or(|highest| lower > highest.lower) {
                let mut weights = [0.0; 8];
                self.0[number].add_weights(1.0, &mut weights);
                highest = Some(Attained { lower, weights });
            }
            if lower > enough {
                return highest;
            }
        }
        if functions.len() > 1 {
            let mixed = solve(&values, functions.len(), self.0.len());
            let mixed = mixed.map(|mixed| self.mixed(&values, &mixed));
            highest =
                mixed.filter(|mixed| highest.as_ref().is_none_or(|one| mixed.lower > one.lower)).or(highest);
        }
        highest
    }

    /// Returns the bound by a mixture of functions, and where that of means attains it.
    fn mixed(&self, values: &[[f64; MOST]; MOST_MIXED], mixed: &Mixtures<MOST_MIXED, MOST>) -> Attained {
        let at = |mean: usize| -> f64 {
            mixed.of_functions.iter().zip(values).map(|(share, values)| share * values[mean]).sum()
        };
        let least = (0..self.0.len()).map(at).fold(f64::INFINITY, f64::min);
        let size = values.iter().flatten().fold(0.0, |size: f64, value| size.max(value.abs()));
        let mut weights = [0.0; 8];
        for (mean, share) in self.0.iter().zip(mixed.of_places) {
            mean.add_weights(share, &mut weights);
        }
        Attained { lower: least - 2.0 * ROUNDING * size, weights }
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

    fn mean(values: &[f64; 8], weights: &[f64; 8]) -> f64 {
        values.iter().zip(weights).map(|(value, weight)| value * weight).sum()
    }

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
            if let Some(Attained { lower, weights }) =
                Means::within(&limits).least_of_the_highest(&[values].into_iter().collect(), f64::INFINITY)
            {
                assert!(mean(&limits, &weights) < 1e-12 && (mean(&values, &weights) - least).abs() < 1e-12);
                assert!((lower - least).abs() < 1e-12 && lower <= least);
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
    fn the_best_mixture_is_found() {
        let mut state = 31_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let (mut mixtures, mut of_three, mut equal) = (0, 0, 0);
        for case in 0..300 {
            let functions: [[f64; 8]; 4] = std::array::from_fn(|_| std::array::from_fn(|_| random()));
            let limits: [f64; 8] = std::array::from_fn(|_| random() - 0.2);
            let means = Means::within(&limits);
            let bound = |count: usize| {
                let functions = functions.into_iter().take(count).collect();
                means.least_of_the_highest(&functions, f64::INFINITY)
            };
            let Some(two) = bound(2).map(|attained| attained.lower) else { continue };
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
            let three = bound(3).unwrap().lower;
            of_three += usize::from(three > two.max(alone[2]) + 1e-3);
            for (one, other) in (0..8).flat_map(|one| (0..8).map(move |other| (one, other))) {
                for step in 0..=50 {
                    let mean = Between { corners: [one, other], share: f64::from(step) / 50.0 };
                    if mean.of(&limits) <= 0.0 {
                        let highest = functions[..3].iter().map(|values| mean.of(values));
                        assert!(highest.fold(f64::NEG_INFINITY, f64::max) >= three);
                        assert!(mean.of(&functions[0]).max(mean.of(&functions[1])) >= two);
                    }
                }
            }
            // Where the bound is attained none of the functions is higher.
            let count = 1 + case % 4;
            let Attained { lower, weights } = bound(count).unwrap();
            let there = functions.map(|values| mean(&values, &weights));
            let highest = there[..count].iter().copied().fold(f64::NEG_INFINITY, f64::max);
            assert!((highest - lower).abs() < 1e-12 && mean(&limits, &weights) < 1e-12, "{case}");
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            equal +=
                usize::from(count > 2 && there[..count].iter().filter(|x| highest - **x < 1e-12).count() > 2);
        }
        assert!(mixtures > 100 && of_three > 50 && equal > 20, "{mixtures} {of_three} {equal}");
    }
}
