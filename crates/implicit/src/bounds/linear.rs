//! Linear bounds over a cell, combined from those of several functions.
//!
//! A linear function over a cell is stored by its values at the corners; its minimum is the least of these.

use crate::base::CellValues;

/// Returns the best linear lower bound of the maximum of two functions, given a linear lower bound of each: of all
/// mixtures `(1 - s) a + s b` the one with the greatest minimum.
pub(crate) fn below_the_higher(a: &CellValues, b: &CellValues, corners: usize) -> CellValues {
    let rise: CellValues = std::array::from_fn(|k| b[k] - a[k]);
    let s = highest_minimum(a, &rise, corners, 1.0);
    let mixture = std::array::from_fn(|k| a[k] + s * rise[k]);
    // Rounding may leave the mixture below its ends.
    highest([*a, *b, mixture], corners)
}

/// Returns the best mixture of the bounds known so far, if there are any, and a further one.
#[inline]
pub fn mixed_with(known: Option<CellValues>, bound: CellValues, corners: usize) -> CellValues {
    known.map_or(bound, |known| below_the_higher(&known, &bound, corners))
}

/// Returns the best linear lower bound of a function over the part of the cell where a constraint is not positive,
/// given linear lower bounds `a` and `b` of both: of all `a + s b`, `s >= 0`, the one with the greatest minimum
/// (Lagrange dual). `None` if that part is empty.
pub(crate) fn below_where_not_positive(a: &CellValues, b: &CellValues, corners: usize) -> Option<CellValues> {
    if least(b, corners) > 0.0 {
        return None;
    }
    let s = highest_minimum(a, b, corners, f64::INFINITY);
    Some(highest([*a, std::array::from_fn(|k| a[k] + s * b[k])], corners))
}

/// Returns the first of those with the greatest minimum.
fn highest<const N: usize>(bounds: [CellValues; N], corners: usize) -> CellValues {
    let minima = bounds.map(|bound| bound[..corners].iter().copied().fold(f64::INFINITY, smaller));
    bounds[(1..N).fold(0, |best, k| if minima[k] > minima[best] { k } else { best })]
}

/// Returns the lesser of two numbers, or NaN: no minimum of a bound that is not a number.
fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

/// Returns the `s` from 0 to `most` for which the least of the numbers `a + s rise` of the corners is greatest. That is concave and
/// piecewise linear in `s`: from 0, whichever corner is lowest is followed while it rises, up to where the next becomes lower.
fn highest_minimum(a: &CellValues, rise: &CellValues, corners: usize, most: f64) -> f64 {
    let is_lower = |k: usize, low: usize| a[k] < a[low] || a[k] == a[low] && rise[k] < rise[low];
    let mut low = (1..corners).fold(0, |low, k| if is_lower(k, low) { k } else { low });
    let mut s = 0.0;
    // Every turn ends at a corner that rises less than the one before.
    while rise[low] > 0.0 {
        let mut next = (most, low);
        for k in (0..corners).filter(|&k| rise[k] < rise[low]) {
            // Of corners that are almost the same, rounding would lead back.
            let meets = ((a[k] - a[low]) / (rise[low] - rise[k])).max(s);
            if meets < next.0 || meets == next.0 && rise[k] < rise[next.1] {
                next = (meets, k);
            }
        }
        if next.0 == f64::INFINITY {
            break;
        }
        s = next.0;
        if next.1 == low {
            break;
        }
        low = next.1;
    }
    s
}

/// Returns the best lower bound of the maximum of several functions on a segment, given linear lower bounds of them, and where
/// their maximum is least, as a fraction of the segment. Two of the bounds decide.
pub(crate) fn least_on_segment(bounds: &[CellValues]) -> (f64, f64) {
    let ends = |bound: &CellValues| if bound[0] <= bound[1] { (bound[0], 0.0) } else { (bound[1], 1.0) };
    let mut best = (f64::NEG_INFINITY, 0.0);
    for (n, a) in bounds.iter().enumerate() {
        for b in &bounds[..n] {
            let [first, second] = [a[0] - b[0], a[1] - b[1]];
            let t = first / (first - second);
            let crosses = (a[1] - a[0]) * (b[1] - b[0]) < 0.0 && t > 0.0 && t < 1.0;
            let higher = below_the_higher(a, b, 2);
            let lower = least(&higher, 2);
            if lower > best.0 {
                best = (lower, if crosses { t } else { ends(&higher).1 });
            }
        }
    }
    bounds.iter().map(ends).fold(best, |best, one| if one.0 > best.0 { one } else { best })
}

