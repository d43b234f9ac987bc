//! Whether a surface intersects itself at all: the question that is asked when a mesh is made.

use super::places::lowest_in_place;
use super::self_intersection::{intersect, self_intersections};
use palpate_bvh::{Bvh, Cells, Tasks, parts, run_all};
use palpate_contact::NONE;
use palpate_math::{Aabb, Point};
use std::sync::atomic::{AtomicBool, Ordering};

/// Triangles of a chunk, whose search is bounded on its own: the answer does not depend on the number of threads.
const CHUNK: usize = 4096;

/// Overlapping boxes after which the search of a chunk stops: for each of its triangles, and of all chunks together.
const PAIRS_PER_TRIANGLE: usize = 100;
const PAIRS_AT_LEAST: usize = 5_000_000;

/// Whether triangles intersect beyond the corners and edges they share, as [`self_intersections`] finds it; also true where
/// so many boxes overlap that the search was given up. `tree` is one over all triangles. Removed triangles are passed over.
///
/// Stops at the first pair. Cost: of a surface without any, a few box queries and predicates per triangle.
pub(crate) fn has_self_intersections(
    positions: &[Point],
    triangles: &[[u32; 3]],
    tree: Option<&Bvh>,
    tasks: &dyn Tasks,
) -> bool {
    let mut own = Bvh::default();
    let tree = tree.unwrap_or_else(|| {
        own.rebuild_cells_by(&Cells { ids: triangles, positions: [positions] }, tasks);
        &own
    });
    let chunks = triangles.len().div_ceil(CHUNK);
    let allowed = (PAIRS_AT_LEAST / chunks.max(1)).max(PAIRS_PER_TRIANGLE * CHUNK);
    let is_found = AtomicBool::new(false);
    let count = parts(tasks, chunks, 1);
    let mut jobs: Vec<std::ops::Range<usize>> =
        (0..count).map(|part| chunks * part / count..chunks * (part + 1) / count).collect();
    run_all(tasks, &mut jobs, |range| {
        for chunk in range.clone() {
            let members = chunk * CHUNK..triangles.len().min((chunk + 1) * CHUNK);
            if is_found.load(Ordering::Relaxed) || in_chunk(positions, triangles, tree, members, allowed) {
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

/// Whether one of the triangles of a chunk intersects one of a higher number, or too many boxes overlap.
fn in_chunk(
    positions: &[Point],
    triangles: &[[u32; 3]],
    tree: &Bvh,
    members: std::ops::Range<usize>,
    allowed: usize,
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
            let found = has_self_intersections(&positions, &triangles, None, &InTurn);
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
        assert!(!has_self_intersections(&positions, &triangles, None, &InTurn), "one above the other");
        let tilted: Vec<Point> = positions.iter().map(|p| Point::new(p.x, p.y, p.z + 1e5 * p.x)).collect();
        assert!(has_self_intersections(&tilted, &triangles, None, &InTurn), "their boxes all overlap");
    }
}
