//! Tree construction: top-down splits by the binned surface-area heuristic, gathered to nodes of eight children.
//!
//! Source: I. Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", IEEE Symposium on Interactive Ray
//! Tracing (2007), section 3; one axis per split, the longest of the centres' box. A node splits its largest part until
//! it has eight: I. Wald, C. Benthin and S. Boulos, "Getting Rid of Packets", the same symposium (2008), section 4.

use palpate_math::Aabb;

use crate::Bvh;
use crate::frame::{Frame, Lanes, finite_bounds};
use crate::split::{LEAF_SIZE, Splitter};
use crate::tree::{Node, WIDTH};

/// Below this depth splits halve the boxes regardless of their positions.
const HEURISTIC_DEPTH: usize = 16;

/// Number of nodes on the longest way to a leaf, for any boxes: a halving node of eight divides the number of boxes by
/// eight, and 2^32 / 8^9 fit a node of leaves.
pub(crate) const MAXIMUM_DEPTH: usize = HEURISTIC_DEPTH + 11;

/// Number of boxes that one node holds in its leaves.
const NODE_SIZE: usize = WIDTH * LEAF_SIZE;

/// Some entries of a node, and their box.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    end: usize,
    bounds: Lanes,
}

impl Part {
    fn len(&self) -> usize {
        self.end - self.start
    }
}

impl Bvh {
    /// Builds a tree over the boxes; box `i` is reported as number `i`. Takes O(n log n) steps for n boxes.
    ///
    /// # Panics
    /// With 2^31 boxes or more (which would fill 200 GB).
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
        self.set_boxes(boxes);
        let frame = self.frame;
        self.rebuild_entries(boxes.len(), |id| frame.map_box(&boxes[id]));
    }

    /// Stores the boxes in double precision, their bounds and their frame.
    pub(crate) fn set_boxes(&mut self, boxes: &[Aabb]) {
        self.forget_cells();
        self.exact.clear();
        self.exact.extend_from_slice(boxes);
        let filled = boxes.iter().filter(|bounds| !bounds.is_empty());
        self.bounds = filled.fold(Aabb::EMPTY, |whole, bounds| whole.merged(bounds));
        self.frame = Frame::around(&finite_bounds(boxes, &self.bounds));
    }

    /// Rebuilds the nodes over entries in the tree's frame.
    pub(crate) fn rebuild_entries(&mut self, count: usize, entry: impl Fn(usize) -> Lanes) {
        assert!(count < 1 << 31, "{count} boxes; a tree holds fewer than 2^31");
        self.nodes.clear();
        self.links.clear();
        self.entries.clear();
        self.entries.extend((0..count).map(entry));
        self.ids.clear();
        self.ids.extend(0..count as u32);
        let union = |entries: &[Lanes]| entries.iter().fold(Lanes::EMPTY, |whole, entry| whole.merged(entry));
        if count > LEAF_SIZE {
            // A node has two children or more, and five boxes or more: rebuilding over as many boxes never allocates.
            self.nodes.reserve(count / 2);
            self.buffers.unions.reserve(count / 2);
            let mut builder = Builder {
                splitter: Splitter {
                    entries: &mut self.entries,
                    ids: &mut self.ids,
                    spare: (&mut self.buffers.entries, &mut self.buffers.ids),
                },
                nodes: &mut self.nodes,
            };
            let bounds = union(builder.splitter.entries);
            builder.build(Part { start: 0, end: count, bounds }, 0);
        }
        self.cost_when_built = self.cost();
    }
}

struct Builder<'a> {
    splitter: Splitter<'a>,
    nodes: &'a mut Vec<Node>,
}

