//! The impacts of candidates, each pair of elements once.

use super::candidates::Candidate;
use super::elements::{Moving, elements, leaves};
use super::emit_once::emit_once;
use crate::{Chunk, Chunks, Context, Flags, Status};
use palpate_contact::CollisionData;
use palpate_math::continuous::Certainty;
use std::ops::Range;

/// Candidates and buffers of a continuous detector; no state between steps.
#[derive(Default)]
pub(crate) struct Impacts {
    pub(crate) candidates: Vec<Candidate>,
    chunks: Chunks,
    found: CollisionData,
    keys: Vec<(u64, usize)>,
}

/// A candidate takes about a microsecond.
const CHUNK: usize = 64;

impl Impacts {
    pub(crate) fn begin(&mut self) {
        self.candidates.clear();
    }

    /// Appends the impacts of all candidates of the two sides, in their order; of several for one pair of elements the
    /// earliest. An impact in which the one element leaves the inside of the other's solid is no contact.
    pub(crate) fn finish(
        &mut self,
        a: &Moving<'_>,
        b: &Moving<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        self.candidates.sort_unstable();
        self.candidates.dedup();
        let (candidates, margin) = (&self.candidates, context.margin());
        self.found.clear();
        let job = |range: Range<usize>, chunk: &mut Chunk| {
            for &candidate in &candidates[range] {
                let elements = elements(a, b, candidate);
                let Some(impact) = elements.impact(margin) else { continue };
                if matches!(impact.certainty, Certainty::Open | Certainty::Late) {
                    chunk.flags |= Flags::OPEN_IMPACT;
                }
                let found = elements.contact(&impact, margin);
                if !leaves(a, b, candidate, &impact, &found) {
                    chunk.contacts.push(found.contact);
                }
            }
        };
        let flags = self.chunks.run(context.executor(), candidates.len(), CHUNK, job, &mut self.found);
        emit_once(&self.found.contacts, &mut self.keys, &mut out.contacts);
        flags.into()
    }
}
