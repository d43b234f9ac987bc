//! Two elements that could meet in a step, and the proof that they do not.

use super::closest::{Closest, ConvexMemory, closest};
use super::element::Element;
use super::implicit::{self, Moved};
use super::step::{Step, When};
use palpate_math::continuous::{
    MovingPoint, Options, edge_edge, vertex_edge, vertex_triangle, vertex_vertex,
};
use palpate_math::{Point, Vector};

/// The memory of the queries.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) convex: ConvexMemory,
    pub(super) moved: Moved,
}

/// Two elements that do not touch at the start of the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) a: Element,
    pub(super) b: Element,
    /// Unit, from B to A: separates the two at the start.
    pub(super) normal: Vector,
    /// A point near both.
    pub(super) origin: Point,
    /// Metres: the distance to be kept, radii included; of a function its value.
    pub(super) need: f64,
    /// Metres: how far the end is beyond the plane across the normal, where that is that of a function's gradient.
    pub(super) missing: f64,
    /// Whether B is a function, and the normal is found where the motion is not proved.
    is_of_function: bool,
    /// Whether they are farther apart than that at the start, by more than rounding.
    is_far: bool,
    /// The number of their pair.
    pub(super) pair: usize,
    /// When they were found apart last.
    pub(super) checked: u32,
    /// Whether it has shortened a motion.
    pub(super) has_held: bool,
}

/// Rounding errors within which two elements at their least distance are not asked for impacts.
const FAR: f64 = 1.0 + 1e-6;

impl Near {
    /// Two elements of a pair that keeps the distance `kept`, radii included; closer, they keep the distance they have.
    pub(super) fn new(step: &Step<'_>, [a, b]: [Element; 2], normal: Vector, kept: f64, pair: usize) -> Self {
        let vertex = |element: &Element| {
            element.vertices().first().map(|id| step.position(element.part, *id, When::Start))
        };
        let origin = vertex(&a).or(vertex(&b)).unwrap_or_else(|| step.place(a.part, When::Start).origin);
        let mut near =
            Self { a, b, normal, origin, need: kept, ..Self::of_function(step, [a, b], kept, pair) };
        near.is_of_function = false;
        let apart = near.gap(step, When::Start);
        near.need = kept.min(apart.max(0.0));
        near.is_far = apart > FAR * kept;
        near
    }

    pub(super) fn is_of_function(&self) -> bool {
        self.is_of_function
    }

    /// An element and a function that keep a value.
    pub(super) fn of_function(step: &Step<'_>, [a, b]: [Element; 2], need: f64, pair: usize) -> Self {
        Self {
            a,
            b,
            normal: Vector::y(),
            origin: step.place(b.part, When::Start).origin,
            need,
            missing: 0.0,
            is_of_function: true,
            is_far: false,
            pair,
            checked: 0,
            has_held: false,
        }
    }

    /// The gap between the two along the normal; negative if they overlap along it.
    fn gap(&self, step: &Step<'_>, when: When) -> f64 {
        self.gap_along(step, when, &self.normal)
    }

    fn gap_along(&self, step: &Step<'_>, when: When, normal: &Vector) -> f64 {
        let lowest = step.lowest(&self.a, when, normal, &self.origin);
        lowest + step.lowest(&self.b, when, &-normal, &self.origin)
    }

    /// Whether the two are proved not to meet, nor to come nearer than `need` at the end.
    ///
    /// One direction that separates two convex sets at the start and at the end separates them throughout, when their points
    /// move on straight ways: the gap of each pair of points along it is linear in time.
    pub(super) fn is_apart(&mut self, step: &Step<'_>, memory: &mut Scratch) -> bool {
        if self.is_of_function {
            let found = implicit::first_hit(step, [&self.a, &self.b], self.need, &mut memory.moved);
            let Some(plane) = found else { return true };
            (self.normal, self.origin, self.missing) = (plane.normal, plane.origin, plane.missing);
            return false;
        }
        self.is_enough(step, self.gap(step, When::End))
            || (step.is_unmoved(&self.a) && step.is_unmoved(&self.b))
            || (self.is_far && self.is_apart_otherwise(step, memory))
    }

