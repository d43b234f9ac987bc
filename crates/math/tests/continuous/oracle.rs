//! An independent oracle for vertices with integer coordinates.
//!
//! The time of an impact is a root of the signed volume, or, where that is zero throughout, a root of the
//! area of a vertex and an edge in some projection, or the distance of two vertices along an axis, or 0. All these roots are computed
//! between the critical points of the polynomial, in fixed point with [`BITS`] fractional bits, and at each the features
//! are tested for touching with a tolerance of 2^-[`CLOSE`]. With coordinates up to 4 the coefficients of the volume
//! are below 2^18, those of the tested quantities, of degree 4, below 2^23. Their resultant is an integer, so that at a
//! root a quantity is either zero or above 2^-(4 * 18 + 2 * 23): the tolerance decides rightly.

use num_bigint::BigInt;
use palpate_math::continuous::{MovingPoint, Options};

use crate::random::Random;
use crate::{KINDS, Kind, ask, count};

/// Fractional bits of a time and of a value.
const BITS: usize = 320;
/// A value is zero if it is below 2^-CLOSE.
const CLOSE: usize = 170;

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

/// The value at a fixed-point time, in fixed point.
fn value(polynomial: &[BigInt], time: &BigInt) -> BigInt {
    polynomial.iter().rev().fold(BigInt::ZERO, |sum, c| ((sum * time) >> BITS) + (c << BITS))
}

fn is_zero(value: &BigInt) -> bool {
    value.bits() <= (BITS - CLOSE) as u64
}

/// The roots in [0, 1], double ones too.
fn roots(polynomial: &[BigInt]) -> Vec<BigInt> {
    let degree = polynomial.iter().rposition(|c| *c != BigInt::ZERO).unwrap_or(0);
    if degree == 0 {
        return Vec::new();
    }
    let derivative: Polynomial = (1..=degree).map(|k| &polynomial[k] * k).collect();
    let mut ends = vec![BigInt::ZERO];
    ends.extend(roots(&derivative));
    ends.push(BigInt::from(1) << BITS);
    let mut found: Vec<BigInt> =
        ends.iter().filter(|end| is_zero(&value(polynomial, end))).cloned().collect();
    for pair in ends.windows(2) {
        let (mut low, mut high) = (pair[0].clone(), pair[1].clone());
        let [at_low, at_high] = [&low, &high].map(|end| value(polynomial, end));
        if is_zero(&at_low) || is_zero(&at_high) || at_low.sign() == at_high.sign() {
            continue;
        }
        while &high - &low > BigInt::from(1) {
            let middle: BigInt = (&low + &high) >> 1;
            if value(polynomial, &middle).sign() == at_low.sign() { low = middle } else { high = middle }
        }
        found.push(low);
    }
    found.sort();
    found
}

/// The difference of two moving vertices, a linear polynomial for each axis.
fn linear(from: &MovingPoint, to: &MovingPoint) -> [Polynomial; 3] {
    std::array::from_fn(|k| {
        let (start, end) = ((to.start[k] - from.start[k]) as i64, (to.end[k] - from.end[k]) as i64);
        vec![BigInt::from(start), BigInt::from(end - start)]
    })
}

fn cross_polynomials(a: &[Polynomial; 3], b: &[Polynomial; 3]) -> [Polynomial; 3] {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        minus(&product(&a[i], &b[j]), &product(&a[j], &b[i]))
    })
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        (&a[i] * &b[j] - &a[j] * &b[i]) >> BITS
    })
}

fn dot(a: &Vector, b: &Vector) -> BigInt {
    (&a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]) >> BITS
}

fn difference(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| &a[k] - &b[k])
}

fn vanishes(a: &Vector) -> bool {
    a.iter().all(is_zero)
}

/// Not negative, but for the tolerance.
fn is_positive(value: &BigInt) -> bool {
    is_zero(value) || *value > BigInt::ZERO
}

fn on_edge(p: &Vector, a: &Vector, b: &Vector) -> bool {
    let (along, from_a) = (difference(b, a), difference(p, a));
    if vanishes(&along) {
        return vanishes(&from_a);
    }
    let place = dot(&from_a, &along);
    vanishes(&cross(&from_a, &along)) && is_positive(&place) && is_positive(&(dot(&along, &along) - place))
}

fn in_triangle(p: &Vector, corners: [&Vector; 3]) -> bool {
    let [a, b, c] = corners;
    if on_edge(p, a, b) || on_edge(p, b, c) || on_edge(p, c, a) {
        return true;
    }
    let normal = cross(&difference(b, a), &difference(c, a));
    let sides = [[a, b], [b, c], [c, a]];
    !vanishes(&normal)
        && is_zero(&dot(&normal, &difference(p, a)))
        && sides.iter().all(|[x, y]| is_positive(&dot(&cross(&difference(y, x), &difference(p, x)), &normal)))
}

