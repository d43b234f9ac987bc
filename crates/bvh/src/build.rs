//! Tree construction: top-down splits by the binned surface-area heuristic.
//!
//! Source: I. Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", IEEE Symposium on Interactive Ray
//! Tracing (2007), section 3; one axis per split, the longest of the centres' box.

use palpate_math::{Aabb, Point};

use crate::Bvh;
use crate::tree::{Child, Entry, Node};

/// Maximum number of boxes per leaf: below this, testing them all costs no more than another node.
const LEAF_SIZE: usize = 4;

const BINS: usize = 16;

/// Below this depth splits halve the boxes regardless of their positions, so that the depth and the recursion are
/// bounded by this plus the logarithm of the size.
const HEURISTIC_DEPTH: usize = 40;

impl Bvh {
    /// Builds a tree over the boxes; box `i` is reported as number `i`. Takes O(n log n) steps for n boxes.
    ///
    /// # Panics
    /// With 2^32 - 2 boxes or more (which would fill 200 GB), whose numbers exceed a `u32`.
    pub fn build(boxes: &[Aabb]) -> Self {
        let mut tree = Self::default();
        tree.rebuild(boxes);
        tree
    }

    /// Rebuilds the tree over other boxes, any number of them, reusing its memory.
    ///
    /// # Panics
    /// Like [`build`](Self::build).
    pub fn rebuild(&mut self, boxes: &[Aabb]) {
        assert!(
            boxes.len() < u32::MAX as usize - 1,
            "{} boxes; a tree holds fewer than 2^32 - 2",
            boxes.len()
        );
        self.nodes.clear();
        self.entries.clear();
        self.entries.extend(boxes.iter().zip(0..).map(|(bounds, id)| Entry { bounds: tidied(bounds), id }));
        // Capacity for one box per leaf: rebuilding over as many boxes never allocates.
        self.nodes.reserve(boxes.len());
        self.bounds = if boxes.is_empty() { Aabb::EMPTY } else { self.build_range(0, boxes.len(), 0).1 };
        self.cost_when_built = self.cost();
    }

    /// Builds the subtree over some entries, and returns it with its box.
    fn build_range(&mut self, start: usize, end: usize, depth: usize) -> (Child, Aabb) {
        let entries = &mut self.entries[start..end];
        let mut bounds = Aabb::EMPTY;
        let mut centers = Aabb::EMPTY;
        for entry in entries.iter() {
            bounds = bounds.merged(&entry.bounds);
            centers.include(&doubled_center(&entry.bounds));
        }
        if entries.len() <= LEAF_SIZE {
            return (Child { first: start as u32, count: (end - start) as u32 }, bounds);
        }
        let axis = centers.longest_axis();
        let binned = if depth < HEURISTIC_DEPTH { split_by_area(entries, &centers, axis) } else { None };
        let middle = start + binned.unwrap_or_else(|| split_in_halves(entries, axis));
        let index = self.nodes.len();
        // Allocated before its children are built, so that they come after it.
        let unknown = Child { first: 0, count: 0 };
        self.nodes.push(Node { bounds: [Aabb::EMPTY; 2], children: [unknown; 2] });
        let (left, left_bounds) = self.build_range(start, middle, depth + 1);
        let (right, right_bounds) = self.build_range(middle, end, depth + 1);
        self.nodes[index] = Node { bounds: [left_bounds, right_bounds], children: [left, right] };
        (Child { first: index as u32, count: 0 }, bounds)
    }
}

/// Returns the box in the tree's canonical form: all empty boxes are equal.
#[inline]
pub(crate) fn tidied(bounds: &Aabb) -> Aabb {
    if bounds.is_empty() { Aabb::EMPTY } else { *bounds }
}

/// Returns twice the centre (halving would change no comparison), finite for unbounded and empty boxes.
#[inline]
fn doubled_center(bounds: &Aabb) -> Point {
    const FAR: f64 = f64::MAX / 4.0;
    let sum = |axis: usize| {
        let sum = bounds.min[axis] + bounds.max[axis];
        if sum.is_nan() { 0.0 } else { sum.clamp(-FAR, FAR) }
    };
    Point::new(sum(0), sum(1), sum(2))
}

#[derive(Clone, Copy)]
struct Bin {
    bounds: Aabb,
    count: usize,
}

impl Bin {
    const EMPTY: Self = Self { bounds: Aabb::EMPTY, count: 0 };

    fn merge(&mut self, other: &Self) {
        self.bounds = self.bounds.merged(&other.bounds);
        self.count += other.count;
    }

    /// Returns the area times the count: proportional to the expected tests of a query in this bin.
    fn cost(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.bounds.surface_area() * self.count as f64 }
    }
}

