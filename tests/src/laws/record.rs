//! Invariants of a single contact: no NaN, a unit direction, weights that locate the contact, points connected by
//! the depth.

use crate::compare::ROUNDING;
use crate::laws::solids::Solid;
use crate::oracle::{is_of_piece, is_searched};
use crate::{Case, Shape, Subject};
use palpate_contact::{Contact, ContactId, Feature, FeatureKind, IdPart, NONE};
use palpate_detect::{Context, Flags};
use palpate_math::{Point, Vector};

/// The law of the record.
pub(crate) fn record(subject: &Subject<'_>, case: &Case) -> Result<usize, String> {
    let (a, b) = (case.a.prepared(), case.b.prepared());
    let mut bound = subject.bind(case, a.as_ref(), b.as_ref())?;
    let context = Context::new().with_margin(case.margin);
    let (found, flags) = subject.run_with_flags(&mut bound, a.as_ref(), b.as_ref(), &context)?;
    // A search over a solid that ended early reports this and its remaining error.
    let ended_early = is_searched(case, &case.a) || is_searched(case, &case.b);
    let ended_early = ended_early && flags.contains(Flags::ITERATION_LIMIT);
    let bounds_apart = if ended_early { ENDED_EARLY } else { CERTIFIED } * case.size();
    for (index, contact) in found.contacts.iter().enumerate() {
        let limited = is_of_piece(case, contact) && flags.contains(Flags::ITERATION_LIMIT);
        let bounds_apart = if limited { ENDED_IN_MESH * case.size() } else { bounds_apart };
        one(case, contact, bounds_apart)
            .map_err(|reason| format!("contact {index}: {reason}: {contact:?}"))?;
    }
    Ok(found.len())
}

/// Gap between the certified bounds of a depth, relative to the size of the case.
const CERTIFIED: f64 = 1e-9;

/// The same where the result is flagged because a search ended early: smooth unions whose minimum is flat.
const ENDED_EARLY: f64 = 1e-4;

/// The same for the deepest point of a body in a mesh, where many faces may be equally close.
const ENDED_IN_MESH: f64 = 5e-2;

fn one(case: &Case, contact: &Contact, bounds_apart: f64) -> Result<(), String> {
    let rounding = ROUNDING * case.size();
    let direction = Vector::from(contact.direction);
    let [a, b] = [&contact.a, &contact.b].map(Feature::surface_point);
    wanted((direction.norm() - 1.0).abs() <= ROUNDING, "the direction is not unit")?;
    wanted(contact.depth.is_finite() && contact.depth >= -case.margin, "the depth is beyond the margin")?;
    wanted(contact.depth_upper >= contact.depth, "the upper bound is below the depth")?;
    // No search gets closer to its minimum than a grid's resolution.
    let resolution = case.resolution();
    wanted(
        contact.depth_upper <= contact.depth + bounds_apart + resolution,
        "the upper bound is far above the depth",
    )?;
    wanted(contact.time_of_impact.is_nan(), "a static contact has a time of impact")?;
    wanted(
        (a + direction * contact.depth - b).norm() <= rounding,
        "depth and direction do not join the points",
    )?;
    for (side, shape, sign, other) in [
        (&contact.a, &case.a, 1.0, Side { feature: &contact.b, shape: &case.b, sign: -1.0 }),
        (&contact.b, &case.b, -1.0, Side { feature: &contact.a, shape: &case.a, sign: 1.0 }),
    ] {
        element(side, shape)?;
        let own = Side { feature: side, shape, sign };
        // The deepest point of a searched body may lie in its interior instead of on its surface.
        let off = if is_searched(case, shape) {
            crate::oracle::off_deepest(case, contact)
        } else if is_of_chord(case, contact) && shape.vertices().is_empty() {
            // A chord of a body that passes through a surface exits over an edge from within the body.
            Solid::new(shape).signed(&side.surface_point()).max(0.0)
        } else if is_of_piece(case, contact) && matches!(shape, Shape::Implicit { .. }) {
            crate::oracle::off_body(case, contact)
        } else {
            crate::oracle::off_surface(shape, &side.surface_point(), &own.bare(contact), case)
        };
        let searched = case.search_tolerance().unwrap_or(0.0) * case.size();
        // Where a search ended early, the point is as accurate as the bounds.
        let searched =
            if bounds_apart > CERTIFIED * case.size() { searched.max(bounds_apart) } else { searched };
        wanted(off <= rounding.max(searched), "a point is not on its shape's surface")?;
        weights(case, contact, &own, &other)?;
    }
    Ok(())
}

