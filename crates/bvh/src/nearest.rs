//! Closest-element query of a point.

use palpate_math::{Aabb, Point};

use crate::Bvh;
use crate::tree::Child;

/// How far, in units in the last place of the largest coordinate, a computed closest point may lie outside its own box.
const UNITS_IN_THE_LAST_PLACE: f64 = 16.0;

/// The best so far, used as the pruning bound.
struct Best {
    distance_squared: f64,
    id: u32,
}

/// Marks no box.
const NONE: u32 = u32::MAX;

impl Bvh {
    /// Returns the number of the element closest to `point`, and its squared distance, if that is at most
    /// `bound_squared`; ties go to the lowest number, for any shape of the tree.
    ///
    /// `distance_squared` returns the squared distance of the element in a box; it is called for a few boxes only, in
    /// no particular order. It may undercut the distance to the box by rounding error: by sixteen units in the last
    /// place of the largest coordinate among `point` and all boxes. NaN results are ignored. Empty boxes are skipped.
    pub fn nearest<F: FnMut(u32) -> f64>(
        &self,
        point: &Point,
        bound_squared: f64,
        mut distance_squared: F,
    ) -> Option<(u32, f64)> {
        if self.is_empty() {
            return None;
        }
        let reach = Reach::new(point, &self.bounds);
        let mut best = Best { distance_squared: bound_squared, id: NONE };
        if reach.is_within(reach.distance_squared(&self.bounds), &best) {
            self.nearest_below(self.root(), &reach, &mut best, &mut distance_squared);
        }
        (best.id != NONE).then_some((best.id, best.distance_squared))
    }

    fn nearest_below(&self, child: Child, reach: &Reach, best: &mut Best, ask: &mut impl FnMut(u32) -> f64) {
        let mut child = child;
        // Recurse into the closer child, loop on the other: saves a call per node.
        while !child.is_leaf() {
            let node = self.node(child);
            let first = reach.distance_squared(&node.bounds[0]);
            let second = reach.distance_squared(&node.bounds[1]);
            let near = usize::from(second < first);
            let (nearer, farther) = if second < first { (second, first) } else { (first, second) };
            if !reach.is_within(nearer, best) {
                return;
            }
            self.nearest_below(node.children[near], reach, best, ask);
            if !reach.is_within(farther, best) {
                return;
            }
            child = node.children[1 - near];
        }
        self.nearest_in_leaf(child, reach, best, ask);
    }

    /// Not inlined, so that the descent saves fewer registers.
    #[inline(never)]
    fn nearest_in_leaf(&self, leaf: Child, reach: &Reach, best: &mut Best, ask: &mut impl FnMut(u32) -> f64) {
        for entry in self.leaf(leaf) {
            if reach.is_within(reach.distance_squared(&entry.bounds), best) {
                let distance_squared = ask(entry.id);
                let nearer = distance_squared < best.distance_squared;
                if nearer || (distance_squared == best.distance_squared && entry.id < best.id) {
                    *best = Best { distance_squared, id: entry.id };
                }
            }
        }
    }
}

/// A point with an interval for the rounding error of distances from it: never farther from a box than the exact one.
struct Reach {
    low: Point,
    high: Point,
}

impl Reach {
    fn new(point: &Point, bounds: &Aabb) -> Self {
        let largest = point.coords.amax().max(bounds.largest_coordinate()).min(f64::MAX);
        let blur = largest * (UNITS_IN_THE_LAST_PLACE * f64::EPSILON);
        Self {
            low: point.map(|coordinate| coordinate - blur),
            high: point.map(|coordinate| coordinate + blur),
        }
    }

    /// Returns a lower bound of the squared distance to anything in the box; infinite for an empty one.
    #[inline]
    fn distance_squared(&self, bounds: &Aabb) -> f64 {
        let gap = |axis: usize| {
            let (below, above) = (bounds.min[axis] - self.high[axis], self.low[axis] - bounds.max[axis]);
            let outside = if below > above { below } else { above };
            if outside > 0.0 { outside } else { 0.0 }
        };
        let (x, y, z) = (gap(0), gap(1), gap(2));
        x * x + y * y + z * z
    }

    /// Whether an element at least this far can still be the result: ties with the best count, as its number may be
    /// lower.
    #[inline]
    fn is_within(&self, distance_squared: f64, best: &Best) -> bool {
        distance_squared <= best.distance_squared && distance_squared < f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, stirred};

