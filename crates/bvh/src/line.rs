//! Boxes along a line, the first to be entered first.

use palpate_math::{Point, Vector};

use crate::Bvh;
use crate::descent::NearestFirst;
use crate::frame::{Lanes, larger, smaller};
use crate::nearest::within;
use crate::split::LEAF_SIZE;
use crate::tree::{Node, WIDTH};

/// Bound of the rounding errors of a slab test in the frame, where coordinates differ by less than sixteen: of the
/// origin, the direction, the box, and their products.
const BLUR: f32 = 256.0 * f32::EPSILON;

/// The largest rounding error of the origin in the frame; beyond it all boxes are visited.
const MOST_ERROR: f64 = 0.25;

/// The largest coordinate of a line's foot in the frame that may pass through a bounded box.
const FARTHEST: f32 = 8.0;

impl Bvh {
    /// Visits the numbers of the boxes that the line from `origin` along the unit `direction` passes through, in
    /// approximately the order in which it enters them, up to a distance from the origin: initially `bound`, then the
    /// value returned by the last visit.
    ///
    /// Every box that is entered at or before the final bound, and left at or behind the origin, is visited; which
    /// others are depends on the shape of the tree. Boxes are tested in single precision, rounded outward.
    ///
    /// Source: Kay and Kajiya, "Ray tracing complex scenes", SIGGRAPH 1986.
    pub fn along_line(
        &self,
        origin: &Point,
        direction: &Vector,
        bound: f64,
        mut visit: impl FnMut(u32) -> f64,
    ) {
        if self.is_empty() || self.bounds.is_empty() {
            return;
        }
        let Some(line) = MappedLine::new(self, origin, direction) else { return };
        let mut bound = line.bound(bound);
        let mut left = NearestFirst::new();
        let mut next = Some(self.root());
        while let Some(child) = next {
            if child.is_leaf() {
                let entered = line.enter_leaf(&self.entries[child.range()]);
                let mut near = within(&entered, bound);
                while near != 0 {
                    let lane = near.trailing_zeros() as usize % LEAF_SIZE;
                    near &= near - 1;
                    if entered[lane] <= bound {
                        bound = line.bound(visit(self.ids[child.first as usize + lane]));
                    }
                }
            } else {
                left.enter();
                let entered = line.enter_all(&self.nodes[child.first as usize]);
                let mut near = within(&entered, bound);
                while near != 0 {
                    let lane = near.trailing_zeros() as usize % WIDTH;
                    near &= near - 1;
                    left.add(child, lane, entered[lane]);
                }
            }
            next = left.next(self, bound);
        }
    }
}

/// A line in the frame of a tree, with an interval for all rounding errors. Its origin is the point closest to the middle
/// of the boxes.
struct MappedLine {
    /// The origin, moved by the blur against the direction of each axis and along it: slabs are entered from the one and
    /// left from the other.
    behind: [f32; 3],
    ahead: [f32; 3],
    /// Whether the line runs against each axis.
    backward: [bool; 3],
    /// The inverse components of the direction; infinite where the line is parallel to a slab.
    inverse: [f32; 3],
    /// The parameter of the query's origin, rounded down.
    start: f32,
    /// Metres along the line from the query's origin to the point where parameters are 0.
    offset: f64,
    scale: f64,
    blur: f32,
}

impl MappedLine {
    /// `None` if the line certainly misses the boxes.
    fn new(tree: &Bvh, origin: &Point, direction: &Vector) -> Option<Self> {
        let scale = tree.frame.scale();
        let middle = tree.frame.origin();
        let offset = (middle - origin).dot(direction);
        let foot = origin + direction * offset;
        let [x, y, z, _] = tree.frame.map(&foot);
        let largest = origin.coords.amax().max(offset.abs()).max(middle.coords.amax());
        let error = 16.0 * f64::EPSILON * largest * scale;
        if error.is_nan() || error > MOST_ERROR {
            return Some(Self::everything(scale));
        }
        if larger(larger(x.abs(), y.abs()), z.abs()) > FARTHEST {
            let is_bounded = tree.bounds.min.iter().chain(tree.bounds.max.iter()).all(|x| x.is_finite());
            return (!is_bounded).then(|| Self::everything(scale));
        }
        let blur = BLUR + error as f32;
        let inverse = [0, 1, 2].map(|axis| {
            let along = direction[axis] as f32;
            if along.abs() < f32::MIN_POSITIVE { f32::INFINITY } else { 1.0 / along }
        });
        let start = (-offset * scale) as f32;
        let moved = |way: f32| {
            let at = |axis: usize| [x, y, z][axis] + if inverse[axis] < 0.0 { -way } else { way };
            [at(0), at(1), at(2)]
        };
        Some(Self {
            behind: moved(blur),
            ahead: moved(-blur),
            backward: inverse.map(|inverse| inverse < 0.0),
            inverse,
            start: start - start.abs() * (4.0 * f32::EPSILON) - blur,
            offset,
            scale,
            blur,
        })
    }

