//! Overlapping pairs of boxes between two trees, or within one.
//!
//! These recurse: no deeper than both trees together, which [`MAXIMUM_DEPTH`](crate::build::MAXIMUM_DEPTH) bounds.

use palpate_math::Aabb;
use std::ops::ControlFlow;

use crate::Bvh;
use crate::frame::Lanes;
use crate::placement::{MappedPlacement, Placement};
use crate::tree::{Child, Node, WIDTH};

impl Bvh {
    /// Visits every pair of a box of this tree and a box of the other that overlap, touching included, each once, this
    /// tree's number first; in no particular order. If one of them is a tree over cells, also pairs that touch in
    /// single precision only, see the [crate].
    pub fn overlap_pairs(&self, other: &Self, mut visit: impl FnMut(u32, u32)) {
        let same_frame = self.frame == other.frame;
        let mapped = |bounds: &Lanes| {
            if same_frame { *bounds } else { self.frame.map_box(&other.frame.outer(bounds)) }
        };
        let both = Both { a: self, b: other, same_frame, is_moved: false, mapped };
        let _ = both.pairs(&other.bounds, &mut always(&mut visit));
    }

    /// Like [`overlap_pairs`](Self::overlap_pairs) with the other tree moved: `moved` returns a box that contains all
    /// that is in a box once it has moved, so a rigid tool needs no refit. Visits every pair whose boxes so moved
    /// overlap, and others that are near. For a rigid motion [`overlap_pairs_placed`](Self::overlap_pairs_placed) is
    /// faster.
    pub fn overlap_pairs_moved(
        &self,
        other: &Self,
        moved: impl Fn(&Aabb) -> Aabb,
        mut visit: impl FnMut(u32, u32),
    ) {
        let mapped = |bounds: &Lanes| self.frame.map_box(&moved(&other.frame.outer(bounds)));
        let both = Both { a: self, b: other, same_frame: false, is_moved: true, mapped };
        let _ = both.pairs(&moved(&other.bounds), &mut always(&mut visit));
    }

    /// Like [`overlap_pairs`](Self::overlap_pairs) with the other tree placed by a linear motion. Visits every pair whose
    /// boxes overlap once what is in them has moved, with room for the rounding of the caller's own arithmetic in double
    /// precision, and others that are near.
    pub fn overlap_pairs_placed(&self, other: &Self, placement: &Placement, mut visit: impl FnMut(u32, u32)) {
        match MappedPlacement::new(self, other, placement) {
            Some(mapped) => {
                let mapped = |bounds: &Lanes| mapped.placed(bounds);
                let both = Both { a: self, b: other, same_frame: false, is_moved: true, mapped };
                let _ = both.pairs(&placement.placed(&other.bounds), &mut always(&mut visit));
            }
            None => self.overlap_pairs_moved(other, |bounds| placement.placed(bounds), visit),
        }
    }

    /// Visits every unordered pair of boxes of this tree that overlap, touching included, each once, the lower number
    /// first; in no particular order. A tree over cells also visits pairs that touch in single precision only, see the
    /// [crate].
    pub fn self_overlap(&self, mut visit: impl FnMut(u32, u32)) {
        if !self.is_empty() {
            let both = twice(self);
            let _ = both.self_pairs_below(self.root(), &mut always(&mut |a, b| visit(a.min(b), a.max(b))));
        }
    }

    /// Visits a part of the pairs of [`self_overlap`](Self::self_overlap), until `visit` breaks; the numbers of a pair come in any
    /// order. The parts 0 to [`PARTS`] together have all pairs, each once. Returns whether `visit` broke.
    pub fn self_overlap_part(&self, part: usize, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> bool {
        if self.is_empty() {
            return false;
        }
        let both = twice(self);
        let root = self.root();
        let broke = match root.is_leaf() {
            true if part == 0 => both.self_pairs_below(root, &mut visit),
            false if part < self.nodes[root.first as usize].len as usize => {
                both.self_pairs_of_child(root, part, &mut visit)
            }
            _ => ControlFlow::Continue(()),
        };
        broke.is_break()
    }
}

/// The number of parts of [`Bvh::self_overlap_part`].
pub const PARTS: usize = WIDTH;

/// A visitor that never breaks.
fn always(visit: &mut impl FnMut(u32, u32)) -> impl FnMut(u32, u32) -> ControlFlow<()> {
    |a, b| {
        visit(a, b);
        ControlFlow::Continue(())
    }
}

/// One tree twice.
fn twice(tree: &Bvh) -> Both<'_, impl Fn(&Lanes) -> Lanes> {
    Both { a: tree, b: tree, same_frame: true, is_moved: false, mapped: |bounds: &Lanes| *bounds }
}

