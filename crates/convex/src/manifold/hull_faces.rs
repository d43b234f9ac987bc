//! Faces of a convex hull, with coplanar triangles merged.

use std::hint::select_unpredictable;

use nalgebra::Vector3;

use super::faces::Faces;
use super::facets::{Facet, facets};
use super::hull_edge::HullEdge;
use super::hull_planes::HullPlanes;
use super::hull_vertex_blocks::HullVertexBlocks;
use super::support_face::SupportFace;
use super::tolerance::TIE;
use crate::face_polygon::FacePolygon;
use crate::kept::{KeptFace, KeptPlaces};
use crate::support::{Core, Extreme, Hull, NO_ID};
use crate::vector::VectorSpace;

type Vector = Vector3<f64>;

/// How far below the support point a corner may lie and still count as farthest, relative to the hull's bounding
/// radius.
pub(super) const LEVEL: f64 = 1e-12;

/// The least cosine between a direction and the normal of its support face. Below it the face is so close to edge-on
/// that an edge is used instead.
pub(super) const STEEPEST: f64 = 0.25;

/// Up to this many corners a hull queried only once is scanned linearly (measured).
const STREAMED_AT_MOST: usize = 64;

/// The largest sine of the slope of a support edge.
const STEEPEST_EDGE: f64 = 0.95;

/// The faces of a convex hull: polygons of coplanar corners.
#[derive(Clone, Debug, Default)]
#[repr(C)] // Keeps the fields read by a plane query together.
pub struct HullFaces {
    pub(super) corners: HullVertexBlocks,
    /// The faces at all corners, concatenated.
    at: Vec<FaceAt>,
    faces: Vec<Face>,
    /// The corners of all faces, concatenated.
    loops: Vec<u32>,
    pub(super) planes: HullPlanes,
    /// Empty where a face is degenerate or not all edges have two faces.
    pub(super) edges: Vec<HullEdge>,
    /// Whether a corner that is farther than its neighbours is the farthest point of all.
    pub(super) is_strict: bool,
}

/// A face at a corner. The data a query needs are duplicated here for locality.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaceAt {
    pub(super) normal: Vector,
    pub(super) face: u32,
    /// The next corner in the face; over all faces at a corner these are its neighbours. [`NO_ID`] where the point is
    /// on the face but not a corner of it.
    pub(super) next: u32,
    /// The previous corner; [`NO_ID`] likewise.
    before: u32,
    /// The index of the corner in the face, for a triangle; else [`NO_ID`].
    place: u32,
}

#[derive(Clone, Copy, Debug)]
struct Face {
    /// Unit, outward; zero where the face has no area.
    normal: Vector,
    /// The plane's offset from the origin along the normal.
    height: f64,
    first: u32,
    count: u32,
}

impl HullFaces {
    /// Merges the triangles of a hull. Faces are numbered by their first triangle. The corners of a face are a strictly
    /// convex polygon, without points of the hull in the interior of a face or an edge or coincident with another
    /// corner, up to rounding error. Cost: `n log n`, once.
    pub fn new(hull: &Hull) -> Self {
        let mut faces = Self::default();
        let facets = facets(hull);
        for Facet { corners, normal, .. } in &facets {
            let (first, count) = (faces.loops.len() as u32, corners.len() as u32);
            faces.loops.extend_from_slice(corners);
            let height = hull.points()[corners[0] as usize].dot(normal);
            faces.faces.push(Face { normal: *normal, height, first, count });
        }
        let planes = faces.faces.iter().filter(|face| face.normal != Vector::zeros());
        faces.planes = HullPlanes::new(&planes.map(|face| (face.normal, face.height)).collect::<Vec<_>>());
        faces.index(hull.points(), &facets);
        faces.edges = faces.list_edges();
        faces.is_strict = faces.is_strict(hull);
        faces
    }

