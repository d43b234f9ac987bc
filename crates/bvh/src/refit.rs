//! Refitting: new boxes, same tree.

use palpate_math::Aabb;

use crate::Bvh;
use crate::build::tidied;

impl Bvh {
    /// Takes the boxes' new bounds and keeps the shape of the tree: one pass from the leaves up, which allocates nothing.
    ///
    /// Queries answer as after a rebuild; they slow down as the boxes move far from where they were built, which
    /// [`wear`](Self::wear) tells. With another number of boxes than before this is a [`rebuild`](Self::rebuild).
    pub fn refit(&mut self, boxes: &[Aabb]) {
        if boxes.len() != self.len() {
            self.rebuild(boxes);
            return;
        }
        for entry in &mut self.entries {
            entry.bounds = tidied(&boxes[entry.id as usize]);
        }
        for index in (0..self.nodes.len()).rev() {
            for side in 0..2 {
                let child = self.nodes[index].children[side];
                let bounds = if child.is_leaf() {
                    self.leaf(child).iter().fold(Aabb::EMPTY, |whole, entry| whole.merged(&entry.bounds))
                } else {
                    let [left, right] = &self.node(child).bounds;
                    left.merged(right)
                };
                self.nodes[index].bounds[side] = bounds;
            }
        }
        self.bounds = match self.nodes.first() {
            Some(root) => root.bounds[0].merged(&root.bounds[1]),
            None => self.entries.iter().fold(Aabb::EMPTY, |whole, entry| whole.merged(&entry.bounds)),
        };
    }
}
