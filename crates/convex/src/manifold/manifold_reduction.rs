//! Manifold reduction to at most four points.

use super::tolerance::TIE;

/// Maximum number of points of a manifold.
pub(super) const MOST: usize = 4;

/// Selects the points of a manifold to keep from the corners of a convex polygon: `first`, and those that span the
/// largest area with it. Returns their indices in the polygon's order, `first` first, and their number. Ties, up to
/// 1e-9, go to the first in the order of the polygon. Cost: n.
pub fn kept(corners: &[[f64; 2]], first: usize) -> ([usize; MOST], usize) {
    let count = corners.len();
    let index = |step: usize| if first + step < count { first + step } else { first + step - count };
    if count <= MOST {
        return (std::array::from_fn(|step| index(step.min(count - 1))), count);
    }
    let at = |step: usize| corners[index(step)];
    // Every diagonal from the first corner, with the farthest corner on each side of it, which advance with the
    // diagonal (Shamos 1978, rotating calipers).
    let mut best = (f64::NEG_INFINITY, [0; MOST]);
    let (mut right, mut left) = (1, 3);
    for opposite in 2..count - 1 {
        let off = |step: usize| area(at(0), at(opposite), at(step)).abs();
        let farthest = |from: usize, end: usize| {
            let (mut far, mut step) = (off(from), from);
            while step + 1 < end {
                let next = off(step + 1);
                if next <= far * (1.0 + TIE) {
                    break;
                }
                (far, step) = (next, step + 1);
            }
            (far, step)
        };
        let (area_right, area_left);
        (area_right, right) = farthest(right, opposite);
        (area_left, left) = farthest(left.max(opposite + 1), count);
        let area = area_right + area_left;
        if best.0 < 0.0 || area > best.0 * (1.0 + TIE) {
            best = (area, [0, right, opposite, left]);
        }
    }
    (best.1.map(index), MOST)
}

/// Returns twice the signed area of a triangle.
fn area(p: [f64; 2], q: [f64; 2], r: [f64; 2]) -> f64 {
    (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(count: usize) -> Vec<[f64; 2]> {
        let angle = |k: usize| k as f64 / count as f64 * std::f64::consts::TAU;
        (0..count).map(|k| [libm::cos(angle(k)), libm::sin(angle(k))]).collect()
    }

    #[test]
    fn of_a_regular_octagon_the_square_through_the_first_is_kept() {
        assert_eq!(kept(&circle(8), 3), ([3, 5, 7, 1], 4));
        assert_eq!(kept(&circle(16), 1), ([1, 5, 9, 13], 4));
        assert_eq!(kept(&circle(4), 2), ([2, 3, 0, 1], 4));
        assert_eq!(kept(&circle(3), 1).1, 3);
        assert_eq!(kept(&[[0.0, 0.0]], 0), ([0; 4], 1));
    }

    /// Compares with every choice of three others.
    #[test]
    fn no_other_four_with_the_first_span_more() {
        for count in 5..12 {
            for turn in 0..20 {
                let stretch = 1.0 + 0.37 * f64::from(turn);
                let corners: Vec<[f64; 2]> =
                    circle(count).iter().map(|[x, y]| [x * stretch + 0.1 * y * y, *y]).collect();
                let first = turn as usize % count;
                let shoelace = |chosen: [usize; 4]| {
                    let [p, q, r, s] = chosen.map(|k| corners[k]);
                    0.5 * (area(p, q, r).abs() + area(p, r, s).abs())
                };
                let (found, _) = kept(&corners, first);
                let mut largest: f64 = 0.0;
                for i in 1..count {
                    for j in i + 1..count {
                        for k in j + 1..count {
                            let index = |step| (first + step) % count;
                            largest = largest.max(shoelace([first, index(i), index(j), index(k)]));
                        }
                    }
                }
                assert!(shoelace(found) >= largest * (1.0 - 1e-8), "{} of {largest}", shoelace(found));
            }
        }
    }
}