    /// Whether the faces are the closed surface of a convex body (van Heijenoort 1952: convex along every edge), with all points
    /// for corners and none aside.
    fn is_strict(&self, hull: &Hull) -> bool {
        let lower = LEVEL * hull.bounding_radius();
        let is_below = |other: u32, Face { normal, height, .. }: &Face| {
            let corners = self.corners(other as usize).iter();
            corners.map(|&corner| hull.points()[corner as usize].dot(normal)).all(|at| at <= height + lower)
        };
        let is_convex = |edge: &HullEdge| is_below(edge.faces[1], &self.faces[edge.faces[0] as usize]);
        let is_sphere = hull.points().len() + self.len() == self.edges.len() + 2;
        !self.edges.is_empty()
            && is_sphere
            && self.edges.iter().all(is_convex)
            && self.at.iter().all(|at| at.next != NO_ID)
            && (0..hull.points().len() as u32).all(|point| !self.at(point).is_empty())
    }

    /// Lists the edges, by their lower corner.
    fn list_edges(&self) -> Vec<HullEdge> {
        let mut halves: Vec<([u32; 2], bool, u32)> = Vec::new();
        for face in 0..self.len() {
            let corners = self.corners(face);
            let ends = corners.iter().zip(corners.iter().cycle().skip(1));
            halves.extend(ends.map(|(&from, &to)| ([from.min(to), from.max(to)], from < to, face as u32)));
        }
        halves.sort_unstable();
        let edge = |two: &[([u32; 2], bool, u32)]| match *two {
            [(ends, false, first), (others, true, second)] if ends == others && ends[0] < ends[1] => {
                Some(HullEdge { ends, faces: [first, second] })
            }
            _ => None,
        };
        let has_all = self.faces.len() > 3 && self.faces.iter().all(|face| face.normal != Vector::zeros());
        let edges: Option<Vec<HullEdge>> = halves.chunks(2).map(edge).collect();
        edges.filter(|_| has_all).unwrap_or_default()
    }

    /// Returns the number of faces; a flat hull has two, a segment and a point none.
    pub fn len(&self) -> usize {
        self.faces.len()
    }

    /// Whether there are no faces.
    pub fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }

    /// Returns the corners of a face, counter-clockwise seen from outside, as indices into the hull's points.
    pub fn corners(&self, face: usize) -> &[u32] {
        let Face { first, count, .. } = self.faces[face];
        &self.loops[first as usize..(first + count) as usize]
    }

    /// Returns the unit outward normal of a face; zero if it is degenerate.
    pub fn normal(&self, face: usize) -> Vector3<f64> {
        self.faces[face].normal
    }

    /// Lists the faces at each point: first those of which it is a corner.
    fn index(&mut self, points: &[Vector], facets: &[Facet]) {
        let mut at: Vec<(u32, FaceAt)> = Vec::new();
        for (face, Facet { corners, aside, normal }) in (0..).zip(facets) {
            let (normal, count) = (*normal, corners.len());
            for (k, &corner) in corners.iter().enumerate() {
                let [next, before] = [k + 1, k + count - 1].map(|other| corners[other % count]);
                let place = if count == 3 { k as u32 } else { NO_ID };
                at.push((corner, FaceAt { normal, face, next, before, place }));
            }
            let on_it = FaceAt { normal, face, next: NO_ID, before: NO_ID, place: NO_ID };
            at.extend(aside.iter().map(|&point| (point, on_it)));
        }
        at.sort_by_key(|(corner, at)| (*corner, at.next == NO_ID, at.face, at.next));
        let starts = |corner: usize| at.partition_point(|&(other, _)| (other as usize) < corner) as u32;
        self.corners = HullVertexBlocks::new(points, |corner| [starts(corner), starts(corner + 1)]);
        self.at = at.into_iter().map(|(_, at)| at).collect();
    }

    pub(super) fn at(&self, corner: u32) -> &[FaceAt] {
        &self.at[self.corners.faces_at(corner)]
    }
}

/// A hull with its faces, rounded by a radius.
#[derive(Clone, Copy, Debug)]
pub struct FacedHull<'a> {
    /// The hull.
    pub hull: &'a Hull,
    /// Its faces.
    pub faces: &'a HullFaces,
    /// The rounding radius; not negative.
    pub radius: f64,
}

