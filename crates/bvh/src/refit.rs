//! Refitting: new boxes, same tree.

use arrayvec::ArrayVec;
use palpate_math::Aabb;

use crate::Bvh;
use crate::build::MAXIMUM_DEPTH;
use crate::frame::Lanes;
use crate::tasks::{FEWEST_CELLS, InTurn, MOST, Tasks, parts, run_all};
use crate::tree::{Child, Node};

impl Bvh {
    /// Updates the boxes and keeps the shape of the tree: one pass from the leaves up, without allocation.
    ///
    /// Queries return the same as after a rebuild; they slow down as the boxes move far from their positions at the
    /// last build, as measured by [`wear`](Self::wear). With a different number of boxes this is a
    /// [`rebuild`](Self::rebuild).
    pub fn refit(&mut self, boxes: &[Aabb]) {
        if boxes.len() != self.len() {
            self.rebuild(boxes);
            return;
        }
        self.set_boxes(boxes);
        let frame = self.frame;
        self.refit_entries(&InTurn, |_, id| frame.map_box(&boxes[id]));
    }

    /// Updates all boxes of the tree, whose frame has been set, to new entries, given their places and numbers.
    ///
    /// In parts if there are several threads: a part is a range of nodes, which precede the nodes below them, and so a
    /// range of entries. The few nodes above the beginnings of parts are held back until all parts are done.
    pub(crate) fn refit_entries(&mut self, tasks: &dyn Tasks, entry: impl Fn(usize, usize) -> Lanes + Sync) {
        if self.nodes.is_empty() {
            refit_leaf(0..self.ids.len(), &mut self.entries, &self.ids, &entry);
            return;
        }
        // A cut breaks the order of nodes and entries.
        let is_ordered = !self.links.is_cut;
        let count =
            if is_ordered { parts(tasks, self.entries.len(), FEWEST_CELLS).min(self.nodes.len()) } else { 1 };
        let mut held = Held::new();
        let begins: ArrayVec<usize, MOST> = (1..count).map(|part| self.nodes.len() * part / count).collect();
        let first_entries: ArrayVec<usize, MOST> =
            begins.iter().map(|&begin| self.hold_above(begin, &mut held)).collect();
        held.sort_unstable();
        let ids = &self.ids;
        let unions = &mut self.buffers.unions;
        unions.resize(self.nodes.len(), Lanes::EMPTY);
        let mut whole = Part {
            nodes: &mut self.nodes,
            unions,
            entries: &mut self.entries,
            first_node: 0,
            first_entry: 0,
        };
        let mut jobs: ArrayVec<Part<'_>, MOST> = ArrayVec::new();
        let mut rest = whole.reborrow();
        for (&begin, &first_entry) in begins.iter().zip(&first_entries).rev() {
            jobs.push(rest.split_off(begin, first_entry));
        }
        jobs.push(rest);
        run_all(tasks, &mut jobs, |part| part.refit(ids, &held, &entry));
        drop(jobs);
        for &node in held.iter().rev() {
            whole.refit_node(node as usize, ids, &entry);
        }
    }

    /// Adds the nodes above a node to a list; returns the first entry below it.
    fn hold_above(&self, node: usize, held: &mut Held) -> usize {
        let mut above = 0;
        while above != node {
            if !held.contains(&(above as u32)) {
                held.push(above as u32);
            }
            let below = self.nodes[above].nodes_below().take_while(|&(_, child)| child <= node);
            above = below.last().map_or(node, |(_, child)| child);
        }
        let mut child = self.nodes[node].child(0);
        while !child.is_leaf() {
            child = self.nodes[child.first as usize].child(0);
        }
        child.first as usize
    }
}

/// Nodes that are held back.
type Held = ArrayVec<u32, { MOST * MAXIMUM_DEPTH }>;

/// Some nodes of a tree that follow each other, and the entries below them.
struct Part<'a> {
    nodes: &'a mut [Node],
    /// The boxes around the nodes.
    unions: &'a mut [Lanes],
    entries: &'a mut [Lanes],
    first_node: usize,
    first_entry: usize,
}

