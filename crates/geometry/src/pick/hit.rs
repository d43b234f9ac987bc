//! Ray hits.

use super::Ray;
use crate::Pose;
use palpate_contact::Feature;
use palpate_math::{Point, Vector};

/// A factor by which two distances along a ray to the same point may differ, well above rounding error.
pub(super) const WITHIN_ROUNDING: f64 = 1.0 + 1e-9;

/// How a ray crosses a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// Entering, or from the front to the back of a sheet.
    Enter,
    /// Leaving, or from the back to the front of a sheet.
    Leave,
    /// Touching an edge or a vertex without crossing.
    Graze,
}

/// A hit of a ray on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance along the ray, in metres.
    pub distance: f64,
    /// The unit outward normal; at an edge or a vertex the direction of the sum of its triangles' normals.
    pub normal: Vector,
    /// The type of crossing.
    pub crossing: Crossing,
    /// The element hit, with its cell, its vertices and the barycentric weights of the point; for a shape without
    /// vertices the number of its feature. Its point is the hit point.
    pub feature: Feature,
}

impl Hit {
    /// Returns the hit point, world frame.
    pub fn point(&self) -> Point {
        self.feature.surface_point()
    }

    /// Returns the hit moved by a rigid motion.
    #[must_use]
    pub fn moved(mut self, motion: &Pose) -> Self {
        self.normal = motion.rotation * self.normal;
        self.feature.point = (motion * self.feature.surface_point()).into();
        self
    }
}

/// One end of the part of a line within a convex body.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) distance: f64,
    /// Outward.
    pub(super) normal: Vector,
}

/// The part of a line within a convex body.
pub(super) type Span = [End; 2];

/// Returns the intersection of two spans; `None` if it is empty.
pub(super) fn intersection(a: Span, b: Span) -> Option<Span> {
    let enter = if a[0].distance >= b[0].distance { a[0] } else { b[0] };
    let leave = if a[1].distance <= b[1].distance { a[1] } else { b[1] };
    (enter.distance <= leave.distance).then_some([enter, leave])
}

/// Returns the span from the first start to the last end.
pub(super) fn hull(spans: impl IntoIterator<Item = Option<Span>>) -> Option<Span> {
    spans.into_iter().flatten().reduce(|a, b| {
        let enter = if a[0].distance <= b[0].distance { a[0] } else { b[0] };
        let leave = if a[1].distance >= b[1].distance { a[1] } else { b[1] };
        [enter, leave]
    })
}

/// Returns the hit at an end of a span, if it lies on the ray.
pub(super) fn hit_at(
    ray: &Ray,
    end: End,
    crossing: Crossing,
    feature: impl FnOnce(Point) -> Feature,
) -> Option<Hit> {
    let End { distance, normal } = end;
    let on_ray = (0.0..=ray.length()).contains(&distance) && distance.is_finite();
    on_ray.then(|| Hit { distance, normal, crossing, feature: feature(ray.at(distance)) })
}

/// Returns the hits at both ends of a span.
pub(super) fn hits_of(
    ray: &Ray,
    [enter, leave]: Span,
    feature: impl Fn(Point) -> Feature,
) -> impl Iterator<Item = Hit> {
    let entered = hit_at(ray, enter, Crossing::Enter, &feature);
    entered.into_iter().chain(hit_at(ray, leave, Crossing::Leave, &feature))
}