/// Whether a contact belongs to the exit of a whole convex body from a mesh, by its id.
fn is_of_chord(case: &Case, contact: &Contact) -> bool {
    let detectors =
        ["surface_mesh_convex", "tetra_mesh_convex", "surface_mesh_capsule", "closed_surface_mesh_capsule"];
    detectors.contains(&case.detector)
        && ContactId::parts(contact.id).iter().any(|part| matches!(part, IdPart::Inside(_)))
}

fn wanted(holds: bool, otherwise: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise.to_owned()) }
}

struct Side<'a> {
    feature: &'a Feature,
    shape: &'a Shape,
    /// Sign of the direction: outward of the other side, +1 for A and -1 for B.
    sign: f64,
}

impl Side<'_> {
    /// The point on the bare element: the surface point without the radius. A's lies against its direction.
    fn bare(&self, contact: &Contact) -> Point {
        let outward = Vector::from(contact.direction) * self.sign;
        self.feature.surface_point() + outward * self.shape.rounding_radius()
    }

    /// The point located by the weights.
    fn weighted(&self) -> Point {
        let weights = self.feature.vertex_weights().iter();
        let vertices = self.feature.vertex_ids().iter().map(|&id| self.shape.vertices()[id as usize]);
        Point::from(
            vertices
                .zip(weights)
                .fold(Vector::zeros(), |sum, (vertex, weight)| sum + vertex.coords * *weight),
        )
    }
}

/// The vertices exist and belong to the cell.
fn element(feature: &Feature, shape: &Shape) -> Result<(), String> {
    let count = feature.feature_kind().vertex_count() as usize;
    wanted(feature.vertex_count as usize == count, "the number of vertices is not that of the kind")?;
    wanted(feature.vertices[count..].iter().all(|&id| id == NONE), "a vertex past the count")?;
    wanted(feature.weights[count..].iter().all(|&weight| weight == 0.0), "a weight past the count")?;
    let ids = feature.vertex_ids();
    wanted(ids.iter().all(|&id| (id as usize) < shape.vertices().len()), "a vertex that is not there")?;
    let cell: Option<Vec<u32>> = match shape {
        Shape::LineMesh { cells, .. } => cells.get(feature.cell as usize).map(|ids| ids.to_vec()),
        Shape::SurfaceMesh { cells, .. } => cells.get(feature.cell as usize).map(|ids| ids.to_vec()),
        Shape::TetraMesh { cells, .. } => cells.get(feature.cell as usize).map(|ids| ids.to_vec()),
        _ => return Ok(()),
    };
    wanted(
        cell.is_some_and(|cell| ids.iter().all(|id| cell.contains(id))),
        "the cell does not own the element",
    )
}

/// Whether the detector pushes bodies out along a triangle's normal by more than the depth of their closest point
/// below it.
fn leaves_along(case: &Case) -> bool {
    let always = [
        "closed_surface_mesh_surface_mesh",
        "surface_mesh_convex",
        "tetra_mesh_convex",
        "surface_mesh_tetra_mesh",
    ];
    always.contains(&case.detector) || crate::oracle::has_front(case)
}

/// The weights are between zero and one, sum to one and locate the contact.
fn weights(case: &Case, contact: &Contact, side: &Side<'_>, other: &Side<'_>) -> Result<(), String> {
    if side.feature.feature_kind() == FeatureKind::Point {
        return Ok(());
    }
    let weights = side.feature.vertex_weights();
    wanted(weights.iter().all(|weight| (0.0..=1.0).contains(weight)), "a weight outside of 0 to 1")?;
    wanted((weights.iter().sum::<f64>() - 1.0).abs() <= ROUNDING, "the weights do not sum to 1")?;
    let place = side.weighted();
    let rounding = ROUNDING * case.size();
    if side.feature.feature_kind() == FeatureKind::Tetrahedron {
        // They locate the other side's point inside it.
        return wanted(
            (place - other.bare(contact)).norm() <= rounding,
            "the weights do not give the inner point",
        );
    }
    if (place - side.bare(contact)).norm() <= rounding {
        return Ok(());
    }
    // Where a capsule's axis or a thread pierces a triangle of a sheet, they locate the piercing point.
    let pierced = side.feature.feature_kind() == FeatureKind::Triangle
        && matches!(other.shape, Shape::Capsule { .. } | Shape::LineMesh { .. })
        && crate::oracle::distance_to_axis(other.shape, &place) <= rounding;
    // Where a body leaves a solid's triangle along its normal, they locate the point closest to the surface point.
    let left_along = side.feature.feature_kind() == FeatureKind::Triangle && leaves_along(case) && {
        let ids = [0, 1, 2].map(|corner| side.feature.vertices[corner]);
        let corners = ids.map(|id| side.shape.vertices()[id as usize]);
        crate::oracle::is_nearest_place(&corners, &place, &side.bare(contact), rounding)
    };
    wanted(pierced || left_along, "the weights do not give the surface point")
}
