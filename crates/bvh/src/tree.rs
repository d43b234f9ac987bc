//! The tree: nodes in one flat array, each storing the boxes of its two children.
//!
//! A node precedes its children in the array, so that a backward pass visits children before parents. Leaves are ranges
//! of `entries`, which store the boxes contiguously.

use palpate_math::Aabb;

/// A node's child: another node, or a range of entries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    /// The index of the node, or of the first entry.
    pub(crate) first: u32,
    /// The number of entries; zero for a node.
    pub(crate) count: u32,
}

impl Child {
    #[inline]
    pub(crate) fn is_leaf(self) -> bool {
        self.count != 0
    }

    #[inline]
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// Two children and their boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) bounds: [Aabb; 2],
    pub(crate) children: [Child; 2],
}

/// One of the boxes the tree was built over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) bounds: Aabb,
    /// Its index in the slice of boxes.
    pub(crate) id: u32,
}

/// A tree over boxes. See the [crate] for the guarantees of its queries.
#[derive(Clone, Debug)]
pub struct Bvh {
    pub(crate) nodes: Vec<Node>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) bounds: Aabb,
    pub(crate) cost_when_built: f64,
}

impl Default for Bvh {
    /// Creates a tree over no boxes.
    fn default() -> Self {
        Self { nodes: Vec::new(), entries: Vec::new(), bounds: Aabb::EMPTY, cost_when_built: 0.0 }
    }
}

impl Bvh {
    /// Returns the number of boxes, including empty ones.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the tree has no boxes.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the box around all boxes.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Returns the expected number of box tests of a small query inside [`bounds`](Self::bounds): the surface-area cost
    /// of J. Goldsmith and J. Salmon, "Automatic creation of object hierarchies for ray tracing", IEEE CG&A 7 (1987).
    /// Zero if the bounds have no area, or an infinite one. One pass over the nodes.
    pub fn cost(&self) -> f64 {
        let whole = self.bounds.surface_area();
        if !(whole > 0.0 && whole.is_finite()) {
            return 0.0;
        }
        let tests_below = |(bounds, child): (&Aabb, &Child)| {
            let tests = if child.is_leaf() { child.count } else { 2 };
            bounds.surface_area() * f64::from(tests)
        };
        let tests: f64 =
            self.nodes.iter().flat_map(|node| node.bounds.iter().zip(&node.children)).map(tests_below).sum();
        2.0 + tests / whole
    }

    /// Returns the cost of queries relative to that just after the last build: initially one, growing as refits stretch
    /// the tree over boxes that have moved apart. Above about two a [`rebuild`](Self::rebuild) pays off. One pass over
    /// the nodes.
    pub fn wear(&self) -> f64 {
        let cost = self.cost();
        if cost > 0.0 && self.cost_when_built > 0.0 { cost / self.cost_when_built } else { 1.0 }
    }

    /// Returns the whole tree as one child: the first node, or all entries if they fit one leaf. Not for an empty tree.
    #[inline]
    pub(crate) fn root(&self) -> Child {
        let count = if self.nodes.is_empty() { self.entries.len() as u32 } else { 0 };
        Child { first: 0, count }
    }

    #[inline]
    pub(crate) fn node(&self, child: Child) -> &Node {
        &self.nodes[child.first as usize]
    }

    #[inline]
    pub(crate) fn leaf(&self, child: Child) -> &[Entry] {
        &self.entries[child.range()]
    }
}

/// Whether two boxes may overlap: the six comparisons alone. Never a false negative; may be true for a box and an empty
/// one if bounds are infinite, which [`Aabb::overlaps`] rejects where it matters, at the leaves.
#[inline]
pub(crate) fn may_overlap(a: &Aabb, b: &Aabb) -> bool {
    (a.min.x <= b.max.x)
        & (b.min.x <= a.max.x)
        & (a.min.y <= b.max.y)
        & (b.min.y <= a.max.y)
        & (a.min.z <= b.max.z)
        & (b.min.z <= a.max.z)
}