    fn nearest(tree: &Bvh, boxes: &[Aabb], point: &Point, bound_squared: f64) -> Option<(u32, f64)> {
        tree.nearest(point, bound_squared, |id| boxes[id as usize].distance_squared_to_point(point))
    }

    fn by_brute_force(boxes: &[Aabb], point: &Point, bound_squared: f64) -> Option<(u32, f64)> {
        let distances = boxes.iter().map(|bounds| bounds.distance_squared_to_point(point));
        let candidates = (0..).zip(distances).filter(|&(_, d2)| d2 <= bound_squared && d2 < f64::INFINITY);
        candidates.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))
    }

    #[test]
    fn the_bound_is_included() {
        let boxes = [Aabb::from_point(Point::new(3.0, 4.0, 0.0))];
        let tree = Bvh::build(&boxes);
        assert_eq!(nearest(&tree, &boxes, &Point::origin(), 25.0), Some((0, 25.0)));
        assert_eq!(nearest(&tree, &boxes, &Point::origin(), 25.0_f64.next_down()), None);
        assert_eq!(nearest(&tree, &boxes, &Point::origin(), f64::INFINITY), Some((0, 25.0)));
        assert_eq!(nearest(&Bvh::default(), &[], &Point::origin(), f64::INFINITY), None);
        assert_eq!(tree.nearest(&Point::origin(), f64::INFINITY, |_| f64::NAN), None);
    }

    #[test]
    fn the_slow_way_agrees() {
        let mut sample = Sample::new(3);
        let (mut found, mut tied) = (0, 0);
        for (name, boxes) in sample.sets() {
            let elsewhere = stirred(&boxes, &mut sample);
            let mut refitted = Bvh::build(&boxes);
            refitted.refit(&elsewhere);
            for (boxes, tree) in [(&boxes, &Bvh::build(&boxes)), (&elsewhere, &refitted)] {
                for round in 0..60 {
                    // Also at the corners of the grid, where up to eight cells are equally close.
                    let point = match round % 3 {
                        0 => sample.point(),
                        1 => Point::from(sample.vector() * 8.0),
                        _ => Point::from((sample.vector() * 7.0).map(f64::round)),
                    };
                    let bound = if round % 2 == 0 { f64::INFINITY } else { 0.3 };
                    let expected = by_brute_force(boxes, &point, bound);
                    assert_eq!(nearest(tree, boxes, &point, bound), expected, "{name} at {point}");
                    let Some((_, d2)) = expected else { continue };
                    found += 1;
                    let equally_near =
                        boxes.iter().filter(|b| b.distance_squared_to_point(&point) == d2).count();
                    tied += usize::from(equally_near > 1);
                }
            }
        }
        assert!(found > 800 && tied > 60, "{found} found, {tied} of them tied");
    }

    /// Two elements at exactly the same distance, one of them outside its own box by rounding error.
    #[test]
    fn a_tie_is_settled_by_number_even_across_rounding() {
        let ours = Point::new(1.0, 0.0, 0.0);
        let point = Point::new(1.0 + 1e-13, 0.0, 0.0);
        let true_distance_squared = (point - ours).norm_squared();
        for first_is_off in [true, false] {
            let off = Aabb::from_point(ours.map(f64::next_down));
            let mut boxes = vec![Aabb::from_point(Point::new(9.0, 9.0, 9.0)); 30];
            boxes[11] = if first_is_off { off } else { Aabb::from_point(ours) };
            boxes[12] = if first_is_off { Aabb::from_point(ours) } else { off };
            let found = Bvh::build(&boxes).nearest(&point, f64::INFINITY, |id| match id {
                11 | 12 => true_distance_squared,
                _ => 200.0,
            });
            assert_eq!(found, Some((11, true_distance_squared)));
        }
    }

    #[test]
    fn few_of_many_are_asked() {
        let mut sample = Sample::new(4);
        let boxes: Vec<Aabb> = (0..10_000).map(|_| sample.cuboid(0.02)).collect();
        let tree = Bvh::build(&boxes);
        let mut asked = 0;
        for _ in 0..100 {
            let point = sample.point();
            tree.nearest(&point, f64::INFINITY, |id| {
                asked += 1;
                boxes[id as usize].distance_squared_to_point(&point)
            });
        }
        assert!((100..2000).contains(&asked), "{asked} asked in 100 queries");
    }
}
