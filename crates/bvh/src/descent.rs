//! Descents without recursion.

use arrayvec::ArrayVec;

use crate::Bvh;
use crate::build::MAXIMUM_DEPTH;
use crate::tree::{Child, WIDTH};

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
    /// A descent to these children of a node, at least one, of which each bit marks one.
    #[inline]
    pub(crate) fn below(node: Child, bits: u32) -> Self {
        let mut left = [(0, 0); MAXIMUM_DEPTH];
        left[0] = (node.first, bits);
        Self { next: None, left, depth: 1 }
    }

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

/// The children that a descent has still to visit, the nearest of each node first: where each begins (a distance, a
/// parameter along a line), and which it is.
pub(crate) struct NearestFirst<T> {
    left: ArrayVec<(T, u32), { MAXIMUM_DEPTH * (WIDTH - 1) + 1 }>,
    /// Where the children of the current node begin.
    first: usize,
}

impl<T: Copy + PartialOrd> NearestFirst<T> {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { left: ArrayVec::new(), first: 0 }
    }

    /// Begins the children of another node.
    #[inline]
    pub(crate) fn enter(&mut self) {
        self.first = self.left.len();
    }

    /// Adds a child of a node.
    #[inline]
    pub(crate) fn add(&mut self, node: Child, lane: usize, at: T) {
        self.left.push((at, node.first * WIDTH as u32 + lane as u32));
        let children = &mut self.left[self.first..];
        let mut place = children.len() - 1;
        while place > 0 && children[place - 1].0 < at {
            children.swap(place - 1, place);
            place -= 1;
        }
    }

    /// Returns the next child that does not begin beyond the bound.
    #[inline]
    pub(crate) fn next(&mut self, tree: &Bvh, bound: T) -> Option<Child> {
        while let Some((at, place)) = self.left.pop() {
            if at <= bound {
                return Some(tree.nodes[place as usize / WIDTH].child(place as usize % WIDTH));
            }
        }
        None
    }
}
