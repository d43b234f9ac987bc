//! Axis-aligned bounding box, for culling in trees and the broad phase.

use std::borrow::Borrow;

use crate::{Point, Vector};

/// A closed axis-aligned box from `min` to `max`; empty when `min` exceeds `max` along any axis.
///
/// Bounds may be infinite (a half-space has the box of all space), never NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The corner with the smallest coordinates.
    pub min: Point,
    /// The corner with the largest coordinates.
    pub max: Point,
}

impl Default for Aabb {
    /// [`Aabb::EMPTY`].
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Aabb {
    /// The empty box: merging it with any box returns that box, and it overlaps none.
    pub const EMPTY: Self = Self {
        min: Point::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        max: Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// The box of all space.
    pub const ALL: Self = Self {
        min: Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
        max: Point::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
    };

    /// Creates the box of one point.
    #[inline]
    pub fn from_point(point: Point) -> Self {
        Self { min: point, max: point }
    }

    /// Creates the smallest box that contains all points, given by value or by reference; [`Aabb::EMPTY`] if there are
    /// none.
    #[inline]
    pub fn from_points(points: impl IntoIterator<Item: Borrow<Point>>) -> Self {
        let mut bounds = Self::EMPTY;
        for point in points {
            bounds.include(point.borrow());
        }
        bounds
    }

    /// Creates the smallest box that contains all points of a list, in one fast pass; `None` if a coordinate is not finite.
    pub fn from_finite(points: &[Point]) -> Option<Self> {
        let Extent { low, high, zeros } = Extent::of(points);
        let min = [0, 1, 2].map(|axis| smaller(low[axis], low[axis + 3]));
        let max = [0, 1, 2].map(|axis| larger(high[axis], high[axis + 3]));
        let is_finite = zeros.iter().all(|&zero| zero == 0.0);
        is_finite.then(|| Self { min: Point::from(min), max: Point::from(max) })
    }

    /// Creates the box between any two opposite corners.
    #[inline]
    pub fn from_corners(a: &Point, b: &Point) -> Self {
        Self { min: a.inf(b), max: a.sup(b) }
    }

    /// Extends the box to contain `point`.
    #[inline]
    pub fn include(&mut self, point: &Point) {
        for axis in 0..3 {
            self.min[axis] = smaller(self.min[axis], point[axis]);
            self.max[axis] = larger(self.max[axis], point[axis]);
        }
    }

    /// Returns the smallest box that contains both.
    #[inline]
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        let (a, b, c, d) = (&self.min, &other.min, &self.max, &other.max);
        Self {
            min: Point::new(smaller(a.x, b.x), smaller(a.y, b.y), smaller(a.z, b.z)),
            max: Point::new(larger(c.x, d.x), larger(c.y, d.y), larger(c.z, d.z)),
        }
    }

    /// Returns the box that both share; empty if they share none.
    #[inline]
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self { min: self.min.sup(&other.min), max: self.max.inf(&other.max) }
    }

    /// Returns the corners, x varying fastest, then y, then z.
    pub fn corners(&self) -> [Point; 8] {
        let ends = [self.min, self.max];
        std::array::from_fn(|corner| Point::from([0, 1, 2].map(|axis| ends[corner >> axis & 1][axis])))
    }

    /// Returns the box widened by what the rounding error of a detector can amount to, relative to its largest finite
    /// coordinate: two geometries whose padded boxes do not overlap have no contact. A box with a NaN becomes all of space.
    #[must_use]
    pub fn padded(&self) -> Self {
        // Far above a few units in the last place, far below what makes detectors run in vain.
        const SLACK: f64 = 256.0 * f64::EPSILON;
        let coordinates = || self.min.iter().chain(self.max.iter()).copied();
        if coordinates().any(f64::is_nan) {
            return Self::ALL;
        }
        let finite = coordinates().filter(|coordinate| coordinate.is_finite());
        let largest = finite.fold(0.0, |largest: f64, coordinate| largest.max(coordinate.abs()));
        self.grown(SLACK * largest)
    }

