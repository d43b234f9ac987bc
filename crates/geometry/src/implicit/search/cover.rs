//! The part of a box in which a body may be deepest in a mesh, by cells that take little time.
//!
//! No point in a mesh is deeper than its distance from any one triangle. So a cell is left out if all of it is within the wanted depth
//! of one triangle, or if it is outside the mesh or outside the body. The cells that are left are enclosed in a few boxes, for a search
//! whose bounds converge faster but take longer.

use super::nearby::Nearby;
use crate::implicit::{ImplicitFunction, MeshSolid, OrientedBounds};
use palpate_math::{Point, Vector, rounding};

/// The most cells that are divided further.
const MOST_OPEN: usize = 48;

/// How often cells are halved.
const MOST_LEVELS: usize = 5;

/// Axes shorter than this share of the longest are not halved.
const SHORT: f64 = 0.6;

/// The search with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Cover {
    cells: Vec<LatticeCell>,
    next: Vec<LatticeCell>,
    /// The group of every cell.
    groups: Vec<usize>,
    /// Bounding boxes of the remaining cells, one for each group.
    pub(super) boxes: Vec<OrientedBounds>,
}

/// A cell by its place in the lattice of its level.
#[derive(Clone, Copy, Debug)]
struct LatticeCell {
    at: [u32; 3],
    /// The triangle closest to the centre.
    closest: usize,
    /// Whether all of it is known to be in the mesh.
    is_inside: bool,
}

/// A point of a body in a mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeepPoint {
    pub(super) point: Point,
    pub(super) depth: f64,
}

/// The size of a level's cells.
struct Level {
    half: [Vector; 3],
    radius: f64,
    /// Along which axes its cells are half as large as those before.
    is_halved: [bool; 3],
}

/// What is searched.
struct Depths<'a> {
    solid: &'a MeshSolid<'a>,
    body: &'a dyn ImplicitFunction,
    rate: f64,
    nearby: &'a Nearby<'a>,
    low: Point,
    /// How deep a point is to be.
    wanted: f64,
    slack: f64,
    deepest: Option<DeepPoint>,
}

impl Cover {
    /// Lists boxes with all points of the body in a box that are at least `wanted` deep in the mesh, and no less deep by more than
    /// `gap` than the deepest point that is seen on the way, which is returned. `None` without a list if the body has no Lipschitz
    /// constant, or the mesh no triangle.
    pub(super) fn find(
        &mut self,
        solid: &MeshSolid<'_>,
        body: &dyn ImplicitFunction,
        root: &OrientedBounds,
        wanted: f64,
        gap: f64,
    ) -> Option<Option<DeepPoint>> {
        let across: Vector = root.half.iter().sum();
        let low = root.center - across;
        let largest = rounding::largest_coordinate(&[low, root.center + across]);
        let nearby = Nearby::new(solid.surface(), root);
        let mut depths = Depths {
            solid,
            body,
            rate: body.lipschitz()?,
            nearby: &nearby,
            low,
            wanted,
            slack: gap + rounding::length(largest),
            deepest: None,
        };
        let mut level = Level { half: root.half, radius: root.reach(), is_halved: [false; 3] };
        self.make_room();
        let closest = nearby.first(&root.center)?;
        self.cells.push(LatticeCell { at: [0; 3], closest, is_inside: false });
        for _ in 0..MOST_LEVELS {
            level.halve();
            self.next.clear();
            for cell in &self.cells {
                for at in level.parts(cell.at) {
                    self.next.extend(depths.open(&LatticeCell { at, ..*cell }, &level));
                }
            }
            std::mem::swap(&mut self.cells, &mut self.next);
            if self.cells.is_empty() || self.cells.len() > MOST_OPEN {
                break;
            }
        }
        self.group();
        self.enclose(&level, &low);
        Some(depths.deepest)
    }

