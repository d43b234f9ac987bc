//! Complement of a body.

use crate::base::{Cell, CellValues, EdgeSplit, Exactness, Sample};
use crate::function::{Description, ImplicitFunction, Structure};
use palpate_math::{Aabb, Point};
use std::sync::Arc;

/// The complement of a body.
pub(super) struct Complement {
    pub(super) part: Arc<dyn ImplicitFunction>,
}

impl ImplicitFunction for Complement {
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

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::Complement { own: self, of: &self.part })
    }

    fn content(&self) -> Vec<f64> {
        let mut content = self.part.content();
        content.push(-1.0);
        content
    }
}

impl Structure for Complement {
    fn bound_above(&self, cell: &Cell<'_>) -> CellValues {
        self.part.bound_below(cell).map(|value| -value)
    }

    fn edge_split(&self, cell: &Cell<'_>) -> Option<EdgeSplit> {
        self.part.edge_split(cell)
    }
}