/// Returns the minimum of a linear function.
pub fn least(values: &CellValues, corners: usize) -> f64 {
    values[..corners].iter().copied().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::random_grid::Random;

    fn on_segment(first: f64, second: f64) -> CellValues {
        [first, second, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    }

    /// One decreases from 4 to 0, the other increases from 0 to 4: their maximum is nowhere below 2.
    #[test]
    fn where_two_lines_cross_the_higher_is_above_both_their_ends() {
        let higher = |[a, b]: [f64; 2], [c, d]: [f64; 2]| {
            let mixture = below_the_higher(&on_segment(a, b), &on_segment(c, d), 2);
            [mixture[0], mixture[1]]
        };
        assert_eq!(higher([4.0, 0.0], [0.0, 4.0]), [2.0, 2.0]);
        assert_eq!(higher([1.0, 2.0], [3.0, 4.0]), [3.0, 4.0]);
        assert_eq!(higher([5.0, 6.0], [3.0, 4.0]), [5.0, 6.0]);
    }

    /// Against samples of the highest of several lines, also steep and level ones.
    #[test]
    fn the_highest_of_several_lines_is_least_where_two_of_them_cross() {
        let mut random = Random(17);
        let (mut inner, mut ends) = (0, 0);
        for case in 0..2000 {
            let lines: Vec<CellValues> = (0..1 + case % 4)
                .map(|k| {
                    let [a, b] = [random.number(), random.number() * if k == 0 { 100.0 } else { 1.0 }];
                    on_segment(a, if case % 5 == 0 { a } else { b })
                })
                .collect();
            let highest =
                |t: f64| lines.iter().map(|v| v[0] + t * (v[1] - v[0])).fold(f64::NEG_INFINITY, f64::max);
            let (lower, t) = least_on_segment(&lines);
            let sampled = (0..=200).map(|k| highest(f64::from(k) / 200.0)).fold(f64::INFINITY, f64::min);
            assert!(lower <= sampled + 1e-12 && (highest(t) - lower).abs() < 1e-12, "{lines:?}: {lower} {t}");
            inner += usize::from(t > 0.0 && t < 1.0);
            ends += usize::from(t == 0.0 || t == 1.0);
        }
        assert!(inner > 400 && ends > 400, "{inner} {ends}");
    }

    /// Two corners are the same but for their last digits: where one line meets the other is a quotient of these.
    #[test]
    fn corners_that_rounding_tells_apart_lead_no_way_back() {
        let ulp = 1.0 / (1_u64 << 55) as f64;
        let of = |values: [f64; 4]| -> CellValues {
            std::array::from_fn(|k| values.get(k).copied().unwrap_or(0.0))
        };
        let (a, b) = (of([-1.0, 0.25, 0.25 - ulp, 5.0]), of([1.0, 0.25 + 2.0 * ulp, 0.25 - ulp, 0.0]));
        let mixture = below_the_higher(&a, &b, 4);
        assert!(least(&mixture, 4) > 0.24 && mixture[3] <= 5.0, "{mixture:?}");
        let (a, b) = (of([-1.0, 0.25, 0.25 - ulp, 0.5]), of([2.0, 2.0 * ulp, 0.0, -0.1]));
        let bound = below_where_not_positive(&a, &b, 4).unwrap();
        assert!(least(&bound, 4) > 0.24 && bound[3] <= 0.5, "{bound:?}");
    }

    /// Against all pairs of corners: with corners that are equal, or differ by their last digits, and infinite ones.
    #[test]
    fn no_pair_of_corners_gives_a_higher_minimum() {
        let mut random = Random(31);
        let (mut mixed, mut close) = (0, 0);
        for case in 0..20_000 {
            let corners = [2, 3, 4, 8][case % 4];
            let mut values: [CellValues; 2] = [0; 2].map(|_| std::array::from_fn(|_| random.number()));
            if case % 3 == 0 {
                for list in &mut values {
                    list[1] = list[0] + random.number() * f64::EPSILON;
                }
                close += 1;
            }
            if case % 7 == 0 {
                let side = case / 7 % 2;
                values[side] = [f64::INFINITY; 8];
            }
            let [a, b] = values;
            let found = below_the_higher(&a, &b, corners);
            let mut best = least(&a, corners).max(least(&b, corners));
            let is_inner =
                |k: usize| (found[k] >= a[k].min(b[k]) - 1e-15) && found[k] <= a[k].max(b[k]) + 1e-15;
            assert!(least(&found, corners) >= best && (0..corners).all(is_inner), "{case}: {found:?}");
            for (i, j) in (0..corners).flat_map(|j| (0..j).map(move |i| (i, j))) {
                let s = (a[j] - a[i]) / ((a[j] - a[i]) - (b[j] - b[i]));
                if s > 0.0 && s < 1.0 {
                    best = best
                        .max((0..corners).map(|k| a[k] + s * (b[k] - a[k])).fold(f64::INFINITY, f64::min));
                }
            }
            assert!(least(&found, corners) >= best - 1e-14, "{case}: {found:?} {best}");
            mixed += usize::from(found != a && found != b);
        }
        assert!(mixed > 3000 && close > 5000, "{mixed} {close}");
    }

    /// The value decreases along the edge from 0 to -4; the constraint is satisfied on its first quarter.
    #[test]
    fn a_constraint_that_cuts_the_edge_leaves_what_is_before_the_cut() {
        let found = |a: [f64; 2], b: [f64; 2]| {
            let bound = below_where_not_positive(&on_segment(a[0], a[1]), &on_segment(b[0], b[1]), 2);
            bound.map(|bound| least(&bound, 2))
        };
        assert_eq!(found([0.0, -4.0], [-1.0, 3.0]), Some(-1.0));
        assert_eq!(found([0.0, -4.0], [-3.0, -1.0]), Some(-4.0));
        assert_eq!(found([0.0, -4.0], [3.0, 1.0]), None);
        assert_eq!(found([2.0, 1.0], [0.0, 0.0]), Some(1.0));
    }
}
