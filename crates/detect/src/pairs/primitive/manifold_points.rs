//! Conversion of manifold points to contacts.

use crate::Context;
use crate::contact_ids::id_of_manifold_point;
use palpate_contact::{CollisionData, Contact, Feature, NONE};
use palpate_convex::{ManifoldPoint, QueryResult, Termination};
use palpate_math::{Point, Vector};
use serde::{Deserialize, Serialize};

/// Settings of the detectors with a manifold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ManifoldSettings {
    /// Whether the contact area is reported as a manifold of several points (the default), or as the deepest point
    /// only.
    pub manifold: bool,
}

impl Default for ManifoldSettings {
    fn default() -> Self {
        Self { manifold: true }
    }
}

/// Adds the points of a manifold, in order.
pub(crate) fn push_points(out: &mut CollisionData, found: &QueryResult<Vector>, points: &[ManifoldPoint]) {
    for (index, point) in points.iter().enumerate() {
        push_point(out, found, index, point);
    }
}

/// Adds a point of a manifold. The first has the contact's certified bound; the others are exact on the two faces.
#[inline(always)]
pub(crate) fn push_point(
    out: &mut CollisionData,
    found: &QueryResult<Vector>,
    index: usize,
    point: &ManifoldPoint,
) {
    let on_a = Feature::numbered(point.features[0], Point::from(point.point_a));
    let on_b = point.point_a + found.direction * point.depth;
    let on_b = Feature::numbered(point.features[1], Point::from(on_b));
    let contact = Contact::exact(on_a, on_b, found.direction, point.depth, id_of_manifold_point(point.id));
    let depth_upper = if index == 0 { found.depth_upper.max(point.depth) } else { point.depth };
    out.push(Contact { depth_upper, ..contact });
}

/// Returns the contact's own point, without features.
pub(crate) fn own_point(found: &QueryResult<Vector>) -> ManifoldPoint {
    ManifoldPoint { point_a: found.point_a, depth: found.depth, id: 0, features: [NONE; 2] }
}

/// Returns the contact if it is within the margin. If its bounds leave that open it is reported: no contact is lost.
pub(crate) fn in_reach(mut found: QueryResult<Vector>, context: &Context<'_>) -> Option<QueryResult<Vector>> {
    if context.reports(found.depth_upper) && !context.reports(found.depth) {
        found.depth = -context.margin();
    }
    context.reports(found.depth).then_some(found)
}

/// Returns a closed-form contact, given A's point and the depth along a direction.
pub(crate) fn exactly(point_a: Vector, depth: f64, direction: Vector) -> QueryResult<Vector> {
    QueryResult {
        depth,
        depth_lower: depth,
        depth_upper: depth,
        direction,
        point_a,
        point_b: point_a + direction * depth,
        status: Termination::Exact,
        iterations: [0; 2],
    }
}
