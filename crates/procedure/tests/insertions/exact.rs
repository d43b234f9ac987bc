//! The crossings and the path of a shaft, by looking at every triangle and every tetrahedron in exact integers. The shaft is
//! really moved: everything is scaled by 2^104 and the points of the shaft are shifted by (2^60, 2^30, 1), which is less than
//! any difference between the lattice points and more than rounding could tell.

use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

/// A point of the lattice.
pub(crate) type Lattice = [i64; 3];
type Exact = [BigInt; 3];

/// What a segment has in common with a cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) cell: u32,
    pub(crate) segment: usize,
    /// Weights of the segment's rear end.
    pub(crate) from: f64,
    pub(crate) to: f64,
}

/// A crossing of a segment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Crossed {
    pub(crate) segment: usize,
    /// The weight of the segment's rear end.
    pub(crate) weight: f64,
    pub(crate) triangle: u32,
    /// Whether the shaft goes in toward its tip.
    pub(crate) inward: bool,
}

fn tissue(point: Lattice) -> Exact {
    point.map(|x| BigInt::from(x) << 104)
}

fn shaft(point: Lattice) -> Exact {
    let [x, y, z] = tissue(point);
    [x + (BigInt::from(1) << 60), y + (BigInt::from(1) << 30), z + 1]
}

/// Six times the volume of a tetrahedron: positive if `d` is where the normal of `a b c` points.
fn volume([a, b, c, d]: [&Exact; 4]) -> BigInt {
    let [u, v, w] = [b, c, d].map(|p| [0, 1, 2].map(|axis| &p[axis] - &a[axis]));
    let minor = |i: usize, j: usize| &u[i] * &v[j] - &u[j] * &v[i];
    minor(1, 2) * &w[0] + minor(2, 0) * &w[1] + minor(0, 1) * &w[2]
}

fn sign(value: &BigInt) -> i32 {
    match value.sign() {
        Sign::Minus => -1,
        Sign::NoSign => 0,
        Sign::Plus => 1,
    }
}

/// The same for points of the lattice, as they are.
fn lattice_volume([a, b, c, d]: [Lattice; 4]) -> i64 {
    let [u, v, w] = [b, c, d].map(|p| [0, 1, 2].map(|axis| p[axis] - a[axis]));
    let minor = |i: usize, j: usize| u[i] * v[j] - u[j] * v[i];
    minor(1, 2) * w[0] + minor(2, 0) * w[1] + minor(0, 1) * w[2]
}

/// The side of a plane on which a point of the shaft lies. The shift is too small to change the sign of an integer.
fn side([a, b, c]: [Lattice; 3], point: Lattice) -> i32 {
    match lattice_volume([a, b, c, point]).signum() {
        0 => sign(&volume([&tissue(a), &tissue(b), &tissue(c), &shaft(point)])),
        side => side as i32,
    }
}

/// How a line of the shaft turns about an edge.
fn turn([p, q]: [Lattice; 2], [a, b]: [Lattice; 2]) -> i32 {
    match lattice_volume([p, q, a, b]).signum() {
        0 => sign(&volume([&shaft(p), &shaft(q), &tissue(a), &tissue(b)])),
        turn => turn as i32,
    }
}

/// Whether the boxes of a segment and of a cell have a point in common.
fn boxes_meet(ends: &[Lattice], corners: &[Lattice]) -> bool {
    let range = |points: &[Lattice], axis: usize| {
        let all = || points.iter().map(|point| point[axis]);
        (all().min(), all().max())
    };
    (0..3).all(|axis| {
        let ((low, high), (from, to)) = (range(ends, axis), range(corners, axis));
        low <= to && from <= high
    })
}

/// A fraction with a positive denominator.
#[derive(Clone)]
struct Fraction(BigInt, BigInt);

impl Fraction {
    fn new(num: BigInt, den: BigInt) -> Self {
        if den.sign() == Sign::Minus { Self(-num, -den) } else { Self(num, den) }
    }

    fn order(&self, other: &Self) -> Ordering {
        (&self.0 * &other.1).cmp(&(&other.0 * &self.1))
    }