    /// Clears the lists, with room for the most there can be: later searches do not touch the heap.
    fn make_room(&mut self) {
        self.cells.clear();
        self.cells.reserve(8 * MOST_OPEN);
        self.next.clear();
        self.next.reserve(8 * MOST_OPEN);
        self.groups.clear();
        self.groups.reserve(8 * MOST_OPEN);
        self.boxes.clear();
        self.boxes.reserve(MOST_OPEN);
    }

    /// Numbers cells that touch each other, directly or by others, with the same number; all cells of too many.
    fn group(&mut self) {
        self.groups.clear();
        if self.cells.len() > MOST_OPEN {
            self.groups.resize(self.cells.len(), 0);
            return;
        }
        for (number, cell) in self.cells.iter().enumerate() {
            self.groups.push(number);
            for other in 0..number {
                let touches = (0..3).all(|axis| cell.at[axis].abs_diff(self.cells[other].at[axis]) <= 1);
                let (from, to) = (self.groups[other], self.groups[number]);
                if touches && from != to {
                    self.groups.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
                }
            }
        }
    }

    /// Encloses every group of cells in a box.
    fn enclose(&mut self, level: &Level, low: &Point) {
        self.boxes.clear();
        for number in 0..self.cells.len() {
            let of_group = self.cells.iter().zip(&self.groups).filter(|(_, group)| **group == number);
            let both = of_group.map(|(cell, _)| (cell.at, cell.at)).reduce(|(least, most), (at, _)| {
                (
                    std::array::from_fn(|axis| least[axis].min(at[axis])),
                    std::array::from_fn(|axis| most[axis].max(at[axis])),
                )
            });
            let Some((least, most)) = both else { continue };
            let middle = |axis: usize| level.half[axis] * f64::from(least[axis] + most[axis] + 1);
            let half = |axis: usize| level.half[axis] * f64::from(most[axis] - least[axis] + 1);
            let center = low + middle(0) + middle(1) + middle(2);
            self.boxes.push(OrientedBounds { center, half: [half(0), half(1), half(2)] });
        }
    }
}

impl Level {
    fn halve(&mut self) {
        let lengths = self.half.map(|half| half.norm());
        let longest = lengths.into_iter().fold(0.0, f64::max);
        self.is_halved = lengths.map(|length| length > SHORT * longest);
        for axis in 0..3 {
            if self.is_halved[axis] {
                self.half[axis] *= 0.5;
            }
        }
        self.radius = self.half.iter().map(Vector::norm_squared).sum::<f64>().sqrt();
    }

    /// Returns the parts of a cell of the level before.
    fn parts(&self, at: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
        let bit = |number: u32, axis: usize| number >> axis & 1;
        let is_part = move |number: &u32| (0..3).all(|axis| self.is_halved[axis] || bit(*number, axis) == 0);
        let part = move |number: u32| {
            std::array::from_fn(|axis| at[axis] << u32::from(self.is_halved[axis]) | bit(number, axis))
        };
        (0..8).filter(is_part).map(part)
    }

    fn center(&self, low: &Point, at: [u32; 3]) -> Point {
        low + (0..3).map(|axis| self.half[axis] * f64::from(2 * at[axis] + 1)).sum::<Vector>()
    }
}

