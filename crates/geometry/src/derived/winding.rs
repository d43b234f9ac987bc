//! Generalised winding numbers of a surface: the inside-outside test where pseudonormals fail.
//!
//! Source: A. Jacobson, L. Kavan and O. Sorkine-Hornung, "Robust Inside-Outside Segmentation using Generalized Winding
//! Numbers", ACM Transactions on Graphics 32 (2013), sections 4 and 4.2: seen from outside a convex box, a part of the
//! surface within it subtends the same solid angle as any other surface within it with the same boundary. The part is
//! replaced by a fan over its boundary, which has far fewer triangles; this is exact, not an approximation by distance.

use crate::Version;
use palpate_contact::NONE;
use palpate_math::solid_angle::solid_angle;
use palpate_math::{Aabb, Point};
use std::f64::consts::PI;

/// Triangles in a leaf: as many as a fan over their boundary would have.
const LEAF: usize = 8;

/// A tree over the triangles of a surface, with a boundary fan per node. Reused for the same version, refitted to new
/// positions, rebuilt for a new topology.
#[derive(Clone, Debug, Default)]
pub struct WindingTree {
    nodes: Vec<Node>,
    /// Triangles in the order of the leaves.
    order: Vec<u32>,
    /// The fans of all nodes, vertex ids.
    fans: Vec<[u32; 3]>,
    built_for: Version,
}

/// A part of the surface. Children come after their parent.
#[derive(Clone, Debug)]
struct Node {
    bounds: Aabb,
    /// The two children, or [`NONE`] twice.
    children: [u32; 2],
    /// For a leaf: its range of `order`.
    members: std::ops::Range<u32>,
    /// Its range of `fans`, if the fan is smaller than the part itself.
    fan: Option<std::ops::Range<u32>>,
}

/// An edge from its lower to its higher vertex, and the excess of uses in this direction over the other.
type Side = ([u32; 2], i32);

impl WindingTree {
    /// Updates the tree to `triangles` (vertex ids) over `positions`.
    pub fn update(&mut self, version: Version, triangles: &[[u32; 3]], positions: &[Point]) {
        if self.built_for == version {
            return;
        }
        if self.built_for.topology != version.topology {
            self.build(triangles, positions);
        }
        self.fit(triangles, positions);
        self.built_for = version;
    }

    /// Whether the tree was built for `version`.
    pub fn is_current(&self, version: Version) -> bool {
        self.built_for == version
    }

    /// Returns the winding number around `point`: 1 inside a closed surface with outward winding, 0 outside, a fraction
    /// for a surface with holes. Accurate to rounding away from the surface, ambiguous by one half on it. Cost: about
    /// the square root of the number of triangles near the surface, less away from it.
    pub fn winding_number(&self, triangles: &[[u32; 3]], positions: &[Point], point: &Point) -> f64 {
        if self.nodes.is_empty() {
            return 0.0;
        }
        let seen = |ids: &[u32; 3]| {
            let [a, b, c] = ids.map(|id| &positions[id as usize]);
            solid_angle(point, a, b, c)
        };
        self.angle_below(0, point, triangles, &seen) / (4.0 * PI)
    }

    fn angle_below(
        &self,
        node: u32,
        point: &Point,
        triangles: &[[u32; 3]],
        seen: &impl Fn(&[u32; 3]) -> f64,
    ) -> f64 {
        let node = &self.nodes[node as usize];
        if let Some(fan) = &node.fan
            && !node.bounds.contains_point(point)
        {
            return self.fans[fan.start as usize..fan.end as usize].iter().map(seen).sum();
        }
        let [left, right] = node.children;
        if left == NONE {
            let members = &self.order[node.members.start as usize..node.members.end as usize];
            return members.iter().map(|&triangle| seen(&triangles[triangle as usize])).sum();
        }
        self.angle_below(left, point, triangles, seen) + self.angle_below(right, point, triangles, seen)
    }

    fn build(&mut self, triangles: &[[u32; 3]], positions: &[Point]) {
        self.nodes.clear();
        self.fans.clear();
        self.order =
            (0..triangles.len() as u32).filter(|&triangle| triangles[triangle as usize][0] != NONE).collect();
        if self.order.is_empty() {
            return;
        }
        let middle = |ids: &[u32; 3]| match ids[0] {
            NONE => Point::origin(),
            _ => Aabb::from_points(ids.map(|id| positions[id as usize])).center(),
        };
        let middles: Vec<Point> = triangles.iter().map(middle).collect();
        let mut order = std::mem::take(&mut self.order);
        self.build_below(&mut order, 0, triangles, &middles);
        self.order = order;
    }

