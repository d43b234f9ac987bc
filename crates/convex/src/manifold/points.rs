//! The points in which two bodies lie against one another.

use nalgebra::Vector3;

use super::clip::{Clip, ClippedCorner, Origin};
use super::face_polygon::FacePolygon;
use super::faces::Faces;
use super::manifold_reduction::{MOST, kept};
use super::projected_face::{ProjectedFace, View};
use crate::contact::Contact;
use crate::pose::Pose;
use crate::vector::VectorSpace;

type Vector = Vector3<f64>;

/// What rounding leaves of a place, in units of the last place of the largest coordinate.
pub(super) const ROUNDINGS: f64 = 32.0;

/// Depths that differ by less than this many tolerances are equal.
pub(super) const LEVEL: f64 = 4.0;

/// The depth of a corner that is no farther apart than the margin; one that is so to rounding only counts as just in reach.
pub(super) fn in_reach(depth: f64, margin: f64, tolerance: f64) -> Option<f64> {
    (depth >= -margin - LEVEL * tolerance).then(|| if depth > -margin { depth } else { -margin })
}

/// A stretch that misses the one or the other body by up to so many tolerances still touches it.
const SHARED: f64 = 64.0;

/// The same by this part of the depth: a corner of a body that leans a little leaves it at once along the direction.
const LEANING: f64 = 0.0625;

/// A point of a manifold. `point_a + depth * direction` is B's point; the direction is that of the contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldPoint {
    /// A's point, world frame: of its core's face, moved by its radius along the direction.
    pub point_a: Vector3<f64>,
    /// How far the two faces reach through each other here, along the direction; negative where they are apart.
    pub depth: f64,
    /// Made of the corners and sides of the two faces that made the point; 0 where the query found it.
    pub id: u64,
    /// The number of the feature on each body, or [`NO_ID`](crate::NO_ID).
    pub features: [u32; 2],
}

/// The points in which two bodies lie against one another, and the buffers to find them: a settled pair does not touch the
/// heap.
#[derive(Clone, Debug, Default)]
pub struct Manifold {
    pub(super) patches: [FacePolygon; 2],
    flats: [ProjectedFace; 2],
    cut: Clip,
    pub(super) candidates: Vec<ManifoldPoint>,
    pub(super) places: Vec<[f64; 2]>,
    pub(super) points: Vec<ManifoldPoint>,
}

/// Which corner or side made a point, in 31 bits.
pub(super) fn part(number: u32) -> u64 {
    u64::from(number & 0x7fff_ffff)
}

