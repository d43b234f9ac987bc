//! Rays and segments.

use crate::validate::{finite_point, unit};
use crate::{GeometryError, Pose};
use palpate_math::{Aabb, Point, Vector, rounding};

/// A ray of finite or infinite length; finite ones are segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    origin: Point,
    direction: Vector,
    length: f64,
}

impl Ray {
    /// Creates the ray from `origin` along `direction` (any non-zero length), `length` metres long; infinity for no
    /// end. Errors: a non-finite coordinate, a direction of length zero, a length that is negative or NaN.
    pub fn new(origin: Point, direction: Vector, length: f64) -> Result<Self, GeometryError> {
        let origin = finite_point("the origin of the ray", origin)?;
        let direction = unit("the direction of the ray", direction)?;
        let what = || "the length of the ray".to_owned();
        if length.is_nan() {
            return Err(GeometryError::NotFinite { what: what(), value: length });
        }
        if length < 0.0 {
            return Err(GeometryError::Negative { what: what(), value: length });
        }
        Ok(Self { origin, direction, length })
    }

    /// Creates the segment between two points. Errors: a non-finite coordinate, coincident points.
    pub fn between(from: Point, to: Point) -> Result<Self, GeometryError> {
        Self::new(from, to - from, (to - from).norm())
    }

    /// Returns the origin.
    pub fn origin(&self) -> Point {
        self.origin
    }

    /// Returns the unit direction.
    pub fn direction(&self) -> Vector {
        self.direction
    }

    /// Returns the length in metres; may be infinite.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Returns the point at a distance in metres from the origin.
    pub fn at(&self, distance: f64) -> Point {
        self.origin + self.direction * distance
    }

    /// Returns the ray moved by a rigid motion.
    #[must_use]
    pub fn moved(&self, motion: &Pose) -> Self {
        let (origin, direction) = (motion * self.origin, (motion.rotation * self.direction).normalize());
        Self { origin, direction, length: self.length }
    }

    /// Returns the interval of the whole line within a box, which is grown by the rounding error: from and to signed distances from
    /// the origin, in metres, whatever the length of the ray. `None` for a certain miss.
    pub fn within(&self, bounds: &Aabb) -> Option<[f64; 2]> {
        if bounds.is_empty() { None } else { Slabs::new(self, bounds).within(bounds) }
    }
}

/// A line prepared for tests against many boxes.
#[derive(Clone, Copy, Debug)]
struct Slabs {
    /// The origin, minus and plus the rounding error of a point on the line in a box.
    before: Point,
    behind: Point,
    /// The inverse components of the direction; infinite where the line is parallel to a slab.
    inverse: Vector,
}

impl Slabs {
    /// Prepares for boxes within `all`, which is not empty.
    pub(crate) fn new(ray: &Ray, all: &Aabb) -> Self {
        let largest = all.largest_coordinate().min(f64::MAX).max(ray.origin.coords.amax());
        // Never zero, so that no side of a grown box passes through the origin when all coordinates are zero.
        let slack = Vector::repeat(rounding::length(largest).max(f64::MIN_POSITIVE));
        let inverse = ray.direction.map(|along| {
            // For a denormal component the line moves by less than the slack.
            if along.abs() < f64::MIN_POSITIVE { f64::INFINITY } else { 1.0 / along }
        });
        Self { before: ray.origin - slack, behind: ray.origin + slack, inverse }
    }

    /// Returns the interval of the whole line within a box, grown by the slack; `None` for a certain miss, and for an
    /// empty box.
    #[inline]
    pub(crate) fn within(&self, bounds: &Aabb) -> Option<[f64; 2]> {
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        for axis in 0..3 {
            let inverse = self.inverse[axis];
            let low = (bounds.min[axis] - self.behind[axis]) * inverse;
            let high = (bounds.max[axis] - self.before[axis]) * inverse;
            let (near, far) = if inverse < 0.0 { (high, low) } else { (low, high) };
            // Comparisons with NaN are false: a line along the side of a grown box counts as within.
            enter = if near > enter { near } else { enter };
            leave = if far < leave { far } else { leave };
        }
        (enter <= leave).then_some([enter, leave])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_are_checked_and_segments_end_where_they_end() {
        assert!(Ray::new(Point::origin(), Vector::zeros(), 1.0).is_err());
        assert!(Ray::new(Point::origin(), Vector::x(), -1.0).is_err());
        assert!(Ray::new(Point::origin(), Vector::x(), f64::NAN).is_err());
        assert!(Ray::new(Point::new(f64::NAN, 0.0, 0.0), Vector::x(), 1.0).is_err());
        let segment = Ray::between(Point::new(1.0, 0.0, 0.0), Point::new(1.0, 3.0, 4.0)).unwrap();
        assert_eq!((segment.length(), segment.at(5.0)), (5.0, Point::new(1.0, 3.0, 4.0)));
    }

    #[test]
    fn a_box_is_met_from_without_within_and_beside() {
        let bounds = Aabb { min: Point::origin(), max: Point::new(1.0, 1.0, 1.0) };
        let ray = |x: f64, y: f64| Ray::new(Point::new(x, y, 0.5), Vector::x(), 1.0).unwrap();
        let [enter, leave] = ray(-2.0, 0.5).within(&bounds).unwrap();
        assert!((enter - 2.0).abs() < 1e-14 && (leave - 3.0).abs() < 1e-14);
        assert!(ray(0.5, 0.5).within(&bounds).unwrap()[0] < 0.0);
        assert!(ray(0.5, 1.0).within(&bounds).is_some() && ray(0.5, 1.1).within(&bounds).is_none());
        assert!(ray(0.0, 0.0).within(&Aabb::EMPTY).is_none());
    }
}