    /// Builds the node over `members`, which start at `start` of the order, and its descendants; returns its boundary.
    fn build_below(
        &mut self,
        members: &mut [u32],
        start: u32,
        triangles: &[[u32; 3]],
        middles: &[Point],
    ) -> Vec<Side> {
        let number = self.nodes.len();
        let range = start..start + members.len() as u32;
        self.nodes.push(Node { bounds: Aabb::EMPTY, children: [NONE; 2], members: range, fan: None });
        let boundary = if members.len() <= LEAF {
            boundary_of(members, triangles)
        } else {
            let axis = Aabb::from_points(members.iter().map(|&t| middles[t as usize])).longest_axis();
            let half = members.len() / 2;
            members.select_nth_unstable_by(half, |&a, &b| {
                middles[a as usize][axis].total_cmp(&middles[b as usize][axis]).then(a.cmp(&b))
            });
            let (left, right) = members.split_at_mut(half);
            let left_child = self.nodes.len() as u32;
            let left = self.build_below(left, start, triangles, middles);
            let right_child = self.nodes.len() as u32;
            let right = self.build_below(right, start + half as u32, triangles, middles);
            self.nodes[number].children = [left_child, right_child];
            merged(left.into_iter().chain(right).collect())
        };
        self.nodes[number].fan = self.add_fan(&boundary, members.len());
        boundary
    }

    /// Adds the triangles between the first vertex of the boundary and each of its edges, if fewer than `limit`.
    fn add_fan(&mut self, boundary: &[Side], limit: usize) -> Option<std::ops::Range<u32>> {
        let start = self.fans.len();
        let apex = boundary.first().map_or(NONE, |&([low, _], _)| low);
        for &([low, high], times) in boundary {
            if low == apex || high == apex {
                continue;
            }
            let triangle = if times > 0 { [apex, low, high] } else { [apex, high, low] };
            self.fans.extend(std::iter::repeat_n(triangle, times.unsigned_abs() as usize));
            if self.fans.len() - start >= limit {
                self.fans.truncate(start);
                return None;
            }
        }
        Some(start as u32..self.fans.len() as u32)
    }

    fn fit(&mut self, triangles: &[[u32; 3]], positions: &[Point]) {
        for number in (0..self.nodes.len()).rev() {
            let node = &self.nodes[number];
            let bounds = if node.children[0] == NONE {
                let members = &self.order[node.members.start as usize..node.members.end as usize];
                Aabb::from_points(
                    members.iter().flat_map(|&t| triangles[t as usize].map(|id| positions[id as usize])),
                )
            } else {
                let [left, right] = node.children.map(|child| self.nodes[child as usize].bounds);
                left.merged(&right)
            };
            self.nodes[number].bounds = bounds;
        }
    }
}

fn boundary_of(members: &[u32], triangles: &[[u32; 3]]) -> Vec<Side> {
    let sides = members.iter().flat_map(|&triangle| {
        let [a, b, c] = triangles[triangle as usize];
        [(a, b), (b, c), (c, a)].map(|(from, to)| if from <= to { ([from, to], 1) } else { ([to, from], -1) })
    });
    merged(sides.collect())
}

