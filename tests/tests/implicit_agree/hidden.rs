//! A function that keeps to itself what the fast searches ask for, so that branch and bound decides.

use palpate_geometry::implicit::internal::{Circle, EdgeSplit, OrientedBounds, Structure};
use palpate_geometry::implicit::{
    Cell, CellValues, Description, Exactness, ImplicitBody, ImplicitFunction, Sample,
};
use palpate_geometry::{GeometryError, Pose};
use palpate_math::{Aabb, Point, Vector};
use palpate_tests::{Function, Shape};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What stays visible beside values and bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    /// That the function is convex: over segments and triangles that makes branch and bound faster, over solids another
    /// search would decide.
    pub(crate) convexity: bool,
    /// That the body is a rod: in a mesh its depth is defined by its axis.
    pub(crate) rods: bool,
    /// How accurate the samples of a grid are, at which searches end.
    pub(crate) resolution: bool,
}

enum Of<'a> {
    Whole(Arc<dyn ImplicitFunction>),
    Part(&'a dyn ImplicitFunction),
}

/// A function of which everything is visible at first, while a body is made of it, and later only what branch and bound
/// needs.
struct Hidden<'a> {
    of: Of<'a>,
    kept: Kept,
    is_hidden: AtomicBool,
}

impl Hidden<'_> {
    fn of(&self) -> &dyn ImplicitFunction {
        match &self.of {
            Of::Whole(function) => function.as_ref(),
            Of::Part(function) => *function,
        }
    }

    fn is_open(&self) -> bool {
        !self.is_hidden.load(Ordering::Relaxed)
    }
}

/// A body, and one with the same pieces that is searched by branch and bound.
#[derive(Clone)]
pub(crate) struct Both {
    pub(crate) open: ImplicitBody,
    pub(crate) hidden: ImplicitBody,
}

impl Both {
    fn new(function: &Function, scale: f64, kept: Kept) -> Result<Self, GeometryError> {
        let of = function.build()?;
        let hidden = Arc::new(Hidden { of: Of::Whole(of.clone()), kept, is_hidden: AtomicBool::new(false) });
        let body = |of: Arc<dyn ImplicitFunction>| ImplicitBody::new(Pose::identity(), of)?.with_scale(scale);
        let both = Self { open: body(of)?, hidden: body(hidden.clone())? };
        hidden.is_hidden.store(true, Ordering::Relaxed);
        Ok(both)
    }
}

/// The bodies of the last functions: it takes time to find the pieces of a body.
#[derive(Default)]
pub(crate) struct Bodies {
    known: Vec<(Function, Both)>,
    /// Whether branch and bound goes on where a grid's samples are no more accurate.
    pub(crate) is_finer: bool,
}

/// How many are kept: of both sides.
const KEPT: usize = 2;

impl Bodies {
    /// Bodies whose branch and bound goes on beyond the accuracy of grids: slow, and it often does not converge.
    pub(crate) fn finer() -> Self {
        Self { is_finer: true, ..Self::default() }
    }

    /// The body of a shape that is an implicit one.
    pub(crate) fn of(&mut self, shape: &Shape, kept: Kept) -> Option<Both> {
        let Shape::Implicit { pose, scale, function } = shape else { return None };
        const VALID: &str = "generated shapes are valid";
        if !self.known.iter().any(|(known, _)| known == function) {
            self.known.truncate(KEPT - 1);
            self.known.insert(0, (function.clone(), Both::new(function, *scale, kept).expect(VALID)));
        }
        let (_, both) = self.known.iter().find(|(known, _)| known == function)?;
        let placed = |body: &ImplicitBody| {
            let mut body = body.clone().with_scale(*scale)?;
            body.set_pose(*pose)?;
            Ok::<_, GeometryError>(body)
        };
        Some(Both { open: placed(&both.open).expect(VALID), hidden: placed(&both.hidden).expect(VALID) })
    }
}

impl ImplicitFunction for Hidden<'_> {
    fn sample(&self, point: &Point) -> Sample {
        self.of().sample(point)
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        self.of().sublevel_bounds(level)
    }

    fn lipschitz(&self) -> Option<f64> {
        self.of().lipschitz()
    }

    fn resolution(&self) -> f64 {
        if self.kept.resolution || self.is_open() { self.of().resolution() } else { 0.0 }
    }

    fn exactness(&self) -> Exactness {
        self.of().exactness()
    }

    fn is_convex(&self) -> bool {
        (self.kept.convexity || self.is_open()) && self.of().is_convex()
    }

    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        self.of().bound_below(cell)
    }

    fn content(&self) -> Vec<f64> {
        self.of().content()
    }

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::Own(self))
    }
}

impl Structure for Hidden<'_> {
    fn is_connected(&self) -> bool {
        self.of().is_connected()
    }

    fn tangent_height(&self, point: &Point, sample: &Sample) -> f64 {
        self.of().tangent_height(point, sample)
    }

    fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut(CellValues) -> bool) {
        self.of().bounds_below(cell, visit);
    }

    fn bound_above(&self, cell: &Cell<'_>) -> CellValues {
        self.of().bound_above(cell)
    }

    fn edge_split(&self, cell: &Cell<'_>) -> Option<EdgeSplit> {
        self.of().edge_split(cell)
    }

    fn floor(&self) -> f64 {
        self.of().floor()
    }

    fn rounded_segment(&self) -> Option<([Point; 2], f64)> {
        self.of().rounded_segment().filter(|_| self.kept.rods || self.is_open())
    }

    fn rounded_circle(&self) -> Option<(Circle, f64)> {
        self.of().rounded_circle().filter(|_| self.is_open())
    }

    fn oriented_bounds(&self) -> Option<OrientedBounds> {
        self.of().oriented_bounds()
    }

    fn over_parts(&self, visit: &mut dyn FnMut(&dyn ImplicitFunction)) -> bool {
        self.of().over_parts(&mut |part| {
            let is_hidden = AtomicBool::new(!self.is_open());
            visit(&Hidden { of: Of::Part(part), kept: self.kept, is_hidden });
        })
    }

    fn tangents(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        self.of().tangents(point, visit);
    }
}
