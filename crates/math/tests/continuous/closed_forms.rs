//! Cases whose answers are known in closed form, degenerate ones above all.

use palpate_math::Point;
use palpate_math::continuous::{Certainty, MovingPoint, Options};

use crate::Kind::{self, EdgeEdge, VertexEdge, VertexTriangle, VertexVertex};
use crate::ask;

fn at(x: f64, y: f64, z: f64) -> MovingPoint {
    MovingPoint::at_rest(Point::new(x, y, z))
}

fn from_to(start: [f64; 3], end: [f64; 3]) -> MovingPoint {
    MovingPoint::new(Point::from(start), Point::from(end))
}

/// The right triangle in the plane z = 0, at rest.
fn triangle(vertex: MovingPoint) -> [MovingPoint; 4] {
    [vertex, at(0.0, 0.0, 0.0), at(1.0, 0.0, 0.0), at(0.0, 1.0, 0.0)]
}

/// The segment from the origin to (1, 0, 0) at rest, and two moving ends.
fn edge(c: MovingPoint, d: MovingPoint) -> [MovingPoint; 4] {
    [at(0.0, 0.0, 0.0), at(1.0, 0.0, 0.0), c, d]
}

const O: MovingPoint = MovingPoint::at_rest(Point::new(0.0, 0.0, 0.0));

