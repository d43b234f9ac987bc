//! The same bits when lengths are scaled by a power of two, features are exchanged and vertices are permuted.

use palpate_math::continuous::{Impact, MovingPoint, Options};

use crate::random::Random;
use crate::{KINDS, Kind, ask};

/// Vertices on a grid, or anywhere; with what of them is common.
fn queries(seed: u64, number: usize) -> impl Iterator<Item = (Kind, [MovingPoint; 4])> {
    let mut random = Random::new(seed);
    (0..number).map(move |query| {
        let vertices = match query / 4 % 3 {
            0 => std::array::from_fn(|_| random.grid_motion(2)),
            1 => std::array::from_fn(|_| random.grid_motion(6)),
            _ => std::array::from_fn(|_| random.motion()),
        };
        (KINDS[query % 4], vertices)
    })
}

fn separations() -> [f64; 2] {
    [0.0, 0.3]
}

#[test]
fn scaling_by_powers_of_two_changes_no_bit() {
    let mut impacts = 0;
    for (kind, vertices) in queries(5, 1_200) {
        for separation in separations() {
            let expected = ask(kind, &vertices, &Options::with_separation(separation));
            impacts += usize::from(expected.is_some());
            for power in (-40..=40).step_by(8).chain([-39, -1, 1, 37]) {
                let scale = 2.0_f64.powi(power);
                let scaled = vertices.map(|v| MovingPoint::new(v.start * scale, v.end * scale));
                let found = ask(kind, &scaled, &Options::with_separation(separation * scale));
                assert_eq!(found, expected, "{kind:?} {vertices:?} times 2^{power}");
            }
        }
    }
    assert!(impacts > 300, "{impacts}");
}

/// The orders of the four vertices that describe the same query.
fn permutations(kind: Kind) -> Vec<[usize; 4]> {
    match kind {
        Kind::VertexVertex => vec![[1, 0, 2, 3]],
        Kind::VertexEdge => vec![[0, 2, 1, 3]],
        Kind::VertexTriangle => vec![[0, 1, 3, 2], [0, 2, 1, 3], [0, 2, 3, 1], [0, 3, 1, 2], [0, 3, 2, 1]],
        Kind::EdgeEdge => {
            vec![
                [1, 0, 2, 3],
                [0, 1, 3, 2],
                [1, 0, 3, 2],
                [2, 3, 0, 1],
                [3, 2, 0, 1],
                [2, 3, 1, 0],
                [3, 2, 1, 0],
            ]
        }
    }
}

#[test]
fn exchanging_features_and_vertices_exchanges_the_weights_alone() {
    let (mut impacts, mut distinct) = (0, 0);
    for (kind, vertices) in queries(6, 6_000) {
        let repeats = (0..4).any(|i| (0..i).any(|j| vertices[i] == vertices[j]));
        for separation in separations() {
            let options = Options::with_separation(separation);
            let expected = ask(kind, &vertices, &options);
            impacts += usize::from(expected.is_some());
            for order in permutations(kind) {
                let found = ask(kind, &order.map(|place| vertices[place]), &options);
                let permuted = expected
                    .map(|impact| Impact { weights: order.map(|place| impact.weights[place]), ..impact });
                if repeats {
                    // Which of two equal vertices carries the weight is open.
                    assert_eq!(found.map(|i| i.time), permuted.map(|i| i.time), "{kind:?} {vertices:?}");
                } else {
                    assert_eq!(found, permuted, "{kind:?} {vertices:?} in the order {order:?}");
                    distinct += 1;
                }
            }
        }
    }
    assert!(impacts > 1_500 && distinct > 20_000, "{impacts} {distinct}");
}
