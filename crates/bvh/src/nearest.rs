//! Closest-element query of a point.

use palpate_math::{Aabb, Point};

use crate::Bvh;
use crate::corners::{are_beyond, bounds};
use crate::descent::{Descent, NearestFirst};
use crate::frame::{Lanes, larger};
use crate::split::LEAF_SIZE;
use crate::tree::{Node, WIDTH};

/// How far, in units in the last place of the largest coordinate, a computed closest point may lie outside its own box.
const UNITS_IN_THE_LAST_PLACE: f64 = 16.0;

/// A point farther from the middle of the boxes than this many times their size is compared with them in double
/// precision.
const FAR: f32 = 1024.0;

/// A query that has met this many leaves is far from most of them: then all triangles of a leaf are tested at once before
/// each is.
const FEW_LEAVES: u32 = 4;

/// Sixteen units of single precision, relative to the largest coordinate in the frame: four for each of the boxes, the
/// point and their difference.
const BLUR: f32 = 8.0 * f32::EPSILON;

/// The best so far, used as the pruning bound.
struct Best<R> {
    distance_squared: f64,
    id: u32,
    rank: R,
}

impl<R: Fn(u32) -> u32> Best<R> {
    /// Takes an element that is closer, or as close with a lower rank.
    #[inline]
    fn take(&mut self, distance_squared: f64, id: u32) {
        let precedes = || self.id == NONE || (self.rank)(id) < (self.rank)(self.id);
        if distance_squared < self.distance_squared
            || (distance_squared == self.distance_squared && precedes())
        {
            (self.distance_squared, self.id) = (distance_squared, id);
        }
    }
}

/// Marks no box.
const NONE: u32 = u32::MAX;

impl Bvh {
    /// Returns the number of the element closest to `point`, and its squared distance, if that is at most
    /// `bound_squared`; ties go to the lowest number, for any shape of the tree.
    ///
    /// `distance_squared` returns the squared distance of the element in a box; it is called for a few boxes only, in
    /// no particular order. It may undercut the distance to the box by rounding error: by sixteen units in the last
    /// place of the largest coordinate among `point` and all boxes. In a tree over triangles the same holds for the distance to
    /// the triangle instead of its box. NaN results are ignored. Empty boxes are skipped.
    pub fn nearest<F: FnMut(u32) -> f64>(
        &self,
        point: &Point,
        bound_squared: f64,
        distance_squared: F,
    ) -> Option<(u32, f64)> {
        self.nearest_from(point, bound_squared, None, distance_squared)
    }

    /// Like [`nearest`](Self::nearest), with the number of an element that is probably close, such as the closest one a
    /// step before: it is asked first, and fewer boxes are searched. The result is the same.
    pub fn nearest_from<F: FnMut(u32) -> f64>(
        &self,
        point: &Point,
        bound_squared: f64,
        probably: Option<u32>,
        distance_squared: F,
    ) -> Option<(u32, f64)> {
        self.nearest_ranked(point, bound_squared, probably, |id| id, distance_squared)
    }

    /// Like [`nearest_from`](Self::nearest_from), but ties go to the element with the lowest `rank`.
    pub fn nearest_ranked<F: FnMut(u32) -> f64>(
        &self,
        point: &Point,
        bound_squared: f64,
        probably: Option<u32>,
        rank: impl Fn(u32) -> u32,
        mut distance_squared: F,
    ) -> Option<(u32, f64)> {
        if self.is_empty() {
            return None;
        }
        let mut best = Best { distance_squared: bound_squared, id: NONE, rank };
        if let Some(id) = probably.filter(|&id| (id as usize) < self.len()) {
            let is_filled = self.exact.get(id as usize).is_none_or(|bounds| !bounds.is_empty());
            if is_filled {
                best.take(distance_squared(id), id);
            }
        }
        let exact = Reach::new(point, &self.bounds);
        if exact.is_within(exact.distance_squared(&self.bounds), best.distance_squared) {
            match MappedReach::new(self, point, &exact) {
                Some(reach) => self.nearest_mapped(&reach, &mut best, &mut distance_squared),
                None => self.nearest_to_far(&exact, &mut best, &mut distance_squared),
            }
        }
        (best.id != NONE).then_some((best.id, best.distance_squared))
    }

