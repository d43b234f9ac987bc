//! The face that a hull showed in the last step, kept while the direction has hardly turned.
//!
//! The face toward a direction is the flattest of those at the farthest corners. When the direction turns by less than `room`,
//! no height and no cosine changes by more than that share of a length, so that
//!
//! - a corner that was lower than a farthest one by more than `room` times their distance is not farthest now;
//! - a face that was steeper by more than twice `room` is not the flattest now.
//!
//! Where no other corner and no other face is closer, a search finds the same face again.

use nalgebra::Vector3;

use super::face_polygon::{Corner, FacePolygon};
use super::hull_faces::{FacedHull, LEVEL, STEEPEST};
use super::tolerance::TIE;
use crate::support::{Core, Extreme, NO_ID};
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
    pub(super) fn forget(&mut self) {
        self.room = 0.0;
    }

    /// Keeps the polygon that a hull with this fingerprint shows toward a direction. `is_top` says which corners are
    /// farthest.
    pub(super) fn keep(
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
    pub(super) fn show(&self, shape: u64, direction: Vector, top: u32, patch: &mut FacePolygon) -> bool {
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

impl FacedHull<'_> {
    /// Keeps the polygon in `patch`, which is shown toward a direction along which the point `top` is farthest.
    #[inline(never)]
    pub(super) fn keep(
        &self,
        shape: u64,
        (direction, top): (Vector, u32),
        kept: &mut KeptFace,
        patch: &FacePolygon,
    ) {
        kept.forget();
        let Self { hull, faces, .. } = *self;
        if patch.corners.len() < 3 || !faces.is_strict {
            return;
        }
        let lower = LEVEL * hull.bounding_radius();
        let level = faces.corners.point(top).inner(direction) - lower;
        let is_top = |corner: &Corner| corner.point.inner(direction) >= level;
        let cosine = patch.normal.inner(direction);
        let mut room = cosine - STEEPEST - TIE;
        for corner in patch.corners.iter().filter(|&corner| is_top(corner)) {
            for at in faces.at(corner.id) {
                if at.face != patch.feature {
                    room = room.min(0.5 * (cosine - at.normal.inner(direction)) - TIE);
                }
                if at.next == NO_ID || patch.corners.iter().any(|other| other.id == at.next && is_top(other))
                {
                    continue;
                }
                let down = corner.point - faces.corners.point(at.next);
                let length = down.norm();
                room =
                    room.min(if length > 0.0 { (down.inner(direction) - 2.0 * lower) / length } else { 0.0 });
            }
        }
        kept.keep((shape, direction, room), patch, is_top);
    }
}

#[cfg(test)]
mod tests {
    use palpate_math::Point;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::ConvexHull;
    use crate::manifold::{Faces, HullFaces};
    use crate::support::Hull;

    fn hull_of(points: Vec<Vector>) -> Hull {
        let places: Vec<Point> = points.iter().copied().map(Point::from).collect();
        Hull::new(points, ConvexHull::new(&places).triangles).unwrap()
    }

    fn vector(random: &mut ChaCha8Rng) -> Vector {
        Vector::from_fn(|_, _| random.random_range(-1.0..1.0))
    }

    /// Points on a sphere, on the corners of a box, and of a prism: faces of three, of four and of more corners.
    fn points(random: &mut ChaCha8Rng, kind: usize) -> Vec<Vector> {
        let corner = |k: usize| [0, 1, 2].map(|axis| (k >> axis & 1) as f64 * 2.0 - 1.0);
        match kind {
            0 => (0..8).map(|k| Vector::from(corner(k))).collect(),
            1 => (0..12)
                .map(|k| {
                    let angle = (k / 2) as f64 * std::f64::consts::FRAC_PI_3;
                    Vector::new(libm::cos(angle), (k % 2) as f64, libm::sin(angle))
                })
                .collect(),
            _ => (0..[8, 32, 100][kind % 3]).map(|_| vector(random).normalize()).collect(),
        }
    }

    /// Walks of a direction, with jumps and rests, compared with a search in every step.
    #[test]
    fn the_face_and_the_support_are_those_of_a_search() {
        let mut random = ChaCha8Rng::seed_from_u64(1606);
        let (mut steps, mut shown) = (0, 0);
        for body in 0..120 {
            let hull = hull_of(points(&mut random, body % 8));
            let faces = HullFaces::new(&hull);
            let faced = FacedHull { hull: &hull, faces: &faces, radius: 0.0 };
            let shape = hull.fingerprint().unwrap();
            let mut kept = KeptFace::default();
            // Toward a face, an edge or a corner of it, or anywhere.
            let mut direction = match body % 3 {
                0 => faces.normal(body % faces.len()),
                1 => faces.normal(0) + faces.normal(1),
                _ => vector(&mut random),
            }
            .normalize();
            for _ in 0..60 {
                let size = [1.0, 0.05, 0.0, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3][random.random_range(0..8)];
                direction = (direction + vector(&mut random) * size).normalize();
                let farthest: Extreme<Vector> = hull.support(direction, NO_ID);
                if let Some(support) = kept.support::<Vector>(shape, direction) {
                    assert_eq!(support.point.inner(direction), farthest.point.inner(direction), "{body}");
                }
                let [mut again, mut searched] = [FacePolygon::default(), FacePolygon::default()];
                steps += 1;
                shown += usize::from(kept.show(shape, direction, farthest.id, &mut again));
                faced.show_again(direction, farthest.id, &mut kept, &mut again);
                faced.face_toward(direction, &mut searched);
                assert_eq!(again.corners, searched.corners, "{body}");
                assert_eq!((again.normal, again.feature), (searched.normal, searched.feature), "{body}");
            }
        }
        assert!(2 * shown > steps, "{shown} of {steps}");
    }

    #[test]
    fn another_hull_and_a_forgotten_face_are_not_shown() {
        let mut random = ChaCha8Rng::seed_from_u64(1607);
        let hull = hull_of(points(&mut random, 0));
        let faces = HullFaces::new(&hull);
        let (shape, direction) = (hull.fingerprint().unwrap(), Vector::y());
        let (mut kept, mut patch) = (KeptFace::default(), FacePolygon::default());
        let top = Core::<Vector>::support(&hull, direction, NO_ID).id;
        FacedHull { hull: &hull, faces: &faces, radius: 0.0 }
            .show_again(direction, top, &mut kept, &mut patch);
        assert!(kept.show(shape, direction, top, &mut patch));
        assert!(!kept.show(shape ^ 1, direction, top, &mut patch));
        assert!(!kept.show(shape, -direction, top, &mut patch));
        kept.forget();
        assert!(!kept.show(shape, direction, top, &mut patch));
    }
}
