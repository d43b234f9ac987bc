//! The impacts of candidates, each pair of elements once.

use super::candidates::Candidate;
use super::contact::{AtImpact, Element, contact_at};
use super::emit_once::emit_once;
use crate::{Chunk, Chunks, Context, Flags, Status};
use palpate_contact::CollisionData;
use palpate_math::Vector;
use palpate_math::continuous::{
    Certainty, Impact, MovingPoint, Options, edge_edge, vertex_edge, vertex_triangle, vertex_vertex,
};
use std::ops::Range;

/// Candidates and buffers of a continuous detector; no state between steps.
#[derive(Default)]
pub(crate) struct Impacts {
    pub(crate) candidates: Vec<Candidate>,
    chunks: Chunks,
    found: CollisionData,
    keys: Vec<(u64, usize)>,
}

/// The two elements of a candidate. A vertex has one moving point, an edge two, a triangle three.
pub(crate) struct Elements {
    pub(crate) moving: [MovingPoint; 4],
    pub(crate) ids: [u32; 4],
    /// How many of the vertices are those of A.
    pub(crate) of_a: usize,
    pub(crate) count: usize,
    pub(crate) cells: [u32; 2],
    pub(crate) numbers: [u32; 2],
    pub(crate) radii: [f64; 2],
}

/// A candidate takes about a microsecond.
const CHUNK: usize = 64;

impl Impacts {
    pub(crate) fn begin(&mut self) {
        self.candidates.clear();
    }

    /// Appends the impacts of all candidates, in their order; of several for one pair of elements the earliest.
    /// `leaves` says of an impact that the elements leave each other's inside: these are no contacts.
    pub(crate) fn finish(
        &mut self,
        elements: impl Fn(Candidate) -> Elements + Sync,
        leaves: impl Fn(Candidate, &Elements, &Impact, &Vector) -> bool + Sync,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        self.candidates.sort_unstable();
        self.candidates.dedup();
        let (candidates, margin) = (&self.candidates, context.margin());
        self.found.clear();
        let job = |range: Range<usize>, chunk: &mut Chunk| {
            for &candidate in &candidates[range] {
                let elements = elements(candidate);
                let Some(impact) = elements.impact(margin) else { continue };
                if matches!(impact.certainty, Certainty::Open | Certainty::Late) {
                    chunk.flags |= Flags::OPEN_IMPACT;
                }
                let AtImpact { contact, approach } = elements.contact(&impact, margin);
                if !leaves(candidate, &elements, &impact, &approach) {
                    chunk.contacts.push(contact);
                }
            }
        };
        let flags = self.chunks.run(context.executor(), candidates.len(), CHUNK, job, &mut self.found);
        emit_once(&self.found.contacts, &mut self.keys, &mut out.contacts);
        flags.into()
    }
}

impl Elements {
    fn impact(&self, margin: f64) -> Option<Impact> {
        let options = Options::with_separation(self.radii[0] + self.radii[1] + margin);
        let [p, q, r, s] = &self.moving;
        match (self.of_a, self.count) {
            (1, 2) => vertex_vertex(p, q, &options),
            (1, 3) => vertex_edge(p, &[*q, *r], &options),
            (1, _) => vertex_triangle(p, &[*q, *r, *s], &options),
            (2, _) => edge_edge(&[*p, *q], &[*r, *s], &options),
            _ => vertex_triangle(s, &[*p, *q, *r], &options).map(|impact| {
                let [vertex, first, second, third] = impact.weights;
                Impact { weights: [first, second, third, vertex], ..impact }
            }),
        }
    }

    /// The elements of both sides.
    pub(crate) fn sides(&self) -> [Element<'_>; 2] {
        let side = |range: Range<usize>, side: usize| Element {
            moving: &self.moving[range.clone()],
            ids: &self.ids[range],
            cell: self.cells[side],
            number: self.numbers[side],
            radius: self.radii[side],
        };
        [side(0..self.of_a, 0), side(self.of_a..self.count, 1)]
    }

    fn contact(&self, impact: &Impact, margin: f64) -> AtImpact {
        let [a, b] = self.sides();
        contact_at(&a, &b, impact, a.radius + b.radius + margin)
    }
}

/// Of a sheet, or of two threads, every impact is a contact.
pub(crate) fn never_leaves(_: Candidate, _: &Elements, _: &Impact, _: &Vector) -> bool {
    false
}