/// Merges equal edges, dropping those whose directions cancel.
fn merged(mut sides: Vec<Side>) -> Vec<Side> {
    sides.sort_unstable();
    sides.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    sides.retain(|&([low, high], times)| times != 0 && low != high);
    sides
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERSION: Version = Version { topology: 1, positions: 1 };

    /// Generates a bumpy ball of `rings` rings and as many columns, perturbed by numbers between -1 and 1.
    fn ball(rings: u32, mut number: impl FnMut() -> f64) -> (Vec<Point>, Vec<[u32; 3]>) {
        let mut positions = vec![Point::new(0.0, 1.0, 0.0), Point::new(0.0, -1.0, 0.0)];
        let at = |ring: u32, column: u32| 2 + ring * rings + column % rings;
        for ring in 0..rings {
            for column in 0..rings {
                let polar = PI * f64::from(ring + 1) / f64::from(rings + 1);
                let around = 2.0 * PI * f64::from(column) / f64::from(rings);
                let radius = 1.0 + 0.2 * number();
                let (y, flat) = (radius * polar.cos(), radius * polar.sin());
                positions.push(Point::new(flat * around.cos(), y, flat * around.sin()));
            }
        }
        let mut triangles = Vec::new();
        for column in 0..rings {
            triangles.push([0, at(0, column + 1), at(0, column)]);
            triangles.push([1, at(rings - 1, column), at(rings - 1, column + 1)]);
            for ring in 1..rings {
                let [a, b] = [at(ring - 1, column), at(ring - 1, column + 1)];
                let [c, d] = [at(ring, column), at(ring, column + 1)];
                triangles.extend([[a, b, c], [b, d, c]]);
            }
        }
        (positions, triangles)
    }

    /// Generates numbers between -1 and 1, the same on every machine.
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    fn directly(triangles: &[[u32; 3]], positions: &[Point], point: &Point) -> f64 {
        let angle: f64 = triangles
            .iter()
            .map(|ids| {
                let [a, b, c] = ids.map(|id| &positions[id as usize]);
                solid_angle(point, a, b, c)
            })
            .sum();
        angle / (4.0 * PI)
    }

    /// Compares a closed ball, one with holes, and one moved after the tree was built, with the sum over all triangles.
    #[test]
    fn the_sum_over_all_triangles_agrees() {
        let mut number = numbers(5);
        let (positions, whole) = ball(24, &mut number);
        let torn: Vec<[u32; 3]> =
            whole.iter().enumerate().filter(|(index, _)| index % 7 != 3).map(|(_, ids)| *ids).collect();
        let moved: Vec<Point> =
            positions.iter().map(|p| Point::new(p.x + 0.3 * p.y, 0.5 * p.y, p.z + 2.0)).collect();
        let (mut inside, mut between) = (0, 0);
        for triangles in [&whole, &torn] {
            let mut tree = WindingTree::default();
            for (positions, step) in [(&positions, 1), (&moved, 2)] {
                tree.update(Version { positions: step, ..VERSION }, triangles, positions);
                for _ in 0..500 {
                    let around = if step == 2 { 2.0 } else { 0.0 };
                    let point = Point::new(1.3 * number(), 1.3 * number(), 1.3 * number() + around);
                    let found = tree.winding_number(triangles, positions, &point);
                    let expected = directly(triangles, positions, &point);
                    assert!((found - expected).abs() <= 1e-12, "{found}, {expected} at {point}");
                    inside += i32::from(expected > 0.5);
                    between += i32::from((expected - expected.round()).abs() > 0.01);
                }
            }
        }
        assert!(inside > 300 && between > 300, "{inside} inside, {between} in between");
    }

    /// Duplicated and triplicated cells with single holes: the boundary fan counts multiplicities.
    #[test]
    fn doubled_cells_count_as_often_as_they_are_there() {
        let mut number = numbers(8);
        let (positions, whole) = ball(16, &mut number);
        let copies = |index: usize| [1, 2, 0, 3][index % 4];
        let triangles: Vec<[u32; 3]> = whole
            .iter()
            .enumerate()
            .flat_map(|(index, ids)| std::iter::repeat_n(*ids, copies(index / 16)))
            .collect();
        let mut tree = WindingTree::default();
        tree.update(VERSION, &triangles, &positions);
        let mut inside = 0;
        for _ in 0..500 {
            let point = Point::new(1.5 * number(), 1.5 * number(), 1.5 * number());
            let found = tree.winding_number(&triangles, &positions, &point);
            let expected = directly(&triangles, &positions, &point);
            assert!((found - expected).abs() <= 1e-12, "{found}, {expected} at {point}");
            inside += i32::from(expected > 1.0);
        }
        assert!(inside > 50, "{inside}");
        // Three copies of the same surface have three times the winding number.
        let three: Vec<[u32; 3]> = whole.iter().flat_map(|ids| [*ids; 3]).collect();
        let mut tree = WindingTree::default();
        tree.update(Version { topology: 2, ..VERSION }, &three, &positions);
        assert!((tree.winding_number(&three, &positions, &Point::origin()) - 3.0).abs() < 1e-12);
    }

    /// With four times as many triangles, about twice as many are visited.
    #[test]
    fn the_work_grows_like_the_square_root() {
        let looked_at = |rings: u32| {
            let (positions, triangles) = ball(rings, numbers(6));
            let mut tree = WindingTree::default();
            tree.update(VERSION, &triangles, &positions);
            assert_eq!(
                tree.nodes[0].fan,
                Some(tree.fans.len() as u32..tree.fans.len() as u32),
                "closed: none"
            );
            let count = std::cell::Cell::new(0_usize);
            let seen = |_: &[u32; 3]| {
                count.set(count.get() + 1);
                0.0
            };
            let mut number = numbers(7);
            for _ in 0..200 {
                tree.angle_below(0, &Point::new(number(), number(), number()), &triangles, &seen);
            }
            count.get()
        };
        let (few, many) = (looked_at(50), looked_at(100));
        assert!(many < 5 * few / 2, "{few}, then {many}");
        assert!(many / 200 < 2000, "{} of 20000 triangles", many / 200);
    }

    #[test]
    fn an_empty_surface_winds_around_nothing() {
        let mut tree = WindingTree::default();
        tree.update(VERSION, &[], &[]);
        assert_eq!(tree.winding_number(&[], &[], &Point::origin()), 0.0);
        assert!(tree.is_current(VERSION));
    }
}
