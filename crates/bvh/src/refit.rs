//! Refitting: new boxes, same tree.

use palpate_math::Aabb;

use crate::Bvh;
use crate::frame::Lanes;

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
        self.refit_entries(|_, id| frame.map_box(&boxes[id]));
    }

    /// Updates all boxes of the tree, whose frame has been set, to new entries, given their places and numbers.
    pub(crate) fn refit_entries(&mut self, mut entry: impl FnMut(usize, usize) -> Lanes) {
        self.corners.clear();
        if self.nodes.is_empty() {
            for (slot, (bounds, &id)) in self.entries.iter_mut().zip(&self.ids).enumerate() {
                *bounds = entry(slot, id as usize);
            }
            return;
        }
        let unions = &mut self.buffers.unions;
        unions.resize(self.nodes.len(), Lanes::EMPTY);
        for index in (0..self.nodes.len()).rev() {
            let node = &mut self.nodes[index];
            let mut union = Lanes::EMPTY;
            for lane in 0..node.len as usize {
                let child = node.child(lane);
                let mut bounds = Lanes::EMPTY;
                if child.is_leaf() {
                    let range = child.range();
                    for (slot, &id) in range.clone().zip(&self.ids[range]) {
                        let entry = entry(slot, id as usize);
                        self.entries[slot] = entry;
                        bounds = bounds.merged(&entry);
                    }
                } else {
                    bounds = unions[child.first as usize];
                }
                node.set_bounds(lane, &bounds);
                union = union.merged(&bounds);
            }
            unions[index] = union;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, stirred};

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
