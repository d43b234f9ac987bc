//! Complement of a body.

use super::term::terms_of;
use super::{
    Cell, CellValues, Description, EdgeSplit, Exactness, ImplicitFunction, Sample, SegmentJets,
    SegmentProfile, SegmentSpan, Term,
};
use palpate_math::{Aabb, Point, Vector};
use std::sync::Arc;

/// The complement of a body.
pub(super) struct Complement {
    pub(super) part: Arc<dyn ImplicitFunction>,
}

impl ImplicitFunction for Complement {
    fn complement(&self) -> Option<&dyn ImplicitFunction> {
        Some(self.part.as_ref())
    }

    fn sample(&self, point: &Point) -> Sample {
        let sample = self.part.sample(point);
        Sample { value: -sample.value, gradient: -sample.gradient, ..sample }
    }

    fn sublevel_bounds(&self, _: f64) -> Aabb {
        Aabb::ALL
    }

    fn lipschitz(&self) -> Option<f64> {
        self.part.lipschitz()
    }

    fn resolution(&self) -> f64 {
        self.part.resolution()
    }

    fn exactness(&self) -> Exactness {
        let Exactness { inside, outside } = self.part.exactness();
        Exactness { inside: outside, outside: inside }
    }

    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        self.part.bound_above(cell).map(|value| -value)
    }

    fn bound_above(&self, cell: &Cell<'_>) -> CellValues {
        self.part.bound_below(cell).map(|value| -value)
    }

    fn segment_jets(&self, point: &Point, way: &Vector, jets: &mut SegmentJets) {
        self.part.segment_jets(point, way, jets);
    }

    fn segment_profile(&self, span: &mut SegmentSpan<'_>) -> Option<SegmentProfile> {
        self.part.segment_profile(span).map(SegmentProfile::negated)
    }

    fn edge_split(&self, cell: &Cell<'_>) -> Option<EdgeSplit> {
        self.part.edge_split(cell)
    }

    fn over_terms<'a>(&'a self, is_taken: bool, visit: &mut dyn FnMut(Term<'a>)) -> bool {
        terms_of(self.part.as_ref(), !is_taken, visit)
    }

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::Complement(&self.part))
    }

    fn content(&self) -> Vec<f64> {
        let mut content = self.part.content();
        content.push(-1.0);
        content
    }
}