impl Core<Vector> for FacedHull<'_> {
    const CURVED: bool = false;

    #[inline(always)]
    fn support(&self, direction: Vector, near: u32) -> Extreme<Vector> {
        self.hull.support(direction, near)
    }

    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<Vector> {
        self.hull.vertex(id)
    }

    #[inline(always)]
    fn bounding_radius(&self) -> f64 {
        self.hull.bounding_radius()
    }

    #[inline(always)]
    fn center(&self) -> Vector {
        self.hull.center()
    }

    #[inline(always)]
    fn radius(&self) -> f64 {
        self.radius
    }

    #[inline(always)]
    fn fingerprint(&self) -> Option<u64> {
        self.hull.fingerprint()
    }
}

/// Iteration limit of the projections, after which a point counts as far away.
const PROJECTIONS: usize = 32;

/// How far beyond a plane a point may be and count as inside, relative to the hull's bounding radius.
const WITHIN: f64 = 1e-9;

/// Where every face at the farthest corners is too close to edge-on, the flattest edge there is the support face; where
/// that is too steep as well, there is none.
impl Faces for FacedHull<'_> {
    fn chord(&self, from: Vector, along: Vector, slack: f64) -> f64 {
        self.faces.planes.chords(&from, &along, [slack; 2])[0]
    }

    fn chords(&self, from: Vector, along: Vector, slacks: [f64; 2]) -> [f64; 2] {
        self.faces.planes.chords(&from, &along, slacks)
    }

    /// Compares the end of the chord with the planes, without a branch or a division.
    #[inline(always)]
    fn reaches(&self, from: Vector, along: Vector, length: f64, slack: f64) -> bool {
        self.faces.planes.beyond(&(from + along * length)) <= slack
    }

    #[inline(always)]
    fn reaches_again(
        &self,
        from: Vector,
        along: Vector,
        (length, slack): (f64, f64),
        kept: &mut KeptPlaces,
    ) -> bool {
        let (end, shape) = (from + along * length, self.hull.fingerprint());
        let Some(shape) = shape else { return self.reaches(from, along, length, slack) };
        if kept.hold(shape, end) {
            return true;
        }
        let beyond = self.faces.planes.beyond(&end);
        if beyond < 0.0 {
            kept.keep(shape, end, -beyond);
        }
        beyond <= slack
    }

    /// Projects repeatedly onto the most violated plane (Bregman 1965): the last point is in the hull.
    fn distance_at_most(&self, place: Vector) -> f64 {
        let within = WITHIN * self.hull.bounding_radius();
        let mut inside = place;
        for _ in 0..PROJECTIONS {
            let faces = self.faces.faces.iter();
            let farthest = faces.map(|face| (inside.dot(&face.normal) - face.height, face)).fold(
                (within, None),
                |far: (f64, Option<&Face>), (off, face)| if off > far.0 { (off, Some(face)) } else { far },
            );
            match farthest {
                (off, Some(face)) => inside -= face.normal * off,
                _ => return (inside - place).norm(),
            }
        }
        f64::INFINITY
    }

    /// Scans small hulls linearly, which is faster than three dependent loads from an uncached table.
    #[inline(always)]
    fn support_once(&self, direction: Vector) -> Extreme<Vector> {
        if self.hull.points().len() > STREAMED_AT_MOST {
            return self.hull.support(direction, NO_ID);
        }
        let id = self.faces.corners.farthest(direction);
        Extreme { point: self.faces.corners.point(id), id }
    }

    fn face_toward(&self, direction: Vector, patch: &mut FacePolygon) {
        self.face_at(direction, self.hull.support(direction, NO_ID).id, patch);
    }

    #[inline(always)]
    fn support_face(&self, direction: Vector, farthest: u32, patch: &mut FacePolygon) -> SupportFace {
        self.face_at(direction, farthest, patch);
        SupportFace::FacePolygon
    }

    #[inline(always)]
    fn show_again(&self, direction: Vector, farthest: u32, kept: &mut KeptFace, patch: &mut FacePolygon) {
        if let Some(shape) = self.hull.fingerprint()
            && !kept.show(shape, direction, farthest, patch)
        {
            self.face_at(direction, farthest, patch);
            self.keep(shape, (direction, farthest), kept, patch);
        }
    }
}