impl Builder<'_> {
    /// Builds the node over more entries than fit a leaf; returns its index.
    fn build(&mut self, whole: Part, depth: usize) -> u32 {
        let mut parts = [whole; WIDTH];
        let mut count = 1;
        let may_fit_leaves = whole.len() <= NODE_SIZE;
        while count < WIDTH {
            let Some(largest) = largest_part(&parts[..count], may_fit_leaves, depth) else { break };
            let part = parts[largest];
            let (middle, bounds) = if may_fit_leaves {
                self.splitter.split_leaves(part.start, part.end, &part.bounds)
            } else {
                self.splitter.split(part.start, part.end, &part.bounds, depth < HEURISTIC_DEPTH)
            };
            parts[largest] = Part { start: part.start, end: middle, bounds: bounds[0] };
            parts[count] = Part { start: middle, end: part.end, bounds: bounds[1] };
            count += 1;
        }
        let parts = &mut parts[..count];
        parts.sort_unstable_by_key(|part| part.start);
        let index = self.nodes.len();
        // Allocated before its children are built, so that they come after it.
        self.nodes.push(Node { len: count as u32, ..Node::EMPTY });
        for (lane, part) in parts.iter().enumerate() {
            let is_leaf = part.len() <= LEAF_SIZE;
            let first = if is_leaf { part.start as u32 } else { self.build(*part, depth + 1) };
            let node = &mut self.nodes[index];
            node.first[lane] = first;
            node.counts[lane] = if is_leaf { part.len() as u8 } else { 0 };
            node.set_bounds(lane, &part.bounds);
        }
        index as u32
    }
}

/// Returns the part to split next, if any: the one of the largest area or, where the heuristic has given up, of the
/// most entries. Parts that fill a node with leaves are not split until they have one.
fn largest_part(parts: &[Part], into_leaves: bool, depth: usize) -> Option<usize> {
    let smallest = if into_leaves { LEAF_SIZE } else { NODE_SIZE };
    let size = |part: &Part| if depth < HEURISTIC_DEPTH { part.bounds.half_area() } else { 0.0 };
    let mut best: Option<(f32, usize, usize)> = None;
    for (index, part) in parts.iter().enumerate().filter(|(_, part)| part.len() > smallest) {
        let (area, len) = (size(part), part.len());
        if best.is_none_or(|(most, longest, _)| area > most || (area == most && len > longest)) {
            best = Some((area, len, index));
        }
    }
    best.map(|(.., index)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, checked_depth};
    use palpate_math::Point;

    #[test]
    fn every_tree_is_sound_and_no_deeper_than_promised() {
        let mut sample = Sample::new(10);
        let mut halved = 0;
        for (name, boxes) in sample.sets() {
            let tree = Bvh::build(&boxes);
            let mut ids = tree.ids.clone();
            ids.sort_unstable();
            assert!(ids.iter().copied().eq(0..boxes.len() as u32), "{name}");
            if boxes.is_empty() {
                continue;
            }
            let union = tree.entries.iter().fold(Lanes::EMPTY, |union, entry| union.merged(entry));
            let depth = checked_depth(&tree, tree.root(), &union);
            assert!(depth <= MAXIMUM_DEPTH.min(2 + boxes.len().ilog2() as usize), "{name}: {depth}");
            halved += usize::from(name == "identical");
        }
        assert_eq!(halved, 1, "identical boxes are split in halves");
    }

    /// Ever smaller boxes, each as far from the next as the rest is wide, are split off one by one: as deep as it gets.
    #[test]
    fn halving_bounds_the_depth() {
        let boxes: Vec<Aabb> = (0..2000)
            .map(|i| {
                let size = 0.97_f64.powi(i);
                Aabb { min: Point::new(size, 0.0, 0.0), max: Point::new(size * 1.001, size, size) }
            })
            .collect();
        let tree = Bvh::build(&boxes);
        let depth = checked_depth(&tree, tree.root(), &tree.nodes[0].union());
        assert!((5..=MAXIMUM_DEPTH).contains(&depth), "{depth}");
    }

    #[test]
    fn the_same_boxes_give_the_same_tree() {
        let mut sample = Sample::new(11);
        let boxes: Vec<Aabb> = (0..300).map(|_| sample.cuboid(0.2)).collect();
        let mut reused = Bvh::build(&boxes[..100]);
        reused.rebuild(&boxes);
        assert_eq!(reused.ids, Bvh::build(&boxes).ids);
    }

    /// Collinear boxes have no area; splits are still near the middle, and leaves are full.
    #[test]
    fn a_line_of_points_is_split_evenly() {
        let boxes: Vec<Aabb> =
            (0..256).map(|i| Aabb::from_point(Point::new(f64::from(i), 0.0, 0.0))).collect();
        let tree = Bvh::build(&boxes);
        assert_eq!(checked_depth(&tree, tree.root(), &tree.nodes[0].union()), 2);
        let leaves = tree.nodes.iter().flat_map(|node| node.counts).filter(|&count| count > 0);
        assert_eq!((leaves.clone().count(), leaves.max()), (64, Some(4)));
        assert_eq!((tree.cost(), tree.wear()), (0.0, 1.0));
    }
}
