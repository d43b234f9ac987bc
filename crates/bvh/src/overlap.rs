//! What a box overlaps.

use palpate_math::Aabb;

use crate::Bvh;
use crate::tree::{Child, may_overlap};

impl Bvh {
    /// Visits the number of every box that overlaps `query`, touching included, each once, in no particular order.
    pub fn overlap(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        if self.is_empty() || query.is_empty() || !query.overlaps(&self.bounds) {
            return;
        }
        self.overlap_below(self.root(), query, &mut visit);
    }

    fn overlap_below(&self, child: Child, query: &Aabb, visit: &mut impl FnMut(u32)) {
        if child.is_leaf() {
            for entry in self.leaf(child) {
                if entry.bounds.overlaps(query) {
                    visit(entry.id);
                }
            }
            return;
        }
        let node = self.node(child);
        for side in 0..2 {
            if may_overlap(&node.bounds[side], query) {
                self.overlap_below(node.children[side], query, visit);
            }
        }
    }

    /// Visits the number of every box of which `keep` is true, and that is not empty, each once, in no particular order.
    ///
    /// `keep` is asked of whole subtrees by the box around them first, so it must be true of a box whenever it is true of a
    /// box inside it: "does this line cross it", "is it within this distance".
    pub fn search(&self, mut keep: impl FnMut(&Aabb) -> bool, mut visit: impl FnMut(u32)) {
        if !self.bounds.is_empty() && keep(&self.bounds) {
            self.search_below(self.root(), &mut keep, &mut visit);
        }
    }

    fn search_below(&self, child: Child, keep: &mut impl FnMut(&Aabb) -> bool, visit: &mut impl FnMut(u32)) {
        if child.is_leaf() {
            for entry in self.leaf(child) {
                if !entry.bounds.is_empty() && keep(&entry.bounds) {
                    visit(entry.id);
                }
            }
            return;
        }
        let node = self.node(child);
        for side in 0..2 {
            if !node.bounds[side].is_empty() && keep(&node.bounds[side]) {
                self.search_below(node.children[side], keep, visit);
            }
        }
    }
}
