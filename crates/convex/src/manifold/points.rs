//! Contact manifold of two bodies.

use std::cell::Cell;

use nalgebra::Vector3;

use super::clip::Clip;
use super::clipped_corner::{ClippedCorner, Origin};
use super::faces::Faces;
use super::manifold_point::{LEVEL, ManifoldPoint, ROUNDINGS, in_reach, part};
use super::manifold_reduction::{MOST, kept};
use super::projected_face::{ProjectedFace, View};
use super::small_faces::{Candidates, SmallFace, SmallMeeting};
use crate::contact::QueryResult;
use crate::face_polygon::FacePolygon;
use crate::kept::Kept;
use crate::memory::Memory;
use crate::pose::RigidTransform;
use crate::support::NO_ID;
use crate::vector::VectorSpace;

type Vector = Vector3<f64>;

/// A stretch that misses either body by up to this many tolerances still touches it.
const SHARED: f64 = 64.0;

/// The same as a fraction of the depth: at a corner of a slightly tilted body the direction leaves it at once.
const LEANING: f64 = 0.0625;

/// The contact points of two bodies. A settled pair does not allocate.
///
/// The buffers of [`find`](Self::find) belong to the thread: were they a pair's own, a scene with many pairs would spend more time on
/// fetching them into the cache than on the arithmetic.
#[derive(Clone, Debug, Default)]
pub struct Manifold {
    /// The face over a plane.
    pub(super) patch: FacePolygon,
    pub(super) selection: Selection,
}

/// The candidates for the points of a manifold, and those selected.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    pub(super) candidates: Vec<ManifoldPoint>,
    pub(super) places: Vec<[f64; 2]>,
    pub(super) points: Vec<ManifoldPoint>,
}

/// The buffers of a thread.
#[derive(Debug, Default)]
struct Workspace {
    patches: [FacePolygon; 2],
    flats: [ProjectedFace; 2],
    cut: Clip,
    selection: Selection,
}

thread_local! {
    /// Taken while in use, so that a support map that itself asks for a manifold gets another one.
    static WORKSPACE: Cell<Option<Box<Workspace>>> = const { Cell::new(None) };
}

impl Manifold {
    /// Returns up to four points for the contact that a query of the two bodies found, each no farther apart than
    /// `margin` (not negative).
    ///
    /// The deepest comes first, then the others by their ids. It has the contact's depth: where no corner of the
    /// intersection of the two faces is as deep as that (curved bodies), the contact's own point replaces the deepest
    /// corner. Faces that only cross (two edges, two axes) or do not intersect leave only the contact's own point.
    pub fn find<A: Faces, B: Faces>(
        &mut self,
        a: (&A, &RigidTransform<Vector>),
        b: (&B, &RigidTransform<Vector>),
        contact: &QueryResult<Vector>,
        margin: f64,
    ) -> &[ManifoldPoint] {
        let mut points = std::mem::take(&mut self.selection.points);
        points.clear();
        Self::visit(a, b, contact, margin, |found| points.extend_from_slice(found));
        self.selection.points = points;
        &self.selection.points
    }

    /// Like [`find`](Self::find), but passes the points to `visit`, and copies none.
    pub fn visit<A: Faces, B: Faces, R>(
        a: (&A, &RigidTransform<Vector>),
        b: (&B, &RigidTransform<Vector>),
        contact: &QueryResult<Vector>,
        margin: f64,
        visit: impl FnOnce(&[ManifoldPoint]) -> R,
    ) -> R {
        in_workspace(|workspace| {
            workspace.find(a, b, contact, margin, None);
            visit(&workspace.selection.points)
        })
    }