/// Name, features, vertices, time of the first impact.
fn cases() -> Vec<(&'static str, Kind, [MovingPoint; 4], Option<f64>)> {
    let third = 1.0 / 3.0;
    let moves = from_to;
    vec![
        (
            "through the face",
            VertexTriangle,
            triangle(moves([0.25, 0.25, 1.0], [0.25, 0.25, -2.0])),
            Some(third),
        ),
        ("past the face", VertexTriangle, triangle(moves([0.75, 0.75, 1.0], [0.75, 0.75, -2.0])), None),
        (
            "through the long edge",
            VertexTriangle,
            triangle(moves([0.5, 0.5, 1.0], [0.5, 0.5, -1.0])),
            Some(0.5),
        ),
        ("through a corner", VertexTriangle, triangle(moves([1.0, 0.0, 1.0], [1.0, 0.0, -2.0])), Some(third)),
        (
            "one bit past a corner",
            VertexTriangle,
            triangle(moves([1.0 + f64::EPSILON, 0.0, 1.0], [1.0 + f64::EPSILON, 0.0, -2.0])),
            None,
        ),
        (
            "reaches the face at the end",
            VertexTriangle,
            triangle(moves([0.25, 0.25, 1.0], [0.25, 0.25, 0.0])),
            Some(1.0),
        ),
        (
            "one bit short at the end",
            VertexTriangle,
            triangle(moves([0.25, 0.25, 1.0], [0.25, 0.25, f64::MIN_POSITIVE])),
            None,
        ),
        (
            "a subnormal short at the end",
            VertexTriangle,
            triangle(moves([0.25, 0.25, 1.0], [0.25, 0.25, f64::from_bits(1)])),
            None,
        ),
        (
            "on the face at the start, leaving",
            VertexTriangle,
            triangle(moves([0.25, 0.25, 0.0], [0.25, 0.25, 1.0])),
            Some(0.0),
        ),
        ("on the face at the start, staying", VertexTriangle, triangle(at(0.25, 0.25, 0.0)), Some(0.0)),
        (
            "on an edge at the start, leaving",
            VertexTriangle,
            triangle(moves([0.5, 0.0, 0.0], [0.5, -1.0, 1.0])),
            Some(0.0),
        ),
        (
            "at a corner at the start, leaving",
            VertexTriangle,
            triangle(moves([0.0; 3], [-1.0, -1.0, 1.0])),
            Some(0.0),
        ),
        ("no motion, apart", VertexTriangle, triangle(at(0.25, 0.25, 1e-9)), None),
        (
            "in the plane, into the triangle",
            VertexTriangle,
            triangle(moves([-1.0, 0.25, 0.0], [1.0, 0.25, 0.0])),
            Some(0.5),
        ),
        (
            "in the plane, over a corner",
            VertexTriangle,
            triangle(moves([0.0, -1.0, 0.0], [-1.0, 0.0, 0.0])),
            None,
        ),
        (
            "in the plane, to a corner",
            VertexTriangle,
            triangle(moves([1.0, -1.0, 0.0], [-1.0, 1.0, 0.0])),
            Some(0.5),
        ),
        ("in the plane, away", VertexTriangle, triangle(moves([-1.0, 0.0, 0.0], [-2.0, 0.5, 0.0])), None),
        (
            "grazes the face twice",
            VertexTriangle,
            [
                moves([0.25, 0.25, 1.0], [0.25, 0.25, -1.0]),
                moves([0.0, 0.0, -1.0], [0.0, 0.0, 1.0]),
                moves([1.0, 0.0, -1.0], [1.0, 0.0, 1.0]),
                moves([0.0, 1.0, -1.0], [0.0, 1.0, 1.0]),
            ],
            Some(0.5),
        ),
        (
            "a triangle that is a segment",
            VertexTriangle,
            [moves([0.5, 0.0, 1.0], [0.5, 0.0, -1.0]), O, at(1.0, 0.0, 0.0), at(0.25, 0.0, 0.0)],
            Some(0.5),
        ),
        (
            "a triangle that is a segment, missed",
            VertexTriangle,
            [moves([1.5, 0.0, 1.0], [1.5, 0.0, -1.0]), O, at(1.0, 0.0, 0.0), at(0.25, 0.0, 0.0)],
            None,
        ),
        ("a triangle that is a point", VertexTriangle, [moves([1.0; 3], [-2.0; 3]), O, O, O], Some(third)),
        (
            "a triangle that is a point, missed",
            VertexTriangle,
            [moves([1.0; 3], [-2.0, -2.0, -2.5]), O, O, O],
            None,
        ),
        ("all vertices are one", VertexTriangle, [O; 4], Some(0.0)),
        ("all vertices are one, moving", VertexTriangle, [moves([1.0; 3], [2.0; 3]); 4], Some(0.0)),
        (
            "a triangle that collapses as it is met",
            VertexTriangle,
            [
                moves([0.25, 0.0, 1.0], [0.25, 0.0, -1.0]),
                O,
                at(1.0, 0.0, 0.0),
                moves([0.0, 1.0, 0.0], [0.0, -1.0, 0.0]),
            ],
            Some(0.5),
        ),
        (
            // The volume is zero at the start, at 5/8 and at the end.
            "between two coplanar ends",
            VertexTriangle,
            [
                moves([-1.0, 1.0, 1.0], [1.0, 0.0, 0.0]),
                moves([-1.0, 1.0, 0.0], [0.0, 0.0, 1.0]),
                moves([-1.0, 1.0, -1.0], [1.0, 1.0, 1.0]),
                moves([0.0, -1.0, 1.0], [1.0, 0.0, 0.0]),
            ],
            Some(0.625),
        ),
        (
            "moving together, apart",
            VertexTriangle,
            [
                moves([0.2, 0.2, 0.1], [100.2, 50.2, 30.1]),
                moves([0.0; 3], [100.0, 50.0, 30.0]),
                moves([1.0, 0.0, 0.0], [101.0, 50.0, 30.0]),
                moves([0.0, 1.0, 0.0], [100.0, 51.0, 30.0]),
            ],
            None,
        ),
        (
            "crossing edges",
            EdgeEdge,
            edge(moves([0.5, -1.0, 1.0], [0.5, -1.0, -2.0]), moves([0.5, 1.0, 1.0], [0.5, 1.0, -2.0])),
            Some(third),
        ),
        (
            "end on end",
            EdgeEdge,
            edge(moves([1.0, 0.0, 1.0], [1.0, 0.0, -1.0]), moves([1.0, 1.0, 1.0], [1.0, 1.0, -1.0])),
            Some(0.5),
        ),
        (
            "one bit past the end",
            EdgeEdge,
            edge(
                moves([1.0 + f64::EPSILON, 0.0, 1.0], [1.0 + f64::EPSILON, 0.0, -1.0]),
                moves([1.0 + f64::EPSILON, 1.0, 1.0], [1.0 + f64::EPSILON, 1.0, -1.0]),
            ),
            None,
        ),
        (
            "parallel, onto each other",
            EdgeEdge,
            edge(moves([0.5, 0.0, 1.0], [0.5, 0.0, -1.0]), moves([2.0, 0.0, 1.0], [2.0, 0.0, -1.0])),
            Some(0.5),
        ),
        (
            "parallel, past each other",
            EdgeEdge,
            edge(moves([1.5, 0.0, 1.0], [1.5, 0.0, -1.0]), moves([2.0, 0.0, 1.0], [2.0, 0.0, -1.0])),
            None,
        ),
        (
            "on one line, into each other",
            EdgeEdge,
            edge(moves([3.0, 0.0, 0.0], [0.0, 0.0, 0.0]), moves([5.0, 0.0, 0.0], [2.0, 0.0, 0.0])),
            Some(2.0 / 3.0),
        ),
        (
            "on one line, apart",
            EdgeEdge,
            edge(moves([3.0, 0.0, 0.0], [1.5, 0.0, 0.0]), moves([5.0, 0.0, 0.0], [2.0, 0.0, 0.0])),
            None,
        ),
        ("identical edges", EdgeEdge, edge(O, at(1.0, 0.0, 0.0)), Some(0.0)),
        ("a shared end, opening", EdgeEdge, edge(O, moves([1.0, 0.0, 0.0], [1.0, 1.0, 0.0])), Some(0.0)),
        (
            "in one plane, one into the other",
            EdgeEdge,
            edge(moves([0.5, 1.0, 0.0], [0.5, -1.0, 0.0]), moves([0.5, 2.0, 0.0], [0.5, 1.0, 0.0])),
            Some(0.5),
        ),
        (
            "in one plane, apart",
            EdgeEdge,
            edge(moves([0.5, 2.0, 0.0], [0.5, 0.5, 0.0]), moves([2.5, 3.0, 0.0], [0.7, 1.0, 0.0])),
            None,
        ),
        (
            "both edges are points",
            EdgeEdge,
            [moves([1.0; 3], [-1.0; 3]), moves([1.0; 3], [-1.0; 3]), O, O],
            Some(0.5),
        ),
        (
            "an edge that is a point, on the other",
            EdgeEdge,
            edge(moves([0.25, 0.0, 1.0], [0.25, 0.0, -1.0]), moves([0.25, 0.0, 1.0], [0.25, 0.0, -1.0])),
            Some(0.5),
        ),
        (
            "an edge turning through parallel",
            EdgeEdge,
            edge(moves([0.0, 1.0, 1.0], [0.0, -1.0, -1.0]), moves([1.0, -1.0, 1.0], [1.0, 1.0, -1.0])),
            Some(0.5),
        ),
        (
            "vertex through an edge",
            VertexEdge,
            [moves([0.5, 1.0, 1.0], [0.5, -2.0, -2.0]), O, at(1.0, 0.0, 0.0), O],
            Some(third),
        ),
        (
            "vertex beside an edge",
            VertexEdge,
            [moves([0.5, 1.0, 1.0], [0.5, -2.0, -2.0 - 1e-15]), O, at(1.0, 0.0, 0.0), O],
            None,
        ),
        (
            "vertex along an edge",
            VertexEdge,
            [moves([-1.0, 0.0, 0.0], [3.0, 0.0, 0.0]), O, at(1.0, 0.0, 0.0), O],
            Some(0.25),
        ),
        (
            "vertex along an edge, not reaching it",
            VertexEdge,
            [moves([-1.0, 0.0, 0.0], [-0.5, 0.0, 0.0]), O, at(1.0, 0.0, 0.0), O],
            None,
        ),
        (
            "vertex on an edge at the start",
            VertexEdge,
            [moves([0.5, 0.0, 0.0], [0.5, 1.0, 0.0]), O, at(1.0, 0.0, 0.0), O],
            Some(0.0),
        ),
        (
            "an edge that shrinks to a point",
            VertexEdge,
            [at(0.0, 0.0, 0.0), moves([-1.0, 1.0, 0.0], [0.0; 3]), moves([1.0, 1.0, 0.0], [0.0; 3]), O],
            Some(1.0),
        ),
        ("vertices meet", VertexVertex, [moves([1.0, 2.0, 3.0], [-2.0, -4.0, -6.0]), O, O, O], Some(third)),
        ("vertices pass", VertexVertex, [moves([1.0, 2.0, 3.0], [-2.0, -4.0, -6.0 + 1e-14]), O, O, O], None),
        ("vertices coincide", VertexVertex, [O; 4], Some(0.0)),
        ("vertices coincide at the start", VertexVertex, [moves([0.0; 3], [1.0; 3]), O, O, O], Some(0.0)),
        ("vertices coincide at the end", VertexVertex, [moves([1.0; 3], [0.0; 3]), O, O, O], Some(1.0)),
    ]
}

