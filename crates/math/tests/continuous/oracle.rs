//! An independent oracle, for vertices of any coordinates, in integers.
//!
//! The coordinates are multiplied by a power of two that makes integers of them. The time of an impact is a root of the
//! signed volume, or, where that is zero throughout, a root of the area of a vertex and an edge in some projection, or the
//! distance of two vertices along an axis, or 0. All these roots are computed between the critical points of the
//! polynomial, in fixed point, and at each the features are tested for touching with a tolerance. Let the coefficients of
//! the volume, of degree 3, be below 2^V, and those of the tested quantities, of degree 4, below 2^Q. Their resultant is an
//! integer, so that at a root a quantity is either zero or above 2^-(4 (V + 1) + 2 (Q + 3)) (Landau's bound of Mahler's
//! measure): a tolerance below that decides rightly.

use num_bigint::BigInt;
use palpate_math::continuous::{MovingPoint, Options};

use crate::constructed::meeting;
use crate::random::Random;
use crate::{KINDS, Kind, ask, count};

type Vector = [BigInt; 3];
/// Coefficients, constant first, integers.
type Polynomial = Vec<BigInt>;

fn product(a: &[BigInt], b: &[BigInt]) -> Polynomial {
    let mut c = vec![BigInt::ZERO; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            c[i + j] += x * y;
        }
    }
    c
}

fn minus(a: &[BigInt], b: &[BigInt]) -> Polynomial {
    let get = |c: &[BigInt], k: usize| c.get(k).cloned().unwrap_or_default();
    (0..a.len().max(b.len())).map(|k| get(a, k) - get(b, k)).collect()
}

fn cross_polynomials(a: &[Polynomial; 3], b: &[Polynomial; 3]) -> [Polynomial; 3] {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        minus(&product(&a[i], &b[j]), &product(&a[j], &b[i]))
    })
}

fn difference(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| &a[k] - &b[k])
}

