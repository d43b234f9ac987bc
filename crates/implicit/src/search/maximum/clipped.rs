//! Convex polytope that is cut by planes: its corners, edges and sides.

use arrayvec::ArrayVec;
use palpate_math::{Point, Vector};

/// The most holes.
pub(super) const HOLES: usize = 8;

/// Up to how many points the edges of a hull are found by a table.
const IN_A_TABLE: usize = 64;

/// The thickness of the thinnest hulls, relative to their size.
const THINNEST: f64 = 1e-3;

/// The plane of a side: the polytope is where `normal · x` is at most `offset + rate * level`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) normal: Vector,
    pub(super) offset: f64,
    /// How it moves with the level: 1 for a tangent of the function, 0 for a side of the solid.
    pub(super) rate: f64,
    /// Whether it is a tangent of a hole: it keeps a corner out of the hole, and bounds nothing.
    pub(super) is_guide: bool,
}

impl Side {
    pub(super) fn fixed(normal: Vector, offset: f64) -> Self {
        Self { normal, offset, rate: 0.0, is_guide: false }
    }

    /// Returns the distance of a point above the side, at a level.
    pub(super) fn height(&self, point: &Point, level: f64) -> f64 {
        self.normal.dot(&point.coords) - (self.offset + self.rate * level)
    }
}

/// A corner of the polytope.
#[derive(Clone, Debug)]
pub(super) struct Corner {
    pub(super) point: Point,
    /// Three of the sides that meet there.
    pub(super) sides: [u32; 3],
    /// The values of the holes' functions; none until they are known.
    pub(super) holes: ArrayVec<f64, HOLES>,
}

impl Corner {
    fn new(point: Point, sides: [u32; 3]) -> Self {
        Self { point, sides, holes: ArrayVec::new() }
    }
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    ends: [u32; 2],
    sides: [u32; 2],
}

/// What is left after a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// The plane cuts nothing off.
    All,
    /// A smaller polytope.
    Some,
    Nothing,
    /// Rounding has made a side that is no convex polygon.
    Broken,
}

/// The corners that a cut makes on a side: their count, and the first.
#[derive(Clone, Copy, Debug)]
struct Made {
    count: u32,
    first: u32,
}

const NOWHERE: u32 = u32::MAX;

/// The polytope with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Clipped {
    pub(super) corners: Vec<Corner>,
    edges: Vec<Edge>,
    /// All sides that ever were.
    pub(super) sides: Vec<Side>,
    heights: Vec<f64>,
    /// The new numbers of the corners.
    kept: Vec<u32>,
    made: Vec<Made>,
    /// The directed edges of a hull, each with the side on its left.
    halves: Vec<([u32; 2], u32)>,
}

impl Clipped {
    fn clear(&mut self) {
        self.corners.clear();
        self.edges.clear();
        self.sides.clear();
    }

    /// Starts with a box, given its centre and half of its edges; returns false if it has no interior.
    pub(super) fn begin_with_box(&mut self, center: &Point, half: &[Vector; 3]) -> bool {
        self.clear();
        for half in half {
            let Some(normal) = half.try_normalize(0.0) else { return false };
            let (reach, middle) = (normal.dot(half), normal.dot(&center.coords));
            self.sides.push(Side::fixed(normal, reach + middle));
            self.sides.push(Side::fixed(-normal, reach - middle));
        }
        for number in 0..8_u32 {
            let is_high = |axis: u32| number >> axis & 1;
            let sign = |axis: u32| if is_high(axis) == 1 { 1.0 } else { -1.0 };
            let side = |axis: u32| 2 * axis + (1 - is_high(axis));
            let point = center + half[0] * sign(0) + half[1] * sign(1) + half[2] * sign(2);
            self.corners.push(Corner::new(point, [side(0), side(1), side(2)]));
            for axis in (0..3).filter(|axis| is_high(*axis) == 0) {
                let sides = [side((axis + 1) % 3), side((axis + 2) % 3)];
                self.edges.push(Edge { ends: [number, number | 1 << axis], sides });
            }
        }
        true
    }

