//! The points in which a body lies on a plane.

use nalgebra::Vector3;
use wide::f64x4;

use super::cap::Cap;
use super::faces::Faces;
use super::kept::MOST;
use super::patch::Corner;
use super::points::{LEVEL, Manifold, ManifoldPoint, ROUNDINGS, in_reach, own, part};
use crate::pose::Pose;
use crate::support::NO_ID;
use crate::vector::{Space, cross};

type Vector = Vector3<f64>;

/// A plane as a body above it sees it.
struct Floor<'a> {
    outward: Vector,
    /// The same in the body's frame, in which heights are told: most corners of a leaning body are out of reach.
    upward: Vector,
    /// How high the origin of the body's frame is.
    middle: f64,
    pose: &'a Pose<Vector>,
    radius: f64,
    margin: f64,
    tolerance: f64,
}

impl Floor<'_> {
    fn height(&self, corner: &Corner) -> f64 {
        self.middle + corner.point.inner(self.upward)
    }

    fn in_reach(&self, height: f64) -> Option<f64> {
        in_reach(self.radius - height, self.margin, self.tolerance)
    }

    /// The point of the manifold at a corner, which is in reach.
    #[inline(always)]
    fn point(&self, corner: &Corner) -> ManifoldPoint {
        let height = self.height(corner);
        ManifoldPoint {
            point_a: self.pose.point(corner.point) - self.outward * height,
            depth: self.in_reach(height).unwrap_or(-self.margin),
            id: 2 << 62 | part(corner.id),
            features: [NO_ID, corner.feature],
        }
    }

    /// The points of a face of few corners, the deepest first, then by their ids; gives the greatest depth. Without branches:
    /// which corners are in reach, and in which order, is as good as random.
    #[inline(always)]
    fn lie_on_few(&self, corners: &[Corner], points: &mut Vec<ManifoldPoint>) -> f64 {
        let (mut depths, mut keys, mut count) = ([f64::NEG_INFINITY; MOST], [u64::MAX; MOST], 0);
        for (k, corner) in corners.iter().enumerate().take(MOST) {
            let depth = self.in_reach(self.height(corner));
            count += usize::from(depth.is_some());
            depths[k] = depth.unwrap_or(f64::NEG_INFINITY);
            keys[k] = if depth.is_some() { (1 + part(corner.id)) << 8 | k as u64 } else { u64::MAX };
        }
        let deepest = depths.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let least = deepest - LEVEL * self.tolerance;
        let mut first = u64::MAX;
        for (&key, &depth) in keys.iter().zip(&depths) {
            first = first.min(if depth >= least { key } else { u64::MAX });
        }
        let mut order = keys.map(|key| if key == first { key & 0xff } else { key });
        for (i, j) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
            (order[i], order[j]) = (order[i].min(order[j]), order[i].max(order[j]));
        }
        for key in &order[..count] {
            points.push(self.point(&corners[(key & 0xff) as usize]));
        }
        deepest
    }

    /// The same of a round cap; `None` where rounding leaves corners in reach that are no neighbours.
    #[inline(always)]
    fn lie_on_cap(&self, cap: &Cap, points: &mut Vec<ManifoldPoint>) -> Option<f64> {
        let (level, nearest) = (LEVEL * self.tolerance, f64x4::splat(-self.margin));
        let least = f64x4::splat(-self.margin - level);
        let middle = f64x4::splat(self.middle);
        let radius = f64x4::splat(self.radius);
        let depths = cap.heights(self.upward).map(|height| radius - (middle + height));
        let (mut all, mut best) = (0, nearest);
        for (block, depth) in depths.iter().enumerate() {
            all |= depth.simd_ge(least).to_bitmask() << (4 * block);
            best = best.fast_max(*depth);
        }
        if all == 0 {
            return Some(f64::NEG_INFINITY);
        }
        let [a, b, c, d] = best.to_array();
        let deepest = a.max(b).max(c.max(d));
        let (mut equal, lowest) = (0, f64x4::splat(deepest - level));
        for (block, depth) in depths.iter().enumerate() {
            equal |= depth.fast_max(nearest).simd_ge(lowest).to_bitmask() << (4 * block);
        }
        let first = (equal & all).trailing_zeros() as usize;
        let mut others = cap.kept_with(first, all as u16)?;
        points.push(self.point(&cap.corner(first)));
        while others != 0 {
            points.push(self.point(&cap.corner(others.trailing_zeros() as usize)));
            others &= others - 1;
        }
        Some(deepest)
    }
}

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
        let upward = own(pose, outward);
        let middle = (pose.translation - place).inner(outward);
        let base = pose.translation.largest().max(place.largest());
        // No corner is farther from the origin than that, and rounding is relative to the largest coordinate.
        let largest = base.max(pose.translation.largest() + body.reach());
        let tolerance = ROUNDINGS * f64::EPSILON * largest;
        let floor = Floor { outward, upward, middle, pose, radius: body.radius(), margin, tolerance };
        self.points.clear();
        let cap = body.face_at(-upward, id, patch);
        let (inside, found) = match &cap {
            Some(cap) => (cap.inside, floor.lie_on_cap(cap, &mut self.points)),
            None if patch.corners.len() > MOST => (patch.feature, None),
            None => (patch.feature, Some(floor.lie_on_few(&patch.corners, &mut self.points))),
        };
        let features = [NO_ID, inside];
        let deepest = ManifoldPoint { point_a: lowest + outward * depth, depth, id: 0, features };
        let Some(found) = found else {
            if let Some(cap) = cap {
                cap.show(patch);
            }
            self.lie_on_many(&floor, deepest);
            return &self.points;
        };
        if self.points.is_empty() {
            self.points.push(deepest);
        } else if found < depth - LEVEL * tolerance {
            self.points[0] = deepest;
        }
        &self.points
    }

    /// The points of a face of any number of corners.
    #[inline(never)]
    fn lie_on_many(&mut self, floor: &Floor<'_>, deepest: ManifoldPoint) {
        self.candidates.clear();
        let corners = self.patches[1].corners.iter();
        let in_reach = corners.filter(|corner| floor.in_reach(floor.height(corner)).is_some());
        self.candidates.extend(in_reach.map(|corner| floor.point(corner)));
        if self.candidates.len() > MOST {
            let first = floor.outward.perpendicular();
            let axes = [first, cross(floor.outward, first)];
            self.places.clear();
            self.places
                .extend(self.candidates.iter().map(|point| axes.map(|axis| point.point_a.inner(axis))));
        }
        self.choose(deepest, floor.tolerance, 0.0);
    }
}