impl FacedHull<'_> {
    /// Finds the face closest to a direction among those at the farthest corners, of which `top` is one.
    fn face_at(&self, direction: Vector, top: u32, patch: &mut FacePolygon) {
        let Self { hull, faces, .. } = *self;
        if faces.is_empty() {
            patch.clear();
            if let [start, end] = hull.points() {
                let slope = (end - start).normalize().dot(&direction).abs();
                if slope <= STEEPEST_EDGE {
                    patch.push(*start, 0, NO_ID);
                    patch.push(*end, 1, NO_ID);
                }
            }
            return;
        }
        let top = self.corner_at(top, direction);
        let level = faces.corners.point(top).inner(direction) - LEVEL * hull.bounding_radius();
        let mut best = Best::default();
        self.at_the_top(top, level, direction, |corner| best.measure_faces(self, corner, direction));
        self.at_the_top(top, level, direction, |corner| best.look_at_faces(self, corner, direction));
        if best.face != NO_FACE {
            let (corner, at) = (best.corner, &faces.at[best.face as u32 as usize]);
            patch.begin(at.normal, at.face);
            let mut push = |corner: u32| patch.push(faces.corners.point(corner), corner, at.face);
            if at.place == NO_ID {
                faces.corners(at.face as usize).iter().copied().for_each(push);
            } else {
                let all = [corner, at.next, at.before];
                for k in 3..6 {
                    push(all[(k - at.place as usize) % 3]);
                }
            }
            return;
        }
        patch.clear();
        self.at_the_top(top, level, direction, |corner| best.look_at_edges(self, corner, direction));
        if best.edge[0] != NO_ID {
            for corner in best.edge {
                patch.push(faces.corners.point(corner), corner, NO_ID);
            }
        }
    }

    /// Returns a farthest corner, given a support point of the hull: that point, unless it is not a corner of any face.
    #[inline(always)]
    fn corner_at(&self, top: u32, direction: Vector) -> u32 {
        match self.faces.at(top) {
            [at, ..] if at.next != NO_ID => top,
            _ => self.corner_beside(top, direction),
        }
    }

    /// Returns the farthest corner of the faces that contain a point, or of all faces if none does.
    #[inline(never)]
    fn corner_beside(&self, point: u32, direction: Vector) -> u32 {
        let farthest = |corners: &mut dyn Iterator<Item = u32>| {
            let heights = corners.map(|corner| (self.faces.corners.point(corner).inner(direction), corner));
            heights.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, corner)| corner)
        };
        let on_its_faces = self.faces.at(point).iter().flat_map(|at| self.faces.corners(at.face as usize));
        let beside = farthest(&mut on_its_faces.copied());
        beside.or_else(|| farthest(&mut self.faces.loops.iter().copied())).unwrap_or(point)
    }

    /// Calls `look` for the farthest corner and those of its neighbours at or above `level`.
    #[inline(always)]
    fn at_the_top(&self, top: u32, level: f64, direction: Vector, mut look: impl FnMut(u32)) {
        look(top);
        for beside in self.faces.at(top) {
            if beside.next != NO_ID && self.faces.corners.point(beside.next).inner(direction) >= level {
                look(beside.next);
            }
        }
    }
}

/// Marks no face in [`Best`].
const NO_FACE: u64 = u64::MAX;

/// The best face and edge toward a direction so far.
struct Best {
    /// The number of the face, and in the low half its index in the list of the faces at all corners.
    face: u64,
    /// The corner of that entry.
    corner: u32,
    /// The largest cosine of a face.
    cosine: f64,
    edge: [u32; 2],
    slope: f64,
}

impl Default for Best {
    fn default() -> Self {
        Self { face: NO_FACE, corner: NO_ID, cosine: STEEPEST, edge: [NO_ID; 2], slope: STEEPEST_EDGE }
    }
}

impl Best {
    /// Finds the largest cosine of the faces at a corner. Branchless, as below: which face is flatter is unpredictable.
    fn measure_faces(&mut self, body: &FacedHull<'_>, corner: u32, direction: Vector) {
        for at in body.faces.at(corner) {
            let cosine = at.normal.inner(direction);
            self.cosine = if cosine > self.cosine { cosine } else { self.cosine };
        }
    }

