//! Crossings of a plane by a vertex, and of an edge by an edge, in floating point with error bounds.
//!
//! The four points are coplanar where a cubic is zero; whether the features meet there is decided by the signs of
//! quadratics. All are in Bernstein form on the interval considered: it encloses their values, so that one sign of all
//! coefficients is a proof. Bisection, the earlier half first, until every part of the step is decided or too narrow.
//!
//! Sources: M. Tang, R. Tong, Z. Wang, D. Manocha, "Fast and Exact Continuous Collision Detection with Bernstein Sign
//! Classification", ACM TOG 33 (2014), DOI 10.1145/2661229.2661237; the error bounds are standard forward error analysis.

use super::quadratic::{Linear, Quadratic, Restriction, UNDERFLOW};
use crate::continuous::TimeInterval;

/// The narrowest interval of time that is looked at.
const NARROWEST: f64 = f64::from_bits((1023 - 44) << 52);

/// The greatest number of intervals looked at.
const INTERVALS: usize = 160;

/// What floating point decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Decision {
    Apart,
    Impact(TimeInterval),
    Undecided,
}

/// The equation and the inequalities of an impact of the interiors of two features.
pub(super) struct Crossing<const W: usize> {
    /// Bernstein coefficients of the signed volume.
    volume: [f64; 4],
    error: f64,
    /// At a root of the volume each weight is a multiple of the normal: the features meet if no factor is negative.
    normal: Quadratic,
    weights: [Quadratic; W],
}

/// An interval of time.
#[derive(Clone, Copy)]
struct Node {
    volume: [f64; 4],
    error: f64,
    lower: f64,
    upper: f64,
    is_inside: bool,
}

impl Node {
    fn halves(&self) -> [Self; 2] {
        let [a, b, c, d] = self.volume;
        let mean = |x: f64, y: f64| 0.5 * (x + y);
        let (ab, bc, cd) = (mean(a, b), mean(b, c), mean(c, d));
        let (abc, bcd) = (mean(ab, bc), mean(bc, cd));
        let middle = mean(abc, bcd);
        // Three means in a row, each rounded relative to the largest coefficient.
        let largest = a.abs().max(b.abs()).max(c.abs()).max(d.abs());
        let error = self.error + 2.0 * f64::EPSILON * largest;
        let time = 0.5 * (self.lower + self.upper);
        let part = |volume, lower, upper| Self { volume, error, lower, upper, is_inside: self.is_inside };
        [part([a, ab, abc, middle], self.lower, time), part([middle, bcd, cd, d], time, self.upper)]
    }
}

impl<const W: usize> Crossing<W> {
    /// With the normal `normal` of the plane of the motion, and `offset`, a vector from the one feature to the other.
    /// `size` is the product of the largest components of the three vectors of the volume.
    ///
    /// A coefficient is at most `6 size`, with a relative error in each term of at most 11 unit roundoffs.
    #[inline]
    pub(super) fn new(offset: &Linear, normal: Quadratic, size: f64, weights: [Quadratic; W]) -> Self {
        let [n0, n1, n2] = &normal.coefficients;
        let volume = [
            offset.start.dot(n0),
            (offset.end.dot(n0) + 2.0 * offset.start.dot(n1)) / 3.0,
            (2.0 * offset.end.dot(n1) + offset.start.dot(n2)) / 3.0,
            offset.end.dot(n2),
        ];
        Self { volume, error: 48.0 * f64::EPSILON * size + UNDERFLOW, normal, weights }
    }

    /// Decides the query. An impact is in an interval no wider than `tolerance`.
    #[inline]
    pub(super) fn decide(&self, tolerance: f64) -> Decision {
        let least = self.volume.iter().fold(f64::INFINITY, |a, &b| a.min(b));
        let greatest = self.volume.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
        if least > self.error || greatest < -self.error {
            return Decision::Apart;
        }
        self.bisect(tolerance)
    }

    fn bisect(&self, tolerance: f64) -> Decision {
        let whole = Node { volume: self.volume, error: self.error, lower: 0.0, upper: 1.0, is_inside: false };
        // Two roots are found in one half, or one in each: no more than a cubic has roots are waiting.
        let mut waiting = [whole; 4];
        let mut count = 1;
        for _ in 0..INTERVALS {
            if count == 0 {
                return Decision::Apart;
            }
            count -= 1;
            let mut node = waiting[count];
            let signs = node.volume.map(|x| i32::from(x > node.error) - i32::from(x < -node.error));
            let sum: i32 = signs.iter().sum();
            if sum.abs() == 4 {
                continue;
            }
            if !node.is_inside {
                match self.place(node.lower, node.upper) {
                    Some(true) => node.is_inside = true,
                    Some(false) => continue,
                    None => {}
                }
            }
            let width = node.upper - node.lower;
            if node.is_inside && width <= tolerance && signs[0] * signs[3] < 0 {
                return Decision::Impact(TimeInterval { lower: node.lower, upper: node.upper });
            }
            if signs == [0; 4] || width <= NARROWEST || count + 2 > waiting.len() {
                return Decision::Undecided;
            }
            let [left, right] = node.halves();
            (waiting[count], waiting[count + 1]) = (right, left);
            count += 2;
        }
        Decision::Undecided
    }

    /// Whether the features meet wherever in the interval the four points are coplanar; `None` if not known.
    #[inline]
    fn place(&self, lower: f64, upper: f64) -> Option<bool> {
        let on = Restriction::to(lower, upper);
        let k = self.normal.largest_component(&on);
        let normal = self.normal.sign(k, &on);
        if normal == 0 {
            return None;
        }
        let mut inside = true;
        for weight in &self.weights {
            match weight.sign(k, &on) * normal {
                1 => {}
                0 => inside = false,
                _ => return Some(false),
            }
        }
        if inside { Some(true) } else { None }
    }
}
