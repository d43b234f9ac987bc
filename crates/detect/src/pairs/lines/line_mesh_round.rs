//! Segments against a round body (a core with a radius); shared by the detectors of a line mesh against sphere and
//! capsule.

use crate::Context;
use crate::contact_ids::{id_of_first, line_part};
use crate::mesh::ReportedFeatures;
use crate::rounded_contact::{are_apart, rounded_contact};
use palpate_contact::{CollisionData, Contact, Feature};
use palpate_geometry::LineMesh;
use palpate_math::nearest::SegmentFeature;
use palpate_math::{Aabb, Point, Vector};

/// A round body: a core's bounds and radius.
pub(crate) struct Round {
    /// Bounds of the bare core.
    pub(crate) bounds: Aabb,
    pub(crate) radius: f64,
}

/// The closest points of a segment and a core.
pub(crate) struct LineNearest {
    /// The parameter along the segment: the weight of its end.
    pub(crate) t: f64,
    pub(crate) feature: SegmentFeature,
    pub(crate) on_line: Point,
    pub(crate) on_core: Point,
    /// The index of the core's feature.
    pub(crate) number: u32,
}

/// Reusable memory of a line mesh detector; carries no state between steps.
#[derive(Debug, Default)]
pub(crate) struct LineScratch {
    seen: ReportedFeatures,
    candidates: Vec<u32>,
}

/// Adds one contact per segment whose closest point to the core is within contact distance, or per vertex if that
/// point is a shared end; in segment order.
pub(crate) fn lines_against(
    lines: &LineMesh,
    round: &Round,
    nearest: impl Fn(&Point, &Point) -> LineNearest,
    fallback: impl Fn(&Vector) -> Vector,
    scratch: &mut LineScratch,
    context: &Context<'_>,
    out: &mut CollisionData,
) {
    let Some(tree) = lines.tree() else { return };
    let reach = round.radius + lines.radius() + context.margin();
    scratch.candidates.clear();
    tree.overlap(&round.bounds.grown(reach), |cell| scratch.candidates.push(cell));
    scratch.candidates.sort_unstable();
    scratch.seen.clear();
    for &cell in &scratch.candidates {
        let [start, end] = lines.segment(cell);
        let pair = nearest(&start, &end);
        if are_apart(&pair.on_line, &pair.on_core, reach) {
            continue;
        }
        let vertex = end_vertex(lines, cell, pair.feature);
        if vertex.is_some_and(|vertex| !scratch.seen.first_vertex(vertex)) {
            continue;
        }
        let way_out = || fallback(&(end - start));
        let balls = rounded_contact(&pair.on_line, lines.radius(), &pair.on_core, round.radius, way_out);
        if context.reports(balls.depth) {
            let (a, id) = line_feature(lines, cell, vertex, pair.t, balls.point_a);
            let b = Feature::numbered(pair.number, balls.point_b);
            out.push(Contact::exact(a, b, balls.direction, balls.depth, id));
        }
    }
}

/// Returns the vertex of segment `cell` that `feature` denotes, if it is an end.
pub(crate) fn end_vertex(lines: &LineMesh, cell: u32, feature: SegmentFeature) -> Option<u32> {
    let [start, end] = lines.cells()[cell as usize];
    match feature {
        SegmentFeature::Start => Some(start),
        SegmentFeature::End => Some(end),
        SegmentFeature::Interior => None,
    }
}

/// Returns the side of a contact on a line mesh, and its id.
pub(crate) fn line_feature(
    lines: &LineMesh,
    cell: u32,
    vertex: Option<u32>,
    t: f64,
    surface_point: Point,
) -> (Feature, u64) {
    let id = id_of_first(line_part(vertex, cell));
    match vertex {
        Some(vertex) => {
            let feature = Feature::vertex(vertex, lines.points().owner(vertex), surface_point);
            (feature, id)
        }
        None => {
            let ids = lines.cells()[cell as usize];
            (Feature::edge(ids, [1.0 - t, t], cell, surface_point), id)
        }
    }
}
