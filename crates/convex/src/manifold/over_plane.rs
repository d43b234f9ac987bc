//! Contact manifold of a body on a plane.

use nalgebra::Vector3;
use wide::f64x4;

use super::cap::Cap;
use super::faces::Faces;
use super::manifold_point::{LEVEL, ManifoldPoint, ROUNDINGS, in_reach, part};
use super::manifold_reduction::MOST;
use super::points::{Manifold, Selection};
use super::support_face::SupportFace;
use crate::face_polygon::Corner;
use crate::pose::RigidTransform;
use crate::support::NO_ID;
use crate::vector::{VectorSpace, cross};

type Vector = Vector3<f64>;

/// A plane, relative to a body above it.
struct Floor<'a> {
    outward: Vector,
    /// The same in the body's frame, in which heights are computed: most corners of a tilted body are beyond the
    /// margin and need no transform.
    upward: Vector,
    /// The height of the origin of the body's frame.
    middle: f64,
    pose: &'a RigidTransform<Vector>,
    radius: f64,
    margin: f64,
    tolerance: f64,
    /// The lowest point of the body, by its support map.
    lowest: ManifoldPoint,
}

/// The corners of a face within the margin: bit masks over their numbers, which ascend with their ids.
struct InReach {
    all: u32,
    /// Those of greatest depth, and possibly some beyond the margin.
    deepest: u32,
    depth: f64,
}

impl InReach {
    /// Returns the deepest corner; ties go to the lowest id.
    fn first(&self) -> usize {
        (self.all & self.deepest).trailing_zeros() as usize
    }
}

impl Floor<'_> {
    #[inline(always)]
    fn height(&self, point: Vector) -> f64 {
        self.middle + point.inner(self.upward)
    }

    #[inline(always)]
    fn depth(&self, height: f64) -> Option<f64> {
        in_reach(self.radius - height, self.margin, self.tolerance)
    }

    /// Returns the manifold point at a corner within the margin.
    #[inline(always)]
    fn point(&self, corner: &Corner) -> ManifoldPoint {
        let height = self.height(corner.point);
        ManifoldPoint {
            point_a: self.pose.point(corner.point) - self.outward * height,
            depth: self.depth(height).unwrap_or(-self.margin),
            id: 2 << 62 | part(corner.id),
            features: [NO_ID, corner.feature],
        }
    }

    /// Selects the corners within the margin. Branchless: which are, and how deep, is unpredictable.
    #[inline(always)]
    fn in_reach<const N: usize>(&self, points: [Option<Vector>; N]) -> InReach {
        let mut reached = InReach { all: 0, deepest: 0, depth: -self.margin };
        let mut depths = [f64::NEG_INFINITY; N];
        for (k, point) in points.into_iter().enumerate() {
            if let Some(depth) = point.map(|point| self.radius - self.height(point)) {
                reached.all |= u32::from(in_reach(depth, self.margin, self.tolerance).is_some()) << k;
                reached.depth = if depth > reached.depth { depth } else { reached.depth };
                depths[k] = if depth > -self.margin { depth } else { -self.margin };
            }
        }
        let least = reached.depth - LEVEL * self.tolerance;
        for (k, depth) in depths.into_iter().enumerate() {
            reached.deepest |= u32::from(depth >= least) << k;
        }
        reached
    }

    /// Selects the corners of a cap within the margin.
    #[inline(always)]
    fn in_reach_of_cap(&self, cap: &Cap) -> InReach {
        let (level, nearest) = (LEVEL * self.tolerance, f64x4::splat(-self.margin));
        let least = f64x4::splat(-self.margin - level);
        let (middle, radius) = (f64x4::splat(self.middle), f64x4::splat(self.radius));
        let depths = cap.heights(self.upward).map(|height| radius - (middle + height));
        let (mut all, mut best) = (0, nearest);
        for (block, depth) in depths.iter().enumerate() {
            all |= depth.simd_ge(least).to_bitmask() << (4 * block);
            best = best.fast_max(*depth);
        }
        let [a, b, c, d] = best.to_array();
        let (ab, cd) = (if b > a { b } else { a }, if d > c { d } else { c });
        let depth = if cd > ab { cd } else { ab };
        let (mut deepest, lowest) = (0, f64x4::splat(depth - level));
        for (block, depth) in depths.iter().enumerate() {
            deepest |= depth.fast_max(nearest).simd_ge(lowest).to_bitmask() << (4 * block);
        }
        InReach { all, deepest, depth }
    }

    /// Emits the deepest corner, or the lowest point if that is deeper or no corner is within the margin, then
    /// `others`.
    #[inline(always)]
    fn give(
        &self,
        reached: &InReach,
        mut others: u32,
        corner: impl Fn(usize) -> Corner,
        mut each: impl FnMut(usize, &ManifoldPoint),
    ) {
        if reached.all == 0 || reached.depth < self.lowest.depth - LEVEL * self.tolerance {
            each(0, &self.lowest);
        } else {
            each(0, &self.point(&corner(reached.first())));
        }
        let mut index = 1;
        while others != 0 {
            each(index, &self.point(&corner(others.trailing_zeros() as usize)));
            index += 1;
            others &= others - 1;
        }
    }

    /// Emits the points of a face with few corners.
    #[inline(always)]
    fn lie_on_few<const N: usize>(
        &self,
        points: [Option<Vector>; N],
        corner: impl Fn(usize) -> Corner,
        each: impl FnMut(usize, &ManifoldPoint),
    ) {
        let reached = self.in_reach(points);
        let first = 1_u32.checked_shl(reached.first() as u32).unwrap_or(0);
        self.give(&reached, reached.all & !first, corner, each);
    }
}

