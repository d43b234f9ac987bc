//! Exits of sharp corners and edges that lie beside the border of a face.
//!
//! Where two boxes are stacked flush, the nearest exit of a corner leads along the boxes to the side: its distance, a lower bound of the
//! translation that separates the bodies, is 0 however far these overlap. A corner and what is next to it, and the triangles
//! around a face, are convex parts of their bodies: the translation that separates *them* is a lower bound too. Where that is
//! as long as the exit through a face that the corner faces, the corner leaves there.

use crate::solid::skin::{Place, Skin};
use arrayvec::ArrayVec;
use palpate_contact::NONE;
use palpate_convex::{DynSupport, Memory, RigidTransform, Settings, SupportMap, contact};
use palpate_geometry::{SurfaceFeature, SurfaceMesh, SurfaceNearest};
use palpate_math::{Aabb, Point, Vector, rounding, separation};

/// A triangle faces a direction if its normal and the direction enclose at least 120 degrees: of three perpendicular faces of a corner,
/// one faces every direction that the corner supports.
const FACING: f64 = -0.5;

/// An edge is sharp if the normals of its triangles enclose at least 45 degrees: smooth surfaces have no corners that lie beside a
/// border.
const SHARP: f64 = 0.7;

/// The parts are at least this many times as long along an exit as it is deep: of deeper ones, which is the way out is not
/// clear.
const SHALLOW: f64 = 10.0;

/// Maximum number of vertices of a convex part: enough for a box whose sides are divided in four.
const MOST_VERTICES: usize = 26;

/// Maximum number of its triangles.
const MOST_TRIANGLES: usize = 2 * MOST_VERTICES;

/// Maximum number of triangles through which a vertex may leave, of equal distance.
const MOST_EXITS: usize = 8;

/// How far a vertex of a convex part may be in front of a face of it, relative to the size of a triangle: flat faces that were deformed
/// a little are still flat.
const FLAT: f64 = 1e-3;

/// Cosines that differ by less are equal.
const SAME: f64 = 1e-9;

/// The error of the distance between two convex parts, relative to their size.
const ACCURACY: f64 = 1e-9;

/// The search; its memory outlives it.
pub(crate) struct CornerExit<'m> {
    memory: &'m mut Memory<Vector>,
    exits: ArrayVec<Exit, MOST_EXITS>,
    parts: [ConvexPart; 2],
}

/// Triangles of a body that are faces of a convex part of it, with their vertices.
#[derive(Default)]
struct ConvexPart {
    triangles: ArrayVec<u32, MOST_TRIANGLES>,
    /// The planes of the triangles: unit normal and offset.
    planes: ArrayVec<(Vector, f64), MOST_TRIANGLES>,
    vertices: ArrayVec<u32, MOST_VERTICES>,
    points: ArrayVec<Point, MOST_VERTICES>,
}

/// An exit through a triangle.
#[derive(Clone, Copy, Debug)]
struct Exit {
    distance: f64,
    /// The least cosine between the normal and one of a triangle of the vertex.
    facing: f64,
    triangle: u32,
    rank: u32,
    place: SurfaceNearest,
}

impl Exit {
    /// Whether the vertex faces the triangle more than another's as far away; ties go to the lower rank.
    fn is_before(&self, other: &Self) -> bool {
        let turned = self.facing - other.facing;
        turned < -SAME || turned <= SAME && self.rank < other.rank
    }
}

impl<'m> CornerExit<'m> {
    pub(crate) fn new(memory: &'m mut Option<Box<Memory<Vector>>>) -> Self {
        Self { memory: memory.get_or_insert_default(), exits: ArrayVec::new(), parts: Default::default() }
    }