impl Manifold {
    /// Up to four points for the contact that a query of the two bodies found, each no farther apart than `margin` (not
    /// negative).
    ///
    /// The deepest comes first, then the others by their ids. It has the contact's depth: where no corner of the common part
    /// of the two faces is as deep as that (curved bodies), the contact's own point stands in place of the deepest corner.
    /// Faces that only cross (two edges, two axes) or have no common part leave the contact's own point alone.
    pub fn find<A: Faces, B: Faces>(
        &mut self,
        (a, pose_a): (&A, &Pose<Vector>),
        (b, pose_b): (&B, &Pose<Vector>),
        contact: &Contact<Vector>,
        margin: f64,
    ) -> &[ManifoldPoint] {
        a.face_toward(own(pose_a, -contact.direction), &mut self.patches[0]);
        b.face_toward(own(pose_b, contact.direction), &mut self.patches[1]);
        let radii = [a.radius(), b.radius()];
        let Some(tolerance) = self.meet([pose_a, pose_b], radii, contact, margin) else {
            return &self.points;
        };
        let (into_a, into_b) = (own(pose_a, contact.direction), own(pose_b, -contact.direction));
        let is_in_both = |point: &ManifoldPoint| {
            let depth = point.depth - (radii[0] + radii[1]);
            if point.depth <= 0.0 || depth <= 0.0 {
                return true;
            }
            let on_a = pose_a.own(point.point_a + contact.direction * radii[0]);
            let on_b = pose_b.own(point.point_a + contact.direction * (point.depth - radii[1]));
            let bare = SHARED * tolerance;
            // Of different kinds the first body is the simpler one.
            let through_a = a.chord(on_a, into_a, bare);
            if through_a >= depth || through_a + b.chord(on_b, into_b, bare) >= depth {
                return true;
            }
            let slack = LEANING * point.depth + bare;
            // At a corner of parallel faces moved outward is more than the faces were moved by.
            let ends = [a.chord(on_a, into_a, 0.5 * slack), b.chord(on_b, into_b, 0.5 * slack)];
            if ends[0] + ends[1] + 2.0 * (radii[0] + radii[1]) < point.depth {
                return false;
            }
            let middle = (0.5 * (ends[0].min(depth) + (depth - ends[1]).max(0.0))).clamp(0.0, depth);
            a.distance_at_most(on_a + into_a * middle) <= slack + radii[0]
                && b.distance_at_most(on_b + into_b * (depth - middle)) <= slack + radii[1]
        };
        let features = self.patches.each_ref().map(FacePolygon::feature);
        let own = ManifoldPoint { point_a: contact.point_a, depth: contact.depth, id: 0, features };
        // What the query leaves open is no reason to prefer its own point.
        let open = 2.0 * contact.gap().max(0.0);
        self.choose(own, tolerance, open);
        // A deep corner may be beyond the far side of either body: its stretch is then nowhere in both. The choice among the others is
        // the same if all that were chosen hold.
        if self.candidates.len() > 1 && !self.points.iter().all(|point| *point == own || is_in_both(point)) {
            self.keep(is_in_both);
            self.choose(own, tolerance, open);
        }
        // So may the query's own point, which then says alone how the two part.
        if self.points.len() > 1 && self.points[0] == own && !is_in_both(&own) {
            self.points.truncate(1);
        }
        &self.points
    }

    /// Keeps the candidates of which `holds` is true.
    fn keep(&mut self, holds: impl Fn(&ManifoldPoint) -> bool) {
        let mut kept = 0;
        for index in 0..self.candidates.len() {
            if holds(&self.candidates[index]) {
                self.candidates[kept] = self.candidates[index];
                self.places[kept] = self.places[index];
                kept += 1;
            }
        }
        self.candidates.truncate(kept);
        self.places.truncate(kept);
    }

    /// Finds the corners of what the two faces that were found share, and tells what rounding leaves of lengths. The contact's own
    /// point alone, and none, where a body has no face there.
    fn meet(
        &mut self,
        [pose_a, pose_b]: [&Pose<Vector>; 2],
        radii: [f64; 2],
        contact: &Contact<Vector>,
        margin: f64,
    ) -> Option<f64> {
        // A lying capsule's ends are features, its side is none.
        let features = self.patches.each_ref().map(FacePolygon::feature);
        let own = ManifoldPoint { point_a: contact.point_a, depth: contact.depth, id: 0, features };
        if self.patches.iter().any(|patch| patch.corners.is_empty()) {
            self.points.clear();
            self.points.push(own);
            return None;
        }
        let view = View::new(contact.direction, pose_a.translation);
        self.flats[0].look(&self.patches[0], pose_a, &view, -1.0);
        self.flats[1].look(&self.patches[1], pose_b, &view, 1.0);
        let tolerance = ROUNDINGS * f64::EPSILON * self.flats[0].largest.max(self.flats[1].largest);
        self.cut.find(&self.flats[0], &self.flats[1], tolerance);
        self.measure(&view, radii, margin, tolerance);
        Some(tolerance)
    }

