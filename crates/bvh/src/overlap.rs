//! Box overlap queries.

use palpate_math::Aabb;

use crate::Bvh;
use crate::descent::Descent;
use crate::tree::{Child, WIDTH};

impl Bvh {
    /// Visits the number of every box that overlaps `query`, touching included, each once, in no particular order. A
    /// tree over cells also visits boxes that touch it in single precision only, see the [crate].
    pub fn overlap(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        if self.is_empty() || query.is_empty() || !query.overlaps(&self.bounds) {
            return;
        }
        let mapped = self.frame.map_box(query).clamped();
        let mut visit_leaf = |leaf: Child| {
            let (entries, ids) = (&self.entries[leaf.range()], &self.ids[leaf.range()]);
            let (mut hits, mut touching) = (0_u32, 0_u32);
            for (lane, entry) in entries.iter().enumerate() {
                let slack = entry.slack(&mapped);
                hits |= u32::from(slack >= 0.0) << lane;
                touching |= u32::from(slack == 0.0) << lane;
            }
            while hits != 0 {
                let lane = hits.trailing_zeros();
                hits &= hits - 1;
                let id = ids[lane as usize];
                // Boxes that touch in single precision may be apart in double precision, if that is known.
                let is_apart = || self.exact.get(id as usize).is_some_and(|bounds| !bounds.overlaps(query));
                if touching >> lane & 1 == 0 || !is_apart() {
                    visit(id);
                }
            }
        };
        let root = self.root();
        if root.is_leaf() {
            return visit_leaf(root);
        }
        // Most queries end among the children of the root: the stack of a descent would cost as much.
        let node = &self.nodes[root.first as usize];
        let (mut bits, mut inner) = (node.overlapping(&mapped), 0);
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize % WIDTH;
            bits &= bits - 1;
            let child = node.child(lane);
            if child.is_leaf() {
                visit_leaf(child);
            } else {
                inner |= 1 << lane;
            }
        }
        if inner == 0 {
            return;
        }
        let mut descent = Descent::below(root, inner);
        while let Some(child) = descent.next(self) {
            if child.is_leaf() {
                visit_leaf(child);
            } else {
                descent.enter(child, self.nodes[child.first as usize].overlapping(&mapped));
            }
        }
    }

    /// Visits the number of every non-empty box for which `keep` is true, each once, in no particular order.
    ///
    /// `keep` is called for the boxes of whole subtrees first, so it must be true for a box whenever it is true for a
    /// box inside it, such as "does this line cross it" or "is it within this distance". The boxes of subtrees are
    /// rounded outward, and so are those of cells.
    pub fn search(&self, mut keep: impl FnMut(&Aabb) -> bool, mut visit: impl FnMut(u32)) {
        if self.bounds.is_empty() || !keep(&self.bounds) {
            return;
        }
        let mut descent = Descent::from(self.root());
        while let Some(child) = descent.next(self) {
            if !child.is_leaf() {
                let node = &self.nodes[child.first as usize];
                let kept = |lane: usize| {
                    let bounds = node.bounds(lane);
                    !bounds.is_empty() && keep(&self.frame.outer(&bounds))
                };
                let bits =
                    (0..node.len as usize).rev().map(kept).fold(0, |bits, bit| bits << 1 | u32::from(bit));
                descent.enter(child, bits);
                continue;
            }
            for slot in child.range() {
                if !self.entries[slot].is_empty() && keep(&self.entry_bounds(slot)) {
                    visit(self.ids[slot]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, pairs_by_brute_force, stirred};
    use palpate_math::Point;

    fn overlapping(tree: &Bvh, query: &Aabb) -> Vec<u32> {
        let mut found = Vec::new();
        tree.overlap(query, |id| found.push(id));
        found.sort_unstable();
        found
    }

    #[test]
    fn touching_counts_and_an_empty_query_finds_nothing() {
        let unit = Aabb { min: Point::origin(), max: Point::new(1.0, 1.0, 1.0) };
        let tree = Bvh::build(&[unit]);
        assert_eq!(overlapping(&tree, &Aabb::from_point(unit.max)), [0]);
        assert_eq!(overlapping(&tree, &Aabb::from_point(unit.max.map(f64::next_up))), [0; 0]);
        assert_eq!(overlapping(&tree, &Aabb::EMPTY), [0; 0]);
        assert_eq!(overlapping(&tree, &Aabb::ALL), [0]);
        assert_eq!(overlapping(&Bvh::default(), &Aabb::ALL), [0; 0]);
    }

    /// Built, and refitted to other boxes.
    #[test]
    fn the_slow_way_agrees() {
        let mut sample = Sample::new(1);
        let mut hits = 0;
        for (name, boxes) in sample.sets() {
            let elsewhere = stirred(&boxes, &mut sample);
            let mut refitted = Bvh::build(&boxes);
            refitted.refit(&elsewhere);
            for (boxes, tree) in [(&boxes, &Bvh::build(&boxes)), (&elsewhere, &refitted)] {
                for round in 0..60 {
                    let query = match round {
                        0 => Aabb::ALL,
                        _ => sample.cuboid(0.5),
                    };
                    let expected: Vec<u32> =
                        pairs_by_brute_force(&[query], boxes).iter().map(|pair| pair.1).collect();
                    assert_eq!(overlapping(tree, &query), expected, "{name}");
                    let mut searched = Vec::new();
                    tree.search(|bounds| bounds.overlaps(&query), |id| searched.push(id));
                    searched.sort_unstable();
                    assert_eq!(searched, expected, "{name}");
                    hits += usize::from(!expected.is_empty() && expected.len() < boxes.len());
                }
            }
        }
        assert!(hits > 300, "{hits} queries with an answer that is not everything");
    }

    #[test]
    fn a_query_looks_at_few_of_many_boxes() {
        let mut sample = Sample::new(2);
        let boxes: Vec<Aabb> = (0..10_000).map(|_| sample.cuboid(0.02)).collect();
        let tree = Bvh::build(&boxes);
        let mut looked_at = 0;
        for _ in 0..100 {
            let query = sample.cuboid(0.02);
            tree.search(
                |bounds| {
                    looked_at += 1;
                    bounds.overlaps(&query)
                },
                |_| {},
            );
        }
        assert!(looked_at < 100 * 100, "{} boxes a query", looked_at / 100);
    }
}
