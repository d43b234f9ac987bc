//! Depth-first descent without recursion.

use crate::Bvh;
use crate::build::MAXIMUM_DEPTH;
use crate::tree::Child;

/// What a descent has still to visit: for each node on the way down, the children that are left, as bits.
pub(crate) struct Descent {
    next: Option<Child>,
    left: [(u32, u32); MAXIMUM_DEPTH],
    depth: usize,
}

impl From<Child> for Descent {
    #[inline]
    fn from(root: Child) -> Self {
        Self { next: Some(root), left: [(0, 0); MAXIMUM_DEPTH], depth: 0 }
    }
}

impl Descent {
    /// Goes on to these children of a node, of which each bit marks one.
    #[inline]
    pub(crate) fn enter(&mut self, node: Child, bits: u32) {
        if bits != 0 {
            self.left[self.depth] = (node.first, bits);
            self.depth += 1;
        }
    }

    /// Returns the next node or leaf.
    #[inline]
    pub(crate) fn next(&mut self, tree: &Bvh) -> Option<Child> {
        if let Some(root) = self.next.take() {
            return Some(root);
        }
        let (node, bits) = self.left.get_mut(self.depth.wrapping_sub(1))?;
        let lane = bits.trailing_zeros() as usize % crate::tree::WIDTH;
        let child = tree.nodes[*node as usize].child(lane);
        *bits &= *bits - 1;
        if *bits == 0 {
            self.depth -= 1;
        }
        Some(child)
    }
}