    /// The places and depths of the corners in reach.
    fn measure(&mut self, view: &View, [radius_a, radius_b]: [f64; 2], margin: f64, tolerance: f64) {
        self.candidates.clear();
        self.places.clear();
        let [flat_a, flat_b] = &self.flats;
        for corner in &self.cut.corners {
            let (at, height_a, height_b) = heights(flat_a, flat_b, corner);
            let depth = (height_b - height_a) + (radius_a + radius_b);
            if let Some(depth) = in_reach(depth, margin, tolerance) {
                let (id, features) = named(flat_a, flat_b, corner.origin);
                let point_a = view.point(at, height_a - radius_a);
                self.candidates.push(ManifoldPoint { point_a, depth, id, features });
                self.places.push(at);
            }
        }
    }

    /// Of the candidates the deepest and, where they are too many, those whose places span the largest area; `own` where all
    /// are less deep by more than `open`.
    pub(super) fn choose(&mut self, own: ManifoldPoint, tolerance: f64, open: f64) {
        self.points.clear();
        let deepest = self.candidates.iter().map(|point| point.depth).fold(f64::NEG_INFINITY, f64::max);
        // Depths that differ by rounding are equal.
        let level = LEVEL * tolerance;
        let equal = self.candidates.iter().enumerate().filter(|(_, point)| point.depth >= deepest - level);
        let Some((first, _)) = equal.min_by_key(|(_, point)| point.id) else {
            self.points.push(own);
            return;
        };
        if self.candidates.len() <= MOST {
            self.points.extend_from_slice(&self.candidates);
            self.points.swap(0, first);
        } else {
            let (chosen, _) = kept(&self.places, first);
            self.points.extend(chosen.map(|index| self.candidates[index]));
        }
        if deepest < own.depth - level - open {
            self.points[0] = own;
        }
        self.points[1..].sort_unstable_by_key(|point| point.id);
    }
}

/// A direction of the world in a body's own frame.
fn own(pose: &Pose<Vector>, direction: Vector) -> Vector {
    direction.unrotated(&pose.rotation)
}

/// Where a corner of the common part lies on both faces.
fn heights(a: &ProjectedFace, b: &ProjectedFace, corner: &ClippedCorner) -> ([f64; 2], f64, f64) {
    let on = |flat: &ProjectedFace, at| {
        if flat.corners.len() > 2 { flat.height(at) } else { flat.on_side(0, at).1 }
    };
    match corner.origin {
        Origin::CornerOfA(k) => {
            let seen = &a.corners[k];
            (seen.at, seen.height, on(b, seen.at))
        }
        Origin::CornerOfB(k) => {
            let seen = &b.corners[k];
            (seen.at, on(a, seen.at), seen.height)
        }
        Origin::Crossing(side_a, side_b) => {
            let (at, height) = a.on_side(side_a, corner.at);
            (at, height, b.on_side(side_b, at).1)
        }
    }
}

/// The id of a corner of the common part, and the numbers of its features.
fn named(a: &ProjectedFace, b: &ProjectedFace, origin: Origin) -> (u64, [u32; 2]) {
    match origin {
        Origin::CornerOfA(k) => {
            let corner = &a.corners[k];
            (1 << 62 | part(corner.id) << 31, [corner.feature, inside(b)])
        }
        Origin::CornerOfB(k) => {
            let corner = &b.corners[k];
            (2 << 62 | part(corner.id), [inside(a), corner.feature])
        }
        Origin::Crossing(side_a, side_b) => {
            let [start_a, start_b] = [side_name(a, side_a), side_name(b, side_b)];
            (3 << 62 | part(start_a) << 31 | part(start_b), [a.side_feature(side_a), b.side_feature(side_b)])
        }
    }
}

/// A side by the corner where it starts, going round the body's face as the face itself does.
fn side_name(flat: &ProjectedFace, side: usize) -> u32 {
    let [start, end] = flat.side(side);
    if flat.reversed { end.id } else { start.id }
}

fn inside(flat: &ProjectedFace) -> u32 {
    if flat.corners.len() > 2 { flat.feature } else { flat.side_feature(0) }
}