    /// Finds the face of lowest number among those at a corner with the largest cosine.
    fn look_at_faces(&mut self, body: &FacedHull<'_>, corner: u32, direction: Vector) {
        for index in body.faces.corners.faces_at(corner) {
            let at = &body.faces.at[index];
            let cosine = at.normal.inner(direction);
            let flat = (cosine > STEEPEST) & (cosine >= self.cosine - TIE);
            let face = select_unpredictable(flat, u64::from(at.face) << 32 | index as u64, NO_FACE);
            self.corner = select_unpredictable(face < self.face, corner, self.corner);
            self.face = face.min(self.face);
        }
    }

    /// Does the same for the edges at a corner.
    fn look_at_edges(&mut self, body: &FacedHull<'_>, corner: u32, direction: Vector) {
        for &FaceAt { next, .. } in body.faces.at(corner) {
            if next == NO_ID {
                continue;
            }
            let along = body.faces.corners.point(next) - body.faces.corners.point(corner);
            let length = along.norm();
            let slope = if length > 0.0 { along.dot(&direction).abs() / length } else { 1.0 };
            let edge = [corner.min(next), corner.max(next)];
            let level = (slope - self.slope).abs() <= TIE && self.edge[0] != NO_ID;
            if if level { edge < self.edge } else { slope < self.slope } {
                (self.edge, self.slope) = (edge, slope);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ConvexHull;
    use palpate_math::Point;

    fn hull(points: &[[f64; 3]]) -> Hull {
        let points: Vec<Point> = points.iter().map(|&point| Point::from(point)).collect();
        let triangles = ConvexHull::new(&points).triangles;
        Hull::new(points.into_iter().map(|point| point.coords).collect(), triangles).unwrap()
    }

    fn cube() -> Hull {
        hull(&std::array::from_fn::<_, 8, _>(|k| [0, 1, 2].map(|bit| (k >> bit & 1) as f64)))
    }

    fn toward(hull: &Hull, direction: Vector) -> FacePolygon {
        let faces = HullFaces::new(hull);
        let mut patch = FacePolygon::default();
        FacedHull { hull, faces: &faces, radius: 0.0 }.face_toward(direction.normalize(), &mut patch);
        patch
    }

    #[test]
    fn the_twelve_triangles_of_a_cube_are_six_squares() {
        let hull = cube();
        let faces = HullFaces::new(&hull);
        assert_eq!(faces.len(), 6);
        for face in 0..6 {
            assert_eq!(faces.corners(face).len(), 4);
            assert_eq!(faces.normal(face).abs().sum(), 1.0);
        }
        assert_eq!(HullFaces::new(&self::hull(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])).len(), 2);
    }

    /// Rotated off the lattice, so that the corners of a side are coplanar only up to rounding error.
    #[test]
    fn sides_that_are_flat_to_rounding_are_merged() {
        for k in 1..40 {
            let turn = nalgebra::Rotation3::from_euler_angles(0.1 * f64::from(k), 0.37 * f64::from(k), 1.1);
            let points: Vec<[f64; 3]> = cube().points().iter().map(|point| (turn * point).into()).collect();
            let hull = hull(&points);
            let faces = HullFaces::new(&hull);
            let squares = (0..faces.len()).filter(|&face| faces.corners(face).len() == 4).count();
            assert_eq!((faces.len(), squares), (6, 6));
        }
    }

    /// A rotated box with a grid of corners on its sides and with duplicate corners.
    #[test]
    fn corners_that_are_there_to_rounding_only_are_none_of_a_face() {
        for turn in 1..20 {
            let turn = nalgebra::Rotation3::from_euler_angles(0.3 * f64::from(turn), 0.7, 0.1);
            let grid = (0..125).map(|k| [k % 5, k / 5 % 5, k / 25].map(|index| f64::from(index) * 0.5 - 1.0));
            let on_surface = grid.filter(|point| point.iter().any(|x| x.abs() == 1.0));
            let mut points: Vec<[f64; 3]> =
                on_surface.map(|point| (turn * Vector::from(point)).into()).collect();
            points.extend(points.clone().iter().map(|[x, y, z]| [x + 3e-16, y - 2e-16, *z]));
            let hull = hull(&points);
            let faces = HullFaces::new(&hull);
            let looking = (0..faces.len()).filter(|&face| faces.normal(face) != Vector::zeros());
            assert_eq!(looking.clone().count(), 6);
            assert!(looking.clone().all(|face| faces.corners(face).len() == 4));
            // From whichever of them the support map returns.
            for side in 0..6 {
                let along = turn * Vector::ith(side / 2, if side.is_multiple_of(2) { 1.0 } else { -1.0 });
                let patch = toward(&hull, along);
                assert_eq!(patch.corners().len(), 4);
                assert!((patch.normal - along).norm() < 1e-14);
            }
        }
    }

    #[test]
    fn the_face_that_looks_best_is_found_and_an_edge_where_none_does() {
        let patch = toward(&cube(), Vector::new(0.1, 0.2, 1.0));
        assert_eq!(patch.normal, Vector::z());
        assert_eq!(patch.corners().len(), 4);
        // A blade along x: seen edge-on, the edge; seen end-on, nothing.
        let blade =
            hull(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, -5.0, 0.2], [0.0, -5.0, 0.2], [0.0, -5.0, -0.2]]);
        let edge: Vec<u32> = toward(&blade, Vector::y()).corners().iter().map(|corner| corner.id).collect();
        assert_eq!(edge, [0, 1]);
        let needle = hull(&[[0.0, 0.0, 0.0], [10.0, 0.0, 0.1], [10.0, 0.1, -0.1], [10.0, -0.1, -0.1]]);
        assert!(toward(&needle, -Vector::x()).corners().is_empty());
        let segment = hull(&[[0.0; 3], [1.0, 0.0, 0.0]]);
        assert_eq!(toward(&segment, Vector::z()).corners().len(), 2);
        assert!(toward(&segment, Vector::x()).corners().is_empty());
    }