#[test]
fn known_impacts_have_their_times() {
    for (name, kind, vertices, expected) in cases() {
        let found = ask(kind, &vertices, &Options::DEFAULT);
        match (found, expected) {
            (None, None) => {}
            (Some(impact), Some(time)) => {
                let (lower, upper) = (impact.time.lower, impact.time.upper);
                let rounding = f64::EPSILON;
                assert!(
                    lower <= time + rounding && time <= upper + rounding,
                    "{name}: {impact:?}, wanted {time}"
                );
                assert!(upper - lower <= Options::DEFAULT.time_tolerance, "{name}: {impact:?}");
                assert_eq!(impact.certainty, Certainty::Proven, "{name}");
                if time == 0.0 {
                    assert_eq!((lower, upper), (0.0, 0.0), "{name}");
                }
                let first = if kind == EdgeEdge { 2 } else { 1 };
                for weights in [&impact.weights[..first], &impact.weights[first..]] {
                    let sum: f64 = weights.iter().sum();
                    assert!(
                        (sum - 1.0).abs() < 1e-15 && weights.iter().all(|&w| w >= 0.0),
                        "{name}: {impact:?}"
                    );
                }
            }
            _ => panic!("{name}: {found:?}, wanted {expected:?}"),
        }
    }
}

#[test]
fn the_weights_are_those_of_the_impact() {
    let vertices = triangle(from_to([0.25, 0.125, 1.0], [0.25, 0.125, -2.0]));
    let impact = ask(VertexTriangle, &vertices, &Options::DEFAULT).unwrap();
    assert_eq!(impact.weights, [1.0, 0.625, 0.25, 0.125]);
    let crossing =
        edge(from_to([0.25, -1.0, 1.0], [0.25, -1.0, -2.0]), from_to([0.25, 3.0, 1.0], [0.25, 3.0, -2.0]));
    let impact = ask(EdgeEdge, &crossing, &Options::DEFAULT).unwrap();
    assert_eq!(impact.weights, [0.75, 0.25, 0.75, 0.25]);
}

