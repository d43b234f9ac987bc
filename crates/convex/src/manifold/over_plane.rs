//! The points in which a body lies on a plane.

use nalgebra::Vector3;

use super::faces::Faces;
use super::points::{Manifold, ManifoldPoint, ROUNDINGS, in_reach, own, part};
use crate::pose::Pose;
use crate::support::NO_ID;
use crate::vector::{Space, cross};

type Vector = Vector3<f64>;

impl Manifold {
    /// Up to four points for a body on a plane through `place` with the unit normal `outward`, away from which it leaves: the
    /// corners of its face that looks at the plane, none higher than `margin` (not negative). `deepest` is its lowest point
    /// and how far that is below the plane, by the support map.
    ///
    /// As by [`find`](Self::find), with the plane for A: the deepest comes first, and the direction of the points is
    /// `-outward`.
    pub fn over_plane<B: Faces>(
        &mut self,
        (outward, place): (Vector, Vector),
        (body, pose): (&B, &Pose<Vector>),
        (lowest, depth): (Vector, f64),
        margin: f64,
    ) -> &[ManifoldPoint] {
        let patch = &mut self.patches[1];
        body.face_toward(own(pose, -outward), patch);
        let first = outward.perpendicular();
        let axes = [first, cross(outward, first)];
        let corners = patch.corners.iter().map(|corner| pose.point(corner.point).largest());
        let largest = corners.fold(pose.translation.largest().max(place.largest()), f64::max);
        let tolerance = ROUNDINGS * f64::EPSILON * largest;
        self.candidates.clear();
        self.places.clear();
        for corner in &patch.corners {
            let point = pose.point(corner.point);
            let height = (point - place).inner(outward);
            if let Some(depth) = in_reach(body.radius() - height, margin, tolerance) {
                let point_a = point - outward * height;
                let (id, features) = (2 << 62 | part(corner.id), [NO_ID, corner.feature]);
                self.candidates.push(ManifoldPoint { point_a, depth, id, features });
                self.places.push(axes.map(|axis| point.inner(axis)));
            }
        }
        let features = [NO_ID, patch.feature];
        let deepest = ManifoldPoint { point_a: lowest + outward * depth, depth, id: 0, features };
        self.choose(deepest, tolerance, 0.0);
        &self.points
    }
}
