//! Frame of a tree's boxes: coordinates in single precision, relative to the box around everything.
//!
//! The map of a coordinate, `fl32(fl64(x - origin) * scale)`, is a chain of roundings and of products with a power of
//! two: it never reverses an order. Boxes that overlap in double precision therefore overlap when mapped, and
//! coordinates that differ when mapped are in the same order in double precision. Nothing is rounded outward as long as
//! both boxes are mapped by the same frame.

use palpate_math::{Aabb, Point};

/// The frame in which a tree stores its boxes: a function of their bounds alone.
///
/// All finite coordinates of the boxes are mapped to at most four in size (to one, but for subnormal and huge sizes).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    origin: [f64; 3],
    /// A power of two.
    scale: f64,
    /// The inverse of the scale.
    size: f64,
}

/// A box in a frame. The fourth lane is zero: it makes the boxes registers of four lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lanes {
    pub(crate) low: [f32; 4],
    pub(crate) high: [f32; 4],
}

impl Lanes {
    /// The box that is neutral when merged. It overlaps no [clamped](Self::clamped) one.
    pub(crate) const EMPTY: Self = Self {
        low: [f32::INFINITY, f32::INFINITY, f32::INFINITY, 0.0],
        high: [f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY, 0.0],
    };

    #[inline]
    pub(crate) fn merged(&self, other: &Self) -> Self {
        Self { low: all_smaller(&other.low, &self.low), high: all_larger(&other.high, &self.high) }
    }

    /// Returns the box with its infinite coordinates replaced by the largest finite ones, so that differences with it
    /// are numbers. It overlaps unbounded boxes, and no empty one; it must not be empty itself.
    #[inline]
    pub(crate) fn clamped(&self) -> Self {
        let clamp = |side: &[f32; 4]| all_smaller(&all_larger(side, &[-f32::MAX; 4]), &[f32::MAX; 4]);
        Self { low: clamp(&self.low), high: clamp(&self.high) }
    }

    /// Whether the boxes overlap, touching included. One of them is clamped.
    #[inline]
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.slack(other).to_bits() >> 31 == 0
    }

    /// Returns the least overlap along an axis: negative if the boxes are apart, a positive zero if they touch. One of
    /// them is clamped. Its sign is exact.
    #[inline]
    pub(crate) fn slack(&self, other: &Self) -> f32 {
        let along =
            |lane: usize| smaller(other.high[lane] - self.low[lane], self.high[lane] - other.low[lane]);
        // Four lanes are one register. The sum with zero is no negative zero.
        let slack = [along(0), along(1), along(2), along(3)];
        smaller(smaller(slack[0], slack[1]), slack[2]) + 0.0
    }

    /// Whether the boxes overlap by more than touching: then so do those in double precision that were mapped.
    #[inline]
    pub(crate) fn surely_overlaps(&self, other: &Self) -> bool {
        (0..3).all(|lane| self.low[lane] < other.high[lane] && other.low[lane] < self.high[lane])
    }

    /// Whether it is empty along any axis.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        (0..3).any(|lane| self.low[lane] > self.high[lane])
    }

    /// Returns half the surface area; zero for an empty box.
    #[inline]
    pub(crate) fn half_area(&self) -> f32 {
        let side = |lane: usize| larger(self.high[lane] - self.low[lane], 0.0);
        let (x, y, z) = (side(0), side(1), side(2));
        // No product of zero and infinity.
        let product = |a: f32, b: f32| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        product(x, y) + product(y, z) + product(z, x)
    }
}

/// The smaller number; `b` if either is NaN, as the instruction of processors does it.
#[inline]
pub(crate) fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The larger number; `b` if either is NaN.
#[inline]
pub(crate) fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The smaller numbers of each lane. Written out: `map` over arrays is not inlined, and the lanes are one register.
#[inline]
pub(crate) fn all_smaller(a: &[f32; 4], b: &[f32; 4]) -> [f32; 4] {
    [smaller(a[0], b[0]), smaller(a[1], b[1]), smaller(a[2], b[2]), smaller(a[3], b[3])]
}

/// The larger numbers of each lane.
#[inline]
pub(crate) fn all_larger(a: &[f32; 4], b: &[f32; 4]) -> [f32; 4] {
    [larger(a[0], b[0]), larger(a[1], b[1]), larger(a[2], b[2]), larger(a[3], b[3])]
}

impl Default for Frame {
    fn default() -> Self {
        Self { origin: [0.0; 3], scale: 1.0, size: 1.0 }
    }
}

impl Frame {
    /// Creates the frame of boxes with these finite bounds.
    pub(crate) fn around(bounds: &Aabb) -> Self {
        if bounds.is_empty() {
            return Self::default();
        }
        let [low, high] = [&bounds.min, &bounds.max].map(|corner| [corner.x, corner.y, corner.z]);
        let half = [0, 1, 2].map(|axis| 0.5 * high[axis] - 0.5 * low[axis]);
        let reach = half[0].max(half[1]).max(half[2]);
        let reach = if reach > 0.0 { reach } else { bounds.largest_coordinate() };
        let exponent = if reach > 0.0 { (reach.to_bits() >> 52) as i64 - 1023 } else { -1 };
        let exponent = (exponent + 1).clamp(-1022, 1022);
        Self {
            origin: [0, 1, 2].map(|axis| 0.5 * low[axis] + 0.5 * high[axis]),
            scale: power_of_two(-exponent),
            size: power_of_two(exponent),
        }
    }

