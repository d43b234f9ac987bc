//! Whether a surface intersects itself at all: the question that is asked when a mesh is made.

use super::places::lowest_in_place;
use super::self_intersection::{PAIRS_AT_LEAST, PAIRS_PER_TRIANGLE, intersect, self_intersections};
use crate::cells_left;
use crate::derived::Adjacency;
use palpate_bvh::{Bvh, Cells, PARTS, Tasks, parts, run_all};
use palpate_contact::NONE;
use palpate_math::{Point, Vector};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether triangles intersect beyond the corners and edges they share, as [`self_intersections`] finds it; also true where
/// so many boxes overlap that the search was given up. `tree` is one over all triangles. Removed triangles are passed over.
/// With the adjacency of a closed oriented surface most neighbours are decided together: see [`is_height_field`].
///
/// Stops at the first pair. Each part of the search is bounded on its own: the answer does not depend on the number of threads. Cost
/// of a surface without any: the tree against itself, once, and a few predicates per triangle.
pub(crate) fn has_self_intersections(
    positions: &[Point],
    triangles: &[[u32; 3]],
    (tree, closed): (Option<&Bvh>, Option<&Adjacency>),
    tasks: &dyn Tasks,
) -> bool {
    let mut own = Bvh::default();
    let tree = tree.unwrap_or_else(|| {
        own.rebuild_cells_by(&Cells { ids: triangles, positions: [positions] }, tasks);
        &own
    });
    // Overlapping boxes after which the search of a part stops, and counts as one that found something.
    let allowed = PAIRS_AT_LEAST.max(PAIRS_PER_TRIANGLE * triangles.len() as u64) / PARTS as u64;
    let proven = match closed {
        Some(adjacency) => proven_vertices(positions, triangles, adjacency, tasks),
        None => vec![false; positions.len()],
    };
    let is_found = AtomicBool::new(false);
    let jobs = parts(tasks, PARTS, 1);
    let mut jobs: Vec<_> = (0..jobs).map(|job| (job..PARTS).step_by(jobs)).collect();
    run_all(tasks, &mut jobs, |those| {
        for part in those.clone() {
            if is_found.load(Ordering::Relaxed)
                || in_part((positions, &proven), triangles, (tree, part), allowed)
            {
                is_found.store(true, Ordering::Relaxed);
                return;
            }
        }
    });
    if !is_found.into_inner() {
        return false;
    }
    // Vertices in one place count as shared: what was found may be no more than a touch of parts at such vertices.
    let places = lowest_in_place(positions);
    let has_places = places.iter().enumerate().any(|(vertex, &lowest)| vertex as u32 != lowest);
    !has_places || !whole(positions, triangles, &places).is_empty()
}

/// Number of vertices of a task for which another thread pays off: some hundred microseconds.
const FEWEST_VERTICES: usize = 2048;

/// For each vertex whether its triangles are known not to meet beyond what they share.
fn proven_vertices(
    positions: &[Point],
    triangles: &[[u32; 3]],
    adjacency: &Adjacency,
    tasks: &dyn Tasks,
) -> Vec<bool> {
    let mut proven = vec![false; positions.len()];
    let size = positions.len().div_ceil(parts(tasks, positions.len(), FEWEST_VERTICES)).max(1);
    let mut jobs: Vec<_> = (0..).step_by(size).zip(proven.chunks_mut(size)).collect();
    run_all(tasks, &mut jobs, |(first, proven)| {
        let mut spokes = Vec::new();
        for (vertex, proven) in (*first..).zip(proven.iter_mut()) {
            let star = adjacency.corners_at(vertex).iter().map(|corner| triangles[*corner as usize / 3]);
            *proven = is_height_field(positions, vertex, star, &mut spokes);
        }
    });
    proven
}

/// The full search, which knows coincident vertices, without removed triangles.
fn whole(positions: &[Point], triangles: &[[u32; 3]], places: &[u32]) -> super::Findings<[u32; 2]> {
    let left: Vec<[u32; 3]> = cells_left(triangles).copied().collect();
    self_intersections(positions, &left, places, None)
}

/// Normals within this of the direction of a height field, as the square of a cosine: far from where rounding would matter.
const STEEPEST_SQUARED: f64 = 0.01;

/// Squares of the lengths of edges, in square metres, with which no product here leaves the range of numbers.
const SQUARES: std::ops::Range<f64> = 1e-30..1e30;

/// A triangle at a vertex: the two other corners as seen from it, counter-clockwise, and their cross product.
type Spoke = [Vector; 3];

/// Whether the triangles of a closed oriented surface at a vertex are a height field around it: seen along the sum of their
/// normals all show their front, and they surround the vertex once. Then no two of them meet beyond what they share. False
/// where that is not clear. `spokes` is memory.
fn is_height_field(
    positions: &[Point],
    vertex: u32,
    star: impl Iterator<Item = [u32; 3]>,
    spokes: &mut Vec<Spoke>,
) -> bool {
    let center = positions[vertex as usize];
    spokes.clear();
    spokes.extend(star.map(|ids| {
        let at = ids.iter().position(|&id| id == vertex).unwrap_or(0);
        let [p, q] = [1, 2].map(|step| positions[ids[(at + step) % 3] as usize] - center);
        [p, q, p.cross(&q)]
    }));
    let along: Vector = spokes.iter().map(|[_, _, normal]| normal).sum();
    let least = STEEPEST_SQUARED * along.norm_squared();
    let is_front = |[p, q, normal]: &Spoke| {
        let height = normal.dot(&along);
        height > 0.0
            && height * height > least * normal.norm_squared()
            && SQUARES.contains(&p.norm_squared())
            && SQUARES.contains(&q.norm_squared())
    };
    let Some([p, q, _]) = spokes.first().filter(|_| spokes.iter().all(is_front)) else { return false };
    // Every direction is in as many of the triangles, for the surface is closed: count those of one within the first.
    let middle = p.normalize() + q.normalize();
    let sees = |a: &Vector, b: &Vector| {
        let turn = a.cross(b).dot(&along);
        turn > 0.0 || turn * turn < 1e-18 * a.norm_squared() * b.norm_squared() * along.norm_squared()
    };
    spokes.iter().filter(|[p, q, _]| sees(p, &middle) && sees(&middle, q)).count() == 1
}

