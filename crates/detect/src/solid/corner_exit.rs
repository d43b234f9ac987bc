//! Exits of sharp corners and edges that lie beside the border of a face.
//!
//! Where two boxes are stacked flush, the nearest exit of a corner leads along the boxes to the side: its distance, a lower bound of the
//! translation that separates the bodies, is 0 however far these overlap. A better lower bound is the translation that
//! separates two convex parts of the bodies, one grown around the corner and one around a face that the corner faces. Where it is as long
//! as the exit through that face, the corner leaves there.

use crate::room;
use crate::solid::skin::{Place, Skin};
use arrayvec::ArrayVec;
use palpate_contact::NONE;
use palpate_convex::{DynSupport, Memory, RigidTransform, Settings, SupportMap, contact};
use palpate_geometry::{SurfaceFeature, SurfaceMesh};
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

/// Maximum number of triangles near a corner: a body that is finer there has vertices of its own that tell more.
const MOST_NEAR: usize = 256;

/// How far a vertex of a convex part may be in front of a face of it, relative to the size of a triangle: flat faces that were deformed
/// a little are still flat.
const FLAT: f64 = 1e-3;

/// Cosines that differ by less are equal.
const SAME: f64 = 1e-9;

/// The error of the distance between two convex parts, relative to their size.
const ACCURACY: f64 = 1e-9;

/// The search for the exit of a corner, with the convex parts of both bodies; the memory of the query outlives it.
pub(crate) struct CornerExit<'m> {
    memory: &'m mut Memory<Vector>,
    parts: [ConvexPart; 2],
}

/// A convex part of a body: the hull of the vertices of some of its triangles.
#[derive(Default)]
struct ConvexPart {
    triangles: ArrayVec<u32, MOST_TRIANGLES>,
    planes: ArrayVec<Plane, MOST_TRIANGLES>,
    vertices: ArrayVec<u32, MOST_VERTICES>,
    points: ArrayVec<Point, MOST_VERTICES>,
}

/// The plane of a triangle.
#[derive(Clone, Copy)]
struct Plane {
    normal: Vector,
    offset: f64,
    /// How far in front of it a point may be.
    slack: f64,
}

impl Plane {
    fn of(surface: &SurfaceMesh, triangle: u32) -> Self {
        let corners = surface.corners(triangle);
        let normal = surface.normals().map_or(Vector::zeros(), |normals| normals.face(triangle));
        let size = corners.iter().map(|corner| (corner - corners[0]).norm()).fold(0.0, f64::max);
        Self { normal, offset: normal.dot(&corners[0].coords), slack: FLAT * size }
    }

    fn is_behind(&self, point: &Point) -> bool {
        self.normal.dot(&point.coords) - self.offset <= self.slack
    }
}

impl<'m> CornerExit<'m> {
    pub(crate) fn new(memory: &'m mut Option<Box<Memory<Vector>>>) -> Self {
        Self { memory: memory.get_or_insert_default(), parts: Default::default() }
    }