    /// Starts with the hull of points, given its triangles, anticlockwise from outside, and its size; returns false if these are
    /// not a closed surface, one is degenerate, or it is flat.
    pub(super) fn begin_with_hull(
        &mut self,
        points: impl Iterator<Item = Point>,
        triangles: &[[u32; 3]],
        reach: f64,
    ) -> bool {
        self.clear();
        self.corners.extend(points.map(|point| Corner::new(point, [0; 3])));
        let (mut area, mut volume) = (0.0, 0.0);
        for (number, ids) in (0..).zip(triangles) {
            let [a, b, c] = ids.map(|id| self.corners[id as usize].point);
            let across = (b - a).cross(&(c - a));
            let Some(normal) = across.try_normalize(0.0) else { return false };
            area += across.norm();
            volume += across.dot(&(a - self.corners[0].point));
            let heights = [a, b, c].map(|point| normal.dot(&point.coords));
            let offset = heights.into_iter().fold(f64::NEG_INFINITY, f64::max);
            self.sides.push(Side::fixed(normal, offset));
            ids.iter().for_each(|id| self.corners[*id as usize].sides = [number; 3]);
        }
        // The sides of a flat hull do not tell what is beside it.
        if volume.is_nan() || volume <= THINNEST * reach * area {
            return false;
        }
        if self.corners.len() <= IN_A_TABLE {
            self.edges_by_table(triangles)
        } else {
            self.edges_by_order(triangles)
        }
        2 * self.edges.len() == 3 * triangles.len()
    }

    fn edges_by_table(&mut self, triangles: &[[u32; 3]]) {
        let count = self.corners.len();
        self.kept.clear();
        self.kept.resize(count * count, NOWHERE);
        for (number, ids) in (0..).zip(triangles) {
            for k in 0..3 {
                let (from, to) = (ids[k], ids[(k + 1) % 3]);
                let other = self.kept[to as usize * count + from as usize];
                if other == NOWHERE {
                    self.kept[from as usize * count + to as usize] = number;
                } else {
                    self.edges.push(Edge { ends: [from, to], sides: [number, other] });
                }
            }
        }
    }

    fn edges_by_order(&mut self, triangles: &[[u32; 3]]) {
        self.halves.clear();
        for (number, [a, b, c]) in (0..).zip(triangles) {
            let ends = [[*a, *b], [*b, *c], [*c, *a]];
            self.halves.extend(ends.map(|[from, to]| ([from.min(to), from.max(to)], number)));
        }
        self.halves.sort_unstable();
        let pairs = self.halves.chunks_exact(2).filter(|pair| pair[0].0 == pair[1].0);
        self.edges.extend(pairs.map(|pair| Edge { ends: pair[0].0, sides: [pair[0].1, pair[1].1] }));
    }

    /// Forgets the tangents of holes among the sides after the first `count`: no corner is on them.
    pub(super) fn forget_guides(&mut self, count: usize) {
        let mut number = 0;
        self.sides.retain(|side| {
            number += 1;
            number <= count || !side.is_guide
        });
    }

