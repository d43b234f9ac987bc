//! The tree: nodes of eight children in one flat array, each storing the boxes of its children.
//!
//! A node precedes its children in the array, so that a backward pass visits children before parents. Leaves are ranges
//! of `entries`. All boxes are in single precision and in the tree's frame.

use palpate_math::Aabb;

use crate::frame::{Frame, Lanes, larger, smaller};
use crate::links::Links;

/// Number of children of a node.
pub(crate) const WIDTH: usize = 8;

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

/// Up to eight children and their boxes, one array for each bound of the boxes. Lanes without a child are empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) low: [[f32; WIDTH]; 3],
    pub(crate) high: [[f32; WIDTH]; 3],
    pub(crate) first: [u32; WIDTH],
    /// The number of entries of a leaf; zero for a node.
    pub(crate) counts: [u8; WIDTH],
    /// The number of children.
    pub(crate) len: u32,
}

impl Node {
    pub(crate) const EMPTY: Self = Self {
        low: [[f32::INFINITY; WIDTH]; 3],
        high: [[f32::NEG_INFINITY; WIDTH]; 3],
        first: [0; WIDTH],
        counts: [0; WIDTH],
        len: 0,
    };

    #[inline]
    pub(crate) fn child(&self, lane: usize) -> Child {
        Child { first: self.first[lane], count: u32::from(self.counts[lane]) }
    }

    #[inline]
    pub(crate) fn set_bounds(&mut self, lane: usize, bounds: &Lanes) {
        for axis in 0..3 {
            self.low[axis][lane] = bounds.low[axis];
            self.high[axis][lane] = bounds.high[axis];
        }
    }

    #[inline]
    pub(crate) fn bounds(&self, lane: usize) -> Lanes {
        let corner = |sides: &[[f32; WIDTH]; 3]| [sides[0][lane], sides[1][lane], sides[2][lane], 0.0];
        Lanes { low: corner(&self.low), high: corner(&self.high) }
    }

    /// Returns the children that overlap a clamped box, as bits.
    ///
    /// By signs of differences, which are those of the comparisons: compilers vectorise these and not comparisons.
    #[inline(always)]
    pub(crate) fn overlapping(&self, query: &Lanes) -> u32 {
        let mut slack = [0.0; WIDTH];
        for (lane, slack) in slack.iter_mut().enumerate() {
            let along = |axis: usize| {
                smaller(query.high[axis] - self.low[axis][lane], self.high[axis][lane] - query.low[axis])
            };
            // The sum with zero is no negative zero.
            *slack = smaller(smaller(along(0), along(1)), along(2)) + 0.0;
        }
        let mut apart = 0;
        for (lane, slack) in slack.iter().enumerate() {
            apart |= slack.to_bits() >> 31 << lane;
        }
        !apart & ((1 << WIDTH) - 1)
    }

    /// Returns half the surface areas of the children; zero for empty ones.
    #[inline]
    fn half_areas(&self) -> [f32; WIDTH] {
        let mut areas = [0.0; WIDTH];
        for (lane, area) in areas.iter_mut().enumerate() {
            let side = |axis: usize| larger(self.high[axis][lane] - self.low[axis][lane], 0.0);
            let (x, y, z) = (side(0), side(1), side(2));
            *area = x * y + y * z + z * x;
        }
        areas
    }
}

/// A tree over boxes. See the [crate] for the guarantees of its queries.
#[derive(Clone, Debug)]
pub struct Bvh {
    pub(crate) nodes: Vec<Node>,
    /// The boxes, in the order of the leaves.
    pub(crate) entries: Vec<Lanes>,
    /// The number of the box of each entry.
    pub(crate) ids: Vec<u32>,
    /// The boxes in double precision, by number; none in a tree over cells.
    pub(crate) exact: Vec<Aabb>,
    pub(crate) frame: Frame,
    pub(crate) bounds: Aabb,
    pub(crate) cost_when_built: f64,
    pub(crate) buffers: Buffers,
    pub(crate) links: Links,
}

