//! Contact manifold of a body's face and a flat patch of triangles.
//!
//! Corners of the body's face above the patch give the same points as the body on a plane. Where the face overhangs
//! the border of the patch, the points are where the border crosses the outline of the face, and corners of the
//! border. The result does not depend on how the patch is triangulated.

use crate::ConvexBody;
use crate::convex_body::face_toward;
use crate::mesh::face_patch::FacePatches;
use crate::mesh::outline::Outline;
use crate::mesh::patch_view::{PatchView, cross, distance};
use crate::room;
use palpate_contact::{Contact, ContactId, Feature, IdPart};
use palpate_convex::FacePolygon;
use palpate_geometry::{SurfaceFeature, SurfaceMesh, SurfaceNearest};
use palpate_math::nearest::point_triangle;
use palpate_math::{Point, Vector, triangle};

/// How much deeper than the contact of the patch a point may be, relative to the size of the body: the coplanarity
/// tolerance of a patch.
const DEEPER: f64 = 1e-6;

/// The smallest cosine between the direction and the normal of the body's face at which depths are measured by the
/// face's plane.
const STEEPEST: f64 = 0.25;

/// A body resting on a patch, and its depth.
#[derive(Clone, Copy)]
pub(crate) struct Resting<'a> {
    pub(crate) surface: &'a SurfaceMesh,
    pub(crate) candidates: &'a [u32],
    pub(crate) body: ConvexBody<'a>,
    /// Unit direction in which the body is pushed out.
    pub(crate) outward: Vector,
    /// The depth of the patch's deepest contact, including both radii.
    pub(crate) depth: f64,
    pub(crate) margin: f64,
}

/// A point of the manifold.
#[derive(Clone, Copy, Debug)]
struct PatchPoint {
    /// Projected position.
    at: [f64; 2],
    place: SurfaceNearest,
    /// Depth of the body's core below the bare surface at this point.
    below: f64,
    /// The index of the body's feature.
    feature: u32,
    part: [IdPart; 2],
}

/// A corner of the body's face.
#[derive(Clone, Copy, Debug)]
struct FaceCorner {
    at: [f64; 2],
    point: Point,
    id: u32,
    feature: u32,
}

/// The manifold search and its reusable memory.
#[derive(Debug, Default)]
pub(crate) struct PatchManifold {
    face: FacePolygon,
    /// The corners of the body's face, in face order.
    corners: Vec<FaceCorner>,
    points: Vec<PatchPoint>,
    /// The members of the patch, projected.
    projected: Vec<[[f64; 2]; 3]>,
    outline: Outline,
}

impl PatchManifold {
    /// Gives the lists their first room.
    pub(crate) fn open(&mut self) {
        room::open(&mut self.corners);
        room::open(&mut self.points);
        room::open(&mut self.projected);
        self.outline.open();
    }

    /// Appends the contacts of the body's face with the last patch of `patches` to `out`, at most four, the deepest
    /// first, then by id; none if the body has no face in this direction, or none of it is above the patch.
    pub(crate) fn find(&mut self, resting: &Resting<'_>, patches: &FacePatches, out: &mut Vec<Contact>) {
        self.points.clear();
        face_toward(&resting.body, &-resting.outward, &mut self.face);
        if self.face.corners().len() < 2 {
            return;
        }
        let size = resting.body.size();
        let view = PatchView::new(&resting.outward, resting.body.position(), size);
        self.corners.clear();
        room::extend(
            &mut self.corners,
            self.face.corners().iter().map(|corner| {
                let point = resting.body.placed(&corner.point);
                FaceCorner { at: view.at(&point), point, id: corner.id, feature: corner.feature }
            }),
        );
        self.projected.clear();
        let members = patches.members().iter();
        let triangles = members.map(|&index| resting.candidates[index as usize]);
        room::extend(&mut self.projected, triangles.map(|triangle| view.triangle(resting.surface, triangle)));
        self.add_corners(resting, &view, patches);
        let above = self.points.len();
        if above < self.corners.len() {
            self.add_border(resting, &view, patches);
        }
        let radii = resting.surface.radius() + resting.body.core_radius();
        let (least, most) = (-resting.margin - view.tolerance, resting.depth + DEEPER * size);
        self.points.retain(|point| (least..=most).contains(&(point.below + radii)));
        let is_polygon = above == self.corners.len();
        self.outline.reduce(is_polygon, self.points.iter().map(|point| point.at));
        let lowest = self.lowest(resting, &view, patches).filter(|lowest| lowest.below + radii <= most);
        self.write(resting, radii, &view, lowest, out);
    }

