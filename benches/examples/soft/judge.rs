//! Which elements of two meshes cross, by exact signs of volumes: big integers behind a bound of the rounding error. Nothing of the
//! detectors' code is used.

use super::body::{Body, Kind};
use num_bigint::{BigInt, Sign};
use palpate::prelude::{Point, Vector};
use std::collections::{HashMap, HashSet};

/// An edge with its side, 0 or 1, and its vertices in ascending order.
pub(crate) type Edge = (usize, [u32; 2]);

/// Two elements of which an edge of one passes through the inside of the other.
pub(crate) struct Crossing {
    pub(crate) elements: [u32; 2],
    pub(crate) edges: Vec<Edge>,
}

/// How an edge lies to a triangle, or an element to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    Apart,
    /// A sign is zero: they may touch.
    Touching,
    Crossing,
}

/// A coordinate in units of the smallest number above zero.
fn integer(x: f64) -> BigInt {
    let bits = x.to_bits();
    let (exponent, mantissa) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    let magnitude = if exponent == 0 {
        BigInt::from(mantissa)
    } else {
        BigInt::from(mantissa | 1 << 52) << (exponent - 1)
    };
    if x.is_sign_negative() { -magnitude } else { magnitude }
}

/// The sign of the volume of four points.
fn sign([a, b, c, d]: [&Point; 4]) -> i32 {
    let [x, y, z] = [a, b, c].map(|p| p - d);
    let determinant = x.dot(&y.cross(&z));
    let [u, v, w] = [x, y, z].map(|edge| edge.abs());
    let sum = Vector::new(v.y * w.z + v.z * w.y, v.z * w.x + v.x * w.z, v.x * w.y + v.y * w.x);
    // Ten times the error of such a determinant.
    if determinant.abs() > 1e-14 * u.dot(&sum) {
        return if determinant > 0.0 { 1 } else { -1 };
    }
    let [a, b, c, d] = [a, b, c, d].map(|p| [p.x, p.y, p.z].map(integer));
    let [x, y, z] = [a, b, c].map(|p| [0, 1, 2].map(|axis| &p[axis] - &d[axis]));
    let minor = |i: usize, j: usize| &y[i] * &z[j] - &y[j] * &z[i];
    let exact = &x[0] * minor(1, 2) + &x[1] * minor(2, 0) + &x[2] * minor(0, 1);
    match exact.sign() {
        Sign::Plus => 1,
        Sign::NoSign => 0,
        Sign::Minus => -1,
    }
}

fn edge_triangle([p, q]: [&Point; 2], [a, b, c]: [&Point; 3]) -> Verdict {
    let ends = [sign([a, b, c, p]), sign([a, b, c, q])];
    if ends[0] * ends[1] > 0 {
        return Verdict::Apart;
    }
    let around = [sign([p, q, a, b]), sign([p, q, b, c]), sign([p, q, c, a])];
    if around.contains(&1) && around.contains(&-1) {
        Verdict::Apart
    } else if ends.contains(&0) || around.contains(&0) {
        Verdict::Touching
    } else {
        Verdict::Crossing
    }
}

/// The judge of one frame of two bodies.
pub(crate) struct Judge<'a> {
    pub(crate) bodies: &'a [Body; 2],
    pub(crate) frame: &'a [Vec<Point>; 2],
}

