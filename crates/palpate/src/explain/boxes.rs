//! The bounding boxes of both sides.

use super::explanation::{Stage, Step};
use crate::geometry::{Geometry, Pose};
use crate::math::{Aabb, Point};
use crate::scene::{GeometryId, Scene, SceneError};
use serde_json::json;

/// The box of a geometry in the world: of a placed one the box round its moved corners.
pub(super) fn world_box(scene: &Scene, id: GeometryId) -> Result<Aabb, SceneError> {
    Ok(moved_box(scene.geometry(id)?, scene.placement(id)?))
}

/// The box of a geometry that is placed, in the world.
pub(super) fn moved_box(geometry: &dyn Geometry, placement: Option<Pose>) -> Aabb {
    let bounds = geometry.bounds();
    placement.map_or(bounds, |pose| moved(&bounds, &pose))
}

fn moved(bounds: &Aabb, pose: &Pose) -> Aabb {
    let corner = |bits: usize| {
        let end = |axis: usize| if bits >> axis & 1 == 0 { bounds.min[axis] } else { bounds.max[axis] };
        pose * Point::new(end(0), end(1), end(2))
    };
    (0..8).map(corner).fold(Aabb::EMPTY, |all, corner| all.merged(&Aabb { min: corner, max: corner }))
}

/// Metres by which two boxes are apart along the axis on which they are apart the most, and that axis; negative where they
/// overlap on every axis.
pub(super) fn gap(a: &Aabb, b: &Aabb) -> (f64, usize) {
    let along = |axis: usize| (a.min[axis] - b.max[axis]).max(b.min[axis] - a.max[axis]);
    (0..3)
        .map(|axis| (along(axis), axis))
        .fold((f64::NEG_INFINITY, 0), |best, now| if now.0 > best.0 { now } else { best })
}

/// The decision by boxes.
pub(super) fn step(a: &Aabb, b: &Aabb, margin: f64) -> Step {
    let (gap, axis) = gap(a, b);
    let name = ["x", "y", "z"][axis];
    let is_empty = |bounds: &Aabb| bounds.min.x > bounds.max.x;
    let text = if is_empty(a) || is_empty(b) {
        format!(
            "Side {} is empty: it has nothing that could be in contact.",
            if is_empty(a) { "A" } else { "B" }
        )
    } else if gap > margin {
        format!("The boxes are {gap} m apart along {name}, more than the margin of {margin} m.")
    } else if gap > 0.0 {
        format!("The boxes are {gap} m apart along {name}, within the margin of {margin} m.")
    } else if gap.is_infinite() {
        "The boxes overlap: one of them is unbounded.".to_owned()
    } else {
        format!("The boxes overlap, by {} m along {name} at the least.", -gap)
    };
    let values = [
        ("gap", json!(gap)),
        ("axis", json!(name)),
        ("box_a", json!([bounds(a.min), bounds(a.max)])),
        ("box_b", json!([bounds(b.min), bounds(b.max)])),
    ];
    Step::new(Stage::Boxes, text, values)
}

fn bounds(point: Point) -> [f64; 3] {
    point.coords.into()
}