    /// Returns the box with every face moved outward by `margin` (inward, if negative) and rounded outward, so that it
    /// contains every point within `margin` of the box despite rounding. A margin of zero and an empty box change
    /// nothing.
    #[inline]
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        if margin == 0.0 || self.is_empty() {
            return *self;
        }
        Self {
            min: self.min.map(|bound| below(bound - margin)),
            max: self.max.map(|bound| -below(-bound - margin)),
        }
    }

    /// Whether the box is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x || self.min.y > self.max.y || self.min.z > self.max.z
    }

    /// Whether the two boxes overlap; touching counts, an empty box overlaps nothing.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        // The bitwise `&` avoids branches; the last line handles an empty box against the box of all space.
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
            & (self.min.z <= other.max.z)
            & (other.min.z <= self.max.z)
            & !self.is_empty()
            & !other.is_empty()
    }

    /// Whether the box contains the point; its boundary counts.
    #[inline]
    pub fn contains_point(&self, point: &Point) -> bool {
        (0..3).all(|axis| self.min[axis] <= point[axis] && point[axis] <= self.max[axis])
    }

    /// Whether the box contains `other`; true for an empty `other`.
    #[inline]
    pub fn contains(&self, other: &Self) -> bool {
        other.is_empty() || (self.contains_point(&other.min) && self.contains_point(&other.max))
    }

    /// Returns the centre of the box; zero along an axis on which the box is empty or unbounded on both sides.
    #[inline]
    pub fn center(&self) -> Point {
        let middle = |axis: usize| {
            let sum = self.min[axis] + self.max[axis];
            if sum.is_nan() { 0.0 } else { sum * 0.5 }
        };
        Point::new(middle(0), middle(1), middle(2))
    }

    /// Returns the extent along each axis; zero for an empty box.
    #[inline]
    pub fn size(&self) -> Vector {
        if self.is_empty() { Vector::zeros() } else { self.max - self.min }
    }

    /// Returns the length of the diagonal; zero for an empty box.
    #[inline]
    pub fn diagonal_length(&self) -> f64 {
        self.size().norm()
    }

    /// Returns the axis of the largest extent, 0 to 2; ties go to the lowest.
    #[inline]
    pub fn longest_axis(&self) -> usize {
        let size = self.size();
        let longest_of_first_two = if size.y > size.x { 1 } else { 0 };
        if size.z > size[longest_of_first_two] { 2 } else { longest_of_first_two }
    }

    /// Returns the total area of the six faces; zero for an empty box, infinite for an unbounded one.
    #[inline]
    pub fn surface_area(&self) -> f64 {
        let size = self.size();
        let half = size.x * size.y + size.y * size.z + size.z * size.x;
        // Unbounded along one axis and flat along another: infinity times zero.
        if half.is_nan() { f64::INFINITY } else { 2.0 * half }
    }

    /// Returns the squared distance from the point to the box: zero inside, infinite for an empty box.
    #[inline]
    pub fn distance_squared_to_point(&self, point: &Point) -> f64 {
        let gap = |axis: usize| {
            let (below, above) = (self.min[axis] - point[axis], point[axis] - self.max[axis]);
            larger(larger(below, above), 0.0)
        };
        let (x, y, z) = (gap(0), gap(1), gap(2));
        x * x + y * y + z * z
    }

    /// Returns the largest magnitude of the coordinates of both corners, which determines their rounding error.
    #[inline]
    pub fn largest_coordinate(&self) -> f64 {
        if self.is_empty() { 0.0 } else { larger(self.min.coords.amax(), self.max.coords.amax()) }
    }
}

/// Returns the smaller of two numbers that are not NaN: one instruction, unlike `f64::min`.
#[inline]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Returns the larger of two numbers that are not NaN: one instruction, unlike `f64::max`.
#[inline]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Returns a number one or two units in the last place below `bound`, and below zero for zero; infinities stay. Unlike
/// [`f64::next_down`] it has no branches.
#[inline]
fn below(bound: f64) -> f64 {
    (bound * (1.0 - f64::EPSILON)).min(bound * (1.0 + f64::EPSILON)) - f64::MIN_POSITIVE
}

