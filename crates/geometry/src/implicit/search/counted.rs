//! Functions for tests of searches.

use crate::implicit::{
    Cell, CellValues, Description, EdgeSplit, Exactness, ImplicitFunction, OrientedBounds, Sample, Structure,
};
use palpate_math::{Aabb, Point};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A function that counts its evaluations, and keeps its closed forms to itself: it is always searched.
pub(in crate::implicit) struct Counted<'a>(
    pub(in crate::implicit) &'a dyn ImplicitFunction,
    pub(in crate::implicit) AtomicUsize,
);

impl ImplicitFunction for Counted<'_> {
    fn sample(&self, point: &Point) -> Sample {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.sample(point)
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        self.0.sublevel_bounds(level)
    }

    fn lipschitz(&self) -> Option<f64> {
        self.0.lipschitz()
    }

    fn exactness(&self) -> Exactness {
        self.0.exactness()
    }

    fn is_convex(&self) -> bool {
        self.0.is_convex()
    }

    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        self.0.bound_below(cell)
    }

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::Own(self))
    }
}

impl Structure for Counted<'_> {
    fn tangent_height(&self, point: &Point, sample: &Sample) -> f64 {
        self.0.tangent_height(point, sample)
    }

    fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut(CellValues)) {
        self.0.bounds_below(cell, visit);
    }

    fn edge_split(&self, cell: &Cell<'_>) -> Option<EdgeSplit> {
        self.0.edge_split(cell)
    }

    fn floor(&self) -> f64 {
        self.0.floor()
    }

    fn oriented_bounds(&self) -> Option<OrientedBounds> {
        self.0.oriented_bounds()
    }
}