/// A number as an integer of 53 bits times a power of two.
fn decoded(number: f64) -> (i64, i32) {
    let bits = number.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
    let (mantissa, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let zeros = if mantissa == 0 { 0 } else { mantissa.trailing_zeros() };
    ((mantissa >> zeros) * if number < 0.0 { -1 } else { 1 }, exponent + zeros as i32)
}

/// Start and end of a vertex.
type Motion = [Vector; 2];

/// The vertices of a query in integers, and numbers in fixed point that are precise enough for it.
struct Exact {
    vertices: [Motion; 4],
    /// Fractional bits of a time and of a value.
    bits: usize,
    /// A value is zero if it is below 2^-close.
    close: usize,
}

impl Exact {
    fn new(vertices: &[MovingPoint; 4]) -> Self {
        let motions = vertices.each_ref().map(|vertex| [vertex.start, vertex.end]);
        let numbers =
            || motions.iter().flatten().flat_map(|point| point.iter()).filter(|number| **number != 0.0);
        let unit = numbers().map(|&number| decoded(number).1).min().unwrap_or(0);
        let integer = |number: f64| {
            let (mantissa, exponent) = decoded(number);
            if mantissa == 0 { BigInt::ZERO } else { BigInt::from(mantissa) << (exponent - unit) as usize }
        };
        let vertices = motions.map(|motion| motion.map(|point| std::array::from_fn(|k| integer(point[k]))));
        let largest = vertices.iter().flatten().flatten().map(BigInt::bits).max().unwrap_or(0) as usize;
        // Coefficients of a difference of two vertices, of the volume, and of the quantities tested.
        let (difference, volume, tested) = (largest + 2, 3 * largest + 12, 4 * largest + 18);
        debug_assert!(volume > 3 * difference && tested > 4 * difference);
        let close = 4 * (volume + 1) + 2 * (tested + 3) + 8;
        Self { vertices, bits: close + tested + 64, close }
    }

    /// The value at a fixed-point time, in fixed point.
    fn value(&self, polynomial: &[BigInt], time: &BigInt) -> BigInt {
        let bits = self.bits;
        polynomial.iter().rev().fold(BigInt::ZERO, |sum, c| ((sum * time) >> bits) + (c << bits))
    }

    fn is_zero(&self, value: &BigInt) -> bool {
        value.bits() <= (self.bits - self.close) as u64
    }

    /// The roots in [0, 1], double ones too.
    fn roots(&self, polynomial: &[BigInt]) -> Vec<BigInt> {
        let degree = polynomial.iter().rposition(|c| *c != BigInt::ZERO).unwrap_or(0);
        if degree == 0 {
            return Vec::new();
        }
        let derivative: Polynomial = (1..=degree).map(|k| &polynomial[k] * k).collect();
        let mut ends = vec![BigInt::ZERO];
        ends.extend(self.roots(&derivative));
        ends.push(BigInt::from(1) << self.bits);
        let is_root = |end: &&BigInt| self.is_zero(&self.value(polynomial, end));
        let mut found: Vec<BigInt> = ends.iter().filter(is_root).cloned().collect();
        found.extend(ends.windows(2).filter_map(|pair| self.root_between(polynomial, &pair[0], &pair[1])));
        found.sort();
        found
    }

    /// The root between two times of opposite signs, by quadratic interval refinement (J. Abbott, "Quadratic interval
    /// refinement for real roots", 2006).
    fn root_between(&self, polynomial: &[BigInt], low: &BigInt, high: &BigInt) -> Option<BigInt> {
        let (mut low, mut high) = (low.clone(), high.clone());
        let [mut at_low, mut at_high] = [&low, &high].map(|end| self.value(polynomial, end));
        if self.is_zero(&at_low) || self.is_zero(&at_high) || at_low.sign() == at_high.sign() {
            return None;
        }
        let mut parts = 1; // the interval is divided into 2^parts
        while &high - &low > BigInt::from(1) {
            parts = parts.min((&high - &low).bits() as usize - 1).max(1);
            let width = (&high - &low) >> parts;
            let size = |value: &BigInt| BigInt::from(value.magnitude().clone());
            let part: BigInt = (size(&at_low) << parts) / (size(&at_low) + size(&at_high));
            let first = (&low + &width * part).min(&high - &width);
            let second = &first + &width;
            let [at_first, at_second] = [&first, &second].map(|end| self.value(polynomial, end));
            let (before, behind) = (at_first.sign() != at_low.sign(), at_second.sign() == at_low.sign());
            if before {
                (high, at_high) = (first, at_first);
            } else if behind {
                (low, at_low) = (second, at_second);
            } else {
                (low, at_low, high, at_high) = (first, at_first, second, at_second);
            }
            parts = if before || behind { (parts / 2).max(1) } else { 2 * parts };
        }
        Some(low)
    }

    /// The difference of two moving vertices, a linear polynomial for each axis.
    fn between(&self, from: usize, to: usize) -> [Polynomial; 3] {
        let [start, end] = [0, 1].map(|k| difference(&self.vertices[to][k], &self.vertices[from][k]));
        std::array::from_fn(|axis| vec![start[axis].clone(), &end[axis] - &start[axis]])
    }

    fn cross(&self, a: &Vector, b: &Vector) -> Vector {
        std::array::from_fn(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            (&a[i] * &b[j] - &a[j] * &b[i]) >> self.bits
        })
    }

    fn dot(&self, a: &Vector, b: &Vector) -> BigInt {
        (&a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]) >> self.bits
    }

    fn vanishes(&self, a: &Vector) -> bool {
        a.iter().all(|x| self.is_zero(x))
    }

    /// Not negative, but for the tolerance.
    fn is_positive(&self, value: &BigInt) -> bool {
        self.is_zero(value) || *value > BigInt::ZERO
    }

    fn on_edge(&self, p: &Vector, a: &Vector, b: &Vector) -> bool {
        let (along, from_a) = (difference(b, a), difference(p, a));
        if self.vanishes(&along) {
            return self.vanishes(&from_a);
        }
        let place = self.dot(&from_a, &along);
        self.vanishes(&self.cross(&from_a, &along))
            && self.is_positive(&place)
            && self.is_positive(&(self.dot(&along, &along) - place))
    }

    fn in_triangle(&self, p: &Vector, corners: [&Vector; 3]) -> bool {
        let [a, b, c] = corners;
        if self.on_edge(p, a, b) || self.on_edge(p, b, c) || self.on_edge(p, c, a) {
            return true;
        }
        let normal = self.cross(&difference(b, a), &difference(c, a));
        let inside = |[x, y]: &[&Vector; 2]| {
            self.is_positive(&self.dot(&self.cross(&difference(y, x), &difference(p, x)), &normal))
        };
        !self.vanishes(&normal)
            && self.is_zero(&self.dot(&normal, &difference(p, a)))
            && [[a, b], [b, c], [c, a]].iter().all(inside)
    }

    fn edges_meet(&self, [a, b]: [&Vector; 2], [c, d]: [&Vector; 2]) -> bool {
        if self.on_edge(a, c, d) || self.on_edge(b, c, d) || self.on_edge(c, a, b) || self.on_edge(d, a, b) {
            return true;
        }
        let (along, other) = (difference(b, a), difference(d, c));
        let normal = self.cross(&along, &other);
        // The ends of each on different sides of the plane through the other and the normal.
        let side = |p: &Vector, a: &Vector, along: &Vector| {
            let side = self.dot(&self.cross(along, &difference(p, a)), &normal);
            self.is_positive(&side)
        };
        !self.vanishes(&normal)
            && self.is_zero(&self.dot(&normal, &difference(c, a)))
            && side(c, a, &along) != side(d, a, &along)
            && side(a, c, &other) != side(b, c, &other)
    }

    /// Whether the features touch at a time.
    fn touch(&self, kind: Kind, time: &BigInt) -> bool {
        let p = self.vertices.each_ref().map(|[start, end]| {
            std::array::from_fn(|k| self.value(&[start[k].clone(), &end[k] - &start[k]], time))
        });
        match kind {
            Kind::VertexVertex => self.vanishes(&difference(&p[0], &p[1])),
            Kind::VertexEdge => self.on_edge(&p[0], &p[1], &p[2]),
            Kind::VertexTriangle => self.in_triangle(&p[0], [&p[1], &p[2], &p[3]]),
            Kind::EdgeEdge => self.edges_meet([&p[0], &p[1]], [&p[2], &p[3]]),
        }
    }
}