    /// Returns the body's support point, if it is above the patch: on a curved face no corner may be as deep.
    fn lowest(&self, resting: &Resting<'_>, view: &PatchView, patches: &FacePatches) -> Option<PatchPoint> {
        let point = resting.body.map().support(&-resting.outward);
        let point = point + resting.outward * resting.body.core_radius();
        let feature = self.face.feature();
        self.above(resting, view, patches, &FaceCorner { at: view.at(&point), point, id: 0, feature })
            .map(|lowest| PatchPoint { part: [lowest.part[0], IdPart::Whole], ..lowest })
    }

    /// Adds the corners of the face that are above a triangle of the patch.
    fn add_corners(&mut self, resting: &Resting<'_>, view: &PatchView, patches: &FacePatches) {
        for k in 0..self.corners.len() {
            let above = self.above(resting, view, patches, &self.corners[k]);
            room::extend(&mut self.points, above);
        }
    }

    /// Returns a corner as a contact point with the patch's lowest-index triangle below it.
    fn above(
        &self,
        resting: &Resting<'_>,
        view: &PatchView,
        patches: &FacePatches,
        corner: &FaceCorner,
    ) -> Option<PatchPoint> {
        let FaceCorner { at, point, id, feature } = *corner;
        let surface = resting.surface;
        let member = self.projected.iter().position(|corners| view.is_above(corners, at))?;
        let triangle = resting.candidates[patches.members()[member] as usize];
        let [a, b, c] = surface.corners(triangle);
        let normal = triangle::unit_normal(&a, &b, &c)?;
        let below = (a - point).dot(&normal) / resting.outward.dot(&normal);
        let on_plane = point + resting.outward * below;
        let weights = point_triangle(&on_plane, &a, &b, &c).weights;
        let place = SurfaceNearest { feature: SurfaceFeature::Face(triangle), weights, point: on_plane };
        Some(PatchPoint { at, place, below, feature, part: [IdPart::Triangle(triangle), IdPart::Corner(id)] })
    }

    /// Clips each border edge of the patch against the face and adds the end points.
    fn add_border(&mut self, resting: &Resting<'_>, view: &PatchView, patches: &FacePatches) {
        let Resting { surface, candidates, .. } = *resting;
        let at = |k: usize| self.corners[k % self.corners.len()].at;
        let turn: f64 = (1..self.corners.len()).map(|k| cross(at(0), at(k), at(k + 1))).sum();
        if turn < 0.0 {
            self.corners.reverse();
        }
        for &index in patches.members() {
            let triangle = candidates[index as usize];
            for edge in surface.adjacency().triangle_edges[triangle as usize] {
                if !patches.goes_on(surface, candidates, edge, triangle) {
                    self.add_covered(resting, view, edge);
                }
            }
        }
    }

    fn add_covered(&mut self, resting: &Resting<'_>, view: &PatchView, edge: u32) {
        let surface = resting.surface;
        let vertices = surface.adjacency().edges[edge as usize];
        let ends = surface.edge_ends(edge);
        let Some(covered) = self.covered(ends.map(|end| view.at(&end)), view.tolerance) else { return };
        for (t, side) in covered {
            let end = if t == 0.0 { Some(0) } else { (t == 1.0).then_some(1) };
            let (feature, weights, point, part) = match (end, side) {
                (Some(end), _) => {
                    let part = [IdPart::Vertex(vertices[end]), IdPart::Whole];
                    (SurfaceFeature::Vertex(vertices[end]), [1.0, 0.0, 0.0], ends[end], part)
                }
                (None, Some(side)) => {
                    let point = ends[0] + (ends[1] - ends[0]) * t;
                    let part = [IdPart::Edge(edge), IdPart::Side(self.corners[side].id)];
                    (SurfaceFeature::Edge(edge), [1.0 - t, t, 0.0], point, part)
                }
                (None, None) => continue,
            };
            let at = view.at(&point);
            let Some(below) = self.below(resting, &point, at) else { continue };
            let is_new = |other: &PatchPoint| other.part != part && distance(other.at, at) > view.same;
            if self.points.iter().all(is_new) {
                let place = SurfaceNearest { feature, weights, point };
                let feature = self.face.feature();
                room::push(&mut self.points, PatchPoint { at, place, below, feature, part });
            }
        }
    }