/// Whether two triangles of a part of the tree's pairs intersect, or too many boxes overlap.
fn in_part(
    (positions, proven): (&[Point], &[bool]),
    triangles: &[[u32; 3]],
    (tree, part): (&Bvh, usize),
    allowed: u64,
) -> bool {
    let mut tested = 0;
    tree.self_overlap_part(part, |first, second| {
        tested += 1;
        let pair = [first, second].map(|number| triangles[number as usize]);
        let is_proven = |id: &u32| pair[1].contains(id) && proven[*id as usize];
        let is_removed = pair.iter().any(|ids| ids[0] == NONE);
        if tested > allowed || !(is_removed || pair[0].iter().any(is_proven)) && intersect(positions, pair) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_bvh::InTurn;

    /// Random triangles: the answer is that of the full search, with and without coincident vertices and removed triangles.
    #[test]
    fn the_full_search_agrees() {
        let mut sample = 11_u64;
        let mut below = |end: u64| {
            sample = sample.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (sample >> 33) % end
        };
        let (mut yes, mut no) = (0, 0);
        for round in 0..3000 {
            let size = 3 + 3 * (round % 4);
            let positions: Vec<Point> =
                (0..9).map(|_| Point::from([0; 3].map(|_| below(size) as f64))).collect();
            let mut triangles: Vec<[u32; 3]> = (0..3).map(|_| [0; 3].map(|_| below(9) as u32)).collect();
            if round % 5 == 0 {
                triangles[1] = [NONE; 3];
            }
            let expected = !whole(&positions, &triangles, &lowest_in_place(&positions)).is_empty();
            let found = has_self_intersections(&positions, &triangles, (None, None), &InTurn);
            assert_eq!(found, expected, "{positions:?} {triangles:?}");
            if found { yes += 1 } else { no += 1 }
        }
        assert!(yes > 300 && no > 300, "{yes} that intersect, {no} that do not");
    }

    #[test]
    fn too_many_in_one_place_count_as_intersecting() {
        let positions: Vec<Point> = (0..3 * 2500_u32)
            .map(|k| Point::new(f64::from(k % 3 / 2), f64::from(k % 3 % 2), f64::from(k / 3)))
            .collect();
        let triangles: Vec<[u32; 3]> = (0..2500).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        assert!(
            !has_self_intersections(&positions, &triangles, (None, None), &InTurn),
            "one above the other"
        );
        let tilted: Vec<Point> = positions.iter().map(|p| Point::new(p.x, p.y, p.z + 1e5 * p.x)).collect();
        assert!(
            has_self_intersections(&tilted, &triangles, (None, None), &InTurn),
            "their boxes all overlap"
        );
    }

    /// Closed surfaces with vertices moved at random, from a little to far: with what is proven of the neighbours the answer is
    /// that without.
    #[test]
    fn what_is_proven_of_neighbours_is_so() {
        let mut sample = 5_u64;
        let mut next = || {
            sample = sample.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (sample >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        let (long, short) = (12_u32, 7_u32);
        let id = |i: u32, j: u32| i % long * short + j % short;
        let quads = (0..long).flat_map(|i| (0..short).map(move |j| (i, j)));
        let triangles: Vec<[u32; 3]> = quads
            .flat_map(|(i, j)| {
                let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
                [[a, b, c], [a, c, d]]
            })
            .collect();
        let adjacency = Adjacency::new(&triangles);
        assert!(adjacency.is_closed());
        let (mut yes, mut no, mut proven) = (0, 0, 0);
        for round in 0..1500_u32 {
            let reach = 0.01 * f64::from(round % 60);
            let positions: Vec<Point> = (0..long * short)
                .map(|k| {
                    let u = f64::from(k / short) / f64::from(long) * std::f64::consts::TAU;
                    let v = f64::from(k % short) / f64::from(short) * std::f64::consts::TAU;
                    let around = 1.0 + 0.4 * v.cos();
                    let p = Vector::new(around * u.cos(), around * u.sin(), 0.4 * v.sin());
                    Point::from(p + Vector::new(next(), next(), next()) * reach)
                })
                .collect();
            let expected = has_self_intersections(&positions, &triangles, (None, None), &InTurn);
            let found = has_self_intersections(&positions, &triangles, (None, Some(&adjacency)), &InTurn);
            assert_eq!(found, expected, "{round}");
            if found {
                yes += 1
            } else {
                no += 1
            }
            proven += proven_vertices(&positions, &triangles, &adjacency, &InTurn)
                .iter()
                .filter(|proven| **proven)
                .count();
        }
        assert!(
            yes > 300 && no > 300 && proven > 20_000,
            "{yes} that intersect, {no} that do not, {proven} proven"
        );
    }
}