impl Manifold {
    /// Calls `each` with up to four points, and their numbers from 0 on, for a body on a plane through `place` with the
    /// unit normal `outward`, along which it is pushed out (`upward` in the body's local frame): the corners of its
    /// face toward the plane, none higher than `margin` (not negative). The last arguments are its lowest point, the
    /// point's id and its depth below the plane, by the support map.
    ///
    /// As by [`find`](Self::find), with the plane for A: the deepest comes first, and the direction of the points is
    /// `-outward`.
    #[inline(always)]
    pub fn over_plane<B: Faces>(
        &mut self,
        (outward, upward, place): (Vector, Vector, Vector),
        (body, pose): (&B, &RigidTransform<Vector>),
        (lowest, id, depth): (Vector, u32, f64),
        margin: f64,
        mut each: impl FnMut(usize, &ManifoldPoint),
    ) {
        let patch = &mut self.patch;
        let middle = (pose.translation - place).inner(outward);
        let base = pose.translation.largest().max(place.largest());
        // No corner is farther from the origin than this, and rounding error is relative to the largest coordinate.
        let largest = base.max(pose.translation.largest() + body.bounding_radius());
        let tolerance = ROUNDINGS * f64::EPSILON * largest;
        let support_face = body.support_face(-upward, id, patch);
        let inside = match &support_face {
            SupportFace::Cap(cap) => cap.inside,
            SupportFace::Line(line) => line.feature,
            SupportFace::BoxFace(side) => side.face,
            SupportFace::FacePolygon => patch.feature,
        };
        let lowest =
            ManifoldPoint { point_a: lowest + outward * depth, depth, id: 0, features: [NO_ID, inside] };
        let radius = body.radius();
        let floor = Floor { outward, upward, middle, pose, radius, margin, tolerance, lowest };
        match &support_face {
            SupportFace::Cap(cap) => {
                let reached = floor.in_reach_of_cap(cap);
                if reached.all == 0 {
                    return each(0, &floor.lowest);
                }
                if let Some(others) = cap.kept_with(reached.first(), reached.all as u16) {
                    return floor.give(&reached, u32::from(others), |k| cap.corner(k), each);
                }
                // Rounding has selected corners that are not adjacent.
                cap.show(patch);
            }
            SupportFace::Line(line) => {
                let corners = line.ends.map(|corner| Some(corner.point));
                return floor.lie_on_few(corners, |k| line.ends[k % 2], each);
            }
            SupportFace::BoxFace(side) => {
                let corners = [0, 1, 2, 3].map(|k| Some(side.corner(k).point));
                return floor.lie_on_few(corners, |k| side.corner(k), each);
            }
            SupportFace::FacePolygon if patch.corners.len() <= MOST => {
                let corners = &patch.corners[..];
                let order = by_id(corners);
                let points = order.map(|k| corners.get(k).map(|corner| corner.point));
                return floor.lie_on_few(points, |k| corners[order[k % MOST]], each);
            }
            SupportFace::FacePolygon => {}
        }
        self.lie_on_many(&floor);
        self.selection.points.iter().enumerate().for_each(|(index, point)| each(index, point));
    }

    /// Emits the points of a face with any number of corners.
    #[inline(never)]
    fn lie_on_many(&mut self, floor: &Floor<'_>) {
        let Selection { candidates, places, .. } = &mut self.selection;
        candidates.clear();
        let corners = self.patch.corners.iter();
        let in_reach = corners.filter(|corner| floor.depth(floor.height(corner.point)).is_some());
        candidates.extend(in_reach.map(|corner| floor.point(corner)));
        if candidates.len() > MOST {
            let first = floor.outward.perpendicular();
            let axes = [first, cross(floor.outward, first)];
            places.clear();
            places.extend(candidates.iter().map(|point| axes.map(|axis| point.point_a.inner(axis))));
        }
        self.selection.choose(floor.lowest, floor.tolerance, 0.0);
    }
}

/// Returns the indices of a few corners sorted by id, padded with indices out of range. Branchless.
#[inline(always)]
fn by_id(corners: &[Corner]) -> [usize; MOST] {
    let key = |k: usize| corners.get(k).map_or(u64::MAX, |corner| u64::from(corner.id) << 8 | k as u64);
    let mut keys: [u64; MOST] = std::array::from_fn(key);
    for (i, j) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
        (keys[i], keys[j]) = (keys[i].min(keys[j]), keys[i].max(keys[j]));
    }
    keys.map(|key| (key & 0xff) as usize)
}