/// The extent of points, two at a time: as many lanes as they have coordinates.
#[derive(Clone, Copy)]
struct Extent {
    low: [f64; 6],
    high: [f64; 6],
    /// NaN once a coordinate was not finite.
    zeros: [f64; 6],
}

/// Number of parts of a list that are read at once: memory delivers several streams faster than one.
const STREAMS: usize = 4;

impl Extent {
    const EMPTY: Self = Self { low: [f64::INFINITY; 6], high: [f64::NEG_INFINITY; 6], zeros: [0.0; 6] };

    // Compiled alone: the lanes are vectorised along the list unless what follows suggests another grouping.
    #[inline(never)]
    fn of(points: &[Point]) -> Self {
        let (pairs, last) = points.as_chunks::<2>();
        let length = pairs.len() / STREAMS;
        let streams: [_; STREAMS] = std::array::from_fn(|part| &pairs[part * length..(part + 1) * length]);
        let mut extents = [Self::EMPTY; STREAMS];
        for place in 0..length {
            for (extent, stream) in extents.iter_mut().zip(streams) {
                extent.include(&stream[place]);
            }
        }
        let [mut extent, others @ ..] = extents;
        pairs[STREAMS * length..].iter().for_each(|pair| extent.include(pair));
        last.iter().for_each(|point| extent.include(&[*point; 2]));
        others.iter().for_each(|other| extent.merge(other));
        extent
    }

    #[inline(always)]
    fn include(&mut self, [p, q]: &[Point; 2]) {
        let lanes = [p.x, p.y, p.z, q.x, q.y, q.z];
        for (lane, x) in lanes.into_iter().enumerate() {
            self.low[lane] = smaller(self.low[lane], x);
            self.high[lane] = larger(self.high[lane], x);
            self.zeros[lane] += x * 0.0;
        }
    }

