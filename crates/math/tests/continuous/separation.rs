//! Impacts within a separation, against closed forms and against distances at many times.

use palpate_math::continuous::{Certainty, MovingPoint, Options};
use palpate_math::nearest::{point_segment, point_triangle, segment_segment};
use palpate_math::{Point, Vector};

use crate::random::Random;
use crate::{KINDS, Kind, ask, count};

fn distance(kind: Kind, v: &[MovingPoint; 4], time: f64) -> f64 {
    let [a, b, c, d] = v.map(|vertex| vertex.at(time));
    match kind {
        Kind::VertexVertex => (b - a).norm(),
        Kind::VertexEdge => point_segment(&a, &b, &c).distance_squared.sqrt(),
        Kind::VertexTriangle => point_triangle(&a, &b, &c, &d).distance_squared.sqrt(),
        Kind::EdgeEdge => segment_segment(&a, &b, &c, &d).distance_squared.sqrt(),
    }
}

/// The distance of the two weighted points at that time.
fn weighted_distance(kind: Kind, v: &[MovingPoint; 4], time: f64, weights: &[f64; 4]) -> f64 {
    let first = if kind == Kind::EdgeEdge { 2 } else { 1 };
    let mut sum = Vector::zeros();
    for (place, (vertex, &weight)) in v.iter().zip(weights).enumerate() {
        sum += vertex.at(time).coords * if place < first { weight } else { -weight };
    }
    sum.norm()
}

#[test]
fn sampled_distances_agree() {
    let samples = 64;
    let mut random = Random::new(77);
    let (mut impacts, mut open, mut late, mut apart, mut at_start) = (0, 0, 0, 0, 0);
    for query in 0..count("PALPATE_CCD_SEPARATIONS", 12_000) {
        let kind = KINDS[query % 4];
        let v: [MovingPoint; 4] = match query / 4 % 3 {
            0 => std::array::from_fn(|_| random.grid_motion(2)),
            1 => std::array::from_fn(|_| random.motion()),
            _ => {
                // Small and fast, far from the origin.
                let far = random.point().coords * 10.0;
                std::array::from_fn(|_| {
                    let (start, end) = (random.point() * 0.1 + far, random.point() + far);
                    MovingPoint::new(start, end)
                })
            }
        };
        let separation = [1e-9, 1e-3, 0.05, 0.5][query / 12 % 4];
        let size =
            v.iter().flat_map(|x| x.start.iter().chain(x.end.iter())).fold(0.0_f64, |m, x| m.max(x.abs()));
        let rounding = 1e-13 * size;
        let found = ask(kind, &v, &Options::with_separation(separation));
        let before = found.map_or(1.0, |impact| impact.time.lower);
        for sample in (0..samples).filter(|_| before > 0.0) {
            let time = before * f64::from(sample) / f64::from(samples);
            let distance = distance(kind, &v, time);
            assert!(
                distance > separation - rounding,
                "{kind:?} {v:?} {separation}: {distance} at {time}, {found:?}"
            );
        }
        let Some(impact) = found else {
            apart += 1;
            assert!(distance(kind, &v, 1.0) > separation - rounding);
            continue;
        };
        impacts += 1;
        at_start += usize::from(impact.time.upper == 0.0);
        if impact.certainty == Certainty::Open {
            open += 1;
            continue;
        }
        let width = impact.time.upper - impact.time.lower;
        let is_narrow = width <= 1.000_001 * Options::DEFAULT.time_tolerance;
        assert!(is_narrow || impact.certainty == Certainty::Late, "{impact:?}");
        late += usize::from(impact.certainty == Certainty::Late);
        let reached = distance(kind, &v, impact.time.upper);
        assert!(reached <= separation + rounding, "{kind:?} {v:?} {separation}: {reached} at {impact:?}");
        let reached = weighted_distance(kind, &v, impact.time.upper, &impact.weights);
        assert!(reached <= separation + rounding, "{kind:?} {v:?} {separation}: {reached} at {impact:?}");
    }
    println!("{impacts} impacts ({at_start} at the start, {late} late, {open} open), {apart} apart");
    assert!(impacts > 1_500 && apart > 1_500 && at_start > 100, "{impacts} {apart} {at_start}");
    assert!((open + late) * 200 < impacts, "{open} and {late} of {impacts} are open and late");
}

