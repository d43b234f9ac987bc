//! On which side of a triangle a point of the shaft lies, and past which side of an edge a segment of it runs: never on
//! it.
//!
//! The shaft counts as moved by (ε, ε², ε³) for an infinitely small ε: a sign that is zero is decided by the first
//! derivative that is not. All points of the shaft move alike, so that the answers belong to one shaft: it passes through
//! triangles only, never through an edge or a vertex, and what it enters it leaves.
//!
//! Source: H. Edelsbrunner, E. P. Mücke, "Simulation of simplicity" (ACM Transactions on Graphics 9, 1990); J. R. Shewchuk
//! 1997 for the sums that are exact.

use palpate_math::Point;
use palpate_math::orient::{orient2d_along, orient3d};

/// Multiplies by this to split a number in two halves of 26 bits.
const SPLITTER: f64 = 134_217_729.0;

fn sign(value: f64) -> i32 {
    i32::from(value > 0.0) - i32::from(value < 0.0)
}

/// The side of the triangle's plane on which a point of the shaft lies: 1 where the normal points, -1 behind; 0 only for a
/// triangle whose corners are collinear.
pub(crate) fn side([a, b, c]: [&Point; 3], point: &Point) -> i32 {
    match sign(orient3d(a, b, c, point)) {
        0 => (0..3).map(|axis| sign(orient2d_along(axis, a, b, c))).find(|side| *side != 0).unwrap_or(0),
        side => side,
    }
}

/// The side of a triangle's plane on which a vertex of the tissue lies; 0 on it.
pub(crate) fn tissue_side([a, b, c]: [&Point; 3], vertex: &Point) -> i32 {
    sign(orient3d(a, b, c, vertex))
}

/// How the line from `p` to `q`, points of the shaft, turns about the edge from `a` to `b`: 1 if it has the edge on its left,
/// as the edges of a triangle through which it passes along the normal; 0 only for a line parallel to the edge.
pub(crate) fn turn([p, q]: [&Point; 2], a: &Point, b: &Point) -> i32 {
    match sign(orient3d(p, q, a, b)) {
        0 => (0..3).map(|axis| cross_sign(axis, [p, q], [a, b])).find(|turn| *turn != 0).unwrap_or(0),
        turn => turn,
    }
}

/// 1 if the line from `p` to `q` passes through the triangle along its normal, -1 if against it, 0 if not at all.
pub(crate) fn line_through(line: [&Point; 2], [a, b, c]: [&Point; 3]) -> i32 {
    let first = turn(line, a, b);
    let through = first != 0 && turn(line, b, c) == first && turn(line, c, a) == first;
    if through { first } else { 0 }
}

/// The same for the segment from `p` to `q`.
pub(crate) fn segment_through([p, q]: [&Point; 2], triangle: [&Point; 3]) -> i32 {
    let sides = [side(triangle, p), side(triangle, q)];
    if sides[0] * sides[1] >= 0 { 0 } else { line_through([p, q], triangle) }
}

/// The sign of a component of `(q - p) × (b - a)`, exact.
fn cross_sign(axis: usize, [p, q]: [&Point; 2], [a, b]: [&Point; 2]) -> i32 {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    // (q - p)_u (b - a)_v - (q - p)_v (b - a)_u, multiplied out.
    let mut sum = Sum::default();
    for (x, y, one) in [(u, v, 1.0), (v, u, -1.0)] {
        sum.add_product(one * q[x], b[y]);
        sum.add_product(-one * q[x], a[y]);
        sum.add_product(-one * p[x], b[y]);
        sum.add_product(one * p[x], a[y]);
    }
    sum.sign()
}

/// An exact sum: numbers that do not overlap, the smallest first.
#[derive(Default)]
struct Sum {
    parts: [f64; 16],
    count: usize,
}

impl Sum {
    fn add_product(&mut self, x: f64, y: f64) {
        let product = x * y;
        let ([x_high, x_low], [y_high, y_low]) = (split(x), split(y));
        let error = x_low * y_low - (((product - x_high * y_high) - x_low * y_high) - x_high * y_low);
        self.add(error);
        self.add(product);
    }