    /// Like [`visit`](Self::visit), for the contact that [`contact_coherent`](crate::contact_coherent) found with this memory:
    /// a face of the last step is used again where it is the same.
    pub fn visit_coherent<A: Faces, B: Faces, R>(
        a: (&A, &RigidTransform<Vector>),
        b: (&B, &RigidTransform<Vector>),
        contact: &QueryResult<Vector>,
        margin: f64,
        memory: &mut Memory<Vector>,
        visit: impl FnOnce(&[ManifoldPoint]) -> R,
    ) -> R {
        in_workspace(|workspace| {
            let supports = memory.supports();
            let kept = (supports[0] != NO_ID && supports[1] != NO_ID).then_some((supports, &mut memory.kept));
            workspace.find(a, b, contact, margin, kept);
            visit(&workspace.selection.points)
        })
    }
}

/// Calls a function with the buffers of the thread.
fn in_workspace<R>(work: impl FnOnce(&mut Workspace) -> R) -> R {
    let mut workspace = WORKSPACE.take().unwrap_or_default();
    let result = work(&mut workspace);
    WORKSPACE.set(Some(workspace));
    result
}

impl Workspace {
    /// Finds the points of [`Manifold::find`], given the ids of both support points and what is kept of the last step, if known.
    fn find<A: Faces, B: Faces>(
        &mut self,
        (a, pose_a): (&A, &RigidTransform<Vector>),
        (b, pose_b): (&B, &RigidTransform<Vector>),
        contact: &QueryResult<Vector>,
        margin: f64,
        kept: Option<([u32; 2], &mut Kept)>,
    ) {
        let [patch_a, patch_b] = &mut self.patches;
        let toward = [own(pose_a, -contact.direction), own(pose_b, contact.direction)];
        let mut places = None;
        if let Some((supports, Kept { faces: [face_a, face_b], places: kept })) = kept {
            a.show_again(toward[0], supports[0], face_a, patch_a);
            b.show_again(toward[1], supports[1], face_b, patch_b);
            places = Some(kept);
        } else {
            a.face_toward(toward[0], patch_a);
            b.face_toward(toward[1], patch_b);
        }
        let radii = [a.radius(), b.radius()];
        let Some(tolerance) = self.meet([pose_a, pose_b], radii, contact, margin) else {
            return;
        };
        let (into_a, into_b) = (own(pose_a, contact.direction), own(pose_b, -contact.direction));
        let mut is_in_both = |point: &ManifoldPoint| {
            let depth = point.depth - (radii[0] + radii[1]);
            if point.depth <= 0.0 || depth <= 0.0 {
                return true;
            }
            let on_a = pose_a.own(point.point_a + contact.direction * radii[0]);
            let bare = SHARED * tolerance;
            // Of different kinds the first body is the simpler one.
            let reaches = match &mut places {
                Some(places) => a.reaches_again(on_a, into_a, (depth, bare), places),
                None => a.reaches(on_a, into_a, depth, bare),
            };
            if reaches {
                return true;
            }
            let on_b = pose_b.own(point.point_a + contact.direction * (point.depth - radii[1]));
            if b.reaches(on_b, into_b, depth, bare) {
                return true;
            }
            let slack = LEANING * point.depth + bare;
            let [bare_a, leaning_a] = a.chords(on_a, into_a, [bare, 0.5 * slack]);
            let [bare_b, leaning_b] = b.chords(on_b, into_b, [bare, 0.5 * slack]);
            if bare_a + bare_b >= depth {
                return true;
            }
            // At a corner, parallel faces moved outward lie farther away than the faces were moved by.
            let ends = [leaning_a, leaning_b];
            if ends[0] + ends[1] + 2.0 * (radii[0] + radii[1]) < point.depth {
                return false;
            }
            let middle = (0.5 * (ends[0].min(depth) + (depth - ends[1]).max(0.0))).clamp(0.0, depth);
            a.distance_at_most(on_a + into_a * middle) <= slack + radii[0]
                && b.distance_at_most(on_b + into_b * (depth - middle)) <= slack + radii[1]
        };
        let features = self.patches.each_ref().map(FacePolygon::feature);
        let own = ManifoldPoint { point_a: contact.point_a, depth: contact.depth, id: 0, features };
        // The contact's point gets no preference within the gap of its bounds.
        let open = 2.0 * contact.gap().max(0.0);
        let selection = &mut self.selection;
        selection.choose(own, tolerance, open);
        // A deep corner may be beyond the far side of either body: no part of its stretch is then in both. The
        // selection among the others is the same if all selected points pass.
        if selection.candidates.len() > 1
            && !selection.points.iter().all(|point| *point == own || is_in_both(point))
        {
            selection.keep(&mut is_in_both);
            selection.choose(own, tolerance, open);
        }
        // The same may hold for the contact's own point; then it alone determines the separation.
        if selection.points.len() > 1 && selection.points[0] == own && !is_in_both(&own) {
            selection.points.truncate(1);
        }
    }

