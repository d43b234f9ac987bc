//! The face that a hull showed in the last step, kept while the direction has hardly turned.

use nalgebra::Vector3;

use crate::face_polygon::{Corner, FacePolygon};
use crate::support::Extreme;
use crate::vector::VectorSpace;

type Vector = Vector3<f64>;

/// Faces with more corners are not kept.
const CORNERS: usize = 4;

/// A face toward a direction, with how far that may turn before another one is shown.
#[derive(Clone, Debug)]
pub struct KeptFace {
    /// Not positive if nothing is kept.
    room: f64,
    direction: Vector,
    /// The fingerprint of the hull.
    shape: u64,
    normal: Vector,
    feature: u32,
    count: usize,
    points: [Vector; CORNERS],
    ids: [u32; CORNERS],
    /// Which of them were farthest.
    is_top: [bool; CORNERS],
}

impl Default for KeptFace {
    fn default() -> Self {
        Self {
            room: 0.0,
            direction: Vector::zeros(),
            shape: 0,
            normal: Vector::zeros(),
            feature: 0,
            count: 0,
            points: [Vector::zeros(); CORNERS],
            ids: [0; CORNERS],
            is_top: [false; CORNERS],
        }
    }
}

impl KeptFace {
    /// Discards the face.
    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        self.room = 0.0;
    }

    /// Keeps the polygon that a hull with this fingerprint shows toward a direction. `is_top` says which corners are
    /// farthest.
    pub(crate) fn keep(
        &mut self,
        (shape, direction, room): (u64, Vector, f64),
        patch: &FacePolygon,
        is_top: impl Fn(&Corner) -> bool,
    ) {
        self.forget();
        if patch.corners.len() > CORNERS {
            return;
        }
        (self.shape, self.direction, self.room) = (shape, direction, room);
        (self.normal, self.feature, self.count) = (patch.normal, patch.feature, patch.corners.len());
        for (k, corner) in patch.corners.iter().enumerate() {
            (self.points[k], self.ids[k], self.is_top[k]) = (corner.point, corner.id, is_top(corner));
        }
    }

    /// Whether the hull with this fingerprint certainly shows the face toward a direction, if one of the farthest corners is the
    /// farthest.
    #[inline(always)]
    fn is_shown(&self, shape: u64, direction: Vector) -> bool {
        self.room > 0.0
            && (direction - self.direction).squared() < self.room * self.room
            && shape == self.shape
    }

    /// Returns the support point of the hull with this fingerprint along a direction, if it is certainly one of the corners.
    #[inline(always)]
    pub(crate) fn support<V: VectorSpace>(&self, shape: u64, direction: V) -> Option<Extreme<V>> {
        let direction = Vector::from([0, 1, 2].map(|k| direction.coordinate(k)));
        if !self.is_shown(shape, direction) {
            return None;
        }
        let (mut best, mut height) = (0, f64::NEG_INFINITY);
        for k in (0..self.count.min(CORNERS)).filter(|&k| self.is_top[k]) {
            let other = self.points[k].inner(direction);
            (best, height) = if other > height { (k, other) } else { (best, height) };
        }
        Some(Extreme { point: V::of_coordinates(self.points[best].into()), id: self.ids[best] })
    }

    /// Writes the face into `patch`, if it is certainly that which the hull shows toward a direction, along which the corner
    /// `top` is farthest.
    #[inline(always)]
    pub(crate) fn show(&self, shape: u64, direction: Vector, top: u32, patch: &mut FacePolygon) -> bool {
        let count = self.count.min(CORNERS);
        let is_top = |k: usize| self.ids[k] == top && self.is_top[k];
        if !self.is_shown(shape, direction) || !(0..count).any(is_top) {
            return false;
        }
        patch.begin(self.normal, self.feature);
        for k in 0..count {
            patch.push(self.points[k], self.ids[k], self.feature);
        }
        true
    }
}
