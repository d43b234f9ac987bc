//! Points against a solid with a signed distance; shared by the detectors of a point set against a primitive.

use crate::contact_ids::id_of_first;
use crate::{Chunks, Context, Flags};
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_geometry::{PointSet, SignedDistance};
use palpate_math::Point;

/// Vertices per chunk: some microseconds of work, far more than the cost of dispatching it to a thread.
const VERTICES_PER_CHUNK: usize = 1024;

/// Adds one contact per vertex (a sphere, if the points have a radius) that is inside the solid or within the margin,
/// in vertex order. The contact's id is the vertex.
pub(crate) fn points_against(
    points: &PointSet,
    signed_distance: impl Fn(&Point) -> SignedDistance + Sync,
    chunks: &mut Chunks,
    context: &Context<'_>,
    out: &mut CollisionData,
) -> Flags {
    let positions = points.positions();
    let job = |range: std::ops::Range<usize>, chunk: &mut crate::Chunk| {
        for vertex in range {
            let position = positions[vertex];
            let signed = signed_distance(&position);
            let depth = points.radius() - signed.distance;
            if context.reports(depth) {
                chunk.contacts.push(vertex_contact(points, vertex as u32, &signed, depth));
            }
        }
    };
    chunks.run(context.executor(), positions.len(), VERTICES_PER_CHUNK, job, out)
}

/// Returns the contact of a vertex whose signed distance is `signed`.
pub(crate) fn vertex_contact(points: &PointSet, vertex: u32, signed: &SignedDistance, depth: f64) -> Contact {
    let position = points.positions()[vertex as usize];
    let surface = position - signed.gradient * points.radius();
    let a = Feature::vertex(vertex, points.owner(vertex), surface);
    let b = Feature::numbered(signed.feature, signed.nearest);
    Contact::exact(a, b, signed.gradient, depth, id_of_first(IdPart::Vertex(vertex)))
}