    /// Becomes a copy of another polytope.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.corners.clone_from(&other.corners);
        self.edges.clone_from(&other.edges);
        self.sides.clone_from(&other.sides);
    }

    /// Cuts off what is above a side at a level.
    pub(super) fn cut(&mut self, side: Side, level: f64) -> Left {
        let Self { corners, edges, sides, heights, kept, made, .. } = self;
        heights.clear();
        heights.extend(corners.iter().map(|corner| side.height(&corner.point, level)));
        kept.clear();
        let mut count = 0;
        for height in heights.iter() {
            let is_kept = *height <= 0.0;
            kept.push(if is_kept { count } else { NOWHERE });
            count += u32::from(is_kept);
        }
        let before = corners.len();
        if count as usize == before {
            return Left::All;
        }
        if count == 0 {
            return Left::Nothing;
        }
        let new = sides.len() as u32;
        sides.push(side);
        made.clear();
        made.resize(sides.len(), Made { count: 0, first: 0 });
        let mut index = 0;
        while let Some(edge) = edges.get_mut(index) {
            let [a, b] = edge.ends.map(|end| end as usize);
            let (inside, outside) = if kept[a] == NOWHERE { (b, a) } else { (a, b) };
            if kept[inside] == NOWHERE {
                edges.swap_remove(index);
                continue;
            }
            index += 1;
            if kept[outside] != NOWHERE {
                edge.ends = [kept[a], kept[b]];
                continue;
            }
            let share = heights[inside] / (heights[inside] - heights[outside]);
            let (from, to) = (corners[inside].point, corners[outside].point);
            let id = count + (corners.len() - before) as u32;
            corners.push(Corner::new(from + (to - from) * share, [edge.sides[0], edge.sides[1], new]));
            edge.ends = [kept[inside], id];
            for side in edge.sides {
                let made = &mut made[side as usize];
                if made.count == 0 {
                    made.first = id;
                }
                made.count += 1;
            }
        }
        if made.iter().any(|made| made.count != 0 && made.count != 2) {
            return Left::Broken;
        }
        // The edges of the new side: one on each side that it cuts.
        for (id, corner) in (count..).zip(&corners[before..]) {
            for side in &corner.sides[..2] {
                let first = made[*side as usize].first;
                if first != id {
                    edges.push(Edge { ends: [first, id], sides: [*side, new] });
                }
            }
        }
        let mut number = 0;
        corners.retain(|_| {
            number += 1;
            number > before || kept[number - 1] != NOWHERE
        });
        Left::Some
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_convex::ConvexHull;

    fn random(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 40) as f64 / f64::from(1 << 23) - 1.0
    }

    /// Random planes cut a box and a hull: the greatest value of any linear function over the corners is that over points
    /// at random that are below all planes, or more, and no corner is above a plane.
    #[test]
    fn the_corners_are_those_of_what_is_left() {
        let mut state = 3;
        let (mut some, mut nothing, mut inside) = (0, 0, 0);
        'cases: for case in 0..400 {
            let mut polytope = Clipped::default();
            if case % 2 == 0 {
                let half =
                    [Vector::new(1.0, 0.2, 0.0), Vector::new(-0.2, 1.0, 0.0), Vector::new(0.0, 0.0, 0.7)];
                assert!(polytope.begin_with_box(&Point::origin(), &half));
            } else {
                let count = if case % 4 == 1 { 24 } else { IN_A_TABLE + 30 };
                let points: Vec<Point> = (0..count)
                    .map(|_| Vector::new(random(&mut state), random(&mut state), random(&mut state)))
                    .map(|point| Point::from(point.normalize()))
                    .collect();
                let hull = ConvexHull::new(&points);
                assert!(polytope.begin_with_hull(points.iter().copied(), &hull.triangles, 1.0));
            }
            for _ in 0..case % 12 {
                let normal =
                    Vector::new(random(&mut state), random(&mut state), random(&mut state)).normalize();
                let side = Side::fixed(normal, 0.3 + 0.5 * random(&mut state));
                match polytope.cut(side, 0.0) {
                    Left::Nothing => {
                        nothing += 1;
                        continue 'cases;
                    }
                    Left::Broken => panic!("{case}"),
                    Left::Some => some += 1,
                    Left::All => {}
                }
            }
            for corner in &polytope.corners {
                assert!(polytope.sides.iter().all(|side| side.height(&corner.point, 0.0) < 1e-12), "{case}");
                let met = corner.sides.map(|side| polytope.sides[side as usize].height(&corner.point, 0.0));
                assert!(met.iter().all(|height| height.abs() < 1e-12), "{case}");
            }
            let faces = 2 + polytope.edges.len() as i64 - polytope.corners.len() as i64;
            assert!(faces >= 4 && faces as usize <= polytope.sides.len(), "{case}");
            for _ in 0..100 {
                let point = Point::new(random(&mut state), random(&mut state), random(&mut state));
                if polytope.sides.iter().all(|side| side.height(&point, 0.0) <= 0.0) {
                    inside += 1;
                    let way = Vector::new(random(&mut state), random(&mut state), random(&mut state));
                    let along = |point: &Point| way.dot(&point.coords);
                    assert!(
                        polytope.corners.iter().any(|corner| along(&corner.point) >= along(&point) - 1e-12)
                    );
                }
            }
        }
        assert!(some > 500 && nothing > 3 && inside > 1000, "{some} {nothing} {inside}");
    }
}