#[test]
fn closed_forms_agree() {
    let rest = |x: f64, y: f64, z: f64| MovingPoint::at_rest(Point::new(x, y, z));
    let moves = |start: [f64; 3], end: [f64; 3]| MovingPoint::new(Point::from(start), Point::from(end));
    let o = rest(0.0, 0.0, 0.0);
    let face = |vertex| [vertex, o, rest(1.0, 0.0, 0.0), rest(0.0, 1.0, 0.0)];
    let cases = [
        ("falling", Kind::VertexTriangle, face(moves([0.2, 0.2, 1.0], [0.2, 0.2, -1.0])), 0.1, Some(0.45)),
        ("sliding above", Kind::VertexTriangle, face(moves([-1.0, 0.2, 0.1], [2.0, 0.2, 0.1])), 0.09, None),
        (
            "sliding within",
            Kind::VertexTriangle,
            face(moves([-1.0, 0.2, 0.0], [2.0, 0.2, 0.0])),
            0.1,
            Some(0.3),
        ),
        ("past a corner", Kind::VertexTriangle, face(moves([0.0, -1.0, 0.0], [-1.0, 0.0, 0.0])), 0.7, None),
        (
            "near a corner",
            Kind::VertexTriangle,
            face(moves([0.0, -1.0, 0.0], [-1.0, 0.0, 0.0])),
            0.71,
            Some(0.45),
        ),
        (
            "in contact at the start",
            Kind::VertexTriangle,
            face(moves([0.2, 0.2, 0.05], [0.2, 0.2, 1.0])),
            0.1,
            Some(0.0),
        ),
        (
            "two spheres",
            Kind::VertexVertex,
            [moves([3.0, 0.0, 0.0], [-1.0, 0.0, 0.0]), o, o, o],
            1.0,
            Some(0.5),
        ),
        ("identical", Kind::EdgeEdge, [o, rest(1.0, 0.0, 0.0), o, rest(1.0, 0.0, 0.0)], 0.1, Some(0.0)),
        (
            "parallel threads",
            Kind::EdgeEdge,
            [
                o,
                rest(1.0, 0.0, 0.0),
                moves([0.0, 0.0, 1.0], [0.0, 0.0, 0.0]),
                moves([1.0, 0.0, 1.0], [1.0, 0.0, 0.0]),
            ],
            0.25,
            Some(0.75),
        ),
    ];
    for (name, kind, v, separation, expected) in cases {
        let found = ask(kind, &v, &Options::with_separation(separation));
        assert_eq!(found.is_some(), expected.is_some(), "{name}: {found:?}");
        if let (Some(impact), Some(time)) = (found, expected) {
            // The case near a corner is known to two digits.
            let close = if name == "near a corner" { 0.05 } else { 2e-6 };
            assert!((impact.time.upper - time).abs() <= close, "{name}: {impact:?}, wanted {time}");
            assert_ne!(impact.certainty, Certainty::Open, "{name}");
        }
    }
}

/// A vertex that passes the origin at that distance at time 3/8, along no axis.
fn passing(distance: f64) -> MovingPoint {
    let (along, across) = (Vector::new(0.6, 0.8, 0.0), Vector::new(-0.8, 0.6, 0.0));
    let nearest = Point::from(across * distance);
    MovingPoint::new(nearest - along * 3.0, nearest + along * 5.0)
}

// Proves: REQ-NO-SILENCE
#[test]
fn an_exhausted_budget_is_an_impact_that_is_open() {
    let o = MovingPoint::at_rest(Point::origin());
    let passing = passing(1.5);
    let v = [passing, o, o, o];
    let options = Options { budget: 1, ..Options::with_separation(1.0) };
    let impact = ask(Kind::VertexVertex, &v, &options).unwrap();
    assert_eq!((impact.certainty, impact.time.upper), (Certainty::Open, 1.0));
    assert!(impact.time.lower > 0.0);
    assert_eq!(ask(Kind::VertexVertex, &v, &Options::with_separation(1.0)), None);
}

#[test]
fn a_motion_that_grazes_the_separation_ends() {
    let o = MovingPoint::at_rest(Point::origin());
    for height in [1.0, 1.0 + 1e-15, 1.0 + 1e-9, 1.0 + 1e-3] {
        let passing = passing(height);
        let found = ask(Kind::VertexVertex, &[passing, o, o, o], &Options::with_separation(1.0));
        if height > 1.0 + 1e-12 {
            assert_eq!(found, None, "{height}");
        } else {
            let impact = found.unwrap();
            assert_ne!(impact.certainty, Certainty::Open, "{height}");
            assert!((impact.time.upper - 0.375).abs() < 1e-6, "{impact:?}");
        }
    }
}