    /// Clips a segment against the face: returns the start and end parameters, each with the side of the face crossed
    /// there.
    fn covered(&self, [from, to]: [[f64; 2]; 2], tolerance: f64) -> Option<[(f64, Option<usize>); 2]> {
        let count = self.corners.len();
        if count == 2 {
            return self.crossed([from, to], tolerance);
        }
        let (mut first, mut last) = ((0.0, None), (1.0, None));
        for side in 0..count {
            let (start, end) = (self.corners[side].at, self.corners[(side + 1) % count].at);
            let length = distance(start, end);
            if length <= tolerance {
                continue;
            }
            let [here, there] = [from, to].map(|at| cross(start, end, at) / length);
            if here < -tolerance && there < -tolerance {
                return None;
            }
            let t = here / (here - there);
            if here < -tolerance && t > first.0 {
                first = if there <= tolerance { (1.0, None) } else { (t, Some(side)) };
            } else if there < -tolerance && t < last.0 {
                last = if here <= tolerance { (0.0, None) } else { (t, Some(side)) };
            }
        }
        ((first.0 - last.0) * distance(from, to) <= tolerance).then_some([first, last])
    }

    /// The same for a face that is a line segment: where it crosses the segment, or the ends of the segment that are on
    /// it.
    fn crossed(&self, [from, to]: [[f64; 2]; 2], tolerance: f64) -> Option<[(f64, Option<usize>); 2]> {
        let (start, end) = (self.corners[0].at, self.corners[1].at);
        let length = distance(start, end);
        if length <= tolerance {
            return None;
        }
        let [here, there] = [from, to].map(|at| cross(start, end, at) / length);
        let is_over = |&t: &f64| {
            let along: f64 =
                (0..2).map(|k| (from[k] + (to[k] - from[k]) * t - start[k]) * (end[k] - start[k])).sum();
            along > 0.0 && along < length * length
        };
        let first = Some(0.0).filter(|t| here.abs() <= tolerance && is_over(t));
        let last = Some(1.0).filter(|t| there.abs() <= tolerance && is_over(t));
        let inner = || {
            let crosses = here * there < 0.0 && here.abs().min(there.abs()) > tolerance;
            Some(here / (here - there)).filter(|t| crosses && is_over(t))
        };
        let t = first.or(last).or_else(inner)?;
        Some([(t, Some(0)), (last.unwrap_or(t), Some(0))])
    }

    /// Returns the depth of the body's face below a surface point; `None` if the face is too steep.
    fn below(&self, resting: &Resting<'_>, place: &Point, at: [f64; 2]) -> Option<f64> {
        let first = self.corners[0];
        if let [first, last] = self.corners[..] {
            let length = distance(first.at, last.at);
            let t = if length > 0.0 { (distance(first.at, at) / length).min(1.0) } else { 0.0 };
            let on_line = first.point + (last.point - first.point) * t;
            return Some((place - on_line).dot(&resting.outward));
        }
        let normal = resting.body.turned(&self.face.normal());
        let slope = normal.dot(&resting.outward);
        (slope.abs() >= STEEPEST).then(|| (place - first.point).dot(&normal) / slope)
    }

    /// Appends the selected points; the support point replaces the deepest if it is deeper.
    fn write(
        &mut self,
        resting: &Resting<'_>,
        radii: f64,
        view: &PatchView,
        lowest: Option<PatchPoint>,
        out: &mut Vec<Contact>,
    ) {
        let number = |point: &PatchPoint| ContactId::new(point.part[0], point.part[1]).number();
        // Sort by the body's corner before the triangle, which changes as the body slides.
        let rank = |&index: &usize| number(&self.points[index]).rotate_left(32);
        let deepest = self.points.iter().map(|point| point.below).fold(f64::NEG_INFINITY, f64::max);
        // Depths that differ by rounding error are equal.
        let equal = (0..self.points.len()).filter(|&index| self.points[index].below >= deepest - view.level);
        // One on a straight part of the outline would take the place of a corner.
        let first = equal.min_by_key(|index| (!self.outline.has(*index), rank(index)));
        let Some(first) = first else { return };
        let (mut kept, count) = self.outline.keep_with(first);
        kept[1..count].sort_unstable_by_key(rank);
        let lowest = lowest.filter(|lowest| lowest.below > deepest + view.level);
        for (order, &index) in kept[..count].iter().enumerate() {
            let point = lowest.filter(|_| order == 0).unwrap_or(self.points[index]);
            let depth = (point.below + radii).max(-resting.margin);
            let rim = resting.outward * resting.surface.radius();
            let on_surface = point.place.point + rim;
            let on_body = Feature::numbered(point.feature, on_surface - resting.outward * depth);
            let on_surface = resting.surface.contact_feature(&point.place, on_surface);
            room::push(out, Contact::exact(on_surface, on_body, -resting.outward, depth, number(&point)));
        }
    }
}