/// What builds and refits need, their memory, and the cells, which queries read too.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffers {
    pub(crate) entries: Vec<Lanes>,
    pub(crate) ids: Vec<u32>,
    /// The places on the curve and the numbers of boxes.
    pub(crate) codes: Vec<u64>,
    pub(crate) spare_codes: Vec<u64>,
    /// The boxes around nodes.
    pub(crate) unions: Vec<Lanes>,
    /// The vertices of a cell and the number of times; zeros if the tree is not over cells.
    pub(crate) cell_kind: [usize; 2],
    /// The vertices of the cells in the order of the entries; [`NONE`](crate::links::NONE) for a removed cell.
    pub(crate) cells: Vec<u32>,
    /// The vertices of cells in the frame.
    pub(crate) vertices: Vec<[f32; 4]>,
    /// The vertices that cells have, if these are not all.
    pub(crate) used: Vec<u32>,
    pub(crate) all_used: bool,
    /// Whether a cell has the vertex, while a tree is built.
    pub(crate) marks: Vec<bool>,
}

impl Default for Bvh {
    /// Creates a tree over no boxes.
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            entries: Vec::new(),
            ids: Vec::new(),
            exact: Vec::new(),
            frame: Frame::default(),
            bounds: Aabb::EMPTY,
            cost_when_built: 0.0,
            buffers: Buffers::default(),
            links: Links::default(),
        }
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

    /// Returns the box around all boxes, in double precision.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Returns the expected number of nodes and leaves that a small query inside [`bounds`](Self::bounds) visits: the
    /// surface-area cost of J. Goldsmith and J. Salmon, "Automatic creation of object hierarchies for ray tracing",
    /// IEEE CG&A 7 (1987). Zero if the bounds have no area, or an infinite one. One pass over the nodes.
    pub fn cost(&self) -> f64 {
        let whole = match self.nodes.first() {
            Some(root) => root.union().half_area(),
            None => self.entries.iter().fold(Lanes::EMPTY, |whole, entry| whole.merged(entry)).half_area(),
        };
        if !(whole > 0.0 && whole.is_finite()) {
            return 0.0;
        }
        let mut areas = [0.0_f64; WIDTH];
        for node in &self.nodes {
            let below = node.half_areas();
            for (area, below) in areas.iter_mut().zip(below) {
                *area += f64::from(below);
            }
        }
        1.0 + areas.iter().sum::<f64>() / f64::from(whole)
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

    /// Returns the box of an entry: itself, or rounded outward in a tree that knows no boxes in double precision.
    #[inline]
    pub(crate) fn entry_bounds(&self, slot: usize) -> Aabb {
        match self.exact.get(self.ids[slot] as usize) {
            Some(bounds) => *bounds,
            None => self.frame.outer(&self.entries[slot]),
        }
    }
}

impl Node {
    /// Returns the box around the children.
    pub(crate) fn union(&self) -> Lanes {
        let mut union = Lanes::EMPTY;
        for axis in 0..3 {
            union.low[axis] = self.low[axis].iter().fold(f32::INFINITY, |low, &x| smaller(x, low));
            union.high[axis] = self.high[axis].iter().fold(f32::NEG_INFINITY, |high, &x| larger(x, high));
        }
        union
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Touching counts, even where one of the zeros is negative; empty lanes overlap nothing.
    #[test]
    fn children_that_touch_overlap() {
        let mut node = Node::EMPTY;
        let cube = |low: f32, high: f32| Lanes { low: [low, low, low, 0.0], high: [high, high, high, 0.0] };
        node.set_bounds(0, &cube(0.0, 1.0));
        node.set_bounds(1, &cube(-1.0, -0.0));
        node.set_bounds(5, &cube(f32::NEG_INFINITY, f32::INFINITY));
        node.set_bounds(7, &cube(f32::MIN_POSITIVE, 1.0));
        for (query, expected) in [
            (cube(-0.0, -0.0), 0b10_0011),
            (cube(0.0, 0.0), 0b10_0011),
            (cube(-3.0, -2.0), 0b10_0000),
            (cube(f32::NEG_INFINITY, f32::INFINITY), 0b1010_0011),
        ] {
            let query = query.clamped();
            assert_eq!(node.overlapping(&query), expected, "{query:?}");
            for lane in 0..WIDTH {
                assert_eq!(node.bounds(lane).overlaps(&query), expected >> lane & 1 == 1, "{query:?} {lane}");
            }
        }
    }
}
