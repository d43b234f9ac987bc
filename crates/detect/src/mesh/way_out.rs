//! The direction in which a convex body leaves a solid or a sheet into which it reaches deeply.
//!
//! The depth of such a body is a lower bound: of its deepest point, of the flat part around a triangle, of a chord. Where it
//! reaches past the middle of a thin solid, or through the corner of a sheet, that exit leads the body into another part of the
//! mesh, and a body that follows it goes back and forth. The contact then keeps its depth and gets the direction of
//! the shortest translation that takes the body past all triangles which it overlaps: along the normal of one of them, or out of
//! their convex hull. That hull grows by the triangles that the body overlaps at the end of its way, until it is free: no way
//! out of a convex solid or a flat convex sheet is shorter.

use crate::ConvexBody;
use crate::convex_body::{query_map, query_point, query_triangle_within};
use crate::mesh::ConvexPair;
use crate::mesh::deepest_point::DeepestPoint;
use crate::mesh::through_surface::is_two_sided;
use crate::mesh::triangle_contact::is_far;
use crate::room;
use palpate_convex::{Memory, Settings, SupportMap};
use palpate_geometry::pick::{Crossing, Ray, first_own_triangle_hit};
use palpate_geometry::{SurfaceMesh, SurfaceNearest};
use palpate_math::direction::unit_or;
use palpate_math::{Aabb, Point, Vector};

/// A way this much longer than the depth leads out well enough.
const DETOUR: f64 = 1.125;

/// Another way has to be shorter by this factor.
const SHORTER: f64 = 0.875;

/// Depth at which a body and a triangle still overlap, relative to the size of the body.
const OVERLAP: f64 = 1e-7;

/// An exit with a smaller cosine to the normal of a sheet leads over a border.
const ASIDE: f64 = 0.5;

/// Directions that differ by less, as the norm of their difference, are one.
const SAME: f64 = 1e-6;

/// Ways that differ by less, relative to their length, are equally long, and distances, relative to the size of the body: the first
/// counts.
const EQUAL: f64 = 1e-6;

/// How far a projection goes beyond the body's surface, relative to the last.
const LESS: f64 = 0.75;

/// Projections until a place is found.
const PROJECTIONS: usize = 32;

/// The number of directions that are remembered as tried.
const TRIED: usize = 16;

/// How often the hull grows.
const GROWTHS: usize = 16;

/// A convex body in a solid or a sheet.
#[derive(Clone, Copy)]
pub(crate) struct WayOut<'a> {
    pub(crate) surface: &'a SurfaceMesh,
    pub(crate) body: &'a ConvexBody<'a>,
    /// The part of the surface, if it has several.
    pub(crate) part: Option<u32>,
    pub(crate) settings: &'a Settings,
    /// Whether the surface bounds a solid.
    pub(crate) is_solid: bool,
    /// Whether it is left on both sides.
    pub(crate) is_two_sided: bool,
}

/// The convex hull of triangles.
struct HullOf<'a> {
    surface: &'a SurfaceMesh,
    triangles: &'a [u32],
}

impl SupportMap for HullOf<'_> {
    fn support(&self, direction: &Vector) -> Point {
        let mut farthest = (f64::NEG_INFINITY, Point::origin());
        for &triangle in self.triangles {
            for corner in self.surface.corners(triangle) {
                let along = corner.coords.dot(direction);
                if along > farthest.0 {
                    farthest = (along, corner);
                }
            }
        }
        farthest.1
    }
}

/// Whether a way in the direction of an exit is much longer than that is deep.
fn is_much_longer(given: f64, exit: &DeepestPoint) -> bool {
    given > DETOUR * (exit.depth + exit.radius)
}

impl<'a> WayOut<'a> {
    /// The way out of a mesh, or of a part of it.
    pub(crate) fn new(pair: &'a ConvexPair<'a>, part: Option<u32>) -> Self {
        let ConvexPair { mesh, body, settings, .. } = pair;
        let (is_solid, is_two_sided) = (mesh.is_solid(), is_two_sided(pair));
        Self { surface: mesh.surface, body, part, settings, is_solid, is_two_sided }
    }