    /// Returns the exit of a vertex whose nearest exit [leads along its solid](leads_along), through the nearest face that one of its
    /// triangles faces. Distances that differ by no more than `undecided` are equal.
    pub(crate) fn of_vertex(
        &mut self,
        [of, into]: [Skin<'_>; 2],
        vertex: u32,
        nearest: &Place,
        undecided: f64,
    ) -> Option<Place> {
        let reach = self.grow_first(of, triangles_at(of, vertex))?;
        let tree = into.surface.tree().filter(|_| -nearest.distance < reach)?;
        let (normals, adjacency) = (into.surface.normals()?, into.surface.adjacency());
        let position = of.surface.points().positions()[vertex as usize];
        let (exits, mut least) = (&mut self.exits, reach);
        tree.overlap(&Aabb::from_point(position).grown(reach), |triangle| {
            let place = into.surface.nearest_on(triangle, &position);
            let distance = (place.point - position).norm();
            if distance > least + undecided {
                return;
            }
            let facing = facing(of, vertex, &normals.face(triangle));
            if facing <= FACING {
                least = least.min(distance);
                exits.retain(|exit| exit.distance <= least + undecided);
                let rank = adjacency.rank(triangle);
                let _ = exits.try_push(Exit { distance, facing, triangle, rank, place }).map_err(|full| {
                    // Of more around one vertex the last in the order goes.
                    let last =
                        exits.iter_mut().reduce(|last, exit| if last.is_before(exit) { exit } else { last });
                    if let Some(last) = last.filter(|last| full.element().is_before(last)) {
                        *last = full.element();
                    }
                });
            }
        });
        let best = self.exits.iter().reduce(|best, exit| if exit.is_before(best) { exit } else { best });
        let Exit { distance, triangle, place, .. } = *best?;
        let outward = separation::between(&position, &place.point).0;
        let outward = outward.unwrap_or_else(|| normals.face(triangle));
        let leads_out = facing(of, vertex, &outward) <= FACING
            && self.part_no_sooner(into, [triangle, NONE], &outward, distance);
        leads_out.then_some(Place { distance: -distance, outward, nearest: place, cell: nearest.cell })
    }

    /// Whether an edge leaves over a side of a face: no shorter translation separates the bodies, as far as the convex parts around the
    /// two edges tell.
    pub(crate) fn leaves_over(
        &mut self,
        [of, into]: [Skin<'_>; 2],
        [edge, side]: [u32; 2],
        outward: &Vector,
        distance: f64,
    ) -> bool {
        is_sharp(into, side)
            && self.grow_first(of, sides(of, edge)).is_some_and(|most| distance <= most)
            && self.part_no_sooner(into, sides(into, side), outward, distance)
    }

    /// Grows the part of the first body, and returns how deep an exit may be at most.
    fn grow_first(&mut self, of: Skin<'_>, triangles: impl IntoIterator<Item = u32>) -> Option<f64> {
        let part = &mut self.parts[0];
        part.grow(of, triangles).then(|| part.size() / SHALLOW)
    }

    /// Whether no translation shorter than `distance` separates the part of the first body from that of the second around triangles, and
    /// both are long beside it along `outward`.
    fn part_no_sooner(&mut self, into: Skin<'_>, around: [u32; 2], outward: &Vector, distance: f64) -> bool {
        let is_long = |part: &ConvexPart| part.extent(outward) >= SHALLOW * distance;
        if !is_long(&self.parts[0]) || !self.parts[1].grow(into, around) || !is_long(&self.parts[1]) {
            return false;
        }
        let [a, b] = &self.parts;
        let largest = rounding::largest_coordinate(a.points.iter().chain(&b.points));
        let slack = ACCURACY * a.size().max(b.size()) + rounding::length(largest);
        let [a, b] = [a, b].map(|part| DynSupport::new(part));
        let poses = [a.middle(), b.middle()].map(RigidTransform::at);
        let found = contact((&a, &poses[0]), (&b, &poses[1]), self.memory, &Settings::default());
        found.depth_upper >= distance - slack
    }
}

impl ConvexPart {
    /// Becomes the part with these faces, and those around them, as long as it is convex. Returns whether the first ones are faces of
    /// a convex part.
    fn grow(&mut self, of: Skin<'_>, first: impl IntoIterator<Item = u32>) -> bool {
        self.triangles.clear();
        self.planes.clear();
        self.vertices.clear();
        self.points.clear();
        for triangle in first.into_iter().filter(|triangle| *triangle != NONE) {
            if !self.add(of.surface, triangle) {
                return false;
            }
        }
        let mut next = 0;
        while next < self.triangles.len() {
            for edge in of.surface.adjacency().triangle_edges[self.triangles[next] as usize] {
                for other in of.surface.adjacency().edge_triangles[edge as usize] {
                    if other != NONE && !self.triangles.contains(&other) {
                        self.add(of.surface, other);
                    }
                }
            }
            next += 1;
        }
        true
    }

    /// Returns the diagonal of the bounding box.
    fn size(&self) -> f64 {
        let Aabb { min, max } = Aabb::from_points(&self.points);
        (max - min).norm()
    }

    /// Returns the length along a direction.
    fn extent(&self, along: &Vector) -> f64 {
        (self.support(along) - self.support(&-along)).dot(along)
    }

    /// Adds a triangle, if there is room for it, and no vertex is in front of any then.
    fn add(&mut self, surface: &SurfaceMesh, triangle: u32) -> bool {
        let Some(normals) = surface.normals() else { return false };
        let (ids, corners) = (surface.triangles()[triangle as usize], surface.corners(triangle));
        let added = ids.iter().filter(|id| !self.vertices.contains(id)).count();
        if self.vertices.len() + added > MOST_VERTICES || self.triangles.is_full() {
            return false;
        }
        let normal = normals.face(triangle);
        let plane = (normal, normal.dot(&corners[0].coords));
        let size = corners.iter().map(|corner| (corner - corners[0]).norm()).fold(0.0, f64::max);
        let is_behind = |point: &Point, (normal, offset): &(Vector, f64)| {
            normal.dot(&point.coords) - offset <= FLAT * size
        };
        let is_convex = self.points.iter().all(|point| is_behind(point, &plane))
            && self.planes.iter().all(|plane| corners.iter().all(|corner| is_behind(corner, plane)));
        if is_convex {
            self.triangles.push(triangle);
            self.planes.push(plane);
            for (id, corner) in ids.into_iter().zip(corners) {
                if !self.vertices.contains(&id) {
                    self.vertices.push(id);
                    self.points.push(corner);
                }
            }
        }
        is_convex
    }
}

impl SupportMap for ConvexPart {
    fn support(&self, direction: &Vector) -> Point {
        let along = |point: &Point| point.coords.dot(direction);
        let farthest = self.points.iter().copied().reduce(|a, b| if along(&b) > along(&a) { b } else { a });
        farthest.unwrap_or_default()
    }
}

/// Returns how deep an exit from another body may be at most.
pub(crate) fn greatest_depth(of: Skin<'_>) -> f64 {
    of.surface.tree().map_or(0.0, |tree| (tree.bounds().max - tree.bounds().min).norm() / SHALLOW)
}

/// Whether the nearest exit of a vertex inside a solid, or on its surface, leads along the solid that has the vertex: no triangle of the
/// vertex faces it, and one of its edges is sharp. Also if it is at an edge or a vertex that touches, which decides no direction.
pub(crate) fn leads_along([of, into]: [Skin<'_>; 2], vertex: u32, nearest: &Place, undecided: f64) -> bool {
    if !of.is_solid() || !into.is_solid() || nearest.distance > undecided {
        return false;
    }
    let touches_edge =
        nearest.distance >= -undecided && !matches!(nearest.nearest.feature, SurfaceFeature::Face(_));
    let least = facing(of, vertex, &nearest.outward);
    touches_edge || least > FACING && has_sharp_edge(of, vertex)
}

/// Whether a sharp edge enters a triangle of the other body that none of its triangles faces: then it does not leave there.
pub(crate) fn enters_beside([of, into]: [Skin<'_>; 2], edge: u32, triangle: u32) -> bool {
    if !of.is_solid() || !into.is_solid() || !is_sharp(of, edge) {
        return false;
    }
    let Some(normals) = into.surface.normals() else { return false };
    let sides = sides(of, edge).into_iter().filter(|&side| side != NONE);
    least_cosine(of, sides, &normals.face(triangle)) > FACING
}

/// Whether an edge at a vertex is sharp.
fn has_sharp_edge(of: Skin<'_>, vertex: u32) -> bool {
    let adjacency = of.surface.adjacency();
    let edge_after = |corner: &u32| adjacency.triangle_edges[*corner as usize / 3][*corner as usize % 3];
    adjacency.corners_at(vertex).iter().any(|corner| is_sharp(of, edge_after(corner)))
}

/// Whether an edge is sharp.
fn is_sharp(of: Skin<'_>, edge: u32) -> bool {
    let [first, second] = sides(of, edge);
    let normals = of.surface.normals().filter(|_| second != NONE);
    normals.is_some_and(|normals| normals.face(first).dot(&normals.face(second)) <= SHARP)
}

/// Returns the triangles of an edge.
fn sides(of: Skin<'_>, edge: u32) -> [u32; 2] {
    of.surface.adjacency().edge_triangles[edge as usize]
}

/// Returns the triangles at a vertex.
fn triangles_at(of: Skin<'_>, vertex: u32) -> impl Iterator<Item = u32> {
    of.surface.adjacency().corners_at(vertex).iter().map(|corner| corner / 3)
}

/// Returns the least cosine between a direction and the normals of the triangles at a vertex.
fn facing(of: Skin<'_>, vertex: u32, outward: &Vector) -> f64 {
    least_cosine(of, triangles_at(of, vertex), outward)
}

/// Returns the least cosine between a direction and the normals of triangles.
fn least_cosine(of: Skin<'_>, triangles: impl Iterator<Item = u32>, outward: &Vector) -> f64 {
    let Some(normals) = of.surface.normals() else { return -1.0 };
    triangles.map(|triangle| normals.face(triangle).dot(outward)).fold(1.0, f64::min)
}