    /// Clips the two support faces against each other, and returns the tolerance of lengths. Leaves only the contact's
    /// own point, and returns `None`, where a body has no face there.
    fn meet(
        &mut self,
        [pose_a, pose_b]: [&RigidTransform<Vector>; 2],
        radii: [f64; 2],
        contact: &QueryResult<Vector>,
        margin: f64,
    ) -> Option<f64> {
        // The ends of a lying capsule are features, its side is not.
        let features = self.patches.each_ref().map(FacePolygon::feature);
        let own = ManifoldPoint { point_a: contact.point_a, depth: contact.depth, id: 0, features };
        if self.patches.iter().any(|patch| patch.corners.is_empty()) {
            self.selection.points.clear();
            self.selection.points.push(own);
            return None;
        }
        let view = View::new(contact.direction, pose_a.translation);
        let small = self.meet_small([pose_a, pose_b], &view, radii, margin);
        Some(small.unwrap_or_else(|| self.meet_clipped([pose_a, pose_b], &view, radii, margin)))
    }

    /// Finds the candidates of two faces of three or four corners; `None` for others, and where rounding may decide.
    #[inline(always)]
    fn meet_small(
        &mut self,
        poses: [&RigidTransform<Vector>; 2],
        view: &View,
        radii: [f64; 2],
        margin: f64,
    ) -> Option<f64> {
        let [patch_a, patch_b] = &self.patches;
        let a = SmallFace::new(patch_a, poses[0], view, -1.0)?;
        let b = SmallFace::new(patch_b, poses[1], view, 1.0)?;
        let Selection { candidates, places, .. } = &mut self.selection;
        SmallMeeting::find([&a, &b], view, radii, margin, Candidates { points: candidates, places })
    }

    /// Finds the candidates of any two faces by clipping, and returns the tolerance of lengths.
    #[inline(never)]
    fn meet_clipped(
        &mut self,
        [pose_a, pose_b]: [&RigidTransform<Vector>; 2],
        view: &View,
        radii: [f64; 2],
        margin: f64,
    ) -> f64 {
        self.flats[0].look(&self.patches[0], pose_a, view, -1.0);
        self.flats[1].look(&self.patches[1], pose_b, view, 1.0);
        let tolerance = ROUNDINGS * f64::EPSILON * self.flats[0].largest.max(self.flats[1].largest);
        self.cut.find(&self.flats[0], &self.flats[1], (tolerance, margin + (radii[0] + radii[1])));
        self.measure(view, radii, margin, tolerance);
        tolerance
    }

    /// Computes the positions and depths of the corners within the margin.
    fn measure(&mut self, view: &View, [radius_a, radius_b]: [f64; 2], margin: f64, tolerance: f64) {
        let Selection { candidates, places, .. } = &mut self.selection;
        candidates.clear();
        places.clear();
        let [flat_a, flat_b] = &self.flats;
        for corner in &self.cut.corners {
            let (at, height_a, height_b) = heights(flat_a, flat_b, corner);
            let depth = (height_b - height_a) + (radius_a + radius_b);
            if let Some(depth) = in_reach(depth, margin, tolerance) {
                let (id, features) = named(flat_a, flat_b, corner.origin);
                let point_a = view.point(at, height_a - radius_a);
                candidates.push(ManifoldPoint { point_a, depth, id, features });
                places.push(at);
            }
        }
    }
}

