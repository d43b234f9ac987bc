//! The pairs of children of two compounds whose boxes are near, through a tree.

use palpate_bvh::Bvh;
use palpate_geometry::Geometry;
use palpate_math::Aabb;

/// The boxes of the children of one side, and a tree over the bounded ones. Buffers are reused.
#[derive(Default)]
struct Boxes {
    all: Vec<Aabb>,
    bounded: Vec<u32>,
    unbounded: Vec<u32>,
    in_tree: Vec<Aabb>,
    tree: Bvh,
}

impl Boxes {
    fn update<'a>(&mut self, children: impl Iterator<Item = &'a dyn Geometry>, margin: f64) {
        self.all.clear();
        self.all.extend(children.map(|child| child.bounds().padded().grown(margin)));
        let is_bounded = |bounds: &Aabb| bounds.min.iter().chain(bounds.max.iter()).all(|x| x.is_finite());
        let before = self.bounded.len();
        let same = before + self.unbounded.len() == self.all.len()
            && self.bounded.iter().all(|&index| is_bounded(&self.all[index as usize]));
        if !same {
            self.bounded.clear();
            self.unbounded.clear();
            for (index, bounds) in (0..).zip(&self.all) {
                match is_bounded(bounds) {
                    true => self.bounded.push(index),
                    // An empty box is near nothing.
                    false if bounds.is_empty() => {}
                    false => self.unbounded.push(index),
                }
            }
        }
        self.in_tree.clear();
        self.in_tree.extend(self.bounded.iter().map(|&index| self.all[index as usize]));
        if same {
            self.tree.refit(&self.in_tree);
        }
        if !same || self.tree.wear() > REBUILD_AT_WEAR {
            self.tree.rebuild(&self.in_tree);
        }
    }
}

/// A refitted tree is rebuilt once its queries cost this many times as much as when it was built.
const REBUILD_AT_WEAR: f64 = 2.0;

/// Finds the pairs of children whose boxes are near.
#[derive(Default)]
pub(super) struct NearChildren {
    first: Boxes,
    pairs: Vec<(u32, u32)>,
}

impl NearChildren {
    /// Returns the pairs of a child of `first` and one of `second` whose boxes are no farther apart than the margin, by their
    /// positions in the two lists, ascending.
    pub(super) fn find(
        &mut self,
        first: &[(u32, &dyn Geometry)],
        second: &[(u32, &dyn Geometry)],
        margin: f64,
    ) -> &[(u32, u32)] {
        let Self { first: boxes, pairs } = self;
        boxes.update(first.iter().map(|&(_, child)| child), margin);
        pairs.clear();
        for (index, &(_, child)) in (0..).zip(second) {
            let bounds = child.bounds().padded();
            boxes.tree.overlap(&bounds, |leaf| pairs.push((boxes.bounded[leaf as usize], index)));
            let others = boxes.unbounded.iter().filter(|&&other| boxes.all[other as usize].overlaps(&bounds));
            pairs.extend(others.map(|&other| (other, index)));
        }
        pairs.sort_unstable();
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_geometry::{Plane, Sphere};
    use palpate_math::{Point, Vector};

    #[test]
    fn pairs_are_those_of_the_boxes_one_by_one() {
        let mut state = 9_u64;
        let mut number = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f64 / (1_u64 << 24) as f64
        };
        let mut near = NearChildren::default();
        let mut found = 0;
        for round in 0..8 {
            let mut sides: [Vec<Box<dyn Geometry>>; 2] = [Vec::new(), Vec::new()];
            for side in &mut sides {
                for _ in 0..60 {
                    let center = Point::new(number(), number(), number());
                    side.push(Box::new(Sphere::new(center, 0.05).unwrap()));
                }
            }
            if round % 2 == 1 {
                sides[round / 2 % 2].insert(7, Box::new(Plane::new(Point::origin(), Vector::y()).unwrap()));
            }
            let numbered = |side: usize| -> Vec<(u32, &dyn Geometry)> {
                (0..).zip(&sides[side]).map(|(number, child)| (number, &**child)).collect()
            };
            let (first, second) = (numbered(0), numbered(1));
            let margin = 0.02;
            let mut wanted = Vec::new();
            for &(i, a) in &first {
                for &(j, b) in &second {
                    if a.bounds().padded().grown(margin).overlaps(&b.bounds().padded()) {
                        wanted.push((i, j));
                    }
                }
            }
            assert_eq!(near.find(&first, &second, margin), wanted);
            found += wanted.len();
        }
        assert!(found > 200, "only {found} pairs");
    }
}