    /// Sets `triangles` to those `overlapped`, of the part, and returns the length of the way past them in the direction of an exit.
    /// `None` if the exit is taken to lead out: its way is not much longer than its depth, and it leads over no border of a sheet.
    /// Behind a border there may be a hole, and the sheet again.
    pub(crate) fn given(
        &self,
        exit: &DeepestPoint,
        overlapped: impl Iterator<Item = u32>,
        triangles: &mut Vec<u32>,
    ) -> Option<f64> {
        triangles.clear();
        room::extend(triangles, overlapped);
        // Over a border the part of the surface around one face may be left inward, but the solid along the face at most.
        let normal = self.surface.normals()?.face(self.surface.owner(exit.nearest.feature));
        let inward = if self.is_solid { normal.dot(&exit.outward).min(0.0) } else { 0.0 };
        let level = unit_or(&(exit.outward - normal * inward), &exit.outward);
        let given = self.way(triangles, &exit.nearest.point, &level, f64::INFINITY);
        (self.leads_aside(exit) || is_much_longer(given, exit)).then_some(given)
    }

    /// Whether an exit leads over the border of a sheet.
    pub(crate) fn leads_aside(&self, exit: &DeepestPoint) -> bool {
        let owner = self.surface.owner(exit.nearest.feature);
        let along = self.surface.normals().map_or(1.0, |normals| normals.face(owner).dot(&exit.outward));
        !self.is_solid && along.abs() < ASIDE
    }

    /// Returns an exit of the same depth along the shortest way past all `triangles` that are overlapped, if the [given](Self::given) one
    /// does not lead out, and a place for the other is found. It is shorter, unless the given one leads into the sheet again.
    pub(crate) fn shortest(
        &self,
        exit: &DeepestPoint,
        given: f64,
        triangles: &mut Vec<u32>,
        memory: &mut Memory<Vector>,
    ) -> Option<DeepestPoint> {
        let depth = exit.depth + exit.radius;
        if self.is_free(&(exit.outward * depth), triangles, memory) {
            return None;
        }
        let leads_on = !self.is_solid && !self.is_free(&(exit.outward * given.max(depth)), triangles, memory);
        if !leads_on && !is_much_longer(given, exit) {
            return None;
        }
        let limit = if leads_on { f64::INFINITY } else { SHORTER * given };
        let count = triangles.len();
        if self.is_solid {
            room::extend(triangles, self.sides(exit));
        }
        let seen = triangles.len();
        let shortest = self.along_normals(triangles, count, limit, &mut |_, _| true);
        let of_hull = self.out_of_hull(shortest, triangles, memory);
        triangles.truncate(seen);
        let of_hull = of_hull.filter(|outward| !self.leads_behind(&triangles[..count], outward));
        let mut best = of_hull.and_then(|outward| self.exit_along(outward, depth, triangles, memory));
        if best.is_none() {
            self.along_normals(triangles, count, limit, &mut |outward, triangles| {
                let other = self.exit_along(outward, depth, triangles, memory);
                best = other.or(best);
                other.is_some()
            });
        }
        best
    }

    /// Whether a unit direction leads behind the front of a sheet at one of some triangles.
    fn leads_behind(&self, triangles: &[u32], outward: &Vector) -> bool {
        let Some(normals) = self.surface.normals().filter(|_| !self.is_solid && !self.is_two_sided) else {
            return false;
        };
        triangles.iter().any(|&triangle| normals.face(triangle).dot(outward) < -SAME)
    }

    /// Returns the way along a unit direction that takes the body past a place and past triangles; no exact one from `limit` on.
    fn way(&self, triangles: &[u32], place: &Point, outward: &Vector, limit: f64) -> f64 {
        let lowest = self.body.map().support(&-outward).coords.dot(outward);
        let mut way = place.coords.dot(outward) - lowest;
        for corner in triangles.iter().flat_map(|&triangle| self.surface.corners(triangle)) {
            if way >= limit {
                break;
            }
            way = way.max(corner.coords.dot(outward) - lowest);
        }
        way
    }

