//! A vertex, an edge or a triangle of a moving mesh against a moving convex body.

use super::advancement::{FirstImpact, MovingPair, first_impact};
use super::moving_body::MovingBody;
use crate::contact_ids::id_of_first;
use crate::convex_body::{query_point, query_segment, query_triangle_within};
use palpate_contact::{Contact, Feature, IdPart};
use palpate_convex::{Memory, QueryResult, Settings};
use palpate_math::continuous::MovingPoint;
use palpate_math::nearest::{point_segment, point_triangle};
use palpate_math::{Point, Vector};

/// The vertices of an element over the step: one, two or three.
#[derive(Clone, Copy)]
pub(crate) struct MovingElement {
    vertices: [MovingPoint; 3],
    count: usize,
}

/// The part of an element that is in contact, by the positions of its vertices in the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Vertex(usize),
    /// The edge from this vertex to the next.
    Edge(usize),
    Face,
}

/// Where an element is met.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) part: Part,
    pub(crate) weights: [f64; 3],
}

/// A point this close to a vertex or an edge, as a weight, is on it: it is rounding that puts it beside, and a shared feature
/// is then the same for all its elements.
const SNAP: f64 = 1e-9;

impl Place {
    /// The feature that vertices of some weight span.
    fn of_weights(weights: [f64; 3]) -> Self {
        let kept = weights.map(|weight| if weight > SNAP { weight } else { 0.0 });
        let sum: f64 = kept.iter().sum();
        let part = match kept.map(|weight| weight > 0.0) {
            [true, true, true] => Part::Face,
            [true, true, false] => Part::Edge(0),
            [false, true, true] => Part::Edge(1),
            [true, false, true] => Part::Edge(2),
            [true, false, false] => Part::Vertex(0),
            [false, true, false] => Part::Vertex(1),
            [false, false, _] => Part::Vertex(2),
        };
        Self { part, weights: kept.map(|weight| weight / sum) }
    }
}

impl MovingElement {
    pub(crate) fn new(moving: &[MovingPoint]) -> Self {
        let mut vertices = [moving[0]; 3];
        vertices[..moving.len()].copy_from_slice(moving);
        Self { vertices, count: moving.len() }
    }

    /// The same relative to a reference that moves on a straight line, given at both ends.
    fn relative_to(&self, reference: &[Vector; 2]) -> Self {
        let vertices = self
            .vertices
            .map(|vertex| MovingPoint { start: vertex.start - reference[0], end: vertex.end - reference[1] });
        Self { vertices, ..*self }
    }

    fn corners(&self, time: f64) -> [Point; 3] {
        self.vertices.map(|vertex| vertex.at(time))
    }

    /// The velocity of the weighted point, metres per step.
    pub(crate) fn velocity(&self, weights: &[f64; 3]) -> Vector {
        self.vertices
            .iter()
            .zip(weights)
            .fold(Vector::zeros(), |sum, (vertex, &weight)| sum + vertex.displacement() * weight)
    }

    /// The point of the element that is closest to a point, at a time.
    fn nearest(&self, point: &Point, time: f64) -> Place {
        let [a, b, c] = self.corners(time);
        match self.count {
            1 => Place::of_weights([1.0, 0.0, 0.0]),
            2 => {
                let t = point_segment(point, &a, &b).t;
                Place::of_weights([1.0 - t, t, 0.0])
            }
            _ => Place::of_weights(point_triangle(point, &a, &b, &c).weights),
        }
    }

    fn at(&self, weights: &[f64; 3], time: f64) -> Vector {
        let corners = self.corners(time);
        corners
            .iter()
            .zip(weights)
            .fold(Vector::zeros(), |sum, (corner, &weight)| sum + corner.coords * weight)
    }

    /// The greatest length of the element's edges at both ends.
    fn extent(&self) -> f64 {
        let at = |time: f64| {
            let [a, b, c] = self.corners(time);
            (b - a).norm().max((c - b).norm()).max((a - c).norm())
        };
        at(0.0).max(at(1.0))
    }

