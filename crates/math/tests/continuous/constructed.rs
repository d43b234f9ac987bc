//! Impacts by construction: the point and the time of the impact are chosen first, and the motions built through them with
//! numbers of so few bits that nothing is rounded. The features really meet, so none may be missed.

use palpate_math::continuous::{MovingPoint, Options};
use palpate_math::{Point, Vector};

use crate::random::Random;
use crate::{Kind, ask, count};

/// The denominator of times and weights.
const PARTS: i64 = 1 << 8;

/// Weights of `n` vertices in multiples of `1 / PARTS`, some of them zero.
fn weights<const N: usize>(random: &mut Random) -> [f64; N] {
    let mut left = PARTS;
    let mut weights = [0.0; N];
    let last = random.integer(0, N as i64 - 1) as usize;
    for place in (0..N).filter(|&place| place != last) {
        let part = match random.integer(0, 3) {
            0 => 0,
            1 => random.integer(0, 1).min(left),
            _ => random.integer(0, left),
        };
        left -= part;
        weights[place] = part as f64;
    }
    weights[last] = left as f64;
    weights.map(|weight| weight / PARTS as f64)
}

/// Integer coordinates of up to 16 bits, in regimes.
fn offset(random: &mut Random) -> Vector {
    let size = [3, 40, 30_000][random.integer(0, 2) as usize];
    let mut offset = random.grid_point(size).coords;
    if random.integer(0, 3) == 0 {
        offset[random.integer(0, 2) as usize] = 0.0;
    }
    offset
}

/// Two vectors of a feature: any two, nearly parallel, or parallel.
fn directions(random: &mut Random) -> [Vector; 2] {
    let first = offset(random);
    let second = match random.integer(0, 5) {
        0 => first * random.integer(-3, 3) as f64,
        1 | 2 => first * random.integer(-3, 3) as f64 + random.grid_point(1).coords,
        _ => offset(random),
    };
    [first, second]
}

/// Velocities: of one vertex alone, of a body and some noise, or any; grazing where they have no component across.
fn velocities(random: &mut Random, across: &Vector) -> [Vector; 4] {
    let common = offset(random);
    let mut velocities: [Vector; 4] = match random.integer(0, 3) {
        0 => [common, Vector::zeros(), Vector::zeros(), Vector::zeros()],
        1 => std::array::from_fn(|_| common + random.grid_point(1).coords),
        _ => std::array::from_fn(|_| offset(random)),
    };
    if random.integer(0, 3) == 0 {
        // Within the plane of the impact, and for one axis without rounding: the largest component is left out.
        let axis = across.iamax();
        velocities.iter_mut().for_each(|velocity| velocity[axis] = 0.0);
    }
    velocities
}

/// Four vertices that meet at the time returned, as the features of `kind`.
pub(crate) fn meeting(random: &mut Random, kind: Kind) -> ([MovingPoint; 4], f64) {
    let [u, v] = directions(random);
    let origin = offset(random);
    let positions: [Vector; 4] = match kind {
        Kind::VertexTriangle => {
            let [_, b, c] = weights::<3>(random);
            [origin + u * b + v * c, origin, origin + u, origin + v]
        }
        _ => {
            let ([_, s], [_, t]) = (weights::<2>(random), weights::<2>(random));
            let from = origin + u * s - v * t;
            [origin, origin + u, from, from + v]
        }
    };
    let time = match random.integer(0, 5) {
        0 => 0.0,
        1 => 1.0,
        _ => random.integer(0, PARTS) as f64 / PARTS as f64,
    };
    let moving = velocities(random, &u.cross(&v));
    let scale = 2.0_f64.powi(random.integer(-35, -5) as i32);
    let vertices = std::array::from_fn(|k| {
        let start = positions[k] - moving[k] * time;
        let end = positions[k] + moving[k] * (1.0 - time);
        MovingPoint::new(Point::from(start * scale), Point::from(end * scale))
    });
    (vertices, time)
}

// Proves: REQ-CCD-PROOF
#[test]
fn no_impact_by_construction_is_missed() {
    let queries = count("PALPATE_CCD_QUERIES", 20_000);
    let mut random = Random::new(1007);
    let (mut missed, mut at_the_time, mut earlier) = (0_usize, 0_usize, 0_usize);
    for query in 0..queries {
        let kind = if query % 2 == 0 { Kind::VertexTriangle } else { Kind::EdgeEdge };
        let (vertices, time) = meeting(&mut random, kind);
        let Some(impact) = ask(kind, &vertices, &Options::DEFAULT) else {
            missed += 1;
            println!("missed: {kind:?} {vertices:?} at {time}");
            continue;
        };
        assert!(impact.time.lower <= time, "{kind:?} {vertices:?}: {impact:?}, but they meet at {time}");
        if impact.time.upper >= time {
            at_the_time += 1;
        } else {
            earlier += 1;
        }
    }
    println!("counted: impacts made by construction, of which none may be missed: {queries}");
    println!("{queries} queries, {missed} missed, {at_the_time} at the time chosen, {earlier} earlier");
    assert_eq!(missed, 0);
    assert!(at_the_time > queries / 2 && earlier > queries / 1000, "{at_the_time} {earlier}");
}
