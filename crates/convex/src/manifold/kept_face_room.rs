//! How far a direction may turn before a hull shows another face.
//!
//! The face toward a direction is the flattest of those at the farthest corners. When the direction turns by less than `room`,
//! its inner product with a vector changes by less than that share of the vector's length, so that
//!
//! - a corner that was lower than a farthest one by more than `room` times their distance is not farthest now;
//! - a face whose cosine was less by more than `room` times the distance of the two normals is not the flattest now.
//!
//! Where no other corner and no other face is closer, a search finds the same face again.

use nalgebra::Vector3;

use super::hull_faces::{FacedHull, LEVEL, STEEPEST};
use super::tolerance::TIE;
use crate::face_polygon::{Corner, FacePolygon};
use crate::kept::KeptFace;
use crate::support::{Core, NO_ID};
use crate::vector::VectorSpace;

type Vector = Vector3<f64>;

/// What is kept of a room, for the rounding errors of the difference of two normals.
const SAFE: f64 = 1.0 - 1e-6;

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
                    let (apart, between) = (cosine - at.normal.inner(direction), patch.normal - at.normal);
                    // Below this, what is left of the difference of two normals is rounding.
                    let apart = apart - 2.0 * TIE;
                    room = room.min(if apart > 0.0 { SAFE * apart / between.norm() } else { 0.0 });
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
    use crate::support::{Extreme, Hull};

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