    /// A line that passes through every box that is not empty.
    fn everything(scale: f64) -> Self {
        Self {
            behind: [f32::MAX; 3],
            ahead: [-f32::MAX; 3],
            backward: [false; 3],
            inverse: [1.0; 3],
            start: f32::NEG_INFINITY,
            offset: 0.0,
            scale,
            blur: f32::INFINITY,
        }
    }

    /// Returns a bound of the query in the frame, from the origin of the line, rounded up; finite, so that misses are
    /// beyond it.
    #[inline]
    fn bound(&self, bound: f64) -> f32 {
        let mapped = ((bound - self.offset) * self.scale) as f32;
        // No difference of infinities.
        let mapped = larger(mapped, -f32::MAX);
        smaller(mapped + mapped.abs() * (4.0 * f32::EPSILON) + self.blur, f32::MAX)
    }

    /// Returns where the line enters the boxes of a leaf; infinity for a miss, and for an empty box.
    #[inline]
    fn enter_leaf(&self, leaf: &[Lanes]) -> [f32; LEAF_SIZE] {
        let boxes: [&Lanes; LEAF_SIZE] = std::array::from_fn(|lane| leaf.get(lane).unwrap_or(&Lanes::EMPTY));
        let sides =
            |axis: usize| (boxes.map(|bounds| bounds.low[axis]), boxes.map(|bounds| bounds.high[axis]));
        let [x, y, z] = [sides(0), sides(1), sides(2)];
        self.enter_boxes([&x.0, &y.0, &z.0], [&x.1, &y.1, &z.1])
    }

    /// Returns where the line enters the children of a node; infinity for a miss, and for an empty box.
    #[inline]
    fn enter_all(&self, node: &Node) -> [f32; WIDTH] {
        self.enter_boxes(node.low.each_ref(), node.high.each_ref())
    }

    /// Returns where the line enters boxes, given their lower and upper sides along each axis.
    #[inline]
    fn enter_boxes<const N: usize>(&self, low: [&[f32; N]; 3], high: [&[f32; N]; 3]) -> [f32; N] {
        let sides = |axis: usize| {
            if self.backward[axis] { (high[axis], low[axis]) } else { (low[axis], high[axis]) }
        };
        let (x, y, z) = (sides(0), sides(1), sides(2));
        let mut entered = [0.0; N];
        for (lane, entered) in entered.iter_mut().enumerate() {
            let slab =
                |axis: usize, side: (&[f32; N], &[f32; N])| self.slab(axis, side.0[lane], side.1[lane]);
            *entered = self.both(slab(0, x), slab(1, y), slab(2, z));
        }
        entered
    }

    /// Returns where the line enters and leaves a slab, given the side it comes to first, and the other.
    #[inline]
    fn slab(&self, axis: usize, first: f32, last: f32) -> [f32; 2] {
        let inverse = self.inverse[axis];
        [(first - self.behind[axis]) * inverse, (last - self.ahead[axis]) * inverse]
    }