    fn add(&mut self, value: f64) {
        let mut carried = value;
        for part in &mut self.parts[..self.count] {
            let total = carried + *part;
            let other = total - carried;
            *part = (carried - (total - other)) + (*part - other);
            carried = total;
        }
        self.parts[self.count] = carried;
        self.count += 1;
    }

    fn sign(&self) -> i32 {
        let largest = self.parts[..self.count].iter().rev().find(|part| **part != 0.0);
        largest.map_or(0, |part| sign(*part))
    }
}

fn split(value: f64) -> [f64; 2] {
    let scaled = SPLITTER * value;
    let high = scaled - (scaled - value);
    [high, value - high]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [Point; 4] = [
        Point::new(0.0, 0.0, 0.0),
        Point::new(1.0, 0.0, 0.0),
        Point::new(1.0, 1.0, 0.0),
        Point::new(0.0, 1.0, 0.0),
    ];

    fn through(line: [[f64; 3]; 2], ids: [usize; 3]) -> i32 {
        let [p, q] = line.map(Point::from);
        segment_through([&p, &q], ids.map(|id| &SQUARE[id]))
    }

    #[test]
    fn along_the_normal_is_positive() {
        assert_eq!(through([[0.75, 0.25, -1.0], [0.75, 0.25, 1.0]], [0, 1, 2]), 1);
        assert_eq!(through([[0.75, 0.25, 1.0], [0.75, 0.25, -1.0]], [0, 1, 2]), -1);
        assert_eq!(through([[0.75, 0.25, 1.0], [0.75, 0.25, 2.0]], [0, 1, 2]), 0);
        assert_eq!(through([[2.75, 0.25, 1.0], [2.75, 0.25, -1.0]], [0, 1, 2]), 0);
    }

    /// Through the diagonal, a corner, along the diagonal within the plane, from a point in the plane.
    #[test]
    fn one_of_two_triangles_is_passed_wherever_they_meet() {
        let both = |line| through(line, [0, 1, 2]) + through(line, [0, 2, 3]);
        for t in [0.25, 0.5, 0.75] {
            assert_eq!(both([[t, t, -1.0], [t, t, 1.0]]), 1, "{t}");
            assert_eq!(both([[t, t, -1.0], [t, t, 0.0]]) + both([[t, t, 0.0], [t, t, 1.0]]), 1, "{t}");
            assert_eq!(both([[t, t - 0.5, -1.0], [t, t + 0.5, 1.0]]), 1, "{t}: slanted, over the diagonal");
        }
        assert_eq!(both([[-1.0, -1.0, 0.0], [2.0, 2.0, 0.0]]), 0);
        // Moved along x first, the corner 0 is passed within the square, the corner 1 beside it.
        assert_eq!([0.0, 1.0].map(|x| both([[x, 0.0, -1.0], [x, 0.0, 1.0]])), [1, 0]);
    }

    /// Small integers, whose products are exact.
    #[test]
    fn signs_of_cross_products_are_exact() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from((state >> 60) as u32) - 8.0
        };
        let mut zeros = 0;
        for _ in 0..4000 {
            let points = [0; 4].map(|_| Point::new(next(), next(), next()));
            let [p, q, a, b] = points.each_ref();
            let cross = (q - p).cross(&(b - a));
            for axis in 0..3 {
                assert_eq!(cross_sign(axis, [p, q], [a, b]), sign(cross[axis]));
                zeros += usize::from(cross[axis] == 0.0);
            }
            // The same difference far from the origin, where it is rounded.
            let far = points.map(|p| Point::new(p.x + 1e9, p.y + 1e9, p.z * 2f64.powi(-40)));
            let [p, q, a, b] = far.each_ref();
            assert_eq!(cross_sign(2, [p, q], [a, b]), sign(cross[2]));
        }
        assert!(zeros > 100, "{zeros}");
    }
}