    #[inline(always)]
    fn merge(&mut self, other: &Self) {
        for lane in 0..6 {
            self.low[lane] = smaller(self.low[lane], other.low[lane]);
            self.high[lane] = larger(self.high[lane], other.high[lane]);
            self.zeros[lane] += other.zeros[lane];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(low: f64, high: f64) -> Aabb {
        Aabb { min: Point::new(low, low, low), max: Point::new(high, high, high) }
    }

    #[test]
    fn points_by_value_and_by_reference_give_the_same_box() {
        let points = [Point::new(1.0, -2.0, 3.0), Point::new(-1.0, 5.0, 0.0)];
        let expected = Aabb { min: Point::new(-1.0, -2.0, 0.0), max: Point::new(1.0, 5.0, 3.0) };
        assert_eq!(Aabb::from_points(points.iter()), expected);
        assert_eq!(Aabb::from_points(points), expected);
        assert_eq!(Aabb::from_corners(&points[1], &points[0]), expected);
        assert!(Aabb::from_points(std::iter::empty::<Point>()).is_empty());
    }

    /// Lists of every length modulo the lanes and streams, with a coordinate that is not finite anywhere in them.
    #[test]
    fn the_fast_pass_over_a_list_gives_the_same_box() {
        let place = |i: usize, axis: usize| (((i * 7919 + axis * 104_729) % 1009) as f64) - 500.0;
        let mut refused = 0;
        for count in 0..40 {
            let mut points: Vec<Point> =
                (0..count).map(|i| Point::new(place(i, 0), place(i, 1), place(i, 2))).collect();
            assert_eq!(Aabb::from_finite(&points), Some(Aabb::from_points(&points)), "{count}");
            for index in 0..count {
                let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY][(index + count) % 3];
                let good = std::mem::replace(&mut points[index][index % 3], bad);
                assert_eq!(Aabb::from_finite(&points), None, "{count} {index}");
                points[index][index % 3] = good;
                refused += 1;
            }
        }
        assert_eq!(refused, 780);
    }

    #[test]
    fn touching_boxes_overlap_and_parted_ones_do_not() {
        assert!(cube(0.0, 1.0).overlaps(&cube(1.0, 2.0)));
        assert!(!cube(0.0, 1.0).overlaps(&cube(1.0_f64.next_up(), 2.0)));
        for axis in 0..3 {
            let mut moved = cube(0.0, 1.0);
            moved.min[axis] += 1.5;
            moved.max[axis] += 1.5;
            assert!(!cube(0.0, 1.0).overlaps(&moved), "axis {axis}");
            assert!(!moved.overlaps(&cube(0.0, 1.0)), "axis {axis}");
        }
    }

    #[test]
    fn the_empty_box_is_neutral_and_overlaps_nothing() {
        let unit = cube(0.0, 1.0);
        assert_eq!(Aabb::EMPTY.merged(&unit), unit);
        assert!(!Aabb::EMPTY.overlaps(&unit) && !unit.overlaps(&Aabb::EMPTY));
        assert!(!Aabb::EMPTY.overlaps(&Aabb::ALL) && !Aabb::ALL.overlaps(&Aabb::EMPTY));
        assert!(Aabb::EMPTY.grown(1e300).is_empty());
        assert_eq!(Aabb::EMPTY.size(), Vector::zeros());
        assert_eq!(Aabb::EMPTY.surface_area(), 0.0);
        assert_eq!(Aabb::EMPTY.center(), Point::origin());
        assert_eq!(Aabb::EMPTY.distance_squared_to_point(&Point::origin()), f64::INFINITY);
        assert!(unit.contains(&Aabb::EMPTY) && !Aabb::EMPTY.contains(&unit));
    }

    #[test]
    fn all_space_has_no_nan() {
        assert_eq!(Aabb::ALL.center(), Point::origin());
        assert_eq!(Aabb::ALL.surface_area(), f64::INFINITY);
        assert_eq!(Aabb::ALL.distance_squared_to_point(&Point::new(1.0, 2.0, 3.0)), 0.0);
        assert_eq!(Aabb::ALL.grown(1.0), Aabb::ALL);
        let plate =
            Aabb { min: Point::new(f64::NEG_INFINITY, 0.0, 0.0), max: Point::new(f64::INFINITY, 0.0, 0.0) };
        assert_eq!(plate.surface_area(), f64::INFINITY);
    }

    #[test]
    fn growth_is_never_less_than_the_margin() {
        // 1 + 1e-20 rounds to 1, which is less than requested: the bound must lie above it.
        let grown = cube(0.0, 1.0).grown(1e-20);
        assert!(grown.max.x > 1.0 && grown.min.x < -1e-20);
        assert_eq!(cube(0.0, 1.0).grown(0.0), cube(0.0, 1.0));
        assert!(cube(0.0, 1.0).grown(-0.6).is_empty());
        for size in [0.0, 5e-324, 2.3e-308, 1e-30, 1.0, 3.0, 1e300] {
            for bound in [size, -size] {
                let grown = Aabb::from_point(Point::new(bound, bound, bound)).grown(5e-324);
                assert!(grown.min.x < bound && bound < grown.max.x, "{bound:e}");
                assert!(grown.max.x - grown.min.x <= 1e-15 * size + 1e-307, "{bound:e}");
            }
        }
    }

    #[test]
    fn figures_of_a_box_of_one_two_three() {
        let bounds = Aabb { min: Point::new(1.0, 1.0, 1.0), max: Point::new(2.0, 3.0, 4.0) };
        assert_eq!(bounds.center(), Point::new(1.5, 2.0, 2.5));
        assert_eq!(bounds.size(), Vector::new(1.0, 2.0, 3.0));
        assert_eq!(bounds.diagonal_length(), 14.0_f64.sqrt());
        assert_eq!(bounds.surface_area(), 22.0);
        assert_eq!(bounds.longest_axis(), 2);
        assert_eq!(cube(0.0, 1.0).longest_axis(), 0);
        assert_eq!(bounds.largest_coordinate(), 4.0);
        assert_eq!(bounds.distance_squared_to_point(&Point::new(0.0, 5.0, 2.0)), 5.0);
        assert_eq!(bounds.distance_squared_to_point(&Point::new(1.5, 3.0, 4.0)), 0.0);
        assert!(bounds.contains_point(&bounds.max) && !bounds.contains_point(&Point::new(2.5, 2.0, 2.0)));
        assert!(bounds.contains(&bounds) && !bounds.contains(&bounds.grown(1.0)));
    }
}