    /// Visits the number of every element within `radius` of `center`, and of others near it, each once, in no particular
    /// order; and whether it is certainly within. See [`nearest`](Self::nearest) for the rounding of distances that is
    /// allowed for. In a tree over triangles few of the others are visited; in any other none is said to be certainly
    /// within.
    pub fn in_ball(&self, center: &Point, radius: f64, mut visit: impl FnMut(u32, bool)) {
        let exact = Reach::new(center, &self.bounds);
        let Some(reach) = MappedReach::new(self, center, &exact).filter(|_| radius.is_finite()) else {
            self.overlap(&Aabb::from_point(*center).grown(radius), |id| visit(id, false));
            return;
        };
        let bound = reach.bound(radius * radius);
        let certain = bound * (1.0 - 64.0 * f32::EPSILON) - 64.0 * f32::MIN_POSITIVE;
        if self.is_empty() || !exact.is_within(exact.distance_squared(&self.bounds), radius * radius) {
            return;
        }
        let mut descent = Descent::from(self.root());
        let triangles = self.triangles();
        let mut leaves = 0;
        while let Some(child) = descent.next(self) {
            if !child.is_leaf() {
                let distances = reach.distances_squared(&self.nodes[child.first as usize]);
                descent.enter(child, filled(&distances, within(&distances, bound)));
                continue;
            }
            leaves += 1;
            let [lower, upper] = match triangles.map(|triangles| triangles.of_leaf(child.range())) {
                Some(leaf) if leaves > FEW_LEAVES && are_beyond(&reach.middle, reach.blur, bound, leaf) => {
                    continue;
                }
                Some(leaf) => bounds(&reach.middle, reach.blur, leaf),
                None => {
                    [reach.distances_squared_of(&self.entries[child.range()]), [f32::INFINITY; LEAF_SIZE]]
                }
            };
            let mut near = filled(&lower, within(&lower, bound));
            while near != 0 {
                let lane = near.trailing_zeros() as usize % LEAF_SIZE;
                near &= near - 1;
                visit(self.ids[child.first as usize + lane], upper[lane] < certain);
            }
        }
    }

    fn nearest_to_far<R: Fn(u32) -> u32>(
        &self,
        reach: &Reach,
        best: &mut Best<R>,
        ask: &mut impl FnMut(u32) -> f64,
    ) {
        let enter = |bounds: &Aabb| Some(reach.distance_squared(bounds));
        self.front_to_back(best.distance_squared, enter, |id| {
            best.take(ask(id), id);
            best.distance_squared
        });
    }

    fn nearest_mapped<R: Fn(u32) -> u32>(
        &self,
        reach: &MappedReach,
        best: &mut Best<R>,
        ask: &mut impl FnMut(u32) -> f64,
    ) {
        let mut left = NearestFirst::new();
        let mut bound = reach.bound(best.distance_squared);
        let triangles = self.triangles();
        let mut leaves = 0;
        let mut next = Some(self.root());
        while let Some(child) = next {
            if child.is_leaf() {
                // The closest first: the others are then often too far.
                leaves += 1;
                let distances = match triangles.map(|triangles| triangles.of_leaf(child.range())) {
                    Some(leaf)
                        if leaves > FEW_LEAVES && are_beyond(&reach.middle, reach.blur, bound, leaf) =>
                    {
                        next = left.next(self, bound);
                        continue;
                    }
                    Some(leaf) => bounds(&reach.middle, reach.blur, leaf)[0],
                    None => reach.distances_squared_of(&self.entries[child.range()]),
                };
                let mut near = within(&distances, bound);
                while near != 0 {
                    let mut closest = near.trailing_zeros() as usize % LEAF_SIZE;
                    let mut others = near & (near - 1);
                    while others != 0 {
                        let lane = others.trailing_zeros() as usize % LEAF_SIZE;
                        if distances[lane] < distances[closest] {
                            closest = lane;
                        }
                        others &= others - 1;
                    }
                    if distances[closest] > bound || distances[closest] == f32::INFINITY {
                        break;
                    }
                    near &= !(1 << closest);
                    let id = self.ids[child.first as usize + closest];
                    best.take(ask(id), id);
                    bound = reach.bound(best.distance_squared);
                }
            } else {
                left.enter();
                let distances = reach.distances_squared(&self.nodes[child.first as usize]);
                let mut near = within(&distances, bound);
                while near != 0 {
                    let lane = near.trailing_zeros() as usize % WIDTH;
                    near &= near - 1;
                    if distances[lane] < f32::INFINITY {
                        left.add(child, lane, distances[lane]);
                    }
                }
            }
            // Ties with the best count, as the rank may be lower.
            next = left.next(self, bound);
        }
    }
}