    /// Comparisons with NaN are false: a line along the side of a slab counts as within.
    #[inline]
    fn both(&self, x: [f32; 2], y: [f32; 2], z: [f32; 2]) -> f32 {
        let enter = larger(z[0], larger(y[0], larger(x[0], f32::NEG_INFINITY)));
        let leave = smaller(z[1], smaller(y[1], smaller(x[1], f32::INFINITY)));
        if (enter <= leave) & (leave >= self.start) { enter } else { f32::INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, stirred};
    use palpate_math::Aabb;

    /// Returns where a line enters and leaves a box, by the definition.
    fn span(origin: &Point, direction: &Vector, bounds: &Aabb) -> Option<[f64; 2]> {
        let mut span = [f64::NEG_INFINITY, f64::INFINITY];
        for axis in 0..3 {
            let (from, along) = (origin[axis], direction[axis]);
            if along == 0.0 {
                if !(bounds.min[axis] <= from && from <= bounds.max[axis]) {
                    return None;
                }
                continue;
            }
            let [low, high] = [bounds.min[axis], bounds.max[axis]].map(|side| (side - from) / along);
            span = [span[0].max(low.min(high)), span[1].min(low.max(high))];
        }
        (span[0] <= span[1] && !bounds.is_empty()).then_some(span)
    }

    /// A line through the boxes or beside them, some along an axis, from within or from far away.
    fn line(boxes: &[Aabb], sample: &mut Sample, round: usize) -> (Point, Vector) {
        let bounded = |bounds: &&Aabb| !bounds.is_empty() && bounds.diagonal_length().is_finite();
        let bounded: Vec<&Aabb> = boxes.iter().filter(bounded).collect();
        let target = match bounded.get(round % bounded.len().max(1)) {
            Some(bounds) => bounds.min + (bounds.max - bounds.min) * (0.5 + 0.7 * sample.number()),
            None => sample.point(),
        };
        let mut direction = sample.vector();
        for axis in 0..round % 3 {
            direction[(axis + round) % 3] = 0.0;
        }
        let direction = direction.normalize();
        let whole = bounded.iter().fold(Aabb::EMPTY, |whole, bounds| whole.merged(bounds));
        let size = if bounded.is_empty() { 1.0 } else { whole.diagonal_length() };
        (target - direction * (size * [0.0, 0.3, 2.0, 1e4][round % 4]), direction)
    }

    /// Built, and refitted to other boxes: every box entered within a bound, and the first.
    #[test]
    fn the_slow_way_agrees() {
        let mut sample = Sample::new(41);
        let (mut hits, mut visits, mut others) = (0, 0, 0);
        for (name, boxes) in sample.sets() {
            let elsewhere = stirred(&boxes, &mut sample);
            let mut refitted = Bvh::build(&boxes);
            refitted.refit(&elsewhere);
            for (boxes, tree) in [(&boxes, &Bvh::build(&boxes)), (&elsewhere, &refitted)] {
                for round in 0..96 {
                    let (origin, direction) = line(boxes, &mut sample, round);
                    let spans: Vec<_> =
                        boxes.iter().map(|bounds| span(&origin, &direction, bounds)).collect();
                    let ahead = |span: &[f64; 2]| span[1] >= 0.0;
                    let first = spans.iter().flatten().filter(|span| ahead(span)).map(|span| span[0]);
                    let first = first.fold(f64::INFINITY, f64::min);
                    for bound in [f64::INFINITY, first, f64::NEG_INFINITY] {
                        let mut visited = vec![0; boxes.len()];
                        tree.along_line(&origin, &direction, bound, |id| {
                            visited[id as usize] += 1;
                            bound
                        });
                        for (id, span) in spans.iter().enumerate() {
                            let wanted = span.is_some_and(|span| span[0] <= bound && ahead(&span));
                            assert!(visited[id] == 1 || (visited[id] == 0 && !wanted), "{name} {round} {id}");
                            assert!(visited[id] == 0 || !boxes[id].is_empty(), "{name} {id}");
                            hits += usize::from(wanted);
                            visits += visited[id];
                        }
                        others += boxes.len();
                    }
                    let mut found = f64::INFINITY;
                    tree.along_line(&origin, &direction, f64::INFINITY, |id| {
                        if let Some(span) = spans[id as usize].filter(ahead) {
                            found = found.min(span[0]);
                        }
                        found
                    });
                    assert_eq!(found, first, "{name} {round}");
                }
            }
        }
        assert!(hits > 20_000 && visits < others / 10, "{hits} {visits} {others}");
    }

    #[test]
    fn few_of_many_are_visited() {
        let mut sample = Sample::new(42);
        let boxes: Vec<Aabb> = (0..10_000).map(|_| sample.cuboid(0.1)).collect();
        let tree = Bvh::build(&boxes);
        let (mut visits, mut hits) = (0, 0);
        for _ in 0..100 {
            let (target, direction) = (sample.point(), sample.vector().normalize());
            let origin = target - direction * 5.0;
            let passed = boxes.iter().filter(|bounds| span(&origin, &direction, bounds).is_some());
            hits += passed.count();
            tree.along_line(&origin, &direction, f64::INFINITY, |_| {
                visits += 1;
                f64::INFINITY
            });
        }
        assert!(hits > 500 && visits < hits + hits / 50, "{hits} hits, {visits} visits");
    }
}
