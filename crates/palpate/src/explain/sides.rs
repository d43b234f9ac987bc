//! What a surface is: a solid or a sheet, and how its inside is told.

use super::explanation::{Stage, Step};
use crate::geometry::{Geometry, Sidedness, TypedGeometry};
use serde_json::json;

/// Whether a surface mesh has an inside, and whether that can be trusted; `None` for other geometries.
pub(super) fn step(side: &str, geometry: &dyn Geometry) -> Option<Step> {
    let TypedGeometry::SurfaceMesh(mesh) = TypedGeometry::of(geometry) else { return None };
    let by = match mesh.sidedness() {
        Sidedness::Pseudonormals => "pseudonormals",
        Sidedness::WindingNumber => "winding_number",
    };
    let is_crossed = mesh.is_closed()
        && mesh.sidedness() == Sidedness::Pseudonormals
        && !mesh.health().self_intersections.is_empty();
    let text = match (mesh.is_closed(), is_crossed) {
        (false, _) => format!("{side} is an open surface, a sheet: nothing is inside of it."),
        (true, false) => format!("{side} is a closed surface, a solid; its inside is told by {by}."),
        (true, true) => format!(
            "{side} is a closed surface that intersects itself, but its inside is told by {by}, which then miss what is inside: \
             the sidedness winding_number finds it."
        ),
    };
    let values = [
        ("side", json!(side)),
        ("closed", json!(mesh.is_closed())),
        ("sidedness", json!(by)),
        ("self_intersecting", json!(is_crossed)),
    ];
    Some(Step::new(Stage::Sides, text, values))
}