/// Returns the lanes whose number is at most the bound, as bits, and possibly infinite ones: by the sign of a difference,
/// since compilers vectorise that and not comparisons.
#[inline]
pub(crate) fn within<const N: usize>(distances: &[f32; N], bound: f32) -> u32 {
    let mut slack = [0.0; N];
    for (slack, distance) in slack.iter_mut().zip(distances) {
        // The sum with zero is no negative zero.
        *slack = bound - distance + 0.0;
    }
    let mut beyond = 0;
    for (lane, slack) in slack.iter().enumerate() {
        beyond |= slack.to_bits() >> 31 << lane;
    }
    !beyond & ((1 << N) - 1)
}

/// Returns those of the lanes whose number is finite.
#[inline]
fn filled<const N: usize>(distances: &[f32; N], lanes: u32) -> u32 {
    let (mut filled, mut left) = (0, lanes);
    while left != 0 {
        let lane = left.trailing_zeros() as usize % N;
        left &= left - 1;
        filled |= u32::from(distances[lane] < f32::INFINITY) << lane;
    }
    filled
}

/// A point in the frame of a tree with an interval for all rounding errors: never farther from a mapped box than the
/// exact one from the box.
struct MappedReach {
    middle: [f32; 3],
    blur: f32,
    low: [f32; 3],
    high: [f32; 3],
    scale: f64,
}

impl MappedReach {
    /// `None` for a point so far from the boxes that single precision could not tell their distances, and for NaN.
    fn new(tree: &Bvh, point: &Point, exact: &Reach) -> Option<Self> {
        let [x, y, z, _] = tree.frame.map(point);
        let largest = larger(larger(x.abs(), y.abs()), larger(z.abs(), 1.0));
        let scale = tree.frame.scale();
        let blur = largest * BLUR + (exact.blur * scale) as f32 * (1.0 + BLUR) + f32::MIN_POSITIVE;
        let is_near = [x, y, z].iter().all(|coordinate| coordinate.abs() <= FAR);
        (is_near && blur <= 1.0).then_some(Self {
            middle: [x, y, z],
            blur,
            low: [x - blur, y - blur, z - blur],
            high: [x + blur, y + blur, z + blur],
            scale,
        })
    }

    /// Returns a squared distance in the frame, rounded up, so that no lower bound of a closer element is above.
    #[inline]
    fn bound(&self, distance_squared: f64) -> f32 {
        // Squares of distances below the least number of double precision are zero.
        const LEAST: f64 = 16.0 * f64::MIN_POSITIVE;
        let mapped = ((distance_squared + LEAST) * self.scale * self.scale) as f32;
        mapped * (1.0 + 16.0 * f32::EPSILON) + 16.0 * f32::MIN_POSITIVE
    }

    /// Returns lower bounds of the squared distances to the boxes of a leaf; infinite for lanes without one.
    #[inline]
    fn distances_squared_of(&self, leaf: &[Lanes]) -> [f32; LEAF_SIZE] {
        let mut distances = [f32::INFINITY; LEAF_SIZE];
        for (distance, entry) in distances.iter_mut().zip(leaf) {
            *distance = self.distance_squared(entry);
        }
        distances
    }

    #[inline]
    fn distance_squared(&self, bounds: &Lanes) -> f32 {
        let gap = |axis: usize| self.gap(axis, bounds.low[axis], bounds.high[axis]);
        let (x, y, z) = (gap(0), gap(1), gap(2));
        x * x + y * y + z * z
    }