impl Depths<'_> {
    /// Tests a cell, given with the closest triangle and the side of its parent. Returns it with its own, or `None` if no point of the
    /// body in it is as deep as wanted.
    fn open(&mut self, cell: &LatticeCell, level: &Level) -> Option<LatticeCell> {
        let center = level.center(&self.low, cell.at);
        let seen = self.deepest.map_or(f64::NEG_INFINITY, |deepest| deepest.depth);
        let wanted = seen.max(self.wanted) - self.slack;
        if self.is_within(cell.closest, &center, &level.half, wanted) {
            return None;
        }
        let value = self.body.sample(&center).value;
        if value > self.rate * (level.radius + self.slack) {
            return None;
        }
        let (squared, closest) = self.nearby.closest(&center, cell.closest)?;
        let distance = squared.sqrt();
        if distance + level.radius < wanted {
            return None;
        }
        let is_inside = cell.is_inside || self.nearby.signed_distance(self.solid, &center, closest) < 0.0;
        if !is_inside {
            // The way to a point inside crosses the surface.
            let is_open = level.radius - distance >= wanted;
            return is_open.then_some(LatticeCell { closest, ..*cell });
        }
        if closest != cell.closest && self.is_within(closest, &center, &level.half, wanted) {
            return None;
        }
        if value <= 0.0 && distance > seen {
            self.deepest = Some(DeepPoint { point: center, depth: distance });
        }
        let is_inside = distance > level.radius * (1.0 + rounding::length(1.0));
        Some(LatticeCell { closest, is_inside, ..*cell })
    }

    /// Whether all of a cell is within a distance of a triangle: its corners are, as the distance is convex.
    fn is_within(&self, triangle: usize, center: &Point, half: &[Vector; 3], distance: f64) -> bool {
        let limit = distance * distance;
        let is_near = |point: &Point| self.nearby.distance_squared(triangle, point) < limit;
        let [x, y, z] = half;
        let mut ways = [x + y + z, x + y - z, x - y + z, x - y - z].into_iter();
        distance > 0.0
            && is_near(center)
            && ways.all(|way| is_near(&(center + way)) && is_near(&(center - way)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_bodies::{KINDS, MESHES, Random, meshes};
    use super::*;

    /// Of random points of bodies in meshes, all that are as deep as wanted and as deep as the deepest one seen are in the boxes.
    #[test]
    fn the_boxes_contain_all_that_is_deep() {
        let meshes = meshes(1.0);
        let (mut random, mut cover) = (Random(5), Cover::default());
        let (mut deep, mut shallow, mut empty, mut volume) = (0, 0, 0, 0.0);
        for case in 0..400 {
            let solid = MeshSolid::of_surface(&meshes[case % MESHES]).unwrap();
            let body = random.body(case / MESHES % KINDS, 1.0);
            let root = OrientedBounds::from(body.sublevel_bounds(0.0));
            let wanted = [0.0, 0.1, 0.3][case / (MESHES * KINDS) % 3];
            let found = cover.find(&solid, body.as_ref(), &root, wanted, 1e-10).unwrap();
            let least = found.map_or(wanted, |found| found.depth.max(wanted));
            if let Some(found) = found {
                assert!((solid.sample(&found.point).value + found.depth).abs() < 1e-12, "{case}: {found:?}");
                assert!(body.sample(&found.point).value <= 0.0, "{case}: {found:?}");
            }
            let size = |bounds: &OrientedBounds| bounds.half.iter().map(Vector::norm).product::<f64>();
            volume += cover.boxes.iter().map(size).sum::<f64>() / size(&root);
            empty += usize::from(cover.boxes.is_empty());
            for sample in 0..1000 {
                let share = random.vector();
                let anywhere = root.center + (0..3).map(|k| root.half[k] * share[k]).sum::<Vector>();
                let about = found.filter(|_| sample % 2 == 0).map(|found| found.point);
                let point = about.map_or(anywhere, |about| about + share * 0.05);
                if body.sample(&point).value > 0.0 || solid.sample(&point).value > 0.0 {
                    continue;
                }
                if -solid.sample(&point).value < least {
                    shallow += 1;
                    continue;
                }
                deep += 1;
                let is_in = |bounds: &OrientedBounds| {
                    let way = point - bounds.center;
                    bounds.half.iter().all(|half| half.dot(&way).abs() <= half.norm_squared() * (1.0 + 1e-9))
                };
                assert!(cover.boxes.iter().any(is_in), "{case}: {point}");
            }
        }
        assert!(deep > 300 && shallow > 20_000 && empty > 40, "{deep} {shallow} {empty}");
        assert!(volume < 0.1 * 400.0, "{volume}");
    }
}
