//! Whether a surface intersects itself at all: the question that is asked when a mesh is made.

use super::places::lowest_in_place;
use super::self_intersection::{PAIRS_AT_LEAST, PAIRS_PER_TRIANGLE, intersect, self_intersections};
use crate::derived::Adjacency;
use palpate_bvh::{Bvh, Cells, Tasks, parts, run_all};
use palpate_contact::NONE;
use palpate_math::{Aabb, Point, Vector};
use std::sync::atomic::{AtomicBool, Ordering};

/// Triangles of a chunk, whose search is bounded on its own: the answer does not depend on the number of threads.
const CHUNK: usize = 4096;

/// Whether triangles intersect beyond the corners and edges they share, as [`self_intersections`] finds it; also true where
/// so many boxes overlap that the search was given up. `tree` is one over all triangles. Removed triangles are passed over.
/// With the adjacency of a closed oriented surface most neighbours are decided together: see [`is_height_field`].
///
/// Stops at the first pair. Cost: of a surface without any, a few box queries and predicates per triangle.
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
    let chunks = triangles.len().div_ceil(CHUNK);
    // Overlapping boxes after which the search of a chunk stops: for each of its triangles, and of all chunks together.
    let allowed = (PAIRS_AT_LEAST / chunks.max(1) as u64).max(PAIRS_PER_TRIANGLE * CHUNK as u64);
    let proven = |vertex: u32| {
        closed.is_some_and(|adjacency| {
            let star = adjacency.corners_at(vertex).iter().map(|corner| triangles[*corner as usize / 3]);
            is_height_field(positions, vertex, star)
        })
    };
    let proven: Vec<bool> = match closed {
        Some(_) => (0..positions.len() as u32).map(proven).collect(),
        None => vec![false; positions.len()],
    };
    let is_found = AtomicBool::new(false);
    let count = parts(tasks, chunks, 1);
    let mut jobs: Vec<std::ops::Range<usize>> =
        (0..count).map(|part| chunks * part / count..chunks * (part + 1) / count).collect();
    run_all(tasks, &mut jobs, |range| {
        for chunk in range.clone() {
            let members = chunk * CHUNK..triangles.len().min((chunk + 1) * CHUNK);
            if is_found.load(Ordering::Relaxed)
                || in_chunk((positions, &proven), triangles, tree, members, allowed)
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

/// The full search, which knows coincident vertices, without removed triangles.
fn whole(positions: &[Point], triangles: &[[u32; 3]], places: &[u32]) -> super::Findings<[u32; 2]> {
    let left: Vec<[u32; 3]> = triangles.iter().copied().filter(|ids| ids[0] != NONE).collect();
    self_intersections(positions, &left, places, None)
}

/// Normals within this of the direction of a height field, as a cosine: far from where rounding would matter.
const STEEPEST: f64 = 0.1;

/// Whether the triangles of a closed oriented surface at a vertex are a height field around it: seen along the sum of their
/// normals all show their front, and they surround the vertex once. Then no two of them meet beyond what they share. False
/// where that is not clear.
fn is_height_field(positions: &[Point], vertex: u32, star: impl Iterator<Item = [u32; 3]> + Clone) -> bool {
    let center = positions[vertex as usize];
    // The two other corners, counter-clockwise, from the vertex.
    let spokes = star.map(|ids| {
        let at = ids.iter().position(|&id| id == vertex).unwrap_or(0);
        [1, 2].map(|step| positions[ids[(at + step) % 3] as usize] - center)
    });
    let normals = || spokes.clone().map(|[p, q]| p.cross(&q));
    let along: Vector = normals().map(|normal| normal.try_normalize(0.0).unwrap_or_default()).sum();
    let least = STEEPEST * along.norm();
    if !normals().all(|normal| normal.dot(&along) > least * normal.norm()) {
        return false;
    }
    // Every direction is in as many of the triangles, for the surface is closed: count those of one within the first.
    let Some([p, q]) = spokes.clone().next() else { return false };
    let middle = p.normalize() + q.normalize();
    let sees = |a: &Vector, b: &Vector| {
        let least = -1e-9 * a.norm() * b.norm() * along.norm();
        a.cross(b).dot(&along) > least
    };
    spokes.filter(|[p, q]| sees(p, &middle) && sees(&middle, q)).count() == 1
}

/// Whether one of the triangles of a chunk intersects one of a higher number, or too many boxes overlap.
fn in_chunk(
    (positions, proven): (&[Point], &[bool]),
    triangles: &[[u32; 3]],
    tree: &Bvh,
    members: std::ops::Range<usize>,
    allowed: u64,
) -> bool {
    let (mut tested, mut others) = (0, Vec::new());
    for first in members {
        let ids = triangles[first];
        if ids[0] == NONE {
            continue;
        }
        others.clear();
        tree.overlap(&Aabb::from_points(ids.map(|id| positions[id as usize])), |other| {
            tested += 1;
            if other as usize > first {
                others.push(other);
            }
        });
        others.retain(|&other| {
            let shared = |id: &u32| proven[*id as usize] && triangles[other as usize].contains(id);
            !ids.iter().any(shared)
        });
        if others.iter().any(|&other| intersect(positions, [ids, triangles[other as usize]]))
            || tested > allowed
        {
            return true;
        }
    }
    false
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
            proven += (0..long * short)
                .filter(|&vertex| {
                    let star =
                        adjacency.corners_at(vertex).iter().map(|corner| triangles[*corner as usize / 3]);
                    is_height_field(&positions, vertex, star)
                })
                .count();
        }
        assert!(
            yes > 300 && no > 300 && proven > 20_000,
            "{yes} that intersect, {no} that do not, {proven} proven"
        );
    }
}