    /// Returns the shortest way past the overlapped triangles, the first ones, along a normal of the triangles that is accepted;
    /// `limit` if none is shorter. What is accepted may append triangles and remove them again.
    fn along_normals(
        &self,
        triangles: &mut Vec<u32>,
        overlapped: usize,
        limit: f64,
        accepts: &mut dyn FnMut(Vector, &mut Vec<u32>) -> bool,
    ) -> f64 {
        let (mut shortest, mut tried, mut count) = (limit, [Vector::zeros(); TRIED], 0);
        let Some(normals) = self.surface.normals() else { return limit };
        let senses = if self.is_two_sided { &[1.0, -1.0][..] } else { &[1.0] };
        for number in 0..triangles.len() * senses.len() {
            let triangle = triangles[number / senses.len()];
            let outward = normals.face(triangle) * senses[number % senses.len()];
            if tried.iter().any(|other| (other - outward).norm_squared() < SAME * SAME) {
                continue;
            }
            tried[count % TRIED] = outward;
            count += 1;
            let place = self.surface.corners(triangle)[0];
            let along = self.way(&triangles[..overlapped], &place, &outward, shortest);
            if along < (1.0 - EQUAL) * shortest && accepts(outward, triangles) {
                shortest = along;
            }
        }
        shortest
    }

    /// Returns the triangles of the surface that are seen from within the solid, against the exit and along the axes of the body.
    fn sides(&self, exit: &DeepestPoint) -> impl Iterator<Item = u32> {
        let middle = nalgebra::center(&exit.nearest.point, &exit.point);
        let axes = [Vector::x(), Vector::y(), Vector::z()].map(|axis| self.body.turned(&axis));
        let opposite = std::iter::once(-exit.outward);
        let all = opposite.chain(axes.into_iter().flat_map(|axis| [axis, -axis]));
        all.filter_map(move |toward| self.seen_from(middle, toward))
    }

    /// Returns the triangle through which a ray leaves the solid, if it starts in it.
    fn seen_from(&self, start: Point, toward: Vector) -> Option<u32> {
        let ray = Ray::new(start, toward, self.surface.tree()?.bounds().diagonal_length()).ok()?;
        let hit = first_own_triangle_hit(self.surface, &ray)?;
        (hit.crossing == Crossing::Leave).then_some(hit.feature.cell)
    }

    /// Returns the direction of the shortest way out of the convex hull of triangles, which grows until the body is free; `None`
    /// if it is no shorter than `limit`.
    fn out_of_hull(
        &self,
        limit: f64,
        triangles: &mut Vec<u32>,
        memory: &mut Memory<Vector>,
    ) -> Option<Vector> {
        let Self { surface, body, .. } = *self;
        let middle = body.bounds().center();
        for _ in 0..GROWTHS {
            let hull = HullOf { surface, triangles };
            let found = query_map(&hull, body, memory, self.settings);
            if found.depth <= 0.0 || found.depth >= (1.0 - EQUAL) * limit {
                return None;
            }
            let shift = -found.direction * found.depth;
            let known = triangles.len();
            self.list_near(&shift, triangles);
            let mut added = known;
            for index in known..triangles.len() {
                let triangle = triangles[index];
                if !triangles[..known].contains(&triangle) && self.depth(triangle, &shift, memory).is_some() {
                    triangles[added] = triangle;
                    added += 1;
                }
            }
            triangles.truncate(added);
            let is_free = added == known;
            let seen = (is_free && self.is_solid)
                .then(|| self.seen_from(middle + shift, -found.direction))
                .flatten();
            match seen.filter(|triangle| !triangles.contains(triangle)) {
                Some(triangle) => room::push(triangles, triangle),
                None if is_free => return Some(-found.direction),
                None => {}
            }
        }
        None
    }

    /// Whether the body, once moved, overlaps no triangle and is not inside a solid.
    fn is_free(&self, shift: &Vector, triangles: &mut Vec<u32>, memory: &mut Memory<Vector>) -> bool {
        let known = triangles.len();
        self.list_near(shift, triangles);
        let overlaps =
            triangles[known..].iter().any(|&triangle| self.depth(triangle, shift, memory).is_some());
        triangles.truncate(known);
        let middle = self.body.bounds().center() + shift;
        !(overlaps || self.is_solid && self.seen_from(middle, *shift).is_some())
    }