impl Judge<'_> {
    fn corners(&self, side: usize, element: u32) -> impl Iterator<Item = &Point> {
        self.bodies[side].element(element).iter().map(move |id| &self.frame[side][*id as usize])
    }

    /// How two elements lie, and which edges cross.
    pub(crate) fn pair(&self, elements: [u32; 2]) -> (Verdict, Vec<Edge>) {
        let (mut verdict, mut edges) = (Verdict::Apart, Vec::new());
        for (side, other) in [(0, 1), (1, 0)] {
            let corners: Vec<&Point> = self.corners(other, elements[other]).collect();
            let [a, b, c] = corners[..] else { continue };
            let ids = self.bodies[side].element(elements[side]);
            for k in 0..if ids.len() == 2 { 1 } else { 3 } {
                let ends = [ids[k], ids[(k + 1) % ids.len()]];
                let found = edge_triangle(ends.map(|id| &self.frame[side][id as usize]), [a, b, c]);
                verdict = verdict.max(found);
                if found == Verdict::Crossing {
                    edges.push((side, [ends[0].min(ends[1]), ends[0].max(ends[1])]));
                }
            }
        }
        (verdict, edges)
    }

    fn bounds(&self, side: usize, element: u32) -> [Vector; 2] {
        let start = [f64::INFINITY, f64::NEG_INFINITY].map(Vector::repeat);
        self.corners(side, element).fold(start, |[low, high], p| [low.inf(&p.coords), high.sup(&p.coords)])
    }

    /// All pairs of elements that cross, by the first's number: all pairs of one grid of boxes are tried.
    pub(crate) fn crossings(&self) -> Vec<Crossing> {
        let count = |side: usize| self.bodies[side].elements.len() as u32;
        let size = (0..count(1))
            .map(|k| self.bounds(1, k))
            .fold(0.0, |size: f64, [low, high]| size.max((high - low).max()));
        let cells = |[low, high]: [Vector; 2]| {
            let [low, high] = [low, high].map(|p| (p / size).map(|x| x.floor() as i64));
            (low.x..=high.x).flat_map(move |x| {
                (low.y..=high.y).flat_map(move |y| (low.z..=high.z).map(move |z| [x, y, z]))
            })
        };
        let mut grid: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
        for second in 0..count(1) {
            cells(self.bounds(1, second)).for_each(|cell| grid.entry(cell).or_default().push(second));
        }
        let mut crossings = Vec::new();
        for first in 0..count(0) {
            let mut near: Vec<u32> =
                cells(self.bounds(0, first)).filter_map(|cell| grid.get(&cell)).flatten().copied().collect();
            near.sort_unstable();
            near.dedup();
            for second in near {
                let (verdict, edges) = self.pair([first, second]);
                if verdict == Verdict::Crossing {
                    crossings.push(Crossing { elements: [first, second], edges });
                }
            }
        }
        crossings
    }

    /// Whether a vertex of a side is inside the other body: in one of its tetrahedra, or by its winding number; never in a sheet or a
    /// thread.
    pub(crate) fn is_inside(&self, side: usize, vertex: u32) -> bool {
        let (other, point) = (1 - side, self.frame[side][vertex as usize]);
        if self.bodies[other].kind == Kind::Block {
            return self.bodies[other].cells.iter().any(|ids| {
                let [a, b, c, d] = ids.map(|id| &self.frame[other][id as usize]);
                let signs =
                    [[&point, b, c, d], [a, &point, c, d], [a, b, &point, d], [a, b, c, &point]].map(sign);
                !(signs.contains(&1) && signs.contains(&-1))
            });
        }
        if self.bodies[other].kind != Kind::Solid {
            return false;
        }
        let angle = |k: u32| {
            let arms: Vec<Vector> = self.corners(other, k).map(|p| p - point).collect();
            let [a, b, c] = [arms[0], arms[1], arms[2]];
            let [l, m, n] = [a.norm(), b.norm(), c.norm()];
            let below = l * m * n + a.dot(&b) * n + b.dot(&c) * l + c.dot(&a) * m;
            2.0 * a.dot(&b.cross(&c)).atan2(below)
        };
        let sum: f64 = (0..self.bodies[other].elements.len() as u32).map(angle).sum();
        sum.abs() > std::f64::consts::TAU
    }
}

/// The vertices of all edges and elements that cross.
pub(crate) fn vertices_that_cross(judge: &Judge<'_>, crossings: &[Crossing]) -> HashSet<(usize, u32)> {
    let of = |crossing: &Crossing| {
        let elements = crossing.elements;
        [0, 1].map(|side| judge.bodies[side].element(elements[side]).iter().map(move |id| (side, *id)))
    };
    crossings.iter().flat_map(of).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_those_of_whole_numbers() {
        let [a, b, c] = [Point::new(0.1, 0.2, 0.3), Point::new(1.1, 0.7, 0.3), Point::new(0.4, 0.9, 0.3)];
        assert_eq!(sign([&a, &b, &c, &Point::new(0.3, 0.3, 0.3)]), 0);
        let above = sign([&a, &b, &c, &Point::new(0.3, 0.3, 0.3_f64.next_up())]);
        let below = sign([&a, &b, &c, &Point::new(0.3, 0.3, 0.3_f64.next_down())]);
        assert_eq!((above, below), (-1, 1));
        let inside = [Point::new(0.5, 0.5, 0.0), Point::new(0.5, 0.5, 1.0)];
        assert_eq!(edge_triangle([&inside[0], &inside[1]], [&a, &b, &c]), Verdict::Crossing);
        assert_eq!(edge_triangle([&a, &inside[1]], [&a, &b, &c]), Verdict::Touching);
    }
}