/// The first time at which the features touch, if any.
fn first_touch(kind: Kind, vertices: &[MovingPoint; 4]) -> Option<f64> {
    let exact = Exact::new(vertices);
    let volume = match kind {
        Kind::VertexTriangle | Kind::EdgeEdge => {
            let normal = cross_polynomials(&exact.between(1, 2), &exact.between(1, 3));
            let offset = exact.between(1, 0);
            let terms = (0..3).map(|k| product(&offset[k], &normal[k]));
            terms.fold(Vec::new(), |sum, term| {
                let negative: Polynomial = term.iter().map(|c| -c).collect();
                minus(&sum, &negative)
            })
        }
        _ => Vec::new(),
    };
    let is_flat = volume.iter().all(|c| *c == BigInt::ZERO);
    let mut times = if is_flat { vec![BigInt::ZERO] } else { exact.roots(&volume) };
    if is_flat {
        let used = match kind {
            Kind::VertexVertex => 2,
            Kind::VertexEdge => 3,
            _ => 4,
        };
        for i in 0..used {
            for j in 0..i {
                times.extend(exact.between(i, j).iter().flat_map(|axis| exact.roots(axis)));
                for k in 0..j {
                    let areas = cross_polynomials(&exact.between(i, j), &exact.between(i, k));
                    times.extend(areas.iter().flat_map(|axis| exact.roots(axis)));
                }
            }
        }
        times.sort();
    }
    let first = times.iter().find(|time| exact.touch(kind, time))?;
    let bits: BigInt = first >> (exact.bits - 60);
    let as_float: f64 = bits.to_string().parse().unwrap();
    Some(as_float * 2.0_f64.powi(-60))
}

