//! Self-intersections: pairs of triangles of one surface that intersect beyond their shared features.

use super::Findings;
use super::findings::LISTED;
use palpate_bvh::Bvh;
use palpate_math::intersect::{meet_beyond_corner, meet_beyond_edge, triangles_meet};
use palpate_math::{Aabb, Point, orient};

/// Pairs of boxes that overlap after which the search stops: per triangle, a few times those of a mesh whose triangles
/// are of different sizes, and of a whole mesh, some seconds.
pub(super) const PAIRS_PER_TRIANGLE: u64 = 100;
pub(super) const PAIRS_AT_LEAST: u64 = 5_000_000;

/// An intersecting pair counts as so many more: it takes longer to decide, most of all in one plane.
const HIT: u64 = 10;

/// Returns the pairs of triangles that intersect beyond the corners and edges they share, the lower first; decided
/// exactly. `places` gives for each vertex the lowest coincident vertex: coincident vertices count as shared.
/// Degenerate triangles, and pairs with all three corners in common, are skipped: they are separate defects.
///
/// Triangles are searched in ascending order until [`PAIRS_PER_TRIANGLE`] pairs for each or [`PAIRS_AT_LEAST`] pairs
/// were tested: so many triangles may intersect that no search can name them all.
pub(crate) fn self_intersections(
    positions: &[Point],
    triangles: &[[u32; 3]],
    places: &[u32],
    tree: Option<&Bvh>,
) -> Findings<[u32; 2]> {
    let allowed = PAIRS_AT_LEAST.max(PAIRS_PER_TRIANGLE * triangles.len() as u64);
    within(positions, triangles, places, tree, allowed)
}

fn within(
    positions: &[Point],
    triangles: &[[u32; 3]],
    places: &[u32],
    tree: Option<&Bvh>,
    allowed: u64,
) -> Findings<[u32; 2]> {
    let copies = Copies::new(triangles, places);
    let boxes: Vec<Aabb> = (0..triangles.len() as u32)
        .map(|triangle| {
            let [a, b, c] = corners(positions, &triangles[triangle as usize]);
            let counts = copies.is_lowest(triangle) && orient::widest_view(a, b, c).is_some();
            if counts { Aabb::from_points([a, b, c]) } else { Aabb::EMPTY }
        })
        .collect();
    let mut own = Bvh::default();
    let tree = tree.filter(|_| copies.are_none()).unwrap_or_else(|| {
        own = Bvh::build(&boxes);
        &own
    });
    let merged = |triangle: u32| triangles[triangle as usize].map(|id| places[id as usize]);
    let mut found = Findings::default();
    let (mut tested, mut others) = (0, Vec::new());
    for first in 0..triangles.len() as u32 {
        if boxes[first as usize].is_empty() {
            continue;
        }
        if tested > allowed {
            found.at_least = true;
            break;
        }
        others.clear();
        tree.overlap(&boxes[first as usize], |second| {
            tested += 1;
            if second > first && !boxes[second as usize].is_empty() {
                others.push(second);
            }
        });
        others.retain(|&second| meet(positions, [merged(first), merged(second)]));
        tested += HIT * others.len() as u64;
        others.sort_unstable();
        for &second in &others {
            copies.add([first, second], &mut found);
        }
    }
    found
}

/// The triangles with the same three places as another.
struct Copies {
    /// The lowest triangle of each triangle's places; empty if no two have the same.
    lowest: Vec<u32>,
    /// All triangles, those of the same places together, by the lowest and then by themselves; likewise.
    order: Vec<u32>,
}

impl Copies {
    fn new(triangles: &[[u32; 3]], places: &[u32]) -> Self {
        let mut keys: Vec<([u32; 3], u32)> = (0..)
            .zip(triangles)
            .map(|(triangle, ids)| {
                let mut key = ids.map(|id| places[id as usize]);
                key.sort_unstable();
                (key, triangle)
            })
            .collect();
        keys.sort_unstable();
        if keys.windows(2).all(|pair| pair[0].0 != pair[1].0) {
            return Self { lowest: Vec::new(), order: Vec::new() };
        }
        let mut lowest = vec![0; triangles.len()];
        for group in keys.chunk_by(|a, b| a.0 == b.0) {
            group.iter().for_each(|&(_, triangle)| lowest[triangle as usize] = group[0].1);
        }
        let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
        order.sort_unstable_by_key(|&triangle| (lowest[triangle as usize], triangle));
        Self { lowest, order }
    }

    fn are_none(&self) -> bool {
        self.order.is_empty()
    }

    fn is_lowest(&self, triangle: u32) -> bool {
        self.are_none() || self.lowest[triangle as usize] == triangle
    }