#[test]
fn lengths_may_be_tiny_huge_or_mixed() {
    let (tiny, huge) = (2.0_f64.powi(-150), 2.0_f64.powi(150));
    for size in [tiny, 1e-30, 1.0, 1e30, huge] {
        for (name, kind, vertices, expected) in cases() {
            let smallest =
                vertices.iter().flat_map(|v| v.start.iter().chain(v.end.iter())).filter(|x| **x != 0.0);
            if smallest.map(|x| x.abs()).fold(1.0, f64::min) < 1e-200 {
                continue;
            }
            let scaled = vertices.map(|v| MovingPoint::new(v.start * size, v.end * size));
            if size.log2().fract() == 0.0 {
                let found = ask(kind, &scaled, &Options::DEFAULT);
                assert_eq!(found.is_some(), expected.is_some(), "{name} at {size:e}");
            }
        }
        // The offset of the vertex from the plane, and from the edges, is as small as it can be.
        let falling = |x: f64, y: f64| triangle(from_to([x, y, huge], [x, y, -tiny]));
        assert!(ask(VertexTriangle, &falling(tiny, tiny), &Options::DEFAULT).is_some());
        assert!(ask(VertexTriangle, &falling(0.0, tiny), &Options::DEFAULT).is_some());
        assert!(ask(VertexTriangle, &falling(-tiny, tiny), &Options::DEFAULT).is_none());
    }
}

#[test]
fn what_is_not_finite_is_never_apart_by_proof() {
    let vertices = triangle(from_to([0.25, 0.25, f64::NAN], [0.25, 0.25, -2.0]));
    let impact = ask(VertexTriangle, &vertices, &Options::DEFAULT).unwrap();
    assert_eq!(impact.certainty, Certainty::Open);
    let vertices = triangle(from_to([0.25, 0.25, f64::INFINITY], [0.25, 0.25, -2.0]));
    assert_eq!(ask(VertexTriangle, &vertices, &Options::DEFAULT).unwrap().certainty, Certainty::Open);
}

#[test]
fn a_finer_tolerance_gives_a_narrower_interval_of_the_same_time() {
    let vertices = triangle(from_to([0.25, 0.25, 1.0], [0.25, 0.25, -2.0]));
    for tolerance in [1.0, 0.1, 1e-3, 1e-9, 1e-12, 0.0, f64::NAN] {
        let options = Options { time_tolerance: tolerance, ..Options::DEFAULT };
        let time = ask(VertexTriangle, &vertices, &options).unwrap().time;
        assert!(time.lower <= 1.0 / 3.0 && 1.0 / 3.0 <= time.upper, "{time:?}");
        assert!(time.upper - time.lower <= tolerance.max(Options::FINEST), "{tolerance}: {time:?}");
    }
}