impl<'a> Part<'a> {
    fn reborrow(&mut self) -> Part<'_> {
        Part {
            nodes: self.nodes,
            unions: self.unions,
            entries: self.entries,
            first_node: self.first_node,
            first_entry: self.first_entry,
        }
    }

    /// Splits off what begins with a node and an entry.
    fn split_off(&mut self, node: usize, entry: usize) -> Self {
        fn tail<'a, T>(slice: &mut &'a mut [T], at: usize) -> &'a mut [T] {
            let at = at.min(slice.len());
            let (head, tail) = std::mem::take(slice).split_at_mut(at);
            *slice = head;
            tail
        }
        Part {
            nodes: tail(&mut self.nodes, node - self.first_node),
            unions: tail(&mut self.unions, node - self.first_node),
            entries: tail(&mut self.entries, entry - self.first_entry),
            first_node: node,
            first_entry: entry,
        }
    }

    /// Refits the nodes except those held back, whose numbers ascend.
    fn refit<E>(&mut self, ids: &[u32], held: &[u32], entry: &E)
    where
        E: Fn(usize, usize) -> Lanes,
    {
        let end = self.first_node + self.nodes.len();
        let mut held = &held[..held.partition_point(|&node| (node as usize) < end)];
        for node in (self.first_node..end).rev() {
            match held.split_last() {
                Some((&last, others)) if last as usize == node => held = others,
                _ => self.refit_node(node, ids, entry),
            }
        }
    }

    /// Refits a node whose children are.
    #[inline]
    fn refit_node<E>(&mut self, number: usize, ids: &[u32], entry: &E)
    where
        E: Fn(usize, usize) -> Lanes,
    {
        let index = number - self.first_node;
        let node = &mut self.nodes[index];
        let mut union = Lanes::EMPTY;
        for lane in 0..node.len as usize {
            let child = node.child(lane);
            let bounds = if child.is_leaf() {
                let range = child.range();
                let places = range.start - self.first_entry..range.end - self.first_entry;
                refit_leaf(range, &mut self.entries[places], ids, entry)
            } else {
                self.unions[child.first as usize - self.first_node]
            };
            node.set_bounds(lane, &bounds);
            union = union.merged(&bounds);
        }
        self.unions[index] = union;
    }
}

/// Updates entries that follow each other, given their places; returns the box around them.
#[inline(always)]
fn refit_leaf<E>(range: std::ops::Range<usize>, entries: &mut [Lanes], ids: &[u32], entry: &E) -> Lanes
where
    E: Fn(usize, usize) -> Lanes,
{
    let mut bounds = Lanes::EMPTY;
    for ((slot, place), &id) in range.clone().zip(entries).zip(&ids[range]) {
        let updated = entry(slot, id as usize);
        *place = updated;
        bounds = bounds.merged(&updated);
    }
    bounds
}

