//! Front-to-back traversal.

use palpate_math::Aabb;

use crate::Bvh;
use crate::descent::NearestFirst;

impl Bvh {
    /// Visits the numbers of boxes in approximately the order in which something enters them (a ray, a growing ball),
    /// up to a bound: initially `bound`, then the value returned by the last visit.
    ///
    /// `enter` returns where a box is entered, `None` for a miss, which must include empty boxes. It is called for the
    /// boxes of whole subtrees first, so it must not be greater for a box than for a box inside it. The boxes of
    /// subtrees are rounded outward, and so are those of cells. Every box entered at or before the final bound is
    /// visited, for any shape of the tree; which of the others are visited, and in what order, depends on it.
    pub fn front_to_back(
        &self,
        bound: f64,
        mut enter: impl FnMut(&Aabb) -> Option<f64>,
        mut visit: impl FnMut(u32) -> f64,
    ) {
        let mut bound = bound;
        if self.is_empty() || is_beyond(entered(&self.bounds, &mut enter), bound) {
            return;
        }
        let mut left = NearestFirst::new();
        let mut next = Some(self.root());
        while let Some(child) = next {
            if child.is_leaf() {
                for slot in child.range() {
                    if self.entries[slot].is_empty() {
                        continue;
                    }
                    if !is_beyond(entered(&self.entry_bounds(slot), &mut enter), bound) {
                        bound = visit(self.ids[slot]);
                    }
                }
            } else {
                left.enter();
                let node = &self.nodes[child.first as usize];
                for lane in 0..node.len as usize {
                    let bounds = node.bounds(lane);
                    if bounds.is_empty() {
                        continue;
                    }
                    let at = entered(&self.frame.outer(&bounds), &mut enter);
                    if !is_beyond(at, bound) {
                        left.add(child, lane, at);
                    }
                }
            }
            next = left.next(self, bound);
        }
    }
}

/// Returns where a box is entered; infinity for a miss.
#[inline]
fn entered(bounds: &Aabb, enter: &mut impl FnMut(&Aabb) -> Option<f64>) -> f64 {
    enter(bounds).unwrap_or(f64::INFINITY)
}

#[inline]
fn is_beyond(place: f64, bound: f64) -> bool {
    place > bound || place == f64::INFINITY
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, stirred};

    /// Returns where the line through `y`, `z` along x enters a box.
    fn enter([y, z]: [f64; 2], bounds: &Aabb) -> Option<f64> {
        let within = |axis: usize, at: f64| bounds.min[axis] <= at && at <= bounds.max[axis];
        (within(1, y) && within(2, z) && !bounds.is_empty()).then_some(bounds.min.x)
    }

    /// Built, and refitted to other boxes: the first box along a line, and all that are entered up to a bound.
    #[test]
    fn the_slow_way_agrees() {
        let mut sample = Sample::new(8);
        let (mut hits, mut bounded, mut refused) = (0, 0, 0);
        for (name, boxes) in sample.sets() {
            let elsewhere = stirred(&boxes, &mut sample);
            let mut refitted = Bvh::build(&boxes);
            refitted.refit(&elsewhere);
            for (boxes, tree) in [(&boxes, &Bvh::build(&boxes)), (&elsewhere, &refitted)] {
                for round in 0..60 {
                    let line = if round % 2 == 0 { [0.0; 2] } else { [sample.number(), sample.number()] };
                    let place = |id: u32| enter(line, &boxes[id as usize]);
                    let ids = 0..boxes.len() as u32;
                    let first = ids.clone().filter_map(place).fold(f64::INFINITY, f64::min);
                    let mut found = f64::INFINITY;
                    tree.front_to_back(
                        f64::INFINITY,
                        |bounds| enter(line, bounds),
                        |id| {
                            found = found.min(place(id).expect("only entered boxes are visited"));
                            found
                        },
                    );
                    assert_eq!(found, first, "{name}");
                    hits += usize::from(first < f64::INFINITY);
                    let bound = sample.number();
                    let wanted: Vec<u32> =
                        ids.filter(|&id| place(id).is_some_and(|place| place <= bound)).collect();
                    let mut visited = Vec::new();
                    tree.front_to_back(
                        bound,
                        |bounds| enter(line, bounds),
                        |id| {
                            visited.push(id);
                            bound
                        },
                    );
                    visited.sort_unstable();
                    assert_eq!(visited, wanted, "{name}");
                    bounded += usize::from(!wanted.is_empty());
                    refused += usize::from(first > bound && first < f64::INFINITY);
                }
            }
        }
        assert!(hits > 400 && bounded > 200 && refused > 20, "{hits} {bounded} {refused}");
    }

    #[test]
    fn little_behind_the_first_is_asked() {
        let mut sample = Sample::new(9);
        let boxes: Vec<Aabb> = (0..10_000).map(|_| sample.cuboid(0.1)).collect();
        let tree = Bvh::build(&boxes);
        let (mut all, mut asked) = (0, 0);
        for _ in 0..100 {
            let line = [sample.number(), sample.number()];
            tree.front_to_back(
                f64::INFINITY,
                |bounds| enter(line, bounds),
                |_| {
                    all += 1;
                    f64::INFINITY
                },
            );
            let mut first = f64::INFINITY;
            tree.front_to_back(
                f64::INFINITY,
                |bounds| enter(line, bounds),
                |id| {
                    asked += 1;
                    first = first.min(boxes[id as usize].min.x);
                    first
                },
            );
        }
        assert!(all > 500 && asked * 4 < all, "{asked} of {all}");
    }
}