    fn is_enough(&self, step: &Step<'_>, gap: f64) -> bool {
        gap >= self.need - step.tolerance && gap > 4.0 * step.tolerance
    }

    /// By the exact query of the first impact, or by the direction at the end.
    fn is_apart_otherwise(&self, step: &Step<'_>, memory: &mut Scratch) -> bool {
        let moving = |element: &Element, k: usize| {
            let [start, end] =
                [When::Start, When::End].map(|when| step.position(element.part, element.vertices()[k], when));
            MovingPoint::new(start, end)
        };
        let (a, b) = (|k| moving(&self.a, k), |k| moving(&self.b, k));
        let options = Options::with_separation(self.need);
        let impact = match (self.a.vertices().len(), self.b.vertices().len()) {
            (1, 1) => vertex_vertex(&a(0), &b(0), &options),
            (1, 2) => vertex_edge(&a(0), &[b(0), b(1)], &options),
            (2, 1) => vertex_edge(&b(0), &[a(0), a(1)], &options),
            (1, 3) => vertex_triangle(&a(0), &[b(0), b(1), b(2)], &options),
            (3, 1) => vertex_triangle(&b(0), &[a(0), a(1), a(2)], &options),
            (2, 2) => edge_edge(&[a(0), a(1)], &[b(0), b(1)], &options),
            _ => return self.has_common_direction(step, memory),
        };
        impact.is_none()
    }

    /// Whether the direction between the closest points at the end, or that in the middle, separates the two at both times.
    fn has_common_direction(&self, step: &Step<'_>, memory: &mut Scratch) -> bool {
        let found = closest(step, [&self.a, &self.b], When::End, f64::INFINITY, &mut memory.convex);
        let Closest::Apart(normal, _) = found else { return false };
        [normal, self.normal + normal].into_iter().any(|along| {
            along.try_normalize(0.0).is_some_and(|along| {
                [When::Start, When::End]
                    .into_iter()
                    .all(|when| self.is_enough(step, self.gap_along(step, when, &along)))
            })
        })
    }

    /// Divides the gap at the start between the two, and takes from both what leads beyond: what is missing is shared in the
    /// ratio of how far each comes nearer; a tool gives up its share last.
    pub(super) fn divide(&self, step: &mut Step<'_>) {
        if self.is_of_function {
            let (normal, origin, missing) = (self.normal, self.origin, self.missing);
            let plane = implicit::Plane { normal, origin, missing };
            return implicit::divide(step, [&self.a, &self.b], &plane, self.pair);
        }
        let Self { a, b, normal, origin, pair, .. } = self;
        let heights = |step: &Step<'_>, when| {
            [step.lowest(a, when, normal, origin), step.lowest(b, when, &-normal, origin)]
        };
        let ([a0, b0], [a1, b1]) = (heights(step, When::Start), heights(step, When::End));
        let missing = self.need.max(5.0 * step.tolerance) - (a1 + b1);
        let (from_a, from_b) = ((a0 - a1).max(0.0), (b0 - b1).max(0.0));
        let [share_a, share_b] = step.shares([a, b], missing, [from_a, from_b]);
        step.lift(a, (normal, origin), a1 + share_a, *pair);
        step.lift(b, (&-normal, origin), b1 + share_b, *pair);
    }

    /// How far the two are nearer than `need` when one side, a tool, is at another place.
    pub(super) fn missing_of_tool(&self, step: &Step<'_>, lowest_of_tool: f64, is_tool_a: bool) -> f64 {
        let other = if is_tool_a {
            step.lowest(&self.b, When::End, &-self.normal, &self.origin)
        } else {
            step.lowest(&self.a, When::End, &self.normal, &self.origin)
        };
        self.need - (lowest_of_tool + other)
    }
}