    /// The largest magnitude of a coordinate.
    fn largest(&self) -> f64 {
        let magnitude = |vertex: &MovingPoint| vertex.start.coords.amax().max(vertex.end.coords.amax());
        self.vertices.iter().map(magnitude).fold(0.0, f64::max)
    }
}

/// An element, the first side, and a body, relative to the origin of the body's pose.
pub(crate) struct ElementAndBody<'b, 'a, 'm> {
    element: MovingElement,
    body: &'b MovingBody<'a>,
    memory: &'m mut Memory<Vector>,
    size: f64,
    error: f64,
}

/// Rounding errors of the height of a vertex.
const ROUNDINGS: f64 = 32.0 * f64::EPSILON;

impl<'b, 'a, 'm> ElementAndBody<'b, 'a, 'm> {
    /// Creates the pair; `reference` is the moving origin of the body, at both ends of the step.
    pub(crate) fn new(
        element: &MovingElement,
        body: &'b MovingBody<'a>,
        reference: &[Vector; 2],
        memory: &'m mut Memory<Vector>,
    ) -> Self {
        let element = element.relative_to(reference);
        let extent = element.extent();
        let size = if extent > 0.0 { extent.min(body.size()) } else { body.size() };
        let error = body.error() + ROUNDINGS * element.largest();
        Self { element, body, memory, size, error }
    }

    /// The contact at the first impact within the radius of the element and the margin, and where on the element it is.
    pub(crate) fn impact(&mut self, radius: f64, margin: f64) -> Option<(FirstImpact, Place)> {
        let impact = first_impact(self, radius + margin)?;
        let place = self.element.nearest(&Point::from(impact.found.point_b), impact.time);
        Some((impact, place))
    }

    /// The record of a contact. `moved` is the reference at the impact.
    pub(crate) fn contact(
        &self,
        impact: &FirstImpact,
        place: &Place,
        radius: f64,
        moved: Vector,
        feature: impl FnOnce(Point) -> (Feature, IdPart),
    ) -> Contact {
        let found = &impact.found;
        let on_element = self.element.at(&place.weights, impact.time) - found.direction * radius;
        let (on_a, part) = feature(Point::from(on_element + moved));
        let on_b = Feature::point(Point::from(found.point_b + moved));
        let depth = radius - self.gap(&found.direction, 1.0);
        Contact {
            time_of_impact: impact.time,
            ..Contact::exact(on_a, on_b, found.direction, depth, id_of_first(part))
        }
    }
}

impl MovingPair for ElementAndBody<'_, '_, '_> {
    fn query(&mut self, time: f64) -> QueryResult<Vector> {
        let body = self.body.at(time);
        let corners = self.element.corners(time);
        let settings = Settings::default();
        match self.element.count {
            1 => query_point(&corners[0], &body, self.memory, &settings),
            2 => query_segment([&corners[0], &corners[1]], 0.0, &body, self.memory, &settings),
            _ => query_triangle_within(&corners, &body, f64::INFINITY, self.memory, &settings)
                .expect("no distance is beyond an infinite one"),
        }
    }

    fn gap(&self, along: &Vector, time: f64) -> f64 {
        let corners = self.element.corners(time);
        let height = |corner: &Point| along.dot(&corner.coords);
        let lowest = corners.iter().map(height).fold(f64::INFINITY, f64::min);
        lowest - self.body.height(along, time)
    }

    fn bend(&self, along: &Vector) -> f64 {
        self.body.bend(along)
    }

    fn size(&self) -> f64 {
        self.size
    }

    fn error(&self) -> f64 {
        self.error
    }

    fn guess(&self) -> Option<Vector> {
        let [start, end] = [0.0, 1.0].map(|time| self.element.at(&[1.0 / 3.0; 3], time));
        (start + end).try_normalize(0.0)
    }
}