    fn value(&self) -> f64 {
        // Sixty binary digits of it.
        let scaled: BigInt = (&self.0 << 60) / &self.1;
        let digits = i128::try_from(scaled).expect("a weight is between 0 and 1");
        digits as f64 / 2f64.powi(60)
    }
}

/// Where a segment meets a plane: the weight of its second end.
fn meets(plane: [&Exact; 3], ends: [&Exact; 2]) -> Fraction {
    let [a, b, c] = plane;
    let [from, to] = ends.map(|end| volume([a, b, c, end]));
    Fraction::new(from.clone(), from - to)
}

/// All crossings, the nearest to the tip first.
pub(crate) fn crossings(points: &[Lattice], triangles: &[(u32, [Lattice; 3])]) -> Vec<Crossed> {
    let mut found = Vec::new();
    for (segment, ends) in points.windows(2).enumerate() {
        let (front, rear) = (ends[0], ends[1]);
        for (triangle, corners) in triangles.iter().filter(|(_, corners)| boxes_meet(ends, corners)) {
            let [a, b, c] = *corners;
            if side(*corners, front) * side(*corners, rear) >= 0 {
                continue;
            }
            let turns = [[a, b], [b, c], [c, a]].map(|edge| turn([rear, front], edge));
            if turns[0] != 0 && turns.iter().all(|turn| *turn == turns[0]) {
                let weight = meets(corners.map(tissue).each_ref(), [&shaft(front), &shaft(rear)]);
                found.push((segment, weight, *triangle, turns[0] < 0));
            }
        }
    }
    found.sort_by(|x, y| x.0.cmp(&y.0).then_with(|| x.1.order(&y.1)));
    let crossed = |(segment, weight, triangle, inward): (usize, Fraction, u32, bool)| Crossed {
        segment,
        weight: weight.value(),
        triangle,
        inward,
    };
    found.into_iter().map(crossed).collect()
}

/// Whether a tetrahedron contains a point of the shaft.
pub(crate) fn holds(corners: &[Lattice; 4], point: Lattice) -> bool {
    part(corners, [point, point]).is_some()
}

/// The parts of all segments in all tetrahedra, in the order of the shaft.
pub(crate) fn parts(points: &[Lattice], cells: &[(u32, [Lattice; 4])]) -> Vec<Part> {
    let mut found = Vec::new();
    for (segment, ends) in points.windows(2).enumerate() {
        for (cell, corners) in cells {
            if let Some((from, to)) = part(corners, [ends[0], ends[1]]) {
                found.push((segment, from, *cell, to));
            }
        }
    }
    found.sort_by(|x, y| x.0.cmp(&y.0).then_with(|| x.1.order(&y.1)));
    let part = |(segment, from, cell, to): (usize, Fraction, u32, Fraction)| Part {
        cell,
        segment,
        from: from.value(),
        to: to.value(),
    };
    found.into_iter().map(part).collect()
}

/// The part of a segment in a tetrahedron, cut by its four planes one after the other.
fn part(corners: &[Lattice; 4], ends: [Lattice; 2]) -> Option<(Fraction, Fraction)> {
    if !boxes_meet(&ends, corners) {
        return None;
    }
    let face = |apex: usize| [(apex + 1) % 4, (apex + 2) % 4, (apex + 3) % 4].map(|corner| corners[corner]);
    let mut sides = [[0; 2]; 4];
    for (apex, sides) in sides.iter_mut().enumerate() {
        let [a, b, c] = face(apex);
        let inner = lattice_volume([a, b, c, corners[apex]]).signum() as i32;
        *sides = ends.map(|end| side([a, b, c], end) * inner);
        if inner == 0 || *sides == [-1, -1] {
            return None;
        }
    }
    let mut from = Fraction::new(BigInt::from(0), BigInt::from(1));
    let mut to = Fraction::new(BigInt::from(1), BigInt::from(1));
    for (apex, sides) in sides.iter().enumerate().filter(|(_, sides)| sides[0] != sides[1]) {
        let at = meets(face(apex).map(tissue).each_ref(), ends.map(shaft).each_ref());
        if sides[0] < 0 && at.order(&from).is_gt() {
            from = at;
        } else if sides[0] > 0 && at.order(&to).is_lt() {
            to = at;
        }
    }
    from.order(&to).is_lt().then_some((from, to))
}