/// Counts, for the queries of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    apart: usize,
    at_start: usize,
    later: usize,
}

impl Seen {
    /// Compares the kernel's answer with the truth.
    fn check(&mut self, kind: Kind, vertices: &[MovingPoint; 4]) {
        let answer = ask(kind, vertices, &Options::DEFAULT);
        match (answer, first_touch(kind, vertices)) {
            (None, None) => self.apart += 1,
            (Some(answer), Some(time)) => {
                let (lower, upper) = (answer.time.lower, answer.time.upper);
                let rounding = 2.0 * f64::EPSILON;
                assert!(
                    lower <= time + rounding && time <= upper + rounding,
                    "{kind:?} {vertices:?}: {answer:?}, truth {time}"
                );
                assert!(upper - lower <= Options::DEFAULT.time_tolerance, "{answer:?}");
                *(if time > 0.0 { &mut self.later } else { &mut self.at_start }) += 1;
            }
            (answer, truth) => panic!("{kind:?} {vertices:?}: {answer:?}, truth {truth:?}"),
        }
    }
}

#[test]
fn the_oracle_agrees_on_small_integers() {
    let queries = count("PALPATE_CCD_ORACLE", 3_000);
    let mut random = Random::new(14);
    let mut seen = [Seen::default(); 4];
    for query in 0..queries {
        let which = [2, 3, 2, 3, 1, 0][query % 6];
        let size = [1, 2, 4][query / 6 % 3];
        let vertices = std::array::from_fn(|_| random.grid_motion(size));
        seen[which].check(KINDS[which], &vertices);
    }
    println!("{seen:?}");
    for seen in seen {
        assert!((seen.at_start + seen.later).min(seen.apart) > queries / 200, "{seen:?}");
        assert!(seen.later > queries / 400, "{seen:?}");
    }
}

/// Queries with an impact by construction, and the same with one vertex's motion shortened, of which many have none.
#[test]
fn the_oracle_agrees_on_constructed_queries() {
    let queries = count("PALPATE_CCD_ORACLE", 3_000);
    let mut random = Random::new(15);
    let mut seen = [[Seen::default(); 2]; 2];
    for query in 0..queries {
        let kind = if query % 2 == 0 { Kind::VertexTriangle } else { Kind::EdgeEdge };
        let (mut vertices, _) = meeting(&mut random, kind);
        let is_shortened = query % 4 >= 2;
        if is_shortened {
            let vertex = &mut vertices[random.integer(0, 3) as usize];
            vertex.end = vertex.start + (vertex.end - vertex.start) * 0.5;
        }
        seen[query % 2][usize::from(is_shortened)].check(kind, &vertices);
    }
    println!("{seen:?}");
    for [given, shortened] in seen {
        assert!(given.apart == 0 && given.later > queries / 8, "{given:?}");
        assert!(shortened.apart > queries / 40 && shortened.later > queries / 40, "{shortened:?}");
    }
}

/// Constructed queries of which every coordinate is changed a little, from its last bits to a thousandth: nearly
/// degenerate, with coordinates of 53 bits.
// Proves: REQ-CCD-PROOF
#[test]
fn the_oracle_agrees_on_disturbed_queries() {
    let queries = count("PALPATE_CCD_ORACLE", 3_000);
    let mut random = Random::new(16);
    let mut seen = [[Seen::default(); 3]; 2];
    for query in 0..queries {
        let kind = if query % 2 == 0 { Kind::VertexTriangle } else { Kind::EdgeEdge };
        let (mut vertices, _) = meeting(&mut random, kind);
        let size = query / 2 % 3;
        let change = [1e-15, 1e-9, 1e-3][size];
        for point in vertices.iter_mut().flat_map(|vertex| [&mut vertex.start, &mut vertex.end]) {
            point.coords.apply(|x| *x *= 1.0 + change * random.number());
        }
        seen[query % 2][size].check(kind, &vertices);
    }
    println!("{seen:?}");
    for seen in seen.iter().flatten() {
        assert!(seen.apart > queries / 40 && seen.later > queries / 40, "{seen:?}");
    }
}