    /// Returns the exit of a vertex whose nearest exit [leads along its solid](leads_along), through the nearest face that one of its
    /// triangles faces. Distances that differ by no more than `undecided` are equal.
    pub(crate) fn of_vertex(
        &mut self,
        [of, into]: [Skin<'_>; 2],
        vertex: u32,
        nearest: &Place,
        undecided: f64,
        candidates: &mut Vec<u32>,
    ) -> Option<Place> {
        let reach = self.grow_first(of, triangles_at(of, vertex))?;
        let tree = into.surface.tree().filter(|_| -nearest.distance < reach)?;
        let (normals, adjacency) = (into.surface.normals()?, into.surface.adjacency());
        let position = of.surface.points().positions()[vertex as usize];
        candidates.clear();
        let mut count = 0;
        tree.overlap(&Aabb::from_point(position).grown(reach), |triangle| {
            count += 1;
            if count <= MOST_NEAR {
                room::push(candidates, triangle);
            }
        });
        if count > MOST_NEAR {
            return None;
        }
        candidates.retain(|&triangle| {
            let normal = normals.face(triangle);
            let is_behind = (position - into.surface.corners(triangle)[0]).dot(&normal) <= undecided;
            is_behind && facing(of, vertex, &normal) <= FACING
        });
        // The nearest of them; of those as near the one that the vertex faces most; of those the first.
        let distance = |triangle: u32| (into.surface.nearest_on(triangle, &position).point - position).norm();
        let facing_of = |triangle: u32| facing(of, vertex, &normals.face(triangle));
        let nearest_distance = candidates.iter().map(|&triangle| distance(triangle)).fold(reach, f64::min);
        candidates.retain(|&triangle| distance(triangle) <= nearest_distance + undecided);
        let most_facing = candidates.iter().map(|&triangle| facing_of(triangle)).fold(1.0, f64::min);
        candidates.retain(|&triangle| facing_of(triangle) <= most_facing + SAME);
        let triangle = candidates.iter().copied().min_by_key(|&triangle| adjacency.rank(triangle))?;
        let (place, distance) = (into.surface.nearest_on(triangle, &position), distance(triangle));
        let outward = separation::between(&position, &place.point).0;
        let outward = outward.unwrap_or_else(|| normals.face(triangle));
        let leads_out = facing(of, vertex, &outward) <= FACING
            && self.is_shortest(into, [triangle, NONE], &outward, distance);
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
            && self.grow_first(of, sides(of, edge)).is_some()
            && self.is_shortest(into, sides(into, side), outward, distance)
    }

    /// Grows the part of the first body, and returns how deep an exit may be at most.
    fn grow_first(&mut self, of: Skin<'_>, triangles: impl IntoIterator<Item = u32>) -> Option<f64> {
        let part = &mut self.parts[0];
        part.grow(of, triangles).then(|| part.size() / SHALLOW)
    }

    /// Whether no translation shorter than `distance` separates the part of the first body from one of the second around triangles, and
    /// both are long beside it along `outward`.
    fn is_shortest(&mut self, into: Skin<'_>, around: [u32; 2], outward: &Vector, distance: f64) -> bool {
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
        found.depth_lower >= distance - slack
    }
}

impl ConvexPart {
    /// Becomes the part with these faces, and those around them as long as it is convex. Returns whether the first ones are faces of a
    /// convex part.
    fn grow(&mut self, of: Skin<'_>, first: impl IntoIterator<Item = u32>) -> bool {
        self.triangles.clear();
        self.planes.clear();
        self.vertices.clear();
        self.points.clear();
        for triangle in first.into_iter().filter(|triangle| *triangle != NONE) {
            if self.add(of.surface, triangle).is_err() {
                return false;
            }
        }
        let (first, mut next) = (self.points.len(), 0);
        let mut refused: ArrayVec<Plane, MOST_TRIANGLES> = ArrayVec::new();
        while next < self.triangles.len() {
            for edge in of.surface.adjacency().triangle_edges[self.triangles[next] as usize] {
                for other in of.surface.adjacency().edge_triangles[edge as usize] {
                    let is_new = other != NONE && !self.triangles.contains(&other);
                    if let Some(Refused::NotConvex(plane)) =
                        is_new.then(|| self.add(of.surface, other).err()).flatten()
                        && refused.try_push(plane).is_err()
                    {
                        return false;
                    }
                }
            }
            next += 1;
        }
        // A refused triangle is beyond a reflex edge: points in front of its plane may be outside the body.
        let is_within = |point: &Point| refused.iter().all(|plane| plane.is_behind(point));
        let are_within = self.points[..first].iter().all(is_within);
        self.points.retain(|point| is_within(point));
        are_within
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
    fn add(&mut self, surface: &SurfaceMesh, triangle: u32) -> Result<(), Refused> {
        let (ids, corners) = (surface.triangles()[triangle as usize], surface.corners(triangle));
        let plane = Plane::of(surface, triangle);
        let is_convex = self.points.iter().all(|point| plane.is_behind(point))
            && self.planes.iter().all(|plane| corners.iter().all(|corner| plane.is_behind(corner)));
        if !is_convex {
            return Err(Refused::NotConvex(plane));
        }
        let added = ids.iter().filter(|id| !self.vertices.contains(id)).count();
        if self.vertices.len() + added > MOST_VERTICES || self.triangles.is_full() {
            return Err(Refused::Full);
        }
        self.triangles.push(triangle);
        self.planes.push(plane);
        for (id, corner) in ids.into_iter().zip(corners) {
            if !self.vertices.contains(&id) {
                self.vertices.push(id);
                self.points.push(corner);
            }
        }
        Ok(())
    }
}

/// Why a triangle is not added to a part.
enum Refused {
    NotConvex(Plane),
    Full,
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

/// Whether the nearest exit of a vertex of a sharp edge, inside a solid or on its surface, leads along the solid that has the vertex: no
/// triangle of the vertex faces it. Also if it is at an edge or a vertex that touches, which decides no direction.
pub(crate) fn leads_along([of, into]: [Skin<'_>; 2], vertex: u32, nearest: &Place, undecided: f64) -> bool {
    if !of.is_solid() || !into.is_solid() || nearest.distance > undecided {
        return false;
    }
    let touches_edge =
        nearest.distance >= -undecided && !matches!(nearest.nearest.feature, SurfaceFeature::Face(_));
    let least = facing(of, vertex, &nearest.outward);
    (touches_edge || least > FACING) && has_sharp_edge(of, vertex)
}

/// Whether an edge is sharp and neither of its triangles faces the triangle of the other body that it enters: then it does not leave
/// there.
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
    normals.is_some_and(|normals| {
        let [first, second] = [first, second].map(|triangle| normals.face(triangle));
        // A degenerate triangle has no normal.
        first.amax() > 0.0 && second.amax() > 0.0 && first.dot(&second) <= SHARP
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::implicit::surface_samples::mesh;

    /// A prism from y = 0 to y = 1 whose section is an outline of x and z, given the triangles of the section.
    fn prism(outline: &[[f64; 2]; 6], section: &[[u32; 3]]) -> SurfaceMesh {
        let vertices: [[f64; 3]; 12] = std::array::from_fn(|k| {
            let [x, z] = outline[k % 6];
            [x, (k / 6) as f64, z]
        });
        let walls = (0..6_u32).flat_map(|i| {
            let j = (i + 1) % 6;
            [[i, i + 6, j], [j, i + 6, j + 6]]
        });
        let caps = section.iter().flat_map(|&[a, b, c]| [[a, b, c], [a + 6, c + 6, b + 6]]);
        mesh(&vertices, &caps.chain(walls).collect::<Vec<_>>())
    }

    fn grown(surface: &SurfaceMesh, vertex: u32) -> (bool, ConvexPart) {
        let (mut part, skin) = (ConvexPart::default(), Skin::of_surface(surface));
        (part.grow(skin, triangles_at(skin, vertex)), part)
    }

    #[test]
    fn all_of_a_convex_body_is_one_part() {
        let outline = [[0.0, 0.0], [2.0, -1.0], [3.0, 0.0], [3.0, 1.0], [2.0, 2.0], [0.0, 1.0]];
        let surface = prism(&outline, &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]);
        let (is_convex, part) = grown(&surface, 0);
        assert_eq!((is_convex, part.points.len()), (true, 12));
    }

    /// A thin leg under one end of a long slab: from the foot no part leads round the inner corner, whichever triangles come first.
    #[test]
    fn a_part_does_not_bridge_a_reflex_corner() {
        let outline = [[-0.01, 0.0], [0.0, 0.0], [0.0, 1.0], [-3.0, 1.0], [-3.0, 0.95], [-0.01, 0.95]];
        let surface = prism(&outline, &[[0, 1, 5], [1, 2, 5], [2, 3, 5], [3, 4, 5]]);
        for vertex in [0, 1, 6, 7] {
            let (is_convex, part) = grown(&surface, vertex);
            let is_in_leg = part.points.iter().all(|point| point.x > -0.1);
            assert!(!is_convex || is_in_leg, "{vertex}: {:?}", part.points);
        }
        // The star of a vertex of the reflex edge is not convex.
        assert!(!grown(&surface, 5).0);
    }
}
