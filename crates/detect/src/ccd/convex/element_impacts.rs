//! First impacts of the elements of a mesh with a convex body, each element once.

use super::moving_body::{MovingBody, origins};
use super::moving_element::{ElementAndBody, MovingElement, Place};
use crate::ccd::emit_once::emit_once;
use crate::contact_ids::id_of_first;
use crate::{Chunk, Chunks, Context, ConvexBody, Flags, Status};
use palpate_contact::{CollisionData, ContactId, Feature, IdPart};
use palpate_convex::Memory;
use palpate_math::continuous::MovingPoint;
use palpate_math::{Aabb, Point, Vector};
use std::ops::Range;

/// Candidates and buffers of a detector of a mesh against a convex body; no state between steps.
#[derive(Default)]
pub(crate) struct ElementImpacts {
    pub(crate) candidates: Vec<u32>,
    chunks: Chunks,
    found: CollisionData,
    keys: Vec<(u64, usize)>,
    voided: Vec<(u64, f64)>,
}

/// A side of elements of one kind, by their numbers.
pub(crate) trait Elements: Sync {
    /// The moving vertices of an element.
    fn element(&self, number: u32) -> ([MovingPoint; 3], usize);

    /// The feature at a place of an element, given its surface point, and its part of the id.
    fn feature(&self, number: u32, place: &Place, point: Point) -> (Feature, IdPart);

    /// The radius of the elements, metres.
    fn radius(&self) -> f64;

    /// Calls `void` with the boundary features of this one: their later impacts repeat its own and are voided.
    fn over_boundary(&self, _part: IdPart, _void: &mut dyn FnMut(IdPart)) {}

    /// Whether a body with this velocity relative to the place leaves a solid there, which is no contact. `offset` leads from the
    /// place to a body that is within the margin, and is zero at a touch: from the outside nothing leaves.
    fn leaves(&self, _number: u32, _place: &Place, _time: f64, _velocity: &Vector, _offset: &Vector) -> bool {
        false
    }
}

/// The part of the margin below which a distance is rounding.
const SMALL: f64 = 1e-9;

/// Candidates of a chunk; each takes a few microseconds.
const CHUNK: usize = 16;

/// Returns the swept box of a body over the step, enlarged by `reach`.
pub(crate) fn swept_bounds(body: &ConvexBody<'_>, reach: f64) -> Aabb {
    body.swept_bounds().grown(reach).padded()
}

impl ElementImpacts {
    pub(crate) fn begin(&mut self) {
        self.candidates.clear();
    }

    /// Appends the impacts of all candidates, in their order; of several at one vertex or edge the earliest.
    pub(crate) fn finish(
        &mut self,
        elements: &impl Elements,
        body: ConvexBody<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        self.candidates.sort_unstable();
        self.candidates.dedup();
        let motion = body.motion();
        let reference = origins(&motion);
        let moving = MovingBody::new(body, &reference);
        let (radius, margin) = (elements.radius(), context.margin());
        let candidates = &self.candidates;
        self.found.clear();
        let job = |range: Range<usize>, chunk: &mut Chunk| {
            for &number in &candidates[range] {
                let (vertices, count) = elements.element(number);
                let element = MovingElement::new(&vertices[..count]);
                let memory = chunk.scratch.get::<Memory<Vector>>();
                let mut pair = ElementAndBody::new(&element, &moving, &reference, memory);
                let Some((impact, place)) = pair.impact(radius, margin) else { continue };
                let moved = motion.origin(impact.time);
                let on_body = Point::from(impact.found.point_b + moved);
                let velocity = motion.velocity(&on_body, impact.time) - element.velocity(&place.weights);
                let offset = impact.found.point_b - impact.found.point_a;
                let is_apart = offset.norm() > SMALL * margin && margin > 0.0;
                let offset = if is_apart { offset } else { Vector::zeros() };
                if elements.leaves(number, &place, impact.time, &velocity, &offset) {
                    continue;
                }
                let feature = |point: Point| elements.feature(number, &place, point);
                let contact = pair.contact(&impact, &place, radius, moved, feature);
                chunk.contacts.push(contact);
                if impact.open {
                    chunk.flags |= Flags::OPEN_IMPACT;
                }
            }
        };
        let flags = self.chunks.run(context.executor(), candidates.len(), CHUNK, job, &mut self.found);
        self.drop_voided(elements);
        emit_once(&self.found.contacts, &mut self.keys, &mut out.contacts);
        flags.into()
    }

    /// Drops the contacts of edges and vertices at which the body arrives no earlier than at a triangle or an edge that they
    /// bound: edges between two triangles are no obstacles of their own.
    fn drop_voided(&mut self, elements: &impl Elements) {
        let Self { found, voided, .. } = self;
        voided.clear();
        for contact in &found.contacts {
            let [part, _] = ContactId::parts(contact.id);
            let mut void = |bounding| voided.push((id_of_first(bounding), contact.time_of_impact));
            elements.over_boundary(part, &mut void);
        }
        voided.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        voided.dedup_by_key(|(id, _)| *id);
        found.contacts.retain(|contact| {
            let earlier = voided.binary_search_by_key(&contact.id, |(id, _)| *id);
            earlier.map_or(true, |at| voided[at].1 > contact.time_of_impact)
        });
    }
}
