//! Self-intersections: pairs of triangles of one surface that intersect beyond their shared features.

use palpate_bvh::Bvh;
use palpate_math::intersect::{meet_beyond_corner, meet_beyond_edge, triangles_meet};
use palpate_math::{Aabb, Point, orient};

/// Returns every pair of triangles that intersect beyond the corners and edges they share, the lower first, in
/// ascending order; decided exactly. `places` gives for each vertex the lowest coincident vertex: coincident vertices
/// count as shared. Degenerate triangles, and pairs with all three corners in common, are skipped: they are separate
/// defects.
pub(crate) fn self_intersections(
    positions: &[Point],
    triangles: &[[u32; 3]],
    places: &[u32],
    tree: Option<&Bvh>,
) -> Vec<[u32; 2]> {
    let mut own = Bvh::default();
    let tree = tree.unwrap_or_else(|| {
        let boxes: Vec<Aabb> =
            triangles.iter().map(|ids| Aabb::from_points(corners(positions, ids))).collect();
        own = Bvh::build(&boxes);
        &own
    });
    let has_area: Vec<bool> = triangles
        .iter()
        .map(|ids| {
            let [a, b, c] = corners(positions, ids);
            orient::widest_view(a, b, c).is_some()
        })
        .collect();
    let mut pairs = Vec::new();
    tree.self_overlap(|first, second| {
        if has_area[first as usize] && has_area[second as usize] {
            let both =
                [first, second].map(|triangle| triangles[triangle as usize].map(|id| places[id as usize]));
            if meet(positions, both) {
                pairs.push([first, second]);
            }
        }
    });
    pairs.sort_unstable();
    pairs
}

fn corners<'a>(positions: &'a [Point], ids: &[u32; 3]) -> [&'a Point; 3] {
    ids.map(|id| &positions[id as usize])
}

/// Whether two triangles, given by the merged ids of their corners, intersect beyond what they share.
fn meet(positions: &[Point], [first, second]: [[u32; 3]; 2]) -> bool {
    let at = |id: u32| &positions[id as usize];
    let shared = |id: &u32| second.contains(id);
    match first.iter().filter(|id| shared(id)).count() {
        0 => triangles_meet(corners(positions, &first), corners(positions, &second)),
        1 => {
            let common = first.iter().position(shared).map_or(0, |corner| first[corner]);
            let [a, b] = others(first, common);
            let [c, d] = others(second, common);
            meet_beyond_corner(at(common), [at(a), at(b)], [at(c), at(d)])
        }
        2 => {
            let apex = |of: [u32; 3], other: [u32; 3]| of.into_iter().find(|id| !other.contains(id));
            let (Some(c), Some(d)) = (apex(first, second), apex(second, first)) else { return false };
            let [a, b] = others(first, c);
            meet_beyond_edge(at(a), at(b), at(c), at(d))
        }
        _ => false,
    }
}

/// Returns the two corners other than `corner`, in order.
fn others(ids: [u32; 3], corner: u32) -> [u32; 2] {
    let place = ids.iter().position(|&id| id == corner).unwrap_or(0);
    [ids[(place + 1) % 3], ids[(place + 2) % 3]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::places::lowest_in_place;

    fn pairs(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
        let positions: Vec<Point> = points.iter().copied().map(Point::from).collect();
        self_intersections(&positions, triangles, &lowest_in_place(&positions), None)
    }

    const FLOOR: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [4.0, 4.0, 0.0]];

    #[test]
    fn neighbours_of_a_flat_floor_do_not_intersect_and_a_fold_does() {
        assert_eq!(pairs(&FLOOR, &[[0, 1, 2], [1, 3, 2]]), [[0; 2]; 0]);
        assert_eq!(pairs(&FLOOR, &[[0, 1, 2], [0, 1, 3]]), [[0, 1]]);
    }

    #[test]
    fn vertices_in_one_place_are_shared() {
        let mut points = FLOOR.to_vec();
        points.extend([FLOOR[1], FLOOR[2]]);
        assert_eq!(pairs(&points, &[[0, 1, 2], [4, 3, 5]]), [[0; 2]; 0]);
    }

    #[test]
    fn a_spike_through_the_floor_is_found_and_flat_ones_are_left_out() {
        let mut points = FLOOR.to_vec();
        points.extend([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 2.0, 1.0]]);
        assert_eq!(pairs(&points, &[[1, 3, 2], [4, 5, 6], [0, 1, 2]]), [[1, 2]]);
        assert_eq!(pairs(&points, &[[4, 5, 5], [0, 1, 2]]), [[0; 2]; 0]);
    }
}
