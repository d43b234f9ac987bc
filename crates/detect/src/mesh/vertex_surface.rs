//! Vertices against a surface by signed distance; shared by the detectors of points and of meshes against a surface.

use crate::contact_ids::{exchanged, id_of_first};
use crate::mesh::surface_sides::SurfaceSidedness;
use crate::mesh::{ClearBalls, faces_away};
use crate::pairs::SurfaceSides;
use crate::{Chunk, Chunks, Context, Flags, room};
use palpate_contact::{CollisionData, Contact, Feature, IdPart, NONE};
use palpate_geometry::{PointSet, Sidedness, SignedDistance, SurfaceMesh, SurfaceNearest};
use palpate_math::nearest::point_triangle_distance_squared;
use palpate_math::{Aabb, Point};
use std::sync::atomic::{AtomicU32, Ordering};

/// Vertices per chunk: each costs a tree traversal of about a microsecond.
const VERTICES_PER_CHUNK: usize = 256;

/// The search of vertices against a surface, with its memory.
#[derive(Debug, Default)]
pub(crate) struct VertexPass {
    chunks: Chunks,
    /// The triangle that was closest to each vertex when it was last searched for, [`NONE`] at first. It bounds the next
    /// search and does not affect what that finds; chunks on other threads write it.
    closest: Vec<AtomicU32>,
}

impl VertexPass {
    /// Reports one contact per vertex that is inside the closed surface, or within radius, thickness and margin of it, in
    /// vertex order; a is the vertex. Nothing is inside an open surface, but a vertex that touches it may be behind.
    pub(crate) fn detect(
        &mut self,
        points: &PointSet,
        surface: &SurfaceMesh,
        sides: SurfaceSides,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Flags {
        self.closest.resize_with(points.positions().len(), || AtomicU32::new(NONE));
        let Self { chunks, closest } = self;
        let reach = points.radius() + surface.radius() + context.margin();
        let Some(tree) = surface.tree() else { return Flags::empty() };
        let search = Search {
            surface,
            sidedness: sides.sidedness(surface),
            touching: points.radius() + surface.radius(),
            reach,
            bounds: tree.bounds().grown(reach),
            reach_squared: square_above(reach),
        };
        let positions = points.positions();
        let job = |range: std::ops::Range<usize>, chunk: &mut Chunk| {
            let (mut near, mut clear) = (None, ClearBalls::default());
            for vertex in range {
                let position = &positions[vertex];
                if clear.hold(position) {
                    continue;
                }
                let last = closest[vertex].load(Ordering::Relaxed);
                let found = search.signed_distance(position, if last == NONE { near } else { Some(last) });
                let Some((signed, nearest)) = found else { continue };
                let triangle = surface.owner(nearest.feature);
                closest[vertex].store(triangle, Ordering::Relaxed);
                near = Some(triangle);
                let depth = points.radius() + surface.radius() - signed.distance;
                if is_divided_by(surface) {
                    clear.add(position, signed.distance, reach);
                }
                if context.reports(depth) {
                    let contact = vertex_contact(points, vertex as u32, surface, &signed, &nearest, depth);
                    room::push(&mut chunk.contacts, contact);
                }
            }
        };
        let flags = chunks.run(context.executor(), positions.len(), VERTICES_PER_CHUNK, job, out);
        flags | flags_of_sides(surface)
    }

    /// Clears the memory of earlier steps.
    pub(crate) fn reset(&mut self) {
        self.closest.clear();
    }
}

/// Whether points on different sides are separated by the surface. By the winding number of one with holes they need not be.
pub(crate) fn is_divided_by(surface: &SurfaceMesh) -> bool {
    !surface.is_closed() || surface.sidedness() == Sidedness::Pseudonormals
}

/// Returns the flags that say how the sides of the surface were decided.
pub(crate) fn flags_of_sides(surface: &SurfaceMesh) -> Flags {
    let of_sides = match (surface.is_closed(), surface.sidedness()) {
        (false, _) => return Flags::OPEN_SURFACE,
        (true, Sidedness::WindingNumber) => Flags::WINDING_NUMBER,
        (true, Sidedness::Pseudonormals) => Flags::empty(),
    };
    if surface.is_self_intersecting() { of_sides | Flags::SELF_INTERSECTING } else { of_sides }
}

/// Returns the square of `length`, rounded up so that a point at exactly this distance is within the bound.
pub(crate) fn square_above(length: f64) -> f64 {
    (length * length * (1.0 + 8.0 * f64::EPSILON)).next_up()
}

/// Returns the squared distance of a point from a triangle; infinity without one, or if it was removed.
pub(crate) fn squared_distance_to(surface: &SurfaceMesh, triangle: Option<u32>, point: &Point) -> f64 {
    triangle.filter(|&triangle| !surface.is_removed(triangle)).map_or(f64::INFINITY, |triangle| {
        let [a, b, c] = surface.corners(triangle);
        point_triangle_distance_squared(point, &a, &b, &c)
    })
}

/// Returns the first triangle, by rank, within a distance of a point, given one that is.
pub(crate) fn first_within(surface: &SurfaceMesh, point: &Point, reach: f64, mut first: u32) -> u32 {
    let adjacency = surface.adjacency();
    if let Some(tree) = surface.tree() {
        tree.in_ball(point, reach, |triangle, _| {
            let precedes = adjacency.rank(triangle) < adjacency.rank(first);
            if precedes && squared_distance_to(surface, Some(triangle), point).sqrt() <= reach {
                first = triangle;
            }
        });
    }
    first
}

struct Search<'a> {
    surface: &'a SurfaceMesh,
    sidedness: SurfaceSidedness,
    /// The distance at which a vertex touches the surface.
    touching: f64,
    /// The distance at which a vertex is reported.
    reach: f64,
    bounds: Aabb,
    reach_squared: f64,
}

