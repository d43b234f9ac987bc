//! Linear bounds over a cell, combined from those of several functions.
//!
//! A linear function over a cell is stored by its values at the corners; its minimum is the least of these.

use crate::base::CellValues;

/// Returns the best linear lower bound of the maximum of two functions, given a linear lower bound of each: of all
/// mixtures `(1 - s) a + s b` the one with the greatest minimum.
pub fn below_the_higher(a: &CellValues, b: &CellValues, corners: usize) -> CellValues {
    let rise: CellValues = std::array::from_fn(|k| b[k] - a[k]);
    let s = highest_minimum(a, &rise, corners, 1.0);
    // Avoids rounding at the ends.
    if s == 0.0 {
        *a
    } else if s == 1.0 {
        *b
    } else {
        std::array::from_fn(|k| a[k] + s * rise[k])
    }
}

/// Returns the best linear lower bound of a function over the part of the cell where a constraint is not positive,
/// given linear lower bounds `a` and `b` of both: of all `a + s b`, `s >= 0`, the one with the greatest minimum
/// (Lagrange dual). `None` if that part is empty.
pub(crate) fn below_where_not_positive(a: &CellValues, b: &CellValues, corners: usize) -> Option<CellValues> {
    if least(b, corners) > 0.0 {
        return None;
    }
    let s = highest_minimum(a, b, corners, f64::INFINITY);
    Some(if s == 0.0 { *a } else { std::array::from_fn(|k| a[k] + s * b[k]) })
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
            let meets = (a[k] - a[low]) / (rise[low] - rise[k]);
            if meets < next.0 {
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

/// Returns the minimum of a linear function.
pub fn least(values: &CellValues, corners: usize) -> f64 {
    values[..corners].iter().copied().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

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
