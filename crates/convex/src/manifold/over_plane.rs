//! The points in which a body lies on a plane.

use nalgebra::Vector3;

use super::faces::Faces;
use super::kept::MOST;
use super::points::{Manifold, ManifoldPoint, ROUNDINGS, in_reach, own, part};
use crate::pose::Pose;
use crate::support::NO_ID;
use crate::vector::{Space, cross};

type Vector = Vector3<f64>;

impl Manifold {
    /// Up to four points for a body on a plane through `place` with the unit normal `outward`, away from which it leaves: the
    /// corners of its face that looks at the plane, none higher than `margin` (not negative). The last are its
    /// lowest point, the point's id and how far it is below the plane, by the support map.
    ///
    /// As by [`find`](Self::find), with the plane for A: the deepest comes first, and the direction of the points is
    /// `-outward`.
    pub fn over_plane<B: Faces>(
        &mut self,
        (outward, place): (Vector, Vector),
        (body, pose): (&B, &Pose<Vector>),
        (lowest, id, depth): (Vector, u32, f64),
        margin: f64,
    ) -> &[ManifoldPoint] {
        let patch = &mut self.patches[1];
        // Heights are told in the body's frame: most corners of a leaning body are out of reach.
        let upward = own(pose, outward);
        let middle = (pose.translation - place).inner(outward);
        body.face_at(-upward, id, patch);
        let base = pose.translation.largest().max(place.largest());
        // No corner is farther from the origin than that, and rounding is relative to the largest coordinate.
        let largest = base.max(pose.translation.largest() + body.reach());
        let tolerance = ROUNDINGS * f64::EPSILON * largest;
        self.candidates.clear();
        for corner in &patch.corners {
            let height = middle + corner.point.inner(upward);
            if let Some(depth) = in_reach(body.radius() - height, margin, tolerance) {
                let point = pose.point(corner.point);
                let point_a = point - outward * height;
                let (id, features) = (2 << 62 | part(corner.id), [NO_ID, corner.feature]);
                self.candidates.push(ManifoldPoint { point_a, depth, id, features });
            }
        }
        if self.candidates.len() > MOST {
            let first = outward.perpendicular();
            let axes = [first, cross(outward, first)];
            self.places.clear();
            self.places
                .extend(self.candidates.iter().map(|point| axes.map(|axis| point.point_a.inner(axis))));
        }
        let features = [NO_ID, patch.feature];
        let deepest = ManifoldPoint { point_a: lowest + outward * depth, depth, id: 0, features };
        self.choose(deepest, tolerance, 0.0);
        &self.points
    }
}
