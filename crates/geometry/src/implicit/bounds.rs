//! Linear bounds over a cell, put together from those of several functions.
//!
//! A linear function over a simplex is the list of its values at the corners; its least value is the least of these.

/// The best linear function below the higher of two functions, each bounded below by a linear one: of all mixtures
/// `(1 - s) a + s b` the one whose least value is the highest. The least value is concave in `s` and bends where two corners
/// are equal, so that the best `s` is 0, 1 or such a bend.
pub(super) fn below_the_higher(a: &[f64; 4], b: &[f64; 4], corners: usize) -> [f64; 4] {
    let mixed = |s: f64| -> [f64; 4] { std::array::from_fn(|k| a[k] + s * (b[k] - a[k])) };
    let mut best = (least(a, corners), 0.0);
    let mut keep = |s: f64| {
        let value = least(&mixed(s), corners);
        if value > best.0 {
            best = (value, s);
        }
    };
    keep(1.0);
    for j in 1..corners {
        for i in 0..j {
            let s = (a[j] - a[i]) / ((a[j] - a[i]) - (b[j] - b[i]));
            if s > 0.0 && s < 1.0 {
                keep(s);
            }
        }
    }
    // Without a rounding of the ends' own.
    if best.1 == 1.0 { *b } else { mixed(best.1) }
}

/// The best linear function below a function over the part of the cell where a constraint is zero or less, from linear bounds
/// `a` and `b` below both: of all `a + s b`, `s` from zero up, the one whose least value is the highest (Lagrange's dual).
/// `None` where no part is.
pub(super) fn below_where_not_positive(a: &[f64; 4], b: &[f64; 4], corners: usize) -> Option<[f64; 4]> {
    if least(b, corners) > 0.0 {
        return None;
    }
    let sum = |s: f64| -> [f64; 4] { std::array::from_fn(|k| a[k] + s * b[k]) };
    let mut best = (least(a, corners), 0.0);
    for j in 1..corners {
        for i in 0..j {
            let s = (a[j] - a[i]) / (b[i] - b[j]);
            if s > 0.0 && s.is_finite() {
                let value = least(&sum(s), corners);
                if value > best.0 {
                    best = (value, s);
                }
            }
        }
    }
    Some(sum(best.1))
}

/// The least value of a linear function.
pub(super) fn least(values: &[f64; 4], corners: usize) -> f64 {
    values[..corners].iter().copied().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One falls from 4 to 0, the other rises from 0 to 4: the higher is nowhere below 2.
    #[test]
    fn where_two_lines_cross_the_higher_is_above_both_their_ends() {
        let mixture = below_the_higher(&[4.0, 0.0, 0.0, 0.0], &[0.0, 4.0, 0.0, 0.0], 2);
        assert_eq!(mixture[..2], [2.0, 2.0]);
        assert_eq!(below_the_higher(&[1.0, 2.0, 0.0, 0.0], &[3.0, 4.0, 0.0, 0.0], 2)[..2], [3.0, 4.0]);
        assert_eq!(below_the_higher(&[5.0, 6.0, 0.0, 0.0], &[3.0, 4.0, 0.0, 0.0], 2)[..2], [5.0, 6.0]);
    }

    /// The value falls along the edge from 0 to -4; the constraint holds on its first quarter.
    #[test]
    fn a_constraint_that_cuts_the_edge_leaves_what_is_before_the_cut() {
        let found = |a: [f64; 2], b: [f64; 2]| {
            let bound = below_where_not_positive(&[a[0], a[1], 0.0, 0.0], &[b[0], b[1], 0.0, 0.0], 2);
            bound.map(|bound| least(&bound, 2))
        };
        assert_eq!(found([0.0, -4.0], [-1.0, 3.0]), Some(-1.0));
        assert_eq!(found([0.0, -4.0], [-3.0, -1.0]), Some(-4.0));
        assert_eq!(found([0.0, -4.0], [3.0, 1.0]), None);
        assert_eq!(found([2.0, 1.0], [0.0, 0.0]), Some(1.0));
    }
}