impl Selection {
    /// Keeps the candidates for which `holds` is true.
    fn keep(&mut self, mut holds: impl FnMut(&ManifoldPoint) -> bool) {
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

    /// Selects the deepest of the candidates and, if there are too many, those that span the largest area; `own` if all
    /// are shallower by more than `open`.
    pub(super) fn choose(&mut self, own: ManifoldPoint, tolerance: f64, open: f64) {
        self.points.clear();
        let deepest = self.candidates.iter().map(|point| point.depth).fold(f64::NEG_INFINITY, f64::max);
        // Depths that differ by rounding error are equal.
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

/// Transforms a direction from the world to a body's local frame.
fn own(pose: &RigidTransform<Vector>, direction: Vector) -> Vector {
    direction.unrotated(&pose.rotation)
}

/// Returns the position of a corner of the intersection and its heights on both faces.
fn heights(a: &ProjectedFace, b: &ProjectedFace, corner: &ClippedCorner) -> ([f64; 2], f64, f64) {
    let on = |flat: &ProjectedFace, at| {
        if flat.corners.len() > 2 { flat.height(at) } else { flat.on_side(0, at).1 }
    };
    match corner.origin {
        Origin::CornerOfA(k) => {
            let seen = &a.corners[k as usize];
            (seen.at, seen.height, on(b, seen.at))
        }
        Origin::CornerOfB(k) => {
            let seen = &b.corners[k as usize];
            (seen.at, on(a, seen.at), seen.height)
        }
        Origin::Crossing(side_a, side_b) => {
            let [side_a, side_b] = [side_a, side_b].map(|side| side as usize);
            let (at, height) = a.on_side(side_a, corner.at);
            (at, height, b.on_side(side_b, at).1)
        }
    }
}

/// Returns the id of a corner of the intersection, and the numbers of its features.
fn named(a: &ProjectedFace, b: &ProjectedFace, origin: Origin) -> (u64, [u32; 2]) {
    match origin {
        Origin::CornerOfA(k) => {
            let corner = &a.corners[k as usize];
            (1 << 62 | part(corner.id) << 31, [corner.feature, inside(b)])
        }
        Origin::CornerOfB(k) => {
            let corner = &b.corners[k as usize];
            (2 << 62 | part(corner.id), [inside(a), corner.feature])
        }
        Origin::Crossing(side_a, side_b) => {
            let [side_a, side_b] = [side_a, side_b].map(|side| side as usize);
            let [start_a, start_b] = [side_name(a, side_a), side_name(b, side_b)];
            (3 << 62 | part(start_a) << 31 | part(start_b), [a.side_feature(side_a), b.side_feature(side_b)])
        }
    }
}

/// Names a side by the corner where it starts, in the order of the body's face.
fn side_name(flat: &ProjectedFace, side: usize) -> u32 {
    let [start, end] = flat.side(side);
    if flat.reversed { end.id } else { start.id }
}

fn inside(flat: &ProjectedFace) -> u32 {
    if flat.corners.len() > 2 { flat.feature } else { flat.side_feature(0) }
}

#[cfg(test)]
mod tests {
    use nalgebra::Rotation3;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// A polygon inscribed in an ellipse about the origin of the plane z = 0, with the outward normal `facing` z, at a pose that is
    /// turned by up to `tilt`.
    fn face(
        random: &mut ChaCha8Rng,
        count: u32,
        (facing, tilt): (f64, f64),
    ) -> (FacePolygon, RigidTransform<Vector>) {
        let mut patch = FacePolygon::default();
        patch.begin(Vector::z() * facing, 40 + count);
        let (wide, turn) = (random.random_range(0.05..1.0), random.random_range(0.0..6.0));
        for k in 0..count {
            let part = (f64::from(k) + random.random_range(0.0..0.8)) / f64::from(count);
            let angle = turn + facing * part * std::f64::consts::TAU;
            patch.push(Vector::new(libm::cos(angle), wide * libm::sin(angle), 0.0), 10 * count + k, 7 + k);
        }
        let mut number = |most: f64| random.random_range(-1.0..1.0) * most;
        let turn = Rotation3::from_euler_angles(number(tilt), number(tilt), number(3.0)).into_inner();
        (patch, RigidTransform::new(turn, Vector::new(number(0.4), number(0.4), 3.0 + number(0.1))))
    }

    /// Starts with the lowest id; the outlines of the two ways start elsewhere.
    fn from_lowest(workspace: &Workspace) -> Vec<ManifoldPoint> {
        let mut points = workspace.selection.candidates.clone();
        let lowest = (0..points.len()).min_by_key(|&k| points[k].id).unwrap_or(0);
        points.rotate_left(lowest);
        points
    }

    /// The candidates of small faces are those of a clip, and in its order if they are more than four.
    #[test]
    fn small_faces_meet_as_a_clip_says() {
        let mut random = ChaCha8Rng::seed_from_u64(2501);
        let mut workspace = Workspace::default();
        let (mut answered, mut counts) = (0, [0; 9]);
        for case in 0..20_000_u32 {
            let (a, pose_a) = face(&mut random, 3 + case % 2, (-1.0, 0.8));
            let (b, pose_b) = face(&mut random, 3 + case / 2 % 2, (1.0, 0.8));
            workspace.patches = [a, b];
            let (view, radii) = (View::new(Vector::z(), pose_a.translation), [0.25, 0.125]);
            let margin = [0.0, 0.05, 10.0][case as usize % 3];
            let Some(tolerance) = workspace.meet_small([&pose_a, &pose_b], &view, radii, margin) else {
                continue;
            };
            answered += 1;
            let found = from_lowest(&workspace);
            assert_eq!(tolerance, workspace.meet_clipped([&pose_a, &pose_b], &view, radii, margin));
            let mut clipped = from_lowest(&workspace);
            assert_eq!(found.len(), clipped.len(), "{case}");
            counts[found.len()] += 1;
            let mut found = found;
            if found.len() <= 4 {
                found.sort_unstable_by_key(|point| point.id);
                clipped.sort_unstable_by_key(|point| point.id);
            }
            for (one, other) in found.iter().zip(&clipped) {
                assert_eq!((one.id, one.features), (other.id, other.features), "{case}");
                assert!((one.depth - other.depth).abs() <= 1e-12, "{case}: {one:?} {other:?}");
                assert!((one.point_a - other.point_a).norm() <= 1e-12, "{case}: {one:?} {other:?}");
            }
        }
        assert!(answered > 19_990 && counts.iter().all(|&count| count > 10), "{answered} {counts:?}");
    }

    /// A face on itself, and one whose corner is on a side of the other: a clip names such corners once.
    #[test]
    fn where_rounding_decides_small_faces_have_no_answer() {
        let mut random = ChaCha8Rng::seed_from_u64(2502);
        let mut workspace = Workspace::default();
        for case in 0..100_u32 {
            let (patch, pose) = face(&mut random, 3 + case % 2, (1.0, 0.3));
            let mut back = patch.clone();
            back.corners.reverse();
            back.normal = -patch.normal;
            let ends = [patch.corners[0].point, patch.corners[1].point];
            let shift = (ends[0] + ends[1]) * 0.5 - ends[case as usize % 2];
            let moved = if case % 4 < 2 { Vector::zeros() } else { shift.rotated(&pose.rotation) };
            workspace.patches = [back, patch];
            let view = View::new(pose.rotation * Vector::z(), pose.translation);
            let other = RigidTransform::new(pose.rotation, pose.translation + moved);
            assert!(workspace.meet_small([&pose, &other], &view, [0.0; 2], 1.0).is_none(), "{case}");
        }
    }
}