/// Orders the entries so that those before the returned index form one child; `None` if all centres coincide.
fn split_by_area(entries: &mut [Entry], centers: &Aabb, axis: usize) -> Option<usize> {
    let low = centers.min[axis];
    let extent = centers.max[axis] - low;
    let bins_per_length = BINS as f64 / extent;
    if !(extent > 0.0 && bins_per_length.is_finite()) {
        return None;
    }
    let bin_of = |entry: &Entry| {
        let along = (doubled_center(&entry.bounds)[axis] - low) * bins_per_length;
        (along as usize).min(BINS - 1)
    };
    let mut bins = [Bin::EMPTY; BINS];
    for entry in entries.iter() {
        bins[bin_of(entry)].merge(&Bin { bounds: entry.bounds, count: 1 });
    }
    let last_left = cheapest_cut(&bins);
    Some(partition(entries, |entry| bin_of(entry) <= last_left))
}

/// Returns the last bin of the left side of the cheapest split; ties go to the most balanced. The first and last bins
/// are never empty, so neither side is.
fn cheapest_cut(bins: &[Bin; BINS]) -> usize {
    let mut right_sides = [Bin::EMPTY; BINS];
    let mut right = Bin::EMPTY;
    for cut in (0..BINS - 1).rev() {
        right.merge(&bins[cut + 1]);
        right_sides[cut] = right;
    }
    let mut left = Bin::EMPTY;
    let mut best = (f64::INFINITY, usize::MAX);
    let mut best_cut = 0;
    for cut in 0..BINS - 1 {
        left.merge(&bins[cut]);
        let right = &right_sides[cut];
        let candidate = (left.cost() + right.cost(), left.count.abs_diff(right.count));
        if candidate < best {
            (best, best_cut) = (candidate, cut);
        }
    }
    best_cut
}

/// Moves the entries that go left before the others, and counts them.
fn partition(entries: &mut [Entry], goes_left: impl Fn(&Entry) -> bool) -> usize {
    let mut left = 0;
    let mut right = entries.len();
    while left < right {
        if goes_left(&entries[left]) {
            left += 1;
        } else {
            right -= 1;
            entries.swap(left, right);
        }
    }
    left
}

/// Halves the entries by their centres along an axis; ties go to the lower number.
fn split_in_halves(entries: &mut [Entry], axis: usize) -> usize {
    let middle = entries.len() / 2;
    entries.select_nth_unstable_by(middle, |a, b| {
        let (center_a, center_b) = (doubled_center(&a.bounds)[axis], doubled_center(&b.bounds)[axis]);
        center_a.total_cmp(&center_b).then(a.id.cmp(&b.id))
    });
    middle
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;

    /// Returns the depth below a child, having checked that its box is the union of its contents.
    fn checked_depth(tree: &Bvh, child: Child, bounds: &Aabb) -> usize {
        if child.is_leaf() {
            let union = tree.leaf(child).iter().fold(Aabb::EMPTY, |union, entry| union.merged(&entry.bounds));
            assert_eq!(union, *bounds);
            assert!(child.count as usize <= LEAF_SIZE);
            return 0;
        }
        let node = tree.node(child);
        assert_eq!(node.bounds[0].merged(&node.bounds[1]), *bounds);
        for below in node.children {
            assert!(below.is_leaf() || below.first > child.first, "a node precedes its children");
        }
        let depths = [0, 1].map(|side| checked_depth(tree, node.children[side], &node.bounds[side]));
        1 + depths[0].max(depths[1])
    }

    #[test]
    fn every_tree_is_sound_and_no_deeper_than_promised() {
        let mut sample = Sample::new(10);
        let mut deepest = 0;
        for (name, boxes) in sample.sets() {
            let tree = Bvh::build(&boxes);
            let mut ids: Vec<u32> = tree.entries.iter().map(|entry| entry.id).collect();
            ids.sort_unstable();
            assert!(ids.iter().copied().eq(0..boxes.len() as u32), "{name}");
            if boxes.is_empty() {
                continue;
            }
            let depth = checked_depth(&tree, tree.root(), &tree.bounds());
            assert!(depth <= HEURISTIC_DEPTH + boxes.len().ilog2() as usize, "{name}: {depth}");
            deepest = deepest.max(depth);
        }
        assert!(deepest > HEURISTIC_DEPTH, "no set reaches the depth at which halving begins: {deepest}");
    }

    #[test]
    fn the_same_boxes_give_the_same_tree() {
        let mut sample = Sample::new(11);
        let boxes: Vec<Aabb> = (0..300).map(|_| sample.cuboid(0.2)).collect();
        let order = |tree: &Bvh| tree.entries.iter().map(|entry| entry.id).collect::<Vec<_>>();
        let mut reused = Bvh::build(&boxes[..100]);
        reused.rebuild(&boxes);
        assert_eq!(order(&reused), order(&Bvh::build(&boxes)));
    }

    /// Collinear boxes have no area; splits are still near the middle.
    #[test]
    fn a_line_of_points_is_split_evenly() {
        let boxes: Vec<Aabb> =
            (0..256).map(|i| Aabb::from_point(Point::new(f64::from(i), 0.0, 0.0))).collect();
        let tree = Bvh::build(&boxes);
        assert_eq!(checked_depth(&tree, tree.root(), &tree.bounds()), 6);
        assert_eq!((tree.cost(), tree.wear()), (0.0, 1.0));
    }
}