    #[inline]
    fn distances_squared(&self, node: &Node) -> [f32; WIDTH] {
        let mut distances = [0.0; WIDTH];
        for (lane, distance) in distances.iter_mut().enumerate() {
            let gap = |axis: usize| self.gap(axis, node.low[axis][lane], node.high[axis][lane]);
            let (x, y, z) = (gap(0), gap(1), gap(2));
            *distance = x * x + y * y + z * z;
        }
        distances
    }

    #[inline]
    fn gap(&self, axis: usize, low: f32, high: f32) -> f32 {
        larger(larger(low - self.high[axis], self.low[axis] - high), 0.0)
    }
}

/// A point with an interval for the rounding error of distances from it: never farther from a box than the exact one.
struct Reach {
    blur: f64,
    low: Point,
    high: Point,
}

impl Reach {
    fn new(point: &Point, bounds: &Aabb) -> Self {
        let largest = point.coords.amax().max(bounds.largest_coordinate()).min(f64::MAX);
        let blur = largest * (UNITS_IN_THE_LAST_PLACE * f64::EPSILON);
        Self {
            blur,
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

    /// Whether an element at least this far can still be the result.
    #[inline]
    fn is_within(&self, distance_squared: f64, bound_squared: f64) -> bool {
        distance_squared <= bound_squared && distance_squared < f64::INFINITY
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
                    let distance_squared = |id: u32| boxes[id as usize].distance_squared_to_point(&point);
                    let equally_near: Vec<u32> =
                        (0..boxes.len() as u32).filter(|&id| distance_squared(id) == d2).collect();
                    tied += usize::from(equally_near.len() > 1);
                    let last = |id: u32| u32::MAX - id;
                    let ranked = tree.nearest_ranked(&point, bound, None, last, distance_squared);
                    assert_eq!(ranked.map(|(id, _)| id), equally_near.last().copied(), "{name} at {point}");
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

    /// NaN and infinite coordinates: no panic, and no box is asked twice.
    #[test]
    fn points_without_a_place_do_no_harm() {
        let mut sample = Sample::new(5);
        for (name, boxes) in sample.sets() {
            let tree = Bvh::build(&boxes);
            for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
                let mut asked = 0;
                tree.nearest(&Point::new(x, 0.0, x), f64::INFINITY, |_| {
                    asked += 1;
                    1.0
                });
                assert!(asked <= boxes.len(), "{name} {x}");
            }
        }
    }

    /// Every box within the radius is visited once; a tree over boxes calls none certain.
    #[test]
    fn a_ball_holds_what_is_near() {
        let mut sample = Sample::new(6);
        let (mut hits, mut others) = (0, 0);
        for (name, boxes) in sample.sets() {
            let tree = Bvh::build(&boxes);
            for round in 0..60 {
                let center = sample.point() * [1.0, 8.0, 1e6][round % 3];
                let nearest = boxes.iter().map(|bounds| bounds.distance_squared_to_point(&center).sqrt());
                let nearest = nearest.filter(|distance| distance.is_finite()).fold(f64::INFINITY, f64::min);
                let radius = [nearest, nearest * 1.5 + 0.1, 0.3, f64::INFINITY][round % 4];
                let mut visits = vec![0; boxes.len()];
                tree.in_ball(&center, radius, |id, is_certain| {
                    visits[id as usize] += 1;
                    assert!(!is_certain, "{name}: boxes alone prove nothing");
                });
                for (bounds, visits) in boxes.iter().zip(visits) {
                    let is_within =
                        bounds.distance_squared_to_point(&center).sqrt() <= radius && !bounds.is_empty();
                    assert!(visits == 1 || (visits == 0 && !is_within), "{name} {round}");
                    assert!(visits == 0 || !bounds.is_empty(), "{name} {round}");
                    hits += usize::from(is_within);
                    others += usize::from(!is_within && visits == 1 && round % 3 != 2);
                }
            }
        }
        assert!(hits > 20_000 && others < hits / 10, "{hits} {others}");
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
