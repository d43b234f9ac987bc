//! Vertices that become one.

use crate::health::{DisjointSets, lowest_in_place};
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use palpate_math::Point;

/// How much farther than `distance` is searched, as a part of it: far more than the rounding of a squared distance.
const SLACK: f64 = 1e-9;

/// Returns for each vertex the lowest one that it becomes: those in one place, and, transitively, those no farther apart than
/// `distance`.
pub(super) fn welded(positions: &[Point], distance: f64) -> Vec<u32> {
    let places = lowest_in_place(positions);
    if distance <= 0.0 {
        return places;
    }
    let unique: Vec<u32> = (0..).zip(&places).filter_map(|(own, &low)| (own == low).then_some(own)).collect();
    let at = |vertex: u32| &positions[vertex as usize];
    let points: Vec<[f64; 3]> = unique.iter().map(|&vertex| at(vertex).coords.into()).collect();
    // It refuses more points than 32 bits number only, which no mesh has.
    let Ok(tree) = ImmutableKdTree::<f64, 3>::new_from_slice(&points) else { return places };
    let mut sets = DisjointSets::new(positions.len());
    (0..).zip(&places).for_each(|(vertex, &lowest)| sets.join(lowest, vertex));
    // The square of a tiny distance underflows: then more points are found than are near.
    let reach = (distance * distance * (1.0 + SLACK)).max(f64::MIN_POSITIVE);
    for (&vertex, point) in unique.iter().zip(&points) {
        let near = tree.query(point).within::<SquaredEuclidean<f64>>(reach).unsorted().execute();
        for other in near.iter().map(|near| unique[near.item as usize]) {
            if other < vertex && (at(other) - at(vertex)).norm() <= distance {
                sets.join(other, vertex);
            }
        }
    }
    (0..positions.len() as u32).map(|vertex| sets.lowest(vertex)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_vertices_become_one_in_chains() {
        let points: Vec<Point> = [0.0, 0.9, 1.05, 5.0, 5.0].iter().map(|&x| Point::new(x, -x, 0.0)).collect();
        assert_eq!(welded(&points, 0.0), [0, 1, 2, 3, 3]);
        assert_eq!(welded(&points, 0.25), [0, 1, 1, 3, 3]);
        assert_eq!(welded(&points, 2.0), [0, 0, 0, 3, 3]);
    }

    fn by_brute_force(points: &[Point], distance: f64) -> Vec<u32> {
        let mut sets = DisjointSets::new(points.len());
        for a in 0..points.len() {
            for b in 0..a {
                if (points[a] - points[b]).norm() <= distance {
                    sets.join(a as u32, b as u32);
                }
            }
        }
        (0..points.len() as u32).map(|vertex| sets.lowest(vertex)).collect()
    }

    /// Random points, and points of a few planes of which many share a coordinate, also very small and very large.
    #[test]
    fn brute_force_agrees() {
        let mut sample = 5_u64;
        let mut next = || {
            sample = sample.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (sample >> 11) as f64 / (1_u64 << 53) as f64
        };
        let random: Vec<Point> = (0..400).map(|_| Point::new(next(), next(), next())).collect();
        let planes: Vec<Point> = (0..600)
            .map(|k| Point::new(f64::from(k % 3) / 2.0, (20.0 * next()).floor() / 20.0, next()))
            .collect();
        for (points, distance) in [(random, 0.07), (planes, 0.02)] {
            let expected = by_brute_force(&points, distance);
            let moved = (0..).zip(&expected).filter(|(own, lowest)| own != *lowest).count();
            assert!(moved > 50 && moved < points.len() - 10, "{moved} welded");
            for power in [0, -500, 500] {
                let scale = 2_f64.powi(power);
                let scaled: Vec<Point> = points.iter().map(|point| point * scale).collect();
                assert_eq!(welded(&scaled, distance * scale), expected, "times 2^{power}");
            }
        }
    }
}