impl Search<'_> {
    /// Returns the signed distance of a point that may be in contact; `None` if it is certainly too far. For a sheet
    /// the distance is unsigned and points away from the closest point, except for points that are pushed through it:
    /// points within reach behind a one-sided sheet, and points inside a closed one that do not touch it. A triangle
    /// likely to be `near` the point bounds the search.
    fn signed_distance(&self, point: &Point, near: Option<u32>) -> Option<(SignedDistance, SurfaceNearest)> {
        if !self.bounds.contains_point(point) {
            return None;
        }
        let bound = if self.surface.is_closed() { f64::INFINITY } else { self.reach_squared };
        let bound = bound.min(squared_distance_to(self.surface, near, point));
        let (mut signed, nearest) = self.surface.signed_distance(point, bound)?;
        let inward = match self.sidedness {
            SurfaceSidedness::Solid => return Some((signed, nearest)),
            SurfaceSidedness::Front => {
                signed.distance.abs() <= self.reach && faces_away(self.surface, &nearest, point)
            }
            SurfaceSidedness::Sheet => self.surface.is_closed() && signed.distance < -self.touching,
        };
        if inward != (signed.distance < 0.0) {
            signed.distance = -signed.distance;
            signed.gradient = -signed.gradient;
        }
        Some((signed, nearest))
    }
}

fn vertex_contact(
    points: &PointSet,
    vertex: u32,
    surface: &SurfaceMesh,
    signed: &SignedDistance,
    nearest: &SurfaceNearest,
    depth: f64,
) -> Contact {
    let position = points.positions()[vertex as usize];
    let outward = signed.gradient;
    let a = Feature::vertex(vertex, points.owner(vertex), position - outward * points.radius());
    let b = surface.contact_feature(nearest, nearest.point + outward * surface.radius());
    Contact::exact(a, b, outward, depth, id_of_first(IdPart::Vertex(vertex)))
}

/// Returns a contact found with the sides exchanged; its vertex belongs to the second side.
pub(crate) fn of_second_side(contact: &Contact) -> Contact {
    Contact { id: exchanged(contact.id), ..contact.mirrored() }
}