fn edges_meet([a, b]: [&Vector; 2], [c, d]: [&Vector; 2]) -> bool {
    if on_edge(a, c, d) || on_edge(b, c, d) || on_edge(c, a, b) || on_edge(d, a, b) {
        return true;
    }
    let (along, other) = (difference(b, a), difference(d, c));
    let normal = cross(&along, &other);
    // The ends of each on different sides of the plane through the other and the normal.
    let side = |p: &Vector, a: &Vector, along: &Vector| dot(&cross(along, &difference(p, a)), &normal);
    let apart =
        |x: BigInt, y: BigInt| !is_positive(&x) && is_positive(&y) || is_positive(&x) && !is_positive(&y);
    !vanishes(&normal)
        && is_zero(&dot(&normal, &difference(c, a)))
        && apart(side(c, a, &along), side(d, a, &along))
        && apart(side(a, c, &other), side(b, c, &other))
}

/// The first time at which the features touch, if any.
fn first_touch(kind: Kind, v: &[MovingPoint; 4]) -> Option<f64> {
    let between = |i: usize, j: usize| linear(&v[i], &v[j]);
    let volume = match kind {
        Kind::VertexTriangle | Kind::EdgeEdge => {
            let normal = cross_polynomials(&between(1, 2), &between(1, 3));
            let offset = between(1, 0);
            let terms: Vec<Polynomial> = (0..3).map(|k| product(&offset[k], &normal[k])).collect();
            terms.iter().fold(Vec::new(), |sum, term| {
                let negative: Polynomial = term.iter().map(|c| -c).collect();
                minus(&sum, &negative)
            })
        }
        _ => Vec::new(),
    };
    let is_flat = volume.iter().all(|c| *c == BigInt::ZERO);
    let mut times = if is_flat { vec![BigInt::ZERO] } else { roots(&volume) };
    if is_flat {
        let used = if kind == Kind::VertexVertex {
            2
        } else if kind == Kind::VertexEdge {
            3
        } else {
            4
        };
        for i in 0..used {
            for j in 0..i {
                times.extend(between(i, j).iter().flat_map(|axis| roots(axis)));
                for k in 0..j {
                    times.extend(
                        cross_polynomials(&between(i, j), &between(i, k)).iter().flat_map(|axis| roots(axis)),
                    );
                }
            }
        }
        times.sort();
    }
    let touches = |time: &BigInt| {
        let p: [Vector; 4] = v.each_ref().map(|vertex| {
            std::array::from_fn(|k| {
                let (start, end) = (vertex.start[k] as i64, vertex.end[k] as i64);
                value(&[BigInt::from(start), BigInt::from(end - start)], time)
            })
        });
        match kind {
            Kind::VertexVertex => vanishes(&difference(&p[0], &p[1])),
            Kind::VertexEdge => on_edge(&p[0], &p[1], &p[2]),
            Kind::VertexTriangle => in_triangle(&p[0], [&p[1], &p[2], &p[3]]),
            Kind::EdgeEdge => edges_meet([&p[0], &p[1]], [&p[2], &p[3]]),
        }
    };
    let first = times.iter().find(|time| touches(time))?;
    let bits: BigInt = first >> (BITS - 60);
    let as_float: f64 = bits.to_string().parse().unwrap();
    Some(as_float * 2.0_f64.powi(-60))
}

#[test]
fn the_oracle_agrees() {
    let queries = count("PALPATE_CCD_ORACLE", 3_000);
    let mut random = Random::new(14);
    let (mut impacts, mut after_start, mut apart) = ([0; 4], [0; 4], [0; 4]);
    for query in 0..queries {
        let which = [2, 3, 2, 3, 1, 0][query % 6];
        let kind = KINDS[which];
        let size = [1, 2, 4][query / 6 % 3];
        let v: [MovingPoint; 4] = std::array::from_fn(|_| random.grid_motion(size));
        let answer = ask(kind, &v, &Options::DEFAULT);
        let truth = first_touch(kind, &v);
        assert_eq!(answer.is_some(), truth.is_some(), "{kind:?} {v:?}: {answer:?}, truth {truth:?}");
        match (answer, truth) {
            (Some(answer), Some(time)) => {
                let (lower, upper) = (answer.time.lower, answer.time.upper);
                let rounding = 2.0 * f64::EPSILON;
                assert!(
                    lower <= time + rounding && time <= upper + rounding,
                    "{kind:?} {v:?}: {answer:?}, truth {time}"
                );
                assert!(upper - lower <= Options::DEFAULT.time_tolerance, "{answer:?}");
                impacts[which] += 1;
                after_start[which] += usize::from(time > 0.0);
            }
            _ => apart[which] += 1,
        }
    }
    println!("impacts {impacts:?}, after the start {after_start:?}, apart {apart:?}");
    assert!(impacts.iter().chain(&apart).all(|&n| n > queries / 200), "{impacts:?} {apart:?}");
    assert!(after_start.iter().all(|&n| n > queries / 400), "{after_start:?}");
}
