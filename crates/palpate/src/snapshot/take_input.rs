//! Taking the fingerprints of the geometries of a scene.

use super::input_line::{Fingerprint, ObjectLine};
use crate::describe::numbers;
use crate::geometry::{Geometry, Pose};
use crate::record::{NamedGeometry, named_geometries, object_cells, object_shape, object_state};
use crate::recording::{Point, State};
use crate::scene::{Scene, SceneError};
use serde_json::Value;

/// Descriptions longer than this are stored by their checksum.
const LONGEST_SHAPE: usize = 400;

/// The geometries of a scene and their children, in order.
pub(crate) fn object_lines(scene: &Scene) -> Result<Vec<ObjectLine>, SceneError> {
    let line = |named: NamedGeometry<'_>| {
        let kind = named.geometry.kind().name().to_owned();
        ObjectLine { kind, name: named.name, shape: shape(named.geometry) }
    };
    Ok(named_geometries(scene)?.into_iter().map(line).collect())
}

/// The states of the geometries now, in the same order.
pub(crate) fn fingerprints(scene: &Scene) -> Result<Vec<Fingerprint>, SceneError> {
    let mut state = State::Points(Vec::<Point>::new());
    let mut found = Vec::new();
    for NamedGeometry { geometry, placement, .. } in named_geometries(scene)? {
        // A quaternion whose length is not 1 is left to the detectors: the state then counts as none.
        let taken = object_state(geometry, &mut state);
        let placed = placement.map_or(0, |pose| pose_checksum(&pose));
        let state = if taken.is_ok() { state.checksum() ^ placed } else { placed };
        // Of a cut mesh also its numbers.
        let mut hasher = crc32fast::Hasher::new();
        let numbers = numbers(geometry).into_iter().flat_map(|(_, list)| list);
        numbers.for_each(|number| hasher.update(&number.to_le_bytes()));
        let numbers = hasher.finalize();
        found.push(Fingerprint { state, cells: object_cells(geometry).checksum() ^ numbers });
    }
    Ok(found)
}

fn shape(geometry: &dyn Geometry) -> Value {
    let Ok(text) = object_shape(geometry) else { return Value::Null };
    if text.len() > LONGEST_SHAPE {
        let checksum = crc32fast::hash(text.as_bytes());
        return Value::from(format!("crc32 {checksum:08x}, {} bytes", text.len()));
    }
    serde_json::from_str(&text).unwrap_or(Value::Null)
}

fn pose_checksum(pose: &Pose) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    let numbers = pose.translation.vector.iter().chain(pose.rotation.coords.iter());
    numbers.for_each(|number| hasher.update(&number.to_le_bytes()));
    hasher.finalize()
}
