//! Quickhull for points that span 3D: Barber, Dobkin and Huhdanpaa 1996, "The Quickhull Algorithm for Convex Hulls",
//! with exact predicates instead of thick facets.

use super::ConvexHull;
use palpate_math::{Point, orient};
use std::collections::VecDeque;

/// A triangle of the growing hull.
struct Face {
    corners: [u32; 3],
    /// The faces across sides `k`, `k + 1`.
    across: [usize; 3],
    /// Points above the face that were not assigned to an earlier face.
    above: Vec<u32>,
    alive: bool,
}

struct Hull<'a> {
    points: &'a [Point],
    faces: Vec<Face>,
    /// Faces that may have points above.
    waiting: VecDeque<usize>,
    /// How many points were tested against a new face, and how many faces were made.
    work: usize,
}

/// The order in which faces with points above are taken.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    /// The newest first: the fewest steps on most bodies. Where one side of the hull is refined to the end before its
    /// neighbour is begun (two rims, a twisted curve), the fans grow with the number of points, and the work with its
    /// square.
    NewestFirst,
    /// The oldest first: the whole hull is refined evenly, and fans stay small.
    OldestFirst,
}

/// Work per point after which the newest-first order is given up, a few times that of points on a sphere, and the work
/// that is always allowed.
const WORK_PER_POINT: usize = 200;
const WORK_AT_LEAST: usize = 1_000_000;

/// An edge of the horizon around the faces visible from a new point: its ends, and the face that stays.
struct HorizonSide {
    from: u32,
    to: u32,
    beyond: usize,
}

/// Computes the hull from a tetrahedron whose fourth corner lies below the first three.
pub(super) fn hull(points: &[Point], corners: [u32; 4]) -> ConvexHull {
    let allowed = points.len().saturating_mul(WORK_PER_POINT).max(WORK_AT_LEAST);
    let triangles = within(points, corners, Order::NewestFirst, allowed)
        .or_else(|| within(points, corners, Order::OldestFirst, usize::MAX));
    ConvexHull::from_triangles(triangles.unwrap_or_default())
}

/// Returns the triangles of the hull, or none if they take more work than allowed.
fn within(points: &[Point], corners: [u32; 4], order: Order, allowed: usize) -> Option<Vec<[u32; 3]>> {
    let mut hull = Hull::tetrahedron(points, corners);
    while let Some(face) = hull.next(order) {
        if hull.faces[face].alive
            && let Some(apex) = hull.highest(face)
        {
            hull.add(face, apex);
            if hull.work > allowed {
                return None;
            }
        }
    }
    Some(hull.faces.iter().filter(|face| face.alive).map(|face| face.corners).collect())
}

