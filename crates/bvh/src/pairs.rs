//! Overlapping pairs of boxes between two trees, or within one.

use palpate_math::Aabb;

use crate::Bvh;
use crate::tree::{Child, Entry, may_overlap};

impl Bvh {
    /// Visits every pair of a box of this tree and a box of the other that overlap, touching included, each once, this
    /// tree's number first; in no particular order.
    pub fn overlap_pairs(&self, other: &Self, mut visit: impl FnMut(u32, u32)) {
        if self.bounds.overlaps(&other.bounds) {
            let sides = (
                Side { child: self.root(), bounds: &self.bounds },
                Side { child: other.root(), bounds: &other.bounds },
            );
            pairs_below((self, sides.0), (other, sides.1), &mut |a, b| visit(a.id, b.id));
        }
    }

    /// Visits every unordered pair of boxes of this tree that overlap, touching included, each once, the lower number
    /// first; in no particular order.
    pub fn self_overlap(&self, mut visit: impl FnMut(u32, u32)) {
        if !self.is_empty() {
            self.self_pairs_below(self.root(), &mut |a, b| visit(a.id.min(b.id), a.id.max(b.id)));
        }
    }

    fn self_pairs_below(&self, child: Child, visit: &mut impl FnMut(&Entry, &Entry)) {
        if child.is_leaf() {
            let entries = self.leaf(child);
            for (index, a) in entries.iter().enumerate() {
                for b in &entries[index + 1..] {
                    if a.bounds.overlaps(&b.bounds) {
                        visit(a, b);
                    }
                }
            }
            return;
        }
        let node = self.node(child);
        let [left, right] = node.children;
        self.self_pairs_below(left, visit);
        self.self_pairs_below(right, visit);
        if may_overlap(&node.bounds[0], &node.bounds[1]) {
            let left = Side { child: left, bounds: &node.bounds[0] };
            let right = Side { child: right, bounds: &node.bounds[1] };
            pairs_below((self, left), (self, right), visit);
        }
    }
}

/// A subtree, and the box around it.
#[derive(Clone, Copy)]
struct Side<'a> {
    child: Child,
    bounds: &'a Aabb,
}

impl Bvh {
    #[inline]
    fn sides(&self, child: Child) -> [Side<'_>; 2] {
        let node = self.node(child);
        [0, 1].map(|side| Side { child: node.children[side], bounds: &node.bounds[side] })
    }
}

/// Visits the pairs between two subtrees whose boxes may overlap.
fn pairs_below(a: (&Bvh, Side<'_>), b: (&Bvh, Side<'_>), visit: &mut impl FnMut(&Entry, &Entry)) {
    let ((tree_a, side_a), (tree_b, side_b)) = (a, b);
    match (side_a.child.is_leaf(), side_b.child.is_leaf()) {
        (true, true) => {
            leaf_pairs(tree_a.leaf(side_a.child), tree_b.leaf(side_b.child), side_b.bounds, visit)
        }
        (true, false) => {
            for below_b in tree_b.sides(side_b.child) {
                if may_overlap(side_a.bounds, below_b.bounds) {
                    pairs_below(a, (tree_b, below_b), visit);
                }
            }
        }
        (false, true) => {
            for below_a in tree_a.sides(side_a.child) {
                if may_overlap(below_a.bounds, side_b.bounds) {
                    pairs_below((tree_a, below_a), b, visit);
                }
            }
        }
        (false, false) => {
            for below_a in tree_a.sides(side_a.child) {
                for below_b in tree_b.sides(side_b.child) {
                    if may_overlap(below_a.bounds, below_b.bounds) {
                        pairs_below((tree_a, below_a), (tree_b, below_b), visit);
                    }
                }
            }
        }
    }
}

fn leaf_pairs(a: &[Entry], b: &[Entry], bounds_b: &Aabb, visit: &mut impl FnMut(&Entry, &Entry)) {
    for entry_a in a {
        if !may_overlap(&entry_a.bounds, bounds_b) {
            continue;
        }
        for entry_b in b {
            if entry_a.bounds.overlaps(&entry_b.bounds) {
                visit(entry_a, entry_b);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, pairs_by_brute_force, stirred};

    fn sorted(visits: impl FnOnce(&mut dyn FnMut(u32, u32))) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        visits(&mut |a, b| pairs.push((a, b)));
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn the_slow_way_agrees_on_two_trees() {
        let mut sample = Sample::new(5);
        let sets = sample.sets();
        let trees: Vec<Bvh> = sets.iter().map(|(_, boxes)| Bvh::build(boxes)).collect();
        let mut total = 0;
        for ((name_a, a), tree_a) in sets.iter().zip(&trees) {
            for ((name_b, b), tree_b) in sets.iter().zip(&trees) {
                let expected = pairs_by_brute_force(a, b);
                assert_eq!(
                    sorted(|visit| tree_a.overlap_pairs(tree_b, visit)),
                    expected,
                    "{name_a} and {name_b}"
                );
                total += usize::from(!expected.is_empty() && expected.len() < a.len() * b.len());
            }
        }
        assert!(total > 60, "{total} pairs of sets overlap, and not entirely");
    }

    #[test]
    fn the_slow_way_agrees_on_one_tree() {
        let mut sample = Sample::new(6);
        let mut total = 0;
        for (name, boxes) in sample.sets() {
            let elsewhere = stirred(&boxes, &mut sample);
            let mut refitted = Bvh::build(&boxes);
            refitted.refit(&elsewhere);
            for (boxes, tree) in [(&boxes, &Bvh::build(&boxes)), (&elsewhere, &refitted)] {
                let mut expected = pairs_by_brute_force(boxes, boxes);
                expected.retain(|(a, b)| a < b);
                assert_eq!(sorted(|visit| tree.self_overlap(visit)), expected, "{name}");
                total += expected.len();
            }
        }
        assert!(total > 10_000, "{total} pairs");
    }
}