    /// Returns the middle of the finite coordinates.
    pub(crate) fn origin(&self) -> Point {
        Point::from(self.origin)
    }

    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    #[inline]
    pub(crate) fn map(&self, point: &Point) -> [f32; 4] {
        let coordinate = |axis: usize| ((point[axis] - self.origin[axis]) * self.scale) as f32;
        [coordinate(0), coordinate(1), coordinate(2), 0.0]
    }

    /// Returns the box in this frame; [`Lanes::EMPTY`] for an empty one.
    #[inline]
    pub(crate) fn map_box(&self, bounds: &Aabb) -> Lanes {
        if bounds.is_empty() {
            return Lanes::EMPTY;
        }
        Lanes { low: self.map(&bounds.min), high: self.map(&bounds.max) }
    }

    /// Returns a box in double precision that contains every box that is mapped to this one; the box around a larger
    /// one is no smaller.
    #[inline]
    pub(crate) fn outer(&self, bounds: &Lanes) -> Aabb {
        // Twice the unit of single precision, and more than the least number of it.
        const UNIT: f64 = f32::EPSILON as f64;
        const LEAST: f64 = f32::MIN_POSITIVE as f64;
        let blur = |x: f32| f64::from(x).abs().min(f64::MAX) * UNIT + LEAST;
        let below = |axis: usize| {
            let x = bounds.low[axis];
            (self.origin[axis] + (f64::from(x) - blur(x)) * self.size).next_down()
        };
        let above = |axis: usize| {
            let x = bounds.high[axis];
            (self.origin[axis] + (f64::from(x) + blur(x)) * self.size).next_up()
        };
        Aabb { min: Point::new(below(0), below(1), below(2)), max: Point::new(above(0), above(1), above(2)) }
    }
}

/// Returns 2 to a power between -1022 and 1023.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Returns the range of the finite coordinates of boxes, in which empty ones do not count.
pub(crate) fn finite_bounds(boxes: &[Aabb], bounds: &Aabb) -> Aabb {
    let is_finite = |bounds: &Aabb| bounds.min.iter().chain(bounds.max.iter()).all(|x| x.is_finite());
    if is_finite(bounds) || bounds.is_empty() {
        return *bounds;
    }
    let mut range = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
    for bounds in boxes.iter().filter(|bounds| !bounds.is_empty()) {
        for (axis, range) in range.iter_mut().enumerate() {
            for coordinate in [bounds.min[axis], bounds.max[axis]] {
                if coordinate.is_finite() {
                    *range = [range[0].min(coordinate), range[1].max(coordinate)];
                }
            }
        }
    }
    // An axis without a finite coordinate has no extent.
    let range = range.map(|[low, high]| if low <= high { [low, high] } else { [0.0; 2] });
    Aabb {
        min: Point::new(range[0][0], range[1][0], range[2][0]),
        max: Point::new(range[0][1], range[1][1], range[2][1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;
    use palpate_math::Vector;

    /// Orders survive the map, differences that survive are real, and the box mapped back contains the box: near the
    /// origin, far from it, and for every size there is.
    #[test]
    fn mapping_is_monotone_and_outer_boxes_contain() {
        let mut sample = Sample::new(21);
        let (mut equal, mut distinct) = (0, 0);
        for exponent in (-1074..=950).step_by(17) {
            let size = 2.0_f64.powi(exponent / 2) * 2.0_f64.powi(exponent - exponent / 2);
            for away in [0.0, 1.0, 1e5, 1e12] {
                let place = Vector::new(away, -away, 3.0 * away) * size;
                let mut point = || Point::from(sample.vector() * size + place);
                let whole = Aabb::from_points([point(), point(), point()]);
                let frame = Frame::around(&whole);
                for corner in [&whole.min, &whole.max] {
                    assert!(frame.map(corner).iter().all(|x| x.abs() <= 4.0), "{exponent} {away}");
                }
                for _ in 0..4 {
                    let near = Point::from(whole.min + (whole.max - whole.min) * 0.3);
                    let (a, b) = (near.map(f64::next_up), point());
                    for (a, b) in [(near, a), (a, b), (near, b)] {
                        for axis in 0..3 {
                            let (x, y) = (frame.map(&a)[axis], frame.map(&b)[axis]);
                            assert!(if a[axis] <= b[axis] { x <= y } else { x >= y }, "{exponent} {away}");
                            equal += usize::from(x == y && a[axis] != b[axis]);
                            distinct += usize::from(x != y);
                        }
                        let bounds = Aabb::from_corners(&a, &b);
                        let outer = frame.outer(&frame.map_box(&bounds));
                        assert!(outer.contains(&bounds), "{exponent} {away}: {bounds:?} {outer:?}");
                    }
                }
            }
        }
        assert!(equal > 1000 && distinct > 1000, "{equal} {distinct}");
    }

    #[test]
    fn unbounded_and_empty_boxes_keep_their_kind() {
        let frame = Frame::around(&Aabb::from_points([Point::new(1.0, 2.0, 3.0), Point::new(2.0, 2.0, 2.0)]));
        assert_eq!(frame.outer(&frame.map_box(&Aabb::ALL)), Aabb::ALL);
        assert!(frame.map_box(&Aabb::EMPTY).is_empty());
        assert!(!frame.map_box(&Aabb::EMPTY).overlaps(&frame.map_box(&Aabb::ALL).clamped()));
        assert!(frame.map_box(&Aabb::ALL).overlaps(&frame.map_box(&Aabb::ALL).clamped()));
        assert_eq!(Frame::around(&Aabb::EMPTY), Frame::default());
    }
}