    /// All triangles of the places of the lowest of them.
    fn of<'a>(&'a self, lowest: &'a u32) -> &'a [u32] {
        if self.are_none() {
            return std::slice::from_ref(lowest);
        }
        let end = |before: &dyn Fn(u32) -> bool| {
            self.order.partition_point(|&triangle| before(self.lowest[triangle as usize]))
        };
        &self.order[end(&|other| other < *lowest)..end(&|other| other <= *lowest)]
    }

    /// Adds the pairs of all copies of two triangles.
    fn add(&self, [first, second]: [u32; 2], found: &mut Findings<[u32; 2]>) {
        let [first, second] = [self.of(&first), self.of(&second)];
        found.count += first.len() * second.len();
        // The lowest ten pairs are among those of the ten lowest of each.
        let [first, second] = [first, second].map(|copies| &copies[..copies.len().min(LISTED)]);
        let last = found.first.last().copied().filter(|_| found.first.len() == LISTED);
        let pairs = first.iter().flat_map(|&a| second.iter().map(move |&b| [a.min(b), a.max(b)]));
        found.first.extend(pairs.filter(|pair| last.is_none_or(|last| *pair < last)));
        found.first.sort_unstable();
        found.first.truncate(LISTED);
    }
}

fn corners<'a>(positions: &'a [Point], ids: &[u32; 3]) -> [&'a Point; 3] {
    ids.map(|id| &positions[id as usize])
}

/// Whether two triangles, given by the ids of their corners, intersect beyond what they share; degenerate ones do not.
pub(super) fn intersect(positions: &[Point], pair: [[u32; 3]; 2]) -> bool {
    let is_flat = |ids: &[u32; 3]| {
        let [a, b, c] = corners(positions, ids);
        orient::widest_view(a, b, c).is_none()
    };
    meet(positions, pair) && !pair.iter().any(is_flat)
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
        let found = self_intersections(&positions, triangles, &lowest_in_place(&positions), None);
        assert!(found.count == found.first.len() && !found.at_least);
        found.first
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

    /// Every pair is tested, and the first ten listed, also where triangles come many times.
    #[test]
    fn copies_are_counted_as_pairs_by_brute_force_are() {
        let mut sample = 7_u64;
        let mut below = |end: u64| {
            sample = sample.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (sample >> 33) % end
        };
        let (mut many, mut total) = (0, 0);
        for _ in 0..200 {
            let positions: Vec<Point> =
                (0..8).map(|_| Point::from([0; 3].map(|_| below(4) as f64))).collect();
            let kinds: Vec<[u32; 3]> = (0..4).map(|_| [0; 3].map(|_| below(8) as u32)).collect();
            let triangles: Vec<[u32; 3]> = (0..30)
                .map(|_| {
                    let mut ids = kinds[below(4) as usize];
                    ids.rotate_left(below(3) as usize);
                    ids
                })
                .collect();
            let places = lowest_in_place(&positions);
            let mut expected = Vec::new();
            for first in 0..30_u32 {
                for second in first + 1..30 {
                    let ids = [first, second].map(|triangle| triangles[triangle as usize]);
                    let area = |ids: &[u32; 3]| {
                        let [a, b, c] = corners(&positions, ids);
                        orient::widest_view(a, b, c).is_some()
                    };
                    if ids.iter().all(area)
                        && meet(&positions, ids.map(|ids| ids.map(|id| places[id as usize])))
                    {
                        expected.push([first, second]);
                    }
                }
            }
            let found = self_intersections(&positions, &triangles, &places, None);
            assert_eq!((found.count, found.at_least), (expected.len(), false));
            expected.truncate(LISTED);
            assert_eq!(found.first, expected);
            many += usize::from(found.count > LISTED);
            total += found.count;
        }
        assert!(many > 30 && total > 4000, "{many} with more than listed, {total} pairs");
    }

    #[test]
    fn the_search_stops_at_its_bound_and_says_so() {
        // Triangles in one plane that all overlap, and no two alike.
        let corner = |k: u32, x: f64, y: f64| Point::new(x + f64::from(k), y - f64::from(k), 0.0);
        let positions: Vec<Point> = (0..60)
            .flat_map(|k| [corner(k, 0.0, 0.0), corner(k, 1000.0, 0.0), corner(k, 0.0, 1000.0)])
            .collect();
        let triangles: Vec<[u32; 3]> = (0..60).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        let places = lowest_in_place(&positions);
        let all = within(&positions, &triangles, &places, None, u64::MAX);
        assert_eq!((all.count, all.at_least), (60 * 59 / 2, false));
        let some = within(&positions, &triangles, &places, None, 6000);
        assert!(some.at_least && (500..700).contains(&some.count), "{}", some.count);
        assert_eq!(some.first, all.first);
        let none = within(&positions, &triangles, &places, None, 0);
        assert!(none.at_least && none.count == 59 && !none.is_empty());
    }
}
