//! The part of a smooth union that is in neither of its two bodies.

use crate::implicit::bounds::below_the_higher;
use crate::implicit::{Blend, Cell, Exactness, ImplicitFunction, OrientedBounds, Sample};
use palpate_math::{Aabb, Point, Vector};

/// A smooth union, where both of its bodies are within its radius. That contains the fillet: where the union is not positive and the
/// values of both bodies are, the lower is at most a quarter of the radius, and the higher at most the radius.
pub(super) struct Fillet<'a> {
    whole: &'a dyn ImplicitFunction,
    parts: [&'a dyn ImplicitFunction; 2],
    radius: f64,
}

impl<'a> Fillet<'a> {
    /// Creates the fillet of a union, from which nothing is subtracted.
    pub(super) fn new(whole: &'a dyn ImplicitFunction, blend: &Blend<'a>) -> Self {
        Self { whole, parts: blend.parts, radius: blend.radius }
    }

    /// Returns a box around the fillet; `None` if there is none.
    pub(super) fn bounds(&self) -> Option<OrientedBounds> {
        let bounds = |part: usize, share: f64| self.parts[part].sublevel_bounds(share * self.radius);
        let common = [[bounds(0, 0.25), bounds(1, 1.0)], [bounds(0, 1.0), bounds(1, 0.25)]]
            .map(|[a, b]| overlap(&a, &b))
            .into_iter()
            .filter(|common| !common.is_empty());
        common.reduce(|a, b| a.merged(&b)).map(OrientedBounds::from)
    }

    /// Returns linear lower bounds of the values of both bodies less the radius.
    fn beyond(&self, cell: &Cell<'_>) -> [[f64; 4]; 2] {
        self.parts.map(|part| part.bound_below(cell).map(|value| value - self.radius))
    }
}

fn overlap(a: &Aabb, b: &Aabb) -> Aabb {
    Aabb { min: a.min.sup(&b.min), max: a.max.inf(&b.max) }
}

impl ImplicitFunction for Fillet<'_> {
    fn sample(&self, point: &Point) -> Sample {
        let beyond = self.parts.map(|part| {
            let sample = part.sample(point);
            Sample { value: sample.value - self.radius, ..sample }
        });
        let higher = |a: Sample, b: Sample| if b.value > a.value { b } else { a };
        beyond.into_iter().fold(self.whole.sample(point), higher)
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        let parts = self.parts.map(|part| part.sublevel_bounds(level + self.radius));
        parts.iter().fold(self.whole.sublevel_bounds(level), |common, bounds| overlap(&common, bounds))
    }

    fn lipschitz(&self) -> Option<f64> {
        let rates = self.parts.iter().map(|part| part.lipschitz());
        rates.fold(self.whole.lipschitz(), |a, b| a.zip(b).map(|(a, b)| a.max(b)))
    }

    fn exactness(&self) -> Exactness {
        Exactness::NOWHERE
    }

    fn bound_below(&self, cell: &Cell<'_>) -> [f64; 4] {
        let higher = |a: [f64; 4], b: [f64; 4]| below_the_higher(&a, &b, cell.corners.len());
        self.beyond(cell).into_iter().fold(self.whole.bound_below(cell), higher)
    }

    fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut([f64; 4])) {
        self.whole.bounds_below(cell, visit);
        self.beyond(cell).into_iter().for_each(visit);
    }

    fn tangents(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        self.whole.tangents(point, visit);
    }
}