impl Node {
    /// Returns the children that are nodes, with their lanes.
    fn nodes_below(&self) -> impl Iterator<Item = (usize, usize)> {
        let children = (0..self.len as usize).map(|lane| (lane, self.child(lane)));
        children
            .filter(|(_, child): &(usize, Child)| !child.is_leaf())
            .map(|(lane, child)| (lane, child.first as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cells;
    use crate::sample::{Sample, stirred};
    use crate::tasks::tests::{LastFirst, Threads};
    use palpate_math::Point;

    #[test]
    fn bounds_follow_the_boxes() {
        let mut sample = Sample::new(7);
        for (name, boxes) in sample.sets() {
            let around = |boxes: &[Aabb]| {
                let whole = boxes.iter().filter(|bounds| !bounds.is_empty());
                whole.fold(Aabb::EMPTY, |whole, bounds| whole.merged(bounds))
            };
            let mut tree = Bvh::build(&boxes);
            assert_eq!((tree.len(), tree.bounds()), (boxes.len(), around(&boxes)), "{name}");
            let elsewhere = stirred(&boxes, &mut sample);
            tree.refit(&elsewhere);
            assert_eq!((tree.len(), tree.bounds()), (boxes.len(), around(&elsewhere)), "{name}");
        }
    }

    /// Trees of either construction and of many shapes: the same bytes for any number of threads.
    #[test]
    fn threads_change_nothing() {
        let mut sample = Sample::new(71);
        let mut divided = 0;
        for count in [3_u32, 5_000, 9_000, 40_000] {
            // Triangles of a wavy ribbon, in rows of unequal length.
            let point = |i: u32, sample: &mut Sample| {
                let along = f64::from(i / 2);
                Point::new(along.sqrt(), (0.1 * along).sin(), f64::from(i % 2)) + sample.vector() * 0.1
            };
            let triangles: Vec<[u32; 3]> = (0..count).map(|i| [i, i + 1, i + 2]).collect();
            let [first, second] =
                [0; 2].map(|_| (0..count + 2).map(|i| point(i, &mut sample)).collect::<Vec<_>>());
            for fast in [false, true] {
                let trees: Vec<Bvh> = [&InTurn as &dyn Tasks, &LastFirst(2), &Threads(4), &LastFirst(8)]
                    .into_iter()
                    .map(|tasks| {
                        let mut tree = Bvh::default();
                        let cells = Cells { ids: &triangles, positions: [&first] };
                        if fast {
                            tree.rebuild_cells_fast_by(&cells, tasks)
                        } else {
                            tree.rebuild_cells_by(&cells, tasks)
                        }
                        tree.refit_cells_by(&Cells { ids: &triangles, positions: [&second] }, tasks);
                        tree
                    })
                    .collect();
                for tree in &trees[1..] {
                    assert_eq!(
                        format!("{:?}", tree.nodes),
                        format!("{:?}", trees[0].nodes),
                        "{count} {fast}"
                    );
                    assert_eq!((&tree.entries, &tree.ids), (&trees[0].entries, &trees[0].ids));
                    assert_eq!(
                        (&tree.buffers.vertices, tree.bounds),
                        (&trees[0].buffers.vertices, trees[0].bounds)
                    );
                }
                divided += usize::from(parts(&LastFirst(8), trees[0].len(), FEWEST_CELLS) > 1);
            }
        }
        assert_eq!(divided, 4);
    }

    #[test]
    fn refitting_back_and_forth_restores_the_tree() {
        let mut sample = Sample::new(8);
        let boxes: Vec<Aabb> = (0..500).map(|_| sample.cuboid(0.2)).collect();
        let mut tree = Bvh::build(&boxes);
        let (cost, nodes) = (tree.cost(), tree.nodes.as_ptr());
        assert_eq!(tree.wear(), 1.0);
        // Every box is moved to the position of another: the tree fits badly.
        let shuffled: Vec<Aabb> = (0..500).map(|i| boxes[i * 331 % 500]).collect();
        tree.refit(&shuffled);
        assert!(tree.wear() > 3.0, "wear {}", tree.wear());
        tree.refit(&boxes);
        assert_eq!((tree.cost(), tree.wear()), (cost, 1.0));
        tree.refit(&shuffled);
        tree.rebuild(&shuffled);
        assert!(tree.wear() == 1.0 && (tree.cost() / cost - 1.0).abs() < 0.2);
        assert_eq!(tree.nodes.as_ptr(), nodes, "a rebuild over as many boxes does not reallocate");
    }

    #[test]
    fn another_number_of_boxes_rebuilds() {
        let mut sample = Sample::new(9);
        let boxes: Vec<Aabb> = (0..50).map(|_| sample.cuboid(0.2)).collect();
        let mut tree = Bvh::build(&boxes);
        for count in [0, 3, 40, 50] {
            tree.refit(&boxes[..count]);
            let mut found = 0;
            tree.overlap(&Aabb::ALL, |_| found += 1);
            assert_eq!((tree.len(), found), (count, count));
        }
    }
}