impl<'a> Hull<'a> {
    fn tetrahedron(points: &'a [Point], [a, b, c, d]: [u32; 4]) -> Self {
        let sides = [[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
        let across = [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]];
        let face = |k: usize| Face { corners: sides[k], across: across[k], above: Vec::new(), alive: true };
        let waiting = (0..4).collect();
        let mut hull = Self { points, faces: (0..4).map(face).collect(), waiting, work: 0 };
        hull.share_out((0..points.len() as u32).filter(|id| ![a, b, c, d].contains(id)), 0);
        hull
    }

    fn next(&mut self, order: Order) -> Option<usize> {
        match order {
            Order::NewestFirst => self.waiting.pop_back(),
            Order::OldestFirst => self.waiting.pop_front(),
        }
    }

    /// Returns the orientation of a point: positive above the face.
    fn height(&self, face: usize, id: u32) -> f64 {
        let [a, b, c] = self.faces[face].corners.map(|corner| &self.points[corner as usize]);
        orient::orient3d(a, b, c, &self.points[id as usize])
    }

    /// Assigns each point to the first face from `from` on that it lies above.
    fn share_out(&mut self, ids: impl Iterator<Item = u32>, from: usize) {
        for id in ids {
            let face = (from..self.faces.len()).find(|&face| self.height(face, id) > 0.0);
            self.work += face.unwrap_or(self.faces.len()) - from + 1;
            if let Some(face) = face {
                self.faces[face].above.push(id);
            }
        }
    }

    /// Returns the point highest above the face; ties go to the lowest id.
    fn highest(&self, face: usize) -> Option<u32> {
        let ids = self.faces[face].above.iter().copied();
        ids.map(|id| (self.height(face, id), id))
            .reduce(
                |best, next| {
                    if next.0 > best.0 || (next.0 == best.0 && next.1 < best.1) { next } else { best }
                },
            )
            .map(|(_, id)| id)
    }

    /// Replaces the faces visible from `apex` by a fan from the horizon to it.
    fn add(&mut self, start: usize, apex: u32) {
        let mut rim = Vec::new();
        let mut orphans = Vec::new();
        self.remove_seen(start, apex, &mut rim, &mut orphans);
        let first = self.faces.len();
        let count = rim.len();
        self.work += count;
        for (k, side) in rim.iter().enumerate() {
            let across = [side.beyond, first + (k + 1) % count, first + (k + count - 1) % count];
            self.faces.push(Face {
                corners: [side.from, side.to, apex],
                across,
                above: Vec::new(),
                alive: true,
            });
            let beyond = &mut self.faces[side.beyond];
            let place =
                (0..3).find(|&p| beyond.corners[p] == side.to && beyond.corners[(p + 1) % 3] == side.from);
            beyond.across[place.expect("a face beyond the horizon has the reversed edge")] = first + k;
        }
        self.share_out(orphans.into_iter().filter(|&id| id != apex), first);
        self.waiting.extend(first..first + count);
    }

    /// Removes all faces visible from `apex`, walking them so that the horizon edges come in order. An explicit stack
    /// of (face, first side, sides left) avoids recursion for deep hulls.
    fn remove_seen(&mut self, start: usize, apex: u32, rim: &mut Vec<HorizonSide>, orphans: &mut Vec<u32>) {
        let mut stack = vec![(start, 0, 3)];
        self.kill(start, orphans);
        while let Some((face, side, left)) = stack.pop() {
            if left == 0 {
                continue;
            }
            stack.push((face, (side + 1) % 3, left - 1));
            let corners = self.faces[face].corners;
            let (from, to) = (corners[side], corners[(side + 1) % 3]);
            let beyond = self.faces[face].across[side];
            if !self.faces[beyond].alive {
                continue;
            }
            if self.height(beyond, apex) > 0.0 {
                self.kill(beyond, orphans);
                let entered =
                    (0..3).find(|&p| self.faces[beyond].corners[p] == to).expect("neighbours share a side");
                stack.push((beyond, (entered + 1) % 3, 2));
            } else {
                rim.push(HorizonSide { from, to, beyond });
            }
        }
    }

    fn kill(&mut self, face: usize, orphans: &mut Vec<u32>) {
        self.faces[face].alive = false;
        orphans.append(&mut self.faces[face].above);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The corners of a hull's triangles, each from its lowest, ascending.
    fn set(mut triangles: Vec<[u32; 3]>) -> Vec<[u32; 3]> {
        for ids in &mut triangles {
            let lowest = (0..3).min_by_key(|&k| ids[k]).unwrap_or(0);
            ids.rotate_left(lowest);
        }
        triangles.sort_unstable();
        triangles
    }

    /// Points on a closed twisted curve, no four in a plane by rounding: both orders find the one hull, which is
    /// beyond what the newest-first order is allowed.
    #[test]
    fn both_orders_find_the_same_hull_and_the_slow_one_is_given_up() {
        let curve = |k: u32| {
            let t = f64::from(k) * 0.618_033_988_749_894_9 % 1.0 * std::f64::consts::TAU;
            Point::new(t.cos(), t.sin(), (2.0 * t).cos())
        };
        let points: Vec<Point> = (0..12_000).map(curve).collect();
        let corners = [0, 1, 2, 3];
        let corners = if orient::orient3d(&points[0], &points[1], &points[2], &points[3]) > 0.0 {
            [0, 2, 1, 3]
        } else {
            corners
        };
        let newest = within(&points, corners, Order::NewestFirst, usize::MAX).unwrap();
        let oldest = within(&points, corners, Order::OldestFirst, usize::MAX).unwrap();
        assert_eq!(set(newest), set(oldest.clone()));
        assert!(oldest.len() == 2 * points.len() - 4, "{}", oldest.len());
        let allowed = WORK_AT_LEAST.max(WORK_PER_POINT * points.len());
        assert!(within(&points, corners, Order::NewestFirst, allowed).is_none());
        assert!(within(&points, corners, Order::OldestFirst, allowed).is_some());
        assert_eq!(ConvexHull::new(&points).vertices.len(), points.len());
    }
}
