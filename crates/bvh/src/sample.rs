//! Random boxes for the tests of this crate, from fixed seeds, and brute-force references.

use crate::Bvh;
use crate::frame::Lanes;
use crate::split::LEAF_SIZE;
use crate::tree::Child;
use palpate_math::{Aabb, Point, Vector};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A source of random points and boxes, the same on every machine.
pub(crate) struct Sample(ChaCha8Rng);

impl Sample {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    pub(crate) fn number(&mut self) -> f64 {
        self.0.random_range(-1.0..1.0)
    }

    pub(crate) fn vector(&mut self) -> Vector {
        Vector::new(self.number(), self.number(), self.number())
    }

    pub(crate) fn point(&mut self) -> Point {
        Point::from(self.vector())
    }

    /// A box around a point of the cube of side two, up to `size` long along each axis.
    pub(crate) fn cuboid(&mut self, size: f64) -> Aabb {
        let center = self.point();
        let reach = self.vector().abs() * (0.5 * size);
        Aabb { min: center - reach, max: center + reach }
    }

    /// Sets of boxes of every kind that has caused bugs in trees, each with its name.
    pub(crate) fn sets(&mut self) -> Vec<(&'static str, Vec<Aabb>)> {
        let mut sets: Vec<(&'static str, Vec<Aabb>)> = vec![("none", vec![])];
        for (name, count) in
            [("one", 1), ("two", 2), ("a leaf full", 4), ("a leaf and one", 5), ("many", 700)]
        {
            sets.push((name, (0..count).map(|_| self.cuboid(0.2)).collect()));
        }
        sets.push(("identical", vec![self.cuboid(0.2); 100]));
        sets.push(("points", (0..300).map(|_| Aabb::from_point(self.point())).collect()));
        sets.push(("flat", (0..300).map(|_| flattened(self.cuboid(0.3), 2)).collect()));
        sets.push(("on a line", (0..300).map(|_| flattened(flattened(self.cuboid(0.3), 2), 1)).collect()));
        // Touching cells of a grid: every face is shared.
        let cell = |i: i32| Point::new(f64::from(i % 7), f64::from(i / 7 % 7), f64::from(i / 49));
        sets.push((
            "a grid",
            (0..343).map(|i| Aabb { min: cell(i), max: cell(i) + Vector::repeat(1.0) }).collect(),
        ));
        let clusters: Vec<Vector> = (0..5).map(|_| self.vector() * 10.0).collect();
        let clustered = (0..500).map(|i| moved(&self.cuboid(1.0), &clusters[i % 5], 0.01)).collect();
        sets.push(("clustered", clustered));
        // Each a hundredth of the size and position of the one before, for which halving space never ends.
        let shrinking =
            (0..140).map(|i| moved(&self.cuboid(0.5), &Vector::repeat(2.0), 0.01_f64.powi(i))).collect();
        sets.push(("ever smaller", shrinking));
        let mut with_tombstones: Vec<Aabb> = (0..200).map(|_| self.cuboid(0.4)).collect();
        for tombstone in with_tombstones.iter_mut().step_by(3) {
            *tombstone = Aabb::EMPTY;
        }
        with_tombstones[1].min.x = with_tombstones[1].max.x + 1.0;
        sets.push(("with tombstones", with_tombstones));
        sets.push(("all tombstones", vec![Aabb::EMPTY; 20]));
        let mut unbounded: Vec<Aabb> = (0..100).map(|_| self.cuboid(0.4)).collect();
        unbounded[7] = Aabb::ALL;
        unbounded[30].min.y = f64::NEG_INFINITY;
        unbounded[60] = Aabb::EMPTY;
        sets.push(("unbounded", unbounded));
        let around = |sample: &mut Self, place: f64, size: f64| -> Vec<Aabb> {
            (0..150).map(|_| moved(&sample.cuboid(0.4), &Vector::repeat(place), size)).collect()
        };
        sets.push(("far from the origin", around(self, 1e9, 1.0)));
        sets.push(("minute", around(self, 0.0, 2.0_f64.powi(-140))));
        sets.push(("minute and far", around(self, 1e6, 2.0_f64.powi(-140))));
        sets.push(("huge", around(self, 3.0, 2.0_f64.powi(140))));
        // Two clusters that single precision cannot resolve: most comparisons of coordinates are ties.
        let mut resolved = around(self, 0.0, 1e-9);
        resolved.extend(around(self, 1.0, 1.0));
        sets.push(("of two sizes", resolved));
        sets
    }
}

fn flattened(mut bounds: Aabb, axis: usize) -> Aabb {
    bounds.min[axis] = 0.5;
    bounds.max[axis] = 0.5;
    bounds
}

/// The box moved and scaled down.
fn moved(bounds: &Aabb, place: &Vector, size: f64) -> Aabb {
    let corner = |point: &Point| Point::from((point.coords + place) * size);
    Aabb { min: corner(&bounds.min), max: corner(&bounds.max) }
}

/// The boxes displaced, as by a deforming mesh.
pub(crate) fn stirred(boxes: &[Aabb], sample: &mut Sample) -> Vec<Aabb> {
    let stir = |bounds: &Aabb| {
        let shift = sample.vector() * 0.3;
        Aabb { min: bounds.min + shift, max: bounds.max + shift }
    };
    boxes.iter().map(stir).collect()
}

/// All overlapping pairs of boxes, one from each set, in order.
pub(crate) fn pairs_by_brute_force(a: &[Aabb], b: &[Aabb]) -> Vec<(u32, u32)> {
    let numbers = |boxes: &[Aabb]| 0..boxes.len() as u32;
    let all = numbers(a).flat_map(|i| numbers(b).map(move |j| (i, j)));
    all.filter(|&(i, j)| a[i as usize].overlaps(&b[j as usize])).collect()
}

/// Returns the number of nodes on the longest way below a child, having checked that its box is the union of its
/// contents.
pub(crate) fn checked_depth(tree: &Bvh, child: Child, bounds: &Lanes) -> usize {
    if child.is_leaf() {
        let entries = &tree.entries[child.range()];
        let union = entries.iter().fold(Lanes::EMPTY, |union, entry| union.merged(entry));
        assert_eq!(union, *bounds);
        assert!(child.count as usize <= LEAF_SIZE);
        return 0;
    }
    let node = &tree.nodes[child.first as usize];
    assert_eq!(node.union(), *bounds);
    assert!(node.len >= 2, "{} children", node.len);
    let mut deepest = 0;
    for lane in 0..node.len as usize {
        let below = node.child(lane);
        assert!(below.is_leaf() || below.first > child.first, "a node precedes its children");
        deepest = deepest.max(checked_depth(tree, below, &node.bounds(lane)));
    }
    1 + deepest
}
