//! Vertices that become one.

use crate::health::{DisjointSets, lowest_in_place};
use palpate_math::Point;
use std::collections::HashMap;

/// Returns for each vertex the lowest one that it becomes: those in one place, and, transitively, those no farther apart than
/// `distance`. Vertices are sorted into cubes of that size: one has its neighbours in the 27 around it.
pub(super) fn welded(positions: &[Point], distance: f64) -> Vec<u32> {
    let places = lowest_in_place(positions);
    if distance <= 0.0 {
        return places;
    }
    // Floats as keys: no coordinate is too large for them.
    let cube = |p: &Point| [p.x, p.y, p.z].map(|x| (x / distance).floor());
    let key = |cube: [f64; 3]| cube.map(|x| (x + 0.0).to_bits());
    let mut sets = DisjointSets::new(positions.len());
    let mut cubes: HashMap<[u64; 3], Vec<u32>> = HashMap::new();
    for (vertex, position) in (0..).zip(positions) {
        let lowest = places[vertex as usize];
        sets.join(lowest, vertex);
        if lowest != vertex {
            continue;
        }
        let own = cube(position);
        for step in 0..27_i32 {
            let at = [step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1];
            let near = cubes.get(&key(std::array::from_fn(|axis| own[axis] + f64::from(at[axis]))));
            for &other in near.into_iter().flatten() {
                if (positions[other as usize] - position).norm() <= distance {
                    sets.join(other, vertex);
                }
            }
        }
        cubes.entry(key(own)).or_default().push(vertex);
    }
    (0..positions.len() as u32).map(|vertex| sets.lowest(vertex)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_vertices_become_one_across_cubes() {
        let points: Vec<Point> = [0.0, 0.9, 1.05, 5.0, 5.0].iter().map(|&x| Point::new(x, -x, 0.0)).collect();
        assert_eq!(welded(&points, 0.0), [0, 1, 2, 3, 3]);
        assert_eq!(welded(&points, 0.25), [0, 1, 1, 3, 3]);
        assert_eq!(welded(&points, 2.0), [0, 0, 0, 3, 3]);
    }

    /// Random points: as by brute force.
    #[test]
    fn brute_force_agrees() {
        let mut sample = 5_u64;
        let mut next = || {
            sample = sample.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (sample >> 11) as f64 / (1_u64 << 53) as f64
        };
        let points: Vec<Point> = (0..400).map(|_| Point::new(next(), next(), next())).collect();
        let mut sets = DisjointSets::new(points.len());
        for a in 0..400 {
            for b in 0..a {
                if (points[a] - points[b]).norm() <= 0.07 {
                    sets.join(a as u32, b as u32);
                }
            }
        }
        let expected: Vec<u32> = (0..400).map(|vertex| sets.lowest(vertex)).collect();
        let moved = (0..400).filter(|&k| expected[k] != k as u32).count();
        assert!(moved > 50 && moved < 390, "{moved} welded");
        assert_eq!(welded(&points, 0.07), expected);
    }
}