    /// A ridge that falls by 1e-10 from its first corner to the second; only the second has the flattest face.
    #[test]
    fn a_corner_lower_by_more_than_rounding_is_not_farthest() {
        for (higher, holds_it) in [(1e-10, true), (-1e-10, false)] {
            let mut points = vec![[0.0, 0.0, 1.0 + higher], [1.0, 0.0, 1.0]];
            for y in [-1.0, 1.0] {
                points.extend([[3.0, y, 0.5], [3.0, y, -1.0], [-0.1, y, 0.0], [-0.1, y, -1.0]]);
            }
            let patch = toward(&hull(&points), Vector::z());
            assert_eq!(patch.corners().iter().any(|corner| corner.id == 0), holds_it, "{patch:?}");
            assert!(patch.corners().iter().any(|corner| corner.id == 1));
        }
    }

    /// Domes so flat that many points are coplanar up to rounding error. A face's corners are within one tolerance of
    /// its plane, and other points are at most that much above it; the rest of the allowance is for the tilt of the
    /// normal.
    #[test]
    fn no_point_is_above_a_face_by_more_than_rounding() {
        let tolerance = 64.0 * f64::EPSILON;
        for case in 0..400 {
            let sagitta = 1e-14 * 1.02_f64.powi(case % 200);
            let mut points = vec![[0.0, 0.0, -1.0]];
            for k in 0..40 {
                let angle = 2.399 * f64::from(k) + 0.1 * f64::from(case);
                let square = f64::from(k) / 40.0;
                points.push([square.sqrt() * angle.cos(), square.sqrt() * angle.sin(), -sagitta * square]);
            }
            let hull = hull(&points);
            let faces = HullFaces::new(&hull);
            for face in 0..faces.len() {
                let corner = hull.points()[faces.corners(face)[0] as usize];
                let above = hull.points().iter().map(|point| (point - corner).dot(&faces.normal(face)));
                let highest = above.fold(0.0, f64::max);
                assert!(
                    highest < 2.5 * tolerance * hull.bounding_radius(),
                    "{case}: {}",
                    highest / tolerance
                );
            }
        }
    }
}
