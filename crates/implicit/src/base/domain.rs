//! Solids over which implicit functions are searched.

use super::Pose;
use palpate_math::{Aabb, Point, Vector};

/// A cylinder as the domain of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CylinderDomain {
    /// Its centre.
    pub center: Point,
    /// The direction of its axis, a unit.
    pub axis: Vector,
    /// Its radius, metres.
    pub radius: f64,
    /// Half its height, metres.
    pub half_height: f64,
}

impl CylinderDomain {
    /// Creates the cylinder about the local y of a pose.
    pub fn at(pose: &Pose, radius: f64, half_height: f64) -> Self {
        Self { center: pose * Point::origin(), axis: pose.rotation * Vector::y(), radius, half_height }
    }
}

/// A box of any orientation that contains a body: the root of a search over it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBounds {
    /// The centre.
    pub center: Point,
    /// From the centre to three of the faces, orthogonal.
    pub half: [Vector; 3],
}

impl OrientedBounds {
    /// Creates the box at a pose with half extents along its local axes.
    pub fn new(pose: &Pose, half: Vector) -> Self {
        let along = |axis: usize| pose.rotation * Vector::ith(axis, half[axis]);
        Self { center: Point::from(pose.translation.vector), half: [along(0), along(1), along(2)] }
    }

    /// Returns the corners, x varying fastest.
    pub fn corners(&self) -> [Point; 8] {
        let [x, y, z] = &self.half;
        let [near, far] = [y - z, y + z].map(|way| [self.center - way, self.center + way]);
        [far[0] - x, far[0] + x, near[1] - x, near[1] + x, near[0] - x, near[0] + x, far[1] - x, far[1] + x]
    }

    /// Returns the box along the axes around it.
    pub fn aabb(&self) -> Aabb {
        let reach: Vector = self.half.iter().map(|half| half.abs()).sum();
        Aabb { min: self.center - reach, max: self.center + reach }
    }

    /// Returns half the diagonal: the distance of the corners from the centre.
    pub fn reach(&self) -> f64 {
        self.half.iter().map(Vector::norm_squared).sum::<f64>().sqrt()
    }
}

impl From<Aabb> for OrientedBounds {
    fn from(bounds: Aabb) -> Self {
        let half = bounds.size() * 0.5;
        Self { center: bounds.center(), half: [0, 1, 2].map(|axis| Vector::ith(axis, half[axis])) }
    }
}

/// A circle in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// The centre.
    pub center: Point,
    /// The unit normal of its plane.
    pub axis: Vector,
    /// The radius.
    pub radius: f64,
}