    /// Appends the triangles of the part near the body when it is moved, in an order that does not depend on the tree.
    fn list_near(&self, shift: &Vector, triangles: &mut Vec<u32>) {
        let Self { surface, body, part, .. } = *self;
        let (bounds, known) = (body.bounds(), triangles.len());
        let moved = Aabb { min: bounds.min + shift, max: bounds.max + shift };
        let Some(tree) = surface.tree() else { return };
        tree.overlap(&moved, |triangle| {
            if part.is_none_or(|part| surface.adjacency().part_of(triangle) == part) {
                room::push(triangles, triangle);
            }
        });
        triangles[known..].sort_unstable_by_key(|&triangle| surface.adjacency().rank(triangle));
    }

    /// Returns the depth of a triangle in the body when it is moved; `None` if they do not overlap.
    fn depth(&self, triangle: u32, shift: &Vector, memory: &mut Memory<Vector>) -> Option<f64> {
        let corners = self.surface.corners(triangle).map(|corner| corner - shift);
        if is_far(self.body, &corners, 0.0) {
            return None;
        }
        let met = query_triangle_within(&corners, self.body, 0.0, memory, self.settings)?;
        (met.depth > OVERLAP * self.body.size()).then_some(met.depth)
    }

    /// Returns an exit of a depth along a direction: from a point of the body to a triangle that the body overlaps once it is moved
    /// by that depth. `triangles` is as before in the end.
    fn exit_along(
        &self,
        outward: Vector,
        depth: f64,
        triangles: &mut Vec<u32>,
        memory: &mut Memory<Vector>,
    ) -> Option<DeepestPoint> {
        let Self { surface, body, .. } = *self;
        let shift = outward * depth;
        // The triangle nearest to the body's own origin, whichever way both are turned; if there is no place on it, the deepest.
        let middle = if body.is_posed() { body.position() } else { body.bounds().center() };
        let (mut nearest, mut deepest) = ((f64::INFINITY, None), (0.0, None));
        // Triangles with a common edge are often equally near.
        let equal = EQUAL * body.size();
        let known = triangles.len();
        self.list_near(&shift, triangles);
        for &triangle in &triangles[known..] {
            let Some(depth) = self.depth(triangle, &shift, memory) else { continue };
            let far = (surface.nearest_on(triangle, &(middle + shift)).point - middle - shift).norm();
            if far < nearest.0 - equal {
                nearest = (far, Some(triangle));
            }
            if depth > deepest.0 + equal {
                deepest = (depth, Some(triangle));
            }
        }
        triangles.truncate(known);
        let inside = 0.5 * deepest.0;
        let place = [nearest.1, deepest.1]
            .into_iter()
            .flatten()
            .find_map(|triangle| self.place_on(triangle, &shift, &middle, inside, memory))?;
        Some(DeepestPoint { is_whole: false, ..DeepestPoint::below(place, outward, depth) })
    }

    /// Returns a place on a triangle that is in the body once it is moved; `None` if none is found. `inside` is how far a
    /// projection onto the body goes beyond its surface, so that it ends within.
    fn place_on(
        &self,
        triangle: u32,
        shift: &Vector,
        start: &Point,
        mut inside: f64,
        memory: &mut Memory<Vector>,
    ) -> Option<SurfaceNearest> {
        let Self { surface, body, settings, .. } = *self;
        let (normal, corner) = (surface.normals()?.face(triangle), surface.corners(triangle)[0]);
        let height = |point: &Point| (point + shift - corner).dot(&normal);
        let ends = [body.map().support(&-normal), body.map().support(&normal)];
        // Along a chord of the body into the plane of the triangle: a needle crosses it far from the point nearest to it.
        let into_plane = |point: Point| {
            let end = ends[usize::from(height(&point) < 0.0)];
            point + (end - point) * (height(&point) / (height(&point) - height(&end)))
        };
        let mut on_body = into_plane(*start);
        for _ in 0..PROJECTIONS {
            let nearest = surface.nearest_on(triangle, &(on_body + shift));
            let below = nearest.point - shift;
            let met = query_point(&below, body, memory, settings);
            if met.depth >= 0.0 {
                return Some(nearest);
            }
            on_body = into_plane(below + met.direction * (met.depth - inside));
            inside *= LESS;
        }
        None
    }
}
