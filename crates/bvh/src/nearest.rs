//! What is nearest to a point.

use palpate_math::{Aabb, Point};

use crate::Bvh;
use crate::tree::Child;

/// How far, in units in the last place of the largest coordinate, a computed closest point may lie outside its own box.
const UNITS_IN_THE_LAST_PLACE: f64 = 16.0;

/// The best so far: what is no nearer need not be looked at.
struct Best {
    distance_squared: f64,
    id: u32,
}

/// No box has this number.
const NONE: u32 = u32::MAX;

impl Bvh {
    /// The number of what is nearest to `point`, and the square of its distance, if that is at most `bound_squared`; of
    /// equally near ones exactly the lowest number, whatever the shape of the tree.
    ///
    /// `distance_squared` says how far the thing in a box is; it is asked of a few boxes only, in no particular order. It
    /// may undercut the distance to the box by rounding: by sixteen units in the last place of the largest coordinate among
    /// `point` and all boxes. An answer that is NaN is passed over. Empty boxes are never asked about.
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
        if child.is_leaf() {
            for entry in self.leaf(child) {
                if reach.is_within(reach.distance_squared(&entry.bounds), best) {
                    let distance_squared = ask(entry.id);
                    let nearer = distance_squared < best.distance_squared;
                    if nearer || (distance_squared == best.distance_squared && entry.id < best.id) {
                        *best = Best { distance_squared, id: entry.id };
                    }
                }
            }
            return;
        }
        let node = self.node(child);
        let distances = [reach.distance_squared(&node.bounds[0]), reach.distance_squared(&node.bounds[1])];
        let near = usize::from(distances[1] < distances[0]);
        for side in [near, 1 - near] {
            if reach.is_within(distances[side], best) {
                self.nearest_below(node.children[side], reach, best, ask);
            }
        }
    }
}

/// A point, blurred by what rounding may do to a distance from it: never further from a box than the real one.
struct Reach {
    low: Point,
    high: Point,
}

impl Reach {
    fn new(point: &Point, bounds: &Aabb) -> Self {
        let largest = point.coords.amax().max(bounds.largest_coordinate()).min(f64::MAX);
        let blur = largest * (UNITS_IN_THE_LAST_PLACE * f64::EPSILON);
        Self { low: point.map(|coordinate| coordinate - blur), high: point.map(|coordinate| coordinate + blur) }
    }

    /// A lower bound of the square of the distance to anything in the box; infinite for an empty one.
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

    /// Whether something at least this far can still be the answer: as near as the best counts, for its number may be lower.
    #[inline]
    fn is_within(&self, distance_squared: f64, best: &Best) -> bool {
        distance_squared <= best.distance_squared && distance_squared < f64::INFINITY
    }
}