/// Two trees, or one twice. Boxes are compared in the frame of the first.
struct Both<'a, M> {
    a: &'a Bvh,
    b: &'a Bvh,
    same_frame: bool,
    /// Whether the boxes of the second tree are not where they were stored.
    is_moved: bool,
    /// Returns a box of the second tree, which is not empty, in the frame of the first; rounded outward if their frames
    /// differ.
    mapped: M,
}

impl<M: Fn(&Lanes) -> Lanes> Both<'_, M> {
    /// Visits all pairs, given the bounds of the second tree where it is.
    fn pairs(&self, bounds: &Aabb, visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>) -> ControlFlow<()> {
        if !self.a.is_empty() && !self.b.bounds.is_empty() && self.a.bounds.overlaps(bounds) {
            let [whole, bounds] =
                [&self.a.bounds, bounds].map(|bounds| self.a.frame.map_box(bounds).clamped());
            self.pairs_below((self.a.root(), whole), (self.b.root(), bounds), visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Returns a box of the second tree in the frame of the first, clamped.
    #[inline]
    fn mapped(&self, bounds: &Lanes) -> Lanes {
        if bounds.is_empty() { bounds.clamped() } else { (self.mapped)(bounds).clamped() }
    }

    fn self_pairs_below(
        &self,
        child: Child,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if child.is_leaf() {
            for slot_a in child.range() {
                if self.a.entries[slot_a].is_empty() {
                    continue;
                }
                let bounds = self.a.entries[slot_a].clamped();
                for slot_b in slot_a + 1..child.range().end {
                    let other = &self.a.entries[slot_b];
                    if other.overlaps(&bounds) {
                        self.visit_confirmed(slot_a, (slot_b, other), visit)?;
                    }
                }
            }
            return ControlFlow::Continue(());
        }
        let node = &self.a.nodes[child.first as usize];
        (0..node.len as usize).try_for_each(|lane| self.self_pairs_of_child(child, lane, visit))
    }

    /// The pairs of a node's child with itself and with later ones.
    fn self_pairs_of_child(
        &self,
        child: Child,
        lane: usize,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let node = &self.a.nodes[child.first as usize];
        self.self_pairs_below(node.child(lane), visit)?;
        let bounds = node.bounds(lane).clamped();
        let mut later = node.overlapping(&bounds) & !((2 << lane) - 1);
        while later != 0 {
            let other = later.trailing_zeros() as usize;
            later &= later - 1;
            let first = (node.child(other), node.bounds(other).clamped());
            self.pairs_below(first, (node.child(lane), bounds), visit)?;
        }
        ControlFlow::Continue(())
    }

    /// The children of a node of the second tree that may overlap a clamped box, as bits.
    #[inline]
    fn near(&self, node: &Node, bounds_a: &Lanes) -> u32 {
        if self.same_frame { node.overlapping(bounds_a) } else { (1 << node.len) - 1 }
    }

    /// Visits the pairs between a subtree of the first tree and one of the second with these clamped boxes.
    fn pairs_below(
        &self,
        (a, bounds_a): (Child, Lanes),
        (b, bounds_b): (Child, Lanes),
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match (a.is_leaf(), b.is_leaf()) {
            (true, true) => self.leaf_pairs((a, &bounds_a), (b, &bounds_b), visit)?,
            (false, true) => {
                let node = &self.a.nodes[a.first as usize];
                let mut hits = node.overlapping(&bounds_b);
                while hits != 0 {
                    let lane = hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    let first = (node.child(lane), node.bounds(lane).clamped());
                    self.pairs_below(first, (b, bounds_b), visit)?;
                }
            }
            (true, false) => {
                let node = &self.b.nodes[b.first as usize];
                let mut lanes = self.near(node, &bounds_a);
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    let bounds = self.mapped(&node.bounds(lane));
                    if bounds_a.overlaps(&bounds) {
                        self.pairs_below((a, bounds_a), (node.child(lane), bounds), visit)?;
                    }
                }
            }
            (false, false) => {
                let (node_a, node_b) = (&self.a.nodes[a.first as usize], &self.b.nodes[b.first as usize]);
                let near_b = node_a.overlapping(&bounds_b);
                let mut lanes = self.near(node_b, &bounds_a);
                while lanes != 0 {
                    let lane_b = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    let bounds = self.mapped(&node_b.bounds(lane_b));
                    let mut hits = near_b & node_a.overlapping(&bounds);
                    while hits != 0 {
                        let lane_a = hits.trailing_zeros() as usize;
                        hits &= hits - 1;
                        let first = (node_a.child(lane_a), node_a.bounds(lane_a).clamped());
                        self.pairs_below(first, (node_b.child(lane_b), bounds), visit)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn leaf_pairs(
        &self,
        (a, bounds_a): (Child, &Lanes),
        (b, bounds_b): (Child, &Lanes),
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (mut near, mut count) = ([(0, Lanes::EMPTY); crate::split::LEAF_SIZE], 0);
        for (slot, entry) in b.range().zip(&self.b.entries[b.range()]) {
            let mapped = self.mapped(entry);
            if bounds_a.overlaps(&mapped) && !entry.is_empty() {
                near[count] = (slot, mapped);
                count += 1;
            }
        }
        for slot_a in a.range() {
            let entry = &self.a.entries[slot_a];
            if !entry.overlaps(bounds_b) {
                continue;
            }
            for (slot_b, bounds) in &near[..count] {
                if entry.overlaps(bounds) {
                    self.visit_confirmed(slot_a, (*slot_b, bounds), visit)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits a pair that overlaps in the frame, unless it does not in double precision.
    #[inline]
    fn visit_confirmed(
        &self,
        slot_a: usize,
        (slot_b, bounds_b): (usize, &Lanes),
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (a, b) = (self.a.ids[slot_a], self.b.ids[slot_b]);
        let surely = self.same_frame && self.a.entries[slot_a].surely_overlaps(bounds_b);
        let exactly = || match (self.a.exact.get(a as usize), self.b.exact.get(b as usize)) {
            (Some(a), Some(b)) if !self.is_moved => a.overlaps(b),
            _ => true,
        };
        if surely || exactly() { visit(a, b) } else { ControlFlow::Continue(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, pairs_by_brute_force, stirred};
    use palpate_math::Point;

    fn sorted(visits: impl FnOnce(&mut dyn FnMut(u32, u32))) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        visits(&mut |a, b| pairs.push((a, b)));
        pairs.sort_unstable();
        pairs
    }

    /// Rows of boxes with gaps that single precision does not see, some of them closed: in leaves and across them.
    #[test]
    fn gaps_below_single_precision_are_seen() {
        for count in [2, 4, 5, 9, 200] {
            let gap = |i: usize| if i.is_multiple_of(3) { 0.0 } else { 1e-12 };
            let mut low = 0.1;
            let boxes: Vec<Aabb> = (0..count)
                .map(|i| {
                    let bounds =
                        Aabb { min: Point::new(low, 0.0, 0.0), max: Point::new(low + 0.01, 1.0, 1.0) };
                    low = bounds.max.x + gap(i);
                    bounds
                })
                .collect();
            let mut expected = pairs_by_brute_force(&boxes, &boxes);
            expected.retain(|(a, b)| a < b);
            assert!(!expected.is_empty() && (count == 2 || expected.len() < count - 1), "{count}");
            let tree = Bvh::build(&boxes);
            assert_eq!(sorted(|visit| tree.self_overlap(visit)), expected, "{count}");
            let all = pairs_by_brute_force(&boxes, &boxes);
            assert_eq!(sorted(|visit| tree.overlap_pairs(&tree.clone(), visit)), all, "{count}");
        }
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
                let by_parts = sorted(|visit| {
                    for part in 0..PARTS {
                        let each = |a: u32, b: u32| {
                            visit(a.min(b), a.max(b));
                            ControlFlow::Continue(())
                        };
                        assert!(!tree.self_overlap_part(part, each));
                    }
                });
                assert_eq!(by_parts, expected, "{name}, by parts");
                let mut visited = 0;
                let once = |_, _| {
                    visited += 1;
                    ControlFlow::Break(())
                };
                let broke = tree.self_overlap_part(0, once);
                assert_eq!(visited, usize::from(broke));
                total += expected.len();
            }
        }
        assert!(total > 10_000, "{total} pairs");
    }

    /// A tree turned by a quarter: what its boxes moved overlap, and hardly more.
    #[test]
    fn a_moved_tree_meets_what_its_moved_boxes_meet() {
        let mut sample = Sample::new(7);
        let mut boxes = || (0..300).map(|_| sample.cuboid(0.5)).collect::<Vec<_>>();
        let (a, b) = (boxes(), boxes());
        let turned = |bounds: &Aabb| Aabb {
            min: Point::new(-bounds.max.y, bounds.min.x, bounds.min.z + 0.5),
            max: Point::new(-bounds.min.y, bounds.max.x, bounds.max.z + 0.5),
        };
        let expected = pairs_by_brute_force(&a, &b.iter().map(turned).collect::<Vec<_>>());
        let found = sorted(|visit| Bvh::build(&a).overlap_pairs_moved(&Bvh::build(&b), turned, visit));
        assert!(expected.len() > 100 && expected.iter().all(|pair| found.binary_search(pair).is_ok()));
        assert!(found.len() < expected.len() + expected.len() / 100);
    }
}
